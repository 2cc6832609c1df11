// Room:   AmberModel / Foreign. How much of a thread's stack calls within calls have used.
// Takes:  nothing. Gives: whether the next call should have a stack of its own.
// Touches: the address of a local variable, as a number.
//
// Invariants
// 1. No address is looked at: they are compared as numbers, those of one thread only.

/// Counts what calls have used of a stack, from the first of them on.
package struct StackMeter {
    private var base: UInt = 0
    private var room = 0

    /// What calls may use of a stack that somebody else has begun: secondary threads have half a megabyte.
    private static let shared = 128 << 10

    package init() {}

    /// Begins to count, at the first of a row of calls, on a stack that is somebody's.
    package mutating func begin() { self = Self(room: Self.shared) }

    /// Whether the calls have used what they may.
    package var isExceeded: Bool {
        let here = Self.address()
        return (here > base ? here - base : base - here) > UInt(room)
    }

    /// A meter for a fresh stack of ``DeepCalls``, made on it.
    package static func forFreshStack() -> StackMeter { Self(room: DeepCalls.stackSize / 2) }

    private init(room: Int) {
        base = Self.address()
        self.room = room
    }

    @inline(never)
    private static func address() -> UInt {
        var local: UInt8 = 0
        return unsafe withUnsafeMutablePointer(to: &local) { UInt(bitPattern: $0) }
    }
}
