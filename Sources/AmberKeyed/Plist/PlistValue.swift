// Room:   AmberKeyed / Plist. A property list as plain values, references included.
// Takes:  nothing. Gives: the tree that both readers make and both writers take.
// Touches: nothing.

import Foundation

/// One value of a property list. The kinds of numbers are kept apart, as an archive keeps them.
enum PlistValue: Sendable {
    case bool(Bool)
    case integer(Int64)
    /// An integer above `Int64.max`.
    case unsigned(UInt64)
    case float(Float)
    case double(Double)
    /// Seconds since 2001-01-01T00:00:00Z.
    case date(Double)
    case data(Data)
    case string(String)
    /// The number of an archived object: a UID.
    case reference(UInt32)
    case array([PlistValue])
    case dictionary(PlistDictionary)
}

/// The entries of a dictionary in the order of the file.
struct PlistDictionary: Sendable {
    struct Entry: Sendable {
        var key: String
        var value: PlistValue
    }

    var entries: [Entry]

    init(_ entries: [Entry] = []) {
        self.entries = entries
    }

    init(_ pairs: KeyValuePairs<String, PlistValue>) {
        entries = pairs.map { Entry(key: $0.key, value: $0.value) }
    }

    /// The first value for `key`. A linear search: records are short, and long ones are indexed by their reader.
    subscript(key: String) -> PlistValue? {
        for entry in entries where entry.key == key { return entry.value }
        return nil
    }
}

extension PlistValue {
    /// The text of a number, for errors.
    var numberText: String? {
        switch self {
        case .integer(let value): "\(value)"
        case .unsigned(let value): "\(value)"
        case .float(let value): "\(value)"
        case .double(let value): "\(value)"
        default: nil
        }
    }

    var string: String? {
        if case .string(let value) = self { return value }
        return nil
    }

    var reference: UInt32? {
        if case .reference(let value) = self { return value }
        return nil
    }

    var dictionary: PlistDictionary? {
        if case .dictionary(let value) = self { return value }
        return nil
    }

    var array: [PlistValue]? {
        if case .array(let value) = self { return value }
        return nil
    }

    var data: Data? {
        if case .data(let value) = self { return value }
        return nil
    }

    /// The value in the words of an error.
    var words: String {
        if let text = numberText { return "The number \(text)" }
        if let text = string { return "The text \"\(text.prefix(40))\"" }
        return kindName.prefix(1).uppercased() + kindName.dropFirst()
    }

    /// What kind of value it is, for error messages.
    var kindName: String {
        switch self {
        case .bool: "a boolean"
        case .integer, .unsigned: "an integer"
        case .float, .double: "a real"
        case .date: "a date"
        case .data: "data"
        case .string: "a string"
        case .reference: "a reference"
        case .array: "an array"
        case .dictionary: "a dictionary"
        }
    }

    /// The value as an integer, converted from any kind of number as Foundation does, clamped where it doesn't fit.
    var integerValue: Int64? {
        switch self {
        case .bool(let value): value ? 1 : 0
        case .integer(let value): value
        case .unsigned(let value): Int64(truncatingIfNeeded: value)
        case .float(let value): Self.clamped(Double(value))
        case .double(let value): Self.clamped(value)
        default: nil
        }
    }

    /// The value as a real, converted from any kind of number.
    var doubleValue: Double? {
        switch self {
        case .bool(let value): value ? 1 : 0
        case .integer(let value): Double(value)
        case .unsigned(let value): Double(value)
        case .float(let value): Double(value)
        case .double(let value): value
        default: nil
        }
    }

    private static func clamped(_ value: Double) -> Int64 {
        if value.isNaN { return 0 }
        if value >= 0x1p63 { return Int64.max }
        if value < -0x1p63 { return Int64.min }
        return Int64(value)
    }
}
