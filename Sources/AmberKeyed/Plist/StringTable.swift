// Room:   AmberKeyed / Plist. Numbers for strings: the same text always gets the same one.
// Takes:  strings. Gives: the number of the first with the same bytes, or room for a new one.
// Touches: nothing.

/// A table of strings by their bytes, open-addressed.
///
/// Swift's own equality takes "é" and "e" with a combining accent for one string, which would change what is written;
/// and its dictionary hashes each key twice to look it up and add it. The seed differs from run to run, so that nobody
/// can prepare strings that all fall on one place.
struct StringTable {
    private struct Slot {
        var hash: UInt64
        /// The place in `strings` plus one; zero for an empty slot.
        var place: UInt32
    }

    private static let seed = UInt64.random(in: .min ... .max)

    private var slots: [Slot] = Array(repeating: Slot(hash: 0, place: 0), count: 64)
    /// The strings in the order in which they came: growing moves slots and never a string.
    private var strings: [(string: String, number: UInt32)] = []

    /// The number of `string`, which becomes `new` if it has none yet.
    mutating func number(of string: String, new: UInt32) -> UInt32 {
        let hash = hashOfBytes(string, seed: Self.seed)
        if strings.count * 2 >= slots.count { grow() }
        let slot = find(string, hash)
        if slots[slot].place != 0 { return strings[Int(slots[slot].place) - 1].number }
        strings.append((string, new))
        slots[slot] = Slot(hash: hash, place: UInt32(strings.count))
        return new
    }

    /// The number of `string`, if it has one.
    func number(of string: String) -> UInt32? {
        let slot = find(string, hashOfBytes(string, seed: Self.seed))
        return slots[slot].place == 0 ? nil : strings[Int(slots[slot].place) - 1].number
    }

    private func find(_ string: String, _ hash: UInt64) -> Int {
        let mask = slots.count - 1
        var slot = Int(truncatingIfNeeded: hash) & mask
        while slots[slot].place != 0 {
            if slots[slot].hash == hash, hasSameBytes(strings[Int(slots[slot].place) - 1].string, string) {
                return slot
            }
            slot = (slot + 1) & mask
        }
        return slot
    }

    private mutating func grow() {
        let old = slots
        slots = Array(repeating: Slot(hash: 0, place: 0), count: old.count * 4)
        let mask = slots.count - 1
        for entry in old where entry.place != 0 {
            var slot = Int(truncatingIfNeeded: entry.hash) & mask
            while slots[slot].place != 0 { slot = (slot + 1) & mask }
            slots[slot] = entry
        }
    }
}

/// A table of objects by their identity, open-addressed. Whoever fills it keeps the objects alive.
struct IdentityTable {
    private struct Slot {
        var object: ObjectIdentifier?
        var number: UInt32
    }

    private var slots: [Slot] = Array(repeating: Slot(object: nil, number: 0), count: 64)
    private var count = 0

    /// The number of an object, if it has one.
    subscript(object: ObjectIdentifier) -> UInt32? {
        let place = find(object)
        return slots[place].object == nil ? nil : slots[place].number
    }

    /// The number of an object, which becomes `new` if it has none yet.
    mutating func number(of object: ObjectIdentifier, new: UInt32) -> UInt32 {
        if count * 2 >= slots.count { grow() }
        let place = find(object)
        if slots[place].object != nil { return slots[place].number }
        count += 1
        slots[place] = Slot(object: object, number: new)
        return new
    }

    private func find(_ object: ObjectIdentifier) -> Int {
        let mask = slots.count - 1
        // Addresses differ in their middle bits: the product spreads them, its upper half is taken.
        let product = UInt64(UInt(bitPattern: object)) &* 0x9e37_79b9_7f4a_7c15
        var place = Int(truncatingIfNeeded: product >> 32) & mask
        while let other = slots[place].object, other != object { place = (place + 1) & mask }
        return place
    }

    private mutating func grow() {
        let old = slots
        slots = Array(repeating: Slot(object: nil, number: 0), count: old.count * 2)
        for slot in old {
            if let object = slot.object { slots[find(object)] = slot }
        }
    }
}
