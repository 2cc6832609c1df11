// Room:   AmberBinary / Columns. Columns that are passed over without a look at what they hold.
// Takes:  how many values a column has. Gives: the reader's place after it.
// Touches: ByteReader: only the numbers that say how long something is are read.

internal import AmberBytes

extension IntegerColumn {
    /// Passes over a column of `count` numbers.
    static func pass(_ count: Int, from input: inout ByteReader, nesting: Int = 0) throws(ByteError) {
        let start = input.position
        let code = try input.readByte()
        switch code {
        case packed: try passPacked(count, from: &input)
        case deltas:
            guard count > 0 else { throw ByteError(.inconsistent, at: start) }
            _ = try input.readZigzag()
            try passPacked(count - 1, from: &input)
        case runs:
            let runCount = try input.readCount()
            guard runCount <= count, nesting < nestingLimit else { throw ByteError(.inconsistent, at: start) }
            try pass(runCount, from: &input, nesting: nesting + 1)
            try pass(runCount, from: &input, nesting: nesting + 1)
        case sparse:
            _ = try input.readZigzag()
            let others = try input.readCount()
            guard others <= count, nesting < nestingLimit else { throw ByteError(.inconsistent, at: start) }
            try input.skip(bits: 1, count: count)
            try pass(others, from: &input, nesting: nesting + 1)
        default: throw ByteError(.unknownCode(Int(code)), at: start)
        }
    }

    private static func passPacked(_ count: Int, from input: inout ByteReader) throws(ByteError) {
        _ = try input.readZigzag()
        let place = input.position
        let width = Int(try input.readByte())
        guard BitPacking.isWidth(width) else { throw ByteError(.unknownCode(width), at: place) }
        try input.skip(bits: width, count: count)
    }
}

extension RawColumn {
    /// Passes over a column of `count` values of `size` bytes.
    static func pass(_ count: Int, size: Int, from input: inout ByteReader) throws(ByteError) {
        let start = input.position
        let code = try input.readByte()
        switch code {
        case raw: try input.skip(bits: size * 8, count: count)
        case dictionary:
            try input.skip(bits: size * 8, count: try input.readCount())
            try IntegerColumn.pass(count, from: &input)
        default: throw ByteError(.unknownCode(Int(code)), at: start)
        }
    }
}

extension StringColumn {
    /// Passes over a column of `count` strings.
    static func pass(_ count: Int, _ numbers: inout [UInt64], from input: inout ByteReader) throws(ByteError) {
        let start = input.position
        let code = try input.readByte()
        switch code {
        case plain: try passBlocks(count, &numbers, from: &input)
        case dictionary:
            let place = input.position
            let distinct = try input.readCount()
            guard distinct <= input.remaining + 1 else { throw ByteError(.truncated(needed: distinct), at: place) }
            try passBlocks(distinct, &numbers, from: &input)
            try IntegerColumn.pass(count, from: &input)
        default: throw ByteError(.unknownCode(Int(code)), at: start)
        }
    }

    /// Passes over `count` sizes and as many bytes as they add up to.
    static func passBlocks(_ count: Int, _ numbers: inout [UInt64], from input: inout ByteReader) throws(ByteError) {
        numbers.resize(to: count)
        _ = try unsafe readBlocks(&numbers, from: &input)
    }
}

extension ByteReader {
    /// Passes over `count` numbers of `bits` bits each, the last of which ends with a whole byte.
    fileprivate mutating func skip(bits: Int, count: Int) throws(ByteError) {
        let (total, overflow) = count.multipliedReportingOverflow(by: bits)
        guard !overflow, total <= Int.max - 7 else { throw ByteError(.truncated(needed: Int.max), at: position) }
        try skip((total + 7) / 8)
    }
}
