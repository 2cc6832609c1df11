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
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "Only archives of Amber."))
        }
        self = try Self.read(input, 0)
    }

    private static func read(_ input: CodableIn, _ depth: Int) throws -> CodableSnapshot {
        guard depth < DecodingLimits().depth else {
            throw DecodingFailure(.limitExceeded, "Codable values are nested more than \(depth) deep.")
        }
        let (variant, place) = input.slot.find(input.index)
        func integer<T: FixedWidthInteger & Codable>(_ type: T.Type) throws -> CodableSnapshot {
            .leaf(try input.integer(type))
        }
        switch variant.kind {
        case .null: return .null
        case .bool: return .leaf(try input.bool())
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
        case .float32: return .leaf(try input.float())
        case .float64: return .leaf(try input.double())
        case .date: return .leaf(try input.decode(Date.self))
        case .uuid: return .leaf(try input.decode(UUID.self))
        case .decimal: return .leaf(try input.decode(Decimal.self))
        case .string: return .leaf(try input.string())
        case .data: return .leaf(try input.decode(Data.self))
        case .array:
            guard let element = variant.element else { return .array([]) }
            return .array(
                try (variant.starts[place]..<variant.starts[place + 1]).map {
                    try read(CodableIn(reader: input.reader, slot: element, index: $0), depth + 1)
                })
        case .map:
            guard let element = variant.element else { return .keyed([], isMap: true) }
            return .keyed(
                try (variant.starts[place]..<variant.starts[place + 1]).map {
                    (variant.strings[$0], try read(CodableIn(reader: input.reader, slot: element, index: $0), depth + 1))
                }, isMap: true)
        case .record:
            return .keyed(
                try variant.fields.compactMap { field in
                    let rank = field.rank(of: place)
                    guard rank >= 0 else { return nil }
                    return (field.key, try read(CodableIn(reader: input.reader, slot: field, index: rank), depth + 1))
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
                try Dictionary(pairs.map { ($0.key, $0.value) }, uniquingKeysWith: { _, last in last }).encode(to: encoder)
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
            return try access.value(0, of: CodableReader(root, userInfo: [:], depthLimit: depthLimit), plan)
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
            variant.index()
        }
        index()
    }
}
