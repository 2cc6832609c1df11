// Room:   AmberReadable / Document. The leaves of documents as Swift's values.
// Takes:  bytes that a scanner checked. Gives: strings without escapes, exact numbers.
// Touches: reads of the bytes given.
//
// Invariants
// 1. Escapes and digits were checked by the scanner; what builds a document from a tree keeps to the same forms.

internal import AmberBytes

/// The text of a string with escapes.
func unescaped(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    // Escapes are longer than what they stand for.
    unsafe String(unsafeUninitializedCapacity: bytes.count) { target in
        var (source, end) = (0, 0)
        func put(_ byte: UInt8) {
            unsafe target[end] = byte
            end += 1
        }
        func unit(_ index: Int) -> UInt32 {
            var value: UInt32 = 0
            for offset in 0..<4 { value = value << 4 | (unsafe hexadecimalDigit(bytes[index + offset]) ?? 0) }
            return value
        }
        while source < bytes.count {
            let byte = unsafe bytes[source]
            guard byte == UInt8(ascii: "\\") else {
                put(byte)
                source += 1
                continue
            }
            let code = unsafe bytes[source + 1]
            source += 2
            switch code {
            case UInt8(ascii: "b"): put(0x08)
            case UInt8(ascii: "f"): put(0x0c)
            case UInt8(ascii: "n"): put(0x0a)
            case UInt8(ascii: "r"): put(0x0d)
            case UInt8(ascii: "t"): put(0x09)
            case UInt8(ascii: "u"):
                var value = unit(source)
                source += 4
                if value & 0xfc00 == 0xd800 {
                    value = 0x10000 + (value & 0x3ff) << 10 + (unit(source + 2) & 0x3ff)
                    source += 6
                }
                for byte in Unicode.Scalar(value).map({ Array(String($0).utf8) }) ?? [] { put(byte) }
            default: put(code)
            }
        }
        return end
    }
}

extension Document {
    /// An integer's digits as magnitude and sign, if they fit in 64 bits.
    @inline(__always)
    func magnitude(_ number: Int) -> (value: UInt64, isNegative: Bool)? {
        let bytes = unsafe bytes(number)
        let isNegative = unsafe bytes.count > 0 && bytes[0] == UInt8(ascii: "-")
        var index = isNegative ? 1 : 0
        var value: UInt64 = 0
        if bytes.count &- index <= 19 {
            while index < bytes.count {
                unsafe value = value &* 10 &+ UInt64(bytes[index] &- 0x30)
                index &+= 1
            }
            return (value, isNegative)
        }
        while index < bytes.count {
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, overflow2) = product.addingReportingOverflow(UInt64(unsafe bytes[index] &- 0x30))
            if overflow || overflow2 { return nil }
            value = sum
            index &+= 1
        }
        return (value, isNegative)
    }

    /// A number's text as a Double, correctly rounded; `nil` if it is beyond a Double's range.
    func double(_ number: Int) -> Double? {
        switch kind(number) {
        case .double: return Double(bitPattern: bits(number))
        case .float: return Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits(number))))
        case .integer:
            // Up to fifteen digits a Double holds exactly.
            if length(number) < 16, let (value, isNegative) = magnitude(number) {
                return isNegative ? -Double(value) : Double(value)
            }
        default:
            if let exact = unsafe shortDecimal(bytes(number)) { return exact }
        }
        let value = Double(string(number))
        return value?.isFinite == true ? value : nil
    }

    /// A number's text as a Float, correctly rounded; `nil` if it is beyond a Float's range.
    func float(_ number: Int) -> Float? {
        switch kind(number) {
        case .float: return Float(bitPattern: UInt32(truncatingIfNeeded: bits(number)))
        case .double:
            let value = Double(bitPattern: bits(number))
            return value.isFinite && !Float(value).isFinite ? nil : Float(value)
        default:
            let value = Float(string(number))
            return value?.isFinite == true ? value : nil
        }
    }

    /// Few digits and a small power of ten: both exact, so that one operation rounds once.
    private func shortDecimal(_ bytes: UnsafeBufferPointer<UInt8>) -> Double? {
        guard bytes.count <= 17 else { return nil }
        let isNegative = unsafe bytes[0] == UInt8(ascii: "-")
        var value: UInt64 = 0
        var decimals = -1
        var index = isNegative ? 1 : 0
        while index < bytes.count {
            let byte = unsafe bytes[index]
            if byte == UInt8(ascii: ".") {
                decimals = 0
            } else {
                guard byte &- 0x30 < 10 else { return nil }
                value = value &* 10 &+ UInt64(byte &- 0x30)
                if decimals >= 0 { decimals &+= 1 }
            }
            index &+= 1
        }
        guard value < 1 << 53 else { return nil }
        let result = Double(value) / Self.powers[max(decimals, 0)]
        return isNegative ? -result : result
    }

    private static let powers: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17,
    ]
}
