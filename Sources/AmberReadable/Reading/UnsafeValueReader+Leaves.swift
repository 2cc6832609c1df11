// Room:   AmberReadable / Reading. Numbers, dates, UUIDs, data.
// Takes:  leaves of a document. Gives: memory of their kind, if they fit exactly.
// Touches: uninitialised memory of that kind.
//
// Invariants: those of UnsafeValueReader.

internal import AmberModel
internal import Foundation

extension ValueReader {
    /// An integer's digits as a number of the kind.
    @inline(__always)
    func readInteger(_ node: Int, _ kind: ScalarKind, at address: UnsafeMutableRawPointer) throws(DecodingFailure) {
        guard let (value, isNegative) = document.magnitude(node) else {
            return try unsafe readLong(node, kind, at: address)
        }
        var fits = false
        if !isNegative {
            switch kind {
            case .uint8: fits = value <= 0xff
            case .uint16: fits = value <= 0xffff
            case .uint32: fits = value <= 0xffff_ffff
            case .uint64: fits = true
            case .int8: fits = value <= 0x7f
            case .int16: fits = value <= 0x7fff
            case .int32: fits = value <= 0x7fff_ffff
            case .int64: fits = value <= UInt64(Int64.max)
            default: break
            }
        } else {
            switch kind {
            case .int8: fits = value <= 0x80
            case .int16: fits = value <= 0x8000
            case .int32: fits = value <= 0x8000_0000
            case .int64: fits = value <= 1 << 63
            default: fits = value == 0
            }
        }
        if !fits { throw doesNotFit(node, kind) }
        let bits = isNegative ? 0 &- value : value
        switch kind.size {
        case 1: unsafe address.storeBytes(of: UInt8(truncatingIfNeeded: bits), as: UInt8.self)
        case 2: unsafe address.storeBytes(of: UInt16(truncatingIfNeeded: bits), as: UInt16.self)
        case 4: unsafe address.storeBytes(of: UInt32(truncatingIfNeeded: bits), as: UInt32.self)
        default: unsafe address.storeBytes(of: bits, as: UInt64.self)
        }
    }

    /// An integer of any length as a number of the kind.
    private func readLong(_ node: Int, _ kind: ScalarKind, at address: UnsafeMutableRawPointer) throws(DecodingFailure)
    {
        let text = document.string(node)
        let number = Int128(text).map { ArchivedNumber.signed($0) } ?? UInt128(text).map { .unsigned($0) }
        guard let number, unsafe number.store(as: kind, at: address) else { throw doesNotFit(node, kind) }
    }

    func doesNotFit(_ node: Int, _ kind: ScalarKind) -> DecodingFailure {
        let text = document.string(node)
        let shown = text.count > 60 ? text.prefix(60) + "…" : text
        return failure(.doesNotFit, node, "\(shown) does not fit in \(kind.swiftName). Widen the property.")
    }

    func readScalar(
        _ node: Int, _ kind: ScalarKind, _ plan: ValuePlan, at address: UnsafeMutableRawPointer
    ) throws(DecodingFailure) {
        let found = document.kind(node)
        switch kind {
        case .bool:
            switch found {
            case .yes, .no: unsafe address.storeBytes(of: found == .yes, as: Bool.self)
            case .integer where document.string(node) == "0" || document.string(node) == "1":
                unsafe address.storeBytes(of: document.string(node) == "1", as: Bool.self)
            default: throw mismatch(node, plan.type)
            }
        case .float64:
            guard let value = try number(node, document.double) else { throw mismatch(node, plan.type) }
            unsafe address.storeBytes(of: value, as: Double.self)
        case .float32:
            guard let value = try number(node, document.float) else { throw mismatch(node, plan.type) }
            unsafe address.storeBytes(of: value, as: Float.self)
        case .date:
            let seconds = try date(node)
            unsafe address.storeBytes(of: seconds, as: Double.self)
        case .uuid:
            guard isText(node), let uuid = UUID(uuidString: document.string(node)) else {
                throw mismatch(node, plan.type)
            }
            unsafe address.initializeMemory(as: UUID.self, to: uuid)
        case .decimal:
            unsafe address.initializeMemory(as: Decimal.self, to: try decimal(node))
        default:
            switch found {
            case .integer where kind.isInteger: try unsafe readInteger(node, kind, at: address)
            case .integer: try unsafe readLong(node, kind, at: address)
            case .string where kind == .int128 || kind == .uint128: try unsafe readLong(node, kind, at: address)
            case .real, .double, .float:
                guard let value = document.double(node),
                    unsafe ArchivedNumber.double(value).store(as: kind, at: address)
                else { throw doesNotFit(node, kind) }
            default: throw mismatch(node, plan.type)
            }
        }
    }

    /// A number as a floating-point one; those that JSON doesn't have are texts.
    private func number<T: BinaryFloatingPoint>(_ node: Int, _ read: (Int) -> T?) throws(DecodingFailure) -> T? {
        switch document.kind(node) {
        case .integer, .real, .double, .float:
            if let value = read(node) { return value }
            throw failure(.doesNotFit, node, "\(document.string(node).prefix(60)) is beyond the range of \(T.self).")
        case .string:
            guard rules.nonFinite == .text else { return nil }
            switch document.string(node) {
            case "NaN": return T.nan
            case "Infinity": return T.infinity
            case "-Infinity": return -T.infinity
            default: return nil
            }
        default: return nil
        }
    }

    // MARK: Dates

    /// A time in seconds since 2001.
    func date(_ node: Int) throws(DecodingFailure) -> Double {
        if !rules.isReadable { return try mappedDate(node, rules.dates) }
        var seconds: Double?
        switch document.kind(node) {
        case .date: seconds = Double(bitPattern: document.bits(node))
        case .integer, .real, .double, .float: seconds = document.double(node)
        case .string, .escaped: seconds = DateText.seconds(document.string(node))
        case .object: if let inner = marked(node, Marker.date) { return try date(inner) }
        default: break
        }
        if let seconds, seconds.isFinite { return seconds }
        if isText(node) {
            throw failure(
                .typeMismatch, node,
                "\"\(document.string(node).prefix(60))\" is no date. Write it as 2026-05-25T22:46:27.5Z.")
        }
        throw mismatch(node, Date.self)
    }

    func mappedDate(_ node: Int, _ strategy: MappedDateStrategy) throws(DecodingFailure) -> Double {
        if document.kind(node) == .date { return Double(bitPattern: document.bits(node)) }
        if document.kind(node) == .object || document.kind(node) == .array { throw mismatch(node, Date.self) }
        guard let seconds = strategy.seconds(document.tree(node)) else {
            if document.kind(node) == .null { throw mismatch(node, Date.self) }
            throw failure(
                .typeMismatch, node, "\(document.words(node)) is no date as the mapping says: \(strategy.words).")
        }
        return seconds
    }

    // MARK: Data and decimals

    func data(_ node: Int) throws(DecodingFailure) -> Data {
        switch document.kind(node) {
        case .data: return unsafe Data(document.bytes(node))
        case .string, .escaped:
            if let data = Data(base64Encoded: document.string(node)) { return data }
            throw failure(.typeMismatch, node, "A text was found that is not base64, where data is expected.")
        case .object: if let inner = marked(node, Marker.data) { return try data(inner) }
        default: break
        }
        throw mismatch(node, Data.self)
    }

    func decimal(_ node: Int) throws(DecodingFailure) -> Decimal {
        switch document.kind(node) {
        case .string where document.string(node) == "NaN": return Decimal.nan
        case .integer, .real, .string:
            let text = document.string(node)
            guard let exact = DecimalText.decimal(text) else {
                if isText(node), Double(text) == nil { throw mismatch(node, Decimal.self) }
                throw failure(.doesNotFit, node, "\(text.prefix(60)) has more digits than a Decimal.")
            }
            return exact
        case .double, .float:
            if let value = document.double(node), let exact = DecimalText.decimal(value.description) { return exact }
        default: break
        }
        throw mismatch(node, Decimal.self)
    }
}
