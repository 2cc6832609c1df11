// Room:   AmberKeyed / Plist. Binary property lists to values.
// Takes:  bytes from anywhere, and limits. Gives: a tree whose shared parts are shared, or a failure with its offset.
// Touches: ByteReader. Never: an object, a class.
//
// A file is a header, the objects, a table of their offsets, a trailer:
//
//     "bplist00" | object … object | offset[numObjects] | 32 bytes
//
// Objects name each other by number, so the file is a graph: each object is read once and kept, one that is being
// read is marked (a container may not contain itself), and everything reserved passes through the budget, since many
// numbers may point at the same bytes.

import AmberBytes
import AmberModel
import Foundation

struct BinaryPlistReader {
    private enum Slot {
        case unread
        case open
        case read(PlistValue)
    }

    private var reader: ByteReader
    private let offsetTable: Int
    private let offsetSize: Int
    private let referenceSize: Int
    private let depthLimit: Int
    private var slots: [Slot]

    /// Whether the bytes begin like a binary property list.
    static func recognises(_ data: Data) -> Bool {
        data.starts(with: Array("bplist0".utf8))
    }

    /// Reads the property list in `data`.
    static func read(_ data: Data, limits: DecodingLimits) throws(KeyedFailure) -> PlistValue {
        guard data.count <= limits.bytes else {
            throw KeyedFailure(.limitExceeded, "\(data.count) bytes are more than the limit of \(limits.bytes).")
        }
        let budget = ByteBudget(bytes: limits.allowance(forArchiveOf: data.count))
        return try withPlistReader(over: data, budget: budget) { bytes throws(KeyedFailure) in
            var (reader, top) = try BinaryPlistReader.open(bytes, limits: limits)
            return try reader.value(top, depth: 0)
        }
    }

    private static func malformed(_ message: String, at offset: Int) -> KeyedFailure {
        KeyedFailure(.malformed, message, offset: offset)
    }

    private static func open(
        _ bytes: ByteReader, limits: DecodingLimits
    ) throws(KeyedFailure) -> (BinaryPlistReader, Int) {
        var reader = bytes
        let count = reader.count
        guard count >= 41 else { throw malformed("\(count) bytes are too short for a property list.", at: 0) }
        guard reader.skip(ifEqual: Array("bplist0".utf8)) else {
            throw malformed("The header of a binary property list is missing.", at: 0)
        }
        let trailer = count - 32
        reader.position = trailer + 6
        let header: (offsetSize: Int, referenceSize: Int, objects: UInt64, top: UInt64, table: UInt64)
        do throws(ByteError) {
            header = (
                Int(try reader.readByte()), Int(try reader.readByte()),
                try reader.read(UInt64.self).byteSwapped, try reader.read(UInt64.self).byteSwapped,
                try reader.read(UInt64.self).byteSwapped
            )
        } catch {
            throw malformed("The trailer is cut off.", at: error.offset)
        }
        guard (1...8).contains(header.offsetSize), (1...8).contains(header.referenceSize) else {
            throw malformed("The trailer's sizes of offsets and references must be 1 to 8.", at: trailer + 6)
        }
        guard header.objects >= 1, header.objects <= UInt64(count), header.top < header.objects else {
            throw malformed("The trailer names more objects than the file can hold.", at: trailer + 8)
        }
        // The sum can't overflow: the first is checked against the size first, the product is at most eight times it.
        guard header.table >= 9, header.table < UInt64(trailer),
            Int(header.table) + Int(header.objects) * header.offsetSize == trailer
        else {
            throw malformed("The offset table does not lie between the objects and the trailer.", at: trailer + 24)
        }
        guard
            header.referenceSize == 8
                || (header.objects - 1) >> UInt64(header.referenceSize * 8) == 0,
            header.offsetSize == 8 || (header.table - 1) >> UInt64(header.offsetSize * 8) == 0
        else {
            throw malformed("The trailer's sizes can't address what the file holds.", at: trailer + 6)
        }
        do throws(ByteError) {
            try reader.budget.take(Int(header.objects), each: MemoryLayout<Slot>.stride, at: trailer)
        } catch {
            throw KeyedFailure(.limitExceeded, "Too many objects for the limits.", offset: trailer)
        }
        let plist = BinaryPlistReader(
            reader: reader, offsetTable: Int(header.table), offsetSize: header.offsetSize,
            referenceSize: header.referenceSize, depthLimit: limits.depth,
            slots: Array(repeating: .unread, count: Int(header.objects)))
        return (plist, Int(header.top))
    }

    /// Reads a big-endian number of 1 to 8 bytes.
    @inline(__always)
    private mutating func number(_ size: Int) throws(ByteError) -> UInt64 {
        switch size {
        case 1: return UInt64(try reader.readByte())
        case 2: return UInt64(try reader.read(UInt16.self).byteSwapped)
        case 4: return UInt64(try reader.read(UInt32.self).byteSwapped)
        case 8: return try reader.read(UInt64.self).byteSwapped
        default:
            var value: UInt64 = 0
            for _ in 0..<size { value = value << 8 | UInt64(try reader.readByte()) }
            return value
        }
    }

    private mutating func value(_ index: Int, depth: Int) throws(KeyedFailure) -> PlistValue {
        switch slots[index] {
        case .read(let value): return value
        case .open: throw Self.malformed("A container holds itself.", at: reader.position)
        case .unread: break
        }
        guard depth <= depthLimit else {
            throw KeyedFailure(
                .limitExceeded, "Nested deeper than the limit of \(depthLimit).", offset: reader.position)
        }
        let start = reader.position
        do throws(ByteError) {
            reader.position = offsetTable + index * offsetSize
            let offset = try number(offsetSize)
            guard offset >= 8, offset < UInt64(offsetTable) else { throw ByteError(.inconsistent, at: start) }
            reader.position = Int(offset)
        } catch {
            throw Self.malformed("Object \(index) lies outside of the file's objects.", at: offsetTable)
        }
        let marker: (kind: UInt8, low: UInt8, at: Int)
        do throws(ByteError) {
            let at = reader.position
            let byte = try reader.readByte()
            marker = (byte >> 4, byte & 0x0f, at)
        } catch {
            throw Self.malformed("The file ends before an object.", at: error.offset)
        }
        let value: PlistValue
        if marker.kind >= 0xA {
            slots[index] = .open
            value = try container(marker, depth: depth)
        } else {
            do throws(ByteError) {
                value = try scalar(marker)
            } catch {
                throw Self.failure(for: error)
            }
        }
        slots[index] = .read(value)
        return value
    }

    private static func failure(for error: ByteError) -> KeyedFailure {
        switch error.kind {
        case .truncated: malformed("A value reaches past the end of the objects.", at: error.offset)
        case .invalidUTF8: malformed("A string is not well-formed.", at: error.offset)
        case .overBudget: KeyedFailure(.limitExceeded, "The file asks for too much memory.", offset: error.offset)
        case .unknownCode(let code): malformed("The marker \(code) has no meaning.", at: error.offset)
        case .malformedVarint, .inconsistent: malformed("A value contradicts the file's layout.", at: error.offset)
        }
    }

    /// The count of a marker: its low half, or the integer that follows.
    private mutating func count(_ low: UInt8, each size: Int) throws(ByteError) -> Int {
        if low != 0x0f { return Int(low) }
        let at = reader.position
        let marker = try reader.readByte()
        guard marker >> 4 == 1, marker & 0x0f <= 3 else { throw ByteError(.inconsistent, at: at) }
        let value = try number(1 << Int(marker & 0x0f))
        // More elements than bytes left can't be: refused here, so that no product below can overflow.
        guard value <= UInt64(reader.remaining) else { throw ByteError(.truncated(needed: Int.max), at: at) }
        guard Int(value) * size <= reader.remaining else {
            throw ByteError(.truncated(needed: Int(value) * size), at: at)
        }
        return Int(value)
    }

    private mutating func scalar(_ marker: (kind: UInt8, low: UInt8, at: Int)) throws(ByteError) -> PlistValue {
        switch marker.kind {
        case 0x0 where marker.low == 8: return .bool(false)
        case 0x0 where marker.low == 9: return .bool(true)
        case 0x1 where marker.low <= 2: return .integer(Int64(try number(1 << Int(marker.low))))
        case 0x1 where marker.low == 3: return .integer(Int64(bitPattern: try number(8)))
        case 0x1 where marker.low == 4:
            // 128 bits: only what fits 64 is written by anyone; the high half is sign or nothing.
            let high = try number(8)
            let low = try number(8)
            if high == 0 { return low > UInt64(Int64.max) ? .unsigned(low) : .integer(Int64(low)) }
            guard high == UInt64.max, low > UInt64(Int64.max) else { throw ByteError(.inconsistent, at: marker.at) }
            return .integer(Int64(bitPattern: low))
        case 0x2 where marker.low == 2: return .float(Float(bitPattern: UInt32(try number(4))))
        case 0x2 where marker.low == 3: return .double(Double(bitPattern: try number(8)))
        case 0x3 where marker.low == 3:
            let seconds = Double(bitPattern: try number(8))
            guard seconds.isFinite else { throw ByteError(.inconsistent, at: marker.at) }
            return .date(seconds)
        case 0x4:
            let size = try count(marker.low, each: 1)
            try reader.budget.take(size, each: 1, at: marker.at)
            return .data(try reader.readData(size))
        case 0x5, 0x7:
            let size = try count(marker.low, each: 1)
            if size > 15 { try reader.budget.take(size, each: 1, at: marker.at) }
            return .string(try reader.readString(size))
        case 0x6:
            let units = try count(marker.low, each: 2)
            try reader.budget.take(units, each: 3, at: marker.at)
            return .string(try utf16(units))
        case 0x8:
            guard marker.low < 8 else { throw ByteError(.inconsistent, at: marker.at) }
            let number = try number(Int(marker.low) + 1)
            guard number <= UInt64(UInt32.max) else { throw ByteError(.inconsistent, at: marker.at) }
            return .reference(UInt32(number))
        default:
            throw ByteError(.unknownCode(Int(marker.kind << 4 | marker.low)), at: marker.at)
        }
    }

    private mutating func utf16(_ count: Int) throws(ByteError) -> String {
        let start = reader.position
        var units: [UInt16] = []
        units.reserveCapacity(count)
        for _ in 0..<count { units.append(try reader.read(UInt16.self).byteSwapped) }
        // A lone surrogate has no place in a Swift string; refused, never repaired.
        guard let string = String(validating: units, as: UTF16.self) else {
            throw ByteError(.invalidUTF8, at: start)
        }
        return string
    }

    private mutating func container(
        _ marker: (kind: UInt8, low: UInt8, at: Int), depth: Int
    ) throws(KeyedFailure) -> PlistValue {
        guard marker.kind == 0xA || marker.kind == 0xD else {
            throw Self.malformed("The marker \(marker.kind << 4 | marker.low) has no meaning.", at: marker.at)
        }
        let isDictionary = marker.kind == 0xD
        let count: Int
        do throws(ByteError) {
            count = try self.count(marker.low, each: referenceSize * (isDictionary ? 2 : 1))
            let size =
                isDictionary ? MemoryLayout<PlistDictionary.Entry>.stride : MemoryLayout<PlistValue>.stride
            try reader.budget.take(count, each: size, at: marker.at)
        } catch {
            throw Self.failure(for: error)
        }
        let first = reader.position
        if !isDictionary {
            var values: [PlistValue] = []
            values.reserveCapacity(count)
            for index in 0..<count {
                values.append(try value(try reference(first, index), depth: depth + 1))
            }
            return .array(values)
        }
        var entries: [PlistDictionary.Entry] = []
        entries.reserveCapacity(count)
        for index in 0..<count {
            let key = try value(try reference(first, index), depth: depth + 1)
            guard case .string(let name) = key else {
                throw Self.malformed("A dictionary's key is \(key.kindName), not a string.", at: marker.at)
            }
            let value = try value(try reference(first, count + index), depth: depth + 1)
            entries.append(.init(key: name, value: value))
        }
        return .dictionary(PlistDictionary(entries))
    }

    @inline(__always)
    private mutating func reference(_ first: Int, _ index: Int) throws(KeyedFailure) -> Int {
        reader.position = first + index * referenceSize
        do throws(ByteError) {
            let number = try number(referenceSize)
            guard number < UInt64(slots.count) else { throw ByteError(.inconsistent, at: first) }
            return Int(number)
        } catch {
            throw Self.malformed("A container refers to an object that is not in the file.", at: first)
        }
    }
}
