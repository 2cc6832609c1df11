// Room:   AmberKeyed. How much an input may make its reader do.
// Takes:  nothing. Gives: numbers that every reader of the module asks before it allocates or descends.
// Touches: nothing.

/// Bounds on what an archive may cost to read, so that no input exhausts memory or the stack.
public struct KeyedLimits: Sendable, Equatable {
    /// The largest input in bytes.
    public var bytes: Int
    /// The most bytes of memory that reading may reserve for one byte of input, beyond a fixed allowance of 16 MB.
    ///
    /// Property lists refer to their values by number, so that a small file can name the same bytes often.
    public var expansion: Int
    /// The deepest nesting of values: containers in containers, objects in objects.
    public var depth: Int
    /// The most element comparisons that sets and dictionaries keyed by containers may need.
    ///
    /// Foundation hashes a container by its count alone: a few thousand crafted arrays in one set would be compared
    /// pair by pair, each comparison walking the whole of both.
    public var comparisons: Int

    /// Makes limits; the defaults suit files of everyday sizes from untrusted sources.
    ///
    /// - Parameters:
    ///   - bytes: The largest input in bytes.
    ///   - expansion: Bytes of memory that one byte of input may cost.
    ///   - depth: The deepest nesting of values.
    ///   - comparisons: The most element comparisons.
    public init(
        bytes: Int = 1 << 30, expansion: Int = 256, depth: Int = 2048, comparisons: Int = 10_000_000
    ) {
        self.bytes = bytes
        self.expansion = expansion
        self.depth = depth
        self.comparisons = comparisons
    }

    /// The memory that an input of `count` bytes may make us reserve.
    func allowance(for count: Int) -> Int {
        let (product, overflow) = count.multipliedReportingOverflow(by: expansion)
        return overflow ? Int.max : max(product, 0).addingReportingOverflow(16 << 20).partialValue
    }
}
