// Room:   AmberBinary / Columns. Integers of which one is common.
// Takes:  numbers. Gives: the common one, a bit for each that says whether it is another, and a column of the others.
// Touches: ByteWriter, ByteReader, BitPacking; arrays of numbers.
//
// Invariants
// 1. Others are stored at an index that is at most that of the number looked at, in an array of as many numbers.
// 2. Others are read at an index up to their count, where one number more stands that nothing takes.

internal import AmberBytes

extension IntegerColumn {
    /// Writes a column in which one number is common, if that saves an eighth; `false` if it has written nothing.
    static func writeSparse<T: Bits>(
        _ values: [T], _ common: T, _ width: Int, signed: Bool, to out: inout ByteWriter, nesting: Int
    ) -> Bool {
        let count = countOthers(values, common)
        guard count * width + values.count + 128 < values.count * width * 7 / 8 else { return false }
        var flags: [UInt8] = []
        let others = unsafe [T](unsafeUninitializedCapacity: values.count) { others, filled in
            unsafe flags = [UInt8](unsafeUninitializedCapacity: values.count) { flags, filled in
                unsafe separate(values, common, flags.baseAddress, others.baseAddress)
                filled = values.count
            }
            filled = count
        }
        out.write(byte: sparse)
        out.write(zigzag: Int64(bitPattern: common.extended(signed: signed)))
        out.write(count: count)
        BitPacking.pack(flags, base: 0, width: 1, to: &out)
        writeInner(others, signed: signed, to: &out, nesting: nesting)
        return true
    }

    private static func countOthers<T: Bits>(_ values: [T], _ common: T) -> Int {
        var count = 0
        unsafe values.withUnsafeBufferPointer { values in
            guard let numbers = values.baseAddress else { return }
            var index = 0
            while index < values.count {
                // So many at a time fit in the smallest numbers, of which a processor adds the most at once.
                let end = min(index &+ IntegerFacts<T>.stretch, values.count)
                var part: T = 0
                while index < end {
                    unsafe part &+= (numbers[index] ^ common).isOther
                    index &+= 1
                }
                count &+= Int(truncatingIfNeeded: part)
            }
        }
        return count
    }

    private static func separate<T: Bits>(
        _ values: [T], _ common: T, _ flags: UnsafeMutablePointer<UInt8>?, _ others: UnsafeMutablePointer<T>?
    ) {
        guard let flags = unsafe flags, let others = unsafe others else { return }
        unsafe values.withUnsafeBufferPointer { values in
            guard let numbers = values.baseAddress else { return }
            var next = 0
            var index = 0
            while index < values.count {
                let value = unsafe numbers[index]
                let isOther = (value ^ common).isOther
                unsafe (flags + index).initialize(to: UInt8(truncatingIfNeeded: isOther))
                unsafe (others + next).initialize(to: value)
                next &+= Int(truncatingIfNeeded: isOther)
                index &+= 1
            }
        }
    }

    /// Fills `target` from a column in which one number is common, after its code; the bits of numbers that didn't fit.
    static func readSparse<T: Bits>(
        into target: inout [T], signed: Bool, _ input: inout ByteReader, nesting: Int
    ) throws(ByteError) -> UInt64 {
        let start = input.position
        guard nesting < nestingLimit else { throw ByteError(.inconsistent, at: start - 1) }
        let common = UInt64(bitPattern: try input.readZigzag())
        let count = try input.readCount()
        guard count <= target.count else { throw ByteError(.inconsistent, at: start) }
        let lent =
            try input.budget.borrow(target.count, each: 1, at: start)
            + input.budget.borrow(count, each: MemoryLayout<T>.size, at: start)
        defer { input.budget.giveBack(lent) }
        var flags = [UInt8](repeating: 0, count: target.count)
        try BitPacking.unpack(into: &flags, base: 0, width: 1, from: &input)
        guard flags.reduce(0, { $0 &+ Int($1) }) == count else { throw ByteError(.inconsistent, at: start) }
        var others: [T] = []
        others.reserveCapacity(count + 1)
        others.resize(to: count)
        try readInner(into: &others, signed: signed, from: &input, nesting: nesting)
        others.append(0)
        let value = T(truncatingIfNeeded: common)
        unsafe target.withUnsafeMutableBufferPointer { target in
            unsafe flags.withUnsafeBufferPointer { flags in
                unsafe others.withUnsafeBufferPointer { others in
                    var next = 0
                    for index in 0..<target.count {
                        let isOther = unsafe flags[index]
                        let mask = 0 &- T(truncatingIfNeeded: isOther)
                        unsafe target[index] = (others[next] & mask) | (value & ~mask)
                        next &+= Int(truncatingIfNeeded: isOther)
                    }
                }
            }
        }
        return count == target.count ? 0 : value.extended(signed: signed) ^ common
    }
}
