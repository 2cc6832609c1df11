// Room:   AmberModel / Dynamic. Numbers of one kind read into properties of another.
// Takes:  a number from an archive. Gives: the same number in the property's kind, if it is exactly that.
// Touches: nothing; storing is in UnsafeNumberStore.

internal import Foundation

/// A number as an archive holds it.
package enum ArchivedNumber: CustomStringConvertible {
    case signed(Int128)
    case unsigned(UInt128)
    case float(Float)
    case double(Double)

    /// The number as an integer of type `T`, if it is one.
    package func integer<T: FixedWidthInteger>(_ type: T.Type) -> T? {
        switch self {
        case .signed(let value): T(exactly: value)
        case .unsigned(let value): T(exactly: value)
        case .float(let value): T(exactly: value)
        case .double(let value): T(exactly: value)
        }
    }

    /// The number as a Double, if it is one. A NaN is one.
    package var double: Double? {
        switch self {
        case .signed(let value): Double(exactly: value)
        case .unsigned(let value): Double(exactly: value)
        case .float(let value): Double(value)
        case .double(let value): value
        }
    }

    /// The number as a Float, if it is one, or if a Float has the very digits that the Double is written with. A NaN is one.
    package var float: Float? {
        switch self {
        case .signed(let value): Float(exactly: value)
        case .unsigned(let value): Float(exactly: value)
        case .float(let value): value
        case .double(let value):
            if value.isNaN {
                Float.nan
            } else {
                Float(exactly: value) ?? (Double("\(Float(value))") == value ? Float(value) : nil)
            }
        }
    }

    package var description: String {
        switch self {
        case .signed(let value): "\(value)"
        case .unsigned(let value): "\(value)"
        case .float(let value): "\(value)"
        case .double(let value): "\(value)"
        }
    }
}

extension ArchivedNumber {
    /// The number that `value` is, whatever its type; `nil` if it is none. A Bool is none.
    package init?(_ value: Any) {
        switch value {
        case is Bool: return nil
        case let value as CGFloat: self = .double(Double(value))
        case let value as Double: self = .double(value)
        case let value as Float: self = .float(value)
        case let value as UInt128: self = .unsigned(value)
        case let value as any FixedWidthInteger:
            guard let wide = Int128(exactly: value) else { return nil }
            self = .signed(wide)
        default: return nil
        }
    }
}

extension ScalarKind {
    /// The kind's name in Swift.
    package var swiftName: String {
        switch self {
        case .bool: "Bool"
        case .int8: "Int8"
        case .int16: "Int16"
        case .int32: "Int32"
        case .int64: "Int"
        case .uint8: "UInt8"
        case .uint16: "UInt16"
        case .uint32: "UInt32"
        case .uint64: "UInt"
        case .int128: "Int128"
        case .uint128: "UInt128"
        case .float32: "Float"
        case .float64: "Double"
        case .date: "Date"
        case .uuid: "UUID"
        case .decimal: "Decimal"
        }
    }
}
