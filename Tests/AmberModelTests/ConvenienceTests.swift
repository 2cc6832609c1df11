// Room:   AmberModelTests. Models to dictionaries and back, merged, copied, compared, described.
// Takes:  models of every kind, graphs with cycles, long chains. Gives: the same by another way, or errors with a path.
// Touches: the conveniences alone.

import AmberModel
import AmberTestSupport
import Foundation
import Testing

private enum Level: Int { case low = 1, high = 5 }
private enum Tone: String { case soft = "S", loud = "L" }

private class Party: Model, Hashable {
    required init() {}
    var name = ""
    var age = 3
    var nick: String?
    var level = Level.low
    var tone = Tone.soft
    var born: Date?
    var link: URL?
    var id: UUID?
    var ratio = 0.5
    var small: UInt8 = 0
    var isOpen = false
    var tags: Set<String> = []
    var scores: [Int] = []
    var byName: [String: Double] = [:]
    var place = Spot()
    var friend: Party?
    var friends: [Party] = []
    weak var boss: Party?
    var any: Any?
    var secret = "hidden"
    var half: Double {
        get { ratio / 2 }
        set { ratio = newValue * 2 }
    }
    class var rules: ModelRules {
        ModelRules().excluding("secret", from: .dictionary).computing("half", \Party.half).storing("age", as: "years")
            .reading("name", from: "title")
    }
    static func == (left: Party, right: Party) -> Bool { left === right }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

private final class Guest: Party {
    var seat = 1
    var known: Set<Party> = []
    var notes: [Party: String] = [:]
    private lazy var cache = "lazy"
}

private struct Spot: Model, Equatable {
    var x = 0.0
    var y = 0.0
    var label: String?
}

private struct Checked: Model, ValidatedModel {
    var number: Int
    var text: String
    var more: Spot?
    init(number: Int) { (self.number, text) = (number, "t") }
    static var rules: ModelRules { ModelRules().making("text") { "made" } }
    func validate() throws { if number < 0 { throw Refused() } }
    struct Refused: Error {}
}

private final class Chain: Model {
    var next: Chain?
    var number = 0
    weak var before: Chain?
    deinit {
        // Taken apart link by link.
        var link = next
        next = nil
        while isKnownUniquelyReferenced(&link) {
            let following = link?.next
            link?.next = nil
            link = following
        }
    }
}

private final class Observed: Model {
    var value = 1
    var other: Observed?
}

@Suite struct ConvenienceTests {
    @Test func dictionaries() throws {
        let party = Party()
        party.name = "Ann"
        party.friend = party
        party.secret = "kept"
        let values = try party.dictionaryValue
        #expect(values["name"] as? String == "Ann")
        #expect(values["age"] as? Int == 3)
        #expect(values["friend"] as? Party === party)
        #expect(values["half"] as? Double == 0.25)
        #expect(values["nick"] == nil && values["boss"] == nil && values["secret"] == nil && values["any"] == nil)
        #expect(try Party.propertyKeys.contains("half") && !Party.propertyKeys.contains("secret"))
        #expect(try Guest.propertyKeys.count == Party.propertyKeys.count + 3)
        #expect(try Spot(x: 1).dictionaryValue.keys.sorted() == ["x", "y"])
        let again = try Party.instance(from: values)
        #expect(again.name == "Ann" && again.friend === party)
    }

    @Test func instancesOfDictionaries() throws {
        let id = UUID()
        let dictionary: [String: Any] = [
            "title": "T", "years": "7", "nick": NSNull(), "level": 5, "tone": "L", "link": "http://a.example/",
            "id": id.uuidString, "ratio": 2, "small": 200.0, "isOpen": 1, "tags": ["a", "b"], "scores": [1, "2", 3.0],
            "byName": ["x": 1, "y": "2.5"], "place": ["x": "1.5", "label": 4],
            "friend": ["name": "F", "friend": NSNull()],
            "friends": [["name": "1"], ["name": "2"]], "boss": NSNull(), "any": 5, "half": 4, "secret": "s",
            "unknown": 1,
        ]
        let party = try Party.instance(from: dictionary)
        #expect(party.name == "T" && party.age == 7 && party.nick == nil && party.level == .high && party.tone == .loud)
        #expect(party.link?.absoluteString == "http://a.example/" && party.id == id)
        #expect(party.ratio == 8 && party.small == 200 && party.isOpen && party.tags == ["a", "b"])
        #expect(party.scores == [1, 2, 3] && party.byName == ["x": 1, "y": 2.5])
        #expect(party.place == Spot(x: 1.5, label: "4"))
        #expect(party.friend?.name == "F" && party.friends.map(\.name) == ["1", "2"])
        #expect(party.any as? Int == 5 && party.secret == "hidden")
        let json = try JSONSerialization.jsonObject(
            with: Data(
                #"{"name": "J", "age": 4, "isOpen": true, "scores": [1, 2], "place": {"x": 1}, "ratio": 0.25}"#.utf8))
        let read = try #require(try Party.instance(from: json as Any?))
        #expect(read.name == "J" && read.age == 4 && read.isOpen && read.scores == [1, 2] && read.place.x == 1)
        let none: Any? = nil
        #expect(try Party.instance(from: none) == nil)
        #expect(try Party.instance(from: NSNull() as Any?) == nil)
        #expect(try Party.instance(from: party as Any?) === party)
        #expect(try Spot.instances(from: [["x": 1], nil, NSNull(), Spot(x: 2)]).map(\.x) == [1, 2])
        #expect(try Checked.instance(from: ["number": 4]).text == "made")
    }

    private enum Outline: Equatable {
        case dot
        case circle(Double)
        case box(width: Int, height: Int)
    }

    private struct Forms: Model {
        var outline = Outline.dot
        var outlines: [Outline] = []
        var date = Date(timeIntervalSinceReferenceDate: 0)
        var data = Data()
        var decimal = Decimal(0)
        var pair = (x: 0, text: "")
    }

    @Test func formsOfOtherWorldsBecomeTheTypesOfProperties() throws {
        let forms = try Forms.instance(from: [
            "outline": ["circle": 2], "outlines": ["dot", ["box": ["width": 1, "height": "2"]], ["box": [3, 4]]],
            "date": "2001-01-01T00:00:01Z", "data": "AQI=", "decimal": "0.123456789012345678901",
            "pair": ["text": "t", "x": 1] as [String: Any],
        ])
        #expect(forms.outline == .circle(2))
        #expect(forms.outlines == [.dot, .box(width: 1, height: 2), .box(width: 3, height: 4)])
        #expect(forms.date == Date(timeIntervalSinceReferenceDate: 1) && forms.data == Data([1, 2]))
        #expect("\(forms.decimal)" == "0.123456789012345678901" && forms.pair == (1, "t"))
        let wrong: [([String: Any], String)] = [
            (["outline": ["circle": "x"]], "outline.circle"), (["outline": ["square": 2]], "outline"),
            (["outline": ["dot": 2]], "outline"), (["outline": "circle"], "outline"), (["date": "soon"], "date"),
            (["date": 5], "date"), (["data": "?"], "data"), (["pair": ["x": 1]], "pair"),
        ]
        for (dictionary, path) in wrong {
            let failure = decodingFailure { try Forms.instance(from: dictionary) }
            #expect(failure?.path.description == path, "\(String(describing: failure))")
        }
    }

    @Test func whatDoesNotFit() throws {
        let cases: [([String: Any], String, DecodingFailure.Code)] = [
            (["age": 1.5], "age", .typeMismatch), (["small": 300], "small", .typeMismatch),
            (["age": "x"], "age", .typeMismatch), (["name": NSNull()], "name", .missingValue),
            (["scores": [1, "no"]], "scores[1]", .typeMismatch), (["isOpen": 2], "isOpen", .typeMismatch),
            (["place": ["x": "?"]], "place.x", .typeMismatch), (["level": 3], "level", .typeMismatch),
            (["friend": ["friend": ["age": []]]], "friend.friend.age", .typeMismatch),
            (["age": true], "age", .typeMismatch), (["byName": ["k": []]], "byName.k", .typeMismatch),
        ]
        for (dictionary, path, code) in cases {
            let failure = decodingFailure { try Party.instance(from: dictionary) }
            #expect(
                failure?.code == code && failure?.path.description == path,
                "\(dictionary): \(String(describing: failure))")
        }
        #expect(decodingFailure { try Checked.instance(from: ["number": -1]) }?.code == .invalid)
        #expect(decodingFailure { try Checked.instance(from: [:]) }?.code == .missingValue)
        #expect(decodingFailure { try Spot.instances(from: [["x": 1], ["x": "?"]]) }?.path.description == "[1].x")
        #expect(decodingFailure { try Party.instance(from: 5 as Any?) }?.code == .typeMismatch)
        var deep: [String: Any] = ["name": "end"]
        for _ in 0..<1000 { deep = ["friend": deep] }
        let nested = deep
        #expect(decodingFailure { try Party.instance(from: nested) }?.code == .limitExceeded)
    }

    @Test func merging() throws {
        let (one, other) = (Guest(), Guest())
        (one.name, one.seat, one.age) = ("one", 1, 10)
        (other.name, other.seat, other.age, other.nick) = ("other", 2, 20, "n")
        other.boss = one
        try one.merge(other, properties: ["name", "nick", "boss"])
        #expect(one.name == "other" && one.nick == "n" && one.seat == 1 && one.age == 10 && one.boss === one)
        try one.merge(other) { name, own, theirs in
            if name == "age", let own = own as? Int, let theirs = theirs as? Int { return own + theirs }
            return name == "nick" ? nil : theirs
        }
        #expect(one.age == 30 && one.seat == 2 && one.nick == nil)
        var spot = Spot(x: 1, y: 2, label: "l")
        try spot.merge(Spot(x: 5, y: 6), properties: ["x", "label"])
        #expect(spot == Spot(x: 5, y: 2))
        #expect(decodingFailure { try one.merge(other, properties: ["nothing"]) }?.code == .invalidRules)
        #expect(decodingFailure { try one.merge(other) { _, _, _ in "text" } } != nil)
        #expect(one.age == 30)
    }

    private func graph() -> Guest {
        let (guest, other) = (Guest(), Guest())
        (guest.name, other.name) = ("g", "o")
        guest.friend = other
        other.friend = guest
        other.boss = guest
        guest.friends = [other, guest, other]
        guest.known = [guest, other]
        guest.notes = [other: "note"]
        guest.any = [other as Any, 5]
        guest.secret = "s"
        guest.place = Spot(x: 3, label: "here")
        return guest
    }

    @Test func copies() throws {
        let guest = graph()
        let copy = try guest.deepCopy()
        let other = try #require(copy.friend as? Guest)
        #expect(copy !== guest && other !== guest.friend && other.friend === copy && other.boss === copy)
        #expect(copy.friends.count == 3 && copy.friends[0] === other && copy.friends[1] === copy)
        #expect(copy.known == [copy, other] && copy.notes[other] == "note")
        #expect((copy.any as? [Any])?.first as? Party === other)
        #expect(copy.secret == "s" && copy.place == guest.place && copy.name == "g")
        copy.friends[0].name = "changed"
        #expect(guest.friends[0].name == "o")
        struct Root: Model {
            var one: Chain
            var two: [Chain]
        }
        let chain = Chain()
        let root = try Root(one: chain, two: [chain]).deepCopy()
        #expect(root.one === root.two[0] && root.one !== chain)
        for party in [guest, copy] {
            party.friend?.friend = nil
            (party.known, party.notes, party.friends, party.any) = ([], [:], [], nil)
        }
    }

    @Test func differences() throws {
        let (one, other) = (graph(), graph())
        #expect(try one.isStructurallyEqual(to: other))
        #expect(try one.isStructurallyEqual(to: try one.deepCopy()))
        #expect(try one.structuralHash == other.structuralHash)
        other.friend?.name = "x"
        other.place.label = nil
        other.scores = [1]
        let found = try one.differences(from: other)
        let paths = Set(found.map(\.path.description))
        #expect(paths.isSuperset(of: ["place.label", "scores[0]", "friend.name"]), "\(found)")
        #expect(found.first { $0.path.description == "friend.name" }?.right as? String == "x")
        #expect(try one.structuralHash != other.structuralHash)
        #expect(try !one.isStructurallyEqual(to: other))
        #expect(try Spot(x: .nan).isStructurallyEqual(to: Spot(x: .nan)))
        #expect(try Spot(x: 1).differences(from: Spot(x: 2)).map(\.description) == ["x: 1.0 and 2.0"])
        let (a, b) = (Party(), Guest())
        #expect(try !(a as Party).isStructurallyEqual(to: b))
        let (c, d) = (Party(), Party())
        (c.byName, d.byName) = (["a": 1, "b": 2], ["a": 1, "b": 3])
        #expect(try c.differences(from: d).map(\.path.description) == ["byName.b"])
        (c.tags, d.tags) = (["x", "y"], ["y", "z"])
        #expect(try c.differences(from: d).count == 3)
    }

    @Test func descriptions() throws {
        let text = graph().graphDescription
        #expect(text.contains("friend: AmberModelTests.Guest#2") && text.contains("name: \"o\""))
        #expect(text.components(separatedBy: "\n").count < 80)
        #expect(Spot(x: 1).graphDescription.contains("x: 1.0"))
    }

    @Test func longChainsOnASmallStack() {
        let failures: [String] = onSmallStack {
            var failures: [String] = []
            var deep: [String: Any] = ["name": "end"]
            for _ in 0..<60 { deep = ["friends": [deep]] }
            do {
                _ = try Party.instance(from: deep)
                failures.append("no limit")
            } catch { if (error as? DecodingFailure)?.code != .limitExceeded { failures.append("\(error)") } }
            func chain() -> Chain {
                let first = Chain()
                var last = first
                for number in 1..<100_000 {
                    let link = Chain()
                    link.number = number
                    link.before = last
                    last.next = link
                    last = link
                }
                return first
            }
            do {
                let one = chain()
                let copy = try one.deepCopy()
                if try !one.isStructurallyEqual(to: copy) { failures.append("not equal") }
                var last = copy
                while let next = last.next { last = next }
                if last.number != 99_999 || last.before?.number != 99_998 { failures.append("not copied") }
                last.number = -1
                if try one.differences(from: copy).count != 1 { failures.append("no difference") }
                if try one.structuralHash != copy.structuralHash { failures.append("no hash") }
                if !one.graphDescription.contains("objects more") { failures.append("no end") }
            } catch { failures.append("\(error)") }
            return failures
        }
        #expect(failures.isEmpty, "\(failures)")
    }
}

@Suite struct DynamicTextTests {
    @Test func aDynamicGraphIsTextThatEnds() {
        let (first, second) = (DynamicObject(className: "Shop.Order"), DynamicObject(className: "Shop.Line"))
        first["lines"] = .array([DynamicValue(second)])
        first["number"] = 7
        second["order"] = .object(DynamicReference(first))
        second["size"] = .any(DynamicAny(typeName: "UInt8", value: 5, origin: nil))
        #expect(
            DynamicValue(first).description == """
                Shop.Order#1
                  lines: [Shop.Line#2]
                  number: 7
                Shop.Line#2
                  order: Shop.Order#1
                  size: UInt8 5
                """)
        #expect(DynamicValue(first).description == first.graphDescription)
        #expect(([1, nil, "two"] as DynamicValue).description == #"[1, nil, "two"]"#)
        second["order"] = nil
    }
}
