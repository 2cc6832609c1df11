// Room:   AmberBinary / Columns. Values of fixed width as bytes: floats, dates, UUIDs.
// Takes:  rows and a width in bytes. Gives: a code byte and the bytes.
// Touches: rows, through Rows; ByteWriter, ByteReader.
//
// Invariants
// 1. What `appendUninitialized` makes room for is filled wholly: `count` values of `size` bytes.
// 2. A table looks only at values that were written, and at no more than `count` of them.

internal import AmberBytes
internal import AmberModel

/// The encodings of a column of values of fixed width.
///
/// | code | name | what follows |
/// |---|---|---|
/// | 0 | raw | n values |
/// | 1 | dictionary | number of distinct values (varint, at least 1), the values, an integer column of indexes |
enum RawColumn {
    static let raw: UInt8 = 0
    static let dictionary: UInt8 = 1

    static func write(_ rows: Rows, _ offset: Int, size: Int, _ numbers: inout [UInt64], to out: inout ByteWriter) {
        let start = out.count
        out.write(byte: raw)
        unsafe out.appendUninitialized(rows.count * size) { unsafe rows.gatherBytes(size, offset, into: $0) }
        let distinct = unsafe out.withBytes { written -> [UInt8] in
            let values = unsafe UnsafeRawBufferPointer(rebasing: written[(start + 1)...])
            var table = unsafe RawTable(values, size: size, count: rows.count)
            guard table.sampleIsRepetitive else { return [] }
            numbers.resize(to: rows.count)
            return table.index(into: &numbers) ? table.distinct : []
        }
        if distinct.isEmpty { return }
        out.truncate(to: start)
        out.write(byte: dictionary)
        out.write(count: distinct.count / size)
        out.write(bytes: distinct)
        IntegerColumn.write(numbers, signed: false, to: &out)
    }

    /// Reads a column of `count` values.
    static func read(
        count: Int, size: Int, _ numbers: inout [UInt64], from input: inout ByteReader
    ) throws(ByteError) -> RawValues {
        let start = input.position
        let code = try input.readByte()
        switch code {
        case raw:
            let (bytes, overflow) = count.multipliedReportingOverflow(by: size)
            guard !overflow else { throw ByteError(.truncated(needed: Int.max), at: start) }
            return unsafe RawValues(inInput: try unsafe input.readBytes(bytes), owned: [])
        case dictionary:
            let distinct = try input.readCount()
            guard distinct > 0 else { throw ByteError(.inconsistent, at: start) }
            guard distinct <= input.remaining / size else {
                throw ByteError(.truncated(needed: distinct), at: start)
            }
            let table = try input.readArray(distinct * size)
            numbers.resize(to: count)
            let place = input.position
            try IntegerColumn.read(into: &numbers, signed: false, from: &input)
            guard numbers.allSatisfy({ $0 < UInt64(distinct) }) else { throw ByteError(.inconsistent, at: place) }
            let values = unsafe [UInt8](unsafeUninitializedCapacity: count * size) { buffer, filled in
                unsafe table.withUnsafeBytes { table in
                    guard let source = table.baseAddress, let target = buffer.baseAddress else { return }
                    for index in 0..<count {
                        unsafe UnsafeMutableRawPointer(target + index * size)
                            .copyMemory(from: source + Int(numbers[index]) * size, byteCount: size)
                    }
                }
                filled = count * size
            }
            return unsafe RawValues(inInput: nil, owned: values)
        default: throw ByteError(.unknownCode(Int(code)), at: start)
        }
    }
}

/// The values of a column, side by side: in the input, or in memory of their own.
@safe
struct RawValues {
    fileprivate let inInput: UnsafeRawBufferPointer?
    fileprivate let owned: [UInt8]

    /// Gives `body` the address of the first value.
    @unsafe
    func withAddress<R, E: Error>(_ body: (UnsafeRawPointer) throws(E) -> R) throws(E) -> R? {
        if let inInput = unsafe inInput {
            guard let base = inInput.baseAddress else { return nil }
            return try unsafe body(base)
        }
        return unsafe try owned.withAddress(body)
    }
}

extension [UInt8] {
    @unsafe
    fileprivate func withAddress<R, E: Error>(_ body: (UnsafeRawPointer) throws(E) -> R) throws(E) -> R? {
        let result: Result<R, E>? = unsafe withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return nil }
            do throws(E) { return .success(try unsafe body(base)) } catch { return .failure(error) }
        }
        return try result?.get()
    }
}

/// The distinct values of a column.
@safe
private struct RawTable: ~Copyable {
    /// More distinct values than this take nearly as much as the values themselves.
    static let limit = 255

    private let values: UnsafeRawBufferPointer
    private let size: Int
    private let count: Int
    private(set) var distinct: [UInt8] = []
    private var slots = [UInt16](repeating: 0, count: 1024)

    init(_ values: UnsafeRawBufferPointer, size: Int, count: Int) {
        unsafe self.values = unsafe values
        self.size = size
        self.count = count
    }

    private func hash(_ index: Int) -> UInt64 {
        unsafe hashBytes(UnsafeRawBufferPointer(rebasing: values[index * size..<(index + 1) * size]))
    }

    /// Whether a sample has each value four times on average.
    var sampleIsRepetitive: Bool {
        guard count >= 16 else { return false }
        let sampled = min(count, 64)
        var seen: Set<UInt64> = []
        for step in 0..<sampled {
            seen.insert(hash(step * count / sampled))
            if seen.count * 4 > sampled { return false }
        }
        return true
    }

    /// Fills in the index of each value; `false` if there are too many distinct ones.
    mutating func index(into numbers: inout [UInt64]) -> Bool {
        for index in 0..<count {
            let value = unsafe UnsafeRawBufferPointer(rebasing: values[index * size..<(index + 1) * size])
            var slot = Int(truncatingIfNeeded: hash(index) & 1023)
            while true {
                let entry = Int(slots[slot])
                if entry == 0 {
                    let number = distinct.count / size
                    guard number < min(Self.limit, count / 4) else { return false }
                    unsafe distinct.append(contentsOf: value)
                    slots[slot] = UInt16(number + 1)
                    numbers[index] = UInt64(number)
                    break
                }
                let start = (entry - 1) * size
                if unsafe distinct.withUnsafeBytes({
                    unsafe equalBytes(value, $0.baseAddress.unsafelyUnwrapped + start)
                }) {
                    numbers[index] = UInt64(entry - 1)
                    break
                }
                slot = (slot + 1) & 1023
            }
        }
        return true
    }
}
