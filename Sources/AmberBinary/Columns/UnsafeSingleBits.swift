// Room:   AmberBinary / Columns. Numbers in one bit each, eight at a time.
// Takes:  numbers of which there are two, one above the other; bits. Gives: the other.
// Touches: ByteWriter; memory for numbers and for bits.
//
// Invariants
// 1. Packed and unpacked are as many numbers as there are; a last byte that isn't full is taken bit by bit.

internal import AmberBytes

enum SingleBits {
    /// The lowest bit of each of eight bytes.
    private static let eachByte: UInt64 = 0x0101_0101_0101_0101

    /// Writes numbers that are `base` or the next above it in one bit each.
    @inline(__always)
    static func pack<T: Bits>(_ values: UnsafeBufferPointer<T>, _ base: T, to out: inout ByteWriter) {
        unsafe out.appendUninitialized((values.count + 7) / 8) { target in
            var index = 0
            var byte = 0
            while index &+ 8 <= values.count {
                var bits: UInt8 = 0
                if T.self == UInt8.self, let bytes = values.baseAddress {
                    // Each byte's lowest bit is moved to its place in the highest byte, where no two meet.
                    let eight = unsafe UInt64(
                        littleEndian: UnsafeRawPointer(bytes + index).loadUnaligned(as: UInt64.self))
                    let flags = (eight ^ (eachByte &* UInt64(truncatingIfNeeded: base))) & eachByte
                    bits = UInt8(truncatingIfNeeded: (flags &* 0x0102_0408_1020_4080) &>> 56)
                } else {
                    for bit in 0..<8 {
                        unsafe bits |= UInt8(truncatingIfNeeded: values[index &+ bit] &- base) &<< UInt8(bit)
                    }
                }
                unsafe target.storeBytes(of: bits, toByteOffset: byte, as: UInt8.self)
                index &+= 8
                byte &+= 1
            }
            if index < values.count {
                var bits: UInt8 = 0
                for bit in index..<values.count {
                    unsafe bits |= UInt8(truncatingIfNeeded: values[bit] &- base) &<< UInt8(bit &- index)
                }
                unsafe target.storeBytes(of: bits, toByteOffset: byte, as: UInt8.self)
            }
        }
    }

    @inline(__always)
    static func unpack<T: Bits>(
        _ target: UnsafeMutablePointer<T>, _ count: Int, _ source: UnsafeRawPointer, _ base: T
    ) {
        var index = 0
        while index &+ 8 <= count {
            let bits = unsafe source.load(fromByteOffset: index &>> 3, as: UInt8.self)
            if T.self == UInt8.self, base == 0 {
                // The bits in a byte each, then as 1.
                let apart = (UInt64(bits) &* eachByte) & 0x8040_2010_0804_0201
                let flags = ((apart &+ 0x7F7F_7F7F_7F7F_7F7F) &>> 7) & eachByte
                unsafe UnsafeMutableRawPointer(target + index).storeBytes(of: flags.littleEndian, as: UInt64.self)
                index &+= 8
                continue
            }
            for bit in 0..<8 { unsafe target[index &+ bit] = T((bits &>> UInt8(bit)) & 1) &+ base }
            index &+= 8
        }
        while index < count {
            let bits = unsafe source.load(fromByteOffset: index &>> 3, as: UInt8.self)
            unsafe target[index] = T((bits &>> UInt8(index & 7)) & 1) &+ base
            index &+= 1
        }
    }
}
