// Room:   AmberBinary / Decoding. From names in archives to types of this program.
// Takes:  a name. Gives: the class or type, if there is one that can be archived.
// Touches: the runtime's lookup by mangled name; the plan cache.

internal import AmberModel

enum TypeResolver {
    /// The model class that archives hold under a name.
    ///
    /// Classes that were met before, and those registered, are known by their names; any other is looked up in the
    /// program, as a class at the top level or nested in other types.
    static func classPlan(named name: String) -> ClassPlan? {
        if let known = PlanCache.shared.classPlan(named: name) { return known }
        for mangled in mangledNames(of: name) {
            guard let type = _typeByName(mangled) as? AnyClass, type is any ModelProtocol.Type,
                let plan = try? PlanCache.shared.plan(for: type), plan.name == name
            else { continue }
            return plan
        }
        return nil
    }

    /// The type of values in existentials, by the name that the archive has for it.
    static func type(named name: String) -> Any.Type? {
        _typeByName(name) ?? PlanCache.shared.type(named: name)
    }

    /// The name by which the type of a value in an existential is found again: the mangled one, if it holds in every
    /// run, or the one in archives.
    static func name(of type: Any.Type) -> String {
        if let mangled = _mangledTypeName(type), _typeByName(mangled) == type, !mangled.contains("$") { return mangled }
        return codingName(of: type)
    }

    /// How a class of this name may be mangled: each type around it can be a struct, enum or class.
    ///
    /// https://github.com/swiftlang/swift/blob/main/docs/ABI/Mangling.rst
    private static func mangledNames(of name: String) -> [String] {
        let parts = name.split(separator: ".")
        guard parts.count >= 2, parts.count <= 5, parts.allSatisfy({ $0.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" } })
        else { return [] }
        func piece(_ part: Substring) -> String { "\(part.utf8.count)\(part)" }
        var names = [piece(parts[0])]
        for (index, part) in parts.dropFirst().enumerated() {
            let isLast = index == parts.count - 2
            names = names.flatMap { prefix in
                (isLast ? ["C"] : ["C", "V", "O"]).map { prefix + piece(part) + $0 }
            }
        }
        return names
    }
}
