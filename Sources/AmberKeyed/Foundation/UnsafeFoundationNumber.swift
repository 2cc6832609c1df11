// Room:   AmberKeyed / Foundation. Numbers with their kinds.
// Takes:  an NSNumber or an archive's number. Gives: the other; 1, 1.0 and true stay three.
// Touches: the type code of a number.
//
// Invariants
// 1. `objCType` points at a C string that lives as long as the number, which the caller holds; its first byte alone
//    is read.

import Foundation

enum FoundationNumber {
    /// The kind and value of a number object.
    static func value(of number: NSNumber) -> PlistValue {
        if type(of: number) == booleanType { return .bool(number.boolValue) }
        switch UInt8(bitPattern: unsafe number.objCType.pointee) {
        case UInt8(ascii: "f"): return .float(number.floatValue)
        case UInt8(ascii: "d"): return .double(number.doubleValue)
        case UInt8(ascii: "Q"):
            let value = number.uint64Value
            return value > UInt64(Int64.max) ? .unsigned(value) : .integer(Int64(value))
        default: return .integer(number.int64Value)
        }
    }

    /// The number object of a value that is a number.
    static func number(for value: PlistValue) -> NSNumber? {
        switch value {
        case .bool(let value): NSNumber(value: value)
        case .integer(let value): NSNumber(value: value)
        case .unsigned(let value): NSNumber(value: value)
        case .float(let value): NSNumber(value: value)
        case .double(let value): NSNumber(value: value)
        default: nil
        }
    }

    /// The class of the two boolean objects: it alone tells them from numbers, whose type code may be the same.
    private static let booleanType: NSNumber.Type = type(of: NSNumber(value: true))
}
