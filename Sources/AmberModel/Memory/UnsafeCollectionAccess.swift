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

final class SetAccess<Element: Hashable>: CollectionAccess, @unchecked Sendable {
    override func count(at address: UnsafeRawPointer) -> Int {
        unsafe address.assumingMemoryBound(to: Set<Element>.self).pointee.count
    }

    override func copyElements(
        from address: UnsafeRawPointer, keys: UnsafeMutableRawPointer, values: UnsafeMutableRawPointer?
    ) {
        var target = unsafe keys.assumingMemoryBound(to: Element.self)
        for element in unsafe address.assumingMemoryBound(to: Set<Element>.self).pointee {
            unsafe target.initialize(to: element)
            unsafe target += 1
        }
    }

    override func build(
        at address: UnsafeMutableRawPointer, keys: UnsafeMutableRawPointer, values: UnsafeMutableRawPointer?, count: Int
    ) {
        let source = unsafe keys.assumingMemoryBound(to: Element.self)
        var set = Set<Element>(minimumCapacity: count)
        for index in 0..<count { set.insert(unsafe (source + index).move()) }
        unsafe address.initializeMemory(as: Set<Element>.self, to: set)
    }
}

final class DictionaryAccess<Key: Hashable, Value>: CollectionAccess, @unchecked Sendable {
    override func count(at address: UnsafeRawPointer) -> Int {
        unsafe address.assumingMemoryBound(to: [Key: Value].self).pointee.count
    }

    override func copyElements(
        from address: UnsafeRawPointer, keys: UnsafeMutableRawPointer, values: UnsafeMutableRawPointer?
    ) {
        guard let values = unsafe values else { return }
        var keyTarget = unsafe keys.assumingMemoryBound(to: Key.self)
        var valueTarget = unsafe values.assumingMemoryBound(to: Value.self)
        for (key, value) in unsafe address.assumingMemoryBound(to: [Key: Value].self).pointee {
            unsafe keyTarget.initialize(to: key)
            unsafe valueTarget.initialize(to: value)
            unsafe keyTarget += 1
            unsafe valueTarget += 1
        }
    }

    override func build(
        at address: UnsafeMutableRawPointer, keys: UnsafeMutableRawPointer, values: UnsafeMutableRawPointer?, count: Int
    ) {
        var dictionary = [Key: Value](minimumCapacity: count)
        if let values = unsafe values {
            let keySource = unsafe keys.assumingMemoryBound(to: Key.self)
            let valueSource = unsafe values.assumingMemoryBound(to: Value.self)
            for index in 0..<count {
                dictionary.updateValue(unsafe (valueSource + index).move(), forKey: unsafe (keySource + index).move())
            }
        }
        unsafe address.initializeMemory(as: [Key: Value].self, to: dictionary)
    }
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
        // Named here so that the compiler makes fast versions for them.
        if Element.self == String.self { return SetAccess<String>() }
        if Element.self == Int.self { return SetAccess<Int>() }
        return SetAccess<Element>()
    }
}

extension Dictionary: HashedCollection {
    package static var keyType: Any.Type { Key.self }
    package static var valueType: Any.Type? { Value.self }
    package static func makeAccess() -> CollectionAccess {
        if Key.self == String.self {
            if Value.self == String.self { return DictionaryAccess<String, String>() }
            if Value.self == Int.self { return DictionaryAccess<String, Int>() }
            if Value.self == Double.self { return DictionaryAccess<String, Double>() }
        }
        return DictionaryAccess<Key, Value>()
    }
}
