// Room:   AmberKeyed / Plist. Values to a binary property list.
// Takes:  a tree. Gives: a file as Apple's writer lays it out: top object first, table last, nothing between.
// Touches: ByteWriter. Never: an object, a class.
//
// Two walks: the first gives every value its number, level by level and so without recursion, equal strings and
// numbers sharing one; the second writes them in that order, when the width of a reference is known.

import AmberBytes
import Foundation

struct BinaryPlistWriter {
    /// A value that has a number: itself if it is small, else where it is kept. Plain bits, so that hundreds of
    /// thousands of them are moved without a count of references being touched.
    private struct Item {
        enum Kind: UInt8 {
            case no, yes, integer, unsigned, float, double, date, reference
            /// An element of the list of objects, by its place there.
            case listed
            /// Anything else, by its place in `kept`.
            case kept
        }

        var kind: Kind
        var bits: UInt64

        init(_ kind: Kind, _ bits: UInt64 = 0) {
            self.kind = kind
            self.bits = bits
        }
    }

    /// The values in the order of their numbers.
    private var items: [Item] = []
    /// The values that are no small ones.
    private var kept: [PlistValue] = []
    /// The archive's objects, which are known to be all different.
    private let list: [PlistValue]
    /// The number of that list.
    private var listNumber: Int?
    /// The numbers of the children of all containers, one after another, in the order of the containers.
    private var children: [UInt32] = []
    private var strings = StringTable()
    private var numbers = NumberTable()
    /// The numbers of references, by what they refer to.
    private var references: [UInt32?]
    /// The keys of the last dictionaries by their count of entries: records of one class have the same ones.
    private var lastKeys: [[(key: String, number: UInt32)]] = Array(repeating: [], count: 16)
    private var booleans: (UInt32?, UInt32?) = (nil, nil)
    /// About how many bytes the text and data take.
    private var contentSize = 0

    /// The file that holds an archive, whose objects are known to be all different.
    static func data(for document: ArchiveDocument) -> Data {
        var writer = BinaryPlistWriter(list: document.objects)
        var frame = document
        frame.objects = []
        _ = writer.number(of: frame.plist)
        writer.numberChildren(listAt: 3)
        return writer.write()
    }

    /// The file that holds `value`.
    static func data(for value: PlistValue) -> Data {
        var writer = BinaryPlistWriter(list: [])
        _ = writer.number(of: value)
        writer.numberChildren()
        return writer.write()
    }

    private init(list: [PlistValue]) {
        self.list = list
        references = Array(repeating: nil, count: list.count)
        // Pages that are never touched cost nothing; moving a table that grows does.
        items.reserveCapacity(list.count * 3)
        children.reserveCapacity(list.count * 8)
    }

    private mutating func append(_ item: Item) -> UInt32 {
        items.append(item)
        return UInt32(items.count - 1)
    }

    private mutating func keep(_ value: PlistValue) -> UInt32 {
        kept.append(value)
        return append(Item(.kept, UInt64(kept.count - 1)))
    }

    private mutating func number(of string: String) -> UInt32 {
        let number = strings.number(of: string, new: UInt32(items.count))
        return number == items.count ? keep(.string(string)) : number
    }

    private mutating func number(ofKey key: String, at place: Int, of count: Int) -> UInt32 {
        let shape = count & 15
        let isKnown = place < lastKeys[shape].count
        if isKnown, hasSameBytes(lastKeys[shape][place].key, key) { return lastKeys[shape][place].number }
        let number = number(of: key)
        if isKnown { lastKeys[shape][place] = (key, number) } else { lastKeys[shape].append((key, number)) }
        return number
    }

    private mutating func number(ofReference reference: UInt32) -> UInt32 {
        let place = Int(reference)
        if place < references.count {
            if let known = references[place] { return known }
            references[place] = UInt32(items.count)
        }
        return append(Item(.reference, UInt64(reference)))
    }

    private mutating func number(ofNumber key: ExactNumber, _ kind: Item.Kind) -> UInt32 {
        let number = numbers.number(of: key, new: UInt32(items.count))
        return number == items.count ? append(Item(kind, key.bits)) : number
    }

    private mutating func number(of value: PlistValue) -> UInt32 {
        switch value {
        case .string(let string): return number(of: string)
        case .reference(let reference): return number(ofReference: reference)
        case .bool(let bool):
            if let known = bool ? booleans.1 : booleans.0 { return known }
            let new = append(Item(bool ? .yes : .no))
            if bool { booleans.1 = new } else { booleans.0 = new }
            return new
        case .integer(let value):
            return number(ofNumber: ExactNumber(.integer, UInt64(bitPattern: value)), .integer)
        case .unsigned(let value): return number(ofNumber: ExactNumber(.unsigned, value), .unsigned)
        case .float(let value): return number(ofNumber: ExactNumber(.float, UInt64(value.bitPattern)), .float)
        case .double(let value): return number(ofNumber: ExactNumber(.double, value.bitPattern), .double)
        case .date(let value): return number(ofNumber: ExactNumber(.date, value.bitPattern), .date)
        case .data, .array, .dictionary: return keep(value)
        }
    }

    /// Numbers the children of every container; `place` says which of the root dictionary's values is the list.
    private mutating func numberChildren(listAt place: Int? = nil) {
        var index = 0
        while index < items.count {
            if index == listNumber {
                for place in list.indices { children.append(append(Item(.listed, UInt64(place)))) }
            } else {
                switch items[index].kind {
                case .listed: numberChildren(of: list[Int(items[index].bits)])
                case .kept: numberChildren(of: kept[Int(items[index].bits)])
                default: break
                }
            }
            if index == 0, let place { listNumber = Int(children[children.count / 2 + place]) }
            index += 1
        }
    }

    private mutating func numberChildren(of container: PlistValue) {
        switch container {
        case .array(let elements):
            for element in elements { children.append(number(of: element)) }
        case .dictionary(let dictionary):
            let count = dictionary.entries.count
            for place in dictionary.entries.indices {
                children.append(number(ofKey: dictionary.entries[place].key, at: place, of: count))
            }
            for entry in dictionary.entries { children.append(number(of: entry.value)) }
        case .string(let string): contentSize += string.utf8.count
        case .data(let data): contentSize += data.count
        default: break
        }
    }

    private func write() -> Data {
        let referenceSize = Self.width(UInt64(items.count))
        var writer = ByteWriter(capacity: 64 + items.count * 9 + children.count * referenceSize + contentSize)
        writer.write(bytes: Array("bplist00".utf8))
        var offsets: [Int] = []
        offsets.reserveCapacity(items.count)
        var child = 0
        for (index, item) in items.enumerated() {
            offsets.append(writer.count)
            switch item.kind {
            case .listed:
                write(list[Int(item.bits)], &child, referenceSize, to: &writer)
            case .kept where index == listNumber:
                Self.write(marker: 0xA0, count: list.count, to: &writer)
                writeReferences(child..<child + list.count, size: referenceSize, to: &writer)
                child += list.count
            case .kept:
                write(kept[Int(item.bits)], &child, referenceSize, to: &writer)
            case .no: writer.write(byte: 0x08)
            case .yes: writer.write(byte: 0x09)
            case .integer: Self.write(integer: Int64(bitPattern: item.bits), to: &writer)
            case .reference: Self.write(reference: item.bits, to: &writer)
            case .float: Self.write(scalar: .float(Float(bitPattern: UInt32(item.bits))), to: &writer)
            case .double: Self.write(scalar: .double(Double(bitPattern: item.bits)), to: &writer)
            case .date: Self.write(scalar: .date(Double(bitPattern: item.bits)), to: &writer)
            case .unsigned: Self.write(scalar: .unsigned(item.bits), to: &writer)
            }
        }
        let table = writer.count
        let offsetSize = Self.width(UInt64(table))
        writer.reserve(offsets.count * offsetSize)
        for offset in offsets { Self.write(UInt64(offset), size: offsetSize, to: &writer) }
        writer.write(zeros: 6)
        writer.write(byte: UInt8(offsetSize))
        writer.write(byte: UInt8(referenceSize))
        writer.write(UInt64(items.count).byteSwapped)
        writer.write(UInt64(0))
        writer.write(UInt64(table).byteSwapped)
        return plistData(from: writer)
    }

    private func write(
        _ value: PlistValue, _ child: inout Int, _ referenceSize: Int, to writer: inout ByteWriter
    ) {
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

    private static func write(reference: UInt64, to writer: inout ByteWriter) {
        let size = width(reference)
        writer.write(byte: 0x80 | UInt8(size - 1))
        write(reference, size: size, to: &writer)
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
            write(reference: UInt64(value), to: &writer)
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
