// Room:   AmberModel / Dynamic. Values whose form doesn't tell their type: texts for dates, dictionaries for structs, lists for tuples.
// Takes:  a dynamic value of such a form and a plan. Gives: the value, if the form is one of the type's.
// Touches: nothing.

internal import Foundation

extension ValueMaker {
    /// The parts of a value that stands in the form that it has where nothing knows its type: in documents that people write,
    /// and in keyed archives.
    func otherForm(_ value: DynamicValue, _ plan: ValuePlan) throws(DecodingFailure) -> OpenedValue? {
        switch (plan.shape, value) {
        case (.scalar(let kind), .value(let given)):
            return Self.scalar(given, kind, plan, isKey: isKey).map { .scalar($0, kind) }
        case (.data, .value(let text as String)): return Data(base64Encoded: text).map { .data($0) }
        case (.structure(let structure), .dictionary(let pairs)):
            guard pairs.allSatisfy({ $0.key.string != nil }) else { return nil }
            let values = ArchivedValues(pairs.map { ($0.key.string ?? "", $0.value) })
            // What has no version of its own has today's.
            return try structureParts(
                .init(typeName: structure.name, version: structure.version, values: values), structure)
        case (.structure(let structure), .array(let elements))
        where structure.name == nil && structure.fields.count == elements.count:
            let entries = zip(structure.fields, elements).map { ($0.name, $1) }
            return try structureParts(.init(typeName: nil, values: ArchivedValues(entries)), structure)
        case (.structure(let structure), .structure(let given)):
            // A struct whose name the document or archive doesn't tell.
            guard structure.name != nil, given.typeName == "" else { return nil }
            return try structureParts(
                .init(typeName: structure.name, version: given.version, values: given.values), structure)
        case (.enumeration(let enumeration), .value(let given)):
            guard let text = Self.caseText(given) else { return nil }
            let byRawValue = DynamicCase(name: text, rawValue: text)
            let item = enumeration.tag(of: byRawValue) == nil ? DynamicCase(name: text) : byRawValue
            return try enumerationParts(item, enumeration, plan)
        case (.enumeration(let enumeration), .dictionary(let pairs)):
            guard pairs.count == 1, let name = pairs[0].key.string else { return nil }
            return try enumerationParts(DynamicCase(name: name, payload: pairs[0].value), enumeration, plan)
        case (.optional(let optional), .array(let elements)):
            // A list of one or none tells nil from an Optional that holds nil.
            guard case .optional = optional.payload.shape, elements.count <= 1 else { return nil }
            return .some(.init(try make(elements.first ?? .null, optional.payload), optional.payload))
        default: return nil
        }
    }

    private static func caseText(_ value: Any) -> String? {
        switch value {
        case let text as String: text
        case is Bool: nil
        default: ArchivedNumber(value).map { $0.description }
        }
    }

    /// A number, date, UUID or decimal from a value of another kind that stands for it.
    package static func scalar(_ value: Any, _ kind: ScalarKind, _ plan: ValuePlan, isKey: Bool) -> Any? {
        switch (kind, value) {
        case (.date, let text as String):
            return DateText.seconds(text).map { Date(timeIntervalSinceReferenceDate: $0) }
        case (.uuid, let text as String): return UUID(uuidString: text)
        case (.decimal, let text as String): return text == "NaN" ? Decimal.nan : DecimalText.decimal(text)
        case (.float32, let text as String), (.float64, let text as String):
            if isKey || ["NaN", "Infinity", "-Infinity"].contains(text) {
                return Double(text.lowercased()).flatMap { plan.value(of: .double($0), kind) }
            }
        case (.int128, let text as String), (.uint128, let text as String): return integer(text, kind, plan)
        case (_, let text as String):
            // The keys of an object in JSON are texts, whatever they stand for.
            return isKey && kind.isInteger && kind != .bool ? integer(text, kind, plan) : nil
        case (.float32, let decimal as Decimal), (.float64, let decimal as Decimal):
            return Double(decimal.description).flatMap { number in
                kind == .float32 ? plan.value(of: .float(Float(number)), kind) : plan.value(of: .double(number), kind)
            }
        case (_, let decimal as Decimal):
            return kind.isInteger || kind == .int128 || kind == .uint128
                ? integer(decimal.description, kind, plan) : nil
        case (.bool, _):
            switch ArchivedNumber(value)?.integer(Int.self) {
            case 0: return false
            case 1: return true
            default: return nil
            }
        case (.decimal, _):
            return ArchivedNumber(value).flatMap { DecimalText.decimal($0.description) }
        case (.date, _):
            return ArchivedNumber(value)?.double.flatMap {
                $0.isFinite ? Date(timeIntervalSinceReferenceDate: $0) : nil
            }
        default: break
        }
        return nil
    }

    private static func integer(_ text: String, _ kind: ScalarKind, _ plan: ValuePlan) -> Any? {
        let number = Int128(text).map { ArchivedNumber.signed($0) } ?? UInt128(text).map { .unsigned($0) }
        return number.flatMap { plan.value(of: $0, kind) }
    }
}

extension CodableSnapshot {
    /// What a Codable value said of itself, from values whose types a document or a keyed archive told.
    init?(_ value: DynamicValue) {
        switch value {
        case .null: self = .null
        case .some(let inner): self.init(inner)
        case .any(let any): self.init(any.value)
        case .value(let value as CodableSnapshot): self = value
        case .value(let value):
            guard let leaf = value as? any Codable else { return nil }
            self = .leaf(leaf)
        case .array(let elements):
            var all: [CodableSnapshot] = []
            for element in elements {
                guard let snapshot = CodableSnapshot(element) else { return nil }
                all.append(snapshot)
            }
            self = .array(all)
        case .dictionary(let pairs):
            self.init(pairs.map { ($0.key.string, $0.value) })
        case .structure(let structure):
            self.init(structure.values.map { ($0.name, $0.value) })
        case .enumeration, .object: return nil
        }
    }

    private init?(_ pairs: [(String?, DynamicValue)]) {
        var all: [(key: String, value: CodableSnapshot)] = []
        for (key, value) in pairs {
            guard let key, let snapshot = CodableSnapshot(value) else { return nil }
            all.append((key, snapshot))
        }
        self = .keyed(all, isMap: false)
    }
}
