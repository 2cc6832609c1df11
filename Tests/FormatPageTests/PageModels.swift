// Room:   FormatPageTests. The types that the format page's examples are made of.
// Takes:  nothing. Gives: models with short names.
// Touches: nothing.

import AmberModel
import Foundation

struct Point: Model {
    static var rules: ModelRules { ModelRules(name: "Point") }
    var x: Int16
    var y: Int16
}

struct Vertex: Model {
    static var rules: ModelRules { ModelRules(name: "Vertex") }
    var x: Float
    var y: Float
}

struct Extent: Model {
    static var rules: ModelRules { ModelRules(name: "Extent") }
    var width: Int32
    var height: UInt32
}

struct Mark: Model {
    static var rules: ModelRules { ModelRules(name: "Mark") }
    var isOn: Bool
    var at: Vertex
}

final class Node: Model {
    static var rules: ModelRules { ModelRules(name: "Node") }
    var name = ""
    var next: Node?
}

class Animal: Model {
    class var rules: ModelRules { ModelRules(name: "Animal") }
    var name: String = ""
    weak var friend: Animal?
    required init() {}
}

final class Dog: Animal {
    override class var rules: ModelRules { ModelRules(name: "Dog", version: 2) }
    var tricks: UInt8 = 0
}

struct Leaves: Model {
    static var rules: ModelRules { ModelRules(name: "Leaves") }
    var bool = true
    var int8: Int8 = -1
    var int16: Int16 = -1
    var int32: Int32 = 300
    var int64: Int64 = -300
    var uint8: UInt8 = 255
    var uint16: UInt16 = 255
    var uint32: UInt32 = 16384
    var uint64: UInt64 = .max
    var int128: Int128 = -2
    var uint128: UInt128 = 1 << 100
    var float = Float.nan
    var double = 1.5
    var date = Date(timeIntervalSinceReferenceDate: 0.5)
    var uuid = UUID(uuid: (0, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff))
    var decimal = Decimal(sign: .minus, exponent: -2, significand: 1205)
    var string = "né"
    var data = Data([1, 2, 3])
}

enum Suit: String, ModelProtocol {
    case clubs = "c"
    case hearts = "h"

    static var rules: ModelRules { ModelRules(name: "Suit") }
}

enum Shape: ModelProtocol {
    case nothing
    case circle(Double)
    case box(width: Int16, height: Int16)

    static var rules: ModelRules { ModelRules(name: "Shape") }
}

struct Shapes: Model {
    static var rules: ModelRules { ModelRules(name: "Shapes") }
    var none: Int?
    var some: Int? = 7
    var nested: Int?? = .some(nil)
    var array: [UInt8] = [1, 2]
    var set: Set<Int> = [5, 3]
    var dictionary = ["one": true]
    var tuple = (1.5, label: "t")
    var suit = Suit.hearts
    var shapes: [Shape] = [.nothing, .circle(0.5), .box(width: 3, height: -4)]
}

struct Bridged: Model {
    static var rules: ModelRules { ModelRules(name: "Bridged") }
    var character: Character = "é"
    var scalar: Unicode.Scalar = "b"
    var range = 3..<9
    var indexes = IndexSet([1, 2, 3, 9])
    var duration = Duration.nanoseconds(5)
    var url: URL? = URL(string: "a?b", relativeTo: URL(string: "https://x.org/"))
}

struct Book: Codable {
    var title: String
    var pages: UInt16
    var tags: [String]
    var price: Double?
    var notes: [String: Int8]
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

struct Report: Codable {
    var grade: Grade
    var remark: String?
}
