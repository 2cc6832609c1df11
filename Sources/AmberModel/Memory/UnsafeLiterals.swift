// Room:   AmberModel / Memory. Types of the standard library that only literals make.
// Takes:  elements. Gives: the value that a literal of them would be.
// Touches: the value's one stored property.
//
// Invariants
// 1. KeyValuePairs is frozen and stores one array of pairs (swift/stdlib/public/core/KeyValuePairs.swift); labels of tuples
//    are no part of their layout.

/// The pairs in order.
func makeKeyValuePairs<Key, Value>(_ pairs: [(key: Key, value: Value)]) -> KeyValuePairs<Key, Value> {
    precondition(MemoryLayout<KeyValuePairs<Key, Value>>.size == MemoryLayout<[(Key, Value)]>.size)
    return unsafe unsafeBitCast(pairs.map { ($0.key, $0.value) } as [(Key, Value)], to: KeyValuePairs<Key, Value>.self)
}
