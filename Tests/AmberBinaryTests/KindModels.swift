// Room:   AmberBinaryTests. Models with every kind of property, made from random numbers.
// Takes:  a generator. Gives: values.
// Touches: nothing.

import AmberModel
import AmberTestSupport
import Foundation
import Observation

enum Suit: String, Codable, CaseIterable { case clubs, hearts, spades }
enum Level: Int, CaseIterable { case low = -3, high = 900 }
enum Plain: CaseIterable { case a, b, c }
enum Single { case only }
enum SingleLoad: Equatable { case only(String) }
enum SingleTuple: Equatable { case only(a: Int, b: [String]) }
struct Nothing: Model, Hashable {}

enum Load: Equatable {
    case none
    case tag(UUID)
    case pair(x: Int, y: Int)
    case name(String)
    case deep([Load])
    case empty(Nothing)
    case void(Void?)
    case maybe(Int?)
    case bits(Bool, UInt8, Double)
    case suit(Suit)
    indirect case more(Load)

    static func == (left: Load, right: Load) -> Bool { "\(left)" == "\(right)" }
}

indirect enum Expression: Equatable {
    case number(Int)
    case sum(Expression, Expression)
    case call(name: String, arguments: [Expression])
    case nothing
}

enum Option<Wrapped> {
    case absent
    case present(Wrapped)
    case many([Wrapped], String)
}

struct Leaf: Model, Equatable {
    var x: Float = 0
    var y: Double = 0
    var flag = false
    var name = ""
}

struct Vertex: Model, Hashable {
    var x: Float = 0
    var y: Float = 0
    var z: Float = 0
}

struct Gaps: Model, Hashable {
    var a: Int8 = 0
    var b: Int64 = 0
    var c: Int16 = 0
    var d: UInt128 = 0
    var e: Bool = false
}

struct Tree: Model, Equatable {
    var label = ""
    var children: [Tree] = []
    var keyed: [String: Tree] = [:]
}

struct Box<Content>: Model {
    var content: Content
    var list: [Content] = []
    var optional: Content?
}

extension Box: Equatable where Content: Equatable {}
extension Box: Hashable where Content: Hashable {}

@propertyWrapper struct Clamped: Equatable {
    private var stored: Int
    init(wrappedValue: Int) { stored = min(wrappedValue, 100) }
    var wrappedValue: Int {
        get { stored }
        set { stored = min(newValue, 100) }
    }
}

@propertyWrapper struct Kept<Value> {
    var wrappedValue: Value
    var writes = 0
}

/// Every kind of property that holds no object.
struct Kinds: Model {
    var bool = false
    var i8: Int8 = 0
    var i16: Int16 = 0
    var i32: Int32 = 0
    var i64: Int64 = 0
    var i = 0
    var i128: Int128 = 0
    var u8: UInt8 = 0
    var u16: UInt16 = 0
    var u32: UInt32 = 0
    var u64: UInt64 = 0
    var u: UInt = 0
    var u128: UInt128 = 0
    var float: Float = 0
    var double = 0.0
    var cg: CGFloat = 0
    var string = ""
    var character: Character = "a"
    var scalar: Unicode.Scalar = "b"
    var substring: Substring = ""
    var data = Data()
    var date = Date(timeIntervalSinceReferenceDate: 0)
    var uuid = UUID(uuid: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
    var decimal = Decimal(0)
    var url = URL(filePath: "/")
    var point = CGPoint.zero
    var size = CGSize.zero
    var rect = CGRect.zero
    var range = 0..<1
    var closed: ClosedRange<String> = "a"..."b"
    var dates = Date(timeIntervalSinceReferenceDate: 0)..<Date(timeIntervalSinceReferenceDate: 1)
    var indexes = IndexSet()
    var duration = Duration.zero
    var suit = Suit.clubs
    var level = Level.low
    var plain = Plain.a
    var single = Single.only
    var singleLoad = SingleLoad.only("")
    var singleTuple = SingleTuple.only(a: 1, b: [])
    var load = Load.none
    var expression = Expression.nothing
    var leaf = Leaf()
    var vertex = Vertex()
    var gaps = Gaps()
    var tree = Tree()
    var nothing = Nothing()
    var tuple = (1, "a")
    var labelled = (x: 1.5, inner: (flag: true, text: "t"), nothing: ())
    var enumTuple: (Suit, Load?) = (.clubs, nil)
    var box = Box(content: 1)
    var boxes = Box(content: ["a": [1]])
    var generic = Option<Leaf>.absent
    @Clamped var clamped = 5
    @Kept var kept: String?
    @Kept var list: [Vertex] = []
    private(set) var quiet: Int16 = 3

    mutating func hush(_ value: Int16) { quiet = value }
}

/// The same kinds in optionals and collections.
struct Shapes: Model {
    var o1: Int?
    var o2: String?
    var o3: Bool?
    var o4: Data?
    var o5: Double??
    var o6: [Int]?
    var o7: Suit?
    var o8: Load?
    var o9: Leaf?
    var o10: Nothing?
    var o11: (Int, String?)?
    var o12: Single?
    var o13: URL?
    var o14: Range<Int>?
    var o15: Set<Int>?
    var o16: [String: Int]?
    var o17: Decimal?
    var o18: UInt128?
    var o19: Character?
    var o20: Int??? = nil
    var o21: Bool?? = nil
    var o22: Suit?? = nil
    var o23: [Int?]?? = nil
    var o24: Date?
    var o25: UUID?
    var o26: Float?
    var o27: Int8?
    var a1: [Bool] = []
    var a2: [String] = []
    var a3: [[Int]?] = []
    var a4: ContiguousArray<Int16> = []
    var a5: ArraySlice<String> = []
    var a6: [Load] = []
    var a7: [(Int, label: String)] = []
    var a8: [Nothing] = []
    var a9: [Void] = []
    var a10: [Gaps] = []
    var a11: [Vertex?] = []
    var a12: [Set<String>] = []
    var a13: [Expression] = []
    var a14: [Bool?] = []
    var s1: Set<Int> = []
    var s2: Set<String> = []
    var s3: Set<Gaps> = []
    var s4: Set<[Int]> = []
    var s5: Set<Suit> = []
    var s6: Set<UUID> = []
    var d1: [String: Int] = [:]
    var d2: [UUID: Int] = [:]
    var d3: [Suit: Int] = [:]
    var d4: [Double: String] = [:]
    var d5: [[Int]: String] = [:]
    var d6: [Int: [String: [Load]]] = [:]
    var d7: [Gaps: Leaf?] = [:]
    var d8: [Character: Tree] = [:]
    var d9: [Int?: Bool] = [:]
}
