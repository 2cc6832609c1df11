// Room:   amber-bench / DebianIndex. The order of Debian's version numbers.
// Takes:  two versions. Gives: which is earlier. Touches: nothing.

/// A version `[epoch:]upstream[-revision]`, ordered as Debian's policy (section 5.6.12) says.
struct DebianVersion: Comparable {
    private let epoch: Int
    private let upstream: [UInt8]
    private let revision: [UInt8]

    init(_ text: String) {
        var rest = text[...]
        if let colon = rest.firstIndex(of: ":") {
            epoch = Int(rest[..<colon]) ?? 0
            rest = rest[rest.index(after: colon)...]
        } else {
            epoch = 0
        }
        if let dash = rest.lastIndex(of: "-") {
            revision = Array(rest[rest.index(after: dash)...].utf8)
            rest = rest[..<dash]
        } else {
            revision = []
        }
        upstream = Array(rest.utf8)
    }

    static func < (left: DebianVersion, right: DebianVersion) -> Bool {
        if left.epoch != right.epoch { return left.epoch < right.epoch }
        let order = compare(left.upstream, right.upstream)
        return order != 0 ? order < 0 : compare(left.revision, right.revision) < 0
    }

    static func == (left: DebianVersion, right: DebianVersion) -> Bool {
        left.epoch == right.epoch && compare(left.upstream, right.upstream) == 0
            && compare(left.revision, right.revision) == 0
    }

    /// Runs of other characters and runs of digits are compared in turn.
    private static func compare(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var one = left[...]
        var other = right[...]
        while !one.isEmpty || !other.isEmpty {
            while !isDigit(one.first) && one.first != nil || !isDigit(other.first) && other.first != nil {
                let difference = weight(one.first) - weight(other.first)
                if difference != 0 { return difference }
                one = one.dropFirst()
                other = other.dropFirst()
            }
            let digits = number(&one)
            let otherDigits = number(&other)
            if digits.count != otherDigits.count { return digits.count - otherDigits.count }
            for (a, b) in zip(digits, otherDigits) where a != b { return Int(a) - Int(b) }
        }
        return 0
    }

    /// Takes the digits at the start, without leading zeros.
    private static func number(_ text: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let digits = text.prefix { isDigit($0) }
        text = text.dropFirst(digits.count)
        return digits.drop { $0 == UInt8(ascii: "0") }
    }

    private static func isDigit(_ byte: UInt8?) -> Bool {
        guard let byte else { return false }
        return (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    /// A tilde comes before the end, the end before letters, letters before all else.
    private static func weight(_ byte: UInt8?) -> Int {
        guard let byte, !isDigit(byte) else { return 0 }
        if byte == UInt8(ascii: "~") { return -1 }
        let isLetter = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
        return isLetter ? Int(byte) : Int(byte) + 256
    }
}
