// Room:   FixtureTests. The types that fixtures are archives of. Never changed: what they mean is in the files.
// Takes:  nothing. Gives: models of every kind.
// Touches: nothing.

import AmberModel
import Foundation

struct Leaves: Model {
    var bool = false
    var int8: Int8 = 0
    var int16: Int16 = 0
    var int32: Int32 = 0
    var int64: Int64 = 0
    var int = 0
    var uint8: UInt8 = 0
    var uint16: UInt16 = 0
    var uint32: UInt32 = 0
    var uint64: UInt64 = 0
    var int128: Int128 = 0
    var uint128: UInt128 = 0
    var float: Float = 0
    var double = 0.0
    var date = Date(timeIntervalSinceReferenceDate: 0)
    var uuid = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    var decimal = Decimal(0)
    var string = ""
    var data = Data()

    init() {}

    /// Values near the edges of their types, another for each index.
    init(_ index: Int) {
        bool = index % 3 == 0
        int8 = index % 2 == 0 ? .min : Int8(index)
        int16 = Int16(index * 300 - 3000)
        int32 = index == 5 ? .min : Int32(index * 70_000)
        int64 = index == 6 ? .max : Int64(index) << 40
        int = -index
        uint8 = UInt8(255 - index)
        uint16 = index == 1 ? .max : 128
        uint32 = UInt32(index) &* 0x0101_0101
        uint64 = .max - UInt64(index * index)
        int128 = Int128(index - 4) << 90
        uint128 = .max - UInt128(index)
        float = [0, -0.0, .nan, .infinity, 0.1][index % 5]
        double = [Double.pi, -.infinity, .leastNonzeroMagnitude, -0.0, 1e300][index % 5]
        date = Date(timeIntervalSinceReferenceDate: Double(index) * 86_400.5)
        let byte = UInt8(index)
        uuid = UUID(uuid: (1, byte, 2, byte, 3, byte, 4, byte, 5, byte, 6, byte, 7, byte, 8, byte))
        decimal = Decimal(
            sign: index % 2 == 0 ? .plus : .minus, exponent: index - 7, significand: Decimal(index * 12_345))
        string = ["", "a", "amber", "né", "🇩🇪"][index % 5] + (index > 12 ? "\(index)" : "")
        data = Data(repeating: byte, count: index % 4)
    }
}

struct Bridged: Model {
    var character: Character = "🇩🇪"
    var scalar: Unicode.Scalar = "é"
    var substring: Substring = "sub"
    var range = -3..<9
    var closed = "a"..."z"
    var indexes = IndexSet([1, 2, 3, 9])
    var duration = Duration.nanoseconds(-5)
    var url = URL(string: "https://x.org/a?b")
    var relative = URL(string: "c/d", relativeTo: URL(string: "https://x.org/"))
    var contiguous: ContiguousArray<Int16> = [1, -1]
    var slice: ArraySlice<String> = ["x", "y"]
    var options = Options(rawValue: 5)
}

struct Options: OptionSet { let rawValue: UInt8 }

enum Suit: String { case clubs = "c", hearts = "h", spades = "s" }
enum Level: Int { case low = -3, high = 900 }

enum Shape {
    case nothing
    case circle(Double)
    case box(width: Int16, height: Int16)
    case named(String)
    case many([Shape])
    indirect case inside(Shape)
}

struct Vertex: Model {
    var x: Float = 0
    var y: Float = 0
}

struct Cell: Model {
    var row: Int32 = 0
    var column: UInt16 = 0
}

struct Mark: Model {
    var isOn = false
    var at = Vertex()
    var cell = Cell()
}

struct Collections: Model {
    var none: Int?
    var some: Int? = 7
    var nested: [Int??] = [nil, .some(nil), 5]
    var texts: [String?] = []
    var array: [[Int16]] = []
    var set: Set<Int> = []
    var sets: [Set<String>] = []
    var dictionary: [String: Int] = [:]
    var dictionaries: [[Int: String]] = []
    var tuple = (1.5, label: "t", (true, Suit.clubs))
    var tuples: [(Int, name: String)] = []
    var suits: [Suit] = []
    var levels: [Level] = []
    var shapes: [Shape] = []
    var marks: [Mark] = []
    var vertices: [Vertex] = []
    var cells: [Cell] = []
}

class Person: Model {
    var name = ""
    var friends: [Person] = []
    weak var boss: Person?
    var attributes: [String: Shape] = [:]
    required init() {}
}

final class Employee: Person {
    var salary: Decimal = 0
    var deputy: Employee?
}

final class Link: Model {
    var value: Int
    var next: Link?
    unowned var head: Link?
    init(_ value: Int) { self.value = value }
}

protocol Named {}
extension Vertex: Named {}
extension Person: Named {}

struct Anything: Model {
    var values: [Any] = []
    var one: (any Named)?
    var named: [any Named] = []
    var hashable: [AnyHashable] = []
}

struct Book: Codable {
    var title: String
    var pages: UInt16
    var tags: [String]
    var price: Double?
    var notes: [String: Int8]
    var weight: Float
    var printed: Date
    var cover: Data
    var id: UUID
    var cost: Decimal
    var parts: [Part]
    var grade: Grade
    var isOld: Bool
}

struct Part: Codable {
    var name: String
    var from: Int?
}

/// Encodes as a number or a text, so that its values are of several kinds.
enum Grade: Codable {
    case number(Int)
    case text(String)

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        do { self = .number(try container.decode(Int.self)) } catch { self = .text(try container.decode(String.self)) }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .number(let number): try container.encode(number)
        case .text(let text): try container.encode(text)
        }
    }
}

struct Shelf: Model {
    var label = ""
    var book: Book?
    var books: [Book] = []
}
