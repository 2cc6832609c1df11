// Room:   AmberModel / Schema. Generic types by the names that archives have for them: `Module.Box<Swift.Int>`.
// Takes:  a name. Gives: the type, if this program has it.
// Touches: the runtime's lookup by mangled name, with names that are made here.

/// Finds generic types by name.
///
/// The mangled names that the runtime is given are spelled out without abbreviations: they are not larger than what they
/// stand for, which is bounded here.
package enum GenericNames {
    private static let sizeLimit = 512
    private static let depthLimit = 6
    private static let argumentLimit = 8

    /// The type called `name`, which must have arguments.
    package static func type(named name: String) -> Any.Type? {
        guard name.utf8.count <= sizeLimit, name.hasSuffix(">"), let mangled = mangled(name[...], depth: 0),
            let type = _typeByName(mangled)
        else { return nil }
        // An argument may be known by a former name only.
        let (found, asked) = (codingName(of: type), canonicalName(name))
        return found == asked || base(of: found) == base(of: asked) ? type : nil
    }

    /// The type called `name`, with arguments or without.
    package static func anyType(named name: String) -> Any.Type? {
        if name.hasSuffix(">") { return type(named: name) }
        guard name.utf8.count <= sizeLimit, let mangled = plain(name), let type = _typeByName(mangled),
            codingName(of: type) == canonicalName(name)
        else { return nil }
        return type
    }

    /// The name of a generic type without its arguments; `nil` for other types.
    package static func base(of name: String) -> Substring? {
        guard name.hasSuffix(">"), let open = name.firstIndex(of: "<") else { return nil }
        return name[..<open]
    }

    private static func mangled(_ name: Substring, depth: Int) -> String? {
        guard depth < depthLimit else { return nil }
        if name == "Any" { return "yp" }
        guard let open = name.firstIndex(of: "<") else { return plain(String(name)) }
        guard name.last == ">" else { return nil }
        let base = String(name[..<open])
        var arguments: [String] = []
        for argument in split(name[name.index(after: open)..<name.index(before: name.endIndex)]) {
            guard arguments.count < argumentLimit, let mangled = mangled(argument, depth: depth + 1) else { return nil }
            arguments.append(mangled)
        }
        let joined = arguments.joined()
        if base == "Swift.Optional" { return arguments.count == 1 ? "\(joined)Sg" : nil }
        if let short = library[base] { return "\(short)y\(joined)G" }
        for candidate in mangledTypeNames(of: base) {
            let name = "\(candidate)y\(joined)G"
            if _typeByName(name) != nil { return name }
        }
        return nil
    }

    /// The mangled name of a type without arguments.
    private static func plain(_ name: String) -> String? {
        if let short = library[name] { return short }
        return mangledTypeNames(of: name).first { _typeByName($0) != nil }
            ?? PlanCache.shared.type(named: name).flatMap { _mangledTypeName($0) }
    }

    /// Arguments stand side by side; those in brackets of their own belong together.
    private static func split(_ text: Substring) -> [Substring] {
        var parts: [Substring] = []
        var depth = 0
        var start = text.startIndex
        for index in text.indices {
            switch text[index] {
            case "<", "(": depth += 1
            case ">", ")": depth -= 1
            case "," where depth == 0:
                parts.append(text[start..<index])
                start = text.index(after: index)
                if start < text.endIndex, text[start] == " " { start = text.index(after: start) }
            default: break
            }
        }
        parts.append(text[start...])
        return parts
    }

    private static let library: [String: String] = [
        "Swift.Int": "Si", "Swift.UInt": "Su", "Swift.Bool": "Sb", "Swift.Double": "Sd", "Swift.Float": "Sf",
        "Swift.String": "SS", "Swift.Array": "Sa", "Swift.Dictionary": "SD", "Swift.Set": "Sh", "Swift.Range": "Sn",
        "Swift.ClosedRange": "SN", "Swift.Character": "SJ",
    ]
}

/// How a type of this name may be mangled.
private func mangledTypeNames(of name: String) -> [String] {
    var names: [String] = []
    for module in ["", "FoundationEssentials.", "FoundationInternationalization."] {
        var spelled = name
        if !module.isEmpty {
            guard name.hasPrefix("Foundation.") else { break }
            spelled = module + name.dropFirst("Foundation.".count)
        }
        for asClass in mangledClassNames(of: spelled) {
            let stem = asClass.hasPrefix("5Swift") ? "s\(asClass.dropFirst(6).dropLast())" : String(asClass.dropLast())
            names += ["V", "C", "O"].map { stem + $0 }
        }
    }
    return names
}

/// A name with the modules that Foundation's types are known by everywhere.
package func canonicalName(_ name: String) -> String {
    guard name.utf8.count > 12, name.contains("Foundation") || name.contains("__C.CG") else { return name }
    var name = name
    for (module, canonical) in [
        ("FoundationEssentials.", "Foundation."), ("FoundationInternationalization.", "Foundation."),
        ("CoreFoundation.CG", "Foundation.CG"), ("__C.CG", "Foundation.CG"),
    ] where name.contains(module) {
        name = name.split(separator: module, omittingEmptySubsequences: false).joined(separator: canonical)
    }
    return name
}
