// Room:   AmberKeyed / Plist. Values to a binary property list.
// Takes:  a tree. Gives: a file as Apple's writer lays it out: top object first, table last, nothing between.
// Touches: ByteWriter. Never: an object, a class.
//
// Two walks: the first gives every value its number, level by level and so without recursion, equal strings and
// numbers sharing one; the second writes them in that order, when the width of a reference is known.

import AmberBytes
import Foundation

struct BinaryPlistWriter {
    /// The values in the order of their numbers.
    private var values: [PlistValue] = []
    /// The numbers of the children of all containers, one after another, in the order of the containers.
    private var children: [UInt32] = []
    private var strings = StringTable()
    private var numbers = NumberTable()
    /// The numbers of references, by what they refer to.
    private var references: [UInt32?] = []
    /// The keys of the last dictionaries by their count of entries: records of one class have the same ones.
    private var lastKeys: [[(key: String, number: UInt32)]] = Array(repeating: [], count: 16)
    private var booleans: (UInt32?, UInt32?) = (nil, nil)

    /// The file that holds an archive, whose objects are known to be all different.
    static func data(for document: ArchiveDocument) -> Data {
        var writer = BinaryPlistWriter()
        writer.values.reserveCapacity(document.objects.count * 2)
        writer.references = Array(repeating: nil, count: document.objects.count)
        _ = writer.number(of: document.plist)
        writer.numberChildren(distinct: 3)
        return writer.write()
    }

    /// The file that holds `value`.
    static func data(for value: PlistValue) -> Data {
        var writer = BinaryPlistWriter()
        _ = writer.number(of: value)
        writer.numberChildren()
        return writer.write()
    }

    private mutating func append(_ value: PlistValue) -> UInt32 {
        values.append(value)
        return UInt32(values.count - 1)
    }

    private mutating func number(of string: String, _ value: PlistValue) -> UInt32 {
        let number = strings.number(of: string, new: UInt32(values.count))
        if number == values.count { values.append(value) }
        return number
    }

    private mutating func number(ofKey key: String, at place: Int, of count: Int) -> UInt32 {
        let shape = count & 15
        let isKnown = place < lastKeys[shape].count
        if isKnown, hasSameBytes(lastKeys[shape][place].key, key) { return lastKeys[shape][place].number }
        let number = number(of: key, .string(key))
        if isKnown { lastKeys[shape][place] = (key, number) } else { lastKeys[shape].append((key, number)) }
        return number
    }

    private mutating func number(of value: PlistValue) -> UInt32 {
        switch value {
        case .string(let string):
            return number(of: string, value)
        case .reference(let reference):
            let place = Int(reference)
            if place < references.count, let known = references[place] { return known }
            let new = append(value)
            if place < references.count { references[place] = new }
            return new
        case .bool(let bool):
            if let known = bool ? booleans.1 : booleans.0 { return known }
            let new = append(value)
            if bool { booleans.1 = new } else { booleans.0 = new }
            return new
        default:
            guard let key = ExactNumber(value) else { return append(value) }
            let number = numbers.number(of: key, new: UInt32(values.count))
            if number == values.count { values.append(value) }
            return number
        }
    }

    /// - Parameter distinct: How many of the root dictionary's values come before the list whose elements are all
    ///   different: they need no look-up.
    private mutating func numberChildren(distinct: Int? = nil) {
        var index = 0
        var list: UInt32?
        while index < values.count {
            switch values[index] {
            case .array(let elements) where list == UInt32(index):
                for element in elements { children.append(append(element)) }
            case .array(let elements):
                for element in elements { children.append(number(of: element)) }
            case .dictionary(let dictionary):
                for place in dictionary.entries.indices {
                    children.append(
                        number(
                            ofKey: dictionary.entries[place].key, at: place, of: dictionary.entries.count))
                }
                for entry in dictionary.entries { children.append(number(of: entry.value)) }
                if index == 0, let distinct { list = children[dictionary.entries.count + distinct] }
            default: break
            }
            index += 1
        }
    }

    private func write() -> Data {
        var writer = ByteWriter(capacity: 64 + values.count * 12)
        writer.write(bytes: Array("bplist00".utf8))
        let referenceSize = Self.width(UInt64(values.count))
        var offsets: [Int] = []
        offsets.reserveCapacity(values.count)
        var child = 0
        for value in values {
            offsets.append(writer.count)
            switch value {
            case .array(let elements):
                Self.write(marker: 0xA0, count: elements.count, to: &writer)
                writeReferences(child..<child + elements.count, size: referenceSize, to: &writer)
                child += elements.count
            case .dictionary(let dictionary):
                let count = dictionary.entries.count
                Self.write(marker: 0xD0, count: count, to: &writer)
                writeReferences(child..<child + 2 * count, size: referenceSize, to: &writer)
                child += 2 * count
            default:
                Self.write(scalar: value, to: &writer)
            }
        }
        let table = writer.count
        let offsetSize = Self.width(UInt64(table))
        for offset in offsets { Self.write(UInt64(offset), size: offsetSize, to: &writer) }
        writer.write(zeros: 6)
        writer.write(byte: UInt8(offsetSize))
        writer.write(byte: UInt8(referenceSize))
        writer.write(UInt64(values.count).byteSwapped)
        writer.write(UInt64(0))
        writer.write(UInt64(table).byteSwapped)
        return plistData(from: writer)
    }

    private func writeReferences(_ range: Range<Int>, size: Int, to writer: inout ByteWriter) {
        writer.reserve(range.count * size)
        for index in range { Self.write(UInt64(children[index]), size: size, to: &writer) }
    }

    /// The bytes that hold every number up to `value`: 1, 2, 4 or 8.
    private static func width(_ value: UInt64) -> Int {
        value <= 0xff ? 1 : value <= 0xffff ? 2 : value <= 0xffff_ffff ? 4 : 8
    }

    @inline(__always)
    private static func write(_ value: UInt64, size: Int, to writer: inout ByteWriter) {
        switch size {
        case 1: writer.write(byte: UInt8(truncatingIfNeeded: value))
        case 2: writer.write(UInt16(truncatingIfNeeded: value).byteSwapped)
        case 4: writer.write(UInt32(truncatingIfNeeded: value).byteSwapped)
        default: writer.write(value.byteSwapped)
        }
    }

    private static func write(marker: UInt8, count: Int, to writer: inout ByteWriter) {
        if count < 15 {
            writer.write(byte: marker | UInt8(count))
        } else {
            writer.write(byte: marker | 0x0f)
            write(integer: Int64(count), to: &writer)
        }
    }

    private static func write(integer value: Int64, to writer: inout ByteWriter) {
        // Only eight bytes have a sign: a negative number takes them all.
        let size = value < 0 ? 8 : width(UInt64(value))
        writer.write(byte: 0x10 | UInt8(size.trailingZeroBitCount))
        write(UInt64(bitPattern: value), size: size, to: &writer)
    }

    private static func write(scalar value: PlistValue, to writer: inout ByteWriter) {
        switch value {
        case .bool(let value): writer.write(byte: value ? 0x09 : 0x08)
        case .integer(let value): write(integer: value, to: &writer)
        case .unsigned(let value):
            writer.write(byte: 0x14)
            writer.write(UInt64(0))
            writer.write(value.byteSwapped)
        case .float(let value):
            writer.write(byte: 0x22)
            writer.write(value.bitPattern.byteSwapped)
        case .double(let value):
            writer.write(byte: 0x23)
            writer.write(value.bitPattern.byteSwapped)
        case .date(let value):
            writer.write(byte: 0x33)
            writer.write(value.bitPattern.byteSwapped)
        case .data(let value):
            write(marker: 0x40, count: value.count, to: &writer)
            writer.write(data: value)
        case .reference(let value):
            let size = width(UInt64(value))
            writer.write(byte: 0x80 | UInt8(size - 1))
            write(UInt64(value), size: size, to: &writer)
        case .string(let value):
            if isASCIIText(value) {
                write(marker: 0x50, count: value.utf8.count, to: &writer)
                writer.write(utf8: value)
            } else {
                let units = Array(value.utf16)
                write(marker: 0x60, count: units.count, to: &writer)
                writer.reserve(units.count * 2)
                for unit in units { writer.write(unit.byteSwapped) }
            }
        case .array, .dictionary: break
        }
    }
}
