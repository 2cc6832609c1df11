// Room:   AmberBinaryTests. Archives of one type read by another that has its name: what a type can become.
// Takes:  pairs of types. Gives: old values in new types, or a typed error with the path.
// Touches: the binary coder.

import AmberBinary
import AmberModel
import AmberTestSupport
import Foundation
import Testing

/// Two types that stand for one before and after a change, for plain structs, mixed structs and objects.
private enum V1 {
    struct Point: Model {
        var x: Float = 1
        var y: Float = 2
        var count: Int32 = 3
        static var rules: ModelRules { ModelRules(name: "Evolving.Point") }
    }
    struct Item: Model {
        var title = "A"
        var legacy = [1, 2, 3]
        var size: Int16 = 7
        var point = Point()
        var nested: [String: [Point]] = ["p": [Point()]]
        var color: Color? = .green
        var tags = ["b", "a", "b"]
        var load = Load.text("t", 5)
        var data: Any = "x"
        static var rules: ModelRules { ModelRules(name: "Evolving.Item", version: 1) }
    }
    final class Object: Model {
        var item = Item()
        var next: Object?
        var all: [Object] = []
        weak var boss: Object?
        var dropped: Object?
        static var rules: ModelRules { ModelRules(name: "Evolving.Object") }
        init() {}
    }
    enum Color: String, ModelProtocol {
        case red, green, blue
        static var rules: ModelRules { ModelRules(name: "Evolving.Color") }
    }
    enum Load: ModelProtocol {
        case number(Int8)
        case text(String, Int)
        case gone(Double)
        case none
        static var rules: ModelRules { ModelRules(name: "Evolving.Load") }
    }
}

private enum V2 {
    struct Point: Model {
        var added = "new"
        var count: Int = 0
        var y: Double = 0
        var w: Float = 9
        var x: Float?
        static var rules: ModelRules { ModelRules(name: "Evolving.Point", version: 2) }
    }
    struct Item: Model {
        var priority = 5
        var tags: Set<String> = []
        var nested: [String: [Point]] = [:]
        var name = ""
        var point: Point? = nil
        var size: Double = 0
        var color = Color.red
        var load: Load?
        var fresh: [Int] = [4]
        static var rules: ModelRules {
            ModelRules(name: "Evolving.Item", version: 2).reading("name", from: "caption", "title")
        }
    }
    final class Object: Model {
        var extra = "kept"
        var all: [Object] = []
        weak var next: Object?
        var item: Item?
        var leader: Object?
        static var rules: ModelRules { ModelRules(name: "Evolving.Object", version: 1).reading("leader", from: "boss") }
        init() {}
    }
    enum Color: String, ModelProtocol {
        case blue, violet
        case grass = "green"
        case red
        static var rules: ModelRules { ModelRules(name: "Evolving.Color") }
    }
    enum Load: ModelProtocol {
        case none
        case text(String, Int)
        case number(Int)
        static var rules: ModelRules { ModelRules(name: "Evolving.Load") }
    }
}

private struct OldNumber<T>: Model {
    var value: T
    var list: [T]
    static var rules: ModelRules { ModelRules(name: "Evolving.Number") }
}

private struct NewNumber<T>: Model {
    var list: [T]
    var value: T
    static var rules: ModelRules { ModelRules(name: "Evolving.Number") }
}

private struct Pair<T>: Model {
    var a: T
    var b: Double
    static var rules: ModelRules { ModelRules(name: "Evolving.Pair") }
}

/// A type without an `init()`.
private struct Needy: Model {
    var x: Float
    var needed: Int
    static var rules: ModelRules { ModelRules(name: "Evolving.Point", version: 9) }
    init(x: Float) { (self.x, needed) = (x, 0) }
}

private struct BareOptional: Model {
    var x: Float
    var maybe: String?
    static var rules: ModelRules { ModelRules(name: "Evolving.Point", version: 9) }
    init(x: Float) { self.x = x }
}

@Suite struct EvolutionTests {
    static let counts = [1, 3, 8, 100]

    @Test(arguments: counts) func plainStructsGrowShrinkAndConvert(_ count: Int) throws {
        // Narrow numbers go by column, wide floats as one block.
        for isBlock in [true, false] {
            let old = (0..<count).map { index in
                V1.Point(
                    x: isBlock ? Float(index) / 3 : 0, y: Float(index) / 7,
                    count: isBlock ? Int32.max - Int32(index) * 7_777_777 : 1)
            }
            for (one, other) in zip(old, try read(old, as: [V2.Point].self)) {
                #expect(other.x == one.x && other.y == Double(one.y) && other.count == Int(one.count))
                #expect(other.added == "new" && other.w == 9)
            }
            #expect(try read(old, as: [BareOptional].self).map(\.x) == old.map(\.x))
            let failure = decodingFailure { try read(old, as: [Needy].self) }
            #expect(failure?.code == .missingValue && failure?.description.contains("needed") == true)
        }
    }

    @Test(arguments: counts) func structsAreMatchedByNameAndFormerName(_ count: Int) throws {
        let old = (0..<count).map {
            V1.Item(title: "t\($0)", size: Int16($0), load: $0 % 2 == 0 ? .number(-3) : .text("t", $0))
        }
        for (index, item) in try read(old, as: [V2.Item].self).enumerated() {
            #expect(item.name == "t\(index)" && item.priority == 5 && item.fresh == [4] && item.size == Double(index))
            #expect(item.tags == ["a", "b"] && item.point?.x == 1 && item.point?.added == "new")
            #expect(item.nested["p"]?.first?.count == 3 && item.color == .grass)
            if case .number(let number)? = item.load { #expect(number == -3 && index % 2 == 0) }
            if case .text(_, let number)? = item.load { #expect(number == index) }
        }
    }

    @Test(arguments: counts) func objectsAreMatchedByNameAndKeepTheirGraph(_ count: Int) throws {
        let old = (0..<count).map { _ in V1.Object() }
        for (index, object) in old.enumerated() {
            (object.next, object.boss, object.all) = (old[(index + 1) % count], old[0], index == 0 ? old : [])
            object.dropped = V1.Object()
            object.item.title = "\(index)"
        }
        struct Holder: Model {
            var objects: [V1.Object]
            static var rules: ModelRules { ModelRules(name: "Evolving.Holder") }
        }
        struct NewHolder: Model {
            var objects: [V2.Object]
            static var rules: ModelRules { ModelRules(name: "Evolving.Holder") }
        }
        let back = try read(Holder(objects: old), as: NewHolder.self).objects
        for (index, object) in back.enumerated() {
            #expect(object.item?.name == "\(index)" && object.extra == "kept")
            #expect(object.next === back[(index + 1) % count] && object.leader === back[0])
            #expect(object.all.count == (index == 0 ? count : 0))
        }
        for object in old { (object.next, object.all) = (nil, []) }
        for object in back { (object.leader, object.all) = (nil, []) }
    }

    @Test(arguments: counts) func numbersConvertWhenTheyFitAndFailWithThePathWhenNot(_ count: Int) throws {
        func check<A, B: Equatable>(_ value: A, _ expected: B?, line: Int = #line) throws {
            let old = OldNumber(value: value, list: Array(repeating: value, count: count))
            do {
                let new = try read(old, as: NewNumber<B>.self)
                #expect(new.value == expected && new.list == Array(repeating: new.value, count: count), "line \(line)")
            } catch let failure as DecodingFailure {
                #expect(expected == nil, "line \(line): \(failure)")
                #expect(failure.code == .doesNotFit, "line \(line): \(failure)")
                #expect(
                    failure.description.contains("value") && failure.description.contains("\(value)"),
                    "line \(line): \(failure)")
            }
            // In a row of plain structs too.
            let many = try? read(Array(repeating: Pair(a: value, b: 0.5), count: count), as: [Pair<B>].self)
            #expect(many?.map(\.a) == expected.map { Array(repeating: $0, count: count) }, "line \(line)")
        }
        try check(Int8(-5), Int64(-5))
        try check(Int64(127), Int8(127))
        try check(300, UInt8?.none)
        try check(-1, UInt?.none)
        try check(UInt64.max, Int?.none)
        try check(UInt64.max, UInt128(UInt64.max))
        try check(UInt128.max, UInt64?.none)
        try check(Int128.min, Int?.none)
        try check(18.18, Int?.none)
        try check(18.0, 18)
        try check(Double.nan, Int?.none)
        try check(Double.infinity, Int32?.none)
        try check(1e300, Float?.none)
        try check(0.5, Float(0.5))
        try check(Float(1.5), 1.5)
        try check(1 << 53 + 1, Double?.none)
        try check(1 << 53, Double(1 << 53))
        try check(UInt8(3), Float(3))
        try check(Float(3), UInt8(3))
        try check(7, Int?.some(7))
        try check(UInt32.max, Int32?.none)
        try check(Int16.min, Int16.min)
    }

    @Test(arguments: counts) func valuesBecomeOptionalsAndBack(_ count: Int) throws {
        let values = (0..<count).map { "\($0)" }
        #expect(try read(values, as: [String?].self) == values)
        #expect(try read(values.map(Optional.some), as: [String].self) == values)
        #expect(try read(values, as: [String]?.self) == values)
        #expect(try read(Optional(values), as: [String].self) == values)
        #expect(try read(values, as: [String??].self) == values)
        #expect(try read((0..<count).map { $0 as Int? }, as: [Double??].self) == (0..<count).map { Double($0) })
        let failure = decodingFailure { try read(values.map(Optional.some) + [nil], as: [String].self) }
        #expect(failure?.code == .missingValue)
        let objects = values.map { Member($0) }
        #expect(try read(objects, as: [Member?].self).map { $0?.label } == values)
        #expect(try read(objects.map(Optional.some), as: [Member].self).map(\.label) == values)
        #expect(
            decodingFailure { try read(objects.map(Optional.some) + [nil], as: [Member].self) }?.code == .missingValue)
    }

    @Test(arguments: counts) func arraysBecomeSetsAndBack(_ count: Int) throws {
        let values = (0..<count).map { $0 / 2 }
        #expect(try read(values, as: Set<Int>.self) == Set(values))
        #expect(
            try read([values, values], as: [Set<Int64>].self) == [
                Set(values.map(Int64.init)), Set(values.map(Int64.init)),
            ])
        #expect(Set(try read(Set(values), as: [Int].self)) == Set(values))
        #expect(try read(values, as: ContiguousArray<Int>.self) == ContiguousArray(values))
        #expect(Array(try read(values, as: ArraySlice<Int>.self)) == values)
        #expect(decodingFailure { try read(values, as: [Int: Int].self) }?.code == .typeMismatch)
        #expect(decodingFailure { try read(values, as: [String].self) }?.code == .typeMismatch)
        #expect(decodingFailure { try read(values, as: String.self) }?.code == .typeMismatch)
    }

    @Test(arguments: counts) func unknownCasesAndNewerModelsAreRefusedByName(_ count: Int) throws {
        let color = decodingFailure { try read(Array(repeating: V2.Color.violet, count: count), as: [V1.Color].self) }
        #expect(color?.code == .unknownCase && color?.description.contains("violet") == true)
        let load = decodingFailure { try read(Array(repeating: V1.Load.gone(1), count: count), as: [V2.Load].self) }
        #expect(load?.code == .unknownCase && load?.description.contains("gone") == true)
        let newer = decodingFailure { try read(Array(repeating: V2.Item(), count: count), as: [V1.Item].self) }
        #expect(newer?.code == .newerModel)
        #expect(newer?.description.contains("2") == true && newer?.description.contains("1") == true)
    }

    @Test func unknownPropertiesOfEveryKindArePassedOver() throws {
        func check<Value>(_ make: (inout SeededGenerator) -> Value) throws {
            var generator = SeededGenerator()
            for count in Self.counts {
                let old = (0..<count).map { _ in
                    let object = Dynamic()
                    object.any = make(&generator)
                    object.list = [1, object, "x", make(&generator)]
                    return Wide(
                        dropped: make(&generator), first: (0..<count % 30).map { _ in make(&generator) },
                        objects: [object, object])
                }
                let new = try read(old, as: [Narrow].self)
                #expect(new.allSatisfy { $0.last == "abc" && $0.strings == ["abc", "abcdef"] }, "\(generator.replay)")
                for wide in old { wide.objects[0].list = [] }
            }
        }
        try check { $0.kinds() }
        try check { $0.shapes() }
    }

    @Test func aPropertyMovesToASuperclass() throws {
        #expect(try read(Flat(), as: Tall.self).name == "flat")
        let tall = try read([Flat(), Flat()], as: [Tall].self)
        #expect(tall[1].name == "flat" && tall[1].level == 3 && tall[1].added == 1)
    }

    @Test func aRenamedClassIsReadByItsFormerName() throws {
        let kept = try read([OldItem(), OldItem()], as: [NewItem].self)
        #expect(kept.map(\.title) == ["old", "old"])
        let sub = NewSubItem()
        sub.title = "sub"
        #expect(try roundTrip([sub, NewItem()] as [NewItem])[0] is NewSubItem)
        #expect(type(of: try read([OldItem()], as: [NewItem].self)[0]) == NewItem.self)
    }

    @Test func aClassThatIsGoneIsNamed() throws {
        let archive = try BinaryEncoder().encode([Member("x")] as [Any])
        let damaged = archive.replacing(
            Data("AmberBinaryTests.Member".utf8), with: Data("AmberBinaryTests.Mxmber".utf8))
        let found = try BinaryDecoder().decode([Any].self, from: damaged)
        #expect((found.first as? DynamicObject)?.className == "AmberBinaryTests.Mxmber")
        let failure = decodingFailure { try BinaryDecoder().decode([Member].self, from: damaged) }
        #expect(failure != nil)
    }

    @Test func fingerprintsOfOtherTypesAreRefused() throws {
        let archive = try BinaryEncoder(options: .init(schema: .fingerprint)).encode([V1.Point()])
        #expect(decodingFailure { try BinaryDecoder().decode([V2.Point].self, from: archive) }?.code == .typeMismatch)
        #expect(try BinaryDecoder().decode([V1.Point].self, from: archive).count == 1)
    }
}

private struct Narrow: Model {
    var last = "end"
    var strings = ["abc", "def"]
    static var rules: ModelRules { ModelRules(name: "Evolving.Wide") }
}

private struct Wide<Value>: Model {
    var dropped: Value
    var first: [Value]
    var last = "abc"
    var objects: [Dynamic] = []
    var strings = ["abc", "abcdef"]
    static var rules: ModelRules { ModelRules(name: "Evolving.Wide") }
}

final class Flat: Model {
    var level = 3
    var name = "flat"
    static var rules: ModelRules { ModelRules(name: "Evolving.Flat") }
    init() {}
}

class TallBase: Model {
    var name = ""
    var added = 1
    class var rules: ModelRules { ModelRules() }
    required init() {}
}

final class Tall: TallBase {
    var level = 0
    override class var rules: ModelRules { ModelRules(name: "Evolving.Flat") }
}

final class OldItem: Model {
    var title = "old"
    static var rules: ModelRules { ModelRules(name: "Gone.Item") }
    init() {}
}

class NewItem: Model {
    var title = ""
    class var rules: ModelRules { ModelRules(formerNames: ["Gone.Item"]) }
    required init() {}
}

final class NewSubItem: NewItem {}
