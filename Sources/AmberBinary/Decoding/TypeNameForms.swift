// Room:   AmberBinary / Decoding. Names of types as archives have them, and as people and documents write them.
// Takes:  a name of the one kind. Gives: the name of the other, whether this program has the type or not.
// Touches: nothing but lookups by name.

internal import AmberModel

extension TypeName {
    /// The name in archives of a type that is called `readable` in documents.
    static func archived(_ readable: String) -> String {
        if let type = TypeNames.type(named: readable), !(type is AnyClass) { return TypeResolver.name(of: type) }
        return readable
    }

    /// The name of a type as Swift writes it: `[String: Module.Point]` for `[SS:6Module5PointV]`.
    static func readable(_ archived: String) -> String {
        if let type = type(named: archived) { return TypeNames.name(of: type) }
        var rest = Array(archived.utf8)[...]
        guard let name = spelled(&rest, 0), rest.isEmpty else { return archived }
        return name
    }

    private static func spelled(_ rest: inout ArraySlice<UInt8>, _ depth: Int) -> String? {
        guard depth < 16, let first = rest.first else { return nil }
        var name: String
        switch first {
        case UInt8(ascii: "["):
            rest.removeFirst()
            guard let key = spelled(&rest, depth + 1) else { return nil }
            if rest.first == UInt8(ascii: ":") {
                rest.removeFirst()
                guard let value = spelled(&rest, depth + 1) else { return nil }
                name = "[\(key): \(value)]"
            } else {
                name = "[\(key)]"
            }
            guard rest.popFirst() == UInt8(ascii: "]") else { return nil }
        case UInt8(ascii: "{"):
            rest.removeFirst()
            guard let part = spelled(&rest, depth + 1), rest.popFirst() == UInt8(ascii: "}") else { return nil }
            name = "Set<\(part)>"
        case UInt8(ascii: "<"):
            rest.removeFirst()
            let kinds: [UInt8: String] = [
                UInt8(ascii: "a"): "ContiguousArray", UInt8(ascii: "s"): "ArraySlice", UInt8(ascii: "r"): "Range",
                UInt8(ascii: "c"): "ClosedRange",
            ]
            guard let kind = rest.popFirst().flatMap({ kinds[$0] }), let part = spelled(&rest, depth + 1),
                rest.popFirst() == UInt8(ascii: ">")
            else { return nil }
            name = "\(kind)<\(part)>"
        default:
            let end = rest.firstIndex { "[]{}:?<>".utf8.contains($0) } ?? rest.endIndex
            let mangled = String(decoding: rest[..<end], as: UTF8.self)
            rest = rest[end...]
            guard let plain = nominal(spelling: mangled) else { return nil }
            name = plain
        }
        while rest.first == UInt8(ascii: "?") {
            rest.removeFirst()
            name += "?"
        }
        return name
    }

    /// `Module.Outer.Inner` of `6Module5OuterV5InnerO`.
    private static func nominal(spelling mangled: String) -> String? {
        if let type = type(named: mangled) { return TypeNames.name(of: type) }
        var rest = Array(mangled.utf8)[...]
        var parts: [String] = []
        while let digit = rest.first {
            if !parts.isEmpty, "VCO".utf8.contains(digit) {
                rest.removeFirst()
                continue
            }
            var size = 0
            while let digit = rest.first, digit >= 0x30, digit < 0x3a, size < 1000 {
                size = size * 10 + Int(digit - 0x30)
                rest.removeFirst()
            }
            guard size > 0, size <= rest.count else { return nil }
            parts.append(String(decoding: rest.prefix(size), as: UTF8.self))
            rest = rest.dropFirst(size)
        }
        return parts.count > 1 ? parts.joined(separator: ".") : nil
    }
}
