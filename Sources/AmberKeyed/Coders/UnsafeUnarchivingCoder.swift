// Room:   AmberKeyed / Coders. The decoding methods that give or are given an address.
// Takes:  an address and the type code of what shall lie there. Gives: the next value there, or zero.
// Touches: the memory that the caller names.
//
// Invariants
// 1. The caller vouches, as NSCoder's contract says, that the address has room for a value of the named type, for
//    arrays as many as the type names, and that an object's place holds an initialised optional.
// 2. Bytes are shown for the length of a call and belong to a Data that is alive that long.
// 3. What is stored is always of the type asked for, whatever the archive holds.
// 4. The memory of a C string that is given out belongs to a `HeldText`, which frees it once; the coder holds that.

import Foundation

/// A C string of its own memory.
@safe
private final class HeldText {
    private let memory: UnsafeMutablePointer<CChar>

    init?(_ text: String) {
        guard let memory = unsafe strdup(text) else { return nil }
        unsafe self.memory = memory
    }

    deinit { unsafe free(memory) }

    var address: UnsafePointer<CChar> { unsafe UnsafePointer(memory) }
}

/// The part of ``UnarchivingCoder`` that deals in addresses.
public class AddressUnarchivingCoder: RecordUnarchivingCoder {
    private var texts: [HeldText] = []

    /// Shows the bytes under a key.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - body: Is given the bytes, or nil if there are none.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws.
    public override func withDecodedUnsafeBytes<Result>(
        forKey key: String, body: (UnsafeRawBufferPointer?) throws -> Result
    ) rethrows -> Result {
        guard let data = shownBytes(key) else { return try body(nil) }
        return try unsafe data.withUnsafeBytes { try unsafe body($0) }
    }

    /// Shows the bytes under a key.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - body: Is given the bytes, or nil if there are none.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws.
    public override func withDecodedUnsafeBufferPointer<Result>(
        forKey key: String, body: (UnsafeBufferPointer<UInt8>?) throws -> Result
    ) rethrows -> Result {
        guard let data = shownBytes(key) else { return try body(nil) }
        return try unsafe data.withUnsafeBytes { try unsafe body($0.bindMemory(to: UInt8.self)) }
    }

    /// The next C array without a key, overridden where objects are known.
    func decodeOldStyleArray() -> OldStyleArray? { nil }

    /// The next text without a key, overridden where objects are known.
    func decodeText() -> String? { nil }

    /// The bytes under a key, overridden for the keys that a dialect calls otherwise.
    func shownBytes(_ key: String) -> Data? {
        bytes(key)
    }

    /// Reads the next value without a key into memory. A C string lives as long as the coder.
    ///
    /// - Parameters:
    ///   - type: The value's Objective-C type code.
    ///   - address: Where it shall lie.
    public override func decodeValue(ofObjCType type: UnsafePointer<Int8>, at address: UnsafeMutableRawPointer) {
        let code = unsafe String(cString: type)
        if let layout = OldStyleArray.Layout(code) {
            let array = decodeOldStyleArray()
            for index in 0..<layout.count {
                let element = array.flatMap { index < $0.elements.count ? $0.elements[index] : nil }
                unsafe layout.number.store(element ?? .integer(0), at: address + index * layout.number.size)
            }
        } else if code == "@" {
            unsafe address.assumingMemoryBound(to: Any?.self).pointee = decodeObject()
        } else if code == "#" {
            guard let name = decodeText(), let type = ClassNames.type(named: name) else { return }
            unsafe address.assumingMemoryBound(to: AnyClass.self).pointee = type
        } else if code == "*" {
            let text = decodeText().flatMap { HeldText($0) }
            if let text { texts.append(text) }
            unsafe address.assumingMemoryBound(to: UnsafePointer<CChar>?.self).pointee = unsafe text?.address
        } else if let number = OldStyleArray.Number(code) {
            unsafe number.store(nextUnkeyed() ?? .integer(0), at: address)
        } else {
            fail(.typeMismatch, "Values of the type code \(code) can't be read.")
        }
    }
}
