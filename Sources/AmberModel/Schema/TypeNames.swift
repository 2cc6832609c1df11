// Room:   AmberModel / Schema. Types of values in existentials, by names that people read and write.
// Takes:  a type, or a name from a document. Gives: the other.
// Touches: the runtime's lookup by mangled name, with names of one simple form only; the plan cache.

internal import Foundation

/// The names of types in documents, as Swift writes them: `Int`, `[String: Date]`, `Set<UUID>`, `Double?`, `Module.Type`.
package enum TypeNames {
    private static let depthLimit = 12

    private static let known: [(String, Any.Type)] = [
        ("Bool", Bool.self), ("Int", Int.self), ("Int8", Int8.self), ("Int16", Int16.self), ("Int32", Int32.self),
        ("Int64", Int64.self), ("UInt", UInt.self), ("UInt8", UInt8.self), ("UInt16", UInt16.self),
        ("UInt32", UInt32.self), ("UInt64", UInt64.self), ("Int128", Int128.self), ("UInt128", UInt128.self),
        ("Float", Float.self), ("Double", Double.self), ("String", String.self), ("Character", Character.self),
        ("Date", Date.self), ("Data", Data.self), ("UUID", UUID.self), ("URL", URL.self), ("Decimal", Decimal.self),
        ("CGFloat", CGFloat.self), ("CGPoint", CGPoint.self), ("CGSize", CGSize.self), ("CGRect", CGRect.self),
        ("IndexSet", IndexSet.self), ("Duration", Duration.self), ("Substring", Substring.self), ("Any", Any.self),
        ("AnyHashable", AnyHashable.self),
    ]
    private static let names = Dictionary(known.map { (ObjectIdentifier($0.1), $0.0) }, uniquingKeysWith: { $1 })

    package static func name(of type: Any.Type) -> String {
        if let name = names[ObjectIdentifier(type)] { return name }
        if let composed = type as? any ComposedType.Type { return composed.composedName }
        return codingName(of: type)
    }

    /// The type of that name, if it is one that every program has.
    package static func builtInType(named name: String) -> Any.Type? { known.first { $0.0 == name }?.1 }

    package static func type(named name: String) -> Any.Type? {
        guard name.utf8.count <= 1024 else { return nil }
        if let type = builtInType(named: name) ?? PlanCache.shared.type(named: name) { return type }
        var rest = Substring(name)
        guard let type = parse(&rest, 0), rest.isEmpty else { return nil }
        return type
    }

    private static func parse(_ rest: inout Substring, _ depth: Int) -> Any.Type? {
        guard depth < depthLimit else { return nil }
        var result: Any.Type?
        if take("[", &rest) {
            guard let first = parse(&rest, depth + 1) else { return nil }
            if take(":", &rest) {
                guard let second = parse(&rest, depth + 1) else { return nil }
                result = ComposedTypes.dictionary(first, second)
            } else {
                result = ComposedTypes.array(first)
            }
            guard take("]", &rest) else { return nil }
        } else if rest.first == "(" {
            result = tuple(&rest, depth)
        } else {
            let end = rest.firstIndex { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == ".") } ?? rest.endIndex
            let whole = rest
            let name = String(rest[..<end])
            rest = rest[end...]
            if take("<", &rest) {
                guard isComposed(name) else {
                    rest = whole
                    return generic(&rest).flatMap { optional($0, &rest, depth) }
                }
                guard let part = parse(&rest, depth + 1), take(">", &rest) else { return nil }
                switch name.hasPrefix("Swift.") ? String(name.dropFirst(6)) : name {
                case "Set": result = ComposedTypes.set(part)
                case "Range": result = ComposedTypes.range(part, isClosed: false)
                case "ClosedRange": result = ComposedTypes.range(part, isClosed: true)
                case "ContiguousArray": result = ComposedTypes.contiguous(part)
                case "ArraySlice": result = ComposedTypes.slice(part)
                case "Array": result = ComposedTypes.array(part)
                case "Optional": result = ComposedTypes.optional(part)
                default: return nil
                }
            } else {
                result = leaf(name)
            }
        }
        return result.flatMap { optional($0, &rest, depth) }
    }

    private static func isComposed(_ name: String) -> Bool {
        let plain = name.hasPrefix("Swift.") ? String(name.dropFirst(6)) : name
        return ["Set", "Range", "ClosedRange", "ContiguousArray", "ArraySlice", "Array", "Optional"].contains(plain)
    }

    /// As many Optionals of the type as there are question marks.
    private static func optional(_ type: Any.Type, _ rest: inout Substring, _ depth: Int) -> Any.Type? {
        var (result, level) = (type, depth)
        while take("?", &rest) {
            level += 1
            guard level < depthLimit else { return nil }
            result = ComposedTypes.optional(result)
        }
        return result
    }

    /// A generic type with its arguments, which have the names of archives.
    private static func generic(_ rest: inout Substring) -> Any.Type? {
        guard let end = closing("<", ">", rest) else { return nil }
        let name = String(rest[..<end])
        rest = rest[end...]
        return PlanCache.shared.type(named: name) ?? GenericNames.type(named: name)
    }

    /// Where what the first bracket opens has ended.
    private static func closing(_ open: Character, _ close: Character, _ text: Substring) -> Substring.Index? {
        var depth = 0
        for index in text.indices {
            if text[index] == open { depth += 1 }
            guard text[index] == close else { continue }
            depth -= 1
            if depth == 0 { return text.index(after: index) }
        }
        return nil
    }

    /// A tuple, whose elements may have labels.
    private static func tuple(_ rest: inout Substring, _ depth: Int) -> Any.Type? {
        // The runtime finds no private types by their names.
        if let end = closing("(", ")", rest), let known = PlanCache.shared.type(named: String(rest[..<end])) {
            rest = rest[end...]
            return known
        }
        var mangled = ""
        var count = 0
        _ = take("(", &rest)
        while !take(")", &rest) {
            if count > 0, !take(",", &rest) { return nil }
            var label = ""
            if let colon = rest.firstIndex(where: { !($0.isLetter || $0.isNumber || $0 == "_") }), rest[colon] == ":" {
                label = String(rest[..<colon])
                guard label.allSatisfy(\.isASCII) else { return nil }
                rest = rest[colon...]
                _ = take(":", &rest)
            }
            guard count < 16, let element = parse(&rest, depth + 1), let name = _mangledTypeName(element) else {
                return nil
            }
            mangled += name + (label.isEmpty ? "" : "\(label.utf8.count)\(label)") + (count == 0 ? "_" : "")
            count += 1
        }
        return count > 1 ? _typeByName(mangled + "t") : nil
    }

    private static func take(_ character: Character, _ rest: inout Substring) -> Bool {
        while rest.first == " " { rest.removeFirst() }
        guard rest.first == character else { return false }
        rest.removeFirst()
        while rest.first == " " { rest.removeFirst() }
        return true
    }

    private static func leaf(_ name: String) -> Any.Type? {
        let plain = name.hasPrefix("Swift.") ? String(name.dropFirst(6)) : name
        if let found = known.first(where: { $0.0 == plain }) { return found.1 }
        if let type = PlanCache.shared.type(named: name) { return type }
        for mangled in mangledNames(of: name, kinds: ["V", "O", "C"]) {
            if let type = _typeByName(mangled) { return type }
        }
        return nil
    }

    /// How a type of this name may be mangled: each type around it can be a struct, enum or class.
    ///
    /// https://github.com/swiftlang/swift/blob/main/docs/ABI/Mangling.rst
    package static func mangledNames(of name: String, kinds: [String]) -> [String] {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count >= 2, parts.count <= 5,
            parts.allSatisfy({ part in
                part.utf8.count < 256 && part.first?.isNumber == false
                    && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) || $0 == "_" }
            })
        else { return [] }
        func piece(_ part: Substring) -> String { "\(part.utf8.count)\(part)" }
        var names = [piece(parts[0])]
        for (index, part) in parts.dropFirst().enumerated() {
            let isLast = index == parts.count - 2
            names = names.flatMap { prefix in
                (isLast ? kinds : ["C", "V", "O"]).map { prefix + piece(part) + $0 }
            }
        }
        return names
    }
}

/// A type whose name is made of those of its parts.
private protocol ComposedType {
    static var composedName: String { get }
}

extension Optional: ComposedType {
    static var composedName: String { TypeNames.name(of: Wrapped.self) + "?" }
}

extension Array: ComposedType {
    static var composedName: String { "[\(TypeNames.name(of: Element.self))]" }
}

extension ContiguousArray: ComposedType {
    static var composedName: String { "ContiguousArray<\(TypeNames.name(of: Element.self))>" }
}

extension ArraySlice: ComposedType {
    static var composedName: String { "ArraySlice<\(TypeNames.name(of: Element.self))>" }
}

extension Set: ComposedType {
    static var composedName: String { "Set<\(TypeNames.name(of: Element.self))>" }
}

extension Dictionary: ComposedType {
    static var composedName: String { "[\(TypeNames.name(of: Key.self)): \(TypeNames.name(of: Value.self))]" }
}

extension Range: ComposedType {
    static var composedName: String { "Range<\(TypeNames.name(of: Bound.self))>" }
}

extension ClosedRange: ComposedType {
    static var composedName: String { "ClosedRange<\(TypeNames.name(of: Bound.self))>" }
}
