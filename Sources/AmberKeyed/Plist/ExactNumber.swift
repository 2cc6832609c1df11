// Room:   AmberKeyed / Plist. Numbers compared with their kinds.
// Takes:  a number. Gives: a key in which 1, 1.0 and true are three; a table of such keys.
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

/// A table of numbers with their kinds, open-addressed, seeded anew in each run.
struct NumberTable {
    private struct Slot {
        var bits: UInt64 = 0
        /// The number plus one; zero for an empty slot.
        var number: UInt32 = 0
        var kind = ExactNumber.Kind.integer
    }

    private static let seed = UInt64.random(in: .min ... .max)
    private var slots: [Slot] = Array(repeating: Slot(), count: 64)
    private var count = 0

    /// The number of `key`, which becomes `new` if it has none yet.
    mutating func number(of key: ExactNumber, new: UInt32) -> UInt32 {
        if count * 2 >= slots.count { grow() }
        let place = find(key)
        if slots[place].number != 0 { return slots[place].number - 1 }
        count += 1
        slots[place] = Slot(bits: key.bits, number: new + 1, kind: key.kind)
        return new
    }

    /// The number of `key`, if it has one.
    func number(of key: ExactNumber) -> UInt32? {
        let number = slots[find(key)].number
        return number == 0 ? nil : number - 1
    }

    private func find(_ key: ExactNumber) -> Int {
        let mask = slots.count - 1
        var place = Int(truncatingIfNeeded: mixed(Self.seed ^ UInt64(key.kind.rawValue), key.bits)) & mask
        while slots[place].number != 0, slots[place].bits != key.bits || slots[place].kind != key.kind {
            place = (place + 1) & mask
        }
        return place
    }

    private mutating func grow() {
        let old = slots
        slots = Array(repeating: Slot(), count: old.count * (old.count < 4096 ? 4 : 2))
        for slot in old where slot.number != 0 { slots[find(ExactNumber(slot.kind, slot.bits))] = slot }
    }
}
