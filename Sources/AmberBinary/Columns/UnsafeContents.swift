// Room:   AmberBinary / Columns. The bytes of strings and data in memory.
// Takes:  the address of a String or Data. Gives: its bytes, for the time of a call.
// Touches: the value, read only.
//
// Invariants
// 1. The address holds an initialised String or Data for the whole call.
// 2. The bytes are valid inside the closure only.

internal import AmberBytes
internal import Foundation

/// Gives `body` the UTF-8 of the string at `address`.
@unsafe
@inline(__always)
func withStringBytes(_ address: UnsafeRawPointer, _ body: (UnsafeRawBufferPointer) -> Void) {
    let string = unsafe address.assumingMemoryBound(to: String.self)
    let found: Void? = unsafe string.pointee.utf8.withContiguousStorageIfAvailable {
        unsafe body(UnsafeRawBufferPointer($0))
    }
    if found == nil {
        // A bridged string has no UTF-8 of its own; a copy has.
        var copy = unsafe string.pointee
        copy.withUTF8 { unsafe body(UnsafeRawBufferPointer($0)) }
    }
}

/// Gives `body` the bytes of the Data at `address`.
@unsafe
@inline(__always)
func withDataBytes(_ address: UnsafeRawPointer, _ body: (UnsafeRawBufferPointer) -> Void) {
    unsafe address.assumingMemoryBound(to: Data.self).pointee.withUnsafeBytes(body)
}

/// The number of bytes of the string at `address`.
@unsafe
@inline(__always)
func stringSize(_ address: UnsafeRawPointer) -> Int {
    unsafe address.assumingMemoryBound(to: String.self).pointee.utf8.count
}

/// A hash of bytes that is good enough for a table and cheap for short ones.
///
/// Multiply and fold, as in wyhash: https://github.com/wangyi-fudan/wyhash. It decides speed, never equality.
@unsafe
@inline(__always)
func hashBytes(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    @inline(__always)
    func mix(_ a: UInt64, _ b: UInt64) -> UInt64 {
        let product = a.multipliedFullWidth(by: b)
        return product.high ^ product.low
    }
    let count = bytes.count
    guard let base = bytes.baseAddress else { return 0 }
    var seed: UInt64 = 0xa076_1d64_78bd_642f ^ UInt64(truncatingIfNeeded: count)
    if count < 8 {
        var word: UInt64 = 0
        if count >= 4 {
            unsafe word =
                UInt64(base.loadUnaligned(as: UInt32.self))
                | UInt64(base.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self)) << 32
        } else {
            for index in 0..<count { unsafe word |= UInt64(bytes[index]) << UInt64(index * 8) }
        }
        return mix(word ^ 0xe703_7ed1_a0b4_28db, seed)
    }
    var offset = 0
    while offset + 16 < count {
        let a = unsafe base.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        let b = unsafe base.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self)
        seed = mix(a ^ 0xe703_7ed1_a0b4_28db, b ^ seed)
        offset += 16
    }
    let a = unsafe base.loadUnaligned(fromByteOffset: max(count - 16, 0), as: UInt64.self)
    let b = unsafe base.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
    return mix(a ^ 0x8ebc_6af0_9c88_c6e3, b ^ seed)
}
