// Room:   AmberBinary / Columns. The distinct strings of a column, each with its number.
// Takes:  rows of strings. Gives: a number for each row, and the distinct strings' bytes.
// Touches: strings in rows; memory of its own.
//
// Invariants
// 1. `slots` has room for `capacity` entries, a power of two, of which at most half are taken: every search ends.
// 2. An entry's bytes stand in `bytes` from `offset` on, `size` of them.
// 3. The bits of two strings are compared only while both live: equal bits are equal strings, for a string is what its
//    two words say. Different bits say nothing.

internal import AmberBytes
internal import AmberModel

/// The distinct strings of a column.
@safe
struct StringTable: ~Copyable {
    private struct Slot {
        var hash: UInt64
        var offset: Int
        var size: Int
        /// The number of the string plus one; zero for a free slot.
        var number: Int
    }

    /// Strings met lately, by their bits.
    private struct Recent {
        var bits: (UInt64, UInt64)
        var number: UInt32
    }

    private static let recentCount = 256

    private(set) var count = 0
    private var slots: UnsafeMutablePointer<Slot>
    private var capacity = 256
    private let recent: UnsafeMutablePointer<Recent>
    private var bytes = ByteWriter(capacity: 1024)
    private var sizes: [UInt64] = []

    init() {
        unsafe slots = Self.makeSlots(256)
        unsafe recent = .allocate(capacity: Self.recentCount)
        // No string has these bits: a discriminator of all ones is not one.
        unsafe recent.initialize(repeating: Recent(bits: (.max, .max), number: 0), count: Self.recentCount)
    }

    deinit {
        unsafe slots.deallocate()
        unsafe recent.deallocate()
    }

    private static func makeSlots(_ capacity: Int) -> UnsafeMutablePointer<Slot> {
        let slots = UnsafeMutablePointer<Slot>.allocate(capacity: capacity)
        unsafe slots.initialize(repeating: Slot(hash: 0, offset: 0, size: 0, number: 0), count: capacity)
        return unsafe slots
    }

    /// Whether a column seems to have at most a third as many distinct strings as rows, judged by a sample.
    ///
    /// Of `s` strings drawn from `k` equally frequent ones, about `s * s / 2k` equal an earlier one.
    static func pays(for rows: Rows, _ offset: Int) -> Bool {
        guard rows.count >= 16 else { return false }
        let sampled = min(rows.count, 512)
        var repeats = 0
        unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 1024) { seen in
            unsafe seen.initialize(repeating: 0)
            for step in 0..<sampled {
                unsafe withStringBytes(rows.address(step * rows.count / sampled, offset)) { bytes in
                    let hash = unsafe hashBytes(bytes) | 1
                    var slot = Int(truncatingIfNeeded: hash &>> 32) & 1023
                    while unsafe seen[slot] != 0 && seen[slot] != hash { slot = (slot &+ 1) & 1023 }
                    if unsafe seen[slot] == hash { repeats &+= 1 }
                    unsafe seen[slot] = hash
                }
            }
        }
        // A sample of all strings shows their number; from a part it must be guessed.
        return repeats >= (sampled == rows.count ? sampled * 2 / 3 : sampled * sampled * 3 / (rows.count * 2))
    }

    /// Fills in the number of each string; `false` if most are distinct after all.
    mutating func index(_ rows: Rows, _ offset: Int, into numbers: inout [UInt32]) -> Bool {
        precondition(numbers.count >= rows.count, "A column needs a number for each row.")
        let limit = rows.count / 2
        unsafe numbers.withUnsafeMutableBufferPointer { numbers in
            unsafe rows.forEach(offset) { address, row in
                if count > limit { return }
                let first = unsafe address.load(as: UInt64.self)
                let second = unsafe address.load(fromByteOffset: 8, as: UInt64.self)
                let mixed = (first ^ (second &<< 1)) &* 0x9e37_79b9_7f4a_7c15
                let place = Int(truncatingIfNeeded: mixed &>> 56)
                if unsafe recent[place].bits == (first, second) {
                    unsafe numbers[row] = recent[place].number
                    return
                }
                var number: UInt32 = 0
                unsafe withStringBytes(address) { bytes in
                    number = unsafe UInt32(truncatingIfNeeded: self.number(of: bytes))
                }
                unsafe recent[place] = Recent(bits: (first, second), number: number)
                unsafe numbers[row] = number
            }
        }
        return count <= limit
    }

    @inline(__always)
    private mutating func number(of string: UnsafeRawBufferPointer) -> Int {
        let hash = unsafe hashBytes(string)
        var place = Int(truncatingIfNeeded: hash) & (capacity &- 1)
        while true {
            let slot = unsafe slots[place]
            if slot.number == 0 { break }
            if slot.hash == hash, slot.size == string.count, unsafe equalBytes(string, bytes.base + slot.offset) {
                return slot.number &- 1
            }
            place = (place &+ 1) & (capacity &- 1)
        }
        return unsafe enter(string, hash, at: place)
    }

    @inline(never)
    private mutating func enter(_ string: UnsafeRawBufferPointer, _ hash: UInt64, at place: Int) -> Int {
        unsafe slots[place] = Slot(hash: hash, offset: bytes.count, size: string.count, number: count + 1)
        unsafe bytes.write(bytes: string)
        sizes.append(UInt64(string.count))
        count += 1
        if count * 2 > capacity { grow() }
        return count - 1
    }

    private mutating func grow() {
        let (old, oldCapacity) = unsafe (slots, capacity)
        capacity *= 4
        unsafe slots = Self.makeSlots(capacity)
        for index in 0..<oldCapacity where unsafe old[index].number != 0 {
            var place = unsafe Int(truncatingIfNeeded: old[index].hash) & (capacity - 1)
            while unsafe slots[place].number != 0 { place = (place + 1) & (capacity - 1) }
            unsafe slots[place] = old[index]
        }
        unsafe old.deallocate()
    }

    /// Writes the distinct strings as a plain column without its code.
    func write(to out: inout ByteWriter) {
        IntegerColumn.write(sizes, signed: false, to: &out)
        unsafe bytes.withBytes { unsafe out.write(bytes: $0) }
    }
}
