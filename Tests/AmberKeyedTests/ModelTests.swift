import AmberModel
import AmberReadable
import Foundation
import Testing

@testable import AmberKeyed

final class Employee: Model {
    var name = ""
    var friends: [Employee] = []
    weak var boss: Employee?
    var born: Date?
    var salary: Decimal = 0
    var badge = UUID()
    var isActive = false
    var level: UInt8 = 0
    var rating: Float = 0
}

enum Mood: String { case calm, wild = "W" }
enum Contact { case phone(Int), mail(String), none }

struct Place: Model, Equatable {
    var city = ""
    var at = CGPoint.zero
}

final class Everything: Model {
    var link: URL?
    var indexes = IndexSet()
    var place = Place()
    var places: [String: Place] = [:]
    var tags: Set<String> = []
    var nested: [[Int]] = []
    var double: Int?? = .some(nil)
    var pair = (1, "a")
    var anything: Any = 0
    var list: [Any] = []
    var json: [String: Any] = [:]
    var data = Data()
    var character: Character = "x"
    var range = 1..<2
    var large: UInt64 = .max
    var huge: Int128 = 0
    var mood = Mood.calm
    var contact = Contact.none
    var maybe: String? = "default"
}

class Animal: Model {
    var name = ""
    required init() {}
}
final class Dog: Animal {
    var tricks = 0
    static let hidden = 1
}
final class Kennel: Model {
    var animals: [Animal] = []
    var favourites: Set<Tagged> = []
}
final class Tagged: Model, Hashable {
    var id: Int
    var owner: Kennel?
    init(id: Int) { self.id = id }
    static func == (left: Tagged, right: Tagged) -> Bool { left.id == right.id }
    func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
final class Chain: Model {
    var next: Chain?
    var number = 0

    /// Takes the chain apart from the front: letting go of its first link would nest a deinit for each.
    func takeApart() -> Int {
        var count = 1
        var current = next
        next = nil
        while let link = current {
            count += 1
            current = link.next
            link.next = nil
        }
        return count
    }
}
final class Renamed: Model {
    var title = ""
    var secret = 1
    static var rules: ModelRules {
        ModelRules(name: "Todo", version: 2).excluding("secret").reading("title", from: "name")
    }
}

@Suite struct ModelTests {
    static func round<T>(_ value: T, allowing classes: [AnyClass] = []) throws -> T {
        let data = try KeyedEncoder().encode(value)
        return try KeyedDecoder().decode(T.self, from: data, allowing: classes)
    }

    @Test func graphOfModelsKeepsItsShape() throws {
        let boss = Employee()
        boss.name = "Ann"
        let other = Employee()
        other.name = "Bo"
        other.boss = boss
        other.level = 200
        other.rating = 0.5
        other.salary = Decimal(string: "12.345")!
        other.born = Date(timeIntervalSinceReferenceDate: 0.25)
        boss.friends = [other, other, boss]
        let back = try Self.round(boss)
        let friend = back.friends[0]
        #expect(friend === back.friends[1] && back.friends[2] === back && friend.boss === back)
        #expect(friend.name == "Bo" && friend.level == 200 && friend.rating == 0.5 && friend.salary == other.salary)
        #expect(friend.born == other.born && friend.badge == other.badge && back.boss == nil)
        boss.friends = []
        back.friends = []
    }

    @Test func weakReferenceCountsOnlyIfSomethingElseHoldsTheObject() throws {
        let boss = Employee()
        let alone = Employee()
        alone.boss = boss
        let data = try KeyedEncoder().encode(alone)
        #expect(try KeyedDecoder().decode(Employee.self, from: data).boss == nil)
        #expect(try CoderTests.document(data).objects.filter { $0.dictionary?["badge"] != nil }.count == 1)
        let both = try Self.round([alone, boss])
        #expect(both[0].boss === both[1])
    }

    @Test(arguments: [KeyedFormat.binary, .xml])
    func everyKindOfPropertySurvives(format: KeyedFormat) throws {
        let value = Everything()
        value.link = URL(string: "https://a.b/c?d#e")
        value.indexes = [1, 2, 3, 9]
        value.place = Place(city: "Graz", at: CGPoint(x: 1.5, y: -2))
        value.places = ["a": value.place, "b": Place()]
        value.tags = ["x", "y"]
        value.nested = [[1], [], [2, 3]]
        value.pair = (7, "z")
        value.anything = Place(city: "Any", at: .zero)
        value.list = [1, "two", 3.5, true, [4]]
        value.json = ["a": 1, "b": ["c": "d"]]
        value.data = Data([1, 2, 3])
        value.character = "🐝"
        value.range = 5..<9
        value.huge = Int128.max
        value.mood = .wild
        value.contact = .mail("m@x")
        value.maybe = nil
        var encoder = KeyedEncoder()
        encoder.format = format
        let back = try KeyedDecoder().decode(Everything.self, from: encoder.encode(value))
        #expect(back.link == value.link && back.indexes == value.indexes && back.place == value.place)
        #expect(back.places == value.places && back.tags == value.tags && back.nested == value.nested)
        #expect(back.pair == (7, "z") && back.anything as? Place == Place(city: "Any", at: .zero))
        #expect(back.list.count == 5 && back.list[1] as? String == "two" && back.list[3] as? Bool == true)
        #expect((back.json["b"] as? [String: Any])?["c"] as? String == "d")
        #expect(back.data == value.data && back.character == "🐝" && back.range == 5..<9)
        #expect(back.large == .max && back.huge == .max && back.mood == .wild && back.maybe == nil)
        guard case .mail("m@x") = back.contact else { Issue.record("\(back.contact)"); return }
        guard case .some(.none) = back.double else { Issue.record("\(String(describing: back.double))"); return }
    }

    @Test func subclassesAreStoredAsThemselves() throws {
        let kennel = Kennel()
        let dog = Dog()
        dog.name = "Rex"
        dog.tricks = 3
        kennel.animals = [dog, Animal()]
        let tagged = Tagged(id: 5)
        tagged.owner = kennel
        kennel.favourites = [tagged, Tagged(id: 6)]
        let back = try Self.round(kennel)
        #expect((back.animals[0] as? Dog)?.tricks == 3 && back.animals[0].name == "Rex")
        #expect(!(back.animals[1] is Dog))
        #expect(back.favourites.count == 2 && back.favourites.contains(Tagged(id: 5)))
        #expect(back.favourites.first { $0.id == 5 }?.owner === back)
        kennel.favourites = []
        back.favourites = []
    }

    @Test func chainOfAnyLengthSurvives() throws {
        var head: Chain?
        for number in 0..<100_000 {
            let link = Chain()
            link.number = number
            link.next = head
            head = link
        }
        let first = try #require(head)
        let back = try Self.round(first)
        let last = back.number
        #expect(back.takeApart() == 100_000 && first.takeApart() == 100_000 && last == 99_999)
    }

    @Test func namesAndVersionsAreKept() throws {
        let value = Renamed()
        value.title = "t"
        value.secret = 9
        let data = try KeyedEncoder().encode(value)
        let document = try CoderTests.document(data)
        #expect(document.objects[1].dictionary?["MTLModelVersion"] != nil)
        #expect(document.objects[1].dictionary?["secret"] == nil)
        #expect(document.objects.contains { $0.dictionary?["$classname"]?.string == "Todo" })
        let back = try KeyedDecoder().decode(Renamed.self, from: data)
        #expect(back.title == "t" && back.secret == 1)
        var newer = document
        for (index, object) in newer.objects.enumerated() {
            if case .integer(2) = object { newer.objects[index] = .integer(3) }
            guard var record = object.dictionary, let place = record.entries.firstIndex(where: { $0.key == "title" })
            else { continue }
            record.entries[place].key = "name"
            newer.objects[index] = .dictionary(record)
        }
        #expect(throws: DecodingFailure.self) {
            _ = try KeyedDecoder().decode(Renamed.self, from: BinaryPlistWriter.data(for: newer.plist))
        }
        for (index, object) in newer.objects.enumerated() {
            if case .integer(3) = object { newer.objects[index] = .integer(1) }
        }
        let older = try KeyedDecoder().decode(Renamed.self, from: BinaryPlistWriter.data(for: newer.plist))
        #expect(older.title == "t")
    }

    @Test func modelOfAnotherClassIsRefused() throws {
        let data = try KeyedEncoder().encode(Dog())
        #expect(throws: DecodingFailure(.refusedType, "")) { _ = try KeyedDecoder().decode(Kennel.self, from: data) }
        let value = Everything()
        value.anything = Dog()
        let hidden = try KeyedEncoder().encode(value)
        #expect(throws: DecodingFailure(.refusedType, "")) {
            _ = try KeyedDecoder().decode(Everything.self, from: hidden)
        }
        #expect(try KeyedDecoder().decode(Everything.self, from: hidden, allowing: [Animal.self]).anything is Dog)
    }

    @Test func valuesThatDontFitAreErrorsWithThePath() throws {
        let value = Employee()
        value.level = 3
        var document = try CoderTests.document(KeyedEncoder().encode(value))
        var record = try #require(document.objects[1].dictionary)
        let place = try #require(record.entries.firstIndex { $0.key == "level" })
        record.entries[place].value = .integer(300)
        document.objects[1] = .dictionary(record)
        do {
            _ = try KeyedDecoder().decode(Employee.self, from: BinaryPlistWriter.data(for: document.plist))
            Issue.record("300 in a UInt8.")
        } catch {
            #expect(error.code == .doesNotFit && error.path.description == "root.level")
        }
        // A property that the archive lacks keeps its default.
        record.entries.remove(at: place)
        document.objects[1] = .dictionary(record)
        let back = try KeyedDecoder().decode(Employee.self, from: BinaryPlistWriter.data(for: document.plist))
        #expect(back.level == 0)
    }

    @Test func foundationReadsTheValuesOfAModel() throws {
        let value = Everything()
        value.link = URL(string: "https://a.b")
        let data = try KeyedEncoder().encode(value)
        let archive = try KeyedDecoder().inspect(data)
        guard case .object(let root as ArchivedObject) = archive[0].value else { return }
        #expect(root.className == "AmberKeyedTests.Everything")
        #expect((root["link"] as? NSURL)?.relativeString == "https://a.b")
        #expect(root["large"] as? UInt64 == .max && root["mood"] as? String == "calm")
    }

    @Test func brokenModelsDoNoHarm() throws {
        let kennel = Kennel()
        kennel.animals = [Dog(), Animal()]
        let tagged = Tagged(id: 5)
        tagged.owner = kennel
        kennel.favourites = [tagged]
        defer { kennel.favourites = [] }
        let samples = try [KeyedEncoder().encode(kennel), KeyedEncoder().encode(Everything())]
        var random = Seeded(state: 77)
        for data in samples {
            let document = try CoderTests.document(data)
            for index in document.objects.indices {
                guard case .dictionary(let record) = document.objects[index] else { continue }
                for place in record.entries.indices {
                    for number in 0...document.objects.count {
                        var changed = record
                        changed.entries[place].value =
                            number == 0 ? .integer(Int64(bitPattern: random.next())) : .reference(UInt32(number))
                        var copy = document
                        copy.objects[index] = .dictionary(changed)
                        let broken = BinaryPlistWriter.data(for: copy.plist)
                        if let back = try? KeyedDecoder().decode(Kennel.self, from: broken) { back.favourites = [] }
                        _ = try? KeyedDecoder().decode(Everything.self, from: broken)
                    }
                }
            }
        }
    }
}

struct Settings: Codable, Equatable {
    var theme: String
    var sizes: [Int]
    var at: Date
    var blob: Data
    var nested: [String: Double]
    var nothing: Int?
}

final class Configured: Model {
    var settings = Settings(theme: "$null", sizes: [1], at: .distantPast, blob: Data([1]), nested: ["a": 0.5])
    var more: [Settings] = []
}

@Suite struct CodableTests {
    @Test func codableValuesSurviveInModels() throws {
        let value = Configured()
        value.settings.theme = "dark"
        value.more = [value.settings]
        let back = try ModelTests.round(value)
        #expect(back.settings == value.settings && back.more == value.more)
        #expect(try ModelTests.round(value.settings) == value.settings)
    }
}

private class Beast: Model {
    var name = ""
    required init() {}
    class var rules: ModelRules { ModelRules(name: "Park.Beast") }
}

private final class Wolf: Beast {
    var pack = 0
    override class var rules: ModelRules { ModelRules(name: "Park.Wolf") }
}

@Suite struct AllowedModelTests {
    @Test func aSubclassIsFoundByTheNameThatItsRulesGiveItWhenItIsAllowed() throws {
        let archive = try KeyedEncoder().encodeDynamic(
            try ReadableDecoder().decodeDynamic(
                from: #"{"$class": "Park.Pack", "list": [{"$class": "Park.Wolf", "name": "Ann", "pack": 3}]}"#))
        // Nothing has used the class before.
        let error = #expect(throws: DecodingFailure.self) { try KeyedDecoder().decode(Pack.self, from: archive) }
        #expect(error?.code == .unknownType && error?.reason.contains("`allowing`") == true)
        let pack = try KeyedDecoder().decode(Pack.self, from: archive, allowing: [Wolf.self])
        #expect((pack.list.first as? Wolf)?.pack == 3)
    }
}

private final class Pack: Model {
    var list: [Beast] = []
    static var rules: ModelRules { ModelRules(name: "Park.Pack") }
}
