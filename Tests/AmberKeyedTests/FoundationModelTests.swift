import AmberModel
import Foundation
import Testing

@testable import AmberKeyed

/// A model with every behaviour that a property can have.
final class ArchivedUser: ModelObject {
    var name = ""
    var login = ""
    var count = 0
    var secret = "unsaved"
    var anything: Any?
    var shape: Shape?
    weak var boss: ArchivedUser?
    var friends: [ArchivedUser] = []

    override class var rules: ModelRules {
        ModelRules(name: "ArchivedUser", version: 2).excluding("secret").reading("login", from: "userName")
    }

    override class func allowedClasses(forProperty property: String) -> [AnyClass] {
        property == "anything" ? [Shape.self] : []
    }
}

/// Takes over older archives itself, property by property.
final class MigratedUser: ModelObject, KeyedMigrating {
    var name = ""
    var count = 0
    var ratio = 0.0
    var note: String?

    override class var rules: ModelRules { ModelRules(name: "MigratedUser", version: 3) }

    static func properties(fromExternalRepresentation representation: [String: Any], version: Int) -> [String: Any]? {
        guard let name = representation["username"] as? String else { return nil }
        return ["name": "\(name) of \(version)", "count": representation["count"] as? Int ?? -1]
    }

    static func value(of property: String, from values: KeyedValues, version: Int) throws -> Any? {
        switch property {
        case "name" where version == 1: try (values.value(forKey: "firstName") as? String).map { $0 + "!" }
        case "count" where version == 1: try values.integer(forKey: "number").map { Int($0) * 2 }
        case "ratio" where version == 1: try values.real(forKey: "percent").map { $0 / 100 }
        case "note" where values.contains("refused"): throw CocoaError(.coderInvalidValue)
        default: nil
        }
    }
}

/// What an older program wrote, by hand.
final class OlderArchivedUser: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }
    let version: Int
    let write: (NSCoder) -> Void
    init(_ version: Int, _ write: @escaping (NSCoder) -> Void) {
        self.version = version
        self.write = write
    }
    required init?(coder: NSCoder) { return nil }
    func encode(with coder: NSCoder) {
        coder.encode(NSNumber(value: version), forKey: "MTLModelVersion")
        write(coder)
    }
}

/// Models in the hands of Foundation's archivers and in ours, which must do the same.
@Suite struct FoundationModelTests {
    private static func archived(_ object: NSObject) throws -> [Data] {
        [
            try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true),
            try KeyedEncoder().encode(object),
        ]
    }

    /// The root as both readers make it; the errors are thrown.
    private static func read<T: ModelObject>(_ type: T.Type, _ data: Data) throws -> [T] {
        let theirs = try NSKeyedUnarchiver.unarchivedObject(ofClass: type, from: data)
        return [try KeyedDecoder().decode(type, from: data), try #require(theirs)]
    }

    private static func older(_ name: String, _ user: OlderArchivedUser) throws -> [Data] {
        var encoder = KeyedEncoder()
        encoder.classMap.setName(name, for: OlderArchivedUser.self)
        return [try encoder.encode(user)]
    }

    init() {
        // Foundation's unarchiver knows classes by the names that a program gives it.
        NSKeyedUnarchiver.setClass(ArchivedUser.self, forClassName: "ArchivedUser")
        NSKeyedUnarchiver.setClass(MigratedUser.self, forClassName: "MigratedUser")
        NSKeyedArchiver.setClassName("ArchivedUser", for: ArchivedUser.self)
    }

    @Test func versionIsSavedAndExcludedPropertiesAreNot() throws {
        let user = ArchivedUser()
        (user.name, user.secret) = ("A", "hidden")
        for data in try Self.archived(user) {
            let record = try #require(try CoderTests.document(data).objects[1].dictionary)
            let version = try #require(record["MTLModelVersion"]?.reference)
            #expect(try CoderTests.document(data).objects[Int(version)].integerValue == 2)
            #expect(record["secret"] == nil && record["name"] != nil)
            for back in try Self.read(ArchivedUser.self, data) { #expect(back.name == "A" && back.secret == "unsaved") }
        }
    }

    @Test func weakReferencesAreConditional() throws {
        let (user, boss) = (ArchivedUser(), ArchivedUser())
        user.boss = boss
        boss.name = "boss"
        for data in try Self.archived(user) {
            for back in try Self.read(ArchivedUser.self, data) { #expect(back.boss == nil) }
        }
        // Held before, the boss is there in either archive.
        user.friends = [boss]
        let data = try KeyedEncoder().encode(user)
        let back = try KeyedDecoder().decode(ArchivedUser.self, from: data)
        #expect(back.boss === back.friends[0] && back.boss?.name == "boss")
    }

    @Test func propertyOfAnyTypeHoldsTheClassesThatTheModelAllows() throws {
        let user = ArchivedUser()
        let circle = Circle()
        circle.radius = 4
        (user.anything, user.shape) = (circle, circle)
        for data in try Self.archived(user) {
            for back in try Self.read(ArchivedUser.self, data) {
                #expect((back.anything as? Circle)?.radius == 4 && back.shape === back.anything as? Circle)
            }
        }
        // Anything else is refused by both, before it is made.
        user.anything = Person("P")
        for data in try Self.archived(user) {
            #expect(throws: DecodingFailure(.refusedType, "")) {
                _ = try KeyedDecoder().decode(ArchivedUser.self, from: data)
            }
        }
    }

    @Test func renamedPropertyIsReadUnderItsFormerName() throws {
        let user = OlderArchivedUser(1) { $0.encode("old name" as NSString, forKey: "userName") }
        for data in try Self.older("ArchivedUser", user) {
            for back in try Self.read(ArchivedUser.self, data) { #expect(back.login == "old name") }
        }
    }

    @Test func newerVersionIsRefused() throws {
        for data in try Self.older("ArchivedUser", OlderArchivedUser(3) { _ in }) {
            #expect(throws: DecodingFailure(.newerModel, "")) {
                _ = try KeyedDecoder().decode(ArchivedUser.self, from: data)
            }
            #expect(throws: (any Error).self) {
                _ = try NSKeyedUnarchiver.unarchivedObject(ofClass: ArchivedUser.self, from: data)
            }
        }
    }

    @Test func propertiesOfAnOlderArchiveAreTakenOverOneByOne() throws {
        let user = OlderArchivedUser(1) {
            $0.encode("Ann" as NSString, forKey: "firstName")
            $0.encode(21, forKey: "number")
            $0.encode(12.5, forKey: "percent")
            $0.encode("as usual" as NSString, forKey: "note")
        }
        for data in try Self.older("MigratedUser", user) {
            for back in try Self.read(MigratedUser.self, data) {
                #expect(back.name == "Ann!" && back.count == 42 && back.ratio == 0.125 && back.note == "as usual")
            }
        }
        // Today's archives are read as they are.
        let now = MigratedUser()
        (now.name, now.count, now.ratio) = ("now", 3, 0.5)
        NSKeyedArchiver.setClassName("MigratedUser", for: MigratedUser.self)
        for data in try Self.archived(now) {
            for back in try Self.read(MigratedUser.self, data) {
                #expect(back.name == "now" && back.count == 3 && back.ratio == 0.5)
            }
        }
    }

    @Test func errorOfAMigrationEndsTheDecoding() throws {
        for data in try Self.older("MigratedUser", OlderArchivedUser(2) { $0.encode(true, forKey: "refused") }) {
            #expect(throws: DecodingFailure(.rejectedByHook, "")) {
                _ = try KeyedDecoder().decode(MigratedUser.self, from: data)
            }
            #expect(throws: (any Error).self) {
                _ = try NSKeyedUnarchiver.unarchivedObject(ofClass: MigratedUser.self, from: data)
            }
        }
    }

    @Test func archiveOfTheOldestFormBecomesProperties() throws {
        let user = OlderArchivedUser(1) {
            $0.encode(
                ["username": "foo", "count": 7, "nested": ["a": [1]]] as NSDictionary, forKey: "externalRepresentation")
        }
        for data in try Self.older("MigratedUser", user) {
            for back in try Self.read(MigratedUser.self, data) {
                #expect(back.name.hasPrefix("foo") && back.count == 7)
            }
        }
        let nothing = OlderArchivedUser(1) { $0.encode([:] as NSDictionary, forKey: "externalRepresentation") }
        for data in try Self.older("MigratedUser", nothing) {
            #expect(throws: DecodingFailure(.rejectedByHook, "")) {
                _ = try KeyedDecoder().decode(MigratedUser.self, from: data)
            }
            #expect(throws: (any Error).self) {
                _ = try NSKeyedUnarchiver.unarchivedObject(ofClass: MigratedUser.self, from: data)
            }
        }
    }
}
