// Room:   AmberModel / Foreign. Numbers of C types, in NSNumber, in NSValue and at addresses that NSCoder's oldest methods are given.
// Takes:  an object or an address with its type code. Gives: the number in its Swift type; the same stored.
// Touches: the memory that the caller names; eight bytes of its own.
//
// Invariants
// 1. `objCType` points at a C string that lives as long as the object, which the caller holds.
// 2. `getValue` stores as many bytes as the type code says, at most eight for the codes of `CNumber`; the buffer has eight.
// 3. The caller vouches that a number of the type, or room for one, lies at an address; nothing beyond is touched.

internal import Foundation

enum ForeignNumber {
    /// The class of the two boolean objects: it alone tells them from numbers, whose type code may be the same.
    private static let booleanType: NSNumber.Type = type(of: NSNumber(value: true))

    /// The number in the Swift type that keeps its kind.
    static func value(of number: NSNumber) -> Any {
        if type(of: number) == booleanType { return number.boolValue }
        switch UInt8(bitPattern: unsafe number.objCType.pointee) {
        case UInt8(ascii: "f"): return number.floatValue
        case UInt8(ascii: "d"): return number.doubleValue
        case UInt8(ascii: "Q"):
            let value = number.uint64Value
            return value > UInt64(Int64.max) ? value : Int(truncatingIfNeeded: value)
        default: return number.intValue
        }
    }

    /// The number object of a value that is a number or a Bool.
    static func number(_ value: Any) -> NSNumber? {
        if let bool = value as? Bool, type(of: value) == Bool.self { return NSNumber(value: bool) }
        if type(of: value) is AnyClass { return value as? NSNumber }
        switch ArchivedNumber(value) {
        case .signed(let number)?:
            if let int = Int(exactly: number) { return NSNumber(value: int) }
            return UInt64(exactly: number).map { NSNumber(value: $0) }
        case .unsigned(let number)?: return UInt64(exactly: number).map { NSNumber(value: $0) }
        case .float(let number)?: return NSNumber(value: number)
        case .double(let number)?: return NSNumber(value: number)
        case nil: return nil
        }
    }
}

extension ForeignGeometry {
    /// The Objective-C type code of what the value holds.
    static func typeCode(of value: NSValue) -> String { unsafe String(cString: value.objCType) }
}

/// The numbers of C, by their type codes.
enum CNumber: Character {
    case int8 = "c"
    case uint8 = "C"
    case int16 = "s"
    case uint16 = "S"
    case int32 = "i"
    case uint32 = "I"
    case long = "l"
    case unsignedLong = "L"
    case int64 = "q"
    case uint64 = "Q"
    case float = "f"
    case double = "d"
    case bool = "B"

    var size: Int {
        switch self {
        case .int8, .uint8, .bool: 1
        case .int16, .uint16: 2
        case .int32, .uint32, .float: 4
        case .long, .unsignedLong, .int64, .uint64, .double: 8
        }
    }

    /// The number at an address.
    @unsafe
    func load(_ address: UnsafeRawPointer) -> Any {
        switch self {
        case .int8: unsafe address.load(as: Int8.self)
        case .uint8: unsafe address.load(as: UInt8.self)
        case .int16: unsafe address.loadUnaligned(as: Int16.self)
        case .uint16: unsafe address.loadUnaligned(as: UInt16.self)
        case .int32: unsafe address.loadUnaligned(as: Int32.self)
        case .uint32: unsafe address.loadUnaligned(as: UInt32.self)
        case .long, .int64: unsafe address.loadUnaligned(as: Int.self)
        case .unsignedLong, .uint64: unsafe address.loadUnaligned(as: UInt.self)
        case .float: unsafe address.loadUnaligned(as: Float.self)
        case .double: unsafe address.loadUnaligned(as: Double.self)
        case .bool: unsafe address.load(as: UInt8.self) != 0
        }
    }

    /// Stores a number at an address, converted to this type; zero for nil.
    @unsafe
    func store(_ number: NSNumber?, at address: UnsafeMutableRawPointer) {
        func put<T: FixedWidthInteger & BitwiseCopyable>(_ type: T.Type) {
            let value = number?.intValue ?? 0
            unsafe address.storeBytes(of: T(truncatingIfNeeded: value), as: type)
        }
        switch self {
        case .int8: put(Int8.self)
        case .uint8: put(UInt8.self)
        case .int16: put(Int16.self)
        case .uint16: put(UInt16.self)
        case .int32: put(Int32.self)
        case .uint32: put(UInt32.self)
        case .long, .int64: put(Int.self)
        case .unsignedLong, .uint64:
            unsafe address.storeBytes(of: number?.uint64Value ?? 0, as: UInt64.self)
        case .float: unsafe address.storeBytes(of: number?.floatValue ?? 0, as: Float.self)
        case .double: unsafe address.storeBytes(of: number?.doubleValue ?? 0, as: Double.self)
        case .bool: unsafe address.storeBytes(of: number?.boolValue == true ? 1 : 0, as: UInt8.self)
        }
    }

    /// The number in a value of this type.
    func number(in value: NSValue) -> Any {
        var storage: UInt64 = 0
        return unsafe withUnsafeMutableBytes(of: &storage) { bytes in
            guard let base = bytes.baseAddress else { return 0 }
            unsafe value.getValue(base)
            return unsafe load(base)
        }
    }

    /// A value that holds a number of this type.
    func value(of number: Any) -> NSValue {
        var storage: UInt64 = 0
        return unsafe withUnsafeMutableBytes(of: &storage) { bytes in
            guard let base = bytes.baseAddress else { return NSNumber(value: 0) }
            unsafe store(ForeignNumber.number(number), at: base)
            return unsafe NSValue(bytes: base, objCType: String(rawValue))
        }
    }
}
