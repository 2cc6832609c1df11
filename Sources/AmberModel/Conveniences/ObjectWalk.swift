// Room:   AmberModel / Conveniences. Every object that a value reaches, however long the ways are.
// Takes:  a value and its plan. Gives: the instances of model classes in the order in which they are met.
// Touches: instances through their plans.

/// A walk over a graph that recurses into values, never from object to object.
struct ObjectWalk {
    /// The objects met so far.
    private(set) var objects: [AnyObject] = []
    private var seen: Set<ObjectIdentifier> = []

    /// Meets all that `value` reaches.
    mutating func walk(_ value: Any, _ plan: ValuePlan) throws {
        try visit(value, plan, 0)
        var next = 0
        while next < objects.count {
            let object = objects[next]
            next += 1
            let plan: ClassPlan = try PlanCache.shared.plan(for: type(of: object))
            for field in plan.places.fields where field.plan.reachesObjects && !field.isComputed {
                guard let value = try plan.value(of: field, in: object) else { continue }
                if field.ownership.isStrong { try visit(value, field.plan, 0) } else { meet(value as AnyObject) }
            }
        }
    }

    private mutating func meet(_ object: AnyObject) {
        if seen.insert(ObjectIdentifier(object)).inserted { objects.append(object) }
    }

    private mutating func visit(_ value: Any, _ plan: ValuePlan, _ depth: Int) throws {
        guard plan.reachesObjects else { return }
        try Depth.check(depth)
        if case .dynamic(let dynamic) = plan.shape {
            let value = held(value)
            let type = Swift.type(of: value)
            if type is AnyClass {
                if dynamic.base == nil, type is any ModelProtocol.Type { meet(value as AnyObject) }
                return
            }
            guard !(value is DynamicAny), let inner = try? PlanCache.shared.plan(for: type) else { return }
            return try visit(value, inner, depth + 1)
        }
        switch try plan.open(value) {
        case .object(let object): meet(object)
        case .some(let part), .bridged(let part): try visit(part.value, part.plan, depth + 1)
        case .array(let parts), .set(let parts):
            for part in parts { try visit(part.value, part.plan, depth + 1) }
        case .dictionary(let pairs):
            for pair in pairs {
                try visit(pair.key.value, pair.key.plan, depth + 1)
                try visit(pair.value.value, pair.value.plan, depth + 1)
            }
        case .structure(let fields):
            for (_, part) in fields {
                // A weak reference is an Optional of its object, with the plan of the class.
                if case .reference = part.plan.shape {
                    if let object = unwrapped(part.value) { meet(object as AnyObject) }
                } else {
                    try visit(part.value, part.plan, depth + 1)
                }
            }
        case .enumeration(_, _, let payload?): try visit(payload.value, payload.plan, depth + 1)
        case .scalar, .string, .data, .none, .enumeration, .dynamic, .codable: break
        }
    }
}

/// How deep values may be nested in each other where they are followed by recursion.
enum Depth {
    static func check(_ depth: Int) throws {
        let limit = DecodingLimits().depth
        if depth > limit {
            throw DecodingFailure(
                .limitExceeded,
                "Values are nested more than \(limit) deep. Make the nested type a class: references between objects have "
                    + "no limit.")
        }
    }
}
