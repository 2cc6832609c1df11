// Room:   AmberModel / Memory. Sets and dictionaries, taken apart and put together by their own types.
// Takes:  the address of a Set or Dictionary. Gives: its elements copied out; a new one from elements moved in.
// Touches: values of exactly the access's types.
//
// Invariants
// 1. `copyElements` is given uninitialised memory for `count` keys (and values); it initialises all of it.
// 2. `build` takes initialised keys (and values) and leaves their memory uninitialised, whatever it makes of them.
// 3. Elements that are equal to an earlier one are dropped (a Set keeps the first, a Dictionary the last value):
//    a hostile archive may hold them, and a trap is no answer.

/// Takes collections of one type apart and puts them together.
package class CollectionAccess: @unchecked Sendable {
    /// The number of elements of the collection at `address`.
    @unsafe package func count(at address: UnsafeRawPointer) -> Int { 0 }

    /// Copies the elements of the collection at `address` to uninitialised memory.
    @unsafe
    package func copyElements(
        from address: UnsafeRawPointer, keys: UnsafeMutableRawPointer, values: UnsafeMutableRawPointer?
    ) {}

    /// Initialises the collection at `address` with elements that are moved out of `keys` and `values`.
    @unsafe
    package func build(
        at address: UnsafeMutableRawPointer, keys: UnsafeMutableRawPointer, values: UnsafeMutableRawPointer?, count: Int
    ) {}
}

// Generic functions that concrete classes are made of: a method of a generic class is never specialised for its type.

@inline(__always)
private func copySet<E: Hashable>(_ type: E.Type, _ address: UnsafeRawPointer, _ keys: UnsafeMutableRawPointer) {
    var target = unsafe keys.assumingMemoryBound(to: E.self)
    for element in unsafe address.assumingMemoryBound(to: Set<E>.self).pointee {
        unsafe target.initialize(to: element)
        unsafe target += 1
    }
}

@inline(__always)
private func buildSet<E: Hashable>(
    _ type: E.Type, _ address: UnsafeMutableRawPointer, _ keys: UnsafeMutableRawPointer, _ count: Int
) {
    let source = unsafe keys.assumingMemoryBound(to: E.self)
    var set = count == 0 ? Set<E>() : Set<E>(minimumCapacity: count)
    for index in 0..<count { set.insert(unsafe (source + index).move()) }
    unsafe address.initializeMemory(as: Set<E>.self, to: set)
}

@inline(__always)
private func copyDictionary<K: Hashable, V>(
    _ types: (K, V).Type, _ address: UnsafeRawPointer, _ keys: UnsafeMutableRawPointer,
    _ values: UnsafeMutableRawPointer?
) {
    guard let values = unsafe values else { return }
    var keyTarget = unsafe keys.assumingMemoryBound(to: K.self)
    var valueTarget = unsafe values.assumingMemoryBound(to: V.self)
    for (key, value) in unsafe address.assumingMemoryBound(to: [K: V].self).pointee {
        unsafe keyTarget.initialize(to: key)
        unsafe valueTarget.initialize(to: value)
        unsafe keyTarget += 1
        unsafe valueTarget += 1
    }
}

@inline(__always)
private func buildDictionary<K: Hashable, V>(
    _ types: (K, V).Type, _ address: UnsafeMutableRawPointer, _ keys: UnsafeMutableRawPointer,
    _ values: UnsafeMutableRawPointer?, _ count: Int
) {
    var dictionary = count == 0 ? [K: V]() : [K: V](minimumCapacity: count)
    if let values = unsafe values {
        let keySource = unsafe keys.assumingMemoryBound(to: K.self)
        let valueSource = unsafe values.assumingMemoryBound(to: V.self)
        for index in 0..<count {
            dictionary.updateValue(unsafe (valueSource + index).move(), forKey: unsafe (keySource + index).move())
        }
    }
    unsafe address.initializeMemory(as: [K: V].self, to: dictionary)
}

private final class SetAccess<E: Hashable>: CollectionAccess, @unchecked Sendable {
    override func count(at address: UnsafeRawPointer) -> Int {
        unsafe address.assumingMemoryBound(to: Set<E>.self).pointee.count
    }
    override func copyElements(
        from address: UnsafeRawPointer, keys: UnsafeMutableRawPointer, values: UnsafeMutableRawPointer?
    ) { unsafe copySet(E.self, address, keys) }
    override func build(
        at address: UnsafeMutableRawPointer, keys: UnsafeMutableRawPointer, values: UnsafeMutableRawPointer?, count: Int
    ) { unsafe buildSet(E.self, address, keys, count) }
}

private final class StringSetAccess: CollectionAccess, @unchecked Sendable {
    override func count(at address: UnsafeRawPointer) -> Int {
        unsafe address.assumingMemoryBound(to: Set<String>.self).pointee.count
    }
    override func copyElements(
        from address: UnsafeRawPointer, keys: UnsafeMutableRawPointer, values: UnsafeMutableRawPointer?
    ) { unsafe copySet(String.self, address, keys) }
    override func build(
        at address: UnsafeMutableRawPointer, keys: UnsafeMutableRawPointer, values: UnsafeMutableRawPointer?, count: Int
    ) { unsafe buildSet(String.self, address, keys, count) }
}

private final class IntSetAccess: CollectionAccess, @unchecked Sendable {
    override func count(at address: UnsafeRawPointer) -> Int {
        unsafe address.assumingMemoryBound(to: Set<Int>.self).pointee.count
    }
    override func copyElements(
        from address: UnsafeRawPointer, keys: UnsafeMutableRawPointer, values: UnsafeMutableRawPointer?
    ) { unsafe copySet(Int.self, address, keys) }
    override func build(
        at address: UnsafeMutableRawPointer, keys: UnsafeMutableRawPointer, values: UnsafeMutableRawPointer?, count: Int
    ) { unsafe buildSet(Int.self, address, keys, count) }
}

private final class DictionaryAccess<K: Hashable, V>: CollectionAccess, @unchecked Sendable {
    override func count(at address: UnsafeRawPointer) -> Int {
        unsafe address.assumingMemoryBound(to: [K: V].self).pointee.count
    }
    override func copyElements(
        from address: UnsafeRawPointer, keys: UnsafeMutableRawPointer, values: UnsafeMutableRawPointer?
    ) { unsafe copyDictionary((K, V).self, address, keys, values) }
    override func build(
        at address: UnsafeMutableRawPointer, keys: UnsafeMutableRawPointer, values: UnsafeMutableRawPointer?, count: Int
    ) { unsafe buildDictionary((K, V).self, address, keys, values, count) }
}

private final class StringsByStringAccess: CollectionAccess, @unchecked Sendable {
    override func count(at address: UnsafeRawPointer) -> Int {
        unsafe address.assumingMemoryBound(to: [String: String].self).pointee.count
    }
    override func copyElements(
        from address: UnsafeRawPointer, keys: UnsafeMutableRawPointer, values: UnsafeMutableRawPointer?
    ) { unsafe copyDictionary((String, String).self, address, keys, values) }
    override func build(
        at address: UnsafeMutableRawPointer, keys: UnsafeMutableRawPointer, values: UnsafeMutableRawPointer?, count: Int
    ) { unsafe buildDictionary((String, String).self, address, keys, values, count) }
}

/// Types whose elements are copied out and put back: Set and Dictionary.
package protocol HashedCollection {
    static var keyType: Any.Type { get }
    static var valueType: Any.Type? { get }
    static func makeAccess() -> CollectionAccess
}

extension Set: HashedCollection {
    package static var keyType: Any.Type { Element.self }
    package static var valueType: Any.Type? { nil }
    package static func makeAccess() -> CollectionAccess {
        if Element.self == String.self { return StringSetAccess() }
        if Element.self == Int.self { return IntSetAccess() }
        return SetAccess<Element>()
    }
}

extension Dictionary: HashedCollection {
    package static var keyType: Any.Type { Key.self }
    package static var valueType: Any.Type? { Value.self }
    package static func makeAccess() -> CollectionAccess {
        if Key.self == String.self, Value.self == String.self { return StringsByStringAccess() }
        return DictionaryAccess<Key, Value>()
    }
}
