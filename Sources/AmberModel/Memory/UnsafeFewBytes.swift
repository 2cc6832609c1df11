// Room:   AmberModel / Memory. Copies of a few bytes, for which calling memcpy takes longer than copying.
// Takes:  two places and a number of bytes. Gives: the bytes of one in the other.
// Touches: so many bytes at either place.
//
// Invariants
// 1. Both places have room for `size` bytes and don't overlap.
// 2. For `copyOver` both have room for `sizeCopiedOver(size)` bytes.
// 3. `copyFew` copies exactly `size`: a copy is made of two pieces that may cover some bytes twice and never reach past
//    either end.

/// Copies `size` bytes.
@unsafe
@inline(__always)
func copyFew(to target: UnsafeMutableRawPointer, from source: UnsafeRawPointer, _ size: Int) {
    if size > 32 {
        unsafe target.copyMemory(from: source, byteCount: size)
    } else if size >= 16 {
        unsafe copyEnds(SIMD2<UInt64>.self, target, source, size)
    } else if size >= 8 {
        unsafe copyEnds(UInt64.self, target, source, size)
    } else if size >= 4 {
        unsafe copyEnds(UInt32.self, target, source, size)
    } else if size > 0 {
        let middle = size &>> 1
        let (first, second, last) = unsafe (
            source.load(as: UInt8.self), source.load(fromByteOffset: middle, as: UInt8.self),
            source.load(fromByteOffset: size &- 1, as: UInt8.self)
        )
        unsafe target.storeBytes(of: first, as: UInt8.self)
        unsafe target.storeBytes(of: second, toByteOffset: middle, as: UInt8.self)
        unsafe target.storeBytes(of: last, toByteOffset: size &- 1, as: UInt8.self)
    }
}

/// Copies `size` bytes, at least one, and up to 15 after them: eight, then sixteen at a time.
@unsafe
@inline(__always)
func copyOver(to target: UnsafeMutableRawPointer, from source: UnsafeRawPointer, _ size: Int) {
    if size > 128 { return unsafe target.copyMemory(from: source, byteCount: size) }
    unsafe target.storeBytes(of: source.loadUnaligned(as: UInt64.self), as: UInt64.self)
    var done = 8
    while done < size {
        let piece = unsafe source.loadUnaligned(fromByteOffset: done, as: SIMD2<UInt64>.self)
        unsafe target.storeBytes(of: piece, toByteOffset: done, as: SIMD2<UInt64>.self)
        done &+= 16
    }
}

/// The bytes that ``copyOver(to:from:_:)`` writes for `size`, or more.
func sizeCopiedOver(_ size: Int) -> Int { size > 128 ? size : ((size &+ 7) & ~15) | 8 }

/// Copies `size` bytes, at least as many as a `Piece` has and at most twice as many.
@unsafe
@inline(__always)
private func copyEnds<Piece: BitwiseCopyable>(
    _ type: Piece.Type, _ target: UnsafeMutableRawPointer, _ source: UnsafeRawPointer, _ size: Int
) {
    let rest = size &- MemoryLayout<Piece>.size
    let first = unsafe source.loadUnaligned(as: Piece.self)
    let last = unsafe source.loadUnaligned(fromByteOffset: rest, as: Piece.self)
    unsafe target.storeBytes(of: first, as: Piece.self)
    unsafe target.storeBytes(of: last, toByteOffset: rest, as: Piece.self)
}
