// Room:   AmberBinary / Columns. Numbers in as many bits as the largest needs.
// Takes:  numbers, a base, a width. Gives: `ceil(count * width / 8)` bytes, lowest bits first; and back.
// Touches: ByteWriter, ByteReader; arrays of numbers.
//
// Invariants
// 1. A width is 0...56 or 64: then a number and the bits before it in its first byte fit in one 64-bit load.
// 2. Loads of 64 bits end inside the packed bytes; the last numbers are read from a padded copy.
// 3. Packed bytes are counted and checked against the input before anything is read; stores of a whole word past the
//    last number stay inside the room that was reserved.

internal import AmberBytes

enum BitPacking {
    /// Whether numbers may have `width` bits.
    static func isWidth(_ width: Int) -> Bool { width <= 56 || width == 64 }

    /// The width in which `largest` is packed.
    static func width(for largest: UInt64) -> Int {
        let width = UInt64.width(of: largest)
        return width > 56 ? 64 : width
    }

    /// Writes each number minus `base` in `width` bits.
    @inline(__always)
    static func pack<T: Bits>(_ numbers: [T], base: T, width: Int, to out: inout ByteWriter) {
        if width == 0 { return }
        unsafe numbers.withUnsafeBufferPointer { unsafe pack($0, base: base, width: width, to: &out) }
    }

    private static func pack<T: Bits>(
        _ values: UnsafeBufferPointer<T>, base: T, width: Int, to out: inout ByteWriter
    ) {
        switch width {
        case 1: return unsafe SingleBits.pack(values, base, to: &out)
        case 8: return unsafe packWhole(values, base, UInt8.self, to: &out)
        case 16: return unsafe packWhole(values, base, UInt16.self, to: &out)
        case 32: return unsafe packWhole(values, base, UInt32.self, to: &out)
        case 64: return unsafe packWhole(values, base, UInt64.self, to: &out)
        default: break
        }
        let size = (values.count * width + 7) / 8
        out.reserve(size + 8)
        unsafe out.appendUninitialized(size) { target in
            var cursor = unsafe target
            var pending: UInt64 = 0
            var filled = 0
            @inline(__always)
            func add(_ bits: UInt64, _ width: Int) {
                pending |= bits &<< UInt64(truncatingIfNeeded: filled)
                filled &+= width
                if filled < 64 { return }
                unsafe cursor.storeBytes(of: pending.littleEndian, as: UInt64.self)
                unsafe cursor += 8
                filled &-= 64
                pending = filled == 0 ? 0 : bits &>> UInt64(truncatingIfNeeded: width &- filled)
            }
            @inline(__always)
            func bits(_ index: Int, _ shift: Int) -> UInt64 {
                UInt64(truncatingIfNeeded: unsafe values[index] &- base) &<< UInt64(truncatingIfNeeded: shift)
            }
            var index = 0
            if width < 16 {
                // Four at a time are one number of less than 64 bits.
                while index &+ 4 <= values.count {
                    let low = bits(index, 0) | bits(index &+ 1, width)
                    let high = bits(index &+ 2, width &* 2) | bits(index &+ 3, width &* 3)
                    add(low | high, width &* 4)
                    index &+= 4
                }
            }
            while index < values.count {
                add(bits(index, 0), width)
                index &+= 1
            }
            if filled > 0 { unsafe cursor.storeBytes(of: pending.littleEndian, as: UInt64.self) }
        }
    }

    @inline(__always)
    private static func packWhole<T: Bits, W: Bits>(
        _ values: UnsafeBufferPointer<T>, _ base: T, _ type: W.Type, to out: inout ByteWriter
    ) {
        unsafe out.appendUninitialized(values.count * MemoryLayout<W>.size) { target in
            for index in 0..<values.count {
                let bits = unsafe W(truncatingIfNeeded: values[index] &- base)
                unsafe target.storeBytes(
                    of: bits.littleEndian, toByteOffset: index &* MemoryLayout<W>.size, as: W.self)
            }
        }
    }

    /// Fills `numbers` with numbers of `width` bits plus `base`.
    @inline(__always)
    static func unpack<T: Bits>(
        into numbers: inout [T], base: T, width: Int, from input: inout ByteReader
    ) throws(ByteError) {
        let start = input.position
        let count = numbers.count
        let (bits, overflow) = count.multipliedReportingOverflow(by: width)
        guard !overflow, bits <= Int.max - 7 else { throw ByteError(.truncated(needed: Int.max), at: start) }
        let bytes = try unsafe input.readBytes((bits + 7) / 8)
        unsafe numbers.withUnsafeMutableBufferPointer { target in
            if width == 0 { return unsafe target.update(repeating: base) }
            guard let source = bytes.baseAddress, let numbers = target.baseAddress else { return }
            unsafe unpack(numbers, count, source, bytes.count, base, width)
        }
    }

    private static func unpack<T: Bits>(
        _ numbers: UnsafeMutablePointer<T>, _ count: Int, _ source: UnsafeRawPointer, _ size: Int, _ base: T,
        _ width: Int
    ) {
        switch width {
        case 1: return unsafe SingleBits.unpack(numbers, count, source, base)
        case 8: return unsafe unpackWhole(numbers, count, source, base, UInt8.self)
        case 16: return unsafe unpackWhole(numbers, count, source, base, UInt16.self)
        case 32: return unsafe unpackWhole(numbers, count, source, base, UInt32.self)
        case 64: return unsafe unpackWhole(numbers, count, source, base, UInt64.self)
        default: break
        }
        let mask: UInt64 = (1 &<< UInt64(width)) &- 1
        // The numbers whose eight bytes lie inside.
        let safe = size < 8 ? 0 : min(count, ((size - 8) * 8) / width + 1)
        var bit = 0
        var index = 0
        if width <= 14 {
            // Four numbers and the bits before them are in one word.
            while index &+ 4 <= count, index < safe {
                var word = unsafe UInt64(littleEndian: source.loadUnaligned(fromByteOffset: bit &>> 3, as: UInt64.self))
                word = word &>> UInt64(bit & 7)
                for step in 0..<4 {
                    unsafe numbers[index &+ step] = T(truncatingIfNeeded: word & mask) &+ base
                    word = word &>> UInt64(width)
                }
                bit &+= width &* 4
                index &+= 4
            }
        }
        while index < safe {
            let word = unsafe UInt64(littleEndian: source.loadUnaligned(fromByteOffset: bit &>> 3, as: UInt64.self))
            unsafe numbers[index] = T(truncatingIfNeeded: (word &>> UInt64(bit & 7)) & mask) &+ base
            bit &+= width
            index &+= 1
        }
        if index == count { return }
        let tail = max(size - 16, 0)
        unsafe withUnsafeTemporaryAllocation(byteCount: 32, alignment: 8) { padded in
            unsafe padded.initializeMemory(as: UInt8.self, repeating: 0)
            unsafe padded.copyMemory(from: UnsafeRawBufferPointer(start: source + tail, count: size - tail))
            for index in index..<count {
                let word = unsafe UInt64(
                    littleEndian: padded.loadUnaligned(fromByteOffset: bit / 8 - tail, as: UInt64.self))
                unsafe numbers[index] = T(truncatingIfNeeded: (word &>> UInt64(bit & 7)) & mask) &+ base
                bit &+= width
            }
        }
    }

    @inline(__always)
    private static func unpackWhole<T: Bits, W: Bits>(
        _ target: UnsafeMutablePointer<T>, _ count: Int, _ source: UnsafeRawPointer, _ base: T, _ type: W.Type
    ) {
        for index in 0..<count {
            let value = unsafe source.loadUnaligned(fromByteOffset: index &* MemoryLayout<W>.size, as: W.self)
            unsafe target[index] = T(truncatingIfNeeded: W(littleEndian: value)) &+ base
        }
    }
}
