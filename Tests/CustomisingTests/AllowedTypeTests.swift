// Room:   CustomisingTests. Properties that take some types only, some destinations only, and those with defaults.
// Takes:  archives that hold what is not allowed. Gives: errors that say so; values where all is well.
// Touches: every coder.

import Amber
import AmberKeyed
import AmberTestSupport
import Foundation
import Testing

private class Animal: Model {
    required init() {}
    var name = ""
}
private class Dog: Animal {}
private final class Puppy: Dog {}
private final class Counted: Animal {
    nonisolated(unsafe) static var made = 0
    required init() { unsafe Counted.made += 1 }
}
private final class Cat: Animal {}
private struct Stone: Model { var weight = 1 }

/// Writes anything.
private final class Open: Model {
    var any: Any = 0
    var list: [Any] = []
    var pet: Animal?
    var pets: [String: Animal] = [:]
    weak var watched: Animal?
    static var rules: ModelRules { ModelRules(name: "AllowedTests.Holder") }
}

/// Takes dogs, stones and texts.
private final class Strict: Model {
    var any: Any = ""
    var list: [Any] = []
    var pet: Animal?
    var pets: [String: Animal] = [:]
    weak var watched: Animal?
    static var rules: ModelRules {
        ModelRules(formerNames: ["AllowedTests.Holder"])
            .allowing("any", Dog.self, String.self)
            .allowing("list", Dog.self, Stone.self, String.self)
            .allowing("pet", Dog.self)
            .allowing("pets", Dog.self)
            .allowing("watched", Dog.self)
    }
}

/// A ring without initializers, whose link is checked.
private final class Link: Model {
    var next: Link?
    var tag: String
    init(_ tag: String) { self.tag = tag }
    static var rules: ModelRules { ModelRules().allowing("next", Link.self) }
}

private final class Secretive: Model {
    var name = "n"
    var password = "p"
    var cache: Int?
    var number = 5
    static var rules: ModelRules {
        ModelRules()
            .excluding("password", from: .binary)
            .excluding("cache", from: [.keyed, .json])
            .excluding("number", from: .outside)
    }
}

private struct SecretivePart: Model, Equatable {
    var a = 1
    var b = 2
    var c = 3
    static var rules: ModelRules { ModelRules().excluding("b", from: .binary).excluding("c", from: .keyed) }
}

private final class Uninitialised: Model {
    var name: String
    var tags: [String]
    var limit: Int?
    var hidden: Int

    init(name: String) { (self.name, tags, hidden) = (name, [], 0) }

    static var rules: ModelRules {
        ModelRules()
            .making("tags") { ["made"] }
            .making("limit") { 9 }
            .making("hidden") { 7 }
            .excluding("hidden")
    }
}

private struct OldUninitialised: Model { var name = "x" }

private struct Unfit: Model {
    var name: String
    init() throws(NoDefaultInitializer) { throw NoDefaultInitializer() }
    init(_ name: String) { self.name = name }
    static var rules: ModelRules { ModelRules().excluding("name", from: .json) }
}

@Suite struct AllowedTypeTests {
    private func open(_ change: (Open) -> Void) -> Open {
        let open = Open()
        open.any = ""
        change(open)
        return open
    }

    private func strict(_ coder: AnyCoder, _ open: Open) throws -> Strict {
        try BinaryDecoder.register(Strict.self, Dog.self, Puppy.self, Cat.self, Stone.self)
        let data = try coder.encode(open)
        guard coder == .keyed || coder == .xml else { return try coder.decode(Strict.self, from: data) }
        var decoder = KeyedDecoder()
        decoder.classMap.setClass(Strict.self, for: "AllowedTests.Holder")
        return try decoder.decode(Strict.self, from: data)
    }

    @Test(arguments: AnyCoder.allCases) func allowedOnesPass(coder: AnyCoder) throws {
        let (dog, puppy) = (Dog(), Puppy())
        let back = try strict(
            coder,
            open {
                $0.any = dog
                $0.list = [puppy, "text", dog]
                $0.pet = puppy
                $0.pets = ["a": dog]
                $0.watched = dog
            })
        let any = try #require(back.any as? Dog)
        #expect(back.pet is Puppy)
        #expect(back.list.count == 3 && back.list[0] as? Animal === back.pet && back.list[2] as? Animal === any)
        #expect(back.pets["a"] === any)
        #expect(back.watched === any)
        let nested = try strict(coder, open { $0.list = [["a", "b"], [dog]] })
        #expect(nested.list.count == 2)
    }

    @Test(arguments: AnyCoder.allCases) func othersAreRefused(coder: AnyCoder) throws {
        let cat = Cat()
        let changes: [(Open) -> Void] = [
            { $0.any = cat }, { $0.any = 5 }, { $0.list = ["a", cat] }, { $0.list = [1.5] }, { $0.list = [[5]] },
            { $0.pet = cat }, { $0.pets = ["x": cat] }, { $0.list = [["k": cat]] },
        ]
        for (index, change) in changes.enumerated() {
            let failure = decodingFailure { try strict(coder, open(change)) }
            #expect(failure?.code == .refusedType, "\(index): \(String(describing: failure))")
            #expect(
                failure?.path.steps.contains(
                    .property(["any", "any", "list", "list", "list", "pet", "pets", "list"][index])) == true, "\(index)"
            )
            #expect(failure?.reason.contains("Dog") == true, "\(index): \(String(describing: failure))")
        }
        let holder = open { $0.pet = Dog() }
        holder.watched = cat
        holder.list = ["a"]
        // A weak reference is archived if something holds the object.
        #expect(
            decodingFailure {
                try strict(
                    coder,
                    open {
                        $0.watched = cat; $0.any = cat
                    })
            } != nil)
    }

    @Test func keyedArchivesMakeNothingThatIsRefused() throws {
        let coder = AnyCoder.keyed
        struct OnlyCats: Model {
            var animal: Animal?
            static var rules: ModelRules { ModelRules().allowing("animal", Cat.self) }
        }
        struct AnyAnimal: Model { var animal: Animal? }
        _ = try coder.copy(AnyAnimal(animal: Counted()))
        let data = try coder.encode(AnyAnimal(animal: Counted()))
        let made = unsafe Counted.made
        #expect(decodingFailure { try coder.decode(OnlyCats.self, from: data) }?.code == .refusedType)
        unsafe #expect(Counted.made == made)
    }

    @Test(arguments: AnyCoder.allCases) func ringsOfCheckedReferences(coder: AnyCoder) throws {
        let (a, b) = (Link("a"), Link("b"))
        (a.next, b.next) = (b, a)
        let back = try coder.copy(a)
        #expect(back.next?.tag == "b" && back.next?.next === back)
        (a.next, b.next) = (nil, nil)
        back.next?.next = nil
    }

    @Test(arguments: AnyCoder.allCases) func destinations(coder: AnyCoder) throws {
        let isBinary = coder == .binary || coder == .deterministic
        let secretive = Secretive()
        (secretive.name, secretive.password, secretive.cache, secretive.number) = ("x", "secret", 3, 6)
        let data = try coder.encode(secretive)
        let back = try coder.decode(Secretive.self, from: data)
        #expect(back.name == "x")
        #expect(back.password == (isBinary ? "p" : "secret"))
        #expect(back.cache == (coder.isKeyed ? nil : 3))
        #expect(back.number == 6)
        #expect(data.range(of: Data("secret".utf8)) == nil || !isBinary)
        for count in [1, 100] {
            let parts = Array(repeating: SecretivePart(a: 7, b: 8, c: 9), count: count)
            let expected = SecretivePart(a: 7, b: isBinary ? 2 : 8, c: coder.isKeyed ? 3 : 9)
            #expect(try coder.copy(parts) == Array(repeating: expected, count: count))
        }
        let failure = encodingFailure { try coder.encode(Unfit("x")) }
        #expect(failure?.reason.contains("making") == true)
    }

    @Test(arguments: AnyCoder.allCases) func defaults(coder: AnyCoder) throws {
        var old: [OldUninitialised] = [OldUninitialised(name: "n")]
        old += Array(repeating: OldUninitialised(name: "m"), count: 60)
        struct Now: Model {
            var name: String
            var tags: [String]
            var limit: Int?
            var hidden: Int
            init(name: String) { (self.name, tags, hidden) = (name, [], 0) }
            static var rules: ModelRules {
                ModelRules().making("tags") { ["made"] }.making("limit") { 9 }.making("hidden") { 7 }.excluding(
                    "hidden")
            }
        }
        for now in try coder.read(old, as: [Now].self) {
            #expect(now.tags == ["made"] && now.limit == 9 && now.hidden == 7)
        }
        let present = Uninitialised(name: "p")
        present.tags = ["own"]
        let back = try coder.copy(present)
        #expect(back.tags == ["own"] && back.limit == nil && back.hidden == 7)
    }
}
