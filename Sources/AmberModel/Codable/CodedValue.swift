// Room:   AmberModel / Codable. What a Codable value says of itself, for coders that work value by value.
// Takes:  a tree, or what a coder read. Gives: the one from the other.
// Touches: nothing.

package import Foundation

/// A Codable value as plain data.
package indirect enum CodedValue {
    case null
    /// A number, date, UUID or decimal: the value itself says which.
    case scalar(Any, ScalarKind)
    case string(String)
    case data(Data)
    case array([CodedValue])
    /// Keys are unique.
    case keyed([(key: String, value: CodedValue)])
}

extension CodedValue {
    /// What a value says of itself.
    package init(of value: any Encodable, userInfo: [CodingUserInfoKey: any Sendable] = [:]) throws(EncodingFailure) {
        let writer = CodableWriter(userInfo: userInfo, isDeterministic: false, depthLimit: DecodingLimits().depth)
        let tree = CodableTree()
        do {
            try writer.encode(value, into: tree)
            try writer.throwFailure()
        } catch {
            throw EncodingFailure(codable: error)
        }
        self = tree.coded
    }

    /// The value of a type that says this of itself.
    package func value<T: Decodable>(
        _ type: T.Type, userInfo: [CodingUserInfoKey: any Sendable] = [:]
    ) throws(DecodingFailure) -> T {
        let reader = CodableReader(self, userInfo: userInfo)
        do { return try T(from: reader.decoder(for: 0)) } catch { throw DecodingFailure(codable: error, offset: nil) }
    }
}

extension CodableReader {
    /// A reader of one value.
    fileprivate convenience init(_ value: CodedValue, userInfo: [CodingUserInfoKey: any Sendable]) {
        let slot = CodableSlot(key: "", in: nil)
        CodableTree(value).replay(into: slot, sortingMaps: false)
        slot.finish()
        self.init(slot, userInfo: userInfo)
    }
}

extension CodableSlot {
    /// Makes what was written readable.
    fileprivate func finish() {
        if variants.count > 1 { index() }
        if let records {
            setRecords(records)
        } else if let parent, parent.kind == .record, count < parent.count {
            setRecords((0..<count).map { UInt64($0) })
        }
        for variant in variants {
            if variant.kind == .array || variant.kind == .map { variant.index() }
            for field in variant.fields { field.finish() }
            variant.element?.finish()
        }
    }
}

extension CodableTree {
    /// The tree of a value.
    fileprivate convenience init(_ value: CodedValue) {
        self.init()
        switch value {
        case .null: _ = put(.word(.null, 0))
        case .string(let string): _ = put(.string(string))
        case .data(let data): _ = put(.data(data))
        case .scalar(let value, _):
            if let leaf = CodableLeaf(value) ?? CodableSpecial.leaf(ofAny: value) { _ = put(leaf) }
        case .array(let values):
            _ = becomeUnkeyed()
            for value in values { attach(CodableTree(value), nil) }
        case .keyed(let values):
            // Keys are those of a dictionary or of a type: reading takes both alike.
            _ = becomeKeyed(isMap: false)
            for (key, value) in values { attach(CodableTree(value), key) }
        }
    }

    fileprivate var coded: CodedValue {
        switch contents {
        case .empty: .keyed([])
        case .leaf(let leaf): leaf.coded
        case .unkeyed: .array(children.map(\.coded))
        case .keyed: .keyed(zip(keys, children).map { (key: $0, value: $1.coded) })
        }
    }
}

extension CodableLeaf {
    fileprivate var coded: CodedValue {
        switch self {
        case .string(let string): return .string(string)
        case .data(let data): return .data(data)
        case .word(let kind, let bits):
            guard let scalar = kind.scalar else { return .null }
            return .scalar(Self.value(kind, bits), scalar)
        case .bytes(let kind, let bytes):
            guard let scalar = kind.scalar else { return .null }
            return .scalar(CodableSpecial.value(kind, bytes), scalar)
        }
    }

    private static func value(_ kind: CodableKind, _ bits: UInt64) -> Any {
        switch kind {
        case .bool: bits != 0
        case .int8: Int8(truncatingIfNeeded: bits)
        case .int16: Int16(truncatingIfNeeded: bits)
        case .int32: Int32(truncatingIfNeeded: bits)
        case .int64: Int(truncatingIfNeeded: bits)
        case .uint8: UInt8(truncatingIfNeeded: bits)
        case .uint16: UInt16(truncatingIfNeeded: bits)
        case .uint32: UInt32(truncatingIfNeeded: bits)
        case .float32: Float(bitPattern: UInt32(truncatingIfNeeded: bits))
        case .float64: Double(bitPattern: bits)
        case .date: Date(timeIntervalSinceReferenceDate: Double(bitPattern: bits))
        default: UInt(bits)
        }
    }
}

extension CodableSpecial {
    /// The leaf of a value whose type is known only when it is met.
    fileprivate static func leaf(ofAny value: Any) -> CodableLeaf? {
        switch value {
        case let value as Date: leaf(of: value)
        case let value as UUID: leaf(of: value)
        case let value as Decimal: leaf(of: value)
        case let value as CGFloat: .word(.float64, Double(value).bitPattern)
        default: nil
        }
    }

    fileprivate static func value(_ kind: CodableKind, _ bytes: [UInt8]) -> Any {
        switch kind {
        case .int128: load(Int128(), bytes)
        case .uint128: load(UInt128(), bytes)
        case .uuid: load(UUID(), bytes)
        default: load(Decimal(), bytes)
        }
    }
}
