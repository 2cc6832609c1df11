// Room:   AmberBytes. A cursor over the bytes of one input.
// Takes:  bytes that stay where they are for the reader's life. Gives: numbers and runs, or an error with its offset.
// Touches: reads of the input, never past its end.
//
// Invariants
// 1. `base` points at `count` readable bytes for the reader's whole life: readers are made in `withByteReader` alone,
//    which holds the input, and are not kept past it.
// 2. `0 <= position <= count`. Each function checks its room and reads in one place; a run is checked once.

/// Reads little-endian numbers and runs of bytes, checking each against the end of the input.
@safe
@usableFromInline
package struct ByteReader {
    @usableFromInline package let base: UnsafeRawPointer
    /// The bytes of the whole input.
    @usableFromInline package let count: Int
    /// The offset of the next byte.
    @usableFromInline package var position: Int
    /// What the input may still make us allocate.
    @usableFromInline package var budget: ByteBudget

    @unsafe
    @inlinable
    package init(_ bytes: UnsafeRawBufferPointer, budget: ByteBudget) {
        // An empty buffer may have no address; nothing is ever read from this one.
        unsafe base = bytes.baseAddress ?? UnsafeRawPointer(bitPattern: 8).unsafelyUnwrapped
        count = bytes.count
        position = 0
        self.budget = budget
    }

    /// The bytes not read yet.
    @inlinable
    package var remaining: Int { count &- position }

    /// Whether everything was read.
    @inlinable
    package var isAtEnd: Bool { position == count }

    @usableFromInline
    @inline(never)
    func truncated(_ needed: Int) -> ByteError {
        ByteError(.truncated(needed: needed), at: position)
    }

    /// Reads one byte.
    @inlinable
    @inline(__always)
    package mutating func readByte() throws(ByteError) -> UInt8 {
        guard position < count else { throw truncated(1) }
        let byte = unsafe base.load(fromByteOffset: position, as: UInt8.self)
        position &+= 1
        return byte
    }

    /// Reads a little-endian number.
    @inlinable
    @inline(__always)
    package mutating func read<T: FixedWidthInteger & BitwiseCopyable>(
        _ type: T.Type = T.self
    ) throws(ByteError) -> T {
        guard remaining >= MemoryLayout<T>.size else { throw truncated(MemoryLayout<T>.size) }
        let value = unsafe base.loadUnaligned(fromByteOffset: position, as: T.self)
        position &+= MemoryLayout<T>.size
        return T(littleEndian: value)
    }

    /// Reads an unsigned LEB128 varint of at most ten bytes; forms longer than needed are refused.
    @inlinable
    @inline(__always)
    package mutating func readVarint() throws(ByteError) -> UInt64 {
        guard position < count else { throw truncated(1) }
        let first = unsafe base.load(fromByteOffset: position, as: UInt8.self)
        if first < 0x80 {
            position &+= 1
            return UInt64(first)
        }
        // Most of the longer ones have two bytes; a second byte of zero is not the shortest form.
        if count &- position >= 2 {
            let second = unsafe base.load(fromByteOffset: position &+ 1, as: UInt8.self)
            if second < 0x80, second != 0 {
                position &+= 2
                return UInt64(first & 0x7f) | UInt64(second) &<< 7
            }
        }
        return try readLongVarint()
    }

    @usableFromInline
    mutating func readLongVarint() throws(ByteError) -> UInt64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        var cursor = position
        while cursor < count {
            let byte = unsafe base.load(fromByteOffset: cursor, as: UInt8.self)
            if shift == 63, byte > 1 { throw ByteError(.malformedVarint, at: position) }
            value |= UInt64(byte & 0x7f) &<< shift
            cursor &+= 1
            if byte < 0x80 {
                // A last byte of zero adds nothing: the form is not the shortest.
                if byte == 0 { throw ByteError(.malformedVarint, at: position) }
                position = cursor
                return value
            }
            shift &+= 7
            if shift > 63 { throw ByteError(.malformedVarint, at: position) }
        }
        throw truncated(cursor &- position &+ 1)
    }

    /// Reads a signed varint: LEB128, then zigzag.
    @inlinable
    @inline(__always)
    package mutating func readZigzag() throws(ByteError) -> Int64 {
        let value = try readVarint()
        return Int64(bitPattern: (value &>> 1) ^ (0 &- (value & 1)))
    }

    /// Reads a varint that counts or numbers something in memory.
    @inlinable
    @inline(__always)
    package mutating func readCount() throws(ByteError) -> Int {
        let start = position
        let value = try readVarint()
        guard value <= UInt64(Int.max) else { throw ByteError(.overBudget(requested: Int.max), at: start) }
        return Int(value)
    }

    /// Reads `size` bytes, all or none. They are valid while the input is.
    @unsafe
    @inlinable
    @inline(__always)
    package mutating func readBytes(_ size: Int) throws(ByteError) -> UnsafeRawBufferPointer {
        guard size >= 0, remaining >= size else { throw truncated(size) }
        let bytes = unsafe UnsafeRawBufferPointer(start: base + position, count: size)
        position &+= size
        return unsafe bytes
    }

    /// Reads `size` bytes into an array of its own.
    package mutating func readArray(_ size: Int) throws(ByteError) -> [UInt8] {
        unsafe Array(try readBytes(size))
    }

    /// Reads `size` bytes and tells whether all are zero.
    package mutating func readBytesAreZero(_ size: Int) throws(ByteError) -> Bool {
        unsafe try readBytes(size).allSatisfy { $0 == 0 }
    }

    /// Passes over `size` bytes.
    @inlinable
    package mutating func skip(_ size: Int) throws(ByteError) {
        guard size >= 0, remaining >= size else { throw truncated(size) }
        position &+= size
    }

    /// Reads `size` bytes as a string.
    ///
    /// - Throws: ``ByteError/Kind/invalidUTF8`` when they are not well-formed; nothing is ever repaired.
    @inlinable
    package mutating func readString(_ size: Int) throws(ByteError) -> String {
        let start = position
        let bytes = try unsafe readBytes(size)
        guard let string = unsafe validatedString(bytes) else { throw ByteError(.invalidUTF8, at: start) }
        return string
    }

    /// Whether the next bytes equal `expected`; they are passed over if so.
    @inlinable
    package mutating func skip(ifEqual expected: [UInt8]) -> Bool {
        guard remaining >= expected.count else { return false }
        let equal = unsafe expected.withUnsafeBytes { unsafe equalBytes($0, base + position) }
        if equal { position &+= expected.count }
        return equal
    }
}

/// Gives `body` a reader over `bytes`.
@inlinable
package func withByteReader<R, E: Error>(
    over bytes: UnsafeRawBufferPointer, budget: ByteBudget, _ body: (inout ByteReader) throws(E) -> R
) throws(E) -> R {
    var reader = unsafe ByteReader(bytes, budget: budget)
    return try body(&reader)
}
