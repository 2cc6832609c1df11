// Room:   AmberKeyed / Plist. Strings compared by their bytes.
// Takes:  a string. Gives: a key for tables in which two strings are one only if they are written alike.
// Touches: nothing.

/// A string that equals another only if both have the same UTF-8.
///
/// Swift's own equality takes "é" and "e" with a combining accent for one string; a table keyed by it would change
/// what is written.
struct ExactString: Hashable {
    var string: String

    init(_ string: String) {
        self.string = string
    }

    static func == (left: ExactString, right: ExactString) -> Bool {
        guard left.string == right.string else { return false }
        return left.string.utf8.count == right.string.utf8.count
            && left.string.utf8.elementsEqual(right.string.utf8)
    }

    func hash(into hasher: inout Hasher) {
        // Strings of the same bytes are equal, so their own hash serves.
        hasher.combine(string)
    }
}

/// A number with its kind: 1, 1.0 and true are three.
struct ExactNumber: Hashable {
    enum Kind: UInt8 {
        case integer, unsigned, float, double, date
    }

    var kind: Kind
    var bits: UInt64

    init(_ kind: Kind, _ bits: UInt64) {
        self.kind = kind
        self.bits = bits
    }

    /// The key of a value that is a number or a date.
    init?(_ value: PlistValue) {
        switch value {
        case .integer(let value): self.init(.integer, UInt64(bitPattern: value))
        case .unsigned(let value): self.init(.unsigned, value)
        case .float(let value): self.init(.float, UInt64(value.bitPattern))
        case .double(let value): self.init(.double, value.bitPattern)
        case .date(let value): self.init(.date, value.bitPattern)
        default: return nil
        }
    }
}
