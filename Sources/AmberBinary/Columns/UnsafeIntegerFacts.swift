// Room:   AmberBinary / Columns. What is known of a column of integers before its encoding is chosen.
// Takes:  numbers. Gives: the smallest, the bits of the largest difference to it, runs, steps, a common number.
// Touches: arrays of numbers.
//
// Invariants
// 1. Numbers are looked at inside the closure that lends them, at indexes below their count.

/// What decides the encoding of a column.
struct IntegerFacts<T: Bits> {
    /// The smallest number.
    let base: T
    /// Bits of the largest difference to the smallest.
    let width: Int
    /// The number of stretches of equal numbers.
    let runCount: Int

    /// Of so many numbers the count of some of them fits in each of the types.
    static var stretch: Int { 240 }

    init(_ values: [T], signed: Bool) {
        self = unsafe values.withUnsafeBufferPointer { unsafe IntegerFacts($0, signed: signed) }
    }

    private init(_ values: UnsafeBufferPointer<T>, signed: Bool) {
        guard let numbers = values.baseAddress, let first = unsafe values.first else {
            (base, width, runCount) = (0, 0, 0)
            return
        }
        // With the top bit flipped, signed numbers compare as unsigned ones do.
        let flip: T = signed ? 1 &<< T(truncatingIfNeeded: T.bitWidth &- 1) : 0
        var least = first ^ flip
        var most = least
        var changes = 0
        var start = 1
        while start < values.count {
            let end = min(start &+ Self.stretch, values.count)
            var part: T = 0
            while start < end {
                let value = unsafe numbers[start]
                let key = value ^ flip
                least = min(least, key)
                most = max(most, key)
                unsafe part &+= (value ^ numbers[start &- 1]).isOther
                start &+= 1
            }
            changes &+= Int(truncatingIfNeeded: part)
        }
        base = least ^ flip
        width = BitPacking.width(for: UInt64(most &- least))
        runCount = changes + 1
    }

    /// A number that a sample shows to be common.
    static func common(_ values: [T]) -> T? {
        let sampled = min(values.count, 64)
        // Boyer and Moore's vote finds the number that most have, if there is one.
        var candidate = values[0]
        var votes = 0
        for step in 0..<sampled {
            let value = values[step * values.count / sampled]
            if votes == 0 { candidate = value }
            votes += value == candidate ? 1 : -1
        }
        var seen = 0
        for step in 0..<sampled where values[step * values.count / sampled] == candidate { seen += 1 }
        return seen * 5 > sampled * 2 ? candidate : nil
    }

    /// The bits of the differences between neighbours, or `limit` as soon as it is clear that they aren't fewer.
    static func deltaWidth(_ values: [T], signed: Bool, below limit: Int) -> Int {
        unsafe values.withUnsafeBufferPointer { unsafe deltaWidth($0, signed: signed, below: limit) }
    }

    @inline(__always)
    private static func deltaWidth(_ values: UnsafeBufferPointer<T>, signed: Bool, below limit: Int) -> Int {
        var least = Int64.max
        var most = Int64.min
        var previous = unsafe values[0].extended(signed: signed)
        for index in 1..<values.count {
            let value = unsafe values[index].extended(signed: signed)
            let difference = Int64(bitPattern: value &- previous)
            previous = value
            least = min(least, difference)
            most = max(most, difference)
            if index & 15 == 0, BitPacking.width(for: UInt64(bitPattern: most &- least)) >= limit { return limit }
        }
        guard least <= most else { return limit }
        return min(BitPacking.width(for: UInt64(bitPattern: most &- least)), limit)
    }
}
