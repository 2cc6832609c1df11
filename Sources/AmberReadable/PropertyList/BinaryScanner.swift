// Room:   AmberReadable / PropertyList. Binary property lists to nodes, without recursion.
// Takes:  bytes from anywhere. Gives: a document; or a failure with the byte at which they are no property list.
// Touches: the document's nodes, appended.
//
// A file is a graph: objects name each other by number. A container that is named twice is read once, and a jump stands in its
// second place, so that no file expands; one that holds itself is refused.

internal import AmberModel
internal import Foundation

struct BinaryScanner {
    private enum State: Equatable {
        case unread
        case open
        case done(node: Int)
    }

    private struct Open {
        var object: Int
        var node: Int
        var count: Int
        var next = 0
        /// Where the references to keys (of a dictionary) and values begin.
        var keys: Int?
        var values: Int
    }

    private let document: Document
    private let bytes: [UInt8]
    private var states: [State] = []
    private var offsets: [Int] = []
    private var referenceSize = 1
    private var stack: [Open] = []
    /// How many bytes of leaves may be copied: many numbers may name the same ones.
    private var budget: Int
    private var table = 0

    init(_ document: Document, _ bytes: [UInt8], budget: Int) {
        self.document = document
        self.bytes = bytes
        self.budget = budget
    }

    private func failure(_ reason: String, at offset: Int) -> SyntaxError {
        SyntaxError(offset: offset, reason: reason)
    }

    private func number(_ offset: Int, _ size: Int) -> UInt64 {
        bytes[offset..<offset + size].reduce(0) { $0 << 8 | UInt64($1) }
    }

    mutating func scan() throws(SyntaxError) {
        guard bytes.count >= 41 else {
            throw SyntaxError(
                offset: bytes.count, reason: "The file is too short for a property list.", isTruncation: true)
        }
        let trailer = bytes.count - 32
        let offsetSize = Int(bytes[trailer + 6])
        referenceSize = Int(bytes[trailer + 7])
        let (count, top, start) = (number(trailer + 8, 8), number(trailer + 16, 8), number(trailer + 24, 8))
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize) else {
            throw failure("The trailer's sizes must be 1 to 8.", at: trailer + 6)
        }
        guard count >= 1, count <= UInt64(bytes.count), top < count, start >= 9, start < UInt64(trailer),
            Int(start) + Int(count) * offsetSize <= trailer
        else { throw failure("The trailer doesn't fit the file.", at: trailer + 8) }
        table = Int(start)
        for index in 0..<Int(count) {
            let offset = number(table + index * offsetSize, offsetSize)
            guard offset >= 8, offset < UInt64(table) else {
                throw failure("An offset leads out of the file.", at: table + index * offsetSize)
            }
            offsets.append(Int(offset))
        }
        states = Array(repeating: .unread, count: Int(count))
        try begin(Int(top))
        while let last = stack.last {
            guard last.next < last.count else {
                document.close(last.node, length: last.count)
                states[last.object] = .done(node: last.node)
                stack.removeLast()
                continue
            }
            stack[stack.count - 1].next += 1
            if let keys = last.keys { try addKey(keys + last.next * referenceSize, to: last.node) }
            try begin(try reference(last.values + last.next * referenceSize))
        }
    }

    private func reference(_ place: Int) throws(SyntaxError) -> Int {
        let value = number(place, referenceSize)
        guard value < UInt64(offsets.count) else { throw failure("A reference leads to no object.", at: place) }
        return Int(value)
    }

    private mutating func addKey(_ place: Int, to node: Int) throws(SyntaxError) {
        let object = try reference(place)
        let kind = bytes[offsets[object]] >> 4
        guard kind == 5 || kind == 6 else { throw failure("A key is no text.", at: offsets[object]) }
        try begin(object)
        if document.string(document.count - 1).utf8.first == UInt8(ascii: "$") { document.mark(node) }
    }

    /// Adds the node of an object; a container is left open.
    private mutating func begin(_ object: Int) throws(SyntaxError) {
        if case .done(let node) = states[object] {
            _ = document.add(.jump, offset: node)
            return
        }
        guard states[object] == .unread else { throw failure("A container holds itself.", at: offsets[object]) }
        let offset = offsets[object]
        let (kind, low) = (bytes[offset] >> 4, Int(bytes[offset] & 15))
        budget -= 16
        guard budget >= 0 else { throw SyntaxError(offset: offset, reason: "The file expands too far.", isLimit: true) }
        switch kind {
        case 0:
            switch low {
            case 0: _ = document.add(.null)
            case 8: _ = document.add(.no)
            case 9: _ = document.add(.yes)
            default: throw failure("A byte is the mark of no object.", at: offset)
            }
        case 1:
            let size = 1 << low
            guard low <= 4 else { throw failure("An integer is too long.", at: offset) }
            let start = try room(offset + 1, size)
            if size == 16 {
                let value = Int128(Int64(bitPattern: number(start, 8))) << 64 | Int128(number(start + 8, 8))
                document.addNumber("\(value)", .integer)
            } else {
                let value = number(start, size)
                document.addNumber(size == 8 ? "\(Int64(bitPattern: value))" : "\(value)", .integer)
            }
        case 2:
            guard low == 2 || low == 3 else { throw failure("A number has a size that none has.", at: offset) }
            let bits = number(try room(offset + 1, 1 << low), 1 << low)
            document.addBits(low == 2 ? .float : .double, bits, 1 << low)
        case 3:
            guard low == 3 else { throw failure("A date has a size that none has.", at: offset) }
            let bits = number(try room(offset + 1, 8), 8)
            guard Double(bitPattern: bits).isFinite else { throw failure("A date is no number.", at: offset) }
            document.addBits(.date, bits, 8)
        case 4:
            let (start, count) = try counted(offset, low, 1)
            document.addData(Data(bytes[start..<start + count]))
        case 5:
            let (start, count) = try counted(offset, low, 1)
            guard let text = String(validating: bytes[start..<start + count], as: UTF8.self) else {
                throw failure("A text is not ASCII.", at: offset)
            }
            document.addText(text)
        case 6:
            let (start, count) = try counted(offset, low, 2)
            let units = (0..<count).map { UInt16(number(start + $0 * 2, 2)) }
            guard let text = String(validating: units, as: UTF16.self) else {
                throw failure("A text is not well-formed UTF-16.", at: offset)
            }
            document.addText(text)
        case 10, 13:
            let (start, count) = try counted(offset, low, kind == 13 ? referenceSize * 2 : referenceSize)
            let node = document.add(kind == 13 ? .object : .array)
            states[object] = .open
            stack.append(
                Open(
                    object: object, node: node, count: count, keys: kind == 13 ? start : nil,
                    values: kind == 13 ? start + count * referenceSize : start))
        default: throw failure("A byte is the mark of no object that documents have.", at: offset)
        }
    }

    /// The offset, if there are so many bytes before the table.
    private func room(_ offset: Int, _ size: Int) throws(SyntaxError) -> Int {
        guard size <= table - offset else { throw failure("An object leads out of the file.", at: offset) }
        return offset
    }

    /// Where an object's contents begin, and how many elements of a size it has.
    private mutating func counted(_ offset: Int, _ low: Int, _ size: Int) throws(SyntaxError) -> (Int, Int) {
        var (start, count) = (offset + 1, low)
        if low == 15 {
            guard start < table, bytes[start] >> 4 == 1, bytes[start] & 15 <= 3 else {
                throw failure("A count is no integer.", at: start)
            }
            let width = 1 << Int(bytes[start] & 15)
            let value = number(try room(start + 1, width), width)
            guard value <= UInt64(bytes.count) else { throw failure("A count is larger than the file.", at: start) }
            (start, count) = (start + 1 + width, Int(value))
        }
        let needed = count * size
        _ = try room(start, needed)
        budget -= needed
        guard budget >= 0 else { throw SyntaxError(offset: offset, reason: "The file expands too far.", isLimit: true) }
        return (start, count)
    }
}
