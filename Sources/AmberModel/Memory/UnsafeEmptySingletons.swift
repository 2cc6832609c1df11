// Room:   AmberModel / Memory. Empty strings and collections that hold no memory of their own.
// Takes:  the address of a value. Gives: whether destroying it does nothing.
// Touches: the value's bits, read only.
//
// Invariants
// 1. The bits compared are those of `""`, `[]`, `Set()` and `[:]`, whose storage is shared by all types and never freed.
//    Bits that differ say nothing: an empty string may own memory.

/// Empty values that need no destroying, as the defaults of properties mostly are.
package enum EmptySingletons {
    private static let string = unsafe withUnsafeBytes(of: "") {
        unsafe ($0.load(as: UInt64.self), $0.load(fromByteOffset: 8, as: UInt64.self))
    }
    private static let array = unsafe withUnsafeBytes(of: [Int]()) { unsafe $0.load(as: UInt64.self) }
    private static let set = unsafe withUnsafeBytes(of: Set<Int>()) { unsafe $0.load(as: UInt64.self) }
    private static let dictionary = unsafe withUnsafeBytes(of: [Int: Int]()) { unsafe $0.load(as: UInt64.self) }

    /// Whether the string, array, set or dictionary at `address` is one of them.
    @unsafe
    package static func isOne(_ address: UnsafeRawPointer, of shape: Shape) -> Bool {
        let first = unsafe address.load(as: UInt64.self)
        switch shape {
        case .string: return unsafe (first, address.load(fromByteOffset: 8, as: UInt64.self)) == string
        case .array: return first == array
        case .collection(let collection): return first == (collection.value == nil ? set : dictionary)
        default: return false
        }
    }
}
