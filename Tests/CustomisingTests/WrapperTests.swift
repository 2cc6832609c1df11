// Room:   CustomisingTests. Property wrappers: properties that gain one, lose one, and what archives have of them.
// Takes:  models before and after. Gives: nothing; expectations.
// Touches: every coder.

import Amber
import AmberModel
import Foundation
import Testing

@propertyWrapper private struct WrapPlain<Value> {
    var wrappedValue: Value
}

@propertyWrapper private struct WrapLimited {
    private var kept: Int
    init(wrappedValue: Int) { kept = min(wrappedValue, 10) }
    var wrappedValue: Int {
        get { kept }
        set { kept = min(newValue, 10) }
    }
    var projectedValue: String { "\(kept) of 10" }
}

@propertyWrapper private struct WrapWeak<Object: AnyObject> {
    private weak var kept: Object?
    init(wrappedValue: Object?) { kept = wrappedValue }
    var wrappedValue: Object? {
        get { kept }
        set { kept = newValue }
    }
}

@propertyWrapper private struct WrapCounting<Value> {
    var wrappedValue: Value
    var changes = 0
}

private struct WrapPlace: Model, Equatable { var x = 1, y = 2 }

private final class WrapBefore: Model {
    var count = 5
    var limited = 7
    var place = WrapPlace(x: 3, y: 4)
    var name: String? = "n"
    var twice = 6
    var next: WrapBefore?
    weak var back: WrapBefore?
    static var rules: ModelRules { ModelRules(name: "WrapSample") }
}

private final class WrapAfter: Model {
    @WrapPlain var count = 0
    @WrapLimited var limited = 0
    @WrapPlain var place = WrapPlace()
    @WrapPlain var name: String?
    @WrapPlain @WrapLimited var twice = 0
    @WrapPlain var next: WrapAfter?
    @WrapWeak var back: WrapAfter? = nil
    init() {}
    static var rules: ModelRules { ModelRules(name: "WrapSample") }
}

/// No `init()` that could give what an archive lacks.
private struct WrapBare: Model {
    @WrapPlain var name: String?
    var size: Int
}

/// What an archive has that was written when wrappers were structs of their own.
private struct WrapStructure: Model {
    var wrappedValue = 5
    static var rules: ModelRules { ModelRules(name: codingName(of: WrapPlain<Int>.self)) }
}

private struct WrapOld: Model {
    var count = WrapStructure()
    var more = [1]
    static var rules: ModelRules { ModelRules(name: "WrapOldSample") }
}

private struct WrapNew: Model {
    @WrapPlain var count = 0
    var more: [Int] = []
    static var rules: ModelRules { ModelRules(name: "WrapOldSample") }
}

private struct WrapMigrated: Model {
    @WrapPlain var count = 0
    var more: [Int] = []
    static var rules: ModelRules {
        ModelRules(name: "WrapOldSample", version: 2).migrating(from: 0) { $0["more"] = .array([]) }
    }
}

@Suite struct WrapperTests {
    @Test("a property gains and loses a wrapper", arguments: AnyCoder.allCases)
    fileprivate func gained(coder: AnyCoder) throws {
        let before = WrapBefore()
        before.next = WrapBefore()
        before.next?.back = before
        let after = try coder.read(before, as: WrapAfter.self)
        #expect(after.count == 5 && after.limited == 7 && after.place == WrapPlace(x: 3, y: 4))
        #expect(after.name == "n" && after.twice == 6 && after.$limited == "7 of 10")
        #expect(after.next?.back === after)

        after.count = 8
        after.limited = 20
        after.name = nil
        let copy = try coder.copy(after)
        #expect(copy.count == 8 && copy.limited == 10 && copy.name == nil && copy.next?.back === copy)
        let again = try coder.read(copy, as: WrapBefore.self)
        #expect(again.count == 8 && again.limited == 10 && again.name == nil && again.twice == 6)
        #expect(again.next?.back === again)
    }

    @Test("what a wrapped Optional lacks is nil", arguments: AnyCoder.allCases)
    fileprivate func lacking(coder: AnyCoder) throws {
        struct Less: Model { var size = 4 }
        #expect(try coder.read(Less(), as: WrapBare.self).name == nil)
    }

    @Test("a wrapper with more than a value keeps all of it", arguments: AnyCoder.allCases)
    fileprivate func several(coder: AnyCoder) throws {
        struct Counting: Model {
            @WrapCounting var value = 1
            var changes: Int { _value.changes }
            mutating func change() { _value.changes += 1 }
        }
        var counting = Counting()
        counting.value = 9
        counting.change()
        let copy = try coder.copy(counting)
        #expect(copy.value == 9 && copy.changes == 1)
    }

    @Test func outsideJSON() throws {
        let json = Data(#"{"count":3,"limited":12,"place":{"x":0,"y":9},"name":"a","twice":2,"next":null}"#.utf8)
        let read = try MappedJSONDecoder().decode(WrapAfter.self, from: json)
        #expect(read.count == 3 && read.place.y == 9 && read.name == "a" && read.twice == 2)
        let text = String(decoding: try MappedJSONEncoder().encode(read), as: UTF8.self)
        #expect(text.contains(#""count":3"#) && text.contains(#""place":{"x":0,"y":9}"#))
    }

    @Test func conveniences() throws {
        let value = WrapAfter()
        value.count = 3
        #expect(try value.dictionaryValue["count"] as? Int == 3)
        let made = try WrapAfter.instance(from: ["count": 4, "limited": 5, "name": "d"])
        #expect(made.count == 4 && made.limited == 5 && made.name == "d")
        #expect(try value.differences(from: made).map { "\($0.path)" }.sorted() == ["count", "limited", "name"])
    }

    @Test func olderArchives() throws {
        for count in [1, 20] {
            let data = try BinaryEncoder().encode(Array(repeating: WrapOld(), count: count))
            #expect(
                try BinaryDecoder().decode([WrapNew].self, from: data).map(\.count) == Array(repeating: 5, count: count)
            )
            let migrated = try BinaryDecoder().decode([WrapMigrated].self, from: data)
            #expect(
                migrated.map(\.count) == Array(repeating: 5, count: count) && migrated.allSatisfy { $0.more.isEmpty })
        }
    }
}
