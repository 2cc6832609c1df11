// Room:   AmberModel / Foreign. The decoding methods that give or are given an address.
// Takes:  an address and the type code of what shall lie there. Gives: the next value there, or zero.
// Touches: the memory that the caller names.
//
// Invariants
// 1. The caller vouches, as NSCoder's contract says, that the address has room for a value of the named type, for
//    arrays as many as the type names, and that an object's place holds an initialised optional.
// 2. Bytes are shown for the length of a call and belong to a Data that is alive that long.
// 3. What is stored is always of the type asked for, whatever the archive holds.

internal import Foundation

/// Gives an object what it encoded.
package final class ReplayingCoder: PlainReplayingCoder {
    override package func withDecodedUnsafeBytes<Result>(
        forKey key: String, body: (UnsafeRawBufferPointer?) throws -> Result
    ) rethrows -> Result {
        guard let data = bytes(key) else { return try body(nil) }
        return try unsafe data.withUnsafeBytes { try unsafe body($0) }
    }

    override package func withDecodedUnsafeBufferPointer<Result>(
        forKey key: String, body: (UnsafeBufferPointer<UInt8>?) throws -> Result
    ) rethrows -> Result {
        guard let data = bytes(key) else { return try body(nil) }
        return try unsafe data.withUnsafeBytes { try unsafe body($0.bindMemory(to: UInt8.self)) }
    }

    override package func decodeValue(ofObjCType type: UnsafePointer<Int8>, at address: UnsafeMutableRawPointer) {
        let code = unsafe String(cString: type)
        let (key, value) = nextUnkeyed()
        if let (count, layout) = CNumber.array(code) {
            let elements = value.flatMap { reader.elements(of: $0) } ?? []
            for index in 0..<count {
                let element = index < elements.count ? number(elements[index], key) : nil
                unsafe layout.store(element, at: address + index * layout.size)
            }
        } else if code == "@" {
            unsafe address.assumingMemoryBound(to: Any?.self).pointee = object(value, key, in: nil)
        } else if code == "#" {
            guard let name = value?.string, let type = ForeignClasses.type(named: name) else { return }
            unsafe address.assumingMemoryBound(to: AnyClass.self).pointee = type
        } else if code.count == 1, let layout = code.first.flatMap({ CNumber(rawValue: $0) }) {
            unsafe layout.store(number(value, key), at: address)
        } else {
            fail(key, "Values of the type code \(code) can't be read.")
        }
    }
}
