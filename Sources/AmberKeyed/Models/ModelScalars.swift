// Room:   AmberKeyed / Models. Numbers, dates, UUIDs and decimals of models.
// Takes:  a value and its kind; or what an archive holds. Gives: the other, if it fits.
// Touches: nothing.

import AmberModel
import Foundation

enum ModelScalars {
    /// A number as an archive holds it; nil for kinds that are objects there.
    static func plistValue(_ value: Any, _ kind: ScalarKind) -> PlistValue? {
        switch kind {
        case .bool: (value as? Bool).map { .bool($0) }
        case .float32: (value as? Float).map { .float($0) }
        case .float64: ((value as? Double) ?? (value as? CGFloat).map { Double($0) }).map { .double($0) }
        case .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32, .uint64:
            (value as? any FixedWidthInteger).map { number in
                Int64(exactly: number).map { .integer($0) } ?? .unsigned(UInt64(truncatingIfNeeded: number))
            }
        case .int128, .uint128, .date, .uuid, .decimal: nil
        }
    }

    /// The object of a kind that is one in an archive.
    static func object(_ value: Any, _ kind: ScalarKind) -> AnyObject? {
        switch kind {
        case .date: (value as? Date).map { $0 as NSDate }
        case .uuid: (value as? UUID).map { $0 as NSUUID }
        case .decimal: (value as? Decimal).map { NSDecimalNumber(decimal: $0) }
        // No number of Foundation's is that wide: the digits are.
        case .int128, .uint128: "\(value)" as NSString
        default: nil
        }
    }

    /// A value of exactly `type` from a number of an archive; nil if it doesn't fit.
    static func value(_ stored: PlistValue, _ kind: ScalarKind, _ type: Any.Type) -> Any? {
        switch kind {
        case .bool:
            guard let number = stored.doubleValue else { return nil }
            return number != 0
        case .float32: return stored.doubleValue.map { Float($0) }
        case .float64:
            guard let number = stored.doubleValue else { return nil }
            return type == CGFloat.self ? CGFloat(number) : number
        case .date:
            guard let seconds = stored.doubleValue, seconds.isFinite else { return nil }
            return Date(timeIntervalSinceReferenceDate: seconds)
        case .decimal:
            switch stored {
            case .float(let value): return DecimalText.decimal(value.description)
            case .double(let value): return DecimalText.decimal(value.description)
            case .unsigned(let value): return Decimal(value)
            default: return stored.integerValue.map { Decimal($0) }
            }
        case .uuid: return nil
        case .uint64:
            // NSCoder has no unsigned numbers: large ones are written with the bits of a negative one.
            if case .integer(let value) = stored, value < 0 {
                return integer(.unsigned(UInt64(bitPattern: value)), type)
            }
            return integer(stored, type)
        default:
            return integer(stored, type)
        }
    }

    private static func integer(_ stored: PlistValue, _ type: Any.Type) -> Any? {
        guard let type = type as? any FixedWidthInteger.Type else { return nil }
        return fitted(stored, type)
    }

    private static func fitted<T: FixedWidthInteger>(_ stored: PlistValue, _ type: T.Type) -> Any? {
        switch stored {
        case .bool(let value): T(exactly: value ? 1 : 0)
        case .integer(let value): T(exactly: value)
        case .unsigned(let value): T(exactly: value)
        case .float(let value): T(exactly: value)
        case .double(let value): T(exactly: value)
        case .string(let text): T(text)
        default: nil
        }
    }

    /// A value of exactly `type` from an object of an archive; nil if it is none.
    static func value(object: AnyObject, _ kind: ScalarKind, _ type: Any.Type) -> Any? {
        switch (kind, object) {
        case (.date, let date as NSDate):
            return Date(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate)
        case (.uuid, let uuid as NSUUID): return UUID(uuidString: uuid.uuidString)
        case (.uuid, let text as NSString): return UUID(uuidString: text as String)
        case (.decimal, let number as NSDecimalNumber): return number.decimalValue
        case (.decimal, let number as NSNumber): return number.decimalValue
        case (.int128, let text as NSString), (.uint128, let text as NSString):
            return integer(.string(text as String), type)
        case (_, let number as NSNumber): return value(FoundationNumber.value(of: number), kind, type)
        default: return nil
        }
    }
}
