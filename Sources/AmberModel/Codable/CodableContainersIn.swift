// Room:   AmberModel / Codable. The three containers that `init(from:)` reads.
// Takes:  calls of the Codable protocol. Gives: values of a CodableIn.
// Touches: nothing else.

/// Values under keys.
struct CodableKeyedIn<Key: CodingKey>: KeyedDecodingContainerProtocol {
    // The reader holds the variant.
    let reader: CodableReader
    let variant: CodableVariantRef
    let index: Int

    var codingPath: [any CodingKey] { variant.variant.path(of: index) }

    var allKeys: [Key] { variant.variant.keys(of: index).compactMap { Key(stringValue: $0) } }

    @inline(__always)
    private func find(_ key: String) -> CodableValueRef? {
        if variant.kind == .record {
            guard let slot = variant.field(key) else { return nil }
            let rank = slot.rank(of: index)
            return rank < 0 ? nil : CodableValueRef(slot: slot, index: rank)
        }
        return entry(key)
    }

    private func entry(_ key: String) -> CodableValueRef? {
        let variant = variant.variant
        guard let place = variant.entry(key, of: index), let element = variant.element else { return nil }
        return CodableValueRef(slot: element.ref, index: place)
    }

    @inline(__always)
    private func value(_ key: Key) throws -> CodableValueRef {
        guard let found = find(key.stringValue) else { throw missing(key) }
        return found
    }

    @inline(__always)
    private func decoder(_ key: Key) throws -> CodableIn { CodableIn(reader: reader, try value(key)) }

    @inline(never)
    private func missing(_ key: any CodingKey) -> DecodingError {
        DecodingError.keyNotFound(
            key,
            .init(
                codingPath: codingPath, debugDescription: "The archive has no value for the key `\(key.stringValue)`."))
    }

    func contains(_ key: Key) -> Bool { find(key.stringValue) != nil }
    func decodeNil(forKey key: Key) throws -> Bool { try value(key).isNull }
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try value(key).bool() }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try value(key).integer(Int.self) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try value(key).integer(Int8.self) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try value(key).integer(Int16.self) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try value(key).integer(Int32.self) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try value(key).integer(Int64.self) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try value(key).integer(UInt.self) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try value(key).integer(UInt8.self) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try value(key).integer(UInt16.self) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try value(key).integer(UInt32.self) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try value(key).integer(UInt64.self) }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try value(key).float() }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try value(key).double() }
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try value(key).integer(Int128.self) }
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try value(key).integer(UInt128.self) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try value(key).string() }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { try decoder(key).decode(type) }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try decoder(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { superDecoder(CodableKey.superKey.stringValue) }
    func superDecoder(forKey key: Key) throws -> any Decoder { superDecoder(key.stringValue) }
}

extension CodableKeyedIn {
    /// The decoder of a superclass; one of nil if it was never encoded.
    private func superDecoder(_ key: String) -> any Decoder {
        find(key).map { CodableIn(reader: reader, $0) } ?? reader.null
    }
}

/// Values one after the other.
struct CodableUnkeyedIn: UnkeyedDecodingContainer {
    let source: CodableIn
    let element: CodableSlotRef?
    let start: Int
    let end: Int
    private(set) var currentIndex = 0

    init(source: CodableIn, element: CodableSlotRef?, start: Int, end: Int) {
        self.source = source
        self.element = element
        self.start = start
        self.end = end
    }

    var codingPath: [any CodingKey] { source.codingPath }
    var count: Int? { end - start }
    var isAtEnd: Bool { start + currentIndex >= end }

    /// Gives `body` the next value, and passes over it unless that throws.
    @inline(__always)
    private mutating func advancing<R>(_ body: (CodableValueRef) throws -> R) throws -> R {
        guard let element, !isAtEnd else { throw atEnd(R.self) }
        let result = try body(CodableValueRef(slot: element, index: start + currentIndex))
        currentIndex += 1
        return result
    }

    @inline(never)
    private func atEnd(_ type: Any.Type) -> DecodingError {
        DecodingError.valueNotFound(
            type,
            .init(
                codingPath: codingPath + [CodableKey(intValue: currentIndex)],
                debugDescription: "The archive has no more than \(end - start) values here."))
    }

    mutating func decodeNil() throws -> Bool {
        guard let element, !isAtEnd else { throw atEnd(Never.self) }
        let isNull = CodableValueRef(slot: element, index: start + currentIndex).isNull
        if isNull { currentIndex += 1 }
        return isNull
    }

    mutating func decode(_ type: Bool.Type) throws -> Bool { try advancing { try $0.bool() } }
    mutating func decode(_ type: Int.Type) throws -> Int { try advancing { try $0.integer(Int.self) } }
    mutating func decode(_ type: Int8.Type) throws -> Int8 { try advancing { try $0.integer(Int8.self) } }
    mutating func decode(_ type: Int16.Type) throws -> Int16 { try advancing { try $0.integer(Int16.self) } }
    mutating func decode(_ type: Int32.Type) throws -> Int32 { try advancing { try $0.integer(Int32.self) } }
    mutating func decode(_ type: Int64.Type) throws -> Int64 { try advancing { try $0.integer(Int64.self) } }
    mutating func decode(_ type: UInt.Type) throws -> UInt { try advancing { try $0.integer(UInt.self) } }
    mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try advancing { try $0.integer(UInt8.self) } }
    mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try advancing { try $0.integer(UInt16.self) } }
    mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try advancing { try $0.integer(UInt32.self) } }
    mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try advancing { try $0.integer(UInt64.self) } }
    mutating func decode(_ type: Float.Type) throws -> Float { try advancing { try $0.float() } }
    mutating func decode(_ type: Double.Type) throws -> Double { try advancing { try $0.double() } }
    mutating func decode(_ type: Int128.Type) throws -> Int128 { try advancing { try $0.integer(Int128.self) } }
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try advancing { try $0.integer(UInt128.self) } }
    mutating func decode(_ type: String.Type) throws -> String { try advancing { try $0.string() } }

    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
        try advancing { [source] in try source.sibling($0).decode(type) }
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try advancing { [source] in try source.sibling($0).container(keyedBy: type) }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try advancing { [source] in try source.sibling($0).unkeyedContainer() }
    }

    mutating func superDecoder() throws -> any Decoder { try advancing { [source] in source.sibling($0) } }
}

/// One value.
struct CodableSingleIn: SingleValueDecodingContainer {
    let source: CodableIn
    var codingPath: [any CodingKey] { source.codingPath }

    func decodeNil() -> Bool { source.place.isNull }
    func decode(_ type: Bool.Type) throws -> Bool { try source.place.bool() }
    func decode(_ type: Int.Type) throws -> Int { try source.place.integer(Int.self) }
    func decode(_ type: Int8.Type) throws -> Int8 { try source.place.integer(Int8.self) }
    func decode(_ type: Int16.Type) throws -> Int16 { try source.place.integer(Int16.self) }
    func decode(_ type: Int32.Type) throws -> Int32 { try source.place.integer(Int32.self) }
    func decode(_ type: Int64.Type) throws -> Int64 { try source.place.integer(Int64.self) }
    func decode(_ type: UInt.Type) throws -> UInt { try source.place.integer(UInt.self) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try source.place.integer(UInt8.self) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try source.place.integer(UInt16.self) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try source.place.integer(UInt32.self) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try source.place.integer(UInt64.self) }
    func decode(_ type: Float.Type) throws -> Float { try source.place.float() }
    func decode(_ type: Double.Type) throws -> Double { try source.place.double() }
    func decode(_ type: Int128.Type) throws -> Int128 { try source.place.integer(Int128.self) }
    func decode(_ type: UInt128.Type) throws -> UInt128 { try source.place.integer(UInt128.self) }
    func decode(_ type: String.Type) throws -> String { try source.place.string() }

    func decode<T: Decodable>(_ type: T.Type) throws -> T { try source.decode(type) }
}
