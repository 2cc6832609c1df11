// Room:   AmberKeyed / Models. The values of properties from what an archive holds.
// Takes:  a stored value and the plan of the property's type. Gives: a value of exactly that type.
// Touches: the queue of instances, through `instance`.

import AmberModel
import Foundation

extension ModelReader {
    /// The value of a plan's type.
    func value(_ stored: PlistValue, _ plan: ValuePlan, depth: Int) throws(KeyedFailure) -> Any {
        try count(depth: depth)
        if ArchivingCoder.isFoundationValue(plan), try !isCollection(stored) {
            return try foundationValue(stored, plan)
        }
        let parts = try self.parts(isTold(plan) ? try untold(stored) : stored, plan, depth: depth)
        do {
            let made = try plan.close(parts)
            guard case .structure(let structure) = plan.shape, let model = structure.model, model.isToldOfDecoding
            else {
                return made
            }
            if plan.reachesObjects {
                hasUntoldStructs = true
                return made
            }
            do { return try plan.callingDidDecode(model, on: made) } catch {
                throw DecodingFailure(hook: error, of: structure.name ?? "")
            }
        } catch {
            throw failure(error)
        }
    }

    /// Whether a property's own type tells what its value is, which an archive may name all the same.
    private func isTold(_ plan: ValuePlan) -> Bool {
        switch plan.shape {
        case .structure, .enumeration, .codable, .bridged: true
        default: false
        }
    }

    private func part(_ stored: PlistValue, _ plan: ValuePlan, _ depth: Int) throws(KeyedFailure) -> OpenedValue.Part {
        .init(try value(stored, plan, depth: depth + 1), plan)
    }

    private func parts(_ stored: PlistValue, _ plan: ValuePlan, depth: Int) throws(KeyedFailure) -> OpenedValue {
        switch plan.shape {
        case .pending: throw failure(.unsupportedType, "The plan of \(plan.type) is not finished.")
        case .scalar(let kind): return .scalar(try scalar(stored, kind, plan), kind)
        case .string:
            if case .string(let text)? = try inline(stored), try !isNil(stored) { return .string(text) }
            guard let text = try expected(stored, [NSString.self], plan) as? NSString else {
                throw mismatch(stored, plan)
            }
            return .string(text as String)
        case .data:
            switch try inline(stored) {
            case .data(let data)?: return .data(data)
            case .string(let text)?: if let data = Data(base64Encoded: text) { return .data(data) }
            default: break
            }
            guard let data = try expected(stored, [NSData.self], plan) as? NSData else { throw mismatch(stored, plan) }
            return .data(Data(referencing: data))
        case .optional(let optional):
            if try isNil(stored) { return .none }
            if case .optional = optional.payload.shape, try isList(stored) {
                guard let inner = try elements(stored).first else { throw mismatch(stored, plan) }
                return .some(try part(inner, optional.payload, depth))
            }
            return .some(try part(stored, optional.payload, depth))
        case .array(let array):
            return .array(try list(try elements(stored), array.element, depth))
        case .collection(let collection):
            guard let valuePlan = collection.value else {
                return .set(try list(try elements(stored), collection.key, depth))
            }
            return .dictionary(try pairs(stored, collection.key, valuePlan, depth))
        case .structure(let structure): return .structure(try structureParts(stored, structure, plan, depth))
        case .enumeration(let enumeration):
            guard let (item, payload) = try enumerationCase(stored, enumeration) else {
                return try unknownCase(stored, enumeration, depth: depth)
            }
            let payloadPart = try payload.map { value throws(KeyedFailure) in
                try at(item.name) { () throws(KeyedFailure) in try part(value.stored, value.plan, depth) }
            }
            return .enumeration(name: item.name, rawValue: item.rawValue, payload: payloadPart)
        case .reference(let reference):
            guard case .reference(let number) = stored, try !isNil(stored) else { throw mismatch(stored, plan) }
            return .object(try instance(number: number, base: reference.base))
        case .dynamic(let dynamic) where dynamic.base != nil:
            // The object as it is: of the property's class, and as mutable as it was.
            let allowed = (coder.gates.last?.classes ?? []) + ClassGate.values
            guard let base = dynamic.base, let object = try foundation(stored, allowed + [base], refusesModels: false)
            else {
                throw mismatch(stored, plan)
            }
            return .object(object)
        case .dynamic: return .dynamic(.init(try dynamic(stored, depth: depth), plan))
        case .bridged(let bridged): return .bridged(try part(stored, bridged.surrogate, depth))
        case .codable: return .codable(try codable(stored, depth: depth))
        }
    }

    private func mismatch(_ stored: PlistValue, _ plan: ValuePlan) -> KeyedFailure {
        let name = codingName(of: plan.type)
        if (try? isNil(stored)) == true {
            return failure(
                .valueNotFound, "The archive holds nil where a \(name) is expected. Make the property an Optional.")
        }
        return failure(.typeMismatch, "\(words(stored)) was found where a \(name) is expected.")
    }

    /// A value in the words of an error.
    func words(_ stored: PlistValue) -> String {
        guard case .reference(let number) = stored, Int(number) < coder.document.objects.count else {
            return stored.words
        }
        guard case .dictionary(let record) = coder.document.objects[Int(number)] else {
            return coder.document.objects[Int(number)].words
        }
        let archived = try? coder.classes.type(
            record[ArchiveKey.classReference], in: coder.document.objects, coder.resolver)
        return archived.map { "An object of class \($0.name)" } ?? "An object"
    }

    private func list(
        _ stored: [PlistValue], _ plan: ValuePlan, _ depth: Int
    ) throws(KeyedFailure) -> [OpenedValue.Part] {
        var parts: [OpenedValue.Part] = []
        parts.reserveCapacity(stored.count)
        for (index, element) in stored.enumerated() {
            // What a list held conditionally and nothing else holds is not in the archive: it is not in the list.
            if case .reference = plan.shape, try isNil(element) { continue }
            parts.append(try at("[\(index)]") { () throws(KeyedFailure) in try part(element, plan, depth) })
        }
        return parts
    }

    private func pairs(
        _ stored: PlistValue, _ key: ValuePlan, _ value: ValuePlan, _ depth: Int
    ) throws(KeyedFailure) -> [(key: OpenedValue.Part, value: OpenedValue.Part)] {
        var result: [(key: OpenedValue.Part, value: OpenedValue.Part)] = []
        for pair in try pairs(stored) {
            result.append(
                try at(keyWords(pair.key)) {
                    () throws(KeyedFailure) -> (key: OpenedValue.Part, value: OpenedValue.Part) in
                    (try part(pair.key, key, depth), try part(pair.value, value, depth))
                })
        }
        return result
    }

    /// A dictionary's key as a step of a path.
    private func keyWords(_ stored: PlistValue) -> String {
        switch try? inline(stored) {
        case .string(let text)?: text
        case let number?: number.numberText ?? "(\(number.kindName))"
        case nil: "(key)"
        }
    }

    private func scalar(_ stored: PlistValue, _ kind: ScalarKind, _ plan: ValuePlan) throws(KeyedFailure) -> Any {
        if let number = try inline(stored) {
            if let value = ModelScalars.value(number, kind, plan.type) { return value }
            // As documents have it.
            if case .string(let text) = number, try !isNil(stored),
                let value = ValueMaker.scalar(text, kind, plan, isKey: false)
            {
                return value
            }
            if let text = number.numberText, kind != .bool, kind != .date, kind != .uuid {
                throw failure(
                    .doesNotFit,
                    "\(text) does not fit in \(codingName(of: plan.type)). Widen the property, or give it the archive's type."
                )
            }
        }
        guard case .reference = stored, try !isNil(stored) else { throw mismatch(stored, plan) }
        let allowed: [AnyClass] = [NSNumber.self, NSDate.self, NSUUID.self, NSString.self]
        guard let object = try expected(stored, allowed, plan),
            let value = ModelScalars.value(object: object, kind, plan.type)
        else { throw mismatch(stored, plan) }
        return value
    }

    /// An object of one of the classes that values of a type are archived as.
    private func expected(
        _ stored: PlistValue, _ classes: [AnyClass], _ plan: ValuePlan
    ) throws(KeyedFailure) -> AnyObject? {
        do throws(KeyedFailure) { return try foundation(stored, classes) } catch {
            throw error.code == .classRefused ? mismatch(stored, plan) : error
        }
    }

    /// An object of one of Foundation's value classes.
    func foundation(
        _ stored: PlistValue, _ classes: [AnyClass], refusesModels: Bool = true
    ) throws(KeyedFailure) -> AnyObject? {
        if refusesModels, let record = try record(stored) {
            let archived = try coder.classes.type(
                record[ArchiveKey.classReference], in: coder.document.objects, coder.resolver)
            // A model would be read as the root of a graph of its own, and that of this one perhaps again.
            guard !archived.isModel else {
                throw failure(.typeMismatch, "Expected a value, found an object of class \(archived.name).")
            }
        }
        return try coder.allowing(classes) { () throws(KeyedFailure) -> AnyObject? in try coder.object(for: stored) }
    }

    /// A value that is archived as an object of a Foundation class.
    private func foundationValue(_ stored: PlistValue, _ plan: ValuePlan) throws(KeyedFailure) -> Any {
        let object = try expected(stored, [NSURL.self, NSString.self, NSIndexSet.self, NSValue.self], plan)
        guard let value = FoundationBridge.foundationValue(object, plan.type) else { throw mismatch(stored, plan) }
        return value
    }

    private func structureParts(
        _ stored: PlistValue, _ structure: StructurePlan, _ plan: ValuePlan, _ depth: Int
    ) throws(KeyedFailure) -> [(name: String, part: OpenedValue.Part)] {
        var result: [(name: String, part: OpenedValue.Part)] = []
        if structure.name == nil {
            for (field, element) in try tupleElements(stored, structure) {
                result.append(
                    (
                        field.name,
                        try at(field.name) { () throws(KeyedFailure) in try part(element, field.plan, depth) }
                    ))
            }
            return result
        }
        for (index, element) in try fields(stored, structure) {
            let field = structure.places.fields[index]
            if case .stored(let stored) = element, try isNil(stored), !field.valuePlan.isOptional { continue }
            let part = try taking(field.allowed) { () throws(KeyedFailure) -> OpenedValue.Part in
                try at(field.sourceName) { () throws(KeyedFailure) in
                    .init(try value(element, field.valuePlan, depth: depth + 1), field.valuePlan)
                }
            }
            result.append((field.name, part))
        }
        return result
    }

    /// The elements of a tuple: in order, or, as documents have it, by their labels.
    func tupleElements(
        _ stored: PlistValue, _ structure: StructurePlan
    ) throws(KeyedFailure) -> [(field: FieldPlan, stored: PlistValue)] {
        guard try record(stored) != nil, try !isList(stored) else {
            let elements = try elements(stored)
            guard elements.count == structure.fields.count else {
                throw failure(
                    .typeMismatch, "A tuple of \(structure.fields.count) values is a list of \(elements.count).")
            }
            return zip(structure.fields, elements).map { ($0, $1) }
        }
        var result: [(field: FieldPlan, stored: PlistValue)] = []
        for pair in try pairs(stored) {
            guard case .string(let name)? = try inline(pair.key),
                let field = structure.fields.first(where: { $0.name == name })
            else { continue }
            result.append((field, pair.value))
        }
        return result
    }

    // MARK: Records

    /// Whether a value is an array or a dictionary, as documents have those that Foundation has classes for.
    func isCollection(_ stored: PlistValue) throws(KeyedFailure) -> Bool {
        if try isList(stored) { return true }
        guard let record = try record(stored) else { return false }
        switch try kind(of: record) {
        case .dictionary, .mutableDictionary: return true
        default: return false
        }
    }

    /// Whether a value is an array or set.
    private func isList(_ stored: PlistValue) throws(KeyedFailure) -> Bool {
        guard let record = try record(stored) else { return stored.array != nil }
        switch try kind(of: record) {
        case .array, .mutableArray, .set, .mutableSet, .orderedSet, .mutableOrderedSet: return true
        default: return false
        }
    }

    /// The elements of an array, set or ordered set.
    func elements(_ stored: PlistValue) throws(KeyedFailure) -> [PlistValue] {
        if case .array(let values) = stored { return values }
        guard let record = try record(stored) else {
            throw failure(.typeMismatch, "\(words(stored)) was found where a list is expected.")
        }
        switch try kind(of: record) {
        case .array, .mutableArray, .set, .mutableSet, .orderedSet, .mutableOrderedSet: break
        default: throw failure(.typeMismatch, "\(words(stored)) was found where a list is expected.")
        }
        if case .array(let values)? = record["NS.objects"] { return values }
        return try numbered(record, "NS.object.")
    }

    /// The keys and values of a dictionary.
    func pairs(_ stored: PlistValue) throws(KeyedFailure) -> [(key: PlistValue, value: PlistValue)] {
        guard let record = try record(stored) else {
            throw failure(.typeMismatch, "\(words(stored)) was found where a dictionary is expected.")
        }
        switch try kind(of: record) {
        case .dictionary, .mutableDictionary: break
        default: throw failure(.typeMismatch, "\(words(stored)) was found where a dictionary is expected.")
        }
        let (listedKeys, listedValues) = (record["NS.keys"]?.array, record["NS.objects"]?.array)
        let keys = listedKeys == nil ? try numbered(record, "NS.key.") : listedKeys ?? []
        let values = listedValues == nil ? try numbered(record, "NS.object.") : listedValues ?? []
        guard keys.count == values.count else {
            throw failure(.malformed, "A dictionary has \(keys.count) keys and \(values.count) values.")
        }
        return zip(keys, values).map { (key: $0, value: $1) }
    }

    private func numbered(_ record: PlistDictionary, _ prefix: String) throws(KeyedFailure) -> [PlistValue] {
        var found: [Int: PlistValue] = [:]
        for entry in record.entries where entry.key.hasPrefix(prefix) {
            if let index = Int(entry.key.dropFirst(prefix.count)) { found[index] = entry.value }
        }
        var result: [PlistValue] = []
        while let value = found[result.count] { result.append(value) }
        guard result.count == found.count else {
            throw failure(.malformed, "\(prefix)\(result.count) is missing, though later ones are there.")
        }
        return result
    }
}

extension ValuePlan {
    fileprivate var isOptional: Bool {
        switch shape {
        case .optional, .dynamic: true
        case .bridged(let bridged): isOfProperty && bridged.surrogate.isOptional
        default: false
        }
    }
}
