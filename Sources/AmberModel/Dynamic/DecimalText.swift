// Room:   AmberModel / Dynamic. Decimals from digits, none of them lost.
// Takes:  a number's text. Gives: the Decimal that is exactly that.
// Touches: nothing.

package import Foundation

package enum DecimalText {
    /// The Decimal of a text as JSON writes numbers; `nil` if it has more digits than a Decimal, or is none.
    package static func decimal(_ text: String) -> Decimal? {
        guard let wanted = canonical(text), wanted.digits.count <= 39,
            let value = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")), !value.isNaN,
            let found = canonical(value.description), found == wanted
        else { return nil }
        return value
    }

    /// Whether two texts are the same number.
    package static func equal(_ left: String, _ right: String) -> Bool {
        guard let a = canonical(left), let b = canonical(right) else { return false }
        return a == b
    }

    private struct Canonical: Equatable {
        var isNegative: Bool
        var digits: [UInt8]
        var exponent: Int
    }

    /// Sign, digits without zeros at either end, and power of ten.
    private static func canonical(_ text: String) -> Canonical? {
        var rest = Array(text.utf8)[...]
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative { rest.removeFirst() }
        var digits: [UInt8] = []
        var exponent = 0
        var isFraction = false
        while let byte = rest.first {
            if byte == UInt8(ascii: "."), !isFraction {
                isFraction = true
            } else if byte >= 0x30, byte < 0x3a {
                if isFraction { exponent -= 1 }
                if !digits.isEmpty || byte != UInt8(ascii: "0") { digits.append(byte) }
            } else if byte | 0x20 == UInt8(ascii: "e") {
                guard let power = Int(String(decoding: rest.dropFirst(), as: UTF8.self)), abs(power) < 100_000 else {
                    return nil
                }
                exponent += power
                break
            } else {
                return nil
            }
            rest.removeFirst()
        }
        while digits.last == UInt8(ascii: "0") {
            digits.removeLast()
            exponent += 1
        }
        if digits.isEmpty { return Canonical(isNegative: false, digits: [], exponent: 0) }
        return Canonical(isNegative: isNegative, digits: digits, exponent: exponent)
    }
}
