// Room:   CustomisingTests. Hooks, checks, setting up, rules along a chain of classes, names that clash.
// Takes:  types with code of their own. Gives: what was called, when, and with what effect.
// Touches: every coder.

import Amber
import AmberTestSupport
import Foundation
import Synchronization
import Testing

private struct Invalid: Error {}

private final class Event: Model, ValidatedModel {
    var start = 0
    var end = 1
    var parent: Event?
    var span = Span()
    var spans: [Span] = []
    var wasTold = false
    static var rules: ModelRules { ModelRules().excluding("wasTold") }
    func didDecode() { wasTold = true }
    func validate() throws {
        if start > end { throw Invalid() }
        // Everything has been told before anything is checked.
        if let parent, !parent.wasTold { throw Invalid() }
    }
}

private struct Span: Model, ValidatedModel {
    var length = 1
    var told = 0
    mutating func didDecode() { told += 1 }
    func validate() throws { if length < 0 || told != 1 { throw Invalid() } }
}

/// Structs whose hooks look at objects.
private struct Watcher: Model {
    var target: Noted?
    var text = ""
    var told = ""
    var encoded: Noted?
    static var rules: ModelRules { ModelRules().excluding("told").conditional("encoded") }
    func willEncode() throws {
        target?.notes += 1
        if text == "bad" { throw Invalid() }
    }
    mutating func didDecode() throws {
        told = "\(target?.name ?? "-") after \(target?.next?.name ?? "-")"
        if text == "unread" { throw Invalid() }
    }
}

/// Made without an initializer.
private final class Noted: Model {
    var name: String
    var next: Noted?
    var notes: Int
    var watchers: [Watcher]
    var byName: [String: Watcher]
    var one: Watcher?
    init(_ name: String) { (self.name, notes, watchers, byName) = (name, 0, [], [:]) }
}

private final class Live: SetUpModel {
    let life = ModelLife()
    var label = "" {
        didSet { order.append("label") }
    }
    var order: [String] = []
    var next: Live?
    static var rules: ModelRules { ModelRules().excluding("order") }
    static let counts = Mutex((setUp: 0, tornDown: 0))
    func setUp() {
        order.append("setUp\(label)")
        Live.counts.withLock { $0.setUp += 1 }
    }
    func tearDown() { Live.counts.withLock { $0.tornDown += 1 } }
    deinit { endLife() }
}

private final class LiveWithoutInit: SetUpModel {
    let life: ModelLife
    var text: String
    init(_ text: String) { (life, self.text) = (ModelLife(), text) }
    func setUp() {}
    func tearDown() {}
}

private class Grandparent: Model {
    required init() {}
    var a = 1
    var secret = "s"
    class var rules: ModelRules {
        ModelRules(name: "LifeTests.Grand", formerNames: ["LifeTests.OldGrand"], version: 2)
            .excluding("secret")
            .storing("a", as: "alpha")
            .migrating(from: 1) { $0.rename("one", to: "alpha") }
    }
}

/// Says nothing of itself.
private class Parent: Grandparent { var b = 2 }

private final class Child: Parent {
    var c = 3
    var cache = 0
    override class var rules: ModelRules {
        ModelRules(name: "LifeTests.Child").excluding("cache").storing("c", as: "gamma")
            .transforming("a", to: { (a: Int) in "\(a)" }, from: { Int($0) ?? 0 })
    }
}

private final class Adding: Parent {
    var d = 4
    override class var rules: ModelRules {
        super.rules.storing("d", as: "delta").migrating(from: 1) { values in
            values["delta"] = DynamicValue((values["alpha"]?.int ?? 0) + 1)
        }
    }
}

private enum Old {
    class Grandparent: Model {
        required init() {}
        var one = 1
        class var rules: ModelRules { ModelRules(name: "LifeTests.OldGrand", version: 1) }
    }
    final class Adding: Old.Grandparent {
        var b = 20
        override class var rules: ModelRules { ModelRules(name: "LifeTests.Adding", version: 1) }
    }
}

private final class NamedAdding: Parent {
    var d = 4
    override class var rules: ModelRules {
        ModelRules(name: "LifeTests.Adding", version: 3).storing("d", as: "delta")
            .migrating(from: 2) { values in values["delta"] = DynamicValue((values["alpha"]?.int ?? 0) + 1) }
    }
}

private class Upper: Model {
    required init() {}
    private var x = 1
    private var y = 10
    func set(_ number: Int) { (x, y) = (number, number * 10) }
    var shown: [Int] { [x, y] }
}

private class Lower: Upper {
    private var x = 2
    override func set(_ number: Int) {
        super.set(number)
        x = number + 1
    }
    override var shown: [Int] { super.shown + [x] }
    class var rules: ModelRules { ModelRules() }
}

private final class Lowest: Lower {
    private var x = 3
    private var y = 30
    override func set(_ number: Int) {
        super.set(number)
        (x, y) = (number + 2, number + 3)
    }
    override var shown: [Int] { super.shown + [x, y] }
}

private enum Suit: String { case hearts, spades, unknown }
extension Suit: ModelProtocol {
    static var rules: ModelRules { ModelRules().readingUnknownCases(as: "unknown") }
}
private enum FullSuit: String { case hearts, clubs, spades }
private enum Item {
    case number(Int), none
    case other(DynamicCase)
}
private enum FullItem { case number(Int), text(String), none, empty }
private struct Suits: Model { var suits: [Suit] }
private struct FullSuits: Model { var suits: [FullSuit] }
private struct Items: Model { var items: [Item] }
private struct FullItems: Model { var items: [FullItem] }

@Suite(.serialized) struct LifeTests {
    @Test(arguments: AnyCoder.allCases) func validation(coder: AnyCoder) throws {
        let event = Event()
        let parent = Event()
        event.parent = parent
        parent.parent = event
        event.spans = [Span(), Span()]
        #expect(try coder.copy(event).parent?.parent != nil)
        parent.start = 5
        let failure = decodingFailure { try coder.copy(event) }
        #expect(failure?.code == .invalid)
        #expect(failure?.description.contains("Event") == true)
        parent.start = 0
        event.spans = Array(repeating: Span(), count: 40) + [Span(length: -1)]
        #expect(decodingFailure { try coder.copy(event) }?.code == .invalid)
        #expect(decodingFailure { try coder.copy([Span(length: -2)]) }?.code == .invalid)
    }

    @Test(arguments: AnyCoder.allCases) func hooksOfStructs(coder: AnyCoder) throws {
        let (a, b) = (Noted("a"), Noted("b"))
        (a.next, b.next) = (b, a)
        a.watchers = [Watcher(target: b), Watcher(target: a)]
        a.byName = ["x": Watcher(target: b)]
        a.one = Watcher(target: a)
        let back = try coder.copy(a)
        #expect(back.watchers.map(\.told) == ["b after a", "a after b"])
        #expect(back.byName["x"]?.told == "b after a")
        #expect(back.one?.told == "a after b")
        #expect(try coder.copy(Watcher(target: a)).told == "a after b")
        #expect(a.notes >= 3 && b.notes >= 2)
        #expect(try coder.copy(Watcher(text: "x")).told == "- after -")
        #expect(encodingFailure { try coder.encode(Watcher(text: "bad")) }?.code == .rejectedByHook)
        #expect(decodingFailure { try coder.copy(Watcher(text: "unread")) }?.code == .rejectedByHook)
        (a.next, b.next, a.watchers, a.byName, a.one) = (nil, nil, [], [:], nil)
    }

    @Test(arguments: AnyCoder.allCases) func settingUp(coder: AnyCoder) throws {
        let before = Live.counts.withLock { $0 }
        do {
            let live = Live()
            live.label = "x"
            live.next = Live()
            let data = try coder.encode(live)
            let back = try coder.decode(Live.self, from: data)
            #expect(back.order.first == "setUp")
            #expect(back.label == "x" && back.life.isBegun && !live.life.isBegun)
            live.beginLife()
            live.beginLife()
            #expect(live.order.last == "setUpx")
        }
        let after = Live.counts.withLock { $0 }
        #expect(after.setUp - before.setUp == 3)
        #expect(after.tornDown - before.tornDown == 3)
        let failure = encodingFailure { try coder.encode(LiveWithoutInit("x")) }
        #expect(failure?.reason.contains("init()") == true)
    }

    @Test(arguments: AnyCoder.allCases) func rulesAddUp(coder: AnyCoder) throws {
        let child = Child()
        (child.a, child.b, child.c, child.cache, child.secret) = (10, 20, 30, 40, "hidden")
        let back = try coder.copy(child)
        #expect((back.a, back.b, back.c, back.cache) == (10, 20, 30, 0))
        #expect(back.secret == "s")
        let parent = Parent()
        parent.secret = "hidden"
        let mixed = try coder.copy([parent, child, Grandparent(), Adding()])
        #expect(mixed[0].secret == "s" && type(of: mixed[0]) == Parent.self)
        #expect(mixed[1] is Child && mixed[3] is Adding && type(of: mixed[2]) == Grandparent.self)
        let data = try coder.encode(child)
        for word in ["alpha", "gamma", "LifeTests.Child"] {
            if coder != .xml { #expect(data.range(of: Data(word.utf8)) != nil, "\(word)") }
        }
        #expect(data.range(of: Data("hidden".utf8)) == nil)
    }

    @Test func migrationsAddUp() throws {
        try BinaryDecoder.register(Grandparent.self, NamedAdding.self)
        let old = Old.Adding()
        old.one = 7
        let back = try BinaryDecoder().decode(NamedAdding.self, from: try BinaryEncoder().encode(old))
        #expect((back.a, back.b, back.d) == (7, 20, 8))
        let grand = Old.Grandparent()
        grand.one = 9
        let read = try BinaryDecoder().decode(Grandparent.self, from: try BinaryEncoder().encode(grand))
        #expect(read.a == 9)
    }

    @Test(arguments: AnyCoder.allCases) func privatePropertiesOfOneName(coder: AnyCoder) throws {
        let (upper, lower, lowest) = (Upper(), Lower(), Lowest())
        upper.set(100)
        lower.set(200)
        lowest.set(300)
        let back = try coder.copy([upper, lower, lowest])
        #expect(back.map(\.shown) == [[100, 1000], [200, 2000, 201], [300, 3000, 301, 302, 303]])
    }

    @Test(arguments: AnyCoder.allCases) func unknownCases(coder: AnyCoder) throws {
        let full = FullSuits(suits: [.hearts, .clubs, .spades])
        let suits = try coder.read(full, as: Suits.self)
        #expect(suits.suits == [.hearts, .unknown, .spades])
        let items = FullItems(items: [.number(4), .text("words"), .none, .empty])
        let read = try coder.read(items, as: Items.self)
        guard case .other(let text) = read.items[1], case .other(let empty) = read.items[3] else {
            Issue.record("Unknown cases are lost.")
            return
        }
        #expect(text.name == "text" && empty.name == "empty")
        let again = try coder.read(read, as: FullItems.self)
        guard case .text("words") = again.items[1], case .empty = again.items[3], case .number(4) = again.items[0]
        else {
            Issue.record("Unknown cases don't survive: \(again)")
            return
        }
    }
}
