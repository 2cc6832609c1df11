// Room:   AmberModel / Graph. Who was seen: objects by address, each with a number.
// Takes:  addresses of living objects. Gives: the number of each, the same every time.
// Touches: its own memory.
//
// Invariants
// 1. `slots` is memory for `capacity` slots, a power of two, all initialised; a slot without an address is free.
//    A table made by `shared` reads the slots of another, which outlives it and isn't changed meanwhile.
// 2. At most three quarters of the slots are taken, so that every search ends.

/// Numbers for objects by their addresses: open addressing.
@safe
package struct ObjectTable: ~Copyable {
    private struct Slot {
        var address: UInt
        var number: Int
    }

    private var slots: UnsafeMutablePointer<Slot>
    private var capacity: Int
    package private(set) var count = 0
    private var shift: UInt64
    /// Whether the slots are another table's.
    private var isShared = false

    /// The same table for another reader. It must not outlive this one, and nothing may be entered in either meanwhile.
    package borrowing func shared() -> ObjectTable {
        var other = ObjectTable()
        unsafe other.slots = unsafe slots
        (other.capacity, other.count, other.shift, other.isShared) = (capacity, count, shift, true)
        return other
    }

    package init() {
        // Most archives have no objects: their table costs nothing.
        capacity = 0
        shift = 63
        unsafe slots = UnsafeMutablePointer(bitPattern: 16).unsafelyUnwrapped
    }

    deinit { if capacity > 0, !isShared { unsafe slots.deallocate() } }

    private static func allocate(_ capacity: Int) -> UnsafeMutablePointer<Slot> {
        let slots = UnsafeMutablePointer<Slot>.allocate(capacity: capacity)
        unsafe slots.initialize(repeating: Slot(address: 0, number: 0), count: capacity)
        return unsafe slots
    }

    @inline(__always)
    private func start(_ address: UInt) -> Int {
        // Addresses differ in their middle bits; the multiplication spreads them to the top ones.
        Int(truncatingIfNeeded: (UInt64(address) &* 0x9e37_79b9_7f4a_7c15) &>> shift)
    }

    /// The number of the object at `address`; or enters it with `number`, and gives `nil`.
    package mutating func find(_ address: UInt, orInsert number: Int) -> Int? {
        if capacity == 0 { grow() }
        var index = start(address)
        while true {
            let found = unsafe slots[index]
            if found.address == address { return found.number }
            if found.address == 0 { break }
            index = (index &+ 1) & (capacity &- 1)
        }
        precondition(!isShared, "Nothing is entered in a shared table.")
        unsafe slots[index] = Slot(address: address, number: number)
        count &+= 1
        if count &* 4 > capacity &* 3 { grow() }
        return nil
    }

    /// The number of the object at `address`, if it was seen.
    package func number(_ address: UInt) -> Int? {
        if capacity == 0 { return nil }
        var index = start(address)
        while true {
            let found = unsafe slots[index]
            if found.address == address { return found.number }
            if found.address == 0 { return nil }
            index = (index &+ 1) & (capacity &- 1)
        }
    }

    /// The numbers of the objects that the rows' strong references at `offset` refer to: 0 for nil, and for objects that
    /// have none, of which `false` tells.
    package func gatherNumbers(_ rows: Rows, _ offset: Int, into numbers: inout [UInt64]) -> Bool {
        precondition(numbers.count >= rows.count, "A column needs a number for each row.")
        return unsafe numbers.withUnsafeMutableBufferPointer { numbers in
            var areKnown = true
            unsafe rows.forEach(offset) { address, index in
                let object = unsafe address.load(as: UInt.self)
                if object == 0 {
                    unsafe numbers[index] = 0
                } else if let number = number(object) {
                    unsafe numbers[index] = UInt64(truncatingIfNeeded: number)
                } else {
                    unsafe numbers[index] = 0
                    areKnown = false
                }
            }
            return areKnown
        }
    }

    /// Replaces every number.
    package mutating func renumber(_ change: (Int) -> Int) {
        for index in 0..<capacity where unsafe slots[index].address != 0 {
            unsafe slots[index].number = change(slots[index].number)
        }
    }

    private mutating func grow() {
        let (old, oldCapacity) = unsafe (slots, capacity)
        capacity = max(capacity * (capacity < 1 << 16 ? 4 : 2), 16)
        shift = UInt64(64 - capacity.trailingZeroBitCount)
        unsafe slots = Self.allocate(capacity)
        for index in 0..<oldCapacity where unsafe old[index].address != 0 {
            var target = unsafe start(old[index].address)
            while unsafe slots[target].address != 0 { target = (target &+ 1) & (capacity &- 1) }
            unsafe slots[target] = old[index]
        }
        if oldCapacity > 0 { unsafe old.deallocate() }
    }
}
