// Room:   AmberReadableTests. What every document must keep.
// Takes:  models of many kinds. Gives: the same after a document.
// Touches: nothing.

import AmberModel
import AmberReadable
import AmberTestSupport
import Foundation
import Testing

private final class Person: Model {
    var name = ""
    var friends: [Person] = []
    weak var boss: Person?
    var born: Date?
    init() {}
    convenience init(_ name: String) {
        self.init()
        self.name = name
    }
}

private struct Point: Model, Equatable, Hashable {
    var x: Int
    var y: Double
}

private enum Suit: String, CaseIterable { case hearts, spades = "SP" }
private enum Level: Int { case low = 1, high = 10 }
private enum Shape: Equatable {
    case none
    case tag(UUID)
    case pair(x: Int, y: Int)
    indirect case nested(Shape)
}

private class Animal: Model {
    var name: String
    init(_ name: String) { self.name = name }
}
private final class Dog: Animal {
    var tricks: Int
    init(_ name: String, tricks: Int) {
        self.tricks = tricks
        super.init(name)
    }
}

private struct Kinds: Model {
    var flag: Bool
    var small: Int8
    var unsigned: UInt64
    var wide: Int128
    var float: Float
    var double: Double
    var text: String
    var character: Character
    var data: Data
    var date: Date
    var uuid: UUID
    var url: URL
    var decimal: Decimal
    var maybe: Int?
    var nested: Int??
    var list: [Point]
    var set: Set<String>
    var byName: [String: Int]
    var byNumber: [Int: String]
    var byPoint: [Point: Int]
    var bySuit: [Suit: Int]
    var byID: [UUID: Int]
    var pair: (Int, String)
    var labelled: (a: Int, b: Double)
    var suit: Suit
    var level: Level
    var shapes: [Shape]
    var any: Any
    var anys: [Any]
    var range: Range<Int>
    var indices: IndexSet
}

@Suite struct ReadableBasicTests {
    private func text<T>(_ value: T, _ options: ReadableEncodingOptions = .init()) throws -> String {
        try ReadableEncoder(options: options).encodeText(value)
    }

    @Test func aGraphWithACycleComesBack() throws {
        let ann = Person("Ann")
        let bob = Person("Bob \"B\" \u{1}é🙂")
        ann.friends = [bob, ann]
        bob.boss = ann
        bob.friends = [ann]
        bob.born = Date(timeIntervalSinceReferenceDate: 542911754.16538298)
        let text = try text(ann)
        let back = try ReadableDecoder().decode(Person.self, from: text)
        #expect(back.name == "Ann")
        #expect(back.friends[1] === back)
        #expect(back.friends[0].boss === back)
        #expect(back.friends[0].friends[0] === back)
        #expect(back.friends[0].name == bob.name)
        #expect(back.friends[0].born == bob.born)
        #expect(
            text == """
                {
                  "$class": "AmberReadableTests.Person",
                  "name": "Ann",
                  "friends": [
                    {
                      "name": "Bob \\"B\\" \\u0001é🙂",
                      "friends": [
                        {
                          "$alias": "$root"
                        }
                      ],
                      "boss": {
                        "$alias": "$root"
                      },
                      "born": "2018-03-16T16:49:14.165383Z"
                    },
                    {
                      "$alias": "$root"
                    }
                  ],
                  "boss": null,
                  "born": null
                }

                """)
    }

    @Test func everyKindComesBack() throws {
        let id = UUID()
        let kinds = Kinds(
            flag: true, small: -128, unsigned: .max, wide: .min, float: 1.1, double: -0.0, text: "$class",
            character: "é", data: Data([0, 255]), date: Date(timeIntervalSinceReferenceDate: -1.5), uuid: id,
            url: URL(string: "https://example.com/a?b=c")!, decimal: Decimal(string: "0.123456789012345678901")!,
            maybe: nil, nested: .some(nil), list: [Point(x: 1, y: 0.1), Point(x: -2, y: .leastNonzeroMagnitude)],
            set: ["b", "a"], byName: ["$alias": 1, "": 2, "$$x": 3], byNumber: [10: "ten", 9: "nine"],
            byPoint: [Point(x: 1, y: 2): 3], bySuit: [.spades: 1, .hearts: 2], byID: [id: 7], pair: (1, "one"),
            labelled: (a: 2, b: 0.5), suit: .spades, level: .high,
            shapes: [.none, .tag(id), .pair(x: 1, y: -1), .nested(.nested(.none))], any: UInt8(7),
            anys: [
                true, 1, 1.0, "text", Float(0.1), Date(timeIntervalSinceReferenceDate: 1), Data([1]), id,
                Point(x: 3, y: 4),
                Suit.hearts, [1, 2], ["a": 1], [1 as Any, "x"], ["k": 2.5 as Any],
            ], range: 3..<9, indices: IndexSet([1, 2, 5]))
        let text = try text(kinds)
        let back = try ReadableDecoder().decode(Kinds.self, from: text)
        #expect(back.flag && back.small == -128 && back.unsigned == .max && back.wide == .min)
        #expect(back.float == 1.1 && back.double.sign == .minus && back.double == 0)
        #expect(back.text == "$class" && back.character == "é" && back.data == kinds.data)
        #expect(back.date == kinds.date && back.uuid == id && back.url == kinds.url && back.decimal == kinds.decimal)
        #expect(back.maybe == nil && back.nested == .some(.none))
        #expect(back.list == kinds.list && back.set == kinds.set && back.byName == kinds.byName)
        #expect(back.byNumber == kinds.byNumber && back.byPoint == kinds.byPoint && back.bySuit == kinds.bySuit)
        #expect(back.byID == kinds.byID && back.pair == kinds.pair && back.labelled == kinds.labelled)
        #expect(back.suit == .spades && back.level == .high && back.shapes == kinds.shapes)
        #expect(back.any as? UInt8 == 7)
        #expect(back.range == 3..<9 && back.indices == kinds.indices)
        for (a, b) in zip(back.anys, kinds.anys) { #expect(type(of: a) == type(of: b), "\(a) \(b)") }
        #expect(back.anys.count == kinds.anys.count)
        #expect((back.anys[9] as? Suit) == .hearts)
        // Sorted twice, the same.
        #expect(try self.text(back) == text)
    }

    @Test func subclassesAreNamed() throws {
        let animals: [Animal] = [Animal("x"), Dog("y", tricks: 3)]
        let text = try text(animals, .init(isPretty: false))
        #expect(text == #"[{"name":"x"},{"$class":"AmberReadableTests.Dog","name":"y","tricks":3}]"#)
        let back = try ReadableDecoder().decode([Animal].self, from: text)
        #expect((back[1] as? Dog)?.tricks == 3)
        #expect(type(of: back[0]) == Animal.self)
    }

    @Test func aliasesMayPointForward() throws {
        for document in [
            #"{"pick":{"$alias":"list.1"},"list":["north","south","east"]}"#,
            #"{"list":["north","south","east"],"pick":{"$alias":"list.1"}}"#,
        ] {
            let any = try #require(try ReadableDecoder().decode(Any.self, from: document) as? [String: Any])
            #expect(any["pick"] as? String == "south")
        }
        let people = try ReadableDecoder().decode(
            [String: Person].self, from: #"{"a":{"$alias":"b.friends.0"},"b":{"friends":[{"name":"c"}]}}"#)
        #expect(people["a"] === people["b"]?.friends[0])
        for path in ["list.9", "nowhere", "pick", "list.x"] {
            let failure = #expect(throws: DecodingFailure.self) {
                try ReadableDecoder().decode(Any.self, from: #"{"pick":{"$alias":"\#(path)"},"list":["n"]}"#)
            }
            #expect(failure?.code == .corrupt)
            #expect(failure?.position != nil)
        }
    }

    @Test func aLongListNeedsNoDeepStack() throws {
        final class Node: Model {
            var value = 0
            var next: Node?
        }
        let ok = onSmallStack { () -> Bool in
            let first = Node()
            var last = first
            for value in 1..<100_000 {
                let node = Node()
                node.value = value
                last.next = node
                last = node
            }
            defer {
                var node: Node? = first
                while let next = node?.next {
                    node?.next = nil
                    node = next
                }
            }
            guard let data = try? ReadableEncoder(options: .init(isPretty: false)).encode(first),
                let back = try? ReadableDecoder().decode(Node.self, from: data)
            else { return false }
            var count = 0
            var node: Node? = back
            var isGood = true
            while let here = node {
                if here.value != count { isGood = false }
                count += 1
                node = here.next
                here.next = nil
            }
            return isGood && count == 100_000
        }
        #expect(ok)
    }
}
