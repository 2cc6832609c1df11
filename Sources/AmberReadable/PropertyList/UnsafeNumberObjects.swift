// Room:   AmberReadable / PropertyList. Foundation's number objects with their kinds.
// Takes:  an NSNumber. Gives: 1, 1.0 and true as three.
// Touches: the type code of a number.
//
// Invariants
// 1. `objCType` points at a C string that lives as long as the number, which the caller holds; its first byte alone
//    is read.

internal import Foundation

extension ReadableValue {
    /// The class of the two boolean objects: it alone tells them from numbers, whose type code may be the same.
    private static let booleanType: NSNumber.Type = type(of: NSNumber(value: true))

    /// The number of an object.
    init(number: NSNumber) {
        if type(of: number) == Self.booleanType {
            self = .bool(number.boolValue)
            return
        }
        if let decimal = number as? NSDecimalNumber {
            self = .number(decimal.decimalValue.description)
            return
        }
        switch UInt8(bitPattern: unsafe number.objCType.pointee) {
        case UInt8(ascii: "f"): self = .float(number.floatValue)
        case UInt8(ascii: "d"): self = .double(number.doubleValue)
        case UInt8(ascii: "Q"):
            let value = number.uint64Value
            self = value > UInt64(Int64.max) ? .unsigned(value) : .integer(Int64(value))
        default: self = .integer(number.int64Value)
        }
    }
}
