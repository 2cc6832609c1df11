// Room:   AmberBytes. What an input may still make us allocate.
// Takes:  the size of the input and the caller's limits. Gives: leave to allocate, or an error.
// Touches: two counters.

/// The memory that an input may still make its reader allocate.
///
/// Every count that comes from input passes through ``take(_:each:at:)`` before anything is reserved, so that
/// a few bytes that declare billions of elements are refused instead of obeyed.
@usableFromInline
package struct ByteBudget: Sendable {
    /// Bytes that may still be allocated.
    package private(set) var remaining: Int
    /// Bytes that may still be lent: as many again as may be allocated.
    private var loan: Int

    /// - Parameter bytes: The whole allowance in bytes.
    package init(bytes: Int) {
        remaining = bytes
        loan = bytes
    }

    /// Lends room for `count` elements of `size` bytes each, which are given back before long: what an encoding is undone
    /// in, not the values themselves.
    ///
    /// - Returns: The bytes to give back.
    /// - Throws: ``ByteError/Kind/overBudget(requested:)`` when the product overflows or exceeds what can be lent.
    package mutating func borrow(_ count: Int, each size: Int, at offset: Int) throws(ByteError) -> Int {
        let (bytes, overflow) = count.multipliedReportingOverflow(by: size)
        guard !overflow, bytes >= 0, bytes <= loan else {
            throw ByteError(.overBudget(requested: overflow ? Int.max : bytes), at: offset)
        }
        loan -= bytes
        return bytes
    }

    /// Takes back what was lent.
    package mutating func giveBack(_ bytes: Int) { loan += bytes }

    /// Takes room for `count` elements of `size` bytes each.
    ///
    /// - Throws: ``ByteError/Kind/overBudget(requested:)`` when the product overflows or exceeds what remains.
    @inlinable
    package mutating func take(_ count: Int, each size: Int, at offset: Int) throws(ByteError) {
        let (bytes, overflow) = count.multipliedReportingOverflow(by: size)
        guard !overflow, count >= 0, spend(bytes) else {
            throw ByteError(.overBudget(requested: overflow ? Int.max : bytes), at: offset)
        }
    }

    @usableFromInline
    package mutating func spend(_ bytes: Int) -> Bool {
        guard bytes >= 0, bytes <= remaining else { return false }
        remaining -= bytes
        return true
    }
}
