// Room:   AmberModel / Conveniences. Values of Swift types from what dictionaries hold.
// Takes:  any value and the plan of the type it shall have. Gives: the value, converted where that is exact.
// Touches: instances that are made here, through InstanceBuilder.

internal import Foundation

/// Makes values of the types that plans tell.
struct DictionaryReader {
    private var depth = 0
    /// Whether what nests from here on has a stack that is large enough for the limit.
    private var hasStack = false
    /// How deep values may be nested on whatever stack there is.
    private static let shallow = 12

    private var inner: DictionaryReader {
        get throws {
            guard depth < DecodingLimits().depth else {
                throw DecodingFailure(
                    .limitExceeded, "Values are nested more than \(DecodingLimits().depth) deep.")
            }
            var reader = self
            reader.depth += 1
            return reader
        }
    }

    /// A model of the values in a dictionary.
    func model(_ dictionary: [String: Any], _ type: Any.Type) throws -> Any {
        if depth <= Self.shallow || hasStack { return try made(dictionary, type) }
        var reader = self
        reader.hasStack = true
        let outcome = Outcome()
        _ = DeepCalls.call(depth: 0) { [reader] in
            outcome.result = Result { try reader.made(dictionary, type) }
            return nil
        }
        return try outcome.result.get()
    }

    private final class Outcome {
        var result: Result<Any, any Error> = .failure(ClosingError("The thread ended without a result."))
    }

    private func made(_ dictionary: [String: Any], _ type: Any.Type) throws -> Any {
        if let type = type as? AnyClass {
            let plan: ClassPlan = try PlanCache.shared.plan(for: type)
            let builder = try InstanceBuilder(plan)
            for (index, value) in try values(dictionary, builder.fields) { try builder.set(index, value) }
            try builder.complete()
            let object = builder.handOver()
            try builder.setComputed()
            try plan.validate(object)
            return object
        }
        let plan: ValuePlan = try PlanCache.shared.plan(for: type)
        guard case .structure(let structure) = plan.shape else {
            throw DecodingFailure(.typeMismatch, "A \(codingName(of: type)) isn't made of a dictionary.")
        }
        let fields = structure.places.fields
        let parts = try values(dictionary, fields).map { index, value in
            (name: fields[index].name, part: OpenedValue.Part(value, fields[index].valuePlan))
        }
        let made = try plan.close(.structure(parts))
        try plan.validate(made)
        return made
    }

    private func values(_ dictionary: [String: Any], _ fields: [FieldPlan]) throws -> [(Int, Any)] {
        var found: [Int: Any] = [:]
        // A property's own name goes before names that it has elsewhere.
        for name in dictionary.keys.sorted() {
            guard let value = dictionary[name], let index = fields.property(name),
                fields[index].destinations.contains(.dictionary)
            else { continue }
            let field = fields[index]
            if found[index] != nil, field.sourceName != name { continue }
            do { found[index] = try self.value(value, field) } catch {
                throw DecodingFailure(any: error).within(.property(field.sourceName))
            }
        }
        return found.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    private func value(_ value: Any, _ field: FieldPlan) throws -> Any {
        if field.ownership.isStrong { return try convert(value, field.valuePlan) }
        guard let value = unwrapped(value), !isNull(value) else { return Optional<AnyObject>.none as Any }
        return try convert(value, field.plan)
    }

    private func part(_ value: Any, _ plan: ValuePlan) throws -> OpenedValue.Part {
        .init(try convert(value, plan), plan)
    }

    /// `value` as one of the plan's type.
    func convert(_ value: Any, _ plan: ValuePlan) throws -> Any {
        if type(of: value) == plan.type { return value }
        if case .dynamic = plan.shape, let taken = try? plan.taking(value) { return taken }
        if case .optional(let optional) = plan.shape {
            guard let value = unwrapped(value), !isNull(value) else { return try plan.close(.none) }
            return try plan.close(.some(try part(value, optional.payload)))
        }
        guard let value = unwrapped(value), !isNull(value) else {
            throw DecodingFailure(
                .missingValue,
                "There is nil where a \(codingName(of: plan.type)) is expected. Make the property an Optional.")
        }
        if let converted = try inner.converted(value, plan) { return converted }
        if let taken = try? plan.taking(value) { return taken }
        throw DecodingFailure(
            .typeMismatch,
            "\(Self.words(value)) is not a \(codingName(of: plan.type)), and can't be converted to one exactly.")
    }

    private static func words(_ value: Any) -> String {
        switch value {
        case let text as String: "\"\(text.prefix(40))\""
        case let number as any Numeric: "\(number)"
        case _ where type(of: value) is AnyClass:
            (value as? NSNumber).map { "\($0)" } ?? "A \(codingName(of: type(of: value)))"
        default: "A \(codingName(of: type(of: value)))"
        }
    }

    // Each kind has a function of its own: what nests recurses by small frames.
    private func converted(_ value: Any, _ plan: ValuePlan) throws -> Any? {
        switch plan.shape {
        case .scalar(let kind): return scalar(value, kind, plan)
        case .string: return Self.text(value)
        case .data:
            return (value as? Data) ?? object(value, NSData.self).map { Data(referencing: $0) }
                ?? (value as? String).flatMap { Data(base64Encoded: $0) }
        case .array(let array): return try self.array(value, array, plan)
        case .collection(let collection): return try self.collection(value, collection, plan)
        case .structure(let structure): return try self.structure(value, structure, plan)
        case .enumeration(let enumeration): return try self.enumeration(value, enumeration, plan)
        case .reference(let reference):
            guard let dictionary = value as? [String: Any] else { return nil }
            return try model(dictionary, reference.base)
        case .bridged(let bridged): return try self.bridged(value, bridged, plan)
        case .pending, .optional, .dynamic, .codable: return nil
        }
    }

    private static func text(_ value: Any) -> String? {
        if let text = value as? String { return text }
        if value is Bool { return nil }
        let number = object(value, NSNumber.self).map { ForeignNumber.value(of: $0) } ?? value
        return ArchivedNumber(number).map { "\($0)" }
    }

    private func array(_ value: Any, _ array: ArrayPlan, _ plan: ValuePlan) throws -> Any? {
        guard let elements = Self.elements(value) else { return nil }
        return try plan.close(.array(try parts(elements, array.element)))
    }

    private func collection(_ value: Any, _ collection: CollectionPlan, _ plan: ValuePlan) throws -> Any? {
        guard let valuePlan = collection.value else {
            guard let elements = Self.elements(value) else { return nil }
            return try plan.close(.set(try parts(elements, collection.key)))
        }
        guard let pairs = value as? [AnyHashable: Any] else { return nil }
        var made: [(key: OpenedValue.Part, value: OpenedValue.Part)] = []
        for (key, value) in pairs {
            do { made.append((key: try part(key.base, collection.key), value: try part(value, valuePlan))) } catch {
                throw DecodingFailure(any: error).within(.property("\(key)"))
            }
        }
        return try plan.close(.dictionary(made))
    }

    private func structure(_ value: Any, _ structure: StructurePlan, _ plan: ValuePlan) throws -> Any? {
        if structure.name == nil {
            return try tuple(value, structure).map { try plan.close(.structure($0)) }
        }
        guard let dictionary = value as? [String: Any] else { return nil }
        return try model(dictionary, plan.type)
    }

    /// The elements of a tuple, from as many values or from values by its labels.
    private func tuple(
        _ value: Any, _ structure: StructurePlan
    ) throws -> [(name: String, part: OpenedValue.Part)]? {
        let fields = structure.fields
        var found = Self.elements(value)
        if let dictionary = value as? [String: Any] {
            let labelled = fields.compactMap { dictionary[$0.name] }
            found = labelled.count == dictionary.count ? labelled : nil
        }
        guard let elements = found, elements.count == fields.count else { return nil }
        return try zip(fields, elements).map { field, element in (field.name, try part(element, field.plan)) }
    }

    private func enumeration(_ value: Any, _ enumeration: EnumerationPlan, _ plan: ValuePlan) throws -> Any? {
        if let dictionary = value as? [String: Any], dictionary.count == 1, let (name, payload) = dictionary.first,
            let item = enumeration.cases.first(where: { $0.name == name }), let payloadPlan = item.payload
        {
            do {
                let part = try part(payload, payloadPlan)
                return try plan.close(.enumeration(name: item.name, rawValue: nil, payload: part))
            } catch {
                throw DecodingFailure(any: error).within(.property(name))
            }
        }
        guard let text = Self.text(value) else { return nil }
        let item =
            enumeration.cases.first { $0.rawValue == text }
            ?? enumeration.cases.first { $0.name == text && $0.payload == nil }
        return try item.map { try plan.close(.enumeration(name: $0.name, rawValue: $0.rawValue, payload: nil)) }
    }

    private func bridged(_ value: Any, _ bridged: BridgedPlan, _ plan: ValuePlan) throws -> Any? {
        if bridged.reason == .type {
            if plan.type == URL.self, let text = value as? String { return URL(string: text) }
            return try plan.close(.bridged(try part(value, bridged.surrogate)))
        }
        if let taken = try? plan.taking(value) { return taken }
        return try plan.close(.bridged(try part(value, bridged.surrogate)))
    }

    private func parts(_ elements: [Any], _ plan: ValuePlan) throws -> [OpenedValue.Part] {
        var parts: [OpenedValue.Part] = []
        for (index, element) in elements.enumerated() {
            do { parts.append(try part(element, plan)) } catch {
                throw DecodingFailure(any: error).within(.index(index))
            }
        }
        return parts
    }

    /// The elements of an array or set of whatever type.
    private static func elements(_ value: Any) -> [Any]? {
        if let array = value as? [Any] { return array }
        return (value as? Set<AnyHashable>).map { $0.map(\.base) }
    }

    private func scalar(_ value: Any, _ kind: ScalarKind, _ plan: ValuePlan) -> Any? {
        // A Bool is an NSNumber too, and stays a Bool.
        let value: Any = object(value, NSNumber.self).map { ForeignNumber.value(of: $0) } ?? value
        switch kind {
        case .bool:
            if let bool = value as? Bool { return bool }
            switch value as? String {
            case "true": return true
            case "false": return false
            default: break
            }
            switch ArchivedNumber(value)?.integer(Int.self) {
            case 0: return false
            case 1: return true
            default: return nil
            }
        case .date:
            // What a number of seconds counts from, nobody says.
            return (value as? Date) ?? object(value, NSDate.self).map { $0 as Date }
                ?? (value as? String).flatMap { ValueMaker.scalar($0, kind, plan, isKey: false) }
        case .uuid, .decimal: return ValueMaker.scalar(value, kind, plan, isKey: false)
        default:
            if let text = value as? String { return number(text).flatMap { plan.value(of: $0, kind) } }
            return ArchivedNumber(value).flatMap { plan.value(of: $0, kind) }
        }
    }

    private func number(_ text: String) -> ArchivedNumber? {
        if let whole = Int128(text) { return .signed(whole) }
        if let whole = UInt128(text) { return .unsigned(whole) }
        return Double(text).map { .double($0) }
    }
}

/// Whether a value is Foundation's null.
///
/// A cast would ask that of collections by making Foundation's of them, element by element, which not all keys allow.
func isNull(_ value: Any) -> Bool { type(of: value) == NSNull.self }

/// A value that is an object of that class, and nothing that would have to be made into one.
private func object<Object: NSObject>(_ value: Any, _ type: Object.Type) -> Object? {
    Swift.type(of: value) is AnyClass ? value as? Object : nil
}
