// Room:   AmberReadable / PropertyList. XML property lists to nodes, without recursion.
// Takes:  a document with its text. Gives: its nodes; or a failure with the byte at which the text is no property list.
// Touches: the document's text, read only; its nodes, appended.

internal import AmberModel
internal import Foundation

/// One pass over an XML property list. What XML can do beyond property lists (entities of its own, processing) is refused.
struct XMLScanner {
    private let document: Document
    private let bytes: [UInt8]
    private var position = 0
    private let nodeLimit: Int
    /// Open containers: their nodes, how many children they have, whether a key waits for its value.
    private var open: [(node: Int, count: Int, isObject: Bool, hasKey: Bool)] = []

    init(_ document: Document, _ bytes: [UInt8], nodeLimit: Int) {
        self.document = document
        self.bytes = bytes
        self.nodeLimit = nodeLimit
    }

    mutating func scan() throws(SyntaxError) {
        if bytes.starts(with: [0xef, 0xbb, 0xbf]) { position = 3 }
        try skipProlog()
        var isInside = false
        var isDone = false
        while true {
            try skipMisc()
            guard position < bytes.count else { throw failure("The text ends before the property list does.", true) }
            guard bytes[position] == UInt8(ascii: "<") else {
                throw failure("Text stands where an element is expected.")
            }
            let start = position
            let tag = try tag()
            switch (tag.name, tag.isEnd) {
            case ("plist", false):
                guard !isInside, !tag.isEmpty else { throw failure("`<plist>` stands in the wrong place.", at: start) }
                isInside = true
                continue
            case ("plist", true):
                guard isInside, isDone, open.isEmpty else {
                    throw failure("The property list has no value.", at: start)
                }
                try skipMisc()
                guard position == bytes.count else { throw failure("Something follows the property list.") }
                return
            case ("dict", true), ("array", true):
                if let last = open.last, last.hasKey { throw failure("The key before has no value.", at: start) }
                guard let last = open.last, last.isObject == (tag.name == "dict") else {
                    throw failure("`</\(tag.name)>` ends nothing here.", at: start)
                }
                open.removeLast()
                document.close(last.node, length: last.count)
                if open.isEmpty { isDone = true }
                continue
            case (_, true): throw failure("`</\(tag.name)>` ends nothing here.", at: start)
            default: break
            }
            if tag.name == "key" {
                guard let last = open.last, last.isObject, !last.hasKey else {
                    throw failure(
                        open.last?.hasKey == true
                            ? "The key before has no value." : "A key stands where none is expected.", at: start)
                }
                var text = tag.isEmpty ? "" : try content("key")
                if let special = Marker.key(ofText: text) { text = special }
                if text.utf8.first == UInt8(ascii: "$") { document.mark(last.node) }
                document.addText(text)
                document.note(place: start)
                open[open.count - 1].hasKey = true
                continue
            }
            guard !isDone else { throw failure("A second value stands in the property list.", at: start) }
            if let last = open.last {
                guard !last.isObject || last.hasKey else { throw failure("A value has no key.", at: start) }
                open[open.count - 1].count += 1
                open[open.count - 1].hasKey = false
            }
            try value(tag, at: start)
            document.note(place: start)
            if open.isEmpty { isDone = true }
            if document.count > nodeLimit {
                throw SyntaxError(offset: start, reason: "The document has too many values.", isLimit: true)
            }
        }
    }

    private mutating func value(_ tag: (name: String, isEnd: Bool, isEmpty: Bool), at start: Int) throws(SyntaxError) {
        let document = document
        switch tag.name {
        case "dict", "array":
            let node = document.add(tag.name == "dict" ? .object : .array, offset: start)
            if tag.isEmpty { return }
            open.append((node, 0, tag.name == "dict", false))
        case "true", "false":
            _ = document.add(tag.name == "true" ? .yes : .no, offset: start)
            if !tag.isEmpty, try !content(tag.name).isEmpty { throw failure("A truth has no content.", at: start) }
        case "string": document.addText(tag.isEmpty ? "" : try content("string"))
        case "integer":
            let text = tag.isEmpty ? "" : try content("integer").trimmingCharacters(in: .whitespacesAndNewlines)
            guard let number = Self.integer(text) else {
                throw failure("\"\(text.prefix(40))\" is no integer.", at: start)
            }
            document.addNumber(number, .integer)
        case "real":
            let text = tag.isEmpty ? "" : try content("real").trimmingCharacters(in: .whitespacesAndNewlines)
            if let kind = Document.numberKind(text) {
                document.addNumber(text, kind == .integer ? .real : kind)
            } else if let value = Self.real(text) {
                document.addBits(.double, value.bitPattern, 8)
            } else {
                throw failure("\"\(text.prefix(40))\" is no number.", at: start)
            }
        case "date":
            let text = tag.isEmpty ? "" : try content("date").trimmingCharacters(in: .whitespacesAndNewlines)
            guard let seconds = DateText.seconds(text) else {
                throw failure("\"\(text.prefix(40))\" is no date.", at: start)
            }
            document.addBits(.date, seconds.bitPattern, 8)
        case "data":
            let text = tag.isEmpty ? "" : try content("data")
            guard let data = Data(base64Encoded: text, options: .ignoreUnknownCharacters) else {
                throw failure("The data is not base64.", at: start)
            }
            document.addData(data)
        default: throw failure("`<\(tag.name)>` is no element of property lists.", at: start)
        }
    }

    private static func integer(_ text: String) -> String? {
        let isNegative = text.hasPrefix("-")
        let digits = isNegative || text.hasPrefix("+") ? String(text.dropFirst()) : text
        if digits.hasPrefix("0x") || digits.hasPrefix("0X") {
            return UInt64(digits.dropFirst(2), radix: 16).map { isNegative ? "-\($0)" : "\($0)" }
        }
        return Int128(text).map { "\($0)" }
    }

    private static func real(_ text: String) -> Double? {
        switch text.lowercased() {
        case "nan": .nan
        case "+infinity", "infinity", "inf", "+inf": .infinity
        case "-infinity", "-inf": -.infinity
        default: Double(text)
        }
    }

    // MARK: XML

    private func failure(_ reason: String, _ isTruncation: Bool = false, at offset: Int? = nil) -> SyntaxError {
        SyntaxError(
            offset: offset ?? min(position, bytes.count), reason: reason,
            isTruncation: isTruncation || position >= bytes.count)
    }

    private func has(_ text: StaticString, at place: Int) -> Bool {
        let wanted = text.description.utf8
        return place + wanted.count <= bytes.count && bytes[place..<place + wanted.count].elementsEqual(wanted)
    }

    private mutating func skip(to end: StaticString) throws(SyntaxError) {
        while position < bytes.count {
            if has(end, at: position) {
                position += end.utf8CodeUnitCount
                return
            }
            position += 1
        }
        throw failure("The text ends where `\(end)` is expected.", true)
    }

    private mutating func skipMisc() throws(SyntaxError) {
        while position < bytes.count {
            if [0x20, 0x09, 0x0a, 0x0d].contains(bytes[position]) {
                position += 1
            } else if has("<!--", at: position) {
                position += 4
                try skip(to: "-->")
            } else {
                return
            }
        }
    }

    private mutating func skipProlog() throws(SyntaxError) {
        try skipMisc()
        if has("<?xml", at: position) { try skip(to: "?>") }
        try skipMisc()
        if has("<!DOCTYPE", at: position) {
            let start = position
            while position < bytes.count, bytes[position] != UInt8(ascii: ">") {
                if bytes[position] == UInt8(ascii: "[") { throw failure("Declarations are not read.", at: start) }
                position += 1
            }
            position += 1
        }
    }

    /// A tag, with the name and whether it ends an element or is one without content.
    private mutating func tag() throws(SyntaxError) -> (name: String, isEnd: Bool, isEmpty: Bool) {
        let start = position
        position += 1
        let isEnd = position < bytes.count && bytes[position] == UInt8(ascii: "/")
        if isEnd { position += 1 }
        let nameStart = position
        while position < bytes.count, bytes[position].isLetter { position += 1 }
        let name = String(decoding: bytes[nameStart..<position], as: UTF8.self)
        // Attributes say nothing that matters here.
        while position < bytes.count, bytes[position] != UInt8(ascii: ">") {
            if bytes[position] == UInt8(ascii: "<") { throw failure("A tag is not closed.", at: start) }
            position += 1
        }
        guard position < bytes.count, !name.isEmpty else { throw failure("A tag is not whole.", at: start) }
        let isEmpty = bytes[position - 1] == UInt8(ascii: "/") && !isEnd
        position += 1
        return (name, isEnd, isEmpty)
    }

    /// The text up to the end of an element.
    private mutating func content(_ name: String) throws(SyntaxError) -> String {
        var text: [UInt8] = []
        while position < bytes.count {
            let byte = bytes[position]
            switch byte {
            case UInt8(ascii: "<"):
                if has("<![CDATA[", at: position) {
                    position += 9
                    let start = position
                    try skip(to: "]]>")
                    text += bytes[start..<position - 3]
                } else if has("<!--", at: position) {
                    position += 4
                    try skip(to: "-->")
                } else {
                    let start = position
                    let end = try tag()
                    guard end.isEnd, end.name == name else { throw failure("`<\(name)>` is not closed.", at: start) }
                    guard let string = String(validating: text, as: UTF8.self) else {
                        throw failure("The text is not UTF-8.", at: start)
                    }
                    return string
                }
            case UInt8(ascii: "&"): text += try entity()
            case 0x0d:
                // XML's line ends are one character.
                position += 1
                if position < bytes.count, bytes[position] == 0x0a { position += 1 }
                text.append(0x0a)
            default:
                text.append(byte)
                position += 1
            }
        }
        throw failure("The text ends within `<\(name)>`.", true)
    }

    private mutating func entity() throws(SyntaxError) -> [UInt8] {
        let start = position
        var end = position + 1
        while end < bytes.count, end - start < 12, bytes[end] != UInt8(ascii: ";") { end += 1 }
        guard end < bytes.count, bytes[end] == UInt8(ascii: ";") else {
            throw failure("An entity is not closed.", at: start)
        }
        let name = String(decoding: bytes[start + 1..<end], as: UTF8.self)
        position = end + 1
        switch name {
        case "lt": return [UInt8(ascii: "<")]
        case "gt": return [UInt8(ascii: ">")]
        case "amp": return [UInt8(ascii: "&")]
        case "quot": return [UInt8(ascii: "\"")]
        case "apos": return [UInt8(ascii: "'")]
        default:
            guard name.hasPrefix("#") else { break }
            let digits = name.dropFirst()
            let number = digits.hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
            if let number, let scalar = Unicode.Scalar(number), number > 0 { return Array(String(scalar).utf8) }
        }
        throw failure("`&\(name);` is no character.", at: start)
    }
}

extension UInt8 {
    fileprivate var isLetter: Bool { self | 0x20 >= UInt8(ascii: "a") && self | 0x20 <= UInt8(ascii: "z") }
}
