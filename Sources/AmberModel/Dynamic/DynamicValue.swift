// Room:   AmberModel / Dynamic. A value as an archive holds it, whatever this program knows of its type.
// Takes:  what a coder read, or what a migration gives. Gives: the value's parts, and the common values in Swift types.
// Touches: nothing.

public import Foundation

/// A value as an archive holds it, without its Swift type.
///
/// Migrations, dynamic objects and unknown properties are made of these. Literals make them: `values["priority"] = 5`.
public indirect enum DynamicValue {
    /// `nil`.
    case null
    /// The value of an Optional whose own type is an Optional; all other Optionals are their value or ``null``.
    case some(DynamicValue)
    /// A Bool, number, String, Data, Date, UUID or Decimal in its Swift type; from a migration, any Swift value.
    case value(Any)
    /// An array or set.
    case array([DynamicValue])
    /// A dictionary, as pairs in the order of the archive.
    case dictionary([(key: DynamicValue, value: DynamicValue)])
    /// A struct or tuple.
    case structure(DynamicStructure)
    /// A case of an enum.
    case enumeration(DynamicCase)
    /// A reference to an object.
    case object(DynamicReference)
    /// The value in an existential, which carries its own type.
    case any(DynamicAny)

    /// Makes a value of any Swift value.
    ///
    /// - Parameter value: A value; `nil` in an Optional becomes ``null``.
    public init(_ value: Any) {
        if let dynamic = value as? DynamicValue {
            self = dynamic
        } else if let optional = value as? any OptionalType {
            self = optional.wrappedValue.map { DynamicValue($0) } ?? .null
        } else {
            self = .value(value)
        }
    }
}

extension DynamicValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral
{
    /// Makes a string.
    ///
    /// - Parameter value: The text.
    public init(stringLiteral value: String) { self = .value(value) }
    /// Makes an Int.
    ///
    /// - Parameter value: The number.
    public init(integerLiteral value: Int) { self = .value(value) }
    /// Makes a Double.
    ///
    /// - Parameter value: The number.
    public init(floatLiteral value: Double) { self = .value(value) }
    /// Makes a Bool.
    ///
    /// - Parameter value: The truth.
    public init(booleanLiteral value: Bool) { self = .value(value) }
    /// Makes `nil`.
    public init(nilLiteral: ()) { self = .null }
    /// Makes an array.
    ///
    /// - Parameter elements: Its elements.
    public init(arrayLiteral elements: DynamicValue...) { self = .array(elements) }
}

extension DynamicValue {
    /// Whether the value is `nil`.
    public var isNull: Bool {
        if case .null = self { return true }
        return false
    }

    /// The Swift value, if this is one: a Bool, number, String, Data, Date, UUID or Decimal.
    public var value: Any? {
        switch self {
        case .value(let value): value
        case .some(let value): value.value
        case .any(let any): any.value.value
        default: nil
        }
    }

    /// The text, if the value is a String.
    public var string: String? { value as? String }
    /// The number as an Int, if it is one exactly.
    public var int: Int? { value.flatMap { ArchivedNumber($0)?.integer(Int.self) } }
    /// The number as a Double, if it is one exactly.
    public var double: Double? { value.flatMap { ArchivedNumber($0)?.double } }
    /// The truth, if the value is a Bool.
    public var bool: Bool? { value as? Bool }
    /// The date, if the value is one.
    public var date: Date? { value as? Date }
    /// The bytes, if the value is Data.
    public var data: Data? { value as? Data }

    /// The elements, if the value is an array or set.
    public var array: [DynamicValue]? {
        switch self {
        case .array(let elements): elements
        case .some(let value): value.array
        case .any(let any): any.value.array
        default: nil
        }
    }

    /// The case, if the value is one of an enum; or a text, or a dictionary of one text to a payload, which is what keyed archives
    /// and documents hold for one.
    ///
    /// Where a migration gives a case, its name as a text does in every coder: `values["kind"] = "circle"`.
    public var enumCase: DynamicCase? {
        switch self {
        case .enumeration(let item): item
        case .value(let text as String): DynamicCase(name: text, rawValue: text)
        case .dictionary(let pairs):
            pairs.count == 1 ? pairs[0].key.string.map { DynamicCase(name: $0, payload: pairs[0].value) } : nil
        case .some(let value): value.enumCase
        case .any(let any): any.value.enumCase
        default: nil
        }
    }

    /// The object, if the value is one that was read without its class.
    public var dynamicObject: DynamicObject? {
        switch self {
        case .object(let reference): reference.object as? DynamicObject
        case .value(let value): value as? DynamicObject
        case .some(let value): value.dynamicObject
        case .any(let any): any.value.dynamicObject
        default: nil
        }
    }

    /// The properties, if the value is a struct, a tuple or a dynamic object that was read wholly; or a dictionary with texts for
    /// keys, which is what keyed archives and documents hold for a struct.
    public var properties: ArchivedValues? {
        switch self {
        case .structure(let structure): structure.values
        case .object(let reference): (reference.object as? DynamicObject)?.values
        case .dictionary(let pairs):
            pairs.contains { $0.key.string == nil }
                ? nil : ArchivedValues(pairs.map { ($0.key.string ?? "", $0.value) })
        case .some(let value): value.properties
        case .any(let any): any.value.properties
        default: nil
        }
    }
}

/// A struct or tuple as an archive holds it.
public struct DynamicStructure {
    /// The name of the type in archives; a tuple has none.
    public var typeName: String?
    /// The version of the type's shape.
    public var version: Int
    /// The properties.
    public var values: ArchivedValues

    /// Makes a struct.
    ///
    /// - Parameters:
    ///   - typeName: The name of the type in archives; `nil` for a tuple.
    ///   - version: The version of the type's shape.
    ///   - values: The properties.
    public init(typeName: String?, version: Int = 0, values: ArchivedValues) {
        self.typeName = typeName
        self.version = version
        self.values = values
    }
}

extension OptionalType {
    /// The value in an Optional.
    var wrappedValue: Any? { Mirror(reflecting: self).children.first?.value }
}
