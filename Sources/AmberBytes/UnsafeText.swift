// Room:   AmberBytes. Strings from bytes, and bytes compared.
// Takes:  bytes. Gives: a string if they are UTF-8, never a repaired one.
// Touches: reads of the bytes given.
//
// Invariants
// 1. Only the bytes of the buffer given are read; no pointer outlives the call.
// 2. `uncheckedString` is called on bytes that `isValidUTF8` accepted, cut at scalar boundaries: its callers check both.

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// The string of the bytes if they are well-formed UTF-8.
@inlinable
package func validatedString(_ bytes: UnsafeRawBufferPointer) -> String? {
    if unsafe isASCII(bytes) { return unsafe uncheckedString(bytes, isASCII: true) }
    return unsafe String(validating: bytes.bindMemory(to: UInt8.self), as: UTF8.self)
}

/// Whether every byte is below 0x80. Reads eight bytes a step.
@inlinable
package func isASCII(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let base = bytes.baseAddress else { return true }
    var index = 0
    var bits: UInt64 = 0
    while index &+ 8 <= bytes.count {
        unsafe bits |= base.loadUnaligned(fromByteOffset: index, as: UInt64.self)
        index &+= 8
    }
    while index < bytes.count {
        unsafe bits |= UInt64(base.load(fromByteOffset: index, as: UInt8.self))
        index &+= 1
    }
    return bits & 0x8080_8080_8080_8080 == 0
}

/// Whether the bytes are well-formed UTF-8, checked in one pass.
package func isValidUTF8(_ bytes: UnsafeRawBufferPointer) -> Bool {
    if unsafe isASCII(bytes) { return true }
    return unsafe String(validating: bytes.bindMemory(to: UInt8.self), as: UTF8.self) != nil
}

/// The string of bytes that are known to be well-formed UTF-8.
@unsafe
@inlinable
package func uncheckedString(_ bytes: UnsafeRawBufferPointer, isASCII: Bool) -> String {
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
        let codeUnits = unsafe Span<UInt8>(_unsafeBytes: bytes)
        return unsafe String(copying: UTF8Span(unchecked: codeUnits, isKnownASCII: isASCII))
    }
    return unsafe String(decoding: bytes, as: UTF8.self)
}

/// Whether the bytes of `left` stand at `right` too.
@inlinable
package func equalBytes(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawPointer) -> Bool {
    guard let base = left.baseAddress else { return true }
    return unsafe compareMemory(base, right, left.count) == 0
}

@usableFromInline
package func compareMemory(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer, _ count: Int) -> Int32 {
    unsafe memcmp(left, right, count)
}
