// Room:   AmberBytes. What can be wrong with bytes, before anyone knows what they mean.
// Takes:  an offset and what was missing. Gives: a typed error of three words; coders add the coding path.
// Touches: nothing.

/// A fault found while reading bytes: where it is and what kind it is.
@usableFromInline
package struct ByteError: Error, Equatable, Sendable {
    /// The kinds of faults that bytes alone can show.
    @usableFromInline
    package enum Kind: Equatable, Sendable {
        /// The input ends before the value does; `needed` more bytes were expected.
        case truncated(needed: Int)
        /// A variable-length integer is longer than its type, or not in its shortest form.
        case malformedVarint
        /// The bytes of a string are not well-formed UTF-8.
        case invalidUTF8
        /// A count or size from the input exceeds what the input may make us allocate.
        case overBudget(requested: Int)
        /// A code has no meaning in this version of the format.
        case unknownCode(Int)
        /// A value contradicts an earlier one.
        case inconsistent
    }

    @usableFromInline package var kind: Kind
    /// The byte offset from the start of the input.
    @usableFromInline package var offset: Int

    @inlinable
    package init(_ kind: Kind, at offset: Int) {
        self.kind = kind
        self.offset = offset
    }
}
