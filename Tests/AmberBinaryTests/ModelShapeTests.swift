// Room:   AmberBinaryTests. The shapes that model types have: with and without init(), observed, wrapped, lazy, nested.
// Takes:  one small type for each shape. Gives: instances that come back whole, or errors that say what to do.
// Touches: the binary coder.

import AmberBinary
import AmberModel
import AmberTestSupport
import Foundation
import Observation
import Testing

@Observable final class Watched: Model {
    var title = "t"
    var count = 2
    var place = Vertex()
    var friends: [Watched] = []
    @ObservationIgnored lazy var expensive: Int = {
        wasForced = true; return 5
    }()
    @ObservationIgnored weak var owner: Watched?
    @ObservationIgnored @Clamped var clamped = 3
    @ObservationIgnored var wasForced = false
    var doubled: Int { count * 2 }
    init() {}
}

@Observable final class WatchedBare: Model {
    var title: String
    var range: Range<Int>?
    init(title: String) { self.title = title }
}

final class Closures: Model {
    var name: String
    var onChange: (() -> Void)?
    lazy var upper = name.uppercased()
    init(_ name: String) { self.name = name }
}

final class ObjectiveThing: NSObject, Model {
    var name = ""
    var others: [ObjectiveThing] = []
    weak var parent: ObjectiveThing?
    override init() { super.init() }
}

class GenericBase<T>: Model {
    var base: T?
    required init() {}
}

final class GenericSub<T, U>: GenericBase<[T]> {
    var own: [U] = []
    weak var link: GenericBase<[T]>?
}

final class LetBare: Model {
    let id: UUID
    let names: [String]
    init(id: UUID, names: [String]) { (self.id, self.names) = (id, names) }
}

enum Outer {
    struct Middle {
        final class Inner: Model {
            var value = 0
            init() {}
        }
    }
}

private final class Hidden: Model {
    var value = 1
    var next: Hidden?
}

final class OneField: Model { var value: UInt8 = 0 }
final class NoField: Model {}

final class Aligned: Model {
    var a: UInt8 = 1
    var b: UInt128 = 2
    var c: Bool = true
    var d: (UInt8, Int64) = (1, 2)
    var e: Vertex?
    var f: UInt8 = 9
}

/// Not a model, not Codable.
struct Stranger {
    var x = 0
}

final class Wrapping: Model {
    @Kept var stranger = Vertex()
    @Kept var names: [String?] = []
    var _underscored = Vertex()
}

final class UnderscorePair: Model {
    var x = Vertex()
    var _x = Vertex()
}

@Suite struct ModelShapeTests {
    private func text(_ data: Data) -> String { String(decoding: data, as: UTF8.self) }

    @Test(arguments: [1, 10]) func observedPropertiesHaveTheirSourceNames(_ count: Int) throws {
        let models = (0..<count).map { _ in Watched() }
        for model in models {
            (model.title, model.count, model.friends, model.owner) = ("x", 7, models, models[0])
            (model.place.x, model.clamped) = (4, 500)
        }
        let archive = try BinaryEncoder().encode(models)
        for name in ["title", "count", "clamped", "owner", "place"] { #expect(text(archive).contains(name)) }
        for name in ["_title", "_clamped", "egistrar", "expensive", "doubled"] {
            #expect(!text(archive).contains(name))
        }
        let back = try BinaryDecoder().decode([Watched].self, from: archive)
        for model in back {
            #expect(model.title == "x" && model.count == 7 && model.friends.count == count && model.owner === back[0])
            #expect(model.clamped == 100 && !model.wasForced && model.place.x == 4)
            #expect(model.expensive == 5 && model.wasForced)
            model.friends = []
        }
        // The registrar of a decoded object works.
        nonisolated(unsafe) var isChanged = false
        withObservationTracking {
            _ = back[0].title
        } onChange: {
            unsafe isChanged = true
        }
        back[0].title = "new"
        let seen = unsafe isChanged
        #expect(seen)
        for model in models { model.friends = [] }
    }

    @Test(arguments: [1, 10]) func observedObjectsWithoutInitializerGetARegistrarOfTheirOwn(_ count: Int) throws {
        let back = try roundTrip((0..<count).map { WatchedBare(title: "\($0)") })
        nonisolated(unsafe) var changes = 0
        for model in back {
            withObservationTracking {
                _ = model.title
            } onChange: {
                unsafe changes += 1
            }
        }
        back[0].title = "new"
        let seen = unsafe changes
        #expect(seen == 1 && back[0].range == nil)
    }

    @Test func addingTheObservableAttributeKeepsOldArchivesReadable() throws {
        struct Before: Model {
            var object: Plain
            final class Plain: Model {
                var title = "old"
                var count = 4
                static var rules: ModelRules { ModelRules(name: "Same.Observed") }
                init() {}
            }
            static var rules: ModelRules { ModelRules(name: "Same.HoldsObserved") }
        }
        struct After: Model {
            var object: Seen
            static var rules: ModelRules { ModelRules(name: "Same.HoldsObserved") }
        }
        let after = try read(Before(object: .init()), as: After.self)
        #expect(after.object.title == "old" && after.object.count == 4)
    }

    @Test(arguments: [1, 10]) func closuresAndLazyPropertiesAreLeftOut(_ count: Int) throws {
        let things = (0..<count).map { index in
            let thing = Closures("n\(index)")
            thing.onChange = {}
            _ = thing.upper
            return thing
        }
        for (index, thing) in try roundTrip(things).enumerated() {
            #expect(thing.name == "n\(index)" && thing.onChange == nil && thing.upper == "N\(index)")
            thing.onChange = {}
        }
    }

    @Test(arguments: [1, 10]) func foundationSubclassesComeBack(_ count: Int) throws {
        let things = (0..<count).map { _ in ObjectiveThing() }
        for (index, thing) in things.enumerated() {
            (thing.name, thing.parent, thing.others) = (
                "\(index)", things[0], index == 0 ? Array(things.dropFirst()) : []
            )
        }
        let back = try roundTrip(things)
        for (index, thing) in back.enumerated() { #expect(thing.name == "\(index)" && thing.parent === back[0]) }
        #expect(back[0].others.elementsEqual(back.dropFirst()) { $0 === $1 })
    }

    @Test func genericClassesComeBackWithTheirArguments() throws {
        let sub = GenericSub<Int, String>()
        (sub.base, sub.own, sub.link) = ([1, 2], ["x"], sub)
        let back = try roundTrip([sub, GenericBase<[Int]>()] as [GenericBase<[Int]>])
        let same = try #require(back[0] as? GenericSub<Int, String>)
        #expect(same.base == [1, 2] && same.own == ["x"] && same.link === same)
        #expect(type(of: back[1]) == GenericBase<[Int]>.self)
    }

    @Test(arguments: [1, 10]) func constantsOfTypesWithoutInitializerComeBack(_ count: Int) throws {
        let ids = (0..<count).map { _ in UUID() }
        let back = try roundTrip(ids.map { LetBare(id: $0, names: ["a", "\($0)"]) })
        #expect(back.map(\.id) == ids && back.map(\.names) == ids.map { ["a", "\($0)"] })
    }

    @Test(arguments: [1, 10]) func nestedPrivateAndLocalTypesComeBack(_ count: Int) throws {
        final class Local: Model {
            var value = 2
            var hidden: Hidden?
        }
        let hidden = (0..<count).map { index in
            let hidden = Hidden()
            hidden.value = index
            return hidden
        }
        #expect(try roundTrip(hidden).map(\.value) == Array(0..<count))
        let local = Local()
        local.hidden = hidden[0]
        #expect(try roundTrip(Array(repeating: local, count: count))[0].hidden?.value == 0)
        let inner = Outer.Middle.Inner()
        inner.value = 4
        #expect(try roundTrip(inner).value == 4)
    }

    @Test func localTypesOfTheSameNameAreNotConfused() throws {
        func first() throws -> Int {
            final class Twin: Model { var number = 1 }
            return try roundTrip([Twin(), Twin()])[1].number
        }
        func second() throws -> String {
            final class Twin: Model { var text = "x" }
            return try roundTrip([Twin(), Twin()])[1].text
        }
        #expect(try first() == 1)
        #expect(try second() == "x")
        #expect(try first() == 1)
    }

    @Test func smallAndUnevenLayoutsComeBack() throws {
        for count in [1, 8, 50] {
            let aligned = (0..<count).map { index in
                let aligned = Aligned()
                (aligned.a, aligned.b, aligned.d, aligned.f) = (
                    UInt8(index), UInt128(index) << 90, (UInt8(index), -5), 77
                )
                aligned.e = index % 2 == 0 ? nil : Vertex(x: 1, y: 2, z: Float(index))
                return aligned
            }
            #expect(difference(aligned, try roundTrip(aligned)) == nil)
            let bytes = (0..<count).map { index in
                let one = OneField()
                one.value = UInt8(index)
                return one
            }
            #expect(try roundTrip(bytes).map(\.value) == bytes.map(\.value))
            #expect(try roundTrip((0..<count).map { _ in NoField() }).count == count)
        }
    }

    @Test(arguments: [1, 10]) func wrappersKeepTheirValuesUnderThePublicName(_ count: Int) throws {
        let models = (0..<count).map { index in
            let model = Wrapping()
            (model.stranger.x, model.names, model._underscored.y) = (Float(index), [nil, "a"], 3)
            return model
        }
        let archive = try BinaryEncoder().encode(models)
        #expect(!text(archive).contains("_stranger") && text(archive).contains("stranger"))
        for (index, model) in try BinaryDecoder().decode([Wrapping].self, from: archive).enumerated() {
            #expect(model.stranger.x == Float(index) && model.names == [nil, "a"] && model._underscored.y == 3)
        }
        let pair = UnderscorePair()
        (pair.x.x, pair._x.x) = (1, 2)
        let back = try roundTrip(pair)
        #expect(back.x.x == 1 && back._x.x == 2)
    }

    @Observable final class Seen: Model {
        var title = ""
        var count = 0
        static var rules: ModelRules { ModelRules(name: "Same.Observed") }
        init() {}
    }
}
