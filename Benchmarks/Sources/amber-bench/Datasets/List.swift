// Room:   amber-bench / Datasets. A linked list: the longest way a graph can be.
// Takes:  a count. Gives: the first node, the comparison, flat rows. Touches: nothing.

import Amber

final class ListNode: Model {
    var value = 0
    var next: ListNode?
}

extension ListNode {
    /// A list of at least one node.
    static func make(count: Int) -> ListNode {
        var random = SeededGenerator(seed: 0x115_7)
        let first = ListNode()
        first.value = random.below(1000)
        var last = first
        for _ in 1..<count {
            let node = ListNode()
            node.value = random.below(1000)
            last.next = node
            last = node
        }
        return first
    }

    static func areEqual(_ left: ListNode, _ right: ListNode) -> Bool {
        var pairs = GraphPairs<ListNode>(capacity: 1_000_000)
        guard pairs.pair(left, right) else { return false }
        while let (one, other) = pairs.next() {
            guard one.value == other.value, pairs.pair(one.next, other.next) else { return false }
        }
        return true
    }

    /// Unlinks the nodes one by one: releasing the first of a long chain would recurse once a node.
    static func takeApart(_ first: ListNode) {
        var node = first.next
        first.next = nil
        while let current = node {
            node = current.next
            current.next = nil
        }
    }
}

/// A node whose successor is the next row.
struct ListRow: Codable, Model {
    var value: Int
    var next: Int?
}

extension ListRow {
    static func flatten(_ first: ListNode) -> [ListRow] {
        var rows: [ListRow] = []
        var node: ListNode? = first
        while let current = node {
            rows.append(ListRow(value: current.value, next: current.next == nil ? nil : rows.count + 1))
            node = current.next
        }
        return rows
    }

    static func link(_ rows: [ListRow]) -> ListNode {
        let nodes = rows.map { row in
            let node = ListNode()
            node.value = row.value
            return node
        }
        for (node, row) in zip(nodes, rows) { node.next = row.next.map { nodes[$0] } }
        return nodes.first ?? ListNode()
    }
}
