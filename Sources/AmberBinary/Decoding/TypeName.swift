// Room:   AmberBinary / Decoding. Names of types that hold in every run of every program that has the types.
// Takes:  a type, or a name from an archive. Gives: the other, if it is one of the shapes below.
// Touches: the runtime's lookup by mangled name, with names of one simple form only.

internal import AmberModel
internal import Foundation

/// The names that types of values in existentials have in archives.
///
/// | name | type |
/// |---|---|
/// | `T?` | Optional |
/// | `[T]`, `[K:V]`, `{T}` | Array, Dictionary, Set |
/// | `<aT>`, `<sT>` | ContiguousArray, ArraySlice |
/// | `<rT>`, `<cT>` | Range, ClosedRange |
/// | `Si` and the like | types of the standard library, mangled |
/// | `10Foundation4DateV` | types that are not generic, at the top level or nested in such types, mangled |
///
/// The runtime could resolve any mangled name. But names of a few dozen bytes can stand for types so large that it takes
/// hours or overflows the stack, so that it is given none of an archive's but those of plain nominal types.
enum TypeName {
    private static let depthLimit = 16

    static func name(of type: Any.Type) -> String? {
        if let composed = type as? any ComposedType.Type {
            guard let name = composed.composedName, self.type(named: name) == type else { return nil }
            return name
        }
        guard let mangled = _mangledTypeName(type) else { return nil }
        if let fixed = geometry.first(where: { $0.value == type }) { return fixed.key }
        guard isNominal(mangled), _typeByName(mangled) == type else { return nil }
        // Where Foundation's types are defined differs from platform to platform.
        for module in foundation where mangled.hasPrefix(module) {
            return "10Foundation\(mangled.dropFirst(module.count))"
        }
        return mangled
    }

    /// Modules, mangled, that the types of Foundation may be defined in.
    private static let foundation = ["20FoundationEssentials", "30FoundationInternationalization"]
    /// Types that belong to other modules on Apple systems.
    private static let geometry: [String: Any.Type] = [
        "10Foundation7CGFloatV": CGFloat.self, "10Foundation7CGPointV": CGPoint.self,
        "10Foundation6CGSizeV": CGSize.self, "10Foundation6CGRectV": CGRect.self,
    ]

    /// The type with a mangled name of the simple form, on whatever platform that was mangled.
    private static func nominal(_ mangled: String) -> Any.Type? {
        if let type = geometry[mangled] ?? _typeByName(mangled) { return type }
        for module in ["10Foundation"] + foundation where mangled.hasPrefix(module) {
            for other in ["10Foundation"] + foundation {
                if let type = _typeByName("\(other)\(mangled.dropFirst(module.count))") { return type }
            }
        }
        return written(mangled).flatMap { PlanCache.shared.type(named: $0) }
    }

    /// The name as the source has it, under which types are known that were called so formerly.
    private static func written(_ mangled: String) -> String? {
        var parts: [Substring] = []
        var rest = mangled.utf8[...]
        while let first = rest.first {
            if !parts.isEmpty, parts.count > 1, first == UInt8(ascii: "V") || first == UInt8(ascii: "O") {
                rest.removeFirst()
                if rest.isEmpty { break }
                continue
            }
            let digits = rest.prefix { $0 >= 0x30 && $0 <= 0x39 }
            rest = rest.dropFirst(digits.count)
            guard digits.first != 0x30, let count = Int(Substring(digits)), rest.count >= count else { return nil }
            parts.append(Substring(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        return parts.count > 1 ? parts.joined(separator: ".") : nil
    }

    static func type(named name: String) -> Any.Type? {
        var rest = name.utf8[...]
        guard let type = parse(&rest, depth: 0), rest.isEmpty else { return nil }
        return type
    }

    private static func parse(_ rest: inout Substring.UTF8View, depth: Int) -> Any.Type? {
        guard depth < depthLimit, let first = rest.first else { return nil }
        var result: Any.Type?
        switch first {
        case UInt8(ascii: "["):
            rest.removeFirst()
            guard let key = parse(&rest, depth: depth + 1) else { return nil }
            if rest.first == UInt8(ascii: ":") {
                rest.removeFirst()
                guard let value = parse(&rest, depth: depth + 1) else { return nil }
                result = ComposedTypes.dictionary(key, value)
            } else {
                result = ComposedTypes.array(key)
            }
            guard rest.popFirst() == UInt8(ascii: "]") else { return nil }
        case UInt8(ascii: "{"):
            rest.removeFirst()
            result = parse(&rest, depth: depth + 1).flatMap(ComposedTypes.set)
            guard rest.popFirst() == UInt8(ascii: "}") else { return nil }
        case UInt8(ascii: "<"):
            rest.removeFirst()
            guard let kind = rest.popFirst(), let part = parse(&rest, depth: depth + 1),
                rest.popFirst() == UInt8(ascii: ">")
            else { return nil }
            switch kind {
            case UInt8(ascii: "a"): result = ComposedTypes.contiguous(part)
            case UInt8(ascii: "s"): result = ComposedTypes.slice(part)
            case UInt8(ascii: "r"): result = ComposedTypes.range(part, isClosed: false)
            case UInt8(ascii: "c"): result = ComposedTypes.range(part, isClosed: true)
            default: return nil
            }
        default:
            let end = rest.firstIndex { "[]{}:?<>".utf8.contains($0) } ?? rest.endIndex
            let mangled = String(Substring(rest[..<end]))
            guard isNominal(mangled) else { return nil }
            rest = rest[end...]
            result = nominal(mangled)
        }
        var level = depth
        while let type = result, rest.first == UInt8(ascii: "?") {
            rest.removeFirst()
            level += 1
            guard level < depthLimit else { return nil }
            result = ComposedTypes.optional(type)
        }
        return result
    }

    /// Whether a mangled name is that of a nominal type without arguments: `Si`, `10Foundation4DateV`, `s5Int8V`, `yp`.
    private static func isNominal(_ name: String) -> Bool {
        let bytes = Array(name.utf8)
        guard bytes.count <= 256 else { return false }
        if name == "yp" || name == "yt" { return true }
        if bytes.count == 2, bytes[0] == UInt8(ascii: "S") { return true }
        var index = 0
        func skipIdentifier() -> Bool {
            let start = index
            var size = 0
            while index < bytes.count, index - start < 3,
                let digit = Character(UnicodeScalar(bytes[index])).wholeNumberValue
            {
                size = size * 10 + digit
                index += 1
            }
            guard index > start, bytes[start] != UInt8(ascii: "0"), size > 0, size <= bytes.count - index else {
                return false
            }
            let isPlain = bytes[index..<index + size].allSatisfy { byte in
                let character = Character(UnicodeScalar(byte))
                return character == "_" || (character.isASCII && (character.isLetter || character.isNumber))
            }
            index += size
            return isPlain
        }
        // The standard library has a letter; every other module its name.
        if bytes.first == UInt8(ascii: "s") { index = 1 } else if !skipIdentifier() { return false }
        repeat {
            guard skipIdentifier(), index < bytes.count, "VCO".utf8.contains(bytes[index]) else { return false }
            index += 1
        } while index < bytes.count
        return true
    }
}

/// A type whose name is made of those of its parts.
private protocol ComposedType {
    static var composedName: String? { get }
}

extension Optional: ComposedType {
    static var composedName: String? { TypeName.name(of: Wrapped.self).map { "\($0)?" } }
}

extension Array: ComposedType {
    static var composedName: String? { TypeName.name(of: Element.self).map { "[\($0)]" } }
}

extension ContiguousArray: ComposedType {
    static var composedName: String? { TypeName.name(of: Element.self).map { "<a\($0)>" } }
}

extension ArraySlice: ComposedType {
    static var composedName: String? { TypeName.name(of: Element.self).map { "<s\($0)>" } }
}

extension Set: ComposedType {
    static var composedName: String? { TypeName.name(of: Element.self).map { "{\($0)}" } }
}

extension Dictionary: ComposedType {
    static var composedName: String? {
        guard let key = TypeName.name(of: Key.self), let value = TypeName.name(of: Value.self) else { return nil }
        return "[\(key):\(value)]"
    }
}

extension Range: ComposedType {
    static var composedName: String? { TypeName.name(of: Bound.self).map { "<r\($0)>" } }
}

extension ClosedRange: ComposedType {
    static var composedName: String? { TypeName.name(of: Bound.self).map { "<c\($0)>" } }
}
