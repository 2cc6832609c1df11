// Room:   AmberReadable / Document. A document looked at by keys, as words, as a tree.
// Takes:  node numbers. Gives: children, trees.
// Touches: nothing; nodes are read through UnsafeDocument.

internal import AmberModel
internal import Foundation

extension Document {
    /// What a node is, in the words of an error.
    func words(_ number: Int) -> String {
        switch kind(number) {
        case .null: "null"
        case .yes, .no: "A truth"
        case .integer, .real: "The number \(string(number).prefix(40))"
        case .double, .float: "A number"
        case .string, .escaped: "The text \"\(string(number).prefix(40))\""
        case .object: "An object"
        case .array: "An array"
        case .date: "A date"
        case .data: "Data"
        case .jump: words(Int(self[number].offset))
        case .value: "A value"
        }
    }

    /// Where jumps from a node end.
    func landing(_ number: Int) -> Int {
        var node = number
        while kind(node) == .jump { node = Int(self[node].offset) }
        return node
    }

    /// The elements of the root, if it is an array; else the root, unless it is null.
    var elements: [Int] {
        guard kind(0) == .array else { return kind(0) == .null ? [] : [0] }
        var result: [Int] = []
        var child = 1
        while child < end(0) {
            if kind(child) != .null { result.append(child) }
            child = end(child)
        }
        return result
    }

    /// The value under a key of an object, written as the document has it.
    func child(_ number: Int, _ key: String) -> Int? {
        guard kind(number) == .object else { return nil }
        var child = number + 1
        let end = end(number)
        let bytes = key.utf8
        while child < end {
            if kind(child) == .string ? equals(child, bytes) : string(child) == key { return child + 1 }
            child = self.end(child + 1)
        }
        return nil
    }

    /// The value under a marker of an object.
    func child(_ number: Int, marker: StaticString) -> Int? {
        guard kind(number) == .object, self[number].hasMarker else { return nil }
        var child = number + 1
        let end = end(number)
        while child < end {
            if equals(child, marker) { return child + 1 }
            child = self.end(child + 1)
        }
        return nil
    }

    /// The node as a tree.
    func tree(_ number: Int, depth: Int = 0) -> ReadableValue {
        guard depth < 512 else { return .null }
        switch kind(number) {
        case .null, .value: return .null
        case .yes: return .bool(true)
        case .no: return .bool(false)
        case .integer:
            let text = string(number)
            return Int64(text).map { .integer($0) } ?? UInt64(text).map { .unsigned($0) } ?? .number(text)
        case .real: return .number(string(number))
        case .double: return .double(Double(bitPattern: bits(number)))
        case .float: return .float(Float(bitPattern: UInt32(truncatingIfNeeded: bits(number))))
        case .string, .escaped: return .string(string(number))
        case .date: return .date(Date(timeIntervalSinceReferenceDate: Double(bitPattern: bits(number))))
        case .data: return .data(data(number))
        case .jump: return tree(Int(self[number].offset), depth: depth + 1)
        case .array:
            var elements: [ReadableValue] = []
            var child = number + 1
            while child < end(number) {
                elements.append(tree(child, depth: depth + 1))
                child = end(child)
            }
            return .array(elements)
        case .object:
            var pairs: [(key: String, value: ReadableValue)] = []
            var child = number + 1
            while child < end(number) {
                pairs.append((string(child), tree(child + 1, depth: depth + 1)))
                child = end(child + 1)
            }
            return .object(pairs)
        }
    }

    /// Whether containers stand in each other more than so deep.
    func isDeeper(than limit: Int) -> Bool {
        var ends: [Int] = []
        for number in 0..<count {
            while let last = ends.last, last <= number { ends.removeLast() }
            guard kind(number) == .array || kind(number) == .object else { continue }
            ends.append(end(number))
            if ends.count > limit { return true }
        }
        return false
    }

    /// The steps from the root value to a node.
    func steps(to node: Int, from root: Int) -> [CodingPath.Step] {
        // A node that isn't in the root value is in the list beside it.
        var here = node >= root && node < end(root) ? root : 0
        var steps: [CodingPath.Step] = []
        while here != node {
            let isObject = kind(here) == .object
            guard isObject || kind(here) == .array, node > here, node < end(here) else { return steps }
            var child = here + 1
            var index = 0
            while child < end(here) {
                let value = isObject ? child + 1 : child
                if node < end(value) {
                    steps.append(isObject ? .property(string(child)) : .index(index))
                    here = value
                    break
                }
                child = end(value)
                index += 1
            }
        }
        return steps
    }
}
