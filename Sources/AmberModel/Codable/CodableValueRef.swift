// Room:   AmberModel / Codable. One leaf on its way back.
// Takes:  a place in a slot. Gives: the value there, converted to the type that is asked for.
// Touches: slots, read only.

internal import Foundation

/// A value in a slot, for whoever holds the reader.
struct CodableValueRef {
    let slot: CodableSlotRef
    let index: Int

    var codingPath: [any CodingKey] { slot.slot.path(of: index) }
    var isNull: Bool { slot.find(index).0.kind == .null }

    func bool() throws -> Bool {
        let (variant, place) = slot.find(index)
        guard variant.kind == .bool else { throw mismatch(Bool.self, variant) }
        return variant.word(place) != 0
    }

    func string() throws -> String {
        let (variant, place) = slot.find(index)
        if variant.kind == .string { return variant.string(place) }
        if let text = CodableSpecial.text(variant, place) { return text }
        throw mismatch(String.self, variant)
    }

    @inline(__always)
    func integer<T: FixedWidthInteger>(_ type: T.Type) throws -> T {
        let (variant, place) = slot.find(index)
        if variant.kind.isInteger, variant.kind != .bool {
            let bits = variant.word(place)
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
        if variant.kind == .float64 || variant.kind == .date { return Double(bitPattern: variant.word(place)) }
        return try otherNumber(Double.self, variant, place) { $0.double }
    }

    func float() throws -> Float {
        let (variant, place) = slot.find(index)
        if variant.kind == .float32 { return Float(bitPattern: UInt32(truncatingIfNeeded: variant.word(place))) }
        return try otherNumber(Float.self, variant, place) { number in
            guard let double = number.double else { return nil }
            let value = Float(double)
            return value.isFinite || !double.isFinite ? value : nil
        }
    }

    @inline(never)
    private func otherNumber<T>(
        _ type: T.Type, _ variant: CodableVariantRef, _ place: Int, _ convert: (CodableNumber) -> T?
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
    func mismatch(_ type: Any.Type, _ variant: CodableVariantRef) -> DecodingError {
        let context = DecodingError.Context(
            codingPath: codingPath, debugDescription: "The archive has \(variant.kind.words) where \(type) is expected."
        )
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

    init?(_ variant: CodableVariantRef, _ place: Int) {
        switch variant.kind {
        case .int8, .int16, .int32, .int64: self = .signed(Int128(Int64(bitPattern: variant.word(place))))
        case .uint8, .uint16, .uint32, .uint64: self = .unsigned(UInt128(variant.word(place)))
        case .int128: self = .signed(CodableSpecial.load(Int128(), variant, place))
        case .uint128: self = .unsigned(CodableSpecial.load(UInt128(), variant, place))
        case .float32: self = .double(Double(Float(bitPattern: UInt32(truncatingIfNeeded: variant.word(place)))))
        case .float64, .date: self = .double(Double(bitPattern: variant.word(place)))
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
