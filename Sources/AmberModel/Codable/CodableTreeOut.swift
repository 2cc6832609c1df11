// Room:   AmberModel / Codable. The Encoder of values whose containers are filled in any order.
// Takes:  calls of the Codable protocol. Gives: a tree.
// Touches: CodableWriter, which knows the depth and notes what a container has no way to throw.

/// An encoder for a place in a tree.
struct CodableTreeOut: Encoder {
    let writer: CodableWriter
    let tree: CodableTree

    var userInfo: [CodingUserInfoKey: Any] { writer.userInfo }
    var codingPath: [any CodingKey] { tree.path }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        let target = becoming { $0.becomeKeyed(isMap: isDictionaryKey(type)) }
        return KeyedEncodingContainer(CodableTreeKeyed<Key>(writer: writer, tree: target))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        CodableTreeUnkeyed(writer: writer, tree: becoming { $0.becomeUnkeyed() })
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { CodableTreeSingle(writer: writer, tree: tree) }

    /// The tree, if it can become a container; else one that leads nowhere.
    private func becoming(_ become: (CodableTree) -> Bool) -> CodableTree {
        guard writer.allows(depth: tree.path.count) else { return scrap(become, tree.path) }
        if become(tree) { return tree }
        writer.refuse(tree.path)
        return scrap(become, tree.path)
    }

    private func scrap(_ become: (CodableTree) -> Bool, _ path: [any CodingKey]) -> CodableTree {
        let scrap = CodableTree(path: path)
        _ = become(scrap)
        return scrap
    }
}

/// Values under keys.
private struct CodableTreeKeyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let writer: CodableWriter
    let tree: CodableTree
    var codingPath: [any CodingKey] { tree.path }

    func encodeNil(forKey key: Key) throws {
        tree.attach(tree.makeChild(key.stringValue, .word(.null, 0)), key.stringValue)
    }

    // The protocol has its own, which throw.
    func encode(_ value: Int128, forKey key: Key) throws { try put(CodableSpecial.int128(value), key) }
    func encode(_ value: UInt128, forKey key: Key) throws { try put(CodableSpecial.uint128(value), key) }

    private func put(_ leaf: CodableLeaf, _ key: Key) throws {
        tree.attach(tree.makeChild(key.stringValue, leaf), key.stringValue)
    }

    func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
        let child = tree.makeChild(key.stringValue)
        try writer.encode(value, into: child)
        tree.attach(child, key.stringValue)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        nested(key.stringValue).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        nested(key.stringValue).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { nested(CodableKey.superKey.stringValue) }
    func superEncoder(forKey key: Key) -> any Encoder { nested(key.stringValue) }

    private func nested(_ key: String) -> CodableTreeOut { CodableTreeOut(writer: writer, tree: tree.container(key)) }
}

/// Values one after the other.
private struct CodableTreeUnkeyed: UnkeyedEncodingContainer {
    let writer: CodableWriter
    let tree: CodableTree
    var codingPath: [any CodingKey] { tree.path }
    var count: Int { tree.children.count }

    func encodeNil() throws { tree.attach(tree.makeChild(nil, .word(.null, 0)), nil) }

    func encode(_ value: Int128) throws { tree.attach(tree.makeChild(nil, CodableSpecial.int128(value)), nil) }
    func encode(_ value: UInt128) throws { tree.attach(tree.makeChild(nil, CodableSpecial.uint128(value)), nil) }

    func encode<T: Encodable>(_ value: T) throws {
        let child = tree.makeChild(nil)
        try writer.encode(value, into: child)
        tree.attach(child, nil)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) -> KeyedEncodingContainer<NestedKey> {
        nested().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { nested().unkeyedContainer() }
    func superEncoder() -> any Encoder { nested() }

    private func nested() -> CodableTreeOut { CodableTreeOut(writer: writer, tree: tree.container(nil)) }
}

/// One value.
private struct CodableTreeSingle: SingleValueEncodingContainer {
    let writer: CodableWriter
    let tree: CodableTree
    var codingPath: [any CodingKey] { tree.path }

    func encodeNil() throws { put(.word(.null, 0)) }
    func encode(_ value: Int128) throws { put(CodableSpecial.int128(value)) }
    func encode(_ value: UInt128) throws { put(CodableSpecial.uint128(value)) }

    private func put(_ leaf: CodableLeaf) {
        if !tree.put(leaf) { writer.refuse(tree.path) }
    }

    func encode<T: Encodable>(_ value: T) throws { try writer.encode(value, into: tree) }
}

extension CodableLeaf {
    /// A value that is a leaf for every coder.
    init?<T>(_ value: T) {
        switch value {
        case let value as Bool: self = .word(.bool, value ? 1 : 0)
        case let value as Int: self = .word(.int64, UInt64(truncatingIfNeeded: value))
        case let value as Int8: self = .word(.int8, UInt64(truncatingIfNeeded: value))
        case let value as Int16: self = .word(.int16, UInt64(truncatingIfNeeded: value))
        case let value as Int32: self = .word(.int32, UInt64(truncatingIfNeeded: value))
        case let value as Int64: self = .word(.int64, UInt64(truncatingIfNeeded: value))
        case let value as UInt: self = .word(.uint64, UInt64(value))
        case let value as UInt8: self = .word(.uint8, UInt64(value))
        case let value as UInt16: self = .word(.uint16, UInt64(value))
        case let value as UInt32: self = .word(.uint32, UInt64(value))
        case let value as UInt64: self = .word(.uint64, value)
        case let value as Float: self = .word(.float32, UInt64(value.bitPattern))
        case let value as Double: self = .word(.float64, value.bitPattern)
        case let value as String: self = .string(value)
        case let value as Int128: self = CodableSpecial.int128(value)
        case let value as UInt128: self = CodableSpecial.uint128(value)
        default: return nil
        }
    }
}
