// Room:   AmberReadable / Document. A document as a tree of plain values.
// Takes:  what a text or property list holds. Gives: the same, to be looked at, changed, made by hand.
// Touches: nothing.

internal import AmberModel
public import Foundation

/// A value of a document: what JSON and property lists are made of.
public indirect enum ReadableValue: Sendable {
    /// JSON's null.
    case null
    /// A truth.
    case bool(Bool)
    /// An integer.
    case integer(Int64)
    /// An integer above `Int64.max`.
    case unsigned(UInt64)
    /// Any other number of JSON, by its text: no digit is lost.
    case number(String)
    /// A number.
    case double(Double)
    /// A number of four bytes.
    case float(Float)
    /// A text.
    case string(String)
    /// A property list's date.
    case date(Date)
    /// A property list's data.
    case data(Data)
    /// An array.
    case array([ReadableValue])
    /// An object, its keys in order.
    case object([(key: String, value: ReadableValue)])
}

extension ReadableValue {
    /// The value under a key of an object, or `nil`.
    ///
    /// - Parameter key: The key.
    /// - Complexity: O(*n*).
    public subscript(_ key: String) -> ReadableValue? {
        if case .object(let pairs) = self { return pairs.first { $0.key == key }?.value }
        return nil
    }

    /// An element of an array, or `nil`.
    ///
    /// - Parameter index: Its index.
    public subscript(_ index: Int) -> ReadableValue? {
        if case .array(let elements) = self, elements.indices.contains(index) { return elements[index] }
        return nil
    }

    /// Whether the value is null.
    public var isNull: Bool {
        if case .null = self { return true }
        return false
    }

    /// The text, if the value is one.
    public var string: String? {
        if case .string(let text) = self { return text }
        return nil
    }

    /// The truth, if the value is one.
    public var bool: Bool? {
        if case .bool(let value) = self { return value }
        return nil
    }

    /// The integer, if the value is a number without a fraction that fits.
    public var int: Int? {
        switch self {
        case .integer(let value): Int(exactly: value)
        case .unsigned(let value): Int(exactly: value)
        case .double(let value): Int(exactly: value)
        case .float(let value): Int(exactly: value)
        case .number(let text): Int(text) ?? Double(text).flatMap { Int(exactly: $0) }
        default: nil
        }
    }

    /// The number nearest to the value, if it is a number.
    public var double: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .unsigned(let value): Double(value)
        case .double(let value): value
        case .float(let value): Double(value)
        case .number(let text): Double(text)
        default: nil
        }
    }

    /// The elements, if the value is an array.
    public var array: [ReadableValue]? {
        if case .array(let elements) = self { return elements }
        return nil
    }

    /// The keys and values in order, if the value is an object.
    public var object: [(key: String, value: ReadableValue)]? {
        if case .object(let pairs) = self { return pairs }
        return nil
    }
}

extension ReadableValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Makes a text.
    ///
    /// - Parameter value: The text.
    public init(stringLiteral value: String) { self = .string(value) }
    /// Makes an integer.
    ///
    /// - Parameter value: The number.
    public init(integerLiteral value: Int64) { self = .integer(value) }
    /// Makes a number.
    ///
    /// - Parameter value: The number.
    public init(floatLiteral value: Double) { self = .double(value) }
    /// Makes a truth.
    ///
    /// - Parameter value: The truth.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// Makes an array.
    ///
    /// - Parameter elements: Its elements.
    public init(arrayLiteral elements: ReadableValue...) { self = .array(elements) }
    /// Makes an object.
    ///
    /// - Parameter elements: Its keys and values.
    public init(dictionaryLiteral elements: (String, ReadableValue)...) {
        self = .object(elements.map { (key: $0, value: $1) })
    }
}

extension ReadableValue: Equatable {
    /// Whether two values are the same, objects whatever the order of their keys.
    ///
    /// - Returns: Whether kinds and contents are equal; numbers equal each other by what they are,
    ///   whatever digits they have; an integer is no other number.
    public static func == (left: ReadableValue, right: ReadableValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let a), .bool(let b)): a == b
        case (.integer(let a), .integer(let b)): a == b
        case (.unsigned(let a), .unsigned(let b)): a == b
        case (.integer(let a), .unsigned(let b)), (.unsigned(let b), .integer(let a)): UInt64(exactly: a) == b
        case (.number(let a), .number(let b)): a == b || (DecimalText.equal(a, b))
        case (.number(let a), .double(let b)), (.double(let b), .number(let a)): Double(a) == b
        case (.number(let a), .float(let b)), (.float(let b), .number(let a)): Float(a) == b
        case (.double(let a), .double(let b)): a == b
        case (.float(let a), .float(let b)): a == b
        case (.string(let a), .string(let b)): a == b
        case (.date(let a), .date(let b)): a == b
        case (.data(let a), .data(let b)): a == b
        case (.array(let a), .array(let b)): a == b
        case (.object(let a), .object(let b)):
            a.count == b.count
                && Dictionary(a.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
                    == Dictionary(b.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
        default: false
        }
    }
}
