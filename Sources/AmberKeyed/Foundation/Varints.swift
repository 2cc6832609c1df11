// Room:   AmberKeyed / Foundation. The runs of numbers in index sets, index paths and attributed strings.
// Takes:  numbers. Gives: bytes, seven bits each, low group first, the high bit set on all but the last; and back.
// Touches: nothing.

import Foundation

enum Varints {
    static func data(_ numbers: some Sequence<Int>) -> Data {
        var bytes: [UInt8] = []
        for number in numbers {
            var rest = UInt64(bitPattern: Int64(number))
            while rest >= 0x80 {
                bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
                rest >>= 7
            }
            bytes.append(UInt8(rest))
        }
        return Data(bytes)
    }

    /// The numbers of `data`; nil if it ends within one, or one is no index.
    static func numbers(_ data: Data) -> [Int]? {
        var numbers: [Int] = []
        var value: UInt64 = 0
        var shift: UInt64 = 0
        for byte in data {
            guard shift < 63 else { return nil }
            value |= UInt64(byte & 0x7f) << shift
            if byte < 0x80 {
                guard let number = Int(exactly: value) else { return nil }
                numbers.append(number)
                value = 0
                shift = 0
            } else {
                shift += 7
            }
        }
        return shift == 0 ? numbers : nil
    }
}
