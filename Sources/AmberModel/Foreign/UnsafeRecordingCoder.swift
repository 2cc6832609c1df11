// Room:   AmberModel / Foreign. The encoding methods that are given an address.
// Takes:  an address and the type code of what lies there. Gives: values of the record.
// Touches: reads of the memory that the caller names.
//
// Invariants
// 1. The caller vouches, as NSCoder's contract says, that a value of the named type lies at the address, for arrays as
//    many as the type names; nothing else is read, and no address is kept.

internal import Foundation

/// Records what one object encodes.
package final class RecordingCoder: PlainRecordingCoder {
    override package func encodeBytes(_ bytes: UnsafePointer<UInt8>?, length: Int, forKey key: String) {
        guard let bytes = unsafe bytes, length > 0 else { return put(.value(Data()), key) }
        put(.value(unsafe Data(bytes: bytes, count: length)), key)
    }

    override package func encodeValue(ofObjCType type: UnsafePointer<Int8>, at address: UnsafeRawPointer) {
        let code = unsafe String(cString: type)
        if let (count, number) = CNumber.array(code) {
            putUnkeyed(.array((0..<count).map { .value(unsafe number.load(address + $0 * number.size)) }))
        } else if code == "@" {
            encode(unsafe address.assumingMemoryBound(to: Any?.self).pointee)
        } else if code == "#" {
            let type: AnyClass = unsafe address.assumingMemoryBound(to: AnyClass.self).pointee
            putUnkeyed(.value(ForeignClasses.name(of: type)))
        } else if code == "*" {
            let text = unsafe address.assumingMemoryBound(to: UnsafePointer<CChar>.self).pointee
            putUnkeyed(.value(unsafe String(cString: text)))
        } else if code.count == 1, let number = code.first.flatMap({ CNumber(rawValue: $0) }) {
            putUnkeyed(.value(unsafe number.load(address)))
        } else {
            fail("Values of the type code \(code) can't be archived.")
        }
    }
}

extension CNumber {
    /// The count and the type of a code like `[12i]`.
    static func array(_ code: String) -> (count: Int, number: CNumber)? {
        guard code.hasPrefix("["), code.hasSuffix("]"), let last = code.dropLast().last,
            let number = CNumber(rawValue: last), let count = Int(code.dropFirst().dropLast(2)), count >= 0
        else { return nil }
        return (count, number)
    }
}
