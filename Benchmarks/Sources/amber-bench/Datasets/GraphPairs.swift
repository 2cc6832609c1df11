// Room:   amber-bench / Datasets. Walks two graphs side by side, without recursion.
// Takes:  pairs of nodes that should match. Gives: whether instances correspond one to one.
// Touches: the identities of the nodes, which the caller keeps alive.

/// The work list and the one-to-one correspondence of a comparison of two graphs.
///
/// The nodes may form cycles and chains of any length. Two graphs match when every pair that is met has equal
/// values and no instance is paired with two different ones, in either direction: then sharing is the same too.
struct GraphPairs<Node: AnyObject> {
    private var rightOfLeft: [ObjectIdentifier: ObjectIdentifier] = [:]
    private var leftOfRight: [ObjectIdentifier: ObjectIdentifier] = [:]
    private var work: [(left: Node, right: Node)] = []

    init(capacity: Int) {
        rightOfLeft.reserveCapacity(capacity)
        leftOfRight.reserveCapacity(capacity)
    }

    /// Number of pairs met so far.
    var count: Int { rightOfLeft.count }

    /// Notes that two references must lead to corresponding instances; false when they can't.
    mutating func pair(_ left: Node?, _ right: Node?) -> Bool {
        guard let left, let right else { return left == nil && right == nil }
        let leftID = ObjectIdentifier(left)
        let rightID = ObjectIdentifier(right)
        if let known = rightOfLeft[leftID] { return known == rightID }
        guard leftOfRight.updateValue(leftID, forKey: rightID) == nil else { return false }
        rightOfLeft[leftID] = rightID
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
