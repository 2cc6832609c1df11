// Room:   AmberReadableTests. The page of the format says what the code does.
// Takes:  the blocks of Documentation/ReadableFormat.md. Gives: failures that name the block.
// Touches: one file, read only.

import AmberModel
import AmberReadable
import Foundation
import Testing

private class Person: Model {
    var name = ""
    var age = 0
    var born: Date?
    var photo: Data?
    var home: Address?
    var friends: [Person] = []
    weak var boss: Person?
    var notes: [String: Any] = [:]
    required init() {}
    class var rules: ModelRules { ModelRules(name: "Person") }
}
private final class Employee: Person {
    var salary = Decimal()
    override class var rules: ModelRules { ModelRules(name: "Employee") }
}
private struct Address: Model {
    var street: String
    var city: String?
}

private final class Lamp: NSObject, NSCoding {
    let colour: String
    let watts: Int
    required init?(coder: NSCoder) {
        colour = coder.decodeObject(forKey: "colour") as? String ?? ""
        watts = coder.decodeInteger(forKey: "watts")
    }
    func encode(with coder: NSCoder) {
        coder.encode(colour, forKey: "colour")
        coder.encode(watts, forKey: "watts")
    }
}
private final class Desk: Model {
    var label: NSString = ""
    var opened: NSDate?
    var papers: NSMutableArray?
    var drawers: NSDictionary?
    var lamp: Lamp?
    var top: Any?
    static var rules: ModelRules { ModelRules(name: "Desk") }
}

@Suite struct ReadablePageTests {
    private func blocks(_ kind: String) throws -> [String] {
        let page = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Documentation/ReadableFormat.md")
        return try String(contentsOf: page, encoding: .utf8).components(separatedBy: "<!-- \(kind)").dropFirst().map {
            let rest = $0.components(separatedBy: "```json\n").dropFirst().first ?? ""
            return rest.components(separatedBy: "```").first ?? ""
        }
    }

    @Test func everyPersonOfThePageIsRead() throws {
        try ReadableDecoder.register(Person.self, Employee.self)
        let people = try blocks("person").map { try ReadableDecoder().decode(Person.self, from: $0) }
        try #require(people.count == 6)
        #expect(people[0].friends.map(\.name) == ["Bob", "Cid"] && people[0].home?.street == "Main St. 1")
        #expect((people[1].friends[0] as? Employee)?.salary == Decimal(string: "1000.5"))
        #expect(people[2].boss === people[2].friends[1] && people[2].friends[0].boss === people[2])
        #expect(people[2].friends[1].friends[0] === people[2].friends[0])
        #expect(people[3].friends[0].name == "Bob")
        #expect(people[4].photo == Data([0, 1, 2]) && people[4].born != nil)
        let notes = people[5].notes
        #expect(notes["count"] as? Int == 1 && notes["ratio"] as? Double == 0.5 && notes["flag"] as? Bool == true)
        #expect(notes["when"] is Date && notes["small"] as? UInt8 == 5 && notes["ids"] as? [Int] == [1, 2])
        #expect((notes["who"] as? Employee)?.name == "Eve")
        // What the encoder makes of them comes back the same.
        for person in people {
            let text = try ReadableEncoder().encodeText(person)
            let again = try ReadableEncoder().encodeText(ReadableDecoder().decode(Person.self, from: text))
            #expect(again == text)
            for one in [person] + person.friends { one.friends = [] }
        }
    }

    @Test func everyOtherBlockIsReadToo() throws {
        let values = try blocks("any").map { try ReadableDecoder().decode(Any.self, from: $0) }
        try #require(values.count == 4)
        #expect((values[0] as? DynamicObject)?.version == 2)
        #expect((values[1] as? [String: Any])?["pick"] as? String == "found")
        let keys = try #require(values[2] as? [String: Any]).keys.sorted()
        #expect(keys == ["$$x", "$class", "$schema"])
        let list = try #require((values[3] as? [String: Any])?["list"] as? [Any])
        #expect(list[0] as? String == "a" && list[1] as? Date == Date(timeIntervalSinceReferenceDate: 1000.5))
    }

    @Test func foundationsObjectsOfThePageAreRead() throws {
        let decoder = ReadableDecoder(options: .init(codingClassNames: ["Lamp": Lamp.self]))
        let text = try #require(try blocks("foundation").first)
        let desk = try decoder.decode(Desk.self, from: text)
        #expect(desk.label == "Window" && desk.opened?.timeIntervalSince1970 == 1_779_749_187)
        let papers = FoundationStorage.objects(of: try #require(desk.papers))
        #expect(papers.count == 3 && papers[2] is NSMutableString && (papers[1] as? NSNumber) == 3)
        let drawers = FoundationStorage.pairs(of: try #require(desk.drawers))
        #expect(Set(drawers.values.map { $0 is NSMutableArray }) == [true, false])
        #expect(desk.lamp?.colour == "green" && desk.lamp?.watts == 40)
        let lamps = FoundationStorage.objects(of: try #require(desk.top as? NSMutableOrderedSet)).compactMap {
            $0 as? Lamp
        }
        #expect(lamps.count == 2 && lamps.contains { $0 === desk.lamp } && lamps.contains { $0.colour == "red" })
        let again = try ReadableEncoder().encodeText(desk)
        #expect(try ReadableEncoder().encodeText(decoder.decode(Desk.self, from: again)) == again)
    }

    @Test func theErrorOfThePageIsTheError() throws {
        let text = try #require(try blocks("error").first)
        let failure = #expect(throws: DecodingFailure.self) { try ReadableDecoder().decode(Person.self, from: text) }
        #expect(failure?.position == .init(line: 1, column: 29))
        #expect(failure?.path.description == "friends[0]")
    }
}
