// Room:   AmberKeyed / Foundation. The C value inside an NSValue.
// Takes:  an NSValue. Gives: its type code; its number, if it is one.
// Touches: memory of its own, eight bytes.
//
// Invariants
// 1. `objCType` is a C string that lives as long as the value, which the caller holds.
// 2. `getValue` stores as many bytes as the type code says, at most eight for the codes of `Number`; the buffer has
//    eight, or for an array as many as its code says.

import Foundation

extension FoundationGeometry {
    /// The Objective-C type code of what the value holds.
    static func typeCode(of value: NSValue) -> String {
        unsafe String(cString: value.objCType)
    }

    /// The number that the value holds.
    static func number(in value: NSValue, _ number: OldStyleArray.Number) -> PlistValue {
        var storage: UInt64 = 0
        return unsafe withUnsafeMutableBytes(of: &storage) { bytes in
            guard let base = bytes.baseAddress else { return .integer(0) }
            unsafe value.getValue(base)
            return unsafe number.value(at: UnsafeRawPointer(base))
        }
    }

    /// The numbers of the C array that the value holds.
    static func numbers(in value: NSValue, _ layout: OldStyleArray.Layout) -> [PlistValue] {
        let size = layout.number.size
        var storage = [UInt8](repeating: 0, count: layout.count * size)
        return unsafe storage.withUnsafeMutableBytes { bytes in
            guard let base = bytes.baseAddress else { return [] }
            unsafe value.getValue(base)
            return (0..<layout.count).map { unsafe layout.number.value(at: UnsafeRawPointer(base) + $0 * size) }
        }
    }

    /// A value that holds a C array of numbers.
    static func value(of values: [PlistValue], _ number: OldStyleArray.Number) -> NSValue {
        var storage = [UInt8](repeating: 0, count: max(values.count * number.size, 1))
        return unsafe storage.withUnsafeMutableBytes { bytes in
            guard let base = bytes.baseAddress else { return NSNumber(value: 0) }
            for (index, value) in values.enumerated() { unsafe number.store(value, at: base + index * number.size) }
            return unsafe NSValue(
                bytes: UnsafeRawPointer(base), objCType: "[\(values.count)\(number.rawValue)]")
        }
    }

    /// A value that holds one number.
    static func value(of value: PlistValue, _ number: OldStyleArray.Number) -> NSValue {
        var storage: UInt64 = 0
        return unsafe withUnsafeMutableBytes(of: &storage) { bytes in
            guard let base = bytes.baseAddress else { return NSNumber(value: 0) }
            unsafe number.store(value, at: base)
            return unsafe NSValue(bytes: UnsafeRawPointer(base), objCType: String(number.rawValue))
        }
    }
}
