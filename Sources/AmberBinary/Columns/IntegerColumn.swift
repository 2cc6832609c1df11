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
    static func writePacked<T: Bits>(
        _ values: [T], signed: Bool, base: T, width: Int, to out: inout ByteWriter
    ) {
        out.write(zigzag: Int64(bitPattern: base.extended(signed: signed)))
        out.write(byte: UInt8(width))
        BitPacking.pack(values, base: base, width: width, to: &out)
    }

    /// Writes a column inside another.
    static func writeInner<T: Bits>(_ values: [T], signed: Bool, to out: inout ByteWriter, nesting: Int) {
        write(values, signed: signed, to: &out, nesting: nesting + 1)
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
            if width <= T.bitWidth, T.holds(base: base, width: 0, signed: signed) {
                try BitPacking.unpack(into: &target, base: 0, width: width, from: &input)
                let most = signed ? T.max >> 1 : T.max
                guard add(T(truncatingIfNeeded: base), to: &target, atMost: most) else {
                    throw ByteError(.inconsistent, at: start)
                }
                return
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

    /// Adds `base` to all numbers; `false` if one would be more than `most`.
    private static func add<T: Bits>(_ base: T, to target: inout [T], atMost most: T) -> Bool {
        var largest: T = 0
        for index in target.indices {
            largest = max(largest, target[index])
            target[index] &+= base
        }
        return largest <= most &- base
    }

    static func readWidth(from input: inout ByteReader) throws(ByteError) -> Int {
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
    static func readSlices(
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
    static func put<T: Bits>(_ number: UInt64, at index: Int, in target: inout [T], signed: Bool) -> UInt64 {
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
        case deltas: return try readDeltas(into: &target, signed: signed, from: &input)
        case runs: return try readRuns(into: &target, signed: signed, &input, nesting: nesting)
        case sparse: return try readSparse(into: &target, signed: signed, &input, nesting: nesting)
        default: throw ByteError(.unknownCode(Int(code)), at: start)
        }
    }

    /// Reads a column inside another.
    static func readInner<T: Bits>(
        into target: inout [T], signed: Bool, from input: inout ByteReader, nesting: Int
    ) throws(ByteError) {
        try read(into: &target, signed: signed, from: &input, nesting: nesting + 1)
    }
}

/// Unsigned integers as the bits of a column's numbers.
protocol Bits: FixedWidthInteger, UnsignedInteger, BitwiseCopyable {}
extension UInt8: Bits {}
extension UInt16: Bits {}
extension UInt32: Bits {}
extension UInt64: Bits {}

extension Bits {
    /// 0 if the number is 0, else 1: told without a branch, which no processor could foresee.
    @inline(__always)
    var isOther: Self { (self | (0 &- self)) &>> Self(truncatingIfNeeded: Self.bitWidth &- 1) }

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
