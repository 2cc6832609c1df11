// Room:   AmberBinary / Columns. Numbers in as many bits as the largest needs.
// Takes:  numbers, a base, a width. Gives: `ceil(count * width / 8)` bytes, lowest bits first; and back.
// Touches: ByteWriter, ByteReader; buffers of numbers.
//
// Invariants
// 1. A width is 0...56 or 64: then a number and the bits before it in its first byte fit in one 64-bit load.
// 2. Loads of 64 bits end inside the packed bytes; the last numbers are read from a padded copy.
// 3. Packed bytes are counted and checked against the input before anything is read.

internal import AmberBytes

enum BitPacking {
    /// Whether numbers may have `width` bits.
    static func isWidth(_ width: Int) -> Bool { width <= 56 || width == 64 }

    /// The width in which `largest` is packed.
    static func width(for largest: UInt64) -> Int {
        let width = UInt64.width(of: largest)
        return width > 56 ? 64 : width
    }

    /// Writes each value from index `start` on, minus `base`, in `width` bits.
    static func pack(_ numbers: [UInt64], from start: Int, base: UInt64, width: Int, to out: inout ByteWriter) {
        precondition(start <= numbers.count, "A column starts inside its numbers.")
        unsafe numbers.withUnsafeBufferPointer {
            unsafe pack(UnsafeBufferPointer(rebasing: $0[start...]), base: base, width: width, to: &out)
        }
    }

    private static func pack(
        _ values: UnsafeBufferPointer<UInt64>, base: UInt64, width: Int, to out: inout ByteWriter
    ) {
        switch width {
        case 0: return
        case 8: unsafe packWhole(values, base, UInt8.self, to: &out)
        case 16: unsafe packWhole(values, base, UInt16.self, to: &out)
        case 32: unsafe packWhole(values, base, UInt32.self, to: &out)
        case 64: unsafe packWhole(values, base, UInt64.self, to: &out)
        default:
            // Eight bytes of slack: each step stores a whole word.
            let size = (values.count * width + 7) / 8
            out.reserve(size + 8)
            unsafe out.appendUninitialized(size) { target in
                var cursor = unsafe target
                var pending: UInt64 = 0
                var filled = 0
                for unsafe value in unsafe values {
                    let bits = value &- base
                    pending |= bits &<< UInt64(truncatingIfNeeded: filled)
                    filled &+= width
                    if filled >= 64 {
                        unsafe cursor.storeBytes(of: pending.littleEndian, as: UInt64.self)
                        unsafe cursor += 8
                        filled &-= 64
                        pending = filled == 0 ? 0 : bits &>> UInt64(truncatingIfNeeded: width &- filled)
                    }
                }
                if filled > 0 { unsafe cursor.storeBytes(of: pending.littleEndian, as: UInt64.self) }
            }
        }
    }

    @inline(__always)
    private static func packWhole<T: FixedWidthInteger & BitwiseCopyable>(
        _ values: UnsafeBufferPointer<UInt64>, _ base: UInt64, _ type: T.Type, to out: inout ByteWriter
    ) {
        unsafe out.appendUninitialized(values.count * MemoryLayout<T>.size) { target in
            var cursor = unsafe target
            for unsafe value in unsafe values {
                unsafe cursor.storeBytes(of: T(truncatingIfNeeded: value &- base).littleEndian, as: T.self)
                unsafe cursor += MemoryLayout<T>.size
            }
        }
    }

    /// Fills `numbers` from index `start` on with numbers of `width` bits plus `base`.
    static func unpack(
        into numbers: inout [UInt64], from start: Int, base: UInt64, width: Int, _ input: inout ByteReader
    ) throws(ByteError) {
        precondition(start <= numbers.count, "A column starts inside its numbers.")
        try unsafe numbers.withUnsafeMutableBufferPointer { buffer throws(ByteError) in
            try unsafe unpack(
                into: UnsafeMutableBufferPointer(rebasing: buffer[start...]), base: base, width: width, from: &input)
        }
    }

    private static func unpack(
        into target: UnsafeMutableBufferPointer<UInt64>, base: UInt64, width: Int, from input: inout ByteReader
    ) throws(ByteError) {
        if width == 0 {
            unsafe target.update(repeating: base)
            return
        }
        let start = input.position
        let (bits, overflow) = target.count.multipliedReportingOverflow(by: width)
        guard !overflow, bits <= Int.max - 7 else { throw ByteError(.truncated(needed: Int.max), at: start) }
        let bytes = try unsafe input.readBytes((bits + 7) / 8)
        guard let source = bytes.baseAddress, let numbers = target.baseAddress else { return }
        let count = target.count
        switch width {
        case 8: unsafe unpackWhole(numbers, count, source, base, UInt8.self)
        case 16: unsafe unpackWhole(numbers, count, source, base, UInt16.self)
        case 32: unsafe unpackWhole(numbers, count, source, base, UInt32.self)
        case 64: unsafe unpackWhole(numbers, count, source, base, UInt64.self)
        default:
            let mask: UInt64 = (1 &<< UInt64(width)) &- 1
            // The numbers whose eight bytes lie inside.
            let safe = bytes.count < 8 ? 0 : min(count, ((bytes.count - 8) * 8) / width + 1)
            var bit = 0
            for index in 0..<safe {
                let word = unsafe source.loadUnaligned(fromByteOffset: bit &>> 3, as: UInt64.self)
                unsafe numbers[index] = ((UInt64(littleEndian: word) &>> UInt64(bit & 7)) & mask) &+ base
                bit &+= width
            }
            if safe == count { return }
            let tailStart = max(bytes.count - 16, 0)
            unsafe withUnsafeTemporaryAllocation(byteCount: 32, alignment: 8) { padded in
                unsafe padded.initializeMemory(as: UInt8.self, repeating: 0)
                unsafe padded.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[tailStart...]))
                for index in safe..<count {
                    let word = unsafe padded.loadUnaligned(fromByteOffset: bit / 8 - tailStart, as: UInt64.self)
                    unsafe numbers[index] = ((UInt64(littleEndian: word) &>> UInt64(bit & 7)) & mask) &+ base
                    bit &+= width
                }
            }
        }
    }

    @inline(__always)
    private static func unpackWhole<T: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
        _ target: UnsafeMutablePointer<UInt64>, _ count: Int, _ source: UnsafeRawPointer, _ base: UInt64, _ type: T.Type
    ) {
        for index in 0..<count {
            let value = unsafe source.loadUnaligned(fromByteOffset: index &* MemoryLayout<T>.size, as: T.self)
            unsafe target[index] = UInt64(truncatingIfNeeded: T(littleEndian: value)) &+ base
        }
    }
}
