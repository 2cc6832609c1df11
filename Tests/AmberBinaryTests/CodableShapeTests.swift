import AmberBinary
import AmberModel
import Foundation
import Testing

/// Round trips a value through an archive: as the root, as a property, in a long array, in a short one, as an Optional.
func expectRoundTrip<T: Codable & Equatable>(
    _ value: T, options: BinaryEncodingOptions = .init(), sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let (encoder, decoder) = (BinaryEncoder(options: options), BinaryDecoder())
    func back<V>(_ value: V) throws -> V { try decoder.decode(V.self, from: try encoder.encode(value)) }
    #expect(try back(value) == value, sourceLocation: sourceLocation)
    #expect(try back([value, value]) == [value, value], sourceLocation: sourceLocation)
    let many = Array(repeating: value, count: 20)
    #expect(try back(many) == many, sourceLocation: sourceLocation)
    #expect(try back([value as T?, nil]) == [value, nil], sourceLocation: sourceLocation)
    let holder = CodableHolder(name: "n", value: value, more: ["a": value])
    let same = try back(holder)
    #expect(same.value == value && same.more == ["a": value] && same.name == "n", sourceLocation: sourceLocation)
}

/// Round trips a value through an archive and through JSON: the results must be equal.
func expectSameAsJSON<T: Codable & Equatable>(
    _ value: T, sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let json = try JSONDecoder().decode(T.self, from: JSONEncoder().encode(value))
    let amber = try BinaryDecoder().decode(T.self, from: BinaryEncoder().encode(value))
    #expect(amber == json, sourceLocation: sourceLocation)
    try expectRoundTrip(value, sourceLocation: sourceLocation)
}

/// A model with Codable properties.
struct CodableHolder<T>: Model {
    var name: String
    var value: T
    var more: [String: T]

    init(name: String, value: T, more: [String: T]) { (self.name, self.value, self.more) = (name, value, more) }
}

struct Address: Codable, Equatable {
    var street: String, city: String, zip: Int
    var country: String?
}

class Human: Codable, Equatable {
    var name: String
    var email: String
    init(name: String, email: String) { (self.name, self.email) = (name, email) }
    func isEqual(_ other: Human) -> Bool { name == other.name && email == other.email }
    static func == (a: Human, b: Human) -> Bool { a.isEqual(b) }
}

/// Shares its container with its superclass.
final class Employee: Human {
    var id: Int
    enum CodingKeys: CodingKey { case id }
    init(name: String, email: String, id: Int) {
        self.id = id
        super.init(name: name, email: email)
    }
    required init(from decoder: any Decoder) throws {
        id = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .id)
        try super.init(from: decoder)
    }
    override func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try super.encode(to: encoder)
    }
    override func isEqual(_ other: Human) -> Bool { super.isEqual(other) && id == (other as? Employee)?.id }
}

/// Puts its superclass apart, asking for the encoder early and using it late.
final class Contractor: Human {
    var rate: Double
    enum CodingKeys: CodingKey { case rate, parent }
    init(name: String, email: String, rate: Double) {
        self.rate = rate
        super.init(name: name, email: email)
    }
    required init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        rate = try container.decode(Double.self, forKey: .rate)
        try super.init(from: container.superDecoder(forKey: .parent))
    }
    override func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        let parent = container.superEncoder(forKey: .parent)
        try container.encode(rate, forKey: .rate)
        try super.encode(to: parent)
    }
    override func isEqual(_ other: Human) -> Bool { super.isEqual(other) && rate == (other as? Contractor)?.rate }
}

enum Payload: Codable, Equatable {
    case nothing
    case number(Int)
    case pair(x: Double, label: String?)
    indirect case wrap(Payload)
    /// Makes the enum one that only Codable can archive.
    case opaque(Opaque)
}

struct Opaque: Codable, Equatable { var bits: UInt8 }

struct Wrapper<T: Codable & Equatable>: Codable, Equatable {
    var value: T
    init(_ value: T) { self.value = value }
    init(from decoder: any Decoder) throws { value = try decoder.singleValueContainer().decode(T.self) }
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }
}

enum Either<A: Codable & Equatable, B: Codable & Equatable>: Codable, Equatable {
    case a(A), b(B)
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let a = try? container.decode(A.self) { self = .a(a) } else { self = .b(try container.decode(B.self)) }
    }
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .a(let a): try container.encode(a)
        case .b(let b): try container.encode(b)
        }
    }
}

/// `Either` in a struct, so that the enum is not taken apart by its cases.
struct CodableChoice: Codable, Equatable { var items: [Either<Int, String>] }

struct Numbers: Codable, Equatable {
    var a: Int8 = -128, b: Int16 = .min, c: Int32 = .max, d: Int64 = .min, e = Int.max
    var f: UInt8 = 255, g: UInt16 = .max, h: UInt32 = .max, i: UInt64 = .max, j = UInt.max
    var k = Float(1.1), l = 0.1, m = true, n = Decimal(string: "0.12345678901234567890123")!
    var o = Date(timeIntervalSinceReferenceDate: 542_911_754.165_382_98), p = UUID(), q = Data([1, 2, 3])
    var r = URL(string: "http://a.b/c?d")!, s: Int??, t = [1: "a", -7: "b"], u = ["x": [1.5, nil], "y": []]
    var v: Set<Int> = [1, 2, 3], w = Opaque(bits: 3), x = [[Opaque]](repeating: [Opaque(bits: 1)], count: 3)
    var y = 1...5, z = "é\u{0}🙂"
}

struct CodableWide: Codable, Equatable {
    var a = Int128.min, b = UInt128.max, c = [Int128](repeating: -5, count: 20), d = -0.0, e = Double.infinity
    var f = [Double](repeating: .nan, count: 9).map { [$0.bitPattern] }
}

struct Defaults: Codable, Equatable {
    var count = 3, name = "none"
    init(count: Int, name: String) { (self.count, self.name) = (count, name) }
    enum CodingKeys: String, CodingKey { case count = "c", name = "the name of a thing that is long" }
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        count = try container.decodeIfPresent(Int.self, forKey: .count) ?? 3
        name = try container.decodeIfPresent(String.self, forKey: .name) ?? "none"
    }
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        if count != 3 { try container.encode(count, forKey: .count) }
        if name != "none" { try container.encode(name, forKey: .name) }
    }
}

struct Empty: Codable, Equatable {}
struct Silent: Codable, Equatable {
    init() {}
    init(from decoder: any Decoder) throws {}
    func encode(to encoder: any Encoder) throws {}
}

/// Fills two nested containers in turn, which can't be streamed.
struct Interleaved: Codable, Equatable {
    var a: [Int], b: [Int]
    enum CodingKeys: CodingKey { case a, b, deep, x }
    init(a: [Int], b: [Int]) { (self.a, self.b) = (a, b) }
    init(from decoder: any Decoder) throws {
        let deep = try decoder.container(keyedBy: CodingKeys.self)
            .nestedContainer(keyedBy: CodingKeys.self, forKey: .deep)
        var (first, second) = (
            try deep.nestedUnkeyedContainer(forKey: .a), try deep.nestedUnkeyedContainer(forKey: .b)
        )
        (a, b) = ([], [])
        while !first.isAtEnd { a.append(try first.decode(Int.self)) }
        while !second.isAtEnd {
            b.append(try second.nestedContainer(keyedBy: CodingKeys.self).decode(Int.self, forKey: .x))
        }
    }
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        var deep = container.nestedContainer(keyedBy: CodingKeys.self, forKey: .deep)
        var (first, second) = (deep.nestedUnkeyedContainer(forKey: .a), deep.nestedUnkeyedContainer(forKey: .b))
        var others = b.map { _ in second.nestedContainer(keyedBy: CodingKeys.self) }
        for item in a.reversed() { _ = item }
        for item in a { try first.encode(item) }
        for index in b.indices.reversed() { try others[index].encode(b[index], forKey: .x) }
    }
}

/// Writes one key twice, and swallows a value that fails.
struct Twice: Codable, Equatable {
    var value: Int
    struct Failing: Encodable {
        func encode(to encoder: any Encoder) throws {
            var container = encoder.unkeyedContainer()
            try container.encode(1)
            throw CancellationError()
        }
    }
    enum CodingKeys: CodingKey { case value, other }
    init(value: Int) { self.value = value }
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        #expect(container.allKeys.map(\.stringValue) == ["value"])
        value = try container.decode(Int.self, forKey: .value)
    }
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode("no", forKey: .value)
        try? container.encode(Failing(), forKey: .other)
        try container.encode(value, forKey: .value)
    }
}

/// A tree of one Codable type: every level is a place of its own.
final class CodableBranch: Codable, Equatable {
    var name: String, children: [CodableBranch]
    init(_ name: String, _ children: [CodableBranch] = []) { (self.name, self.children) = (name, children) }
    static func == (a: CodableBranch, b: CodableBranch) -> Bool { a.name == b.name && a.children == b.children }
}

/// Any JSON at all.
struct Anything: Codable, Equatable {
    indirect enum Node: Equatable {
        case null, bool(Bool), int(Int), double(Double), string(String), list([Anything]), table([String: Anything])
    }
    var node: Node
    init(_ node: Node) { self.node = node }
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            node = .null
        } else if let value = try? container.decode(Bool.self) {
            node = .bool(value)
        } else if let value = try? container.decode(Int.self) {
            node = .int(value)
        } else if let value = try? container.decode(Double.self) {
            node = .double(value)
        } else if let value = try? container.decode(String.self) {
            node = .string(value)
        } else if let value = try? container.decode([Anything].self) {
            node = .list(value)
        } else {
            node = .table(try container.decode([String: Anything].self))
        }
    }
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch node {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .int(let value): try container.encode(value)
        case .double(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .list(let value): try container.encode(value)
        case .table(let value): try container.encode(value)
        }
    }
    static func random(_ depth: Int, _ random: inout some RandomNumberGenerator) -> Anything {
        switch Int.random(in: 0..<(depth > 0 ? 7 : 5), using: &random) {
        case 0: Anything(.null)
        case 1: Anything(.bool(Bool.random(using: &random)))
        case 2: Anything(.int(Int.random(in: -1000...1000, using: &random)))
        case 3: Anything(.double(Double.random(in: 0..<1, using: &random) + 0.25))
        case 4: Anything(.string("s\(Int.random(in: 0..<50, using: &random))"))
        case 5: Anything(.list((0..<Int.random(in: 0..<6, using: &random)).map { _ in .random(depth - 1, &random) }))
        default:
            Anything(
                .table(
                    Dictionary(
                        (0..<Int.random(in: 0..<6, using: &random)).map { ("k\($0)", .random(depth - 1, &random)) }
                    ) { $1 }))
        }
    }
}

@Suite struct CodableShapes {
    @Test func structsAndCustomKeys() throws {
        try expectSameAsJSON(Address(street: "a", city: "b", zip: 1, country: nil))
        try expectSameAsJSON([
            Address(street: "a", city: "b", zip: 1, country: nil),
            Address(street: "c", city: "d", zip: -1, country: "e"),
        ])
        for value in [
            Defaults(count: 3, name: "none"), Defaults(count: 4, name: "none"), Defaults(count: 3, name: "x"),
        ] {
            try expectSameAsJSON(value)
        }
        let mixed = (0..<100).map { Defaults(count: $0 % 5, name: $0 % 3 == 0 ? "none" : "n\($0)") }
        try expectSameAsJSON(mixed)
    }

    @Test func everyLeafIsExact() throws {
        try expectSameAsJSON(Numbers())
        try expectRoundTrip(CodableWide())
        let nan = try BinaryDecoder().decode(
            Wrapper<Double>.self, from: BinaryEncoder().encode(Wrapper(Double(bitPattern: 0x7ff8_0000_0000_0123))))
        #expect(nan.value.bitPattern == 0x7ff8_0000_0000_0123)
        let base = Wrapper(URL(string: "b", relativeTo: URL(string: "http://a/")))
        try expectRoundTrip(base)
        try expectRoundTrip(base, options: .init(isDeterministic: true))
        try expectRoundTrip(Numbers(), options: .init(compression: .lz4(), isDeterministic: true))
    }

    @Test func classesInheritTheirContainer() throws {
        try expectSameAsJSON(Human(name: "a", email: "b"))
        try expectSameAsJSON(Employee(name: "a", email: "b", id: 7))
        try expectSameAsJSON(Contractor(name: "a", email: "b", rate: 7.5))
    }

    @Test func enumsWithPayloads() throws {
        for value: Payload in [
            .nothing, .number(3), .pair(x: 1, label: nil), .wrap(.wrap(.nothing)), .opaque(.init(bits: 1)),
        ] {
            try expectSameAsJSON(Wrapper(value))
            try expectSameAsJSON(value)
        }
        let all = (0..<50).map { $0 % 3 == 0 ? Payload.nothing : .wrap(.pair(x: Double($0), label: "l")) }
        try expectSameAsJSON(Wrapper(all))
    }

    @Test func singleValuesAndOptionals() throws {
        try expectSameAsJSON(Wrapper(5))
        try expectSameAsJSON(Wrapper("x"))
        try expectSameAsJSON(Wrapper([1, 2]))
        try expectSameAsJSON(Wrapper(Wrapper(Wrapper(true))))
        try expectSameAsJSON(Wrapper<Int?>(nil))
        try expectSameAsJSON(Wrapper<Int??>(.some(.some(2))))
        try expectSameAsJSON(Wrapper<Address?>(Address(street: "", city: "", zip: 0)))
        try expectSameAsJSON(CodableChoice(items: [.a(1), .b("x"), .a(2)]))
        try expectSameAsJSON(CodableChoice(items: (0..<100).map { $0 % 7 == 0 ? .b("\($0)") : .a($0) }))
        try expectSameAsJSON(Empty())
        try expectRoundTrip(Silent())
    }

    @Test func containersInAnyOrder() throws {
        try expectSameAsJSON(Interleaved(a: [1, 2, 3], b: [4, 5]))
        try expectSameAsJSON((0..<30).map { Interleaved(a: Array(0..<$0 % 4), b: Array(0..<$0 % 3)) })
        try expectSameAsJSON(Twice(value: 4))
    }

    @Test func treesAndAnything() throws {
        try expectSameAsJSON(
            CodableBranch(
                "r",
                (0..<20).map {
                    CodableBranch("c\($0)", [CodableBranch("g"), CodableBranch("h", [CodableBranch("i")])])
                }))
        var random = SystemRandomNumberGenerator()
        for _ in 0..<8 {
            let values = (0..<Int.random(in: 1..<30)).map { _ in Anything.random(4, &random) }
            try expectSameAsJSON(values)
        }
        let wide = Wrapper(Dictionary(uniqueKeysWithValues: (0..<3000).map { ("key \($0)", $0) }))
        try expectSameAsJSON(wide)
    }
}
