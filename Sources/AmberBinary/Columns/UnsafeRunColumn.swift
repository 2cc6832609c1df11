// Room:   AmberBinary / Columns. Integers as runs: numbers that repeat, one after the other.
// Takes:  numbers. Gives: the numbers of the runs and their lengths, each a column; back with every length checked.
// Touches: ByteWriter, ByteReader; arrays of numbers.
//
// Invariants
// 1. The number of runs that is written is counted beforehand; no more are stored.
// 2. Lengths are added up as they are read, and none reaches past the end of the column.

internal import AmberBytes

extension IntegerColumn {
    /// Writes a column of `count` runs.
    static func writeRuns<T: Bits>(
        _ values: [T], count: Int, signed: Bool, to out: inout ByteWriter, nesting: Int
    ) {
        out.write(byte: runs)
        out.write(count: count)
        var heads: [T] = []
        var lengths: [UInt64] = []
        heads.reserveCapacity(count)
        lengths.reserveCapacity(count)
        unsafe values.withUnsafeBufferPointer { values in
            var start = 0
            for index in 1..<values.count where unsafe values[index] != values[index &- 1] {
                unsafe heads.append(values[start])
                lengths.append(UInt64(truncatingIfNeeded: index &- start))
                start = index
            }
            unsafe heads.append(values[start])
            lengths.append(UInt64(truncatingIfNeeded: values.count &- start))
        }
        writeInner(heads, signed: signed, to: &out, nesting: nesting)
        writeInner(lengths, signed: false, to: &out, nesting: nesting)
    }

    /// Fills `target` from a column of runs, after its code; the bits of numbers that didn't fit.
    static func readRuns<T: Bits>(
        into target: inout [T], signed: Bool, _ input: inout ByteReader, nesting: Int
    ) throws(ByteError) -> UInt64 {
        guard nesting < nestingLimit else { throw ByteError(.inconsistent, at: input.position - 1) }
        // Lengths in half the memory, for there may be as many as numbers.
        return target.count <= Int(UInt32.max)
            ? try readRuns(into: &target, UInt32.self, signed: signed, &input, nesting: nesting)
            : try readRuns(into: &target, UInt64.self, signed: signed, &input, nesting: nesting)
    }

    private static func readRuns<T: Bits, Length: Bits>(
        into target: inout [T], _ length: Length.Type, signed: Bool, _ input: inout ByteReader, nesting: Int
    ) throws(ByteError) -> UInt64 {
        let start = input.position
        let count = try input.readCount()
        guard count <= target.count else { throw ByteError(.inconsistent, at: start) }
        // A run of one number may take a bit, or nothing where all are alike.
        let lent = try input.budget.borrow(count, each: MemoryLayout<T>.size + MemoryLayout<Length>.size, at: start)
        defer { input.budget.giveBack(lent) }
        var heads = [T](repeating: 0, count: count)
        try readInner(into: &heads, signed: signed, from: &input, nesting: nesting)
        var lengths = [Length](repeating: 0, count: count)
        try readInner(into: &lengths, signed: false, from: &input, nesting: nesting)
        let isWhole = unsafe target.withUnsafeMutableBufferPointer { target in
            var next = 0
            for index in heads.indices {
                let (head, length) = (heads[index], UInt64(lengths[index]))
                guard length > 0, length <= UInt64(target.count &- next) else { return false }
                let end = next &+ Int(truncatingIfNeeded: length)
                while next < end {
                    unsafe target[next] = head
                    next &+= 1
                }
            }
            return next == target.count
        }
        guard isWhole else { throw ByteError(.inconsistent, at: start) }
        return 0
    }
}
