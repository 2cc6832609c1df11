// Room:   AmberModel / Memory. Decimals in archives, which lie the same on every platform.
// Takes:  the address of a Decimal, or of twenty archived bytes. Gives: the other.
// Touches: twenty bytes at each address.
//
// Invariants
// 1. A Decimal is 20 bytes: exponent, a byte of flags, two bytes unused, eight words of 16 bits. `ScalarKind.decimal` is
//    given to the type only where its size is 20.
// 2. The flags are C bit-fields on Apple systems (length in the low four bits, then sign, then compactness) and the
//    mirror image elsewhere (swift-foundation, Decimal.swift): `lengthIsHigh` is learned from a real Decimal. Archives
//    hold the former.
// 3. Only lengths of at most eight words come in: Foundation indexes by them.

internal import Foundation

/// How Decimals are archived.
package enum DecimalBytes {
    private static let lengthIsHigh = unsafe withUnsafeBytes(of: Decimal(1)) { unsafe $0[1] & 0xf0 == 0x10 }

    /// Writes the archived form of the Decimal at `source`.
    @unsafe
    package static func archive(_ source: UnsafeRawPointer, to target: UnsafeMutableRawPointer) {
        let flags = unsafe source.load(fromByteOffset: 1, as: UInt8.self)
        let archived = lengthIsHigh ? flags >> 4 | (flags & 8) << 1 | (flags & 4) << 3 : flags & 0x3f
        unsafe target.copyMemory(from: source, byteCount: 20)
        unsafe target.storeBytes(of: archived, toByteOffset: 1, as: UInt8.self)
        unsafe target.storeBytes(of: 0, toByteOffset: 2, as: UInt16.self)
    }

    /// Initialises the Decimal at `target` from its archived form; `false` if that isn't one.
    @unsafe
    package static func restore(_ source: UnsafeRawPointer, to target: UnsafeMutableRawPointer) -> Bool {
        let archived = unsafe source.load(fromByteOffset: 1, as: UInt8.self)
        let length = archived & 0x0f
        guard length <= 8, archived & 0xc0 == 0, unsafe source.loadUnaligned(fromByteOffset: 2, as: UInt16.self) == 0
        else { return false }
        let flags = lengthIsHigh ? length << 4 | (archived & 0x10) >> 1 | (archived & 0x20) >> 3 : archived
        unsafe target.copyMemory(from: source, byteCount: 20)
        unsafe target.storeBytes(of: flags, toByteOffset: 1, as: UInt8.self)
        return true
    }
}
