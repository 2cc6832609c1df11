// Room:   amber-bench / Datasets. Walks two graphs side by side, without recursion.
// Takes:  pairs of nodes that should match. Gives: whether instances correspond one to one.
// Touches: the identities of the nodes, which the caller keeps alive.

/// The work list and the one-to-one correspondence of a comparison of two graphs.
///
/// The nodes may form cycles and chains of any length. Two graphs match when every pair that is met has equal
/// values and no instance is paired with two different ones, in either direction: then sharing is the same too.
struct GraphPairs<Node: AnyObject> {
    private var rightOfLeft: IdentityMap
    private var leftOfRight: IdentityMap
    private var work: [(left: Node, right: Node)] = []

    /// - Parameter capacity: How many nodes to expect.
    init(capacity: Int) {
        rightOfLeft = IdentityMap(capacity: capacity)
        leftOfRight = IdentityMap(capacity: capacity)
    }

    /// Notes that two references must lead to corresponding instances; false when they can't.
    mutating func pair(_ left: Node?, _ right: Node?) -> Bool {
        guard let left, let right else { return left == nil && right == nil }
        let leftID = UInt(bitPattern: ObjectIdentifier(left))
        let rightID = UInt(bitPattern: ObjectIdentifier(right))
        let known = rightOfLeft.insert(rightID, for: leftID)
        if known != 0 { return known == rightID }
        guard leftOfRight.insert(leftID, for: rightID) == 0 else { return false }
        work.append((left, right))
        return true
    }

    /// The same for two lists of references.
    mutating func pair(_ left: [Node], _ right: [Node]) -> Bool {
        guard left.count == right.count else { return false }
        for index in left.indices where !pair(left[index], right[index]) { return false }
        return true
    }

    /// The next pair whose values and references have to be compared.
    mutating func next() -> (left: Node, right: Node)? {
        work.popLast()
    }
}

/// From addresses to addresses: millions of them, where a dictionary's hashing would outlast the decoding.
private struct IdentityMap {
    private var keys: [UInt]
    private var values: [UInt]
    private var count = 0

    init(capacity: Int) {
        let slots = max(16, (capacity * 2 - 1).nextPowerOfTwo)
        keys = [UInt](repeating: 0, count: slots)
        values = keys
    }

    /// The value already there, or 0 after `value` was inserted.
    mutating func insert(_ value: UInt, for key: UInt) -> UInt {
        if count * 2 >= keys.count { grow() }
        let slot = slot(of: key)
        guard keys[slot] == 0 else { return values[slot] }
        keys[slot] = key
        values[slot] = value
        count += 1
        return 0
    }

    private func slot(of key: UInt) -> Int {
        let mask = keys.count - 1
        var slot = Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) >> 32) & mask
        while keys[slot] != 0, keys[slot] != key { slot = (slot + 1) & mask }
        return slot
    }

    private mutating func grow() {
        let old = self
        keys = [UInt](repeating: 0, count: old.keys.count * 2)
        values = keys
        for (key, value) in zip(old.keys, old.values) where key != 0 {
            let slot = slot(of: key)
            keys[slot] = key
            values[slot] = value
        }
    }
}

extension Int {
    /// The smallest power of two above this number.
    fileprivate var nextPowerOfTwo: Int {
        self <= 0 ? 1 : 1 << (Int.bitWidth - leadingZeroBitCount)
    }
}
