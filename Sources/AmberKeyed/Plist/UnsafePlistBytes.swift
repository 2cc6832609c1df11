// Room:   AmberKeyed / Plist. Where Foundation's Data meets the byte layer's pointers.
// Takes:  Data, a finished writer. Gives: a reader for the length of a call; Data that owns the writer's memory.
// Touches: the memory of both, through AmberBytes alone.
//
// Invariants
// 1. A reader made here never leaves the closure in which the Data holds its bytes still.
// 2. Memory taken from a writer is freed once, by the Data that owns it: it came from malloc, and `.free` is its pair.
// 3. No pointer is formed here by arithmetic; bounds are the byte layer's business.

import AmberBytes
import Foundation

/// Gives `body` a reader over the bytes of `data`.
func withPlistReader<R>(
    over data: Data, budget: ByteBudget, _ body: (inout ByteReader) throws(KeyedFailure) -> R
) throws(KeyedFailure) -> R {
    let result: Result<R, KeyedFailure> = unsafe data.withUnsafeBytes { bytes in
        unsafe withByteReader(over: bytes, budget: budget) { reader in
            do throws(KeyedFailure) {
                return .success(try body(&reader))
            } catch {
                return .failure(error)
            }
        }
    }
    return try result.get()
}

/// The bytes of a finished writer, without copying them.
func plistData(from writer: consuming ByteWriter) -> Data {
    let memory = unsafe writer.take()
    guard let base = memory.baseAddress, memory.count > 0 else { return Data() }
    return unsafe Data(bytesNoCopy: base, count: memory.count, deallocator: .free)
}

extension ByteWriter {
    /// Appends the bytes of `data`.
    mutating func write(data: Data) {
        for region in data.regions {
            unsafe region.withUnsafeBytes { unsafe write(bytes: $0) }
        }
    }

    /// Appends the UTF-8 of `string`.
    mutating func write(utf8 string: String) {
        var string = string
        string.withUTF8 { unsafe write(bytes: UnsafeRawBufferPointer($0)) }
    }
}

/// Whether every character of `string` is ASCII.
func isASCIIText(_ string: String) -> Bool {
    var string = string
    return string.withUTF8 { unsafe isASCII(UnsafeRawBufferPointer($0)) }
}

extension ByteReader {
    /// Reads `size` bytes as Data.
    mutating func readData(_ size: Int) throws(ByteError) -> Data {
        let bytes = try unsafe readBytes(size)
        return unsafe Data(bytes)
    }
}

/// Whether two strings have the same UTF-8.
func hasSameBytes(_ left: String, _ right: String) -> Bool {
    // A short text is in the string itself, a literal at one place: most are seen to be the same at once.
    let (first, second) = unsafe (
        unsafeBitCast(left, to: (UInt64, UInt64).self), unsafeBitCast(right, to: (UInt64, UInt64).self)
    )
    if first == second { return true }
    var (left, right) = (left, right)
    return left.withUTF8 { first in
        right.withUTF8 { second in
            guard first.count == second.count else { return false }
            guard let address = second.baseAddress else { return true }
            return unsafe equalBytes(UnsafeRawBufferPointer(first), UnsafeRawPointer(address))
        }
    }
}

/// A hash of a string's UTF-8.
func hashOfBytes(_ string: String, seed: UInt64) -> UInt64 {
    var string = string
    return string.withUTF8 { bytes in
        guard let base = bytes.baseAddress else { return seed }
        return unsafe hash(UnsafeRawPointer(base), bytes.count, seed)
    }
}

private func hash(_ memory: UnsafeRawPointer, _ count: Int, _ seed: UInt64) -> UInt64 {
    var hash = seed ^ UInt64(count)
    var index = 0
    while index + 8 <= count {
        hash = mixed(hash, unsafe memory.loadUnaligned(fromByteOffset: index, as: UInt64.self))
        index += 8
    }
    var rest: UInt64 = 0
    while index < count {
        rest = rest << 8 | UInt64(unsafe memory.load(fromByteOffset: index, as: UInt8.self))
        index += 1
    }
    return mixed(mixed(hash, rest), seed)
}

/// One step of a hash: both halves of a product with a constant.
@inline(__always)
func mixed(_ hash: UInt64, _ word: UInt64) -> UInt64 {
    let product = (hash ^ word).multipliedFullWidth(by: 0x9e37_79b9_7f4a_7c15)
    return product.high ^ product.low
}
