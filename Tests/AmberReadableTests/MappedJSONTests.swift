// Room:   AmberReadableTests. JSON of outside programs in and out.
// Takes:  JSON as APIs write it. Gives: models, and the same JSON.
// Touches: nothing.

import AmberModel
import AmberReadable
import AmberTestSupport
import Foundation
import Testing

private final class Car: JSONMapped {
    var typeName: String?
    var typeLabel: String?
    static var jsonMapping: JSONMapping {
        JSONMapping().mapping("typeName", to: "type.name").mapping("typeLabel", to: "type.label")
    }
}

private struct Place: Model, Equatable {
    var lat: Double
    var lng: Double
}

private enum Status: String { case open, closed = "CLOSED" }
private enum Rank: Int { case low = 1, high = 2 }

private class Post: JSONMapped {
    var kind = ""
    var id: UInt64 = 0
    required init() {}
    class var jsonMapping: JSONMapping {
        JSONMapping().choosingClass(by: "kind", ["photo": Photo.self, "note": Note.self])
    }
}
private final class Photo: Post {
    var url: URL?
    var size: (Int, Int)?
}
private final class Note: Post {
    var text = ""
}

private final class User: JSONMapped {
    var id = 0
    var firstName = ""
    var nickName: String?
    var homepage: URL?
    var born: Date?
    var seen: Date?
    var status = Status.open
    var mood = Rank.low
    var rank = Rank.low
    var place: Place?
    var avatar: String?
    var tags: Set<String> = []
    var scores: [String: Int] = [:]
    var posts: [Post] = []
    var good: [Int] = []
    var friends: [User] = []
    weak var boss: User?
    var price = Decimal()
    var secret = "s"
    var rest = UnknownProperties()

    static var jsonMapping: JSONMapping {
        JSONMapping()
            .mapping("id", to: "user_id", or: "id")
            .mapping("avatar", to: "images.0.url", or: "avatar")
            .mapping("place", from: ["lat": "geo.lat", "lng": "geo.lng"])
            .dates("seen", as: .millisecondsText)
            .dates("born", as: .format("yyyy-MM-dd"))
            .cases("mood", ["bad": "low", "good": "high", "great": "high"])
            .transforming(
                "price",
                decode: { json in
                    guard let value = Decimal(string: json.string ?? "") else { throw NoPrice() }
                    return value
                },
                encode: { (value: Decimal) in .string(value.description) }
            )
            .lossy("good", "friends")
            .excluding("secret")
            .takingNullAsAbsent("scores")
    }
}

private struct Plain: Model, Equatable {
    var userName: String
    var imageURL: URL?
    var keepThis: [String: Int]
    var when: Date
}

private final class Ring: Model {
    var next: Ring?
}

@Suite struct MappedJSONTests {
    @Test func nestedPathsWithNulls() throws {
        let decoder = MappedJSONDecoder()
        let none = try decoder.decode(Car.self, from: Data(#"{"type": null}"#.utf8))
        #expect(none.typeName == nil && none.typeLabel == nil)
        let car = Car()
        car.typeLabel = "Car"
        let text = String(decoding: try MappedJSONEncoder().encode(car), as: UTF8.self)
        #expect(text == #"{"type":{"label":"Car"}}"#)
        var encoder = MappedJSONEncoder()
        encoder.writesNulls = true
        #expect(
            String(decoding: try encoder.encode(car), as: UTF8.self) == #"{"type":{"name":null,"label":"Car"}}"#)
        let both = try decoder.decode(Car.self, from: Data(#"{"type":{"label":"L","name":"N","more":1}}"#.utf8))
        #expect(both.typeName == "N" && both.typeLabel == "L")
    }

    private let user = """
        {"user_id":7,"first_name":"Ann","nick_name":null,"homepage":"https://example.com/~ann","born":"1990-02-28",
        "seen":"1526380000123","status":"CLOSED","mood":"good","rank":2,"geo":{"lat":52.5,"lng":13.25},
        "images":[{"url":"a.png"}],"tags":["a","b"],"scores":{"mathGrade":1},
        "posts":[{"kind":"photo","id":18446744073709551615,"url":"https://example.com/p.jpg","size":[3,4]},
        {"kind":"note","id":2,"text":"hi"},{"kind":"other","id":3}],
        "good":[1,2],"friends":[{"user_id":8,"first_name":"Bob","price":"1"}],"price":"0.10",
        "extra":{"deep":[1,{"x":null}]},"flag":true}
        """

    @Test func aMappedModelGivesItsJSONBack() throws {
        var decoder = MappedJSONDecoder()
        decoder.naming = .snakeCase
        let ann = try decoder.decode(User.self, from: Data(user.utf8))
        #expect(ann.id == 7 && ann.firstName == "Ann" && ann.nickName == nil && ann.avatar == "a.png")
        #expect(ann.place == Place(lat: 52.5, lng: 13.25))
        #expect(ann.status == .closed && ann.mood == .high && ann.rank == .high)
        #expect(ann.seen == Date(timeIntervalSince1970: 1_526_380_000.123))
        #expect(ann.born == Date(timeIntervalSince1970: 636_163_200))
        #expect(ann.posts.map { "\(type(of: $0))" } == ["Photo", "Note", "Post"])
        #expect((ann.posts[0] as? Photo)?.size ?? (0, 0) == (3, 4))
        #expect(ann.posts[0].id == .max && ann.price == Decimal(string: "0.10") && ann.scores == ["mathGrade": 1])
        #expect(ann.rest.values.names == ["extra", "flag"])
        var encoder = MappedJSONEncoder()
        encoder.naming = .snakeCase
        let out = try encoder.encodeTree(ann)
        let expected = try ReadableValue(json: Data(user.utf8))
        for (key, value) in try #require(expected.object) where !["nick_name", "friends", "price"].contains(key) {
            #expect(out[key] == value, "\(key): \(String(describing: out[key])) against \(value)")
        }
        #expect(out["price"]?.string == "0.1" && out["secret"] == nil)
        #expect(out["friends"]?[0]?["first_name"] == "Bob")
        // Once more, the same bytes.
        let data = try encoder.encode(ann)
        let again = try encoder.encode(try decoder.decode(User.self, from: data))
        #expect(data == again)
    }

    @Test func fallbacksLossAndDefaults() throws {
        let decoder = MappedJSONDecoder()
        let user = try decoder.decode(
            User.self,
            from: Data(
                #"{"id":3,"avatar":"x","good":[1,"two",3,null],"friends":[{"id":1},{"id":"one"},{"id":2}],"price":"2","scores":null}"#
                    .utf8))
        #expect(user.id == 3 && user.avatar == "x" && user.good == [1, 3] && user.friends.map(\.id) == [1, 2])
        #expect(user.firstName == "" && user.secret == "s")
        let (values, failures) = try decoder.decodeElements(
            of: Place.self, from: Data(#"[{"lat":1,"lng":2},{"lat":1},null]"#.utf8))
        #expect(values == [Place(lat: 1, lng: 2)])
        #expect(failures.first?.code == .missingValue && failures.first?.path.description == "[1].lng")
    }

    @Test func namingLeavesDictionaryKeysAlone() throws {
        var encoder = MappedJSONEncoder()
        encoder.naming = .snakeCase
        encoder.dates = .milliseconds
        var decoder = MappedJSONDecoder()
        decoder.naming = .snakeCase
        decoder.dates = .milliseconds
        let plain = Plain(
            userName: "ann", imageURL: URL(string: "x:y"), keepThis: ["keepThisKey": 1, "$class": 2],
            when: Date(timeIntervalSince1970: 1.5))
        let data = try encoder.encode(plain)
        #expect(
            String(decoding: data, as: UTF8.self)
                == #"{"user_name":"ann","image_url":"x:y","keep_this":{"$class":2,"keepThisKey":1},"when":1500}"#)
        #expect(try decoder.decode(Plain.self, from: data) == plain)
        #expect(
            try decoder.decode([String: Plain].self, from: Data("{\"a\":".utf8) + data + Data("}".utf8)) == ["a": plain]
        )
    }

    @Test(arguments: [
        (#"{"id":"x"}"#, "id", DecodingFailure.Code.typeMismatch), (#"{"status":"OPEN"}"#, "status", .unknownCase),
        (#"{"rank":3}"#, "rank", .unknownCase), (#"{"rank":-1.5}"#, "rank", .unknownCase),
        (#"{"homepage":5}"#, "homepage", .typeMismatch), (#"{"born":"28.2.1990"}"#, "born", .typeMismatch),
        (#"{"posts":[{"id":1},{"id":-1}]}"#, "posts[1].id", .doesNotFit),
        (#"{"geo":{"lat":1}}"#, "place.lng", .missingValue), (#"{"price":5}"#, "price", .rejectedByHook),
    ])
    func errorsNameThePathAndThePlace(_ json: String, _ path: String, _ code: DecodingFailure.Code) throws {
        let failure = #expect(throws: DecodingFailure.self) {
            try MappedJSONDecoder().decode(User.self, from: Data(("\n " + json).utf8))
        }
        #expect(failure?.code == code)
        #expect(failure?.path.description.hasSuffix(path) == true, "\(String(describing: failure))")
        #expect(failure?.position?.line == 2, "\(String(describing: failure))")
    }

    @Test func aCycleIsAnErrorWithItsPath() throws {
        let ring = Ring()
        ring.next = Ring()
        ring.next?.next = ring
        defer { ring.next = nil }
        let failure = #expect(throws: EncodingFailure.self) { try MappedJSONEncoder().encode(ring) }
        #expect(failure?.code == .cycle && failure?.path.description == "next.next")
        let other = #expect(throws: EncodingFailure.self) {
            try ReadableEncoder(options: .init(usesAliases: false)).encode(ring)
        }
        #expect(other?.code == .cycle)
        let boss = User()
        let worker = User()
        worker.boss = boss
        boss.friends = [worker, worker]
        let text = String(decoding: try MappedJSONEncoder().encode(boss), as: UTF8.self)
        #expect(!text.contains("boss"))
        #expect(text.components(separatedBy: #""firstName":"""#).count == 4)
    }

    @Test func anUpdateLeavesTheRestAlone() throws {
        var decoder = MappedJSONDecoder()
        decoder.naming = .snakeCase
        let ann = try decoder.decode(User.self, from: Data(user.utf8))
        let friend = ann.friends[0]
        try decoder.update(ann, from: Data(#"{"first_name":"Anna","geo":{"lat":1,"lng":2}}"#.utf8))
        #expect(ann.firstName == "Anna" && ann.id == 7 && ann.friends[0] === friend && ann.place?.lat == 1)
        // Nothing changes when one part can't be read.
        #expect(throws: DecodingFailure.self) {
            try decoder.update(ann, from: Data(#"{"first_name":"Eve","user_id":"x"}"#.utf8))
        }
        #expect(ann.firstName == "Anna")
        var plain = Plain(userName: "a", imageURL: nil, keepThis: ["k": 1], when: .distantPast)
        try MappedJSONDecoder().update(&plain, from: Data(#"{"userName":"b"}"#.utf8))
        #expect(plain.userName == "b" && plain.keepThis == ["k": 1])
        #expect(throws: DecodingFailure.self) {
            try MappedJSONDecoder().update(&plain, from: Data(#"{"userName":"c","when":"x"}"#.utf8))
        }
        #expect(plain.userName == "b")
    }

    @Test func anUnknownPropertyInAMappingIsAnError() throws {
        #expect(throws: EncodingFailure(.invalidRules, "")) { try MappedJSONEncoder().encode(Wrong()) }
    }
}

private struct NoPrice: Error {}

private struct Wrong: JSONMapped {
    var a = 1
    static var jsonMapping: JSONMapping { JSONMapping().mapping("b", to: "c.d") }

    @Test func anUpdateThatTheModelRefuses() throws {
        let player = Player()
        let old = Track("old")
        (player.current, player.history, player.rated) = (old, [old, Track("older")], [Track("best")])
        player.others.values["theme"] = "dark"
        let living = livingObjects(Player.self)
        for refused in [#""volume": 11"#, #""volume": 12"#] {
            let error = #expect(throws: DecodingFailure.self) {
                try MappedJSONDecoder().update(
                    player,
                    from: Data(
                        #"""
                        {"history": [{"label": "new"}, {"label": "newer"}], "rated": [{"label": "worst"}], "name": "x",
                         "current": null, "theme": "light", \#(refused)}
                        """#.utf8))
            }
            #expect(error?.code == .rejectedByHook || error?.code == .invalid)
            #expect(player.volume == 5 && player.name == "" && player.current === old && player.history[0] === old)
            #expect(player.history.count == 2 && player.rated.first?.label == "best")
            #expect(player.others.values["theme"]?.string == "dark")
        }
        #expect(livingObjects(Player.self) == living)
        try MappedJSONDecoder().update(player, from: Data(#"{"history": [], "volume": 9, "current": null}"#.utf8))
        #expect(player.history.isEmpty && player.volume == 9 && player.current == nil)
        player.rated = []
    }
}

private typealias Track = Tracked<Player>

private final class Player: Model, ValidatedModel {
    var name = ""
    var volume = 5
    weak var current: Track?
    var history: [Track] = []
    var rated: Set<Track> = []
    var others = UnknownProperties()

    func didDecode() throws { if volume == 11 { throw TooLoud() } }
    func validate() throws { if volume == 12 { throw TooLoud() } }
}
private struct TooLoud: Error {}
