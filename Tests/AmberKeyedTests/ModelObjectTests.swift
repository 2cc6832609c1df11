import AmberModel
import Foundation
import Testing

@testable import AmberKeyed

final class Player: ModelObject {
    var name = ""
    var score = 0
    var ratio: Float = 0
    var isOn = false
    var large: UInt64 = 0
    var joined: Date?
    var items: [String: [Int]] = [:]
    var team: [Player] = []
    weak var captain: Player?
    var link: URL?
    var cache = 3
    override class var rules: ModelRules { ModelRules(version: 1).excluding("cache") }
}

final class Legacy: ModelObject, KeyedMigrating {
    var name = ""
    var count = 0
    var nested: String?
    override class var rules: ModelRules { ModelRules(name: "MTLTestModel", version: 2) }

    static func properties(fromExternalRepresentation representation: [String: Any], version: Int) -> [String: Any]? {
        guard let name = representation["username"] as? String else { return nil }
        let nested = (representation["nested"] as? [String: Any])?["name"] as? String
        return ["name": name, "count": Int(representation["count"] as? String ?? "") ?? 0, "nested": nested as Any]
    }

    static func value(of property: String, from values: KeyedValues, version: Int) throws -> Any? {
        guard property == "count", let text = try values.value(forKey: "countText") as? String else { return nil }
        return Int(text)
    }
}

@Suite struct ModelObjectTests {
    static func sample() -> Player {
        let player = Player()
        player.name = "A"
        player.score = -5
        player.ratio = 0.5
        player.isOn = true
        player.large = .max
        player.joined = Date(timeIntervalSinceReferenceDate: 1.5)
        player.items = ["x": [1, 2]]
        player.link = URL(string: "https://a.b/c")
        player.cache = 9
        let other = Player()
        other.name = "B"
        player.team = [other]
        return player
    }

    static func check(_ back: Player, _ player: Player) {
        #expect(back.name == "A" && back.score == -5 && back.ratio == 0.5 && back.isOn && back.large == .max)
        #expect(back.joined == player.joined && back.items == player.items && back.link == player.link)
        #expect(back.team.map(\.name) == ["B"] && back.cache == 3 && back.captain == nil)
    }

    @Test func foundationsArchiversTakeModels() throws {
        let player = Self.sample()
        let data = try NSKeyedArchiver.archivedData(withRootObject: player, requiringSecureCoding: true)
        let back = try NSKeyedUnarchiver.unarchivedObject(ofClass: Player.self, from: data)
        Self.check(try #require(back), player)
        Self.check(try KeyedDecoder().decode(Player.self, from: data), player)
    }

    @Test func foundationReadsWhatWeWriteOfModels() throws {
        let player = Self.sample()
        let data = try KeyedEncoder().encode(player)
        Self.check(try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: Player.self, from: data)), player)
        player.captain = player.team[0]
        player.team[0].captain = player
        let back = try KeyedDecoder().decode(Player.self, from: KeyedEncoder().encode(player))
        #expect(back.captain === back.team[0] && back.team[0].captain === back)
    }

    @Test func archiveOfTheOldestFormIsTakenOver() throws {
        for file in Corpus.files("keyed") where file.lastPathComponent.contains("OldArchive") {
            let back = try KeyedDecoder().decode(Legacy.self, from: Data(contentsOf: file))
            #expect(back.name == "foobar" && back.count == 5 && back.nested == "fuzzbuzz")
        }
    }

    @Test func propertiesOfOlderArchivesAreTakenOverOneByOne() throws {
        let old = ArchivedObject(
            className: "MTLTestModel",
            values: [
                ("name", .object("n" as NSString)), ("countText", .object("12" as NSString)),
                ("MTLModelVersion", .object(NSNumber(value: 1))),
            ])
        let back = try KeyedDecoder().decode(Legacy.self, from: KeyedEncoder().encode(old))
        #expect(back.name == "n" && back.count == 12)
    }
}
