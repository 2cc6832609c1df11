// Room:   amber-bench / Datasets. A tree with ten children to a node.
// Takes:  a depth. Gives: the root, the comparison. Touches: nothing.

import Amber

/// Also Codable: a tree is the one graph that Foundation's Codable coders take as it is.
final class TreeNode: Model, Codable {
    var label = ""
    var value: Int32 = 0
    var children: [TreeNode] = []
}

extension TreeNode {
    static let fanOut = 10

    /// A full tree: 111,111 nodes when `depth` is 5.
    static func make(depth: Int) -> TreeNode {
        var random = SeededGenerator(seed: 0x7_4EE)
        let root = TreeNode(from: &random)
        var level = [root]
        for _ in 0..<depth {
            for node in level { node.children = random.list(fanOut) { TreeNode(from: &$0) } }
            level = level.flatMap(\.children)
        }
        return root
    }

    static func count(depth: Int) -> Int {
        (0..<depth).reduce(1) { count, _ in count * fanOut + 1 }
    }

    private convenience init(from random: inout SeededGenerator) {
        self.init()
        label = random.pick(Self.labels)
        value = Int32(random.below(1_000_000))
    }

    static func areEqual(_ left: TreeNode, _ right: TreeNode) -> Bool {
        var pairs = GraphPairs<TreeNode>(capacity: count(depth: 5))
        guard pairs.pair(left, right) else { return false }
        while let (one, other) = pairs.next() {
            guard one.label == other.label, one.value == other.value, pairs.pair(one.children, other.children)
            else { return false }
        }
        return true
    }

    private static let labels = [
        "alder", "ash", "aspen", "beech", "birch", "cedar", "elm", "fir", "hazel", "holly", "larch", "lime", "maple",
        "oak", "pine", "willow",
    ]
}
