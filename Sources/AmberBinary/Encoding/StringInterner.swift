// Room:   AmberBinary / Encoding. Strings in rows: each distinct one is written once.
// Takes:  the bytes of a string and what was written so far. Gives: the number of an equal string, if there was one.
// Touches: its own table; the output, to compare.

/// The strings that rows have written, by hash, as places in the output.
struct StringInterner {
    private struct Entry {
        var hash: UInt64
        var offset: Int
        var size: Int
    }

    /// Sort keys are written without references to other strings.
    var isEnabled = true
    /// Whether a string was looked up.
    private(set) var isUsed = false
    private var entries: [Entry] = []
    /// Entry numbers plus one, by hash; open addressing.
    private var slots: [UInt32] = []

    /// The number of the string of `size` bytes with this hash, or `nil` after it was entered as a new one whose bytes
    /// will stand at `offset`.
    mutating func number(hash: UInt64, size: Int, offset: Int, isEqual: (Int) -> Bool) -> Int? {
        guard isEnabled else { return nil }
        isUsed = true
        if slots.isEmpty {
            // A few are found sooner without a table.
            for (number, entry) in entries.enumerated() where entry.hash == hash && entry.size == size {
                if isEqual(entry.offset) { return number }
            }
            if entries.isEmpty { entries.reserveCapacity(Self.few) }
            entries.append(Entry(hash: hash, offset: offset, size: size))
            if entries.count > Self.few { grow() }
            return nil
        }
        if (entries.count + 1) * 2 > slots.count { grow() }
        var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
        while slots[slot] != 0 {
            let number = Int(slots[slot]) - 1
            if entries[number].hash == hash, entries[number].size == size, isEqual(entries[number].offset) {
                return number
            }
            slot = (slot + 1) & (slots.count - 1)
        }
        entries.append(Entry(hash: hash, offset: offset, size: size))
        slots[slot] = UInt32(entries.count)
        return nil
    }

    /// So many strings need no table.
    private static let few = 8

    private mutating func grow() {
        let capacity = max(slots.count * 2, 32)
        slots = [UInt32](repeating: 0, count: capacity)
        for (number, entry) in entries.enumerated() {
            var slot = Int(truncatingIfNeeded: entry.hash) & (capacity - 1)
            while slots[slot] != 0 { slot = (slot + 1) & (capacity - 1) }
            slots[slot] = UInt32(number + 1)
        }
    }
}
