// Room:   AmberTestSupport. Archives that are not quite archives.
// Takes:  good bytes. Gives: each prefix, each flipped bit, random damage.
// Touches: copies of the bytes.

package import Foundation

/// Every shorter beginning of the bytes, each in memory of its own so that a sanitizer sees its end; or `limit` of them at
/// even distances where there are more.
package func forEachPrefix(of data: Data, limit: Int = .max, _ body: (Data) throws -> Void) rethrows {
    for count in stride(from: 0, to: data.count, by: data.count > limit ? data.count / limit : 1) {
        try body(Data([UInt8](data.prefix(count))))
    }
}

/// The bytes with one bit flipped: each bit, or `limit` of them at even distances where there are more.
package func forEachFlippedBit(of data: Data, limit: Int = .max, _ body: (Data) throws -> Void) rethrows {
    let bits = data.count * 8
    // An odd step meets every bit of a byte in turn.
    for index in stride(from: 0, to: bits, by: bits > limit ? bits / limit | 1 : 1) {
        var bytes = [UInt8](data)
        bytes[index / 8] ^= 1 << UInt8(index % 8)
        try body(Data(bytes))
    }
}

extension SeededGenerator {
    /// The bytes with a few random changes: bits, bytes, edges of numbers, pieces cut out, doubled or moved.
    package mutating func damage(_ data: Data) -> Data {
        var bytes = [UInt8](data)
        for _ in 0...below(4) where !bytes.isEmpty {
            let place = below(bytes.count)
            let end = place + below(min(bytes.count - place, 9)) + 1
            switch below(8) {
            case 0: bytes[place] ^= 1 << UInt8(below(8))
            case 1: bytes[place] = UInt8(truncatingIfNeeded: next())
            case 2: bytes[place] = pick([0, 1, 0x7f, 0x80, 0xfe, 0xff])
            case 3: bytes.replaceSubrange(place..<end, with: [UInt8](repeating: 0xff, count: 8) + [0x7f])
            case 4: bytes.removeSubrange(place..<end)
            case 5: bytes.insert(contentsOf: bytes[place..<end], at: place)
            case 6: bytes.insert(contentsOf: bytes[place..<end], at: below(bytes.count))
            default: bytes[place] = bytes[place] &+ pick([1, 255, 2, 16])
            }
        }
        return Data(bytes)
    }
}
