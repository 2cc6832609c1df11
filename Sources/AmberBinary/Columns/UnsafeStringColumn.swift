// Room:   AmberBinary / Columns. A column of strings: side by side, or as indexes into the distinct ones.
// Takes:  rows of strings. Gives: a code byte and what it says; back with shared strings made once.
// Touches: strings in rows; ByteWriter, ByteReader.
//
// Invariants
// 1. Rows hold initialised strings when written, and uninitialised memory when read.
// 2. Reading initialises all rows or none: everything is checked before the first string is made.
// 3. Bits of a string are copied to other rows only with a reference count for each copy.

internal import AmberBytes
internal import AmberModel

/// The encodings of a column of strings.
///
/// | code | name | what follows |
/// |---|---|---|
/// | 0 | plain | an integer column of sizes in bytes, the UTF-8 of all strings |
/// | 1 | dictionary | number of distinct strings (varint, at least 1), these as a plain column without its code, an integer column of indexes |
enum StringColumn {
    static let plain: UInt8 = 0
    static let dictionary: UInt8 = 1

    static func write(_ rows: Rows, _ offset: Int, _ numbers: inout [UInt64], to out: inout ByteWriter) {
        if var table = StringTable(sampling: rows, offset) {
            numbers.resize(to: rows.count)
            if table.index(rows, offset, into: &numbers) {
                out.write(byte: dictionary)
                out.write(count: table.count)
                table.write(to: &out)
                return IntegerColumn.write(numbers, signed: false, to: &out)
            }
        }
        out.write(byte: plain)
        numbers.resize(to: rows.count)
        var total = 0
        unsafe rows.forEach(offset) { address, index in
            let size = unsafe stringSize(address)
            numbers[index] = UInt64(size)
            total += size
        }
        IntegerColumn.write(numbers, signed: false, to: &out)
        unsafe out.appendUninitialized(total) { target in
            var written = 0
            unsafe rows.forEach(offset) { address, _ in
                unsafe withStringBytes(address) { bytes in
                    // A string that another thread lengthened meanwhile must not be written past the end.
                    guard let source = bytes.baseAddress, bytes.count <= total - written else { return }
                    unsafe (target + written).copyMemory(from: source, byteCount: bytes.count)
                    written += bytes.count
                }
            }
        }
    }

    /// Fills rows with a column of strings.
    static func read(
        into rows: Rows, _ offset: Int, _ numbers: inout [UInt64], from input: inout ByteReader
    ) throws(ByteError) {
        let start = input.position
        let code = try input.readByte()
        switch code {
        case plain:
            numbers.resize(to: rows.count)
            let (bytes, isASCII) = try unsafe readPlain(&numbers, from: &input)
            var next = 0
            unsafe rows.forEach(offset) { address, index in
                let size = Int(truncatingIfNeeded: numbers[index])
                let part = unsafe UnsafeRawBufferPointer(rebasing: bytes[next..<next &+ size])
                unsafe address.initializeMemory(as: String.self, to: uncheckedString(part, isASCII: isASCII))
                next &+= size
            }
        case dictionary:
            let strings = try readDistinct(from: &input)
            numbers.resize(to: rows.count)
            let place = input.position
            try IntegerColumn.read(into: &numbers, signed: false, from: &input)
            var uses = [Int](repeating: 0, count: strings.count)
            for number in numbers {
                guard number < UInt64(strings.count) else { throw ByteError(.inconsistent, at: place) }
                uses[Int(number)] += 1
            }
            unsafe strings.withUnsafeBytes { bits in
                guard let base = bits.baseAddress else { return }
                // One reference for each row, taken all at once.
                for (index, count) in uses.enumerated() where count > 0 {
                    unsafe retainString(base + index * 16, count: count)
                }
                unsafe rows.forEach(offset) { address, index in
                    unsafe address.copyMemory(from: base + Int(truncatingIfNeeded: numbers[index]) &* 16, byteCount: 16)
                }
            }
        default: throw ByteError(.unknownCode(Int(code)), at: start)
        }
    }

    /// Passes over a column of strings.
    static func skip(_ count: Int, _ numbers: inout [UInt64], from input: inout ByteReader) throws(ByteError) {
        let start = input.position
        let code = try input.readByte()
        numbers.resize(to: count)
        switch code {
        case plain: _ = try unsafe readPlain(&numbers, from: &input)
        case dictionary:
            let strings = try readDistinct(from: &input)
            try IntegerColumn.read(into: &numbers, signed: false, from: &input)
            guard numbers.allSatisfy({ $0 < UInt64(strings.count) }) else { throw ByteError(.inconsistent, at: start) }
        default: throw ByteError(.unknownCode(Int(code)), at: start)
        }
    }

    /// Reads a column of strings into an array.
    static func readDistinct(from input: inout ByteReader) throws(ByteError) -> [String] {
        let start = input.position
        let count = try input.readCount()
        guard count > 0 else { throw ByteError(.inconsistent, at: start) }
        // Only one of the distinct strings can be empty.
        guard count <= input.remaining + 1 else { throw ByteError(.truncated(needed: count), at: start) }
        var sizes = [UInt64](repeating: 0, count: count)
        let (bytes, isASCII) = try unsafe readPlain(&sizes, from: &input)
        var next = 0
        return sizes.map { size in
            let part = unsafe UnsafeRawBufferPointer(rebasing: bytes[next..<next + Int(size)])
            next += Int(size)
            return unsafe uncheckedString(part, isASCII: isASCII)
        }
    }

    /// Reads sizes and the bytes of all strings, and checks that each string is well-formed.
    static func readPlain(
        _ sizes: inout [UInt64], from input: inout ByteReader
    ) throws(ByteError) -> (UnsafeRawBufferPointer, isASCII: Bool) {
        let bytes = try unsafe readBlocks(&sizes, from: &input)
        if unsafe isASCII(bytes) { return unsafe (bytes, true) }
        guard unsafe isValidUTF8(bytes) else { throw ByteError(.invalidUTF8, at: input.position - bytes.count) }
        // What is well-formed as a whole is so in parts that don't start inside a character.
        var next = 0
        for size in sizes {
            if size > 0, unsafe bytes[next] & 0xc0 == 0x80 {
                throw ByteError(.invalidUTF8, at: input.position - bytes.count + next)
            }
            next += Int(size)
        }
        return unsafe (bytes, false)
    }

    /// Reads sizes and as many bytes as they add up to.
    static func readBlocks(
        _ sizes: inout [UInt64], from input: inout ByteReader
    ) throws(ByteError) -> UnsafeRawBufferPointer {
        let start = input.position
        try IntegerColumn.read(into: &sizes, signed: false, from: &input)
        var total: UInt64 = 0
        for size in sizes {
            let (sum, overflow) = total.addingReportingOverflow(size)
            guard !overflow, sum <= UInt64(input.remaining) else {
                throw ByteError(.truncated(needed: Int(clamping: size)), at: start)
            }
            total = sum
        }
        return try unsafe input.readBytes(Int(total))
    }
}

/// A column of Data: an integer column of sizes, then the bytes of all.
enum DataColumn {
    static func write(_ rows: Rows, _ offset: Int, _ numbers: inout [UInt64], to out: inout ByteWriter) {
        numbers.resize(to: rows.count)
        var total = 0
        unsafe rows.forEach(offset) { address, index in
            unsafe withDataBytes(address) { bytes in
                numbers[index] = UInt64(bytes.count)
                total += bytes.count
            }
        }
        IntegerColumn.write(numbers, signed: false, to: &out)
        out.reserve(total)
        unsafe rows.forEach(offset) { address, _ in
            unsafe withDataBytes(address) { unsafe out.write(bytes: $0) }
        }
    }
}

/// The distinct strings of a column.
private struct StringTable: ~Copyable {
    private struct Entry {
        var hash: UInt64
        var offset: Int
        var size: Int
    }

    private var entries: [Entry] = []
    private var slots: [UInt32]
    private var bytes = ByteWriter(capacity: 1024)

    var count: Int { entries.count }

    /// A table for rows of which there seem to be at most a third as many distinct strings; else `nil`.
    ///
    /// Of `s` strings drawn from `k` equally frequent ones, about `s * s / 2k` equal an earlier one.
    init?(sampling rows: Rows, _ offset: Int) {
        guard rows.count >= 16 else { return nil }
        let sampled = min(rows.count, 512)
        var seen = [UInt64](repeating: 0, count: 1024)
        var repeats = 0
        for step in 0..<sampled {
            unsafe withStringBytes(rows.address(step * rows.count / sampled, offset)) { bytes in
                let hash = unsafe hashBytes(bytes) | 1
                var slot = Int(truncatingIfNeeded: hash &>> 32) & 1023
                while seen[slot] != 0, seen[slot] != hash { slot = (slot + 1) & 1023 }
                if seen[slot] == hash { repeats += 1 }
                seen[slot] = hash
            }
        }
        // A sample of all strings shows their number; from a part it must be guessed.
        let wanted = sampled == rows.count ? sampled * 2 / 3 : sampled * sampled * 3 / (rows.count * 2)
        guard repeats >= wanted else { return nil }
        slots = [UInt32](repeating: 0, count: 64)
    }

    /// Fills in the index of each string; `false` if most are distinct after all.
    mutating func index(_ rows: Rows, _ offset: Int, into numbers: inout [UInt64]) -> Bool {
        let limit = rows.count / 2
        for row in 0..<rows.count {
            unsafe withStringBytes(rows.address(row, offset)) { bytes in
                numbers[row] = unsafe UInt64(number(of: bytes))
            }
            if entries.count > limit { return false }
        }
        return true
    }

    private mutating func number(of string: UnsafeRawBufferPointer) -> Int {
        let hash = unsafe hashBytes(string)
        var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
        while slots[slot] != 0 {
            let number = Int(slots[slot]) - 1
            if entries[number].hash == hash, entries[number].size == string.count,
                unsafe equalBytes(string, bytes.base + entries[number].offset)
            {
                return number
            }
            slot = (slot + 1) & (slots.count - 1)
        }
        entries.append(Entry(hash: hash, offset: bytes.count, size: string.count))
        unsafe bytes.write(bytes: string)
        slots[slot] = UInt32(entries.count)
        if entries.count * 2 > slots.count { grow() }
        return entries.count - 1
    }

    private mutating func grow() {
        let capacity = slots.count * 2
        slots = [UInt32](repeating: 0, count: capacity)
        for (number, entry) in entries.enumerated() {
            var slot = Int(truncatingIfNeeded: entry.hash) & (capacity - 1)
            while slots[slot] != 0 { slot = (slot + 1) & (capacity - 1) }
            slots[slot] = UInt32(number + 1)
        }
    }

    /// Writes the distinct strings as a plain column without its code.
    func write(to out: inout ByteWriter) {
        let sizes = entries.map { UInt64($0.size) }
        IntegerColumn.write(sizes, signed: false, to: &out)
        unsafe bytes.withBytes { unsafe out.write(bytes: $0) }
    }
}
