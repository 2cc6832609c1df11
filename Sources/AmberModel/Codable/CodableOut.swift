// Room:   AmberModel / Codable. The Encoder that a Codable value sees, and where its containers put things.
// Takes:  calls of the Codable protocol. Gives: values in slots; an error where they can't be put there in this order.
// Touches: CodableWriter.

internal import Foundation

/// An encoder for one value: the next of a slot.
struct CodableOut: Encoder {
    // The writer holds the slot.
    let writer: CodableWriter
    let slot: CodableSlotRef
    /// The value's place in the slot.
    let index: Int

    var userInfo: [CodingUserInfoKey: Any] { writer.userInfo }
    var codingPath: [any CodingKey] { slot.slot.path(of: index) }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        if let place = keyed(type) { return KeyedEncodingContainer(CodableKeyedOut<Key>(place: place)) }
        return writer.detour(codingPath).container(keyedBy: type)
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        if let place = unkeyed() { return CodableUnkeyedOut(place: place) }
        return writer.detour(codingPath).unkeyedContainer()
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { CodableSingleOut(out: self) }

    @inline(__always)
    private func keyed<Key: CodingKey>(_ type: Key.Type) -> CodablePlace? {
        guard writer.allows(depth: slot.depth) else { return nil }
        if slot.count == index {
            if let last = slot.only, last.kind.isKeyed, last.isDictionary(type) == (last.kind == .map) {
                return CodablePlace(writer: writer, variant: slot.open(last.kind))
            }
            return CodablePlace(writer: writer, variant: slot.open(isDictionaryKey(type) ? .map : .record))
        }
        // The same container once more.
        guard slot.count == index + 1, let last = slot.slot.current, last.kind.isKeyed,
            last.ref.isDictionary(type) == (last.kind == .map)
        else { return nil }
        return CodablePlace(writer: writer, variant: last.ref)
    }

    private func unkeyed() -> CodablePlace? {
        guard writer.allows(depth: slot.depth) else { return nil }
        if slot.count == index { return CodablePlace(writer: writer, variant: slot.open(.array)) }
        guard slot.count == index + 1, let last = slot.slot.current, last.kind == .array else { return nil }
        return CodablePlace(writer: writer, variant: last.ref)
    }

    /// Puts a leaf here.
    @inline(__always)
    func put(_ kind: CodableKind, _ bits: UInt64) throws {
        guard slot.count == index else { throw writer.breakOff() }
        slot.append(kind, bits)
    }

    func put(_ string: String) throws {
        guard slot.count == index else { throw writer.breakOff() }
        slot.append(string)
    }

    func put(leaf: CodableLeaf) throws {
        guard slot.count == index else { throw writer.breakOff() }
        slot.slot.append(leaf)
    }

    func put<T: Encodable>(_ value: T) throws {
        if let leaf = CodableSpecial.leaf(of: value) { return try put(leaf: leaf) }
        guard slot.count == index else { throw writer.breakOff() }
        try writer.encode(value, into: slot)
    }
}

/// A container that is being filled: the last one of its variant.
struct CodablePlace {
    // The writer holds the variant.
    let writer: CodableWriter
    let variant: CodableVariantRef
    let index: Int

    @inline(__always)
    init(writer: CodableWriter, variant: CodableVariantRef) {
        self.writer = writer
        self.variant = variant
        index = variant.count - 1
    }

    var codingPath: [any CodingKey] { variant.variant.path(of: index) }

    /// How many elements the container has.
    var count: Int { Int(variant.word(index)) }

    /// The slot for a value under a key.
    @inline(__always)
    private func begin(_ key: String) throws -> CodableSlotRef {
        guard let slot = variant.begin(key, index) else { throw writer.breakOff() }
        return slot
    }

    /// The slot for another element.
    @inline(__always)
    private func begin() throws -> CodableSlotRef {
        guard let slot = variant.beginElement(index) else { throw writer.breakOff() }
        return slot
    }

    @inline(__always)
    func put(_ key: String, _ kind: CodableKind, _ bits: UInt64) throws { try begin(key).append(kind, bits) }
    @inline(__always)
    func put(_ kind: CodableKind, _ bits: UInt64) throws { try begin().append(kind, bits) }
    @inline(__always)
    func put(_ key: String, _ string: String) throws { try begin(key).append(string) }
    @inline(__always)
    func put(_ string: String) throws { try begin().append(string) }
    func put(_ key: String, leaf: CodableLeaf) throws { try begin(key).slot.append(leaf) }
    func put(leaf: CodableLeaf) throws { try begin().slot.append(leaf) }

    @inline(__always)
    func put<T: Encodable>(_ key: String, _ value: T) throws {
        if let leaf = CodableSpecial.leaf(of: value) { return try put(key, leaf: leaf) }
        try writer.encode(value, into: begin(key))
    }

    @inline(__always)
    func put<T: Encodable>(_ value: T) throws {
        if let leaf = CodableSpecial.leaf(of: value) { return try put(leaf: leaf) }
        try writer.encode(value, into: begin())
    }

    /// An encoder for the value under a key, or for another element, that is used at once.
    func nested(_ key: String?) -> any Encoder {
        if let slot = key.map({ variant.begin($0, index) }) ?? variant.beginElement(index) {
            return CodableOut(writer: writer, slot: slot, index: slot.count)
        }
        return writer.detour(codingPath)
    }

    /// An encoder for a superclass, which may be used later or never.
    func superEncoder(_ key: String?) -> any Encoder {
        let encoder = nested(key)
        if let out = encoder as? CodableOut { writer.expect(out.slot) }
        return encoder
    }
}

extension CodableSlot {
    /// Appends a leaf of any kind.
    func append(_ leaf: CodableLeaf) {
        switch leaf {
        case .word(let kind, let bits): append(kind, bits)
        case .bytes(let kind, let bytes): next(kind).bytes.append(contentsOf: bytes)
        case .string(let string): next(.string).ref.append(string)
        case .data(let data): next(.data).data.append(data)
        }
    }
}
