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

    static func write(_ rows: Rows, _ offset: Int, _ scratch: inout ColumnScratch, to out: inout ByteWriter) {
        scratch.u32.resize(to: rows.count)
        if StringTable.pays(for: rows, offset) {
            var table = StringTable()
            if table.index(rows, offset, into: &scratch.u32) {
                out.write(byte: dictionary)
                out.write(count: table.count)
                table.write(to: &out)
                return IntegerColumn.write(scratch.u32, signed: false, to: &out)
            }
        }
        out.write(byte: plain)
        let total = writeSizes(rows, offset, &scratch, to: &out)
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

    /// Writes the sizes of all strings; returns how many bytes they have together.
    private static func writeSizes(
        _ rows: Rows, _ offset: Int, _ scratch: inout ColumnScratch, to out: inout ByteWriter
    ) -> Int {
        var total = 0
        var largest = 0
        unsafe scratch.u32.withUnsafeMutableBufferPointer { sizes in
            unsafe rows.forEach(offset) { address, index in
                let size = unsafe stringSize(address)
                unsafe sizes[index] = UInt32(truncatingIfNeeded: size)
                total &+= size
                largest = max(largest, size)
            }
        }
        if largest <= UInt32.max {
            IntegerColumn.write(scratch.u32, signed: false, to: &out)
            return total
        }
        // Strings of 4 GiB and more are rare enough to be looked at twice.
        scratch.u64.resize(to: rows.count)
        unsafe rows.forEach(offset) { address, index in scratch.u64[index] = unsafe UInt64(stringSize(address)) }
        IntegerColumn.write(scratch.u64, signed: false, to: &out)
        return total
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
