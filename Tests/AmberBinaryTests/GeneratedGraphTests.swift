// Room:   AmberBinaryTests. Random graphs of classes: cycles, sharing, subclasses, every kind of property.
// Takes:  a seed. Gives: the same graph back, in every form.
// Touches: the binary coder.

import AmberBinary
import AmberModel
import AmberTestSupport
import Foundation
import Testing

class Thing: Model, Labelled, Hashable {
    var label = ""
    var next: Thing?
    var things: [Thing] = []
    var maybe: [Thing?] = []
    var set: Set<Thing> = []
    var keyed: [String: Thing] = [:]
    var keys: [Thing: Int] = [:]
    weak var owner: Thing?
    var any: Any?
    var link = Link.none
    var value: Kinds?
    var numbers: [Int16] = []
    required init() {}

    static func == (left: Thing, right: Thing) -> Bool { left.label == right.label }
    func hash(into hasher: inout Hasher) { hasher.combine(label) }

    func breakCycles() {
        (next, things, maybe, set, keyed, keys, any, link) = (nil, [], [], [], [:], [:], nil, .none)
    }
}

final class Gadget: Thing {
    var shapes: Shapes?
    var parts: [(Thing, String)] = []
}

final class Widget: Thing {
    var data = Data()
    var place = Vertex()
}

enum Link {
    case none
    case thing(Thing)
    case things([Thing], note: String)
    indirect case other(Link)
}

struct GraphRoot: Model {
    var things: [Thing]
    var first: Thing?
    var set: Set<Thing> = []
}

extension SeededGenerator {
    mutating func graph(_ count: Int, rich: Bool) -> [Thing] {
        let things = (0..<count).map { index -> Thing in
            let thing = below(3) == 0 ? Gadget() : below(2) == 0 ? Widget() : Thing()
            thing.label = "thing \(index)"
            return thing
        }
        for thing in things {
            func other() -> Thing { things[below(count)] }
            func some(_ limit: Int) -> [Thing] { (0..<below(limit)).map { _ in other() } }
            if oneIn(2) { thing.next = other() }
            if oneIn(3) { thing.owner = other() }
            if oneIn(3) { thing.things = some(pick([3, 9, 20])) }
            if oneIn(4) { thing.maybe = some(10).map { oneIn(3) ? nil : $0 } }
            if oneIn(4) { thing.set = Set(some(5)) }
            if oneIn(5) { thing.keyed = Dictionary(some(4).map { ($0.label, $0) }) { a, _ in a } }
            if oneIn(5) { thing.keys = Dictionary(some(4).map { ($0, 1) }) { a, _ in a } }
            if oneIn(4) {
                thing.any = pick([1, "x", other(), some(3), [other().label: other()], Link.thing(other())] as [Any])
            }
            if oneIn(4) {
                thing.link = pick([.thing(other()), .things(some(4), note: text()), .other(.other(.thing(other())))])
            }
            thing.numbers = (0..<below(12)).map { _ in integer(Int16.self) }
            guard rich else { continue }
            if oneIn(2) { thing.value = kinds() }
            if let gadget = thing as? Gadget {
                if oneIn(2) { gadget.shapes = shapes() }
                gadget.parts = some(3).map { ($0, text()) }
            }
            if let widget = thing as? Widget { (widget.data, widget.place) = (Data(text().utf8), vertex()) }
        }
        return things
    }
}

@Suite struct GeneratedGraphTests {
    private func check(_ things: [Thing], _ form: BinaryEncodingOptions, _ replay: String) throws {
        let root = GraphRoot(things: things, first: things.first, set: Set(things.prefix(9)))
        let back = try roundTrip(root, form)
        #expect(difference(root, back) == nil, "\(things.count) things, \(replay)")
        for thing in back.things { thing.breakCycles() }
    }

    @Test(arguments: everyForm) func randomGraphsComeBack(_ form: BinaryEncodingOptions) throws {
        var generator = SeededGenerator()
        for count in [1, 2, 6, 7, 8, 9, 10, 30, 150] {
            let things = generator.graph(count, rich: true)
            defer { for thing in things { thing.breakCycles() } }
            try check(things, form, generator.replay)
        }
    }

    @Test func largeGraphsComeBack() throws {
        var generator = SeededGenerator()
        let things = generator.graph(66_000, rich: false)
        defer { for thing in things { thing.breakCycles() } }
        let archive = try BinaryEncoder(options: .init(compression: .lz4())).encode(things)
        let back = try BinaryDecoder().decode([Thing].self, from: archive)
        #expect(back.count == things.count)
        var wrong = 0
        for (one, other) in zip(things, back) {
            if one.label != other.label || one.next?.label != other.next?.label
                || one.owner?.label != other.owner?.label
                || one.things.map(\.label) != other.things.map(\.label) || one.set != other.set
                || one.numbers != other.numbers
                || type(of: one) != type(of: other)
            {
                wrong += 1
            }
        }
        #expect(wrong == 0, "\(generator.replay)")
        #expect(back.allSatisfy { $0.next == nil || $0.next === back[Int($0.next?.label.dropFirst(6) ?? "") ?? 0] })
        for thing in back { thing.breakCycles() }
    }

    @Test func threadsMayShareACoderAndMeetTypesTogether() async throws {
        let encoder = BinaryEncoder()
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for seed in 0..<16 as Range<UInt64> {
                group.addTask {
                    var generator = SeededGenerator(seed: seed)
                    let things = generator.graph(20, rich: true)
                    defer { for thing in things { thing.breakCycles() } }
                    let data = try encoder.encode(things)
                    let back = try BinaryDecoder().decode([Thing].self, from: data)
                    defer { for thing in back { thing.breakCycles() } }
                    return difference(things, back) == nil
                }
            }
            for try await same in group { #expect(same) }
        }
    }
}
