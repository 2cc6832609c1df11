// Room:   AmberBinary / Messages. Numbers and strings in rows: their bytes, with nothing around them.
// Takes:  addresses of leaves, and what they are. Gives: bytes, and back.
// Touches: the memory at the addresses; ByteWriter, ByteReader.
//
// Invariants
// 1. `write` is given the address of an initialised value of the code's type, `read` one with room for it, which it
//    initialises unless it throws.

internal import AmberBytes
internal import AmberModel

/// Numbers and strings in rows.
enum LeafRows {
    /// The shortest string that gets a number.
    private static let shortest = FormatVersion.current.shortestNumberedString

    /// Writes the leaf at an address.
    @unsafe
    @inline(__always)
    static func write(
        _ address: UnsafeRawPointer, _ code: FlatCode, to out: inout ByteWriter, _ strings: inout StringInterner
    ) {
        switch code {
        case .bool, .int8, .uint8: unsafe out.write(byte: address.load(as: UInt8.self))
        case .int16: unsafe out.write(zigzag: Int64(address.load(as: Int16.self)))
        case .int32: unsafe out.write(zigzag: Int64(address.load(as: Int32.self)))
        case .int64: unsafe out.write(zigzag: address.load(as: Int64.self))
        case .uint16: unsafe out.write(varint: UInt64(address.load(as: UInt16.self)))
        case .uint32: unsafe out.write(varint: UInt64(address.load(as: UInt32.self)))
        case .uint64: unsafe out.write(varint: address.load(as: UInt64.self))
        case .float32: unsafe out.write(address.load(as: UInt32.self))
        case .float64, .date: unsafe out.write(address.load(as: UInt64.self))
        case .int128, .uint128, .uuid: unsafe out.write(bytes: UnsafeRawBufferPointer(start: address, count: 16))
        case .decimal: unsafe out.appendUninitialized(20) { unsafe DecimalBytes.archive(address, to: $0) }
        case .string: unsafe writeString(address, to: &out, &strings)
        case .reference, .other: preconditionFailure("No leaf.")
        }
    }

    /// Writes a string, or the number of an earlier one.
    @unsafe
    static func writeString(_ address: UnsafeRawPointer, to out: inout ByteWriter, _ strings: inout StringInterner) {
        unsafe withStringBytes(address) { bytes in
            if bytes.count >= shortest {
                let hash = unsafe hashBytes(bytes)
                // The count takes at least one byte; where the bytes will stand is known when it is written.
                let offset = out.count + varintSize(UInt64(bytes.count) << 1)
                let number = strings.number(hash: hash, size: bytes.count, offset: offset) {
                    [out = unsafe out.base] place in
                    unsafe equalBytes(bytes, out + place)
                }
                if let number {
                    out.write(varint: UInt64(number) << 1 | 1)
                    return
                }
            }
            out.write(varint: UInt64(bytes.count) << 1)
            unsafe out.write(bytes: bytes)
        }
    }

    private static func varintSize(_ value: UInt64) -> Int {
        max(1, (70 - value.leadingZeroBitCount) / 7)
    }

    /// Initialises the leaf at an address.
    @unsafe
    @inline(__always)
    static func read(
        into address: UnsafeMutableRawPointer, _ code: FlatCode, from input: inout ByteReader, _ strings: inout [String]
    ) throws(ByteError) {
        if code == .string {
            let string = try readString(from: &input, &strings)
            unsafe address.initializeMemory(as: String.self, to: string)
        } else {
            try unsafe readNumber(into: address, code, from: &input)
        }
    }

    /// Reads a string, or the number of an earlier one.
    static func readString(from input: inout ByteReader, _ strings: inout [String]) throws(ByteError) -> String {
        let start = input.position
        let code = try input.readVarint()
        if code & 1 == 1 {
            guard code >> 1 < UInt64(strings.count) else { throw ByteError(.inconsistent, at: start) }
            return strings[Int(code >> 1)]
        }
        guard code >> 1 <= UInt64(input.remaining) else {
            throw ByteError(.truncated(needed: Int(clamping: code >> 1)), at: start)
        }
        let string = try input.readString(Int(code >> 1))
        if code >> 1 >= UInt64(shortest) { strings.append(string) }
        return string
    }

    /// Initialises the number at an address.
    @unsafe
    @inline(__always)
    static func readNumber(
        into address: UnsafeMutableRawPointer, _ code: FlatCode, from input: inout ByteReader
    ) throws(ByteError) {
        let place = input.position
        switch code {
        case .bool:
            let byte = try input.readByte()
            guard byte <= 1 else { throw ByteError(.unknownCode(Int(byte)), at: input.position - 1) }
            unsafe address.storeBytes(of: byte, as: UInt8.self)
        case .int8, .uint8: unsafe address.storeBytes(of: try input.readByte(), as: UInt8.self)
        case .int16: try unsafe storeExactly(try input.readZigzag(), as: Int16.self, at: address, place)
        case .int32: try unsafe storeExactly(try input.readZigzag(), as: Int32.self, at: address, place)
        case .int64: unsafe address.storeBytes(of: try input.readZigzag(), as: Int64.self)
        case .uint16: try unsafe storeExactly(try input.readVarint(), as: UInt16.self, at: address, place)
        case .uint32: try unsafe storeExactly(try input.readVarint(), as: UInt32.self, at: address, place)
        case .uint64: unsafe address.storeBytes(of: try input.readVarint(), as: UInt64.self)
        case .float32: unsafe address.storeBytes(of: try input.read(UInt32.self), as: UInt32.self)
        case .float64, .date: unsafe address.storeBytes(of: try input.read(UInt64.self), as: UInt64.self)
        case .int128, .uint128, .uuid:
            unsafe UnsafeMutableRawBufferPointer(start: address, count: 16).copyMemory(from: try input.readBytes(16))
        case .decimal:
            let bytes = try unsafe input.readBytes(20)
            guard let base = bytes.baseAddress, unsafe DecimalBytes.restore(base, to: address) else {
                throw ByteError(.inconsistent, at: input.position - 20)
            }
        case .string, .reference, .other: throw ByteError(.inconsistent, at: input.position)
        }
    }

    @unsafe
    @inline(__always)
    private static func storeExactly<T: FixedWidthInteger & BitwiseCopyable>(
        _ value: some FixedWidthInteger, as type: T.Type, at address: UnsafeMutableRawPointer, _ place: Int
    ) throws(ByteError) {
        guard let exact = T(exactly: value) else { throw ByteError(.inconsistent, at: place) }
        unsafe address.storeBytes(of: exact, as: T.self)
    }
}
