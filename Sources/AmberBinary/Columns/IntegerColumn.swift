// Room:   AmberBinary / Columns. One column of integers: the encodings, and which is smallest.
// Takes:  numbers of 64 bits, signed or not. Gives: a code byte and what it says; back with every count checked.
// Touches: ByteWriter, ByteReader, BitPacking.

internal import AmberBytes

/// The encodings of a column of integers.
///
/// All arithmetic is modulo 2^64, so that signed and unsigned numbers are written alike.
///
/// | code | name | what follows |
/// |---|---|---|
/// | 0 | packed | base (zigzag varint), width (byte), `ceil(n * width / 8)` bytes: value minus base in `width` bits each |
/// | 1 | deltas | first value (zigzag varint), then n - 1 differences as a packed column without its code |
/// | 2 | runs | number of runs (varint), a column of the runs' values, a column of their lengths |
enum IntegerColumn {
    static let packed: UInt8 = 0
    static let deltas: UInt8 = 1
    static let runs: UInt8 = 2

    /// How deep runs may be nested in each other: more saves nothing, and costs the reader's stack.
    private static let runNesting = 2

    /// Writes a column. The numbers are used up: their memory holds something else afterwards.
    static func write(_ values: inout [UInt64], signed: Bool, to out: inout ByteWriter, nesting: Int = 0) {
        let facts = IntegerFacts(values[...], signed: signed)
        let plainBits = facts.width * values.count
        if plainBits > 64 {
            // A run costs its value and its length.
            let lengthWidth = UInt64.width(of: UInt64(values.count / facts.runCount)) + 2
            let runBits = facts.runCount * (facts.width + lengthWidth) + 64
            let deltaBits = IntegerFacts.deltaWidth(values, below: facts.width) * values.count
            if runBits < plainBits, runBits <= deltaBits, nesting < runNesting {
                return writeRuns(values, count: facts.runCount, signed: signed, to: &out, nesting: nesting)
            }
            if deltaBits + 64 < plainBits {
                return writeDeltas(&values, to: &out)
            }
        }
        out.write(byte: packed)
        writePacked(values, from: 0, facts, to: &out)
    }

    private static func writePacked(
        _ values: [UInt64], from start: Int, _ facts: IntegerFacts, to out: inout ByteWriter
    ) {
        out.write(zigzag: Int64(bitPattern: facts.base))
        out.write(byte: UInt8(facts.width))
        BitPacking.pack(values, from: start, base: facts.base, width: facts.width, to: &out)
    }

    private static func writeDeltas(_ values: inout [UInt64], to out: inout ByteWriter) {
        out.write(byte: deltas)
        out.write(zigzag: Int64(bitPattern: values[0]))
        for index in stride(from: values.count - 1, to: 0, by: -1) {
            values[index] &-= values[index - 1]
        }
        writePacked(values, from: 1, IntegerFacts(values[1...], signed: true), to: &out)
    }

    private static func writeRuns(
        _ values: [UInt64], count: Int, signed: Bool, to out: inout ByteWriter, nesting: Int
    ) {
        out.write(byte: runs)
        out.write(count: count)
        var heads: [UInt64] = []
        var lengths: [UInt64] = []
        heads.reserveCapacity(count)
        lengths.reserveCapacity(count)
        var start = 0
        for index in 1...values.count where index == values.count || values[index] != values[start] {
            heads.append(values[start])
            lengths.append(UInt64(index - start))
            start = index
        }
        write(&heads, signed: signed, to: &out, nesting: nesting + 1)
        write(&lengths, signed: false, to: &out, nesting: nesting + 1)
    }

    /// Fills `target` with a column of as many numbers.
    static func read(
        into target: inout [UInt64], from input: inout ByteReader, nesting: Int = 0
    ) throws(ByteError) {
        let start = input.position
        let code = try input.readByte()
        switch code {
        case packed: try readPacked(into: &target, from: 0, &input)
        case deltas:
            guard target.count > 0 else { throw ByteError(.inconsistent, at: start) }
            var value = UInt64(bitPattern: try input.readZigzag())
            try readPacked(into: &target, from: 1, &input)
            target[0] = value
            for index in 1..<target.count {
                value &+= target[index]
                target[index] = value
            }
        case runs:
            guard nesting < runNesting else { throw ByteError(.inconsistent, at: start) }
            try readRuns(into: &target, &input, nesting: nesting)
        default: throw ByteError(.unknownCode(Int(code)), at: start)
        }
    }

    private static func readPacked(
        into target: inout [UInt64], from start: Int, _ input: inout ByteReader
    ) throws(ByteError) {
        let base = UInt64(bitPattern: try input.readZigzag())
        let place = input.position
        let width = Int(try input.readByte())
        guard BitPacking.isWidth(width) else { throw ByteError(.unknownCode(width), at: place) }
        try BitPacking.unpack(into: &target, from: start, base: base, width: width, &input)
    }

    private static func readRuns(
        into target: inout [UInt64], _ input: inout ByteReader, nesting: Int
    ) throws(ByteError) {
        let start = input.position
        let count = try input.readCount()
        guard count <= target.count else { throw ByteError(.inconsistent, at: start) }
        var heads = [UInt64](repeating: 0, count: count)
        var lengths = heads
        try read(into: &heads, from: &input, nesting: nesting + 1)
        try read(into: &lengths, from: &input, nesting: nesting + 1)
        var next = 0
        for (head, length) in zip(heads, lengths) {
            guard length > 0, length <= UInt64(target.count - next) else { throw ByteError(.inconsistent, at: start) }
            for index in next..<next + Int(length) { target[index] = head }
            next += Int(length)
        }
        guard next == target.count else { throw ByteError(.inconsistent, at: start) }
    }
}

/// What decides the encoding of a column.
struct IntegerFacts {
    /// The smallest value.
    let base: UInt64
    /// Bits of the largest difference to the smallest.
    let width: Int
    /// The number of stretches of equal values.
    let runCount: Int

    init(_ values: ArraySlice<UInt64>, signed: Bool) {
        guard let first = values.first else {
            (base, width, runCount) = (0, 0, 0)
            return
        }
        // With the top bit flipped, signed numbers compare as unsigned ones do.
        let flip: UInt64 = signed ? 1 << 63 : 0
        var least = first ^ flip
        var most = least
        var changes = 0
        var previous = first
        for value in values {
            let key = value ^ flip
            least = min(least, key)
            most = max(most, key)
            changes &+= value == previous ? 0 : 1
            previous = value
        }
        base = least ^ flip
        width = BitPacking.width(for: most &- least)
        runCount = changes + 1
    }

    /// The bits of the differences between neighbours, or `limit` as soon as it is clear that they aren't fewer.
    static func deltaWidth(_ values: [UInt64], below limit: Int) -> Int {
        var least = Int64.max
        var most = Int64.min
        var previous = values[0]
        for index in 1..<values.count {
            let difference = Int64(bitPattern: values[index] &- previous)
            previous = values[index]
            least = min(least, difference)
            most = max(most, difference)
            if index & 31 == 0, BitPacking.width(for: UInt64(bitPattern: most &- least)) >= limit { return limit }
        }
        guard least <= most else { return limit }
        return min(BitPacking.width(for: UInt64(bitPattern: most &- least)), limit)
    }
}

extension UInt64 {
    /// The bits that hold `value`.
    static func width(of value: UInt64) -> Int { 64 - value.leadingZeroBitCount }
}

extension [UInt64] {
    /// Makes room for exactly `count` numbers, whose values don't matter.
    mutating func resize(to count: Int) {
        if self.count > count {
            removeLast(self.count - count)
        } else if self.count < count {
            append(contentsOf: repeatElement(0, count: count - self.count))
        }
    }
}
