// Room:   AmberReadableTests. Documents of older and newer programs, and of programs that aren't there.
// Takes:  documents written by hand. Gives: today's models; what isn't known, kept.
// Touches: the binary coder, for what goes from one archive to another.

import AmberBinary
import AmberModel
import AmberReadable
import AmberTestSupport
import Foundation
import Testing

private final class Task: Model {
    var name = ""
    var priority = 5
    var parent: Task?
    var steps: [Step] = []
    var rest = UnknownProperties()
    static var rules: ModelRules {
        ModelRules(name: "Tests.Task", formerNames: ["OlderMod.Task"], version: 3)
            .migrating(from: 1) { $0.rename("title", to: "name") }
            .migrating(from: 2) { values in
                values["priority"] = 7
                values.remove("legacy")
            }
            .reading("priority", from: "rank")
    }
}

private struct Step: Model, Equatable {
    var what: String
    var minutes: Int
    static var rules: ModelRules {
        ModelRules(name: "Tests.Step", version: 2).migrating(from: 0) { values in
            values["minutes"] = DynamicValue((values["hours"]?.int ?? 0) * 60)
            values.remove("hours")
        }
    }
}

private enum Color: Equatable {
    case red, blue
    case mixed([String])
    case other(DynamicCase)
    static func == (left: Color, right: Color) -> Bool { "\(left)" == "\(right)" }
}

private enum Paint: Equatable { case red, mixed([String]) }
private final class Painted: Model {
    var color = Paint.red
    var colors: [Paint] = []
    static var rules: ModelRules { ModelRules(name: "Tests.Painted") }
}

private final class Hooked: Model {
    var value = 0
    var log: [String] = []
    func willEncode() throws { value += 1 }
    func didDecode() throws {
        if value < 0 { throw Refusal() }
        log.append("read \(value)")
    }
}
private struct Refusal: Error {}

private final class Member: Model, Hashable {
    var id = 0
    var others: Set<Member> = []
    var counts: [Member: Int] = [:]
    static func == (left: Member, right: Member) -> Bool { left.id == right.id }
    func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
private final class BareMember: Model, Hashable {
    let id: Int
    var others: Set<BareMember>
    init(_ id: Int, _ others: Set<BareMember> = []) {
        self.id = id
        self.others = others
    }
    static func == (left: BareMember, right: BareMember) -> Bool { left.id == right.id }
    func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

private final class Holder: Model {
    var things: [Any] = []
    var any: Any?
}

private struct Coded: Codable, Equatable {
    var name: String
    var float: Float
    var date: Date
    var id: UUID
    var data: Data
    var decimal: Decimal
    var maybe: Int?
    var map: [String: [Int]]
}

@Suite struct ReadableEvolutionTests {
    private func read<T>(_ type: T.Type, _ text: String, _ options: ReadableDecodingOptions = .init()) throws -> T {
        try ReadableDecoder(options: options).decode(type, from: text)
    }

    @Test func olderVersionsMigrateStepByStep() throws {
        let task = try read(
            Task.self,
            #"{"$class":"OlderMod.Task","$version":1,"title":"A","legacy":1,"parent":{"$version":2,"name":"P"},"steps":[{"what":"w","hours":2}]}"#
        )
        #expect(task.name == "A" && task.priority == 7 && task.parent?.name == "P" && task.parent?.priority == 7)
        #expect(task.steps == [Step(what: "w", minutes: 120)])
        // A reference in a migrated object is still the same object.
        let shared = try read(
            [Task].self,
            #"[{"$version":1,"title":"A","parent":{"name":"P","$version":3}},{"$version":3,"parent":{"$alias":"0.parent"}}]"#
        )
        #expect(shared[0].parent === shared[1].parent && shared[0].parent?.name == "P")
        let newer = #expect(throws: DecodingFailure.self) { try read(Task.self, #"{"$version":9}"#) }
        #expect(newer?.code == .newerModel && newer?.description.contains("9") == true)
        #expect(
            try read(Task.self, #"{"$version":9,"name":"n","x":1}"#, .init(newerModels: .readKnownProperties)).name
                == "n")
    }

    @Test func formerNamesAndUnknownPropertiesAreKept() throws {
        let task = try read(Task.self, #"{"$version":3,"rank":9,"b":[1,{"$date":"2001-01-01"}],"$$x":null}"#)
        #expect(task.priority == 9)
        let text = try ReadableEncoder(options: .init(isPretty: false)).encodeText(task)
        #expect(text.contains(#""b":[1,{"$date":"2001-01-01T00:00:00Z"}],"$$x":null"#), "\(text)")
        #expect(text.contains(#""$version":3"#) && !text.contains("rank"))
    }

    @Test func unknownCasesAreKept() throws {
        let colors = try read([Color].self, #"["red","green",{"mixed":["a"]},{"new":{"x":1}},"blue"]"#)
        #expect(colors[0] == .red && colors[2] == .mixed(["a"]) && colors[4] == .blue)
        let text = try ReadableEncoder(options: .init(isPretty: false)).encodeText(colors)
        #expect(text == #"["red","green",{"mixed":["a"]},{"new":{"x":1}},"blue"]"#)
        #expect(throws: DecodingFailure(.unknownCase, "")) { try read([FoundationSuit].self, #"["x"]"#) }
    }

    private enum FoundationSuit: String { case hearts }

    @Test func hooksAreCalledOnce() throws {
        let hooked = Hooked()
        let text = try ReadableEncoder().encodeText([hooked, hooked])
        #expect(hooked.value == 1)
        let back = try read([Hooked].self, text)
        #expect(back[0] === back[1] && back[0].log == ["read 1"])
        #expect(throws: DecodingFailure(.rejectedByHook, "")) { try read(Hooked.self, #"{"value":-1}"#) }
    }

    @Test func setsOfObjectsThatHoldEachOtherComeBack() throws {
        let (a, b, c) = (Member(), Member(), Member())
        (a.id, b.id, c.id) = (1, 2, 3)
        a.others = [b, c]
        b.others = [a]
        c.counts = [a: 1, b: 2]
        let back = try read(Member.self, ReadableEncoder().encodeText(a))
        #expect(back.others.map(\.id).sorted() == [2, 3])
        let (b2, c2) = (back.others.first { $0.id == 2 }, back.others.first { $0.id == 3 })
        #expect(b2?.others.first === back && c2?.counts.count == 2 && b2.map { c2?.counts[$0] } == 2)
        for member in [a, b, c] { (member.others, member.counts) = ([], [:]) }
        for member in [back, b2, c2].compactMap(\.self) { (member.others, member.counts) = ([], [:]) }
        let bare = BareMember(1, [BareMember(2, [BareMember(3)])])
        #expect(difference(bare, try read(BareMember.self, ReadableEncoder().encodeText(bare))) == nil)
    }

    @Test func unknownClassesBecomeDynamicObjectsAndGoOnAsTheyWere() throws {
        let text =
            #"{"$class":"AmberReadableTests.Holder","things":[{"$class":"Gone.Thing","$version":4,"n":1,"self":{"$alias":"things.0"},"list":[1.5,null,{"k":"v"}]},{"$alias":"things.0"}],"any":{"$class":"Gone.Value","$value":[1]}}"#
        let holder = try read(Holder.self, text)
        let thing = try #require(holder.things[0] as? DynamicObject)
        #expect(thing.className == "Gone.Thing" && thing.version == 4 && thing["n"]?.int == 1)
        #expect(holder.things[1] as AnyObject === thing)
        #expect((holder.any as? DynamicAny)?.typeName == "Gone.Value")
        #expect(try ReadableEncoder(options: .init(isPretty: false)).encodeText(holder) == text)
        thing.values = ArchivedValues()
        #expect(throws: DecodingFailure(.unknownType, "")) { try read(Task.self, #"{"$class":"Gone.Thing"}"#) }
        #expect(
            try read(
                Task.self, #"{"$class":"Gone.Thing","$version":3,"name":"x"}"#,
                .init(classNames: ["Gone.Thing": Task.self])
            ).name
                == "x")
    }

    @Test func documentsBecomeBinaryArchivesWithoutTheTypes() throws {
        try ReadableDecoder.register(Task.self)
        let text =
            #"{"$class":"Tests.Task","$version":3,"name":"root","priority":2,"parent":{"$class":"Tests.Task","$version":3,"name":"top","priority":1,"parent":null,"steps":[]},"steps":[]}"#
        for root in [text, "[\(text),{\"$alias\":\"0.parent\"}]", "{\"k\":\(text)}"] {
            let value = try read(Any.self, root, .init(objects: .dynamic))
            let archive = try BinaryEncoder().encode(value)
            let dynamic = try BinaryDecoder(options: .init(objects: .dynamic)).decode(Any.self, from: archive)
            let again = try ReadableEncoder(options: .init(isPretty: false)).encodeText(dynamic)
            let first = try ReadableEncoder(options: .init(isPretty: false)).encodeText(value)
            #expect(again == first)
            // A program that has the types reads the archive.
            let models = try BinaryDecoder().decode(Any.self, from: archive)
            let task =
                (models as? Task) ?? (models as? [Any])?.first as? Task ?? (models as? [String: Any])?["k"] as? Task
            #expect(task?.parent?.name == "top" && task?.priority == 2)
        }
        // A ring, made by hand.
        let ring = try read(
            DynamicObject.self, #"{"$class":"Tests.Task","$version":3,"name":"a","parent":{"$alias":"$root"}}"#)
        let task = try BinaryDecoder().decode(Any.self, from: BinaryEncoder().encode(ring as Any)) as? Task
        #expect(task?.name == "a" && task?.parent === task)
        task?.parent = nil
        ring["parent"] = .null
        // Structs and cases say what they are.
        let typed = try read(
            Any.self,
            #"{"$class":"Tests.Task","$version":3,"name":"s","steps":[{"$struct":"Tests.Step","$version":2,"what":"w","minutes":5}]}"#,
            .init(objects: .dynamic))
        let steps = (try BinaryDecoder().decode(Any.self, from: BinaryEncoder().encode(typed)) as? Task)?.steps
        #expect(steps == [Step(what: "w", minutes: 5)])
        try ReadableDecoder.register(Painted.self)
        let painted = try read(
            Any.self,
            #"{"$class":"Tests.Painted","color":{"$case":"mixed","$class":"Tests.Paint","$value":["a"]},"colors":[{"$case":"red","$class":"Tests.Paint"}]}"#,
            .init(objects: .dynamic))
        let paint = try BinaryDecoder().decode(Any.self, from: BinaryEncoder().encode(painted)) as? Painted
        #expect(paint?.color == .mixed(["a"]) && paint?.colors == [.red])
        // And a binary archive as a document.
        let model = Task()
        model.name = "m"
        model.parent = Task()
        let other = try BinaryDecoder(options: .init(objects: .dynamic)).decode(
            Any.self, from: BinaryEncoder().encode(model as Any))
        let document = try ReadableEncoder().encodeText(other)
        let same = try read(Any.self, document) as? Task
        #expect(same?.name == "m" && same?.parent?.priority == 5)
    }

    @Test func codableValuesComeBack() throws {
        let coded = Coded(
            name: "$class", float: 1.1, date: Date(timeIntervalSinceReferenceDate: 0.1), id: UUID(),
            data: Data([1, 2]),
            decimal: Decimal(string: "0.123456789012345678901")!, maybe: nil, map: ["$date": [1], "b": []])
        for format in ReadableFormat.allCases {
            let data = try ReadableEncoder().encode([coded], as: format)
            #expect(
                try ReadableDecoder().decode([Coded].self, from: data) == [coded],
                "\(String(decoding: data, as: UTF8.self))")
        }
    }

    @Test func keyValueDictionariesComeBack() throws {
        let model = Task()
        model.name = "kv"
        model.parent = Task()
        model.steps = [Step(what: "s", minutes: 3)]
        let coder = KeyValueCoder()
        let dictionary = try coder.dictionary(of: model)
        #expect(
            dictionary["$class"] as? String == "Tests.Task"
                && (dictionary["parent"] as? [String: Any])?["parent"] == nil)
        let back = try coder.model(Task.self, from: dictionary)
        #expect(back.name == "kv" && back.steps == model.steps && back.parent != nil)
        let size = try coder.size(of: model)
        let data = try PropertyListSerialization.data(fromPropertyList: dictionary, format: .binary, options: 0)
        #expect(abs(size.bytes - data.count) < 64, "\(size.bytes) against \(data.count)")
        #expect(size.keys == dictionary.count && size.longestKey == 8)
        let older = KeyValueCoder(classKey: KeyValueCoder.olderClassKey)
        let old = try older.dictionary(of: model)
        #expect(old[KeyValueCoder.olderClassKey] as? String == "Tests.Task" && old["$class"] == nil)
        #expect(try coder.model(Task.self, from: old).steps == model.steps)
        let byHand: [String: Any] = [
            KeyValueCoder.olderClassKey: "Tests.Task", "$version": 3, "name": "h",
            "parent": [KeyValueCoder.olderClassKey: "Tests.Task", "name": "p", "$version": 3] as [String: Any],
        ]
        #expect(try coder.model(Task.self, from: byHand).parent?.name == "p")
    }

    private final class Choices: Model {
        var chosen: Int? = 5
        var free: Int?
        var inner = InnerChoices()
        var other: Choices?
    }

    private struct InnerChoices: Model {
        var name: String? = "x"
        var none: String?
    }

    @Test func whatWasSetToNilDoesNotComeBackAsItsDefault() throws {
        let choices = Choices()
        (choices.chosen, choices.inner.name) = (nil, nil)
        let dictionary = try KeyValueCoder().dictionary(of: choices)
        #expect(dictionary["chosen"] != nil && dictionary["free"] == nil && dictionary["other"] == nil)
        #expect(PropertyListSerialization.propertyList(dictionary, isValidFor: .binary))
        let back = try KeyValueCoder().model(Choices.self, from: dictionary)
        #expect(back.chosen == nil && back.inner.name == nil && back.inner.none == nil)
        let untouched = try KeyValueCoder().model(Choices.self, from: KeyValueCoder().dictionary(of: Choices()))
        #expect(untouched.chosen == 5 && untouched.inner.name == "x")
    }
}
