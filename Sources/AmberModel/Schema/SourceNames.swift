// Room:   AmberModel / Schema. The names that users wrote, from the names that the compiler made of them.
// Takes:  stored names and runtime type names. Gives: property and type names for archives.
// Touches: nothing.

/// What a stored property's name says of it.
package enum SourceName: Equatable {
    /// An ordinary property, or the storage of a wrapped or observed one, by the name in the source.
    case property(String)
    /// The storage of a `lazy` property.
    case lazy(String)
    /// The registrar of an `@Observable` type.
    case registrar

    /// - Parameters:
    ///   - stored: The name of the stored property.
    ///   - isSynthesized: Whether a leading underscore was put there by the compiler: the type is observed, or the
    ///     property's type is a wrapper.
    package init(stored: String, isSynthesized: Bool) {
        let lazyPrefix = "$__lazy_storage_$_"
        if stored.hasPrefix(lazyPrefix) {
            self = .lazy(String(stored.dropFirst(lazyPrefix.count)))
        } else if stored == "_$observationRegistrar" {
            self = .registrar
        } else if isSynthesized, stored.hasPrefix("_"), stored.count > 1 {
            self = .property(String(stored.dropFirst()))
        } else {
            self = .property(stored)
        }
    }
}

/// The name of a type in archives: `Module.Type`, `Module.Outer.Inner`, `Module.Box<Swift.Int>`.
///
/// The runtime prints private types as `Module.(Name in _HASH)` and, where no hash is known, with an address that
/// differs from run to run: both are left out.
package func codingName(of type: Any.Type) -> String {
    var name = _typeName(type, qualified: true)
    while let start = name.range(of: "(unknown context at "), let end = name[start.upperBound...].firstIndex(of: ")") {
        var after = name.index(after: end)
        if after < name.endIndex, name[after] == "." { after = name.index(after: after) }
        name.removeSubrange(start.lowerBound..<after)
    }
    while let marker = name.range(of: " in _"), let open = name[..<marker.lowerBound].lastIndex(of: "("),
        let close = name[marker.upperBound...].firstIndex(of: ")")
    {
        let plain = String(name[name.index(after: open)..<marker.lowerBound])
        name.replaceSubrange(open...close, with: plain)
    }
    return canonicalName(name)
}

extension String {
    fileprivate func range(of text: String) -> Range<Index>? {
        ranges(of: text).first
    }
}

extension Substring {
    fileprivate func range(of text: String) -> Range<Index>? {
        ranges(of: text).first
    }
}
