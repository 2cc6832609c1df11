// Room:   AmberKeyed / Models. The instances of a graph of models.
// Takes:  the number of an object and the class that it must be of. Gives: the instance, filled or not; and of a value
//         all the instances that it refers to.
// Touches: instances through AmberModel alone.

import AmberModel
import Foundation

extension ModelReader {
    /// The instance of an object, filled or not.
    func instance(_ number: UInt32, _ base: AnyClass) throws(KeyedFailure) -> AnyObject {
        guard Int(number) < coder.slots.count else {
            throw failure(.malformed, "Object \(number) is not in the archive.")
        }
        for reader in coder.modelReaders.reversed() {
            if let making = reader.makings[number] { return try checked(making.builder.unfinished, base) }
        }
        if let known = coder.slots[Int(number)].object { return try checked(known, base) }
        guard case .dictionary(let record) = coder.document.objects[Int(number)] else {
            throw failure(
                .typeMismatch,
                "\(words(.reference(number))) was found where a \(ClassNames.shown(base)) is expected.")
        }
        let type: AnyClass = try modelClass(of: record, base)
        if let allowed, !allowed.allows(type) { throw failure(allowed.refused(ClassNames.shown(type))) }
        let plan: ClassPlan
        let builder: InstanceBuilder
        do {
            plan = try PlanCache.shared.plan(for: type)
            builder = try InstanceBuilder(plan)
        } catch let error as SchemaFailure {
            throw failure(.unsupportedType, error.reason)
        } catch {
            throw failure(.codingFailed, "\(error)")
        }
        let version = try record[ArchivingCoder.versionKey].flatMap { stored throws(KeyedFailure) in
            try inline(stored)?.integerValue.map { Int($0) }
        }
        try check(version: version ?? 0, of: plan.name, known: plan.version)
        let making = Making(number: number, builder: builder, record: record)
        making.version = version ?? 0
        makings[number] = making
        queue.append(making)
        return builder.unfinished
    }

    /// A failure of the model layer, with the way to here.
    func failure(_ error: any Error, or code: KeyedFailure.Code = .typeMismatch) -> KeyedFailure {
        if let failure = error as? KeyedFailure { return failure }
        return KeyedFailure(error, path: path) ?? failure(code, "\(error)")
    }

    /// The model of a number that is still being made here, as far as code other than this library's may see it.
    func whole(_ number: UInt32) throws(KeyedFailure) -> AnyObject? {
        guard let making = makings[number] else { return nil }
        guard making.isComplete || making.builder.plan.hasInitializer else {
            throw failure(
                .cycle,
                "An object refers back to a \(making.builder.plan.name) that is not filled yet. Give it an init().")
        }
        return making.builder.unfinished
    }

    private func checked(_ object: AnyObject, _ base: AnyClass) throws(KeyedFailure) -> AnyObject {
        guard base == AnyModelClass.self || ClassGate([base]).allows(type(of: object)) else {
            throw failure(
                .classRefused, "\(ClassNames.shown(type(of: object))) is no \(ClassNames.shown(base)).")
        }
        return object
    }

    /// The class of a record: one that inherits from `base`, which the property's declaration allows.
    private func modelClass(of record: PlistDictionary, _ base: AnyClass) throws(KeyedFailure) -> AnyClass {
        let archived: ArchivedClass
        do throws(KeyedFailure) {
            var resolver = coder.resolver
            resolver.allowed = [base]
            archived = try coder.classes.type(record[ArchiveKey.classReference], in: coder.document.objects, resolver)
        } catch {
            throw failure(error.code, error.message)
        }
        guard let type = archived.type else {
            // The arguments of a generic class may have been renamed or retyped, as any property.
            if ClassNames.isSameGeneric(archived.name, base) { return base }
            throw failure(
                .unknownClass,
                "The class \(archived.name) is not in this program, and a \(ClassNames.shown(base)) is expected. If a class has "
                    + "that name by its rules, name it in `allowing`. Otherwise map the name: `classMap`, `KeyedClassMap.register`."
            )
        }
        // A weak reference to a protocol names no class: what else the archive may hold is what it may refer to.
        if base == AnyModelClass.self, coder.gates.last?.allows(type) != false || !coder.requiresSecureCoding {
            return type
        }
        guard ClassGate([base]).allows(type) else {
            // Several classes may go by one name: the property's own comes first.
            if let plan: ClassPlan = try? PlanCache.shared.plan(for: base), plan.name == archived.name { return base }
            let named = PlanCache.shared.classPlans(named: archived.name)
            if let plan = named.first(where: { ClassGate([base]).allows($0.type) }) { return plan.type }
            throw failure(.classRefused, "The class \(archived.name) is no \(ClassNames.shown(base)).")
        }
        return type
    }

    /// Makes the instances that a value will refer to, and lists them.
    func touch(
        _ stored: PlistValue, _ plan: ValuePlan, _ objects: inout [UInt32], depth: Int
    ) throws(KeyedFailure) {
        guard plan.reachesObjects, try !isNil(stored) else { return }
        try count(depth: depth)
        switch plan.shape {
        case .reference(let reference):
            guard let number = try target(of: stored) else { return }
            _ = try instance(number, reference.base)
            objects.append(number)
        case .optional(let optional):
            if case .optional = optional.payload.shape {
                // A list of one stands for an Optional in an Optional.
                for inner in try elements(stored).prefix(1) {
                    try touch(inner, optional.payload, &objects, depth: depth + 1)
                }
            } else {
                try touch(stored, optional.payload, &objects, depth: depth + 1)
            }
        case .array(let array):
            for (index, element) in try elements(stored).enumerated() {
                do throws(KeyedFailure) { try touch(element, array.element, &objects, depth: depth + 1) } catch {
                    throw error.within("[\(index)]", after: path.count)
                }
            }
        case .collection(let collection):
            if let value = collection.value {
                for pair in try pairs(stored) {
                    try touch(pair.key, collection.key, &objects, depth: depth + 1)
                    try touch(pair.value, value, &objects, depth: depth + 1)
                }
            } else {
                for element in try elements(stored) { try touch(element, collection.key, &objects, depth: depth + 1) }
            }
        case .structure(let structure):
            if structure.name == nil {
                for (field, element) in try tupleElements(stored, structure) {
                    try touch(element, field.plan, &objects, depth: depth + 1)
                }
            } else if ArchivingCoder.isFoundationValue(plan) == false {
                for (index, element) in try fields(stored, structure) {
                    let field = structure.places.fields[index]
                    let outer = allowed
                    defer { allowed = outer }
                    allowed = field.allowed ?? outer
                    do throws(KeyedFailure) {
                        try touch(element, field.valuePlan, &objects, depth: depth + 1)
                    } catch {
                        throw error.within(field.sourceName, after: path.count)
                    }
                }
            }
        case .enumeration(let enumeration):
            guard let (_, payload) = try enumerationCase(stored, enumeration), let payload else { return }
            try touch(payload.stored, payload.plan, &objects, depth: depth + 1)
        case .bridged(let bridged):
            if !ArchivingCoder.isFoundationValue(plan) {
                try touch(stored, bridged.surrogate, &objects, depth: depth + 1)
            }
        case .pending, .scalar, .string, .data, .dynamic, .codable: break
        }
    }

    func instance(number: UInt32, base: AnyClass) throws(KeyedFailure) -> AnyObject { try instance(number, base) }
}
