// Room:   AmberTestSupport. Random numbers that can be had again.
// Takes:  a seed, or none for a new one. Gives: numbers, choices, texts; a line of code that brings the same ones back.
// Touches: nothing.

/// A generator whose numbers depend on its seed alone (SplitMix64).
package struct SeededGenerator: RandomNumberGenerator {
    package let seed: UInt64
    private var state: UInt64

    package init(seed: UInt64 = .random(in: 0 ... .max)) {
        self.seed = seed
        state = seed
    }

    /// The code to paste in place of a generator's making, so that a failure comes again.
    package var replay: String { "SeededGenerator(seed: 0x\(String(seed, radix: 16)))" }

    package mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }

    /// A number from 0 to `limit` - 1.
    package mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(max(limit, 1))) }

    /// `true` once in `chance` times.
    package mutating func oneIn(_ chance: Int) -> Bool { below(chance) == 0 }

    /// One of the elements.
    package mutating func pick<T>(_ elements: [T]) -> T { elements[below(elements.count)] }

    /// An integer that is as often near an edge of its type as anywhere else.
    package mutating func integer<T: FixedWidthInteger>(_ type: T.Type) -> T {
        switch below(5) {
        case 0: T.min &+ T(truncatingIfNeeded: below(3))
        case 1: T.max &- T(truncatingIfNeeded: below(3))
        case 2: T(truncatingIfNeeded: below(5)) &- (T.isSigned ? 2 : 0)
        case 3: T(truncatingIfNeeded: 1) << T(truncatingIfNeeded: below(T.bitWidth))
        default: T(truncatingIfNeeded: next())
        }
    }

    /// Any bits as a number, often a special one.
    package mutating func double() -> Double {
        switch below(6) {
        case 0: pick([0, -0.0, .infinity, -.infinity, .nan, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 0.1])
        case 1: Double(bitPattern: next())
        default: Double(below(2000) - 1000) / 8
        }
    }

    /// A text of up to `limit` characters: empty, ASCII, accented, of several scalars, beyond the first plane.
    package mutating func text(_ limit: Int = 24) -> String {
        let letters = Array("aaabcde fgh0123ÄéßЖ漢🙂👩‍👩‍👧🇩🇪") + ["e\u{301}"]
        var text = ""
        for _ in 0..<below(limit) { text.append(pick(letters)) }
        return text
    }
}
