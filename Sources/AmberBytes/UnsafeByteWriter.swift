// Room:   AmberBytes. The one growing output buffer.
// Takes:  bytes, fixed-width numbers. Gives: contiguous memory, handed over once at the end.
// Touches: the memory that it owns.
//
// Invariants
// 1. `base` is memory of `capacity` bytes that nobody else uses; the first `count` are initialised. It is this writer's
//    own, from malloc, or lent by its maker for the writer's life.
// 2. Nothing is stored before `reserve` has made room for it: each function reserves and stores in one place.
// 3. `take()` gives the memory away and leaves an empty writer; who takes it frees it with `free`.

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// A growing output of bytes. Numbers are written little-endian.
@safe
@usableFromInline
package struct ByteWriter: ~Copyable {
    @usableFromInline package var base: UnsafeMutableRawPointer
    /// The bytes written so far.
    @usableFromInline package var count: Int
    @usableFromInline package var capacity: Int
    /// Whether the memory is somebody else's.
    package private(set) var isBorrowed = false

    /// - Parameter capacity: Bytes to have room for at the start.
    package init(capacity: Int = 256) {
        let capacity = max(capacity, 16)
        unsafe base = Self.allocate(capacity)
        count = 0
        self.capacity = capacity
    }

    /// A writer without memory, which it gets when it is needed.
    package static var none: ByteWriter {
        unsafe ByteWriter(borrowing: UnsafeMutableRawBufferPointer(start: nil, count: 0))
    }

    /// - Parameter memory: Where to write as long as there is room. It must stay until the writer is gone.
    @unsafe
    package init(borrowing memory: UnsafeMutableRawBufferPointer) {
        unsafe base = memory.baseAddress ?? UnsafeMutableRawPointer(bitPattern: 16).unsafelyUnwrapped
        count = 0
        capacity = memory.count
        isBorrowed = true
    }

    deinit {
        if !isBorrowed { unsafe free(base) }
    }

    /// Makes room for `additional` more bytes.
    @inlinable
    @inline(__always)
    package mutating func reserve(_ additional: Int) {
        if capacity &- count < additional { grow(additional) }
    }

    @usableFromInline
    @inline(never)
    mutating func grow(_ additional: Int) {
        let wanted = max(count + additional, capacity + capacity / 2, 256)
        if isBorrowed {
            let own = unsafe Self.allocate(wanted)
            unsafe own.copyMemory(from: base, byteCount: count)
            unsafe base = own
            (capacity, isBorrowed) = (wanted, false)
            return
        }
        guard let grown = unsafe realloc(base, wanted) else {
            fatalError("Out of memory: \(wanted) bytes for an archive.")
        }
        unsafe base = grown
        capacity = wanted
    }

    /// Appends one byte.
    @inlinable
    @inline(__always)
    package mutating func write(byte: UInt8) {
        reserve(1)
        unsafe base.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
        count &+= 1
    }

    /// Appends the memory of a number as it lies in a little-endian machine.
    @inlinable
    @inline(__always)
    package mutating func write<T: FixedWidthInteger & BitwiseCopyable>(_ value: T) {
        reserve(MemoryLayout<T>.size)
        unsafe base.storeBytes(of: value.littleEndian, toByteOffset: count, as: T.self)
        count &+= MemoryLayout<T>.size
    }

    /// Appends an unsigned LEB128 varint: seven bits a byte, lowest first, at most ten bytes.
    @inlinable
    @inline(__always)
    package mutating func write(varint value: UInt64) {
        if capacity &- count < 10 { reserve(max(1, (70 - value.leadingZeroBitCount) / 7)) }
        var rest = value
        var position = count
        while rest >= 0x80 {
            unsafe base.storeBytes(of: UInt8(truncatingIfNeeded: rest) | 0x80, toByteOffset: position, as: UInt8.self)
            rest &>>= 7
            position &+= 1
        }
        unsafe base.storeBytes(of: UInt8(truncatingIfNeeded: rest), toByteOffset: position, as: UInt8.self)
        count = position &+ 1
    }

    /// Appends a signed varint: zigzag, then LEB128.
    @inlinable
    @inline(__always)
    package mutating func write(zigzag value: Int64) {
        write(varint: UInt64(bitPattern: (value &<< 1) ^ (value &>> 63)))
    }

    /// Appends a count or index as a varint.
    @inlinable
    @inline(__always)
    package mutating func write(count value: Int) {
        write(varint: UInt64(value))
    }

    /// Appends a copy of the bytes.
    @inlinable
    @inline(__always)
    package mutating func write(bytes: UnsafeRawBufferPointer) {
        guard let source = bytes.baseAddress else { return }
        reserve(bytes.count)
        unsafe (base + count).copyMemory(from: source, byteCount: bytes.count)
        count &+= bytes.count
    }

    /// Appends a copy of the bytes.
    package mutating func write(bytes: [UInt8]) {
        unsafe bytes.withUnsafeBytes { unsafe write(bytes: $0) }
    }

    /// Appends `count` zero bytes.
    package mutating func write(zeros count: Int) {
        unsafe appendUninitialized(count) { unsafe _ = memset($0, 0, count) }
    }

    /// Makes room for `size` bytes, lets `body` fill all of them, and counts them as written.
    @unsafe
    @inlinable
    @inline(__always)
    package mutating func appendUninitialized<R>(_ size: Int, _ body: (UnsafeMutableRawPointer) -> R) -> R {
        reserve(size)
        let result = unsafe body(base + count)
        count &+= size
        return result
    }

    /// Replaces the four bytes at `offset`, which were written before.
    package mutating func patch(_ value: UInt32, at offset: Int) {
        precondition(offset >= 0 && offset + 4 <= count, "Only written bytes can be patched.")
        unsafe base.storeBytes(of: value.littleEndian, toByteOffset: offset, as: UInt32.self)
    }

    /// Forgets what was written after the first `count` bytes.
    package mutating func truncate(to count: Int) {
        precondition(count >= 0 && count <= self.count, "Only written bytes can be taken back.")
        self.count = count
    }

    /// Gives `body` the bytes written so far.
    @inlinable
    package borrowing func withBytes<R, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
        try unsafe body(UnsafeRawBufferPointer(start: base, count: count))
    }

    /// Hands the memory over: the caller frees it with `free`. The writer is empty afterwards.
    @unsafe
    package mutating func take() -> UnsafeMutableRawBufferPointer {
        precondition(!isBorrowed, "Borrowed memory can't be given away.")
        var taken = unsafe base
        // Giving back little costs more than it is worth.
        if capacity - count > max(count / 8, 256), let fitted = unsafe realloc(taken, max(count, 1)) {
            unsafe taken = fitted
        }
        let result = unsafe UnsafeMutableRawBufferPointer(start: taken, count: count)
        unsafe base = Self.allocate(16)
        count = 0
        capacity = 16
        return unsafe result
    }

    private static func allocate(_ bytes: Int) -> UnsafeMutableRawPointer {
        guard let memory = unsafe malloc(bytes) else {
            fatalError("Out of memory: \(bytes) bytes for an archive.")
        }
        return unsafe memory
    }
}
