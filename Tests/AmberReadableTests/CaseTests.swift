// Room:   AmberReadableTests. Cases that broke other coders.
// Takes:  small models. Gives: what is right.
// Touches: nothing.

import AmberModel
import AmberReadable
import AmberTestSupport
import Foundation
import Observation
import Testing

private final class Firm: Model {
    var lead: Person?
    var owner: Person?
}
private final class Person: Model, Equatable {
    var id: String
    var notes: String
    init(_ id: String, _ notes: String) { (self.id, self.notes) = (id, notes) }
    static func == (left: Person, right: Person) -> Bool { left.id == right.id }
}

private final class Parent: Model {
    var child: Child?
    var name = "p"
}
private final class Child: Model {
    weak var parent: Parent?
    var name = "c"
}
private final class FirstWeak: Model {
    weak var back: Child?
    var child: Child?
}

private protocol Pet { var name: String { get } }
private class Beast: Model, Pet {
    var name: String
    init(_ name: String) { self.name = name }
}
private final class Hound: Beast {
    var tricks: Int
    init(_ name: String, tricks: Int) {
        self.tricks = tricks
        super.init(name)
    }
}
private struct Home: Model {
    var pets: [any Pet]
}

@propertyWrapper private struct Upper: Model {
    var wrappedValue: String?
}

@Observable private final class Shelf: Model {
    var title = "t"
    var count = 2
    @ObservationIgnored lazy var heavy = 5
    @ObservationIgnored weak var owner: Firm?
    var double: Int { count * 2 }
    init() {}
}
private final class Wrapped: Model {
    @Upper var name: String?
    var excluded: Parent?
    static var rules: ModelRules { ModelRules().excluding("excluded") }
}

private struct Nothing: Model, Hashable {}
private final class Deep: Model {
    var a = 34
    var sub: Sub? = Sub()
    var b = 23.12
    struct Sub: Model {
        var x = 4
        var y: String?
        var z = 24.5
    }
}
private final class Objects: Model {
    var number: NSNumber?
    var text: NSString?
    var list: NSMutableArray?
    var map: NSDictionary?
    var any: Any?
}
private final class Measured: Model {
    var meters = 1.0
    var secret = "s"
    var feet: Double {
        get { meters * 4 }
        set { meters = newValue / 4 }
    }
    static var rules: ModelRules {
        ModelRules().computing(
            "feet", get: { (owner: Measured) in owner.feet }, set: { owner, feet in owner.feet = feet }
        )
        .excluding("meters", from: [.readable, .json]).excluding("secret", from: .readable)
    }
}
private final class Bare: Model {
    var kept: Int
    var left: String?
    init(_ kept: Int) { self.kept = kept }
    static var rules: ModelRules { ModelRules().excluding("left", from: .readable) }
}

private final class Node: Model {
    var value = 0
    var next: Node?
}

@Suite struct ReadableCaseTests {
    private func trip<T>(_ value: T, _ options: ReadableEncodingOptions = .init(isPretty: false)) throws -> T {
        try ReadableDecoder().decode(T.self, from: ReadableEncoder(options: options).encode(value))
    }
    private func text<T>(_ value: T, _ options: ReadableEncodingOptions = .init(isPretty: false)) throws -> String {
        try ReadableEncoder(options: options).encodeText(value)
    }

    @Test func sharedStaysSharedAndEqualIsNotIdentical() throws {
        let firm = Firm()
        firm.lead = Person("P-1", "first")
        firm.owner = firm.lead
        let back = try trip(firm)
        #expect(back.lead === back.owner)
        firm.owner = Person("P-1", "second")
        let other = try trip(firm)
        #expect(other.lead !== other.owner && other.lead?.notes == "first" && other.owner?.notes == "second")
        let off = try text(firm, .init(isPretty: false, usesAliases: false))
        #expect(!off.contains("$alias"))
    }

    @Test func weakParentsAreConditional() throws {
        let parent = Parent()
        let child = Child()
        (parent.child, child.parent) = (child, parent)
        let back = try trip(parent)
        #expect(back.child?.parent === back)
        #expect(try text(child) == #"{"$class":"AmberReadableTests.Child","parent":null,"name":"c"}"#)
        // A weak reference that comes before the strong one.
        let first = FirstWeak()
        (first.back, first.child) = (child, child)
        let again = try trip(first)
        #expect(again.back === again.child && again.child != nil)
    }

    @Test func classesBehindProtocolsComeBack() throws {
        let home = try trip(Home(pets: [Beast("x"), Hound("y", tricks: 3)]))
        #expect(home.pets.map(\.name) == ["x", "y"] && (home.pets[1] as? Hound)?.tricks == 3)
        let missing = #expect(throws: DecodingFailure.self) {
            try ReadableDecoder().decode(Home.self, from: #"{"pets":[{"name":"x"}]}"#)
        }
        #expect(missing?.reason.contains("$class") == true)
    }

    @Test func namesAreThoseOfTheSource() throws {
        let shelf = Shelf()
        #expect(try text(shelf) == #"{"$class":"AmberReadableTests.Shelf","title":"t","count":2,"owner":null}"#)
        let back = try ReadableDecoder().decode(Shelf.self, from: #"{"title":"u"}"#)
        #expect(back.title == "u" && back.count == 2)
        for value in [nil, "", "x"] {
            let wrapped = Wrapped()
            wrapped.name = value
            wrapped.excluded = Parent()
            #expect(try trip(wrapped).name == value)
            #expect(try !text(wrapped).contains("excluded"))
        }
    }

    @Test func emptiesAndNilsStayWhatTheyAre() throws {
        #expect(try trip(Data()) == Data() && trip("") == "" && trip([Int]()) == [] && trip([String: Int]()) == [:])
        #expect(try trip([Nothing(), Nothing()]).count == 2)
        #expect(try trip([[1, 2], nil, [3, 4]] as [[Int]?]) == [[1, 2], nil, [3, 4]])
        let deep = try trip(Deep())
        #expect(deep.a == 34 && deep.sub?.z == 24.5 && deep.sub?.y == nil && deep.b == 23.12)
        #expect(try trip([nil, .some(nil), .some(1)] as [Int??]) == [nil, .some(nil), .some(1)])
        #expect(try trip(Optional<Int>.none) == nil)
    }

    @Test func keysOfAnyKindComeBack() throws {
        let id = UUID()
        #expect(try trip([id: 1]) == [id: 1])
        #expect(try trip([1.5: "a", -0.0: "b"]) == [1.5: "a", 0: "b"])
        #expect(try trip([[1, 2]: "x"]) == [[1, 2]: "x"])
        #expect(try text([true: 1, false: 2]) == #"{"$pairs":[[false,2],[true,1]]}"#)
        #expect(try text([10: 1, 9: 2, -1: 3]) == #"{"-1":3,"9":2,"10":1}"#)
        #expect(try trip(["$class": ["$alias": "$root"]]) == ["$class": ["$alias": "$root"]])
        let mixed: [AnyHashable: Int] = [1: 1, "a": 2, 1.5: 3]
        #expect(try trip(mixed) == mixed)
    }

    @Test func numbersKeepTheirKind() throws {
        let all: [Any] = [true, 1, 1.0, false, 0, 0.0]
        for format in ReadableFormat.allCases {
            let back = try ReadableDecoder().decode([Any].self, from: ReadableEncoder().encode(all, as: format))
            #expect(back.map { "\(type(of: $0)) \($0)" } == all.map { "\(type(of: $0)) \($0)" })
        }
    }

    @Test func theSameValueGivesTheSameBytes() throws {
        var one: [String: Int] = [:]
        var other: [String: Int] = [:]
        for index in 0..<200 { one["k\(index)"] = index }
        for index in (0..<200).reversed() { other["k\(index)"] = index }
        #expect(try text(one) == text(other))
        #expect(try text(Set(one.keys)) == text(Set(other.keys)))
        #expect(
            try text(Point(y: 1, x: 2), .init(isPretty: false, keyOrder: .sorted))
                == #"{"$class":"AmberReadableTests.ReadableCaseTests.Point","x":2,"y":1}"#)
    }

    private struct Point: Model {
        var y: Int
        var x: Int
    }

    @Test func foundationsObjectsAreTheValuesTheyStandFor() throws {
        let objects = Objects()
        objects.number = 5
        objects.text = "t"
        objects.list = [1, "x", true, NSNull(), 2.5]
        objects.map = ["a": NSDate(timeIntervalSinceReferenceDate: 1)]
        objects.any = NSArray(array: [NSNumber(value: true), NSString(string: "s")])
        let written = try text(objects)
        #expect(
            written
                == #"{"$class":"AmberReadableTests.Objects","number":5,"text":"t","list":[1,"x",true,null,2.5],"map":{"a":{"$date":"2001-01-01T00:00:01Z"}},"any":{"$class":"NSArray","$value":[true,"s"]}}"#
        )
        let back = try ReadableDecoder().decode(Objects.self, from: written)
        #expect(back.number == 5 && back.text == "t" && back.list == objects.list && back.map == objects.map)
        let ring = NSMutableArray()
        ring.add(ring)
        defer { ring.removeAllObjects() }
        #expect(throws: EncodingFailure(.tooDeep, "")) { try MappedJSONEncoder().encode([ring as Any]) }
    }

    @Test func computedPropertiesAndDestinations() throws {
        let measured = Measured()
        measured.meters = 2.5
        #expect(try text(measured) == #"{"$class":"AmberReadableTests.Measured","feet":10.0}"#)
        #expect(try trip(measured).meters == 2.5)
        let json = try MappedJSONEncoder().encode(measured)
        #expect(String(decoding: json, as: UTF8.self) == #"{"secret":"s","feet":10.0}"#)
        #expect(try MappedJSONDecoder().decode(Measured.self, from: json).meters == 2.5)
        #expect(try trip(Bare(3)).kept == 3 && trip([Bare(4)])[0].left == nil)
    }

    @Test func deepObjectsOfARootThatIsNoObjectComeBack() throws {
        let first = Node()
        var last = first
        for value in 1..<200 {
            last.next = Node()
            last = last.next ?? last
            last.value = value
        }
        for pretty in [true, false] {
            let text = try text([first, last], .init(isPretty: pretty))
            #expect(text.hasPrefix("{\"$root\":"))
            let back = try ReadableDecoder().decode([Node].self, from: text)
            var node: Node? = back[0]
            for value in 0..<200 {
                #expect(node?.value == value)
                if value == 199 { #expect(node === back[1]) }
                node = node?.next
            }
        }
        for format in [ReadableFormat.xmlPropertyList, .binaryPropertyList] {
            let data = try ReadableEncoder().encode([first, last], as: format)
            #expect(try ReadableDecoder().decode([Node].self, from: data)[1].value == 199)
        }
    }
}
