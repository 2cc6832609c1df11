// Room:   AmberModel / Codable. The Decoder that a Codable value sees, and how one value is read.
// Takes:  a place in a slot. Gives: containers, leaves converted to the type that is asked for.
// Touches: slots, read only.

internal import Foundation

/// One batch of Codable values on its way back.
package final class CodableReader {
    /// What the decoder was told to hand to `init(from:)`.
    let userInfo: [CodingUserInfoKey: any Sendable]
    let root: CodableSlot
    /// A slot with one null, for superclasses that were never encoded.
    private let nullSlot = CodableSlot(key: "", in: nil)
    var null: CodableIn { CodableIn(reader: self, slot: nullSlot.ref, index: 0) }

    package init(_ root: CodableSlot, userInfo: [CodingUserInfoKey: any Sendable]) {
        self.root = root
        self.userInfo = userInfo
        nullSlot.append(.null, 0)
    }
}

/// A decoder for one value of a slot.
struct CodableIn: Decoder {
    // The reader holds the slot.
    let reader: CodableReader
    let place: CodableValueRef

    @inline(__always)
    init(reader: CodableReader, _ place: CodableValueRef) {
        self.reader = reader
        self.place = place
    }

    init(reader: CodableReader, slot: CodableSlotRef, index: Int) {
        self.init(reader: reader, CodableValueRef(slot: slot, index: index))
    }

    var userInfo: [CodingUserInfoKey: Any] { reader.userInfo }
    var codingPath: [any CodingKey] { place.codingPath }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        let (variant, index) = place.slot.find(place.index)
        guard variant.kind.isKeyed else { throw place.mismatch([String: Any].self, variant) }
        return KeyedDecodingContainer(CodableKeyedIn<Key>(reader: reader, variant: variant, index: index))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let (variant, index) = place.slot.find(place.index)
        guard variant.kind == .array else { throw place.mismatch([Any].self, variant) }
        let starts = variant.variant.starts
        return CodableUnkeyedIn(
            source: self, element: variant.variant.element?.ref, start: starts[index], end: starts[index + 1])
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { CodableSingleIn(source: self) }

    @inline(__always)
    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        if let known = try CodableSpecial.value(type, from: self) { return known }
        // The depth of slots, and so that of values in each other, was checked when they were read.
        return try T(from: self)
    }

    /// A decoder for another value of the same reader.
    @inline(__always)
    func sibling(_ other: CodableValueRef) -> CodableIn { CodableIn(reader: reader, other) }
}
