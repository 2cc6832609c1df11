// Room:   AmberKeyed / Coders. C arrays of numbers, as the oldest coding methods write them.
// Takes:  numbers and their C type. Gives: the object `_NSKeyedCoderOldStyleArray` and its numbers back.
// Touches: nothing.

import Foundation

/// A C array in an archive: NS.count, NS.size, NS.type (the type code's character), and the elements without keys.
final class OldStyleArray: NSObject, NSSecureCoding {
    static let archiveName = "_NSKeyedCoderOldStyleArray"
    static var supportsSecureCoding: Bool { true }

    /// The numbers that C arrays are made of.
    enum Number: Character {
        case int8 = "c"
        case uint8 = "C"
        case int16 = "s"
        case uint16 = "S"
        case int32 = "i"
        case uint32 = "I"
        case int64 = "q"
        case uint64 = "Q"
        case float = "f"
        case double = "d"
        case bool = "B"

        /// The number of a type code; "l" and "L" are eight bytes wide on every system that is left.
        init?(_ code: some StringProtocol) {
            guard code.count == 1, let character = code.first else { return nil }
            self.init(rawValue: character == "l" ? "q" : character == "L" ? "Q" : character)
        }

        var size: Int {
            switch self {
            case .int8, .uint8, .bool: 1
            case .int16, .uint16: 2
            case .int32, .uint32, .float: 4
            case .int64, .uint64, .double: 8
            }
        }
    }

    /// A type code like `[12i]`.
    struct Layout {
        var count: Int
        var number: Number

        init?(_ code: String) {
            guard code.hasPrefix("["), code.hasSuffix("]") else { return nil }
            let inside = code.dropFirst().dropLast()
            let digits = inside.prefix { $0.isASCII && $0.isNumber }
            guard let count = Int(digits), let number = Number(inside.dropFirst(digits.count)) else { return nil }
            self.count = count
            self.number = number
        }
    }

    let number: Number
    let elements: [PlistValue]

    init(number: Number, elements: [PlistValue]) {
        self.number = number
        self.elements = elements
    }

    required init?(coder: NSCoder) {
        guard let coder = coder as? UnarchivingCoder, let record = coder.currentRecord,
            let code = record["NS.type"]?.integerValue, (0..<128).contains(code),
            let number = Number(String(Character(Unicode.Scalar(UInt8(code))))),
            let count = record["NS.count"]?.integerValue,
            // Each element is an entry of the record: a count beyond them is a lie.
            count >= 0, count <= record.entries.count
        else { return nil }
        var elements: [PlistValue] = []
        for _ in 0..<count {
            guard let element = coder.nextUnkeyed(), element.doubleValue != nil else { return nil }
            elements.append(element)
        }
        self.number = number
        self.elements = elements
    }

    func encode(with coder: NSCoder) {
        guard let coder = coder as? ArchivingCoder else { return }
        coder.put(.integer(Int64(elements.count)), "NS.count")
        coder.put(.integer(Int64(number.size)), "NS.size")
        coder.put(.integer(Int64(number.rawValue.asciiValue ?? 0)), "NS.type")
        for element in elements { coder.putUnkeyed(element) }
    }
}
