// Room:   AmberKeyed / Plist. XML property lists to values.
// Takes:  UTF-8 text from anywhere, and limits. Gives: the tree, a dictionary with the one key CF$UID as a reference.
// Touches: nothing. Never: an object, a class, an entity from outside, the network.
//
// Only what property lists use is read: elements without a meaning here are refused, declarations, comments and
// processing instructions are passed over, and the five named entities and character references are all there are.

import AmberModel
import Foundation

struct XMLPlistReader {
    private let bytes: [UInt8]
    private var position = 0
    private let depthLimit: Int

    private struct OpenContainer {
        var isDictionary: Bool
        var values: [PlistValue] = []
        var entries: [PlistDictionary.Entry] = []
        var key: String?
    }

    /// Reads the property list in `data`.
    static func read(_ data: Data, limits: DecodingLimits) throws(KeyedFailure) -> PlistValue {
        guard data.count <= limits.bytes else {
            throw KeyedFailure(.limitExceeded, "\(data.count) bytes are more than the limit of \(limits.bytes).")
        }
        var reader = XMLPlistReader(bytes: try utf8(data), depthLimit: limits.depth)
        return try reader.document()
    }

    private init(bytes: [UInt8], depthLimit: Int) {
        self.bytes = bytes
        self.depthLimit = depthLimit
    }

    /// The text as UTF-8: marked UTF-16 is converted, anything else must be UTF-8 already.
    private static func utf8(_ data: Data) throws(KeyedFailure) -> [UInt8] {
        let bytes = [UInt8](data)
        let isBigEndian = bytes.starts(with: [0xfe, 0xff])
        guard isBigEndian || bytes.starts(with: [0xff, 0xfe]) else {
            return bytes.starts(with: [0xef, 0xbb, 0xbf]) ? Array(bytes.dropFirst(3)) : bytes
        }
        guard bytes.count % 2 == 0 else { throw KeyedFailure(.malformed, "UTF-16 of an odd length.", offset: 0) }
        var units: [UInt16] = []
        units.reserveCapacity(bytes.count / 2)
        for index in stride(from: 2, to: bytes.count, by: 2) {
            let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
            units.append(isBigEndian ? first << 8 | second : second << 8 | first)
        }
        guard let text = String(validating: units, as: UTF16.self) else {
            throw KeyedFailure(.malformed, "The text is not well-formed UTF-16.", offset: 0)
        }
        return Array(text.utf8)
    }

    private func failure(_ message: String) -> KeyedFailure {
        KeyedFailure(.malformed, message, offset: position)
    }

    fileprivate enum Tag {
        case open(String)
        case empty(String)
        case close(String)
    }

    private mutating func document() throws(KeyedFailure) -> PlistValue {
        var stack: [OpenContainer] = []
        var result: PlistValue?
        var isInsidePlist = false
        while true {
            try skipSpaceAndRemarks()
            if position == bytes.count {
                guard let result, !isInsidePlist else { throw failure("The document ends before its value.") }
                return result
            }
            let tag = try self.tag()
            var finished: PlistValue?
            switch tag {
            case .open("plist") where stack.isEmpty && result == nil && !isInsidePlist:
                isInsidePlist = true
            case .close("plist") where stack.isEmpty && isInsidePlist && result != nil:
                isInsidePlist = false
            case .open("dict"), .open("array"):
                guard stack.count < depthLimit else {
                    throw KeyedFailure(
                        .limitExceeded, "Nested deeper than the limit of \(depthLimit).", offset: position)
                }
                stack.append(OpenContainer(isDictionary: tag.isDictionary))
            case .empty("dict"): finished = .dictionary(PlistDictionary())
            case .empty("array"): finished = .array([])
            case .close("dict"):
                guard let top = stack.popLast(), top.isDictionary, top.key == nil else {
                    throw failure("</dict> closes no dictionary, or a key lacks its value.")
                }
                finished = Self.closed(top.entries)
            case .close("array"):
                guard let top = stack.popLast(), !top.isDictionary else { throw failure("</array> closes no array.") }
                finished = .array(top.values)
            case .open("key"), .empty("key"):
                guard let top = stack.last, top.isDictionary, top.key == nil else {
                    throw failure("A key stands where no key is expected.")
                }
                stack[stack.count - 1].key = try content(of: tag, "key")
            case .open(let name), .empty(let name):
                finished = try scalar(name, try content(of: tag, name))
            case .close(let name):
                throw failure("</\(name)> closes nothing.")
            }
            if let value = finished {
                if let top = stack.last {
                    if !top.isDictionary {
                        stack[stack.count - 1].values.append(value)
                    } else if let key = top.key {
                        stack[stack.count - 1].entries.append(.init(key: key, value: value))
                        stack[stack.count - 1].key = nil
                    } else {
                        throw failure("A value in a dictionary lacks its key.")
                    }
                } else if result == nil {
                    result = value
                } else {
                    throw failure("The document holds more than one value.")
                }
            }
        }
    }

    private static func closed(_ entries: [PlistDictionary.Entry]) -> PlistValue {
        if entries.count == 1, entries[0].key == "CF$UID", case .integer(let number) = entries[0].value,
            let reference = UInt32(exactly: number)
        {
            return .reference(reference)
        }
        return .dictionary(PlistDictionary(entries))
    }

    private func scalar(_ name: String, _ text: String) throws(KeyedFailure) -> PlistValue {
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        switch name {
        case "string": return .string(text)
        case "true": return .bool(true)
        case "false": return .bool(false)
        case "integer":
            if let value = Int64(trimmed) { return .integer(value) }
            if let value = UInt64(trimmed) { return .unsigned(value) }
            let isNegative = trimmed.hasPrefix("-")
            let digits = isNegative ? trimmed.dropFirst() : trimmed[...]
            if digits.hasPrefix("0x") || digits.hasPrefix("0X"), let value = UInt64(digits.dropFirst(2), radix: 16) {
                if !isNegative { return value > UInt64(Int64.max) ? .unsigned(value) : .integer(Int64(value)) }
                if value <= UInt64(Int64.max) { return .integer(-Int64(value)) }
            }
            throw failure("\"\(trimmed.prefix(40))\" is no integer.")
        case "real":
            switch trimmed.lowercased() {
            case "nan": return .double(.nan)
            case "inf", "+inf", "infinity", "+infinity": return .double(.infinity)
            case "-inf", "-infinity": return .double(-.infinity)
            default:
                guard let value = Double(trimmed) else { throw failure("\"\(trimmed.prefix(40))\" is no real.") }
                return .double(value)
            }
        case "date":
            guard let seconds = XMLPlistDate.seconds(from: trimmed) else {
                throw failure("\"\(trimmed.prefix(40))\" is no date.")
            }
            return .date(seconds)
        case "data":
            let digits = text.utf8.filter { !($0 == 0x20 || ($0 >= 0x09 && $0 <= 0x0d)) }
            guard let data = Data(base64Encoded: Data(digits)) else { throw failure("Data that is not base64.") }
            return .data(data)
        default: throw failure("The element <\(name.prefix(40))> has no meaning in a property list.")
        }
    }

    private mutating func skipSpaceAndRemarks() throws(KeyedFailure) {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x09, 0x0a, 0x0d: position += 1
            case UInt8(ascii: "<"):
                if starts(with: "<!--") {
                    try skip(past: "-->", from: position + 4)
                } else if starts(with: "<?") {
                    try skip(past: "?>", from: position + 2)
                } else if starts(with: "<!DOCTYPE") {
                    try skipDoctype()
                } else {
                    return
                }
            default: throw failure("Text stands where an element is expected.")
            }
        }
    }

    private mutating func skipDoctype() throws(KeyedFailure) {
        // An inner subset, where entities could be declared, is none of a property list's business.
        while position < bytes.count, bytes[position] != UInt8(ascii: ">") {
            guard bytes[position] != UInt8(ascii: "[") else { throw failure("Declarations in a document type.") }
            position += 1
        }
        guard position < bytes.count else { throw failure("The document type does not end.") }
        position += 1
    }

    private func starts(with text: StaticString) -> Bool {
        var index = position
        for scalar in text.description.utf8 {
            guard index < bytes.count, bytes[index] == scalar else { return false }
            index += 1
        }
        return true
    }

    private mutating func skip(past end: StaticString, from start: Int) throws(KeyedFailure) {
        position = min(start, bytes.count)
        while position < bytes.count {
            if starts(with: end) {
                position += end.utf8CodeUnitCount
                return
            }
            position += 1
        }
        throw failure("\"\(end)\" is missing.")
    }

    private mutating func tag() throws(KeyedFailure) -> Tag {
        position += 1
        let isClosing = position < bytes.count && bytes[position] == UInt8(ascii: "/")
        if isClosing { position += 1 }
        let start = position
        while position < bytes.count, bytes[position] != UInt8(ascii: ">") {
            guard bytes[position] != UInt8(ascii: "<") else { throw failure("A tag within a tag.") }
            position += 1
        }
        guard position < bytes.count else { throw failure("A tag does not end.") }
        var inside = bytes[start..<position]
        position += 1
        let isEmpty = !isClosing && inside.last == UInt8(ascii: "/")
        if isEmpty { inside = inside.dropLast() }
        let name = inside.prefix { !($0 == 0x20 || ($0 >= 0x09 && $0 <= 0x0d)) }
        guard !name.isEmpty, name.count <= 16, let text = String(validating: name, as: UTF8.self) else {
            throw failure("A tag without a name that means something here.")
        }
        return isClosing ? .close(text) : isEmpty ? .empty(text) : .open(text)
    }

    /// The text up to the closing tag, entities resolved.
    private mutating func content(of tag: Tag, _ name: String) throws(KeyedFailure) -> String {
        guard case .open = tag else { return "" }
        let start = position
        var output: [UInt8] = []
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "&"):
                try entity(&output)
            case UInt8(ascii: "<"):
                if starts(with: "<![CDATA[") {
                    let first = position + 9
                    try skip(past: "]]>", from: first)
                    output.append(contentsOf: bytes[first..<position - 3])
                } else if starts(with: "<!--") {
                    try skip(past: "-->", from: position + 4)
                } else {
                    guard case .close(name) = try self.tag() else { throw failure("<\(name)> is not closed.") }
                    guard let text = String(validating: output, as: UTF8.self) else {
                        throw KeyedFailure(.malformed, "Text that is not well-formed UTF-8.", offset: start)
                    }
                    return text
                }
            case 0x0d:
                // XML ends lines with a line feed, however the file does.
                output.append(0x0a)
                position += 1
                if position < bytes.count, bytes[position] == 0x0a { position += 1 }
            case let byte:
                output.append(byte)
                position += 1
            }
        }
        throw failure("<\(name)> is not closed.")
    }

    private mutating func entity(_ output: inout [UInt8]) throws(KeyedFailure) {
        let rest = bytes[(position + 1)...].prefix(12)
        guard let end = rest.firstIndex(of: UInt8(ascii: ";")),
            let name = String(validating: bytes[position + 1..<end], as: UTF8.self)
        else { throw failure("An entity that does not end.") }
        switch name {
        case "lt": output.append(UInt8(ascii: "<"))
        case "gt": output.append(UInt8(ascii: ">"))
        case "amp": output.append(UInt8(ascii: "&"))
        case "quot": output.append(UInt8(ascii: "\""))
        case "apos": output.append(UInt8(ascii: "'"))
        default:
            let isHex = name.hasPrefix("#x")
            guard name.hasPrefix("#"),
                let value = UInt32(name.dropFirst(isHex ? 2 : 1), radix: isHex ? 16 : 10),
                let scalar = Unicode.Scalar(value)
            else { throw failure("The entity &\(name); is not known.") }
            output.append(contentsOf: Array(String(Character(scalar)).utf8))
        }
        position = end + 1
    }
}

extension XMLPlistReader.Tag {
    fileprivate var isDictionary: Bool {
        if case .open("dict") = self { return true }
        return false
    }
}
