// Room:   AmberModel / Codable. What a Codable value of an unknown type said of itself, to be said again.
// Takes:  a place in a slot. Gives: the same containers and leaves to an encoder; a value of a type when there is one.
// Touches: slots, read only.

internal import Foundation

/// A Codable value whose type isn't known: what its `encode(to:)` said.
package indirect enum CodableSnapshot: Codable {
    case null
    case leaf(any Codable)
    case array([CodableSnapshot])
    case keyed([(key: String, value: CodableSnapshot)], isMap: Bool)

    package init(from decoder: any Decoder) throws {
        guard let input = decoder as? CodableIn else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "Only archives of Amber."))
        }
        self = try Self.read(input.reader, input.place, 0)
    }

    private static func read(
        _ reader: CodableReader, _ value: CodableValueRef, _ depth: Int
    ) throws -> CodableSnapshot {
        guard depth < DecodingLimits().depth else {
            throw DecodingFailure(.limitExceeded, "Codable values are nested more than \(depth) deep.")
        }
        let (variant, index) = value.slot.find(value.index)
        func integer<T: FixedWidthInteger & Codable>(_ type: T.Type) throws -> CodableSnapshot {
            .leaf(try value.integer(type))
        }
        func leaf<T: Codable>(_ type: T.Type) throws -> CodableSnapshot {
            .leaf(try CodableIn(reader: reader, value).decode(type))
        }
        switch variant.kind {
        case .null: return .null
        case .bool: return .leaf(try value.bool())
        case .int8: return try integer(Int8.self)
        case .int16: return try integer(Int16.self)
        case .int32: return try integer(Int32.self)
        case .int64: return try integer(Int.self)
        case .uint8: return try integer(UInt8.self)
        case .uint16: return try integer(UInt16.self)
        case .uint32: return try integer(UInt32.self)
        case .uint64: return try integer(UInt.self)
        case .int128: return try integer(Int128.self)
        case .uint128: return try integer(UInt128.self)
        case .float32: return .leaf(try value.float())
        case .float64: return .leaf(try value.double())
        case .date: return try leaf(Date.self)
        case .uuid: return try leaf(UUID.self)
        case .decimal: return try leaf(Decimal.self)
        case .string: return .leaf(try value.string())
        case .data: return try leaf(Data.self)
        case .array, .map:
            let container = variant.variant
            let isMap = variant.kind == .map
            guard let element = container.element else { return isMap ? .keyed([], isMap: true) : .array([]) }
            let range = container.starts[index]..<container.starts[index + 1]
            let values = try range.map {
                try read(reader, CodableValueRef(slot: element.ref, index: $0), depth + 1)
            }
            if !isMap { return .array(values) }
            return .keyed(zip(container.strings[range], values).map { ($0, $1) }, isMap: true)
        case .record:
            return .keyed(
                try variant.variant.fields.compactMap { field in
                    let rank = field.ref.rank(of: index)
                    guard rank >= 0 else { return nil }
                    return (field.key, try read(reader, CodableValueRef(slot: field.ref, index: rank), depth + 1))
                }, isMap: false)
        }
    }

    package func encode(to encoder: any Encoder) throws {
        switch self {
        case .null:
            var container = encoder.singleValueContainer()
            try container.encodeNil()
        case .leaf(let value):
            var container = encoder.singleValueContainer()
            try container.encode(value)
        case .array(let elements):
            var container = encoder.unkeyedContainer()
            for element in elements { try container.encode(element) }
        case .keyed(let pairs, let isMap):
            if isMap {
                try Dictionary(pairs.map { ($0.key, $0.value) }, uniquingKeysWith: { _, last in last }).encode(
                    to: encoder)
                return
            }
            var container = encoder.container(keyedBy: CodableKey.self)
            for (key, value) in pairs { try container.encode(value, forKey: CodableKey(stringValue: key)) }
        }
    }

    /// The value of a Codable type that said this of itself.
    func value(_ plan: ValuePlan, _ access: CodableAccess, _ depthLimit: Int) throws(DecodingFailure) -> Any {
        let writer = CodableWriter(userInfo: [:], isDeterministic: false, depthLimit: depthLimit)
        do {
            if try !writer.append(self) {
                writer.restart()
                _ = try writer.append(self)
            }
            let root = writer.root
            root.indexAll()
            return try access.value(0, of: CodableReader(root, userInfo: [:]), plan)
        } catch {
            throw (error as? DecodingFailure) ?? DecodingFailure(codable: error, offset: 0)
        }
    }
}

extension CodableSlot {
    /// Works out where values are, here and in all containers: for reading what was just written.
    fileprivate func indexAll() {
        for variant in variants {
            variant.element?.indexAll()
            for field in variant.fields { field.indexAll() }
            if variant.kind == .array || variant.kind == .map { variant.index() }
        }
        index()
    }
}
