// Room:   AmberModel / Codable. The Encoder that a Codable value sees, and where its containers put things.
// Takes:  calls of the Codable protocol. Gives: values in slots, or in trees.
// Touches: CodableWriter.

internal import Foundation

/// An encoder for one value: the next of a slot, or the one of a tree.
struct CodableOut: Encoder {
    let writer: CodableWriter
    let slot: CodableSlot
    /// The value's place in the slot; no place at all if it goes to a tree.
    let index: Int
    private var tree: CodableTree? { slot.tree }

    init(writer: CodableWriter, slot: CodableSlot, index: Int) {
        self.writer = writer
        self.slot = slot
        self.index = index
    }

    init(writer: CodableWriter, tree: CodableTree?) {
        self.init(writer: writer, slot: CodableSlot(tree: tree), index: -2)
    }

    var userInfo: [CodingUserInfoKey: Any] { writer.userInfo }
    var codingPath: [any CodingKey] { tree?.path ?? slot.path(of: index) }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(CodableKeyedOut<Key>(place: keyed(type)))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { CodableUnkeyedOut(place: unkeyed()) }
    func singleValueContainer() -> any SingleValueEncodingContainer { CodableSingleOut(out: self) }

    @inline(__always)
    func keyed<Key: CodingKey>(_ type: Key.Type) -> CodablePlace {
        if index >= 0, writer.allows(depth: slot.depth, codingPath) {
            if slot.count == index {
                if let last = slot.current, last.isDictionary(type) == (last.kind == .map), last.kind.isKeyed {
                    return CodablePlace(writer: writer, variant: slot.open(last.kind))
                }
                return CodablePlace(writer: writer, variant: slot.open(isDictionaryKey(type) ? .map : .record))
            }
            if slot.count == index + 1, let last = slot.current, last.kind.isKeyed,
                last.isDictionary(type) == (last.kind == .map)
            {
                return CodablePlace(writer: writer, variant: last)
            }
        }
        return slowly { $0.becomeKeyed(isMap: isDictionaryKey(type)) }
    }

    func unkeyed() -> CodablePlace {
        if index >= 0, writer.allows(depth: slot.depth, codingPath) {
            if slot.count == index { return CodablePlace(writer: writer, variant: slot.open(.array)) }
            if slot.count == index + 1, let last = slot.current, last.kind == .array {
                return CodablePlace(writer: writer, variant: last)
            }
        }
        return slowly { $0.becomeUnkeyed() }
    }

    /// A container of a tree; a dead one that leads to a tree, when there is none yet.
    private func slowly(_ become: (CodableTree) -> Bool) -> CodablePlace {
        guard let tree, writer.allows(depth: tree.path.count, tree.path) else {
            _ = writer.breakOff()
            return CodablePlace(writer: writer, variant: CodableVariant(.record, in: slot), index: -2)
        }
        var target = tree
        if !become(target) {
            writer.refuse(tree.path)
            target = CodableTree(path: tree.path)
            _ = become(target)
        }
        return CodablePlace(writer: writer, variant: CodableVariant(.record, in: slot, tree: target), index: -2)
    }

    /// Puts a leaf here.
    @inline(__always)
    func put(_ kind: CodableKind, _ bits: UInt64) throws {
        if slot.count == index { return slot.append(kind, bits) }
        try putSlowly(.word(kind, bits))
    }

    func put(_ string: String) throws {
        if slot.count == index { return slot.next(.string).strings.append(string) }
        try putSlowly(.string(string))
    }

    func put(leaf: CodableTree.Contents) throws {
        if slot.count == index { return slot.append(leaf) }
        try putSlowly(leaf)
    }

    func put<T: Encodable>(_ value: T) throws {
        if let leaf = CodableSpecial.leaf(of: value) {
            return try put(leaf: leaf)
        }
        if let tree { return try writer.encode(value, into: tree) }
        guard slot.count == index else { throw writer.breakOff() }
        try writer.encode(value, into: slot)
    }

    private func putSlowly(_ leaf: CodableTree.Contents) throws {
        guard let tree else { throw writer.breakOff() }
        if !tree.put(leaf) { writer.refuse(tree.path) }
    }
}

extension CodableKind {
    /// Whether values are keyed containers.
    var isKeyed: Bool { self == .record || self == .map }
}

extension CodableSlot {
    /// Appends a leaf of any kind.
    func append(_ leaf: CodableTree.Contents) {
        switch leaf {
        case .word(let kind, let bits): append(kind, bits)
        case .bytes(let kind, let bytes): next(kind).bytes.append(contentsOf: bytes)
        case .string(let string): next(.string).strings.append(string)
        case .data(let data): next(.data).data.append(data)
        case .empty, .keyed, .unkeyed: break
        }
    }
}

/// A container that is being filled: the last one of its variant, or a tree.
struct CodablePlace {
    let writer: CodableWriter
    let variant: CodableVariant
    let index: Int

    init(writer: CodableWriter, variant: CodableVariant, index: Int? = nil) {
        self.writer = writer
        self.variant = variant
        self.index = index ?? variant.count - 1
    }

    var codingPath: [any CodingKey] { variant.tree?.path ?? variant.path(of: index) }

    /// How many elements the container has.
    var count: Int {
        if let tree = variant.tree { return tree.children.count }
        return variant.counts.indices.contains(index) ? Int(variant.counts[index]) : 0
    }

    /// The slot for a value under a key, or for another element; `nil` if values go to a tree, or should.
    @inline(__always)
    private func begin(_ key: String?) -> CodableSlot? {
        if let key { return variant.begin(key, index) }
        return variant.beginElement(index)
    }

    @inline(__always)
    func put(_ key: String?, _ kind: CodableKind, _ bits: UInt64) throws {
        if let slot = begin(key) { return slot.append(kind, bits) }
        try putSlowly(key, .word(kind, bits))
    }

    @inline(__always)
    func put(_ key: String?, _ string: String) throws {
        if let slot = begin(key) { return slot.next(.string).strings.append(string) }
        try putSlowly(key, .string(string))
    }

    @inline(__always)
    func put<T: Encodable>(_ key: String?, _ value: T) throws {
        if let leaf = CodableSpecial.leaf(of: value) {
            return try put(key, leaf: leaf)
        }
        if let slot = begin(key) { return try writer.encode(value, into: slot) }
        guard let tree = variant.tree else { throw writer.breakOff() }
        let child = tree.makeChild(key)
        try writer.encode(value, into: child)
        tree.attach(child, key)
    }

    func put(_ key: String?, leaf: CodableTree.Contents) throws {
        if let slot = begin(key) { return slot.append(leaf) }
        try putSlowly(key, leaf)
    }

    private func putSlowly(_ key: String?, _ leaf: CodableTree.Contents) throws {
        guard let tree = variant.tree else { throw writer.breakOff() }
        let child = tree.makeChild(key)
        _ = child.put(leaf)
        tree.attach(child, key)
    }

    /// An encoder for the value under a key, or for another element, that is used at once.
    func nested(_ key: String?) -> CodableOut {
        if let slot = begin(key) { return CodableOut(writer: writer, slot: slot, index: slot.count) }
        if variant.tree == nil { _ = writer.breakOff() }
        return CodableOut(writer: writer, tree: variant.tree?.container(key))
    }

    /// An encoder for a superclass, which may be used later or never.
    func superEncoder(_ key: String?) -> any Encoder {
        let out = nested(key)
        if out.index >= 0 { writer.expect(out.slot) }
        return out
    }
}
