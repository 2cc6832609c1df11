// Room:   AmberModel / Conveniences. A hash of the values that a model reaches first.
// Takes:  a model. Gives: a number that is the same for structurally equal models of one run of a program.
// Touches: instances through their plans.

extension ModelProtocol {
    /// A hash of the model's values and of those of the objects near to it.
    ///
    /// Models that are structurally equal have the same hash. Only the first few hundred values are looked at, so that a
    /// hash costs little even in a graph without end. It differs from run to run of a program, as Swift's own hashes do.
    ///
    /// - Throws: ``DecodingFailure`` when a type can't be archived.
    /// - Complexity: O(1).
    public var structuralHash: Int {
        get throws(DecodingFailure) {
            var hash = StructuralHash()
            do { return try hash.of(self) } catch { throw DecodingFailure(any: error) }
        }
    }
}

private struct StructuralHash {
    private static let depth = 3
    private static let values = 256
    private var seen = 0

    mutating func of(_ model: Any) throws -> Int { try properties(of: model, 0) }

    private mutating func properties(of model: Any, _ depth: Int) throws -> Int {
        var hasher = Hasher()
        hasher.combine(ObjectIdentifier(type(of: model)))
        guard depth < Self.depth else { return hasher.finalize() }
        for part in try ModelParts.of(model) {
            guard let value = part.value else {
                hasher.combine(0)
                continue
            }
            hasher.combine(
                try part.field.ownership.isStrong
                    ? self.value(value, part.plan, depth) : properties(of: value, depth + 1))
        }
        return hasher.finalize()
    }

    private mutating func value(_ value: Any, _ plan: ValuePlan, _ depth: Int) throws -> Int {
        seen += 1
        guard seen <= Self.values, depth <= Self.depth * 2 else { return 0 }
        if let any = value as? DynamicAny { return any.typeName.hashValue }
        switch try plan.open(value) {
        case .scalar(let value, _):
            // All NaNs are equal, and so are both zeros.
            if let number = value as? Double {
                return (number.isNaN ? Double.nan.bitPattern : (number + 0).bitPattern).hashValue
            }
            if let number = value as? Float {
                return (number.isNaN ? Float.nan.bitPattern : (number + 0).bitPattern).hashValue
            }
            return (value as? AnyHashable)?.hashValue ?? 0
        case .string(let text): return text.hashValue
        case .data(let data): return (data as? AnyHashable)?.hashValue ?? 0
        case .none: return 1
        case .some(let part), .bridged(let part), .dynamic(let part): return try self.part(part, depth)
        case .array(let parts):
            var hasher = Hasher()
            hasher.combine(parts.count)
            for item in parts.prefix(16) { hasher.combine(try part(item, depth)) }
            return hasher.finalize()
        // The order of these is not the same twice: their size must do.
        case .set(let parts): return parts.count.hashValue
        case .dictionary(let pairs): return pairs.count.hashValue
        case .structure(let fields):
            var hasher = Hasher()
            for (_, item) in fields { hasher.combine(try part(item, depth)) }
            return hasher.finalize()
        case .enumeration(let name, _, let payload):
            var hasher = Hasher()
            hasher.combine(name)
            if let payload { hasher.combine(try part(payload, depth)) }
            return hasher.finalize()
        case .object(let object):
            return type(of: object) is any ModelProtocol.Type ? try properties(of: object, depth + 1) : 2
        case .codable: return 3
        }
    }

    private mutating func part(_ part: OpenedValue.Part, _ depth: Int) throws -> Int {
        guard case .reference = part.plan.shape else { return try value(part.value, part.plan, depth + 1) }
        return try unwrapped(part.value).map { try properties(of: $0, depth + 1) } ?? 0
    }
}
