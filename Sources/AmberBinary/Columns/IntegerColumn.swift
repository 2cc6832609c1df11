// Room:   AmberBinary / Columns. One column of integers: the encodings, and which is smallest.
// Takes:  numbers of 8 to 64 bits, signed or not. Gives: a code byte and what it says; back with every number checked.
// Touches: ByteWriter, ByteReader, BitPacking.

internal import AmberBytes

/// The encodings of a column of integers.
///
/// All arithmetic is modulo 2^64 on sign-extended numbers, so that signed and unsigned ones are written alike.
///
/// | code | name | what follows |
/// |---|---|---|
/// | 0 | packed | base (zigzag varint), width (byte), `ceil(n * width / 8)` bytes: number minus base in `width` bits each |
/// | 1 | deltas | first number (zigzag varint), then n - 1 differences as a packed column without its code |
/// | 2 | runs | number of runs (varint), a column of the runs' numbers, a column of their lengths |
/// | 3 | sparse | a common number (zigzag varint), number of others (varint), n bits: 1 where there is another, a column of the others |
enum IntegerColumn {
    static let packed: UInt8 = 0
    static let deltas: UInt8 = 1
    static let runs: UInt8 = 2
    static let sparse: UInt8 = 3

    /// How deep columns of runs and sparse ones may be nested in each other: more saves nothing.
    static let nestingLimit = 2

    // MARK: Writing

    /// Writes a column. The numbers are bits of a signed or unsigned type of their width.
    @inline(__always)
    static func write<T: Bits>(_ values: [T], signed: Bool, to out: inout ByteWriter, nesting: Int = 0) {
        let facts = IntegerFacts(values, signed: signed)
        let plainBits = facts.width * values.count
        if plainBits > 64 {
            // A run costs its number and its length.
            let lengthWidth = UInt64.width(of: UInt64(values.count / facts.runCount)) + 2
            let runBits = facts.runCount * (facts.width + lengthWidth) + 64
            let deltaBits = IntegerFacts.deltaWidth(values, signed: signed, below: facts.width) * values.count
            if nesting < nestingLimit, runBits < plainBits, runBits <= deltaBits {
                return writeRuns(values, count: facts.runCount, signed: signed, to: &out, nesting: nesting)
            }
            if deltaBits + 64 < plainBits {
                return writeDeltas(values, signed: signed, to: &out)
            }
            if nesting < nestingLimit, facts.width > 2, let common = IntegerFacts.common(values),
                writeSparse(values, common, facts.width, signed: signed, to: &out, nesting: nesting)
            {
                return
            }
        }
        out.write(byte: packed)
        writePacked(values, signed: signed, base: facts.base, width: facts.width, to: &out)
    }

    @inline(__always)
    private static func writePacked<T: Bits>(
        _ values: [T], signed: Bool, base: T, width: Int, to out: inout ByteWriter
    ) {
        out.write(zigzag: Int64(bitPattern: base.extended(signed: signed)))
        out.write(byte: UInt8(width))
        BitPacking.pack(values, base: base, width: width, to: &out)
    }

    private static func writeDeltas<T: Bits>(_ values: [T], signed: Bool, to out: inout ByteWriter) {
        out.write(byte: deltas)
        var previous = values[0].extended(signed: signed)
        out.write(zigzag: Int64(bitPattern: previous))
        var differences: [UInt64] = []
        differences.reserveCapacity(values.count - 1)
        for value in values.dropFirst() {
            let next = value.extended(signed: signed)
            differences.append(next &- previous)
            previous = next
        }
        let facts = IntegerFacts(differences, signed: true)
        writePacked(differences, signed: true, base: facts.base, width: facts.width, to: &out)
    }

    private static func writeRuns<T: Bits>(
        _ values: [T], count: Int, signed: Bool, to out: inout ByteWriter, nesting: Int
    ) {
        out.write(byte: runs)
        out.write(count: count)
        var heads: [UInt64] = []
        var lengths: [UInt64] = []
        heads.reserveCapacity(count)
        lengths.reserveCapacity(count)
        var start = 0
        for index in 1...values.count where index == values.count || values[index] != values[start] {
            heads.append(values[start].extended(signed: signed))
            lengths.append(UInt64(index - start))
            start = index
        }
        writeInner(heads, signed: signed, to: &out, nesting: nesting + 1)
        writeInner(lengths, signed: false, to: &out, nesting: nesting + 1)
    }

    /// Writes a column in which one number is common, if that saves an eighth; `false` if it has written nothing.
    private static func writeSparse<T: Bits>(
        _ values: [T], _ common: T, _ width: Int, signed: Bool, to out: inout ByteWriter, nesting: Int
    ) -> Bool {
        var flags = [UInt8](repeating: 0, count: values.count)
        var others: [UInt64] = []
        for index in values.indices where values[index] != common {
            flags[index] = 1
            others.append(values[index].extended(signed: signed))
        }
        guard others.count * width + values.count + 128 < values.count * width * 7 / 8 else { return false }
        out.write(byte: sparse)
        out.write(zigzag: Int64(bitPattern: common.extended(signed: signed)))
        out.write(count: others.count)
        BitPacking.pack(flags, base: 0, width: 1, to: &out)
        writeInner(others, signed: signed, to: &out, nesting: nesting + 1)
        return true
    }

    private static func writeInner(_ values: [UInt64], signed: Bool, to out: inout ByteWriter, nesting: Int) {
        write(values, signed: signed, to: &out, nesting: nesting)
    }

    // MARK: Reading

    /// Fills `target` with a column of as many numbers, all of which fit in its elements.
    @inline(__always)
    static func read<T: Bits>(
        into target: inout [T], signed: Bool, from input: inout ByteReader, nesting: Int = 0
    ) throws(ByteError) {
        let start = input.position
        let code = try input.readByte()
        if code == packed {
            let base = UInt64(bitPattern: try input.readZigzag())
            let width = try readWidth(from: &input)
            if T.holds(base: base, width: width, signed: signed) {
                return try BitPacking.unpack(
                    into: &target, base: T(truncatingIfNeeded: base), width: width, from: &input)
            }
            var faults: UInt64 = 0
            try readSlices(target.count, base: base, width: width, from: &input) { index, number in
                faults |= put(number, at: index, in: &target, signed: signed)
            }
            guard faults == 0 else { throw ByteError(.inconsistent, at: start) }
            return
        }
        guard try readOther(code, into: &target, signed: signed, from: &input, nesting: nesting) == 0 else {
            throw ByteError(.inconsistent, at: start)
        }
    }

    private static func readWidth(from input: inout ByteReader) throws(ByteError) -> Int {
        let place = input.position
        let width = Int(try input.readByte())
        guard BitPacking.isWidth(width) else { throw ByteError(.unknownCode(width), at: place) }
        return width
    }

    /// How many packed numbers are in 64 bits each at a time: whole bytes in every width.
    private static let sliceSize = 4096

    /// Calls `take` with the index and value of each of `count` packed numbers, which together may need more memory in
    /// 64 bits each than the values that they become.
    @inline(__always)
    private static func readSlices(
        _ count: Int, base: UInt64, width: Int, from input: inout ByteReader, _ take: (Int, UInt64) -> Void
    ) throws(ByteError) {
        var slice: [UInt64] = []
        var start = 0
        while start < count {
            slice.resize(to: min(count - start, sliceSize))
            try BitPacking.unpack(into: &slice, base: base, width: width, from: &input)
            for index in slice.indices { take(start &+ index, slice[index]) }
            start += slice.count
        }
    }

    /// Stores a number; the bits that didn't fit, so that 0 means that all is well.
    @inline(__always)
    private static func put<T: Bits>(_ number: UInt64, at index: Int, in target: inout [T], signed: Bool) -> UInt64 {
        let value = T(truncatingIfNeeded: number)
        target[index] = value
        return value.extended(signed: signed) ^ number
    }

    /// Fills `target` from a column that isn't packed; the bits of numbers that didn't fit.
    private static func readOther<T: Bits>(
        _ code: UInt8, into target: inout [T], signed: Bool, from input: inout ByteReader, nesting: Int
    ) throws(ByteError) -> UInt64 {
        let start = input.position - 1
        switch code {
        case deltas:
            guard target.count > 0 else { throw ByteError(.inconsistent, at: start) }
            var value = UInt64(bitPattern: try input.readZigzag())
            let base = UInt64(bitPattern: try input.readZigzag())
            let width = try readWidth(from: &input)
            var faults = put(value, at: 0, in: &target, signed: signed)
            try readSlices(target.count - 1, base: base, width: width, from: &input) { index, difference in
                value &+= difference
                faults |= put(value, at: index &+ 1, in: &target, signed: signed)
            }
            return faults
        case runs:
            guard nesting < nestingLimit else { throw ByteError(.inconsistent, at: start) }
            // Lengths in half the memory, for there may be as many as numbers.
            return target.count <= Int(UInt32.max)
                ? try readRuns(into: &target, UInt32.self, signed: signed, &input, nesting: nesting)
                : try readRuns(into: &target, UInt64.self, signed: signed, &input, nesting: nesting)
        case sparse:
            guard nesting < nestingLimit else { throw ByteError(.inconsistent, at: start) }
            return try readSparse(into: &target, signed: signed, &input, nesting: nesting)
        default: throw ByteError(.unknownCode(Int(code)), at: start)
        }
    }

    private static func readSparse<T: Bits>(
        into target: inout [T], signed: Bool, _ input: inout ByteReader, nesting: Int
    ) throws(ByteError) -> UInt64 {
        let start = input.position
        let common = UInt64(bitPattern: try input.readZigzag())
        let count = try input.readCount()
        guard count <= target.count else { throw ByteError(.inconsistent, at: start) }
        var flags = [UInt8](repeating: 0, count: target.count)
        try BitPacking.unpack(into: &flags, base: 0, width: 1, from: &input)
        guard flags.reduce(0, { $0 + Int($1) }) == count else { throw ByteError(.inconsistent, at: start) }
        var others = [T](repeating: 0, count: count)
        try readInner(into: &others, signed: signed, from: &input, nesting: nesting + 1)
        var next = 0
        var faults: UInt64 = 0
        for index in target.indices {
            if flags[index] == 0 {
                faults |= put(common, at: index, in: &target, signed: signed)
            } else {
                target[index] = others[next]
                next += 1
            }
        }
        return faults
    }

    private static func readRuns<T: Bits, Length: Bits>(
        into target: inout [T], _ length: Length.Type, signed: Bool, _ input: inout ByteReader, nesting: Int
    ) throws(ByteError) -> UInt64 {
        let start = input.position
        let count = try input.readCount()
        guard count <= target.count else { throw ByteError(.inconsistent, at: start) }
        var heads = [T](repeating: 0, count: count)
        try readInner(into: &heads, signed: signed, from: &input, nesting: nesting + 1)
        var lengths = [Length](repeating: 0, count: count)
        try readInner(into: &lengths, signed: false, from: &input, nesting: nesting + 1)
        var next = 0
        for (head, length) in zip(heads, lengths) {
            guard length > 0, UInt64(length) <= UInt64(target.count - next) else {
                throw ByteError(.inconsistent, at: start)
            }
            for index in next..<next + Int(length) { target[index] = head }
            next += Int(length)
        }
        guard next == target.count else { throw ByteError(.inconsistent, at: start) }
        return 0
    }

    private static func readInner<T: Bits>(
        into target: inout [T], signed: Bool, from input: inout ByteReader, nesting: Int
    ) throws(ByteError) {
        try read(into: &target, signed: signed, from: &input, nesting: nesting)
    }
}

/// Unsigned integers as the bits of a column's numbers.
protocol Bits: FixedWidthInteger, UnsignedInteger, BitwiseCopyable {}
extension UInt8: Bits {}
extension UInt16: Bits {}
extension UInt32: Bits {}
extension UInt64: Bits {}

extension Bits {
    /// The number in 64 bits, sign-extended if it is a signed one.
    @inline(__always)
    func extended(signed: Bool) -> UInt64 {
        let unused = UInt64(truncatingIfNeeded: 64 &- Self.bitWidth)
        let wide = UInt64(truncatingIfNeeded: self)
        return signed ? UInt64(bitPattern: (Int64(bitPattern: wide &<< unused)) &>> Int64(unused)) : wide
    }

    /// Whether every number from `base` to `base` plus the largest of `width` bits fits.
    static func holds(base: UInt64, width: Int, signed: Bool) -> Bool {
        if bitWidth == 64 { return true }
        guard width <= bitWidth else { return false }
        let reach = Int64((1 as UInt64) << UInt64(width) - 1)
        let base = Int64(bitPattern: base)
        let top = Int64(1) << Int64(signed ? bitWidth - 1 : bitWidth)
        let bottom = signed ? -top : 0
        return base >= bottom && base < top && base + reach < top
    }
}

/// What decides the encoding of a column.
struct IntegerFacts<T: Bits> {
    /// The smallest number.
    let base: T
    /// Bits of the largest difference to the smallest.
    let width: Int
    /// The number of stretches of equal numbers.
    let runCount: Int

    @inline(__always)
    init(_ values: [T], signed: Bool) {
        guard let first = values.first else {
            (base, width, runCount) = (0, 0, 0)
            return
        }
        // With the top bit flipped, signed numbers compare as unsigned ones do.
        let flip: T = signed ? 1 &<< T(truncatingIfNeeded: T.bitWidth &- 1) : 0
        var least = first ^ flip
        var most = least
        for value in values {
            let key = value ^ flip
            least = min(least, key)
            most = max(most, key)
        }
        base = least ^ flip
        width = BitPacking.width(for: UInt64(most &- least))
        if width == 0 {
            runCount = 1
            return
        }
        var changes = 0
        for index in 1..<values.count { changes &+= values[index] == values[index &- 1] ? 0 : 1 }
        runCount = changes + 1
    }

    /// A number that a sample shows to be common.
    static func common(_ values: [T]) -> T? {
        let sampled = min(values.count, 64)
        // Boyer and Moore's vote finds the number that most have, if there is one.
        var candidate = values[0]
        var votes = 0
        for step in 0..<sampled {
            let value = values[step * values.count / sampled]
            if votes == 0 { candidate = value }
            votes += value == candidate ? 1 : -1
        }
        var seen = 0
        for step in 0..<sampled where values[step * values.count / sampled] == candidate { seen += 1 }
        return seen * 5 > sampled * 2 ? candidate : nil
    }

    /// The bits of the differences between neighbours, or `limit` as soon as it is clear that they aren't fewer.
    @inline(__always)
    static func deltaWidth(_ values: [T], signed: Bool, below limit: Int) -> Int {
        var least = Int64.max
        var most = Int64.min
        var previous = values[0].extended(signed: signed)
        for index in 1..<values.count {
            let value = values[index].extended(signed: signed)
            let difference = Int64(bitPattern: value &- previous)
            previous = value
            least = min(least, difference)
            most = max(most, difference)
            if index & 15 == 0, BitPacking.width(for: UInt64(bitPattern: most &- least)) >= limit { return limit }
        }
        guard least <= most else { return limit }
        return min(BitPacking.width(for: UInt64(bitPattern: most &- least)), limit)
    }
}

extension UInt64 {
    /// The bits that hold `value`.
    static func width(of value: UInt64) -> Int { 64 - value.leadingZeroBitCount }
}

extension Array where Element: Bits {
    /// Makes room for exactly `count` numbers, whose values don't matter.
    mutating func resize(to count: Int) {
        if self.count > count {
            removeLast(self.count - count)
        } else if self.count < count {
            append(contentsOf: repeatElement(0, count: count - self.count))
        }
    }
}

/// Memory for the numbers of the column at hand, kept from column to column.
struct ColumnScratch {
    var u8: [UInt8] = []
    var u16: [UInt16] = []
    var u32: [UInt32] = []
    var u64: [UInt64] = []
}
