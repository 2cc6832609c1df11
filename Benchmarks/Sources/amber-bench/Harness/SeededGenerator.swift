// Room:   amber-bench / Harness. Random numbers that are the same on every machine.
// Takes:  a seed. Gives: xoshiro256** numbers and the few distributions the datasets need.
// Touches: nothing.

/// xoshiro256** (Blackman and Vigna), its state filled by SplitMix64.
struct SeededGenerator: RandomNumberGenerator {
    private var state: (UInt64, UInt64, UInt64, UInt64)

    init(seed: UInt64) {
        var mixer = seed
        func next() -> UInt64 {
            mixer &+= 0x9E37_79B9_7F4A_7C15
            var z = mixer
            z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
            z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
            return z ^ (z >> 31)
        }
        state = (next(), next(), next(), next())
    }

    mutating func next() -> UInt64 {
        let product = state.1 &* 5
        let result = ((product << 7) | (product >> 57)) &* 9
        let shifted = state.1 << 17
        state.2 ^= state.0
        state.3 ^= state.1
        state.1 ^= state.2
        state.0 ^= state.3
        state.2 ^= shifted
        state.3 = (state.3 << 45) | (state.3 >> 19)
        return result
    }

    /// Uniform in `0..<bound`, by Lemire's multiplication; `bound` is at least 1.
    mutating func below(_ bound: Int) -> Int {
        Int(next().multipliedFullWidth(by: UInt64(bound)).high)
    }

    /// Uniform in the range.
    mutating func uniform(_ range: Range<Int>) -> Int {
        range.lowerBound + below(range.count)
    }

    /// Uniform over every value of the type.
    mutating func any<Integer: FixedWidthInteger>(_ type: Integer.Type) -> Integer {
        Integer(truncatingIfNeeded: next())
    }

    /// Uniform in `0..<1`.
    mutating func unitDouble() -> Double {
        Double(next() >> 11) * 0x1p-53
    }

    /// Uniform in `0..<1`.
    mutating func unitFloat() -> Float {
        Float(next() >> 40) * 0x1p-24
    }

    /// True with probability `chance`.
    mutating func chance(_ chance: Double) -> Bool {
        unitDouble() < chance
    }

    /// True half the time.
    mutating func coin() -> Bool {
        next() >> 63 == 1
    }

    /// One element of a list that has one.
    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[below(elements.count)]
    }

    /// The index of one weight, with the probability of its share.
    mutating func weighted(_ weights: [Double]) -> Int {
        var point = unitDouble() * weights.reduce(0, +)
        for (index, weight) in weights.enumerated() {
            if point < weight { return index }
            point -= weight
        }
        return weights.count - 1
    }

    /// `count` values from the closure.
    mutating func list<Element>(_ count: Int, _ make: (inout SeededGenerator) -> Element) -> [Element] {
        var elements: [Element] = []
        elements.reserveCapacity(count)
        for _ in 0..<count { elements.append(make(&self)) }
        return elements
    }
}
