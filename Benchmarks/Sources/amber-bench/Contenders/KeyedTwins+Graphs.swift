// Room:   amber-bench / Contenders. NSSecureCoding twins of the graphs.
// Takes:  a cut of a graph without cycles. Gives: objects for NSKeyedArchiver, and their comparison.
// Touches: Foundation's coders, which recurse over every reference.

import Foundation

/// A node of any of the graphs: some values, and references to nodes that come later in the cut.
final class NodeTwin: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }
    /// Named values, in the order of the model's properties.
    let texts: [String]
    let numbers: [Int64]
    var references: [NodeTwin] = []

    init(texts: [String], numbers: [Int64]) {
        self.texts = texts
        self.numbers = numbers
    }

    func encode(with coder: NSCoder) {
        for (index, text) in texts.enumerated() { coder.put(text, "text\(index)") }
        for (index, number) in numbers.enumerated() { coder.put(number, "number\(index)") }
        coder.encode(texts.count, forKey: "texts")
        coder.encode(numbers.count, forKey: "numbers")
        coder.encode(references as NSArray, forKey: "references")
    }

    init?(coder: NSCoder) {
        texts = (0..<coder.decodeInteger(forKey: "texts")).map { coder.text("text\($0)") ?? "" }
        numbers = (0..<coder.decodeInteger(forKey: "numbers")).map { coder.integer("number\($0)") }
        references =
            (coder.decodeObject(of: [NSArray.self, NodeTwin.self], forKey: "references") as? [NodeTwin]) ?? []
    }
}

extension NodeTwin {
    /// Twins of the first `count` nodes; references that lead back or out of the cut are left out.
    static func cut<Node: AnyObject>(
        _ nodes: [Node], count: Int, twin: (Node) -> NodeTwin, references: (Node) -> [Node]
    ) -> NSArray {
        let kept = Array(nodes.prefix(count))
        let index = kept.indexByIdentity()
        let twins = kept.map(twin)
        for (position, node) in kept.enumerated() {
            twins[position].references = references(node).compactMap { target in
                guard let place = index[ObjectIdentifier(target)], place > position else { return nil }
                return twins[place]
            }
        }
        return twins as NSArray
    }

    static func areEqual(_ left: NSArray, _ right: NSArray) -> Bool {
        guard let left = left as? [NodeTwin], let right = right as? [NodeTwin] else { return false }
        var pairs = GraphPairs<NodeTwin>(capacity: left.count)
        guard pairs.pair(left, right) else { return false }
        while let (one, other) = pairs.next() {
            guard one.texts == other.texts, one.numbers == other.numbers,
                pairs.pair(one.references, other.references)
            else { return false }
        }
        return true
    }
}
