// Room:   AmberModel / Codable. A Codable value as a tree: for values whose containers are filled in any order.
// Takes:  what `encode(to:)` says, in any order. Gives: a tree that is complete when it returns.
// Touches: nothing.

internal import Foundation

/// A value without parts.
enum CodableLeaf {
    case word(CodableKind, UInt64)
    case bytes(CodableKind, [UInt8])
    case string(String)
    case data(Data)
}

/// A place for one value: a leaf, or a container with places of its own.
package final class CodableTree {
    enum Contents {
        case empty
        case leaf(CodableLeaf)
        case keyed
        case unkeyed
    }

    private(set) var contents = Contents.empty
    /// The values of a container.
    private(set) var children: [CodableTree] = []
    private(set) var keys: [String] = []
    private var places: [String: Int] = [:]
    private var isMap = false
    let path: [any CodingKey]

    init(path: [any CodingKey] = []) { self.path = path }

    /// Puts a leaf here, unless there is something else.
    func put(_ leaf: CodableLeaf) -> Bool {
        guard case .empty = contents else { return false }
        contents = .leaf(leaf)
        return true
    }

    /// Makes this a keyed container, unless it is something else.
    func becomeKeyed(isMap: Bool) -> Bool {
        switch contents {
        case .empty: (contents, self.isMap) = (.keyed, isMap)
        case .keyed: self.isMap = self.isMap && isMap
        default: return false
        }
        return true
    }

    /// Makes this an unkeyed container, unless it is something else.
    func becomeUnkeyed() -> Bool {
        switch contents {
        case .empty: contents = .unkeyed
        case .unkeyed: break
        default: return false
        }
        return true
    }

    /// A place that is not in the container yet.
    func makeChild(_ key: String?, _ leaf: CodableLeaf? = nil) -> CodableTree {
        let step = key.map { CodableKey(stringValue: $0) } ?? CodableKey(intValue: children.count)
        let child = CodableTree(path: path + [step])
        if let leaf { child.contents = .leaf(leaf) }
        return child
    }

    /// Puts a child under a key, in place of the one that is there; at the end without a key.
    func attach(_ child: CodableTree, _ key: String?) {
        guard let key else { return children.append(child) }
        if let place = places[key] {
            children[place] = child
        } else {
            places[key] = children.count
            keys.append(key)
            children.append(child)
        }
    }

    /// The container under a key, which is made if there is none; a new one without a key.
    func container(_ key: String?) -> CodableTree {
        if let key, let place = places[key] { return children[place] }
        let child = makeChild(key)
        attach(child, key)
        return child
    }

    /// Puts the elements of a set, or the keys and values of a dictionary, in an order that depends on them alone.
    func sortElements(areEntries: Bool) {
        guard case .unkeyed = contents else { return }
        let size = areEntries ? 2 : 1
        guard children.count.isMultiple(of: size) else { return }
        let starts = stride(from: 0, to: children.count, by: size)
        let sorted = starts.map { (rank: children[$0].rank, start: $0) }.sorted { precedes($0.rank, $1.rank) }
        children = sorted.flatMap { children[$0.start..<$0.start + size] }
    }

    /// A text that equal trees share.
    private var rank: String {
        switch contents {
        case .empty: "{}"
        case .leaf(let leaf): "\(leaf)"
        case .unkeyed: "[\(children.map(\.rank).joined(separator: ","))]"
        case .keyed:
            "{\(zip(keys, children).map { "\($0):\($1.rank)" }.sorted(by: precedes).joined(separator: ","))}"
        }
    }

    /// Takes the tree apart into a slot that has been announced the value.
    func replay(into slot: CodableSlot, sortingMaps: Bool) {
        switch contents {
        case .empty: _ = slot.open(.record)
        case .leaf(let leaf): slot.append(leaf)
        case .unkeyed:
            let variant = slot.open(.array)
            for child in children {
                guard let element = variant.ref.beginElement(variant.count - 1) else { return }
                child.replay(into: element.slot, sortingMaps: sortingMaps)
            }
        case .keyed:
            let record = slot.variants.first { $0.kind == .record }
            let isMap = isMap || !(record?.hasRoom(for: keys) ?? (keys.count <= CodableVariant.fieldLimit))
            let variant = slot.open(isMap ? .map : .record)
            var order = Array(keys.indices)
            if isMap && sortingMaps {
                order.sort { precedes(keys[$0], keys[$1]) }
            }
            for place in order {
                guard let field = variant.begin(keys[place], variant.count - 1) else { return }
                children[place].replay(into: field.slot, sortingMaps: sortingMaps)
            }
        }
    }
}

/// The order of texts by their bytes: `<` is no total order of texts that aren't normalized.
private func precedes(_ left: String, _ right: String) -> Bool {
    left.utf8.lexicographicallyPrecedes(right.utf8)
}
