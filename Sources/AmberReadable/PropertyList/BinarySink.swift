// Room:   AmberReadable / PropertyList. Binary property lists, built from the events of a value.
// Takes:  the events. Gives: the bytes of a file.
// Touches: nothing.
//
// The format: CoreFoundation's CFBinaryPList.c. Strings are stored once.

internal import Foundation

/// Writes a binary property list.
struct BinarySink: ReadableSink, ~Copyable {
    private enum Object {
        case bytes([UInt8])
        case array([Int])
        case dictionary(keys: [Int], values: [Int])
    }

    let traits = SinkTraits.propertyList
    private var objects: [Object] = []
    private var strings: [[UInt8]: Int] = [:]
    /// Open containers by their numbers.
    private var open: [Int] = []
    private var top = 0

    private mutating func put(_ number: Int) {
        guard let last = open.last else {
            top = number
            return
        }
        switch objects[last] {
        case .array(var elements):
            objects[last] = .bytes([])
            elements.append(number)
            objects[last] = .array(elements)
        case .dictionary(let keys, var values):
            objects[last] = .bytes([])
            values.append(number)
            objects[last] = .dictionary(keys: keys, values: values)
        case .bytes: break
        }
    }

    private mutating func add(_ bytes: [UInt8]) {
        objects.append(.bytes(bytes))
        put(objects.count - 1)
    }

    private mutating func number(of text: String) -> Int {
        let bytes = Array(text.utf8)
        if let known = strings[bytes] { return known }
        var object: [UInt8] = []
        if bytes.allSatisfy({ $0 < 0x80 }) {
            Self.head(0x50, bytes.count, &object)
            object += bytes
        } else {
            let units = Array(text.utf16)
            Self.head(0x60, units.count, &object)
            for unit in units { object += [UInt8(unit >> 8), UInt8(unit & 0xff)] }
        }
        objects.append(.bytes(object))
        strings[bytes] = objects.count - 1
        return objects.count - 1
    }

    private static func head(_ kind: UInt8, _ count: Int, _ object: inout [UInt8]) {
        if count < 15 {
            object.append(kind | UInt8(count))
        } else {
            object.append(kind | 15)
            object += integer(UInt64(count))
        }
    }

    private static func integer(_ value: UInt64) -> [UInt8] {
        let size = value <= 0xff ? 1 : value <= 0xffff ? 2 : value <= 0xffff_ffff ? 4 : 8
        return [0x10 | UInt8(size.trailingZeroBitCount)] + bigEndian(value, size)
    }

    private static func bigEndian(_ value: UInt64, _ size: Int) -> [UInt8] {
        (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> (UInt64($0) * 8)) }
    }

    mutating func beginObject() { begin(.dictionary(keys: [], values: [])) }
    mutating func beginArray() { begin(.array([])) }

    private mutating func begin(_ object: Object) {
        objects.append(object)
        let number = objects.count - 1
        put(number)
        open.append(number)
    }

    mutating func endObject() { open.removeLast() }
    mutating func endArray() { open.removeLast() }
    mutating func key(_ key: EncodedKey) { self.key(text: key.text) }

    mutating func key(text: String) {
        let number = number(of: text)
        guard let last = open.last, case .dictionary(var keys, let values) = objects[last] else { return }
        objects[last] = .bytes([])
        keys.append(number)
        objects[last] = .dictionary(keys: keys, values: values)
    }

    mutating func element() {}
    mutating func null() { string("$null") }
    mutating func bool(_ value: Bool) { add([value ? 9 : 8]) }

    mutating func integer(_ value: Int64) {
        // Negative integers always take eight bytes.
        value < 0 ? add([0x13] + Self.bigEndian(UInt64(bitPattern: value), 8)) : add(Self.integer(UInt64(value)))
    }

    mutating func integer(_ value: UInt64) {
        value > UInt64(Int64.max)
            ? add([0x14] + [UInt8](repeating: 0, count: 8) + Self.bigEndian(value, 8)) : add(Self.integer(value))
    }

    mutating func number(text: String) { string(text) }
    mutating func double(_ value: Double) { add([0x23] + Self.bigEndian(value.bitPattern, 8)) }
    mutating func float(_ value: Float) { add([0x22] + Self.bigEndian(UInt64(value.bitPattern), 4)) }

    mutating func string(_ value: String) {
        let number = number(of: value)
        put(number)
    }

    mutating func data(_ value: Data) {
        var object: [UInt8] = []
        Self.head(0x40, value.count, &object)
        add(object + [UInt8](value))
    }

    mutating func date(_ seconds: Double) { add([0x33] + Self.bigEndian(seconds.bitPattern, 8)) }

    mutating func wrap(_ key: EncodedKey) {
        let root = top
        let name = number(of: key.text)
        objects.append(.dictionary(keys: [name], values: [root]))
        top = objects.count - 1
        open.append(top)
    }

    /// The file.
    var data: Data {
        let referenceSize = objects.count <= 0x100 ? 1 : objects.count <= 0x1_0000 ? 2 : 4
        var bytes = Array("bplist00".utf8)
        var offsets: [Int] = []
        func add(_ references: [Int]) {
            for number in references { bytes += Self.bigEndian(UInt64(number), referenceSize) }
        }
        for object in objects {
            offsets.append(bytes.count)
            switch object {
            case .bytes(let value): bytes += value
            case .array(let elements):
                Self.head(0xa0, elements.count, &bytes)
                add(elements)
            case .dictionary(let keys, let values):
                Self.head(0xd0, keys.count, &bytes)
                add(keys)
                add(values)
            }
        }
        let table = bytes.count
        let offsetSize = table <= 0xff ? 1 : table <= 0xffff ? 2 : table <= 0xffff_ffff ? 4 : 8
        for offset in offsets { bytes += Self.bigEndian(UInt64(offset), offsetSize) }
        bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)]
        bytes += Self.bigEndian(UInt64(objects.count), 8) + Self.bigEndian(UInt64(top), 8)
        bytes += Self.bigEndian(UInt64(table), 8)
        return Data(bytes)
    }
}
