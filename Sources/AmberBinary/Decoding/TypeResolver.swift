// Room:   AmberBinary / Decoding. From names in archives to types of this program.
// Takes:  a name. Gives: the class or type, if there is one that can be archived.
// Touches: the runtime's lookup by mangled name; the plan cache.

internal import AmberModel

/// Whether instances of a class are instances of another.
func isSubclass(_ type: AnyClass, of base: AnyClass) -> Bool {
    if base == AnyModelClass.self { return true }
    var next: AnyClass? = type
    while let current = next {
        if current == base { return true }
        next = runtimeSuperclass(of: current)
    }
    return false
}

enum TypeResolver {
    /// The model class that archives hold under a name.
    ///
    /// Classes that were met before, and those registered, are known by their names; any other is looked up in the
    /// program, as a class at the top level or nested in other types. Of several classes with the name, one that the
    /// root's type names comes first, then one that inherits from such a class. Former names come last.
    static func classPlan(named archived: String, preferring classes: some Collection<ClassPlan>) -> ClassPlan? {
        let name = canonicalName(archived)
        if let plan = classes.first(where: { $0.name == name })
            ?? classes.first(where: { $0.formerNames.contains(name) })
        {
            return plan
        }
        if let plan = best(PlanCache.shared.classPlans(named: name), classes) { return plan }
        for mangled in mangledClassNames(of: name) {
            guard let type = _typeByName(mangled) as? AnyClass, type is any ModelProtocol.Type,
                let plan = try? PlanCache.shared.plan(for: type), plan.name == name
            else { continue }
            return plan
        }
        if let type = GenericNames.type(named: name) as? AnyClass, type is any ModelProtocol.Type,
            let plan = try? PlanCache.shared.plan(for: type), plan.name == name
        {
            return plan
        }
        if let plan = best(PlanCache.shared.classPlans(formerlyNamed: name), classes) { return plan }
        // The arguments of a generic class may have been renamed or retyped, as any property.
        guard let base = GenericNames.base(of: name) else { return nil }
        let found = classes.filter { GenericNames.base(of: $0.name) == base }
        return found.count == 1 ? found.first : nil
    }

    /// Whether several classes go by a name, of which the root's type tells none from the others.
    static func isAmbiguous(_ name: String, _ classes: some Collection<ClassPlan>) -> Bool {
        let name = canonicalName(name)
        let found = PlanCache.shared.classPlans(named: name)
        if found.count < 2 || classes.filter({ $0.name == name }).count == 1 { return false }
        return found.filter { plan in classes.contains { isSubclass(plan.type, of: $0.type) } }.count != 1
    }

    private static func best(_ found: [ClassPlan], _ classes: some Collection<ClassPlan>) -> ClassPlan? {
        if found.count < 2 { return found.first }
        return found.first { plan in classes.contains { isSubclass(plan.type, of: $0.type) } } ?? found.first
    }

    /// The type of values in existentials, by the name that the archive has for it.
    static func type(named name: String) -> Any.Type? {
        if let type = TypeName.type(named: name) { return type }
        return PlanCache.shared.type(named: canonicalName(name)) ?? GenericNames.type(named: name)
            ?? TypeNames.type(named: name).flatMap { $0 is AnyClass ? nil : $0 }
    }

    /// The name by which the type of a value in an existential is found again: one that holds in every run, or the one
    /// in archives, by which types are known that were used or registered before.
    static func name(of type: Any.Type) -> String {
        TypeName.name(of: type) ?? codingName(of: type)
    }
}
