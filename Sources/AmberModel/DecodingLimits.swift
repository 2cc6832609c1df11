// Room:   AmberModel. What an archive may cost its reader.
// Takes:  nothing. Gives: numbers with safe defaults, and the reason for each.
// Touches: nothing.

/// What decoding an archive may cost, so that hostile input can't exhaust memory or the stack.
///
/// What ``AmberModel`` coders write with default options, they read with default limits, into properties of the types
/// that were written. Types that take more memory count as what they are: an array of millions of equal `Int8` that is
/// read as `[Int]` may need eight times what its archive allows for, and be ``DecodingFailure/Code/limitExceeded``. If
/// such an archive is to be trusted, raise ``baseMemory``.
public struct DecodingLimits: Sendable, Equatable {
    /// The largest archive in bytes, after decompression. Default: 4 GiB.
    public var bytes: Int

    /// How many bytes of values one byte of the archive may expand to. Default: 64.
    ///
    /// Repeated values are stored once, so the values of an archive may be larger than itself; together with
    /// ``baseMemory`` this bounds how much larger.
    public var expansion: Int

    /// How many bytes of values any archive may expand to, however short. Default: 64 MiB.
    public var baseMemory: Int

    /// How deep values may be nested in each other. Default: 64.
    ///
    /// Counted are structs, collections, optionals and enum payloads inside each other, which are read by recursion
    /// and must fit on a thread's stack of 512 KiB, where a level takes up to 6 KiB in a debug build; references between
    /// objects are not counted, and have no limit.
    public var depth: Int

    /// How deep objects of keyed archives may be nested in each other. Default: 2048.
    ///
    /// Counted are objects that read themselves and Foundation's collections: their initializers call each other, and so
    /// does what frees them. Models in a keyed archive are not counted.
    public var objectDepth: Int

    /// How many comparisons of elements the sets and dictionaries of a keyed archive may need. Default: 10 million.
    ///
    /// Foundation hashes a collection by its count alone: a few thousand crafted arrays in one set would be compared pair
    /// by pair, each comparison walking the whole of both.
    public var comparisons: Int

    /// Makes limits.
    ///
    /// - Parameters:
    ///   - bytes: The largest archive in bytes, after decompression.
    ///   - expansion: How many bytes of values one byte of the archive may expand to.
    ///   - baseMemory: How many bytes of values any archive may expand to.
    ///   - depth: How deep values may be nested in each other.
    ///   - objectDepth: How deep objects of keyed archives may be nested in each other.
    ///   - comparisons: How many comparisons of elements a keyed archive may need.
    public init(
        bytes: Int = 4 << 30, expansion: Int = 64, baseMemory: Int = 64 << 20, depth: Int = 64,
        objectDepth: Int = 2048, comparisons: Int = 10_000_000
    ) {
        self.bytes = bytes
        self.expansion = expansion
        self.baseMemory = baseMemory
        self.depth = depth
        self.objectDepth = objectDepth
        self.comparisons = comparisons
    }

    /// The memory in bytes that an archive of `size` bytes may make its reader allocate.
    package func allowance(forArchiveOf size: Int) -> Int {
        let (product, overflow) = size.multipliedReportingOverflow(by: max(expansion, 1))
        let (sum, overflow2) = product.addingReportingOverflow(max(baseMemory, 0))
        return overflow || overflow2 ? Int.max : sum
    }
}
