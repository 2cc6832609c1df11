// Room:   AmberKeyed / Models. Models from archived objects, by their schema.
// Takes:  a value of an archive and the plan of the type it shall have. Gives: the value, its objects complete.
// Touches: instances through AmberModel alone, which nobody else sees before all are complete.
//
// An object is made when it is first referred to and filled later, from a queue: no depth of the graph nests anything
// here, and a reference back finds its object. What hashes objects waits until these are filled.

import AmberModel
import Foundation

final class ModelReader {
    let coder: UnarchivingCoder
    /// Instances that are made and not filled yet, in the order of their making.
    var queue: [Making] = []
    /// How many of them were filled.
    var filled = 0
    /// Whether values of a plan must wait until objects are complete.
    private var waits: [ObjectIdentifier: Bool] = [:]
    var makings: [UInt32: Making] = [:]
    private var waiting: [Waiting] = []
    private var values = 0
    var path: [String] = []
    /// The types that the property at hand takes.
    private(set) var allowed: AllowedTypes?
    /// What stands for objects that gave way to others.
    var replacements = Replacements()
    /// Whether a struct was made that refers to objects and is to be told of its decoding when all are complete.
    var hasUntoldStructs = false

    final class Making {
        let number: UInt32
        let builder: InstanceBuilder
        let record: PlistDictionary
        var version = 0
        var openProperties = 0
        var isComplete = false

        init(number: UInt32, builder: InstanceBuilder, record: PlistDictionary) {
            self.number = number
            self.builder = builder
            self.record = record
        }
    }

    /// A property whose value can be made only when the objects in it are complete.
    private struct Waiting {
        var making: Making
        var index: Int
        var stored: PlistValue
        var plan: ValuePlan
        var objects: [UInt32]
    }

    init(_ coder: UnarchivingCoder) {
        self.coder = coder
    }

    // MARK: Roots

    /// The value of a type, with everything below it.
    func root(_ stored: PlistValue, _ plan: ValuePlan) throws(KeyedFailure) -> Any {
        begin()
        defer { end() }
        var objects: [UInt32] = []
        try touch(stored, plan, &objects, depth: 0)
        try fill()
        let value = try self.value(stored, plan, depth: 0)
        // A value of unknown type may have led to objects that nothing else has.
        try fill()
        return try callHooks(value, plan)
    }

    /// The object of a number, which is a model's, with everything below it.
    func object(_ number: UInt32, _ type: AnyClass) throws(KeyedFailure) -> AnyObject {
        begin()
        defer { end() }
        let object = try instance(number, type)
        try fill()
        _ = try callHooks(nil, nil)
        return replacements[object] ?? object
    }

    func failure(_ code: KeyedFailure.Code, _ message: String) -> KeyedFailure {
        KeyedFailure(code, message, path: coder.path + path)
    }

    // MARK: Instances

    /// The instance of an object, filled or not.
    private func instance(_ number: UInt32, _ base: AnyClass) throws(KeyedFailure) -> AnyObject {
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
                "Expected a \(ClassNames.name(of: base)), found "
                    + "\(coder.document.objects[Int(number)].kindName).")
        }
        let type: AnyClass = try modelClass(of: record, base)
        if let allowed, !allowed.allows(type) { throw failure(allowed.refused(ClassNames.name(of: type))) }
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
        if let version, version > plan.version {
            throw failure(
                .newerModel, "The archive holds version \(version) of \(plan.name), this program knows \(plan.version)."
            )
        }
        let making = Making(number: number, builder: builder, record: record)
        making.version = version ?? 0
        makings[number] = making
        queue.append(making)
        return builder.unfinished
    }

    /// A failure of the model layer, with the way to here.
    func failure(_ error: any Error, or code: KeyedFailure.Code = .typeMismatch) -> KeyedFailure {
        if let failure = error as? KeyedFailure { return failure }
        return KeyedFailure(error, path: coder.path + path) ?? failure(code, "\(error)")
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
                .classRefused, "\(ClassNames.name(of: type(of: object))) is no \(ClassNames.name(of: base)).")
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
            throw failure(
                .unknownClass,
                "The class \(archived.name) is not in this program. Map its name to a \(ClassNames.name(of: base)).")
        }
        // A weak reference to a protocol names no class: what else the archive may hold is what it may refer to.
        if base == AnyModelClass.self, coder.gates.last?.allows(type) != false || !coder.requiresSecureCoding {
            return type
        }
        guard ClassGate([base]).allows(type) else {
            // Several classes may go by one name.
            let named = PlanCache.shared.classPlans(named: archived.name)
            if let plan = named.first(where: { ClassGate([base]).allows($0.type) }) { return plan.type }
            throw failure(.classRefused, "The class \(archived.name) is no \(ClassNames.name(of: base)).")
        }
        return type
    }

    // MARK: Filling

    private func fill() throws(KeyedFailure) {
        while filled < queue.count || !waiting.isEmpty {
            while filled < queue.count {
                filled += 1
                try fill(queue[filled - 1])
            }
            try settle()
        }
    }

    private func fill(_ making: Making) throws(KeyedFailure) {
        let migrated = try migrate(making)
        for entry in making.record.entries where entry.key != ArchiveKey.classReference {
            guard let index = making.builder.index(of: Self.userKey(entry.key)), !migrated.contains(index) else {
                continue
            }
            let field = making.builder.fields[index]
            guard field.destinations.contains(.keyed) else { continue }
            path = [field.sourceName]
            allowed = field.allowed
            defer { allowed = nil }
            if field.ownership != .strong {
                guard case .reference(let base) = field.plan.shape else { continue }
                let target = try target(of: entry.value)
                let object = try target.map { number throws(KeyedFailure) in try instance(number, base.base) }
                try set(making, index, object as Any)
            } else if mustWait(field.valuePlan) {
                var objects: [UInt32] = []
                try touch(entry.value, field.valuePlan, &objects, depth: 0)
                making.openProperties += 1
                waiting.append(
                    Waiting(
                        making: making, index: index, stored: entry.value, plan: field.valuePlan, objects: objects))
            } else {
                try set(making, index, try value(entry.value, field.valuePlan, depth: 0))
            }
        }
        path = []
        if making.openProperties == 0 { try complete(making) }
    }

    /// Whether making a value calls code that may look at the objects in it.
    private func mustWait(_ plan: ValuePlan) -> Bool {
        guard plan.mayWait else { return false }
        if let known = waits[ObjectIdentifier(plan)] { return known }
        let result = plan.hashesObjects
        waits[ObjectIdentifier(plan)] = result
        return result
    }

    /// Runs `body` while what is read is to be of the types that a property takes.
    func taking<R>(_ types: AllowedTypes?, _ body: () throws(KeyedFailure) -> R) throws(KeyedFailure) -> R {
        let outer = allowed
        defer { allowed = outer }
        allowed = types ?? outer
        return try body()
    }

    /// Sets what the class itself makes of an older archive; gives the indices of these properties.
    private func migrate(_ making: Making) throws(KeyedFailure) -> Set<Int> {
        let plan = making.builder.plan
        guard let type = plan.type as? any KeyedMigrating.Type else { return [] }
        var migrated: Set<Int> = []
        let key = "externalRepresentation"
        if let stored = making.record[key], making.builder.index(of: key) == nil {
            guard let dictionary = try dynamic(stored, depth: 0) as? [String: Any],
                let properties = type.properties(fromExternalRepresentation: dictionary, version: making.version)
            else {
                throw failure(.codingFailed, "\(plan.name) makes nothing of its archive's external representation.")
            }
            for (name, value) in properties {
                guard let index = making.builder.index(of: name) else { continue }
                try set(making, index, value)
                migrated.insert(index)
            }
        }
        guard making.version < plan.version else { return migrated }
        let values = KeyedValues(reader: self, record: making.record)
        for (index, field) in making.builder.fields.enumerated() where field.destinations.contains(.keyed) {
            do {
                guard let value = try type.value(of: field.name, from: values, version: making.version) else {
                    continue
                }
                try set(making, index, value)
                migrated.insert(index)
            } catch let error as KeyedFailure {
                throw error
            } catch {
                throw failure(.codingFailed, "\(plan.name).\(field.name): \(error)")
            }
        }
        return migrated
    }

    private func set(_ making: Making, _ index: Int, _ value: Any) throws(KeyedFailure) {
        do {
            try making.builder.set(index, value)
        } catch {
            throw failure(error)
        }
    }

    private func complete(_ making: Making) throws(KeyedFailure) {
        do {
            try making.builder.complete()
            coder.slots[Int(making.number)].object = making.builder.unfinished
            coder.slots[Int(making.number)].state = .done
            making.isComplete = true
        } catch {
            throw failure(.valueNotFound, "\(making.builder.plan.name): \(error)")
        }
    }

    private func begin() { coder.modelReaders.append(self) }

    /// Takes back what was made when not all of it could be.
    private func end() {
        coder.modelReaders.removeLast()
        for making in queue where making.isComplete {
            coder.slots[Int(making.number)].object = nil
            coder.slots[Int(making.number)].state = .untouched
        }
        InstanceBuilder.abandon(queue.map(\.builder))
        queue.removeAll()
        makings.removeAll()
        waiting.removeAll()
    }

    /// Makes the values that waited, those first whose objects are complete.
    private func settle() throws(KeyedFailure) {
        while !waiting.isEmpty {
            let ready = waiting.filter { item in item.objects.allSatisfy { makings[$0]?.isComplete ?? true } }
            // In a ring of objects that hash each other none is ever ready. Those made by an initializer are whole
            // already, if not yet themselves; others would be looked at before they are anything.
            let chosen =
                ready.isEmpty
                ? waiting.filter { item in
                    item.objects.allSatisfy {
                        makings[$0].map { $0.isComplete || $0.builder.plan.hasInitializer } ?? true
                    }
                } : ready
            guard let first = chosen.first else {
                throw failure(.cycle, "Sets or dictionaries hold each other's objects. Give their classes an init().")
            }
            let batch = ready.isEmpty ? [first] : ready
            let numbers = Set(batch.map { [Int($0.making.number), $0.index] })
            waiting.removeAll { numbers.contains([Int($0.making.number), $0.index]) }
            for item in batch {
                let field = item.making.builder.fields[item.index]
                path = [field.sourceName]
                allowed = field.allowed
                defer { allowed = nil }
                try set(item.making, item.index, try value(item.stored, item.plan, depth: 0))
                path = []
                item.making.openProperties -= 1
                if item.making.openProperties == 0 { try complete(item.making) }
            }
            // A value of unknown type may have led to objects that are not filled yet.
            if filled < queue.count { return }
        }
    }

    // MARK: Values

    static func userKey(_ stored: String) -> String {
        stored.hasPrefix("$$") ? String(stored.dropFirst()) : stored
    }

    /// The number of the object that a value refers to; nil for nil.
    private func target(of stored: PlistValue) throws(KeyedFailure) -> UInt32? {
        guard case .reference(let number) = stored else {
            throw failure(.typeMismatch, "Expected an object, found \(stored.kindName).")
        }
        return try isNil(stored) ? nil : number
    }

    /// Whether a value is nil: a reference to nothing, or to the object that stands for nil in collections.
    func isNil(_ stored: PlistValue) throws(KeyedFailure) -> Bool {
        guard case .reference(let number) = stored else { return false }
        guard Int(number) < coder.document.objects.count else {
            throw failure(.malformed, "Object \(number) is not in the archive.")
        }
        switch coder.document.objects[Int(number)] {
        case .string(ArchiveDocument.nullText): return true
        case .dictionary(let record): return try kind(of: record) == .null
        default: return false
        }
    }

    /// A value that stands in the record itself or is stored bare.
    func inline(_ stored: PlistValue) throws(KeyedFailure) -> PlistValue? {
        guard case .reference(let number) = stored else { return stored }
        guard Int(number) < coder.document.objects.count else {
            throw failure(.malformed, "Object \(number) is not in the archive.")
        }
        if case .dictionary = coder.document.objects[Int(number)] { return nil }
        return coder.document.objects[Int(number)]
    }

    func record(_ stored: PlistValue) throws(KeyedFailure) -> PlistDictionary? {
        guard case .reference(let number) = stored, Int(number) < coder.document.objects.count,
            case .dictionary(let record) = coder.document.objects[Int(number)]
        else { return nil }
        return record
    }

    func kind(of record: PlistDictionary) throws(KeyedFailure) -> FoundationKind? {
        try coder.classes.type(record[ArchiveKey.classReference], in: coder.document.objects, coder.resolver).kind
    }

    /// Counts a value: archives may name the same list often, and each naming costs its whole content.
    func count(depth: Int) throws(KeyedFailure) {
        values += 1
        guard values <= coder.limits.comparisons * 10 else {
            throw failure(.limitExceeded, "The archive expands to more values than the limits allow.")
        }
        guard depth <= coder.limits.depth else {
            throw failure(.limitExceeded, "Values are nested deeper than the limit of \(coder.limits.depth).")
        }
    }

    /// Makes the instances that a value will refer to, and lists them.
    private func touch(
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
            for element in try elements(stored) { try touch(element, array.element, &objects, depth: depth + 1) }
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
                    try touch(element, field.valuePlan, &objects, depth: depth + 1)
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

extension ArchivingCoder {
    /// Whether values of a type are archived as an object of a Foundation class rather than by their parts.
    static func isFoundationValue(_ plan: ValuePlan) -> Bool {
        let type = plan.type
        return !plan.isOfProperty && isFoundationValue(type)
    }

    private static func isFoundationValue(_ type: Any.Type) -> Bool {
        type == URL.self || type == IndexSet.self || type == CGPoint.self || type == CGSize.self || type == CGRect.self
    }
}
