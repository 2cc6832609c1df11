// Room:   AmberModel / Schema. Types made of types.
// Takes:  types. Gives: Optionals, collections and ranges of them.
// Touches: the runtime's metadata of generic types.

/// Types made of types that are known only while the program runs.
package enum ComposedTypes {
    package static func optional(_ type: Any.Type) -> Any.Type {
        func open<T>(_ type: T.Type) -> Any.Type { T?.self }
        return _openExistential(type, do: open)
    }

    package static func array(_ type: Any.Type) -> Any.Type {
        func open<T>(_ type: T.Type) -> Any.Type { [T].self }
        return _openExistential(type, do: open)
    }

    package static func contiguous(_ type: Any.Type) -> Any.Type {
        func open<T>(_ type: T.Type) -> Any.Type { ContiguousArray<T>.self }
        return _openExistential(type, do: open)
    }

    package static func slice(_ type: Any.Type) -> Any.Type {
        func open<T>(_ type: T.Type) -> Any.Type { ArraySlice<T>.self }
        return _openExistential(type, do: open)
    }

    package static func set(_ type: Any.Type) -> Any.Type? {
        func open<T: Hashable>(_ type: T.Type) -> Any.Type { Set<T>.self }
        return (type as? any Hashable.Type).map { open($0) }
    }

    package static func dictionary(_ key: Any.Type, _ value: Any.Type) -> Any.Type? {
        func open<K: Hashable>(_ key: K.Type) -> Any.Type {
            func open<V>(_ value: V.Type) -> Any.Type { [K: V].self }
            return _openExistential(value, do: open)
        }
        return (key as? any Hashable.Type).map { open($0) }
    }

    package static func range(_ type: Any.Type, isClosed: Bool) -> Any.Type? {
        func open<T: Comparable>(_ type: T.Type) -> Any.Type { isClosed ? ClosedRange<T>.self : Range<T>.self }
        return (type as? any Comparable.Type).map { open($0) }
    }
}
