// Room:   AmberModel / Graph. Who was seen: objects by address, each with a number.
// Takes:  addresses of living objects. Gives: the number of each, the same every time.
// Touches: its own memory.

/// Numbers for objects by their addresses: open addressing, grown at three quarters full.
package struct ObjectTable {
    private var keys: ContiguousArray<UInt> = []
    private var values: ContiguousArray<Int> = []
    package private(set) var count = 0
    private var shift: UInt64 = 64

    package init() {}

    @inline(__always)
    private func slot(_ key: UInt) -> Int {
        // Addresses differ in their middle bits; the multiplication spreads them to the top ones.
        Int(truncatingIfNeeded: (UInt64(key) &* 0x9e37_79b9_7f4a_7c15) &>> shift)
    }

    /// The number of the object at `address`, or the one that `make` gives a new one.
    package mutating func number(_ address: UInt, orInsert make: (Int) -> Int) -> Int {
        if (count + 1) * 4 > keys.count * 3 { grow() }
        var index = slot(address)
        while true {
            let key = keys[index]
            if key == address { return values[index] }
            if key == 0 {
                let number = make(count)
                keys[index] = address
                values[index] = number
                count += 1
                return number
            }
            index = (index &+ 1) & (keys.count &- 1)
        }
    }

    /// The number of the object at `address`, if it was seen.
    package func number(_ address: UInt) -> Int? {
        if count == 0 { return nil }
        var index = slot(address)
        while true {
            let key = keys[index]
            if key == address { return values[index] }
            if key == 0 { return nil }
            index = (index &+ 1) & (keys.count &- 1)
        }
    }

    /// Replaces every number.
    package mutating func renumber(_ change: (Int) -> Int) {
        for index in keys.indices where keys[index] != 0 { values[index] = change(values[index]) }
    }

    private mutating func grow() {
        let capacity = max(keys.count * 2, 16)
        let (oldKeys, oldValues) = (keys, values)
        keys = ContiguousArray(repeating: 0, count: capacity)
        values = ContiguousArray(repeating: 0, count: capacity)
        shift = UInt64(64 - capacity.trailingZeroBitCount)
        for (key, value) in zip(oldKeys, oldValues) where key != 0 {
            var index = slot(key)
            while keys[index] != 0 { index = (index &+ 1) & (capacity - 1) }
            keys[index] = key
            values[index] = value
        }
    }
}
