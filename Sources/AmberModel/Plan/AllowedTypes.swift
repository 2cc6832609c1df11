// Room:   AmberModel / Plan. Which types a property takes, where its own type doesn't say it.
// Takes:  types of a rule, values that were read. Gives: an error that names what is refused, where, and what is allowed.
// Touches: nothing; objects may be unfilled, and only their classes are asked for.

/// The types of the values that a property takes.
package struct AllowedTypes: Sendable {
    let types: [Any.Type]

    init(_ types: [Any.Type]) { self.types = types }

    /// Whether a value of a type may be there.
    package func allows(_ type: Any.Type) -> Bool {
        types.contains { allowed in
            if allowed == type { return true }
            guard let allowed = allowed as? AnyClass, let type = type as? AnyClass else { return false }
            return isSubclass(type, of: allowed)
        }
    }

    /// Checks every object, and every value whose type an archive tells, in a value.
    func check(_ value: Any, _ plan: ValuePlan) throws {
        guard plan.reachesObjects else { return }
        switch plan.shape {
        case .reference: try check(type: Swift.type(of: value as AnyObject))
        case .dynamic:
            let value = held(value)
            let type = Swift.type(of: value)
            if allows(type) { return }
            if let any = value as? DynamicAny { throw refused(any.typeName) }
            guard !(type is AnyClass), let inner = try? PlanCache.shared.plan(for: type) else {
                throw refused(codingName(of: type))
            }
            switch inner.shape {
            case .optional(let optional):
                if case .some(let part) = try inner.open(value) {
                    try checkPart(part, isOf: optional.payload)
                }
            case .array(let array):
                try checkEach(try inner.open(value), isOf: array.element)
            case .collection: try checkEach(try inner.open(value), isOf: nil)
            default: throw refused(codingName(of: type))
            }
        default: try checkEach(try plan.open(value), isOf: nil)
        }
    }

    private func check(type: Any.Type) throws {
        if !allows(type) { throw refused(codingName(of: type)) }
    }

    /// A part of a value in an existential, whose type is told by the archive too.
    private func checkPart(_ part: OpenedValue.Part, isOf plan: ValuePlan) throws {
        if part.plan.reachesObjects { return try check(part.value, part.plan) }
        if !allows(part.plan.type) { throw refused(codingName(of: part.plan.type)) }
    }

    private func checkEach(_ opened: OpenedValue, isOf element: ValuePlan?) throws {
        func check(_ part: OpenedValue.Part, at step: CodingPath.Step?) throws {
            do {
                if element != nil {
                    try checkPart(part, isOf: part.plan)
                } else {
                    try self.check(part.value, part.plan)
                }
            } catch let failure as DecodingFailure {
                throw step.map { failure.within($0) } ?? failure
            }
        }
        switch opened {
        case .array(let parts), .set(let parts):
            for (index, part) in parts.enumerated() { try check(part, at: .index(index)) }
        case .dictionary(let pairs):
            for (index, pair) in pairs.enumerated() {
                try check(pair.key, at: .index(index))
                try check(pair.value, at: .index(index))
            }
        case .structure(let fields):
            for (name, part) in fields { try check(part, at: .property(name)) }
        case .enumeration(let name, _, let payload):
            if let payload { try check(payload, at: .property(name)) }
        case .some(let part), .bridged(let part): try check(part, at: nil)
        case .scalar, .string, .data, .none, .object, .dynamic, .codable: break
        }
    }

    /// A value of a type that may not be there.
    package func refused(_ name: String) -> DecodingFailure {
        DecodingFailure(
            .refusedType,
            "The archive holds a \(name), and only \(types.map { codingName(of: $0) }.joined(separator: ", ")) and "
                + "subclasses are allowed here. Allow the type in the rules, if it is meant.")
    }
}
