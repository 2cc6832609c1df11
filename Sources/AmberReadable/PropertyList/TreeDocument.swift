// Room:   AmberReadable / PropertyList. Trees and Foundation's objects as documents.
// Takes:  a ReadableValue, or objects as property lists and JSON have them in memory. Gives: nodes; objects.
// Touches: nothing.

internal import AmberModel
internal import Foundation

extension Document {
    /// The document of a tree.
    convenience init(_ tree: ReadableValue, _ limits: DecodingLimits) throws(DecodingFailure) {
        self.init(copying: Data())
        try add(tree, 0)
    }

    /// Adds the nodes of a tree.
    func add(_ tree: ReadableValue, _ depth: Int) throws(DecodingFailure) {
        guard depth < 200 else { throw DecodingFailure(.limitExceeded, "The tree is nested more than 200 deep.") }
        switch tree {
        case .null: _ = add(.null)
        case .bool(let value): _ = add(value ? .yes : .no)
        case .integer(let value): addNumber("\(value)", .integer)
        case .unsigned(let value): addNumber("\(value)", .integer)
        case .number(let text):
            guard let kind = Self.numberKind(text) else {
                throw DecodingFailure(.corrupt, "\"\(text.prefix(40))\" is no number as JSON writes it.")
            }
            addNumber(text, kind)
        case .double(let value): addBits(.double, value.bitPattern, 8)
        case .float(let value): addBits(.float, UInt64(value.bitPattern), 4)
        case .string(let text): addText(text)
        case .date(let date): addBits(.date, date.timeIntervalSinceReferenceDate.bitPattern, 8)
        case .data(let data): addData(data)
        case .array(let elements):
            let node = add(.array)
            for element in elements { try add(element, depth + 1) }
            close(node, length: elements.count)
        case .object(let pairs):
            let node = add(.object)
            for (key, value) in pairs {
                if key.utf8.first == UInt8(ascii: "$") { mark(node) }
                addText(key)
                try add(value, depth + 1)
            }
            close(node, length: pairs.count)
        }
    }

    func addText(_ text: String) {
        let (offset, length) = append(text: text)
        _ = add(.string, offset: offset, length: length)
    }

    func addNumber(_ text: String, _ kind: NodeKind) {
        let (offset, length) = append(text: text)
        _ = add(kind, offset: offset, length: length)
    }

    func addBits(_ kind: NodeKind, _ bits: UInt64, _ size: Int) {
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: bits >> (UInt64($0) * 8)) }
        _ = add(kind, offset: append(bytes: bytes), length: size)
    }

    func addData(_ data: Data) { _ = add(.data, offset: append(bytes: [UInt8](data)), length: data.count) }

    /// What kind of number a text is, if it is one as JSON writes them.
    static func numberKind(_ text: String) -> NodeKind? {
        let document = Document(copying: Data(text.utf8))
        var scanner = JSONScanner(document, nodeLimit: 1)
        guard (try? scanner.scan()) != nil, document.count == 1 else { return nil }
        let kind = document.kind(0)
        return kind == .integer || kind == .real ? kind : nil
    }
}

extension ReadableValue {
    /// The tree as Foundation's serializations take and give it: dictionaries, arrays, numbers, texts, dates, data, NSNull.
    var foundation: Any {
        switch self {
        case .null: NSNull()
        case .bool(let value): value
        case .integer(let value): Int(value)
        case .unsigned(let value): UInt(value)
        case .number(let text): (Decimal(string: text) as Any?) ?? text
        case .double(let value): value
        case .float(let value): value
        case .string(let text): text
        case .date(let date): date
        case .data(let data): data
        case .array(let elements): elements.map(\.foundation)
        case .object(let pairs):
            Dictionary(pairs.map { ($0.key, $0.value.foundation) }, uniquingKeysWith: { $1 }) as [String: Any]
        }
    }

    /// The tree of such objects; `nil` if one is of another kind.
    init?(foundation value: Any, depth: Int = 0) {
        guard depth < 200 else { return nil }
        if let number = Self.numeric(value) {
            self = number
            return
        }
        switch value {
        case _ where type(of: value) == NSNull.self: self = .null
        case let value as ReadableValue: self = value
        case let text as String: self = .string(text)
        case let date as Date: self = .date(date)
        case let data as Data: self = .data(data)
        case let elements as [Any]:
            var all: [ReadableValue] = []
            for element in elements {
                guard let tree = ReadableValue(foundation: element, depth: depth + 1) else { return nil }
                all.append(tree)
            }
            self = .array(all)
        case let pairs as [String: Any]:
            var all: [(key: String, value: ReadableValue)] = []
            for (key, element) in pairs.sorted(by: { precedes($0.key, $1.key) }) {
                guard let tree = ReadableValue(foundation: element, depth: depth + 1) else { return nil }
                all.append((key, tree))
            }
            self = .object(all)
        default: return nil
        }
    }

    /// A number by its own type, for casts between Foundation's and Swift's are too willing.
    private static func numeric(_ value: Any) -> ReadableValue? {
        if type(of: value) is NSNumber.Type {
            return (value as? NSNumber).map { ReadableValue(number: $0) }
        }
        if type(of: value) == Bool.self { return (value as? Bool).map { .bool($0) } }
        if type(of: value) == Double.self { return (value as? Double).map { .double($0) } }
        if type(of: value) == Float.self { return (value as? Float).map { .float($0) } }
        if let decimal = value as? Decimal, type(of: value) == Decimal.self { return .number(decimal.description) }
        if let integer = value as? any FixedWidthInteger {
            if let short = Int64(exactly: integer) { return .integer(short) }
            if let short = UInt64(exactly: integer) { return .unsigned(short) }
            return .number(integer.description)
        }
        return nil
    }
}
