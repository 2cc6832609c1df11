// Room:   AmberModel / Codable. The Decoder that a Codable value sees, and how one value is read.
// Takes:  a place in a slot. Gives: containers, leaves converted to the type that is asked for.
// Touches: slots, read only.

internal import Foundation

/// One batch of Codable values on its way back.
package final class CodableReader {
    /// What the decoder was told to hand to `init(from:)`.
    let userInfo: [CodingUserInfoKey: any Sendable]
    let root: CodableSlot
    fileprivate let depthLimit: Int
    fileprivate var depth = 0
    /// A slot with one null, for superclasses that were never encoded.
    fileprivate let null: CodableSlot

    package init(_ root: CodableSlot, userInfo: [CodingUserInfoKey: any Sendable], depthLimit: Int) {
        self.root = root
        self.userInfo = userInfo
        self.depthLimit = depthLimit
        null = CodableSlot(key: "", in: nil)
        null.append(.null, 0)
    }
}

/// A decoder for one value of a slot.
struct CodableIn: Decoder {
    let reader: CodableReader
    let slot: CodableSlot
    let index: Int

    var userInfo: [CodingUserInfoKey: Any] { reader.userInfo }
    var codingPath: [any CodingKey] { slot.path(of: index) }
    var null: CodableIn { CodableIn(reader: reader, slot: reader.null, index: 0) }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        let (variant, place) = slot.find(index)
        guard variant.kind.isKeyed else { throw mismatch([String: Any].self, variant) }
        return KeyedDecodingContainer(CodableKeyedIn<Key>(source: self, variant: variant, index: place))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let (variant, place) = slot.find(index)
        guard variant.kind == .array else { throw mismatch([Any].self, variant) }
        return CodableUnkeyedIn(
            source: self, element: variant.element, start: variant.starts[place], end: variant.starts[place + 1])
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { CodableSingleIn(source: self) }

    var isNull: Bool { slot.find(index).0.kind == .null }

    @inline(__always)
    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        if let known = try CodableSpecial.value(type, from: self) { return known }
        reader.depth += 1
        defer { reader.depth -= 1 }
        guard reader.depth < reader.depthLimit else {
            throw DecodingFailure(
                .limitExceeded, at: CodingPath(Array(codingPath.prefix(8))),
                "Codable values are nested more than \(reader.depthLimit) deep. If the archive is to be trusted, raise "
                    + "`DecodingLimits.depth` and read it on a thread with a larger stack.")
        }
        return try T(from: self)
    }

    // MARK: Leaves

    func bool() throws -> Bool {
        let (variant, place) = slot.find(index)
        guard variant.kind == .bool else { throw mismatch(Bool.self, variant) }
        return variant.words[place] != 0
    }

    func string() throws -> String {
        let (variant, place) = slot.find(index)
        if variant.kind == .string { return variant.strings[place] }
        if let text = CodableSpecial.text(variant, place) { return text }
        throw mismatch(String.self, variant)
    }

    @inline(__always)
    func integer<T: FixedWidthInteger>(_ type: T.Type) throws -> T {
        let (variant, place) = slot.find(index)
        if variant.kind.isInteger, variant.kind != .bool {
            let bits = variant.words[place]
            let value = variant.kind.isSigned ? T(exactly: Int64(bitPattern: bits)) : T(exactly: bits)
            if let value { return value }
        }
        return try otherNumber(type, variant, place) { number in
            switch number {
            case .signed(let value): T(exactly: value)
            case .unsigned(let value): T(exactly: value)
            case .double(let value): T(exactly: value)
            case .decimal(let value):
                // A Decimal's text is exact, and an integer's if it has no point.
                T(value.description)
            }
        }
    }

    func double() throws -> Double {
        let (variant, place) = slot.find(index)
        if variant.kind == .float64 || variant.kind == .date { return Double(bitPattern: variant.words[place]) }
        return try otherNumber(Double.self, variant, place) { $0.double }
    }

    func float() throws -> Float {
        let (variant, place) = slot.find(index)
        if variant.kind == .float32 { return Float(bitPattern: UInt32(truncatingIfNeeded: variant.words[place])) }
        return try otherNumber(Float.self, variant, place) { number in
            guard let double = number.double else { return nil }
            let value = Float(double)
            return value.isFinite || !double.isFinite ? value : nil
        }
    }

    @inline(never)
    private func otherNumber<T>(
        _ type: T.Type, _ variant: CodableVariant, _ place: Int, _ convert: (CodableNumber) -> T?
    ) throws -> T {
        guard let number = CodableNumber(variant, place) else { throw mismatch(type, variant) }
        guard let value = convert(number) else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: codingPath, debugDescription: "The number \(number) does not fit in \(type).",
                    underlyingError: CodableMisfit()))
        }
        return value
    }

    @inline(never)
    func mismatch(_ type: Any.Type, _ variant: CodableVariant) -> DecodingError {
        let context = DecodingError.Context(
            codingPath: codingPath, debugDescription: "The archive has \(variant.kind.words) where \(type) is expected.")
        return variant.kind == .null ? .valueNotFound(type, context) : .typeMismatch(type, context)
    }
}

/// Says in a DecodingError that a number is not one of the type that was asked for.
package struct CodableMisfit: Error {}

/// A number of any kind.
enum CodableNumber: CustomStringConvertible {
    case signed(Int128)
    case unsigned(UInt128)
    case double(Double)
    case decimal(Decimal)

    init?(_ variant: CodableVariant, _ place: Int) {
        switch variant.kind {
        case .int8, .int16, .int32, .int64: self = .signed(Int128(Int64(bitPattern: variant.words[place])))
        case .uint8, .uint16, .uint32, .uint64: self = .unsigned(UInt128(variant.words[place]))
        case .int128: self = .signed(CodableSpecial.load(Int128(), variant, place))
        case .uint128: self = .unsigned(CodableSpecial.load(UInt128(), variant, place))
        case .float32: self = .double(Double(Float(bitPattern: UInt32(truncatingIfNeeded: variant.words[place]))))
        case .float64, .date: self = .double(Double(bitPattern: variant.words[place]))
        case .decimal: self = .decimal(CodableSpecial.load(Decimal(), variant, place))
        default: return nil
        }
    }

    var double: Double? {
        switch self {
        case .signed(let value): Double(value)
        case .unsigned(let value): Double(value)
        case .double(let value): value
        case .decimal(let value): Double(value.description)
        }
    }

    var description: String {
        switch self {
        case .signed(let value): "\(value)"
        case .unsigned(let value): "\(value)"
        case .double(let value): "\(value)"
        case .decimal(let value): "\(value)"
        }
    }
}

extension CodableVariant {
    /// The keys of a container, in the order in which they were encoded.
    func keys(of index: Int) -> [String] {
        guard kind == .map else { return fields.filter { $0.rank(of: index) >= 0 }.map(\.key) }
        var seen: Set<String> = []
        return strings[starts[index]..<starts[index + 1]].filter { seen.insert($0).inserted }
    }
}

extension CodableKind {
    fileprivate var words: String {
        switch self {
        case .null: "nil"
        case .array: "an unkeyed container"
        case .record, .map: "a keyed container"
        case .int64: "an Int"
        case .uint64: "a UInt"
        case .float32: "a Float"
        case .float64: "a Double"
        default: "a value of kind \(self)"
        }
    }
}
