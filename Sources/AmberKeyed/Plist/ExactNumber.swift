// Room:   AmberKeyed / Plist. Numbers compared with their kinds.
// Takes:  a number. Gives: a key for tables in which 1, 1.0 and true are three.
// Touches: nothing.

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
