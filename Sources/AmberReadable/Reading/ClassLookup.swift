// Room:   AmberReadable / Reading. Model classes by the names that documents have for them.
// Takes:  a name, and the class that is expected. Gives: the class.
// Touches: the plan cache; the runtime's lookup by mangled name.

internal import AmberModel

/// Whether instances of a class are instances of another.
func isSubclass(_ type: AnyClass, of base: AnyClass) -> Bool {
    var next: AnyClass? = type
    while let current = next {
        if current == base { return true }
        next = runtimeSuperclass(of: current)
    }
    return false
}

/// Classes by the names that documents have for them.
enum ClassLookup {
    static func type(named name: String, expected: AnyClass?, _ rules: ReadingRules) -> AnyClass? {
        if let mapped = rules.classNames[name] { return mapped }
        if let expected, let plan: ClassPlan = try? PlanCache.shared.plan(for: expected),
            plan.name == name || plan.formerNames.contains(name)
        {
            return expected
        }
        if let plan = best(PlanCache.shared.classPlans(named: name), expected) { return plan.type }
        // The arguments of a generic class may have been renamed or retyped, as any property.
        if let expected, let base = GenericNames.base(of: name), GenericNames.base(of: codingName(of: expected)) == base
        {
            return expected
        }
        for mangled in TypeNames.mangledNames(of: name, kinds: ["C"]) {
            guard let type = _typeByName(mangled) as? AnyClass, type is any ModelProtocol.Type,
                let plan: ClassPlan = try? PlanCache.shared.plan(for: type), plan.name == name
            else { continue }
            return type
        }
        if let plan = best(PlanCache.shared.classPlans(formerlyNamed: name), expected) { return plan.type }
        // Documents of other languages have no modules.
        if let expected, !name.contains("."),
            codingName(of: expected).split(separator: ".").last.map(String.init) == name
        {
            return expected
        }
        return nil
    }

    private static func best(_ found: [ClassPlan], _ expected: AnyClass?) -> ClassPlan? {
        guard let expected, found.count > 1 else { return found.first }
        return found.first { isSubclass($0.type, of: expected) } ?? found.first
    }
}
