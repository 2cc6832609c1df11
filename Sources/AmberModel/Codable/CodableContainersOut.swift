// Room:   AmberModel / Codable. The three containers that `encode(to:)` fills.
// Takes:  calls of the Codable protocol. Gives: the same, to CodablePlace or CodableOut.
// Touches: nothing else.

/// Values under keys.
struct CodableKeyedOut<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let place: CodablePlace
    var codingPath: [any CodingKey] { place.codingPath }

    func encodeNil(forKey key: Key) throws { try place.put(key.stringValue, .null, 0) }
    func encode(_ value: Bool, forKey key: Key) throws { try place.put(key.stringValue, .bool, value ? 1 : 0) }
    func encode(_ value: Int, forKey key: Key) throws {
        try place.put(key.stringValue, .int64, UInt64(truncatingIfNeeded: value))
    }
    func encode(_ value: Int8, forKey key: Key) throws {
        try place.put(key.stringValue, .int8, UInt64(truncatingIfNeeded: value))
    }
    func encode(_ value: Int16, forKey key: Key) throws {
        try place.put(key.stringValue, .int16, UInt64(truncatingIfNeeded: value))
    }
    func encode(_ value: Int32, forKey key: Key) throws {
        try place.put(key.stringValue, .int32, UInt64(truncatingIfNeeded: value))
    }
    func encode(_ value: Int64, forKey key: Key) throws {
        try place.put(key.stringValue, .int64, UInt64(truncatingIfNeeded: value))
    }
    func encode(_ value: UInt, forKey key: Key) throws {
        try place.put(key.stringValue, .uint64, UInt64(truncatingIfNeeded: value))
    }
    func encode(_ value: UInt8, forKey key: Key) throws {
        try place.put(key.stringValue, .uint8, UInt64(truncatingIfNeeded: value))
    }
    func encode(_ value: UInt16, forKey key: Key) throws {
        try place.put(key.stringValue, .uint16, UInt64(truncatingIfNeeded: value))
    }
    func encode(_ value: UInt32, forKey key: Key) throws {
        try place.put(key.stringValue, .uint32, UInt64(truncatingIfNeeded: value))
    }
    func encode(_ value: UInt64, forKey key: Key) throws {
        try place.put(key.stringValue, .uint64, UInt64(truncatingIfNeeded: value))
    }
    func encode(_ value: Float, forKey key: Key) throws {
        try place.put(key.stringValue, .float32, UInt64(value.bitPattern))
    }
    func encode(_ value: Double, forKey key: Key) throws { try place.put(key.stringValue, .float64, value.bitPattern) }
    func encode(_ value: String, forKey key: Key) throws { try place.put(key.stringValue, value) }
    func encode(_ value: Int128, forKey key: Key) throws {
        try place.put(key.stringValue, leaf: CodableSpecial.int128(value))
    }
    func encode(_ value: UInt128, forKey key: Key) throws {
        try place.put(key.stringValue, leaf: CodableSpecial.uint128(value))
    }

    func encode<T: Encodable>(_ value: T, forKey key: Key) throws { try place.put(key.stringValue, value) }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        place.nested(key.stringValue).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        place.nested(key.stringValue).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { place.superEncoder(CodableKey.superKey.stringValue) }
    func superEncoder(forKey key: Key) -> any Encoder { place.superEncoder(key.stringValue) }
}

/// Values one after the other.
struct CodableUnkeyedOut: UnkeyedEncodingContainer {
    let place: CodablePlace
    var codingPath: [any CodingKey] { place.codingPath }
    var count: Int { place.count }

    func encodeNil() throws { try place.put(.null, 0) }
    func encode(_ value: Bool) throws { try place.put(.bool, value ? 1 : 0) }
    func encode(_ value: Int) throws { try place.put(.int64, UInt64(truncatingIfNeeded: value)) }
    func encode(_ value: Int8) throws { try place.put(.int8, UInt64(truncatingIfNeeded: value)) }
    func encode(_ value: Int16) throws { try place.put(.int16, UInt64(truncatingIfNeeded: value)) }
    func encode(_ value: Int32) throws { try place.put(.int32, UInt64(truncatingIfNeeded: value)) }
    func encode(_ value: Int64) throws { try place.put(.int64, UInt64(truncatingIfNeeded: value)) }
    func encode(_ value: UInt) throws { try place.put(.uint64, UInt64(truncatingIfNeeded: value)) }
    func encode(_ value: UInt8) throws { try place.put(.uint8, UInt64(truncatingIfNeeded: value)) }
    func encode(_ value: UInt16) throws { try place.put(.uint16, UInt64(truncatingIfNeeded: value)) }
    func encode(_ value: UInt32) throws { try place.put(.uint32, UInt64(truncatingIfNeeded: value)) }
    func encode(_ value: UInt64) throws { try place.put(.uint64, UInt64(truncatingIfNeeded: value)) }
    func encode(_ value: Float) throws { try place.put(.float32, UInt64(value.bitPattern)) }
    func encode(_ value: Double) throws { try place.put(.float64, value.bitPattern) }
    func encode(_ value: String) throws { try place.put(value) }
    func encode(_ value: Int128) throws { try place.put(leaf: CodableSpecial.int128(value)) }
    func encode(_ value: UInt128) throws { try place.put(leaf: CodableSpecial.uint128(value)) }

    func encode<T: Encodable>(_ value: T) throws { try place.put(value) }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) -> KeyedEncodingContainer<NestedKey> {
        place.nested(nil).container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { place.nested(nil).unkeyedContainer() }
    func superEncoder() -> any Encoder { place.superEncoder(nil) }
}

/// One value.
struct CodableSingleOut: SingleValueEncodingContainer {
    let out: CodableOut
    var codingPath: [any CodingKey] { out.codingPath }

    func encodeNil() throws { try out.put(.null, 0) }
    func encode(_ value: Bool) throws { try out.put(.bool, value ? 1 : 0) }
    func encode(_ value: Int) throws { try out.put(.int64, UInt64(truncatingIfNeeded: value)) }
    func encode(_ value: Int8) throws { try out.put(.int8, UInt64(truncatingIfNeeded: value)) }
    func encode(_ value: Int16) throws { try out.put(.int16, UInt64(truncatingIfNeeded: value)) }
    func encode(_ value: Int32) throws { try out.put(.int32, UInt64(truncatingIfNeeded: value)) }
    func encode(_ value: Int64) throws { try out.put(.int64, UInt64(truncatingIfNeeded: value)) }
    func encode(_ value: UInt) throws { try out.put(.uint64, UInt64(truncatingIfNeeded: value)) }
    func encode(_ value: UInt8) throws { try out.put(.uint8, UInt64(truncatingIfNeeded: value)) }
    func encode(_ value: UInt16) throws { try out.put(.uint16, UInt64(truncatingIfNeeded: value)) }
    func encode(_ value: UInt32) throws { try out.put(.uint32, UInt64(truncatingIfNeeded: value)) }
    func encode(_ value: UInt64) throws { try out.put(.uint64, UInt64(truncatingIfNeeded: value)) }
    func encode(_ value: Float) throws { try out.put(.float32, UInt64(value.bitPattern)) }
    func encode(_ value: Double) throws { try out.put(.float64, value.bitPattern) }
    func encode(_ value: String) throws { try out.put(value) }
    func encode(_ value: Int128) throws { try out.put(leaf: CodableSpecial.int128(value)) }
    func encode(_ value: UInt128) throws { try out.put(leaf: CodableSpecial.uint128(value)) }

    func encode<T: Encodable>(_ value: T) throws { try out.put(value) }
}
