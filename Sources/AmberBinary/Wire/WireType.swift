// Room:   AmberBinary / Wire. The types that values have in an archive, and their names in bytes.
// Takes:  a type tree. Gives: its bytes, and back.
// Touches: ByteWriter, ByteReader.

internal import AmberBytes
internal import AmberModel

/// The type of a value in an archive.
indirect enum WireType: Equatable, Sendable {
    case scalar(ScalarKind)
    case string
    case data
    case optional(WireType)
    case array(WireType)
    case set(WireType)
    case dictionary(WireType, WireType)
    case tuple([Member])
    /// A struct or enum, by the number of its definition.
    case named(Int)
    /// The number of an object, zero for none.
    case reference
    /// A value that carries its type's number.
    case dynamic
    /// What a Codable value says of itself; values of a batch stand together.
    case codable

    /// A label and a type: a property, or an element of a tuple.
    struct Member: Equatable, Sendable {
        var name: String
        var type: WireType
    }

    enum Code {
        static let string: UInt8 = 0x20
        static let data: UInt8 = 0x21
        static let optional: UInt8 = 0x22
        static let array: UInt8 = 0x23
        static let set: UInt8 = 0x24
        static let dictionary: UInt8 = 0x25
        static let tuple: UInt8 = 0x26
        static let named: UInt8 = 0x27
        static let reference: UInt8 = 0x28
        static let dynamic: UInt8 = 0x29
        static let codable: UInt8 = 0x2a
    }

    /// How deep types may be nested in each other in a schema; far more than any source holds.
    static let depthLimit = 64

    func write(to out: inout ByteWriter) {
        switch self {
        case .scalar(let kind): out.write(byte: kind.rawValue)
        case .string: out.write(byte: Code.string)
        case .data: out.write(byte: Code.data)
        case .optional(let payload):
            out.write(byte: Code.optional)
            payload.write(to: &out)
        case .array(let element):
            out.write(byte: Code.array)
            element.write(to: &out)
        case .set(let element):
            out.write(byte: Code.set)
            element.write(to: &out)
        case .dictionary(let key, let value):
            out.write(byte: Code.dictionary)
            key.write(to: &out)
            value.write(to: &out)
        case .tuple(let members):
            out.write(byte: Code.tuple)
            out.write(count: members.count)
            for member in members {
                out.write(text: member.name)
                member.type.write(to: &out)
            }
        case .named(let index):
            out.write(byte: Code.named)
            out.write(count: index)
        case .reference: out.write(byte: Code.reference)
        case .dynamic: out.write(byte: Code.dynamic)
        case .codable: out.write(byte: Code.codable)
        }
    }

    static func read(from input: inout ByteReader, depth: Int = 0) throws(ByteError) -> WireType {
        let start = input.position
        guard depth < depthLimit else { throw ByteError(.overBudget(requested: depth), at: start) }
        let code = try input.readByte()
        if let kind = ScalarKind(rawValue: code) { return .scalar(kind) }
        switch code {
        case Code.string: return .string
        case Code.data: return .data
        case Code.optional: return .optional(try read(from: &input, depth: depth + 1))
        case Code.array: return .array(try read(from: &input, depth: depth + 1))
        case Code.set: return .set(try read(from: &input, depth: depth + 1))
        case Code.dictionary:
            let key = try read(from: &input, depth: depth + 1)
            return .dictionary(key, try read(from: &input, depth: depth + 1))
        case Code.tuple:
            let count = try input.readCount()
            // Each element takes two bytes at least.
            guard count <= input.remaining / 2 else { throw ByteError(.truncated(needed: count), at: start) }
            var members: [Member] = []
            for _ in 0..<count {
                let name = try input.readText()
                members.append(Member(name: name, type: try read(from: &input, depth: depth + 1)))
            }
            return .tuple(members)
        case Code.named: return .named(try input.readCount())
        case Code.reference: return .reference
        case Code.dynamic: return .dynamic
        case Code.codable: return .codable
        default: throw ByteError(.unknownCode(Int(code)), at: start)
        }
    }
}

/// A struct, class or enum as an archive defines it.
struct Definition: Equatable, Sendable {
    enum Kind: UInt8 {
        case structure = 1
        case object = 2
        case enumeration = 3
    }

    struct Case: Equatable, Sendable {
        var name: String
        var rawValue: String?
        var payload: WireType?
    }

    /// The memory that a reader needs for a definition, without what is in it.
    static let charge = 128

    var kind: Kind
    var name: String
    var version: Int
    /// Properties in the order of their values; superclasses first. None for an enum.
    var members: [WireType.Member]
    /// Cases by tag. None for a struct or class.
    var cases: [Case]

    func write(to out: inout ByteWriter) {
        out.write(byte: kind.rawValue)
        out.write(text: name)
        if kind == .enumeration {
            out.write(count: cases.count)
            for item in cases {
                out.write(text: item.name)
                out.write(byte: (item.payload == nil ? 0 : 1) | (item.rawValue == nil ? 0 : 2))
                if let rawValue = item.rawValue { out.write(text: rawValue) }
                item.payload?.write(to: &out)
            }
        } else {
            out.write(count: version)
            out.write(count: members.count)
            for member in members {
                out.write(text: member.name)
                member.type.write(to: &out)
            }
        }
    }

    static func read(from input: inout ByteReader) throws(ByteError) -> Definition {
        let start = input.position
        let code = try input.readByte()
        guard let kind = Kind(rawValue: code) else { throw ByteError(.unknownCode(Int(code)), at: start) }
        var definition = Definition(kind: kind, name: try input.readText(), version: 0, members: [], cases: [])
        if kind != .enumeration { definition.version = try input.readCount() }
        let count = try input.readCount()
        // Each member takes two bytes at least.
        guard count <= input.remaining / 2 else { throw ByteError(.truncated(needed: count), at: start) }
        for _ in 0..<count {
            let name = try input.readText()
            guard kind == .enumeration else {
                definition.members.append(.init(name: name, type: try WireType.read(from: &input)))
                continue
            }
            let place = input.position
            let flags = try input.readByte()
            guard flags <= 3 else { throw ByteError(.unknownCode(Int(flags)), at: place) }
            var item = Case(name: name, rawValue: nil, payload: nil)
            if flags & 2 != 0 { item.rawValue = try input.readText() }
            if flags & 1 != 0 { item.payload = try WireType.read(from: &input) }
            definition.cases.append(item)
        }
        return definition
    }
}

extension ByteWriter {
    /// Appends a count of bytes and the UTF-8 of a text.
    mutating func write(text: String) {
        let bytes = Array(text.utf8)
        write(count: bytes.count)
        write(bytes: bytes)
    }
}

extension ByteReader {
    /// Reads a count of bytes and as much UTF-8.
    mutating func readText() throws(ByteError) -> String {
        let count = try readCount()
        return try readString(count)
    }
}
