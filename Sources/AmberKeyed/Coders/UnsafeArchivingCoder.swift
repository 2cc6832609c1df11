// Room:   AmberKeyed / Coders. The coding methods that are given an address.
// Takes:  an address and the type code of what lies there. Gives: entries in the record that is being written.
// Touches: reads of the memory that the caller names.
//
// Invariants
// 1. The caller vouches, as NSCoder's contract says, that a value of the named type lies at the address, for arrays as
//    many as the type names; nothing else is read.
// 2. No address is kept after the call.

import Foundation

/// The part of ``ArchivingCoder`` that is given addresses.
public class AddressArchivingCoder: RecordArchivingCoder {
    /// Writes bytes under a key.
    ///
    /// - Parameters:
    ///   - bytes: Where they lie; nil writes no bytes.
    ///   - length: How many there are.
    ///   - key: The key.
    public override func encodeBytes(_ bytes: UnsafePointer<UInt8>?, length: Int, forKey key: String) {
        guard let bytes = unsafe bytes, length > 0 else { return put(.data(Data()), key) }
        put(.data(unsafe Data(bytes: bytes, count: length)), key)
    }

    /// Writes the value at an address, without a key.
    ///
    /// - Parameters:
    ///   - type: The value's Objective-C type code: a number, an object, a class, a C string or an array of numbers.
    ///   - address: Where it lies.
    public override func encodeValue(ofObjCType type: UnsafePointer<Int8>, at address: UnsafeRawPointer) {
        let code = unsafe String(cString: type)
        if let array = OldStyleArray.Layout(code) {
            return unsafe encodeArray(array, at: address)
        }
        if code == "@" {
            encode(unsafe address.assumingMemoryBound(to: Any?.self).pointee)
        } else if code == "#" {
            let type: AnyClass = unsafe address.assumingMemoryBound(to: AnyClass.self).pointee
            encode(ClassNames.name(of: type))
        } else if code == "*" {
            let text = unsafe address.assumingMemoryBound(to: UnsafePointer<CChar>.self).pointee
            encode(unsafe String(cString: text))
        } else if let number = OldStyleArray.Number(code) {
            putUnkeyed(unsafe number.value(at: address))
        } else {
            fail(.unsupportedType, "Values of the type code \(code) can't be archived.")
        }
    }

    private func encodeArray(_ layout: OldStyleArray.Layout, at address: UnsafeRawPointer) {
        var elements: [PlistValue] = []
        for index in 0..<layout.count {
            elements.append(unsafe layout.number.value(at: address + index * layout.number.size))
        }
        encode(OldStyleArray(number: layout.number, elements: elements))
    }
}

extension OldStyleArray.Number {
    /// The number at an address.
    func value(at address: UnsafeRawPointer) -> PlistValue {
        func load<T: FixedWidthInteger & BitwiseCopyable>(_ type: T.Type) -> PlistValue {
            let value = unsafe address.loadUnaligned(as: type)
            return Int64(exactly: value).map { .integer($0) } ?? .unsigned(UInt64(truncatingIfNeeded: value))
        }
        return switch self {
        case .int8: load(Int8.self)
        case .uint8: load(UInt8.self)
        case .int16: load(Int16.self)
        case .uint16: load(UInt16.self)
        case .int32: load(Int32.self)
        case .uint32: load(UInt32.self)
        case .int64: load(Int64.self)
        case .uint64: load(UInt64.self)
        case .float: .float(unsafe address.loadUnaligned(as: Float.self))
        case .double: .double(unsafe address.loadUnaligned(as: Double.self))
        case .bool: .bool(unsafe address.loadUnaligned(as: UInt8.self) != 0)
        }
    }

    /// Stores a number of an archive at an address, converted to this type.
    func store(_ value: PlistValue, at address: UnsafeMutableRawPointer) {
        func put<T: FixedWidthInteger & BitwiseCopyable>(_ type: T.Type) {
            unsafe address.storeBytes(of: T(truncatingIfNeeded: value.integerValue ?? 0), as: type)
        }
        switch self {
        case .int8: put(Int8.self)
        case .uint8: put(UInt8.self)
        case .int16: put(Int16.self)
        case .uint16: put(UInt16.self)
        case .int32: put(Int32.self)
        case .uint32: put(UInt32.self)
        case .int64: put(Int64.self)
        case .uint64: put(UInt64.self)
        case .float: unsafe address.storeBytes(of: Float(value.doubleValue ?? 0), as: Float.self)
        case .double: unsafe address.storeBytes(of: value.doubleValue ?? 0, as: Double.self)
        case .bool: unsafe address.storeBytes(of: value.integerValue == 0 ? 0 : 1, as: UInt8.self)
        }
    }
}
