// Room:   AmberReadable / Reading. Where `$alias` leads.
// Takes:  key paths. Gives: nodes.
// Touches: the document, read only.

internal import AmberModel
internal import Foundation

/// What was found out about a document's places.
struct AliasTable {
    fileprivate var targets: [String: Int] = [:]
    /// How many paths are being followed.
    fileprivate var open = 0
    /// The children of long arrays that paths lead through.
    fileprivate var elements: [Int: ContiguousArray<Int32>] = [:]
    fileprivate var keys: [Int: [String: Int]] = [:]
    /// Nodes that stand for older forms of values.
    var replaced: [Int: Int] = [:]
    /// Objects without `$class` that something refers to.
    var referred: Set<Int>?
}

/// A node to be read, or a value that a migration gave.
enum PlainNode {
    case node(Int)
    case value(Any)
}

extension ValueReader {
    /// The node that a node stands for: aliases and jumps followed.
    mutating func aliased(_ given: Int) throws(DecodingFailure) -> PlainNode {
        var node = given
        var hops = 0
        while true {
            switch document.kind(node) {
            case .jump: node = Int(document[node].offset)
            case .value: return .value(document.values[Int(document[node].offset)])
            case .object where rules.isReadable && document[node].hasMarker:
                guard let path = document.child(node, marker: "$alias") else { return .node(node) }
                hops += 1
                guard hops <= 64 else {
                    throw failure(.corrupt, given, "The alias leads from alias to alias, perhaps in a ring.")
                }
                let name = document.child(node, marker: "$class")
                node = try target(path)
                if let name { noteClass(name, of: node) }
            default: return .node(node)
            }
        }
    }

    /// The node to be read for a plan: besides aliases, values with their type and older forms are seen through.
    mutating func plainNode(_ given: Int, _ text: TextPlan) throws(DecodingFailure) -> PlainNode {
        let found = try aliased(given)
        guard case .node(let node) = found, document.kind(node) == .object, rules.isReadable,
            document[node].hasMarker
        else { return found }
        if let text = document.child(node, marker: "$text") { return .node(try plainText(text)) }
        switch text.kind {
        case .dynamic, .reference: return found
        case .optional:
            if isOlderNull(node) { return .node(nullNode()) }
            return found
        default: break
        }
        if document.child(node, marker: "$class") != nil {
            if let value = document.child(node, marker: "$value"), document.child(node, marker: "$case") == nil {
                return try plainNode(value, text)
            }
            if let older = try olderForm(node) { return .node(older) }
        }
        return found
    }

    /// The value of an object whose one key is the marker.
    func marked(_ node: Int, _ marker: StaticString) -> Int? { document.child(node, marker: marker) }
    func marked(_ node: Int, _ marker: String) -> Int? { document[node].hasMarker ? document.child(node, marker) : nil }

    /// The value in `$some`, if a node is one.
    func someNode(_ node: Int) -> Int? {
        guard rules.isReadable, document.kind(node) == .object, document[node].hasMarker else { return nil }
        return document.child(node, marker: "$some")
    }

    /// The node of a text that XML couldn't hold as one.
    func plainText(_ node: Int) throws(DecodingFailure) -> Int {
        guard let text = String(data: try data(node), encoding: .utf8) else {
            throw failure(.corrupt, node, "`$text` is not UTF-8.")
        }
        document.addText(text)
        return document.count - 1
    }

    private func nullNode() -> Int { document.add(.null, offset: Int(UInt32.max)) }

    // MARK: Paths

    /// The node of the root value.
    var rootNode: Int { document.child(0, marker: "$root") ?? 0 }

    /// The node that a path, which is the text of a node, leads to.
    private mutating func target(_ path: Int) throws(DecodingFailure) -> Int {
        guard isText(path) else { throw failure(.corrupt, path, "`$alias` is no text.") }
        let text = document.string(path)
        if let known = aliases.targets[text] { return known }
        // A path may lead through other aliases, and these through it.
        aliases.open += 1
        defer { aliases.open -= 1 }
        guard aliases.open <= 16 else {
            throw failure(.corrupt, path, "The alias leads through itself, or through too many others.")
        }
        let steps = KeyPath.steps(text)
        guard steps.count <= 4096 else { throw failure(.limitExceeded, path, "The path has too many steps.") }
        var start = rules.isReadable ? rootNode : 0
        var first = 0
        if let step = steps.first {
            if step.raw == Marker.root {
                first = 1
            } else if step.raw == Marker.objects, let objects = document.child(0, marker: "$objects") {
                (start, first) = (objects, 1)
            }
        }
        var node: Int? = start
        for step in steps[first...] {
            guard let here = node else { break }
            node = try self.step(from: here, step)
        }
        // Documents of the older coder don't escape the points in keys.
        if node == nil { node = try olderTarget(from: start, steps[first...]) }
        guard let node else {
            throw failure(.corrupt, path, "The alias \"\(text.prefix(80))\" leads nowhere in the document.")
        }
        aliases.targets[text] = node
        return node
    }

    private mutating func step(
        from node: Int, _ step: (raw: String, key: String)
    ) throws(DecodingFailure) -> Int? {
        guard case .node(let here) = try aliased(node) else { return nil }
        switch document.kind(here) {
        case .array:
            guard let index = Int(step.raw), index >= 0, index < document.length(here) else { return nil }
            if document.length(here) < 8 { return element(here, index) }
            if aliases.elements[here] == nil {
                var all: ContiguousArray<Int32> = []
                var child = here + 1
                while child < document.end(here) {
                    all.append(Int32(child))
                    child = document.end(child)
                }
                aliases.elements[here] = all
            }
            return aliases.elements[here].map { Int($0[index]) }
        case .object:
            if document.length(here) < 16 {
                return document.child(here, step.key) ?? document.child(here, step.raw)
            }
            if aliases.keys[here] == nil {
                var all: [String: Int] = [:]
                var child = here + 1
                while child < document.end(here) {
                    all[document.string(child)] = child + 1
                    child = document.end(child + 1)
                }
                aliases.keys[here] = all
            }
            return aliases.keys[here]?[step.key] ?? aliases.keys[here]?[step.raw]
        default: return nil
        }
    }

    private func element(_ node: Int, _ index: Int) -> Int {
        var child = node + 1
        for _ in 0..<index { child = document.end(child) }
        return child
    }

    /// Follows a path whose keys may have points in them: the longest key that is there.
    private mutating func olderTarget(
        from start: Int, _ steps: ArraySlice<(raw: String, key: String)>
    ) throws(DecodingFailure) -> Int? {
        guard steps.count <= 32 else { return nil }
        var node = start
        var rest = steps
        while !rest.isEmpty {
            var found: (node: Int, count: Int)?
            for count in (1...rest.count).reversed() {
                let key = rest.prefix(count).map(\.raw).joined(separator: ".")
                if let next = try step(from: node, (key, key)) {
                    found = (next, count)
                    break
                }
            }
            guard let found else { return nil }
            node = found.node
            rest = rest.dropFirst(found.count)
        }
        return node
    }

    /// Whether an object without `$class` is one that an alias refers to: it has an identity.
    mutating func isReferred(_ node: Int) throws(DecodingFailure) -> Bool {
        if aliases.referred == nil {
            aliases.referred = []
            for number in 0..<document.count {
                guard document.kind(number) == .object, document[number].hasMarker,
                    document.child(number, marker: "$alias") != nil,
                    case .node(let target) = try aliased(number), document.kind(target) == .object
                else { continue }
                aliases.referred?.insert(target)
            }
        }
        return aliases.referred?.contains(node) ?? false
    }
}
