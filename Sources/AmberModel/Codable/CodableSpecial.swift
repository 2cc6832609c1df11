// Room:   AmberModel / Codable. Foundation's values as JSON's coders see them, and errors in Amber's words.
// Takes:  a place in a slot; an error of the Codable protocol. Gives: a value of Foundation; a failure with its path.
// Touches: slots, read only.

internal import Foundation

extension CodableIn {
    private func find() -> (CodableVariantRef, Int) { place.slot.find(place.index) }
    private func mismatch(_ type: Any.Type, _ variant: CodableVariantRef) -> DecodingError {
        place.mismatch(type, variant)
    }

    func uuid() throws -> UUID {
        let (variant, place) = find()
        if variant.kind == .uuid { return CodableSpecial.load(UUID(), variant, place) }
        return try parse(UUID.self, variant, place) { UUID(uuidString: $0) }
    }

    func data() throws -> Data {
        let (variant, place) = find()
        if variant.kind == .data { return variant.variant.data[place] }
        // What its own `encode(to:)` makes of it: bytes one by one.
        if variant.kind == .array { return try Data(from: self) }
        return try parse(Data.self, variant, place) { Data(base64Encoded: $0) }
    }

    func decimal() throws -> Decimal {
        let (variant, place) = find()
        if variant.kind.isKeyed { return try Decimal(from: self) }
        switch CodableNumber(variant, place) {
        case .decimal(let value): return value
        case .signed(let value): if let decimal = Decimal(string: "\(value)") { return decimal }
        case .unsigned(let value): if let decimal = Decimal(string: "\(value)") { return decimal }
        case .double(let value): if value.isFinite { return Decimal(string: "\(value)") ?? Decimal(value) }
        case nil: break
        }
        throw mismatch(Decimal.self, variant)
    }

    /// A URL that was encoded without a base; `nil` if its own `init(from:)` must read it.
    func url() throws -> URL? {
        let (variant, place) = find()
        if variant.kind.isKeyed { return nil }
        return try parse(URL.self, variant, place) { URL(string: $0) }
    }

    private func parse<T>(
        _ type: T.Type, _ variant: CodableVariantRef, _ place: Int, _ make: (String) -> T?
    ) throws -> T {
        guard variant.kind == .string else { throw mismatch(type, variant) }
        if let value = make(variant.string(place)) { return value }
        throw DecodingError.dataCorrupted(
            .init(codingPath: codingPath, debugDescription: "\"\(variant.string(place))\" is not a \(type)."))
    }
}

extension CodableSpecial {
    /// The text that JSON has for a value which is none here.
    static func text(_ variant: CodableVariantRef, _ place: Int) -> String? {
        switch variant.kind {
        case .uuid: load(UUID(), variant, place).uuidString
        case .data: variant.variant.data[place].base64EncodedString()
        default: nil
        }
    }
}

extension CodableReader {
    /// The decoder of one of the batch's values.
    func decoder(for index: Int) -> any Decoder { CodableIn(reader: self, slot: root.ref, index: index) }
}

extension EncodingFailure {
    /// The failure that an error of `encode(to:)` stands for.
    init(codable error: any Error) {
        switch error {
        case let failure as EncodingFailure: self = failure
        case EncodingError.invalidValue(_, let context):
            self.init(.codable, at: CodingPath(context.codingPath), context.debugDescription)
        default: self.init(.codable, "`encode(to:)` threw: \(error)")
        }
    }
}

extension DecodingFailure {
    /// The failure that an error of `init(from:)` stands for.
    package init(codable error: any Error, offset: Int?) {
        func failure(_ code: Code, _ context: DecodingError.Context) -> DecodingFailure {
            DecodingFailure(code, at: CodingPath(context.codingPath), offset: offset, context.debugDescription)
        }
        switch error {
        case let known as DecodingFailure: self = known
        case DecodingError.keyNotFound(_, let context): self = failure(.missingValue, context)
        case DecodingError.valueNotFound(_, let context): self = failure(.missingValue, context)
        case DecodingError.typeMismatch(_, let context): self = failure(.typeMismatch, context)
        case DecodingError.dataCorrupted(let context):
            self = failure(context.underlyingError is CodableMisfit ? .doesNotFit : .rejectedByHook, context)
        default: self.init(.rejectedByHook, offset: offset, "`init(from:)` threw: \(error)")
        }
    }
}
