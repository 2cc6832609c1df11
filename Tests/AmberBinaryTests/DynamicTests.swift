// Room:   AmberBinaryTests. Values whose type is known only when they are met: Any, AnyHashable, protocols.
// Takes:  existentials of every kind. Gives: the same values, in their own types.
// Touches: the binary coder.

import AmberBinary
import AmberModel
import AmberTestSupport
import Foundation
import Testing

protocol Drawable {
    var area: Int { get }
}

struct Square: Model, Drawable, Equatable {
    var side = 0
    var area: Int { side * side }
}

struct Framed: Model, Drawable {
    var owner: Node?
    var notes: [String] = []
    var area: Int { notes.count }
    mutating func didDecode() { notes.append(owner?.label ?? "none") }
}

enum Figure: Drawable, Equatable {
    case dot, line(Int)
    var area: Int { 0 }
}

final class Node: Model, Hashable, Drawable, Labelled {
    var label = ""
    var next: Node?
    var set: Set<Node> = []
    var keyed: [Node: String] = [:]
    var area: Int { label.count }
    init() {}
    init(_ label: String) { self.label = label }
    static func == (left: Node, right: Node) -> Bool { left.label == right.label }
    func hash(into hasher: inout Hasher) { hasher.combine(label) }
}

struct Gathering: Model {
    var set: Set<Node> = []
    var keyed: [Node: [Node]] = [:]
    var tuples: [(Node, Set<Node>)] = []
    var choice = Choice.none
    var choices: [Choice] = []
    var maybe: Set<Node>?
    var deep: [Set<[Node]>: Set<Set<Node>>] = [:]
    var boxed: Any = 0
    var slices: ArraySlice<Node> = []
    var framed: [Framed] = []
    var drawables: [any Drawable] = []
    var hashables: Set<AnyHashable> = []
}

enum Choice {
    case none
    case nodes(Set<Node>)
    case both(Set<Node>, flag: Bool)
    indirect case boxed(Choice, [Node: Int])
    case framed(Framed)
    case number(Int)
}

final class Dynamic: Model {
    var any: Any = 0
    var maybe: Any?
    var list: [Any] = []
    var keyed: [String: Any] = [:]
    var hashable: AnyHashable = 0
    var hashables: [AnyHashable: Any] = [:]
    var drawable: any Drawable = Square()
    var drawables: [any Drawable] = []
}

@Suite struct DynamicTests {
    @Test(arguments: everyForm) func numbersKeepTheirKind(_ form: BinaryEncodingOptions) throws {
        let values: [Any] = [
            true, 1, 1.0, false, 0, 0.0, Int8(1), UInt64.max, Float(1), "1", Decimal(1),
            Date(timeIntervalSinceReferenceDate: 1),
        ]
        for list in [Array(values[..<6]), values, values + values] {
            let back = try roundTrip(list, form)
            #expect(difference(list, back) == nil)
            #expect(back.map { "\(type(of: $0))" } == list.map { "\(type(of: $0))" })
        }
        let keys = Dictionary<AnyHashable, String>(
            [
                (AnyHashable(true), "bool"), (AnyHashable("1"), "text"), (AnyHashable(2), "int"),
                (AnyHashable(0.5), "double"),
            ]
        ) { a, _ in a }
        let back = try roundTrip(keys, form)
        #expect(back == keys && back.keys.contains { $0.base is Bool })
    }

    @Test(arguments: everyForm) func existentialsHoldAnything(_ form: BinaryEncodingOptions) throws {
        var generator = SeededGenerator()
        for count in [1, 7, 8, 30] {
            let node = Node("n")
            let values: [Any] = [
                1, "x", [1, 2], ["a": [true]], Set(["q"]), Suit.hearts, Load.pair(x: 1, y: 2), Vertex(x: 1), Data([1]),
                Optional<Int>.none as Any, Optional(5) as Any, Optional(Optional<String>.none) as Any, (1, "t"),
                Nothing(), node, [node, node], Box(content: "b"),
                Option<Int>.present(3), URL(filePath: "/x"), UUID(), 1..<4, [1, "mixed", [nil as Int?]] as [Any],
                ["k": 1, "l": ["m": node]] as [String: Any], AnyHashable("h"), IndexSet([1]), Character("c"), (),
                Single.only,
                ContiguousArray([1]), [Any](), [:] as [String: Any], Expression.sum(.number(1), .nothing),
                generator.kinds(),
            ]
            let models = (0..<count).map { index in
                let model = Dynamic()
                (model.any, model.maybe) = (values[index % values.count], index % 3 == 0 ? nil : generator.pick(values))
                model.list = (0..<index).map { _ in generator.pick(values) }
                model.keyed = ["a": generator.pick(values), "b": generator.pick(values)]
                model.hashable = generator.pick([1, "x", Suit.hearts, UUID(), [1], Vertex(x: 2)])
                model.hashables = ["x": 1, 2: generator.pick(values)]
                model.drawable = generator.pick([Square(side: 3), node, Figure.dot, Figure.line(4)] as [any Drawable])
                model.drawables = [Square(side: 1), Figure.line(index), node, Square(side: 2)]
                return model
            }
            let back = try roundTrip(models, form)
            #expect(difference(models, back) == nil, "\(count), \(generator.replay)")
        }
    }

    private func gathering(_ nodes: [Node], _ index: Int) -> Gathering {
        var all = Gathering()
        let set = Set(nodes)
        (all.set, all.maybe) = (set, index % 2 == 0 ? nil : set)
        all.keyed = Dictionary(uniqueKeysWithValues: nodes.map { ($0, [$0, nodes[0]]) })
        all.tuples = nodes.map { ($0, [nodes[0]]) }
        all.choices = [
            .none, .nodes(set), .both(set, flag: true), .boxed(.boxed(.nodes(set), [nodes[0]: 1]), [nodes[1]: 2]),
            .number(index),
            .framed(Framed(owner: nodes[0])), .boxed(.framed(Framed(owner: nodes[1], notes: ["x"])), [:]),
        ]
        all.choice = all.choices[index % all.choices.count]
        all.deep = [[[nodes[0]]]: [set, [nodes[1]]]]
        all.boxed = [set, [nodes[0]: "x"], nodes[0], [all.choices[2]]][index % 4] as Any
        all.slices = nodes[1...]
        all.hashables = [AnyHashable(nodes[0]), 1, "x"]
        all.drawables = [nodes[1], Square(side: 4)]
        return all
    }

    @Test(arguments: everyForm) func setsOfObjectsAreBuiltWhenTheirObjectsAreFilled(_ form: BinaryEncodingOptions)
        throws
    {
        for (count, size) in [(1, 2), (3, 3), (8, 2), (20, 12)] {
            let nodes = (0..<size).map { Node("n\($0)") }
            for node in nodes { (node.set, node.keyed, node.next) = (Set(nodes), [nodes[0]: "a"], nodes[1]) }
            let all = (0..<count).map { gathering(nodes, $0) }
            let back = try roundTrip(all, form)
            for (one, other) in zip(all, back) {
                #expect(other.set.count == size && nodes.allSatisfy { other.set.contains($0) })
                #expect(Set(other.keyed.keys) == Set(nodes) && other.keyed.allSatisfy { $1[0] === $0 })
                #expect(other.tuples.map(\.0) == nodes && other.tuples.allSatisfy { $0.1 == [nodes[0]] })
                #expect(other.maybe == one.maybe && other.deep == one.deep && other.slices.elementsEqual(one.slices))
                #expect(other.hashables == one.hashables)
                #expect("\(type(of: one.boxed))" == "\(type(of: other.boxed))")
                #expect(other.choices.count == 7)
                guard case .both(let set, flag: true) = other.choices[2],
                    case .boxed(.boxed(.nodes(let inner), let a), let b) = other.choices[3]
                else { Issue.record("Other cases came back"); continue }
                #expect(set == Set(nodes) && inner == Set(nodes) && a == [nodes[0]: 1] && b == [nodes[1]: 2])
                guard case .framed(let framed) = other.choices[5],
                    case .boxed(.framed(let second), _) = other.choices[6]
                else { Issue.record("Other cases came back"); continue }
                #expect(framed.notes == ["n0"] && second.notes == ["x", "n1"])
                #expect(other.choice.name == one.choice.name)
                let same = try #require(other.set.first { $0.label == "n0" })
                #expect(same.set.count == size && same.keyed[same] == "a" && other.keyed[same]?[0] === same)
            }
            for node in nodes + (back.first.map { Array($0.set) } ?? []) {
                (node.set, node.keyed, node.next) = ([], [:], nil)
            }
        }
    }

    @Test(arguments: [1, 9]) func structsWithHooksWaitForTheirObjectsInEveryPlace(_ count: Int) throws {
        let node = Node("n")
        var all = Gathering()
        all.framed = (0..<count).map { _ in Framed(owner: node) }
        all.drawables = (0..<count).map { _ in Framed(owner: node) }
        all.boxed = all.framed
        let back = try roundTrip(all)
        #expect(back.framed.allSatisfy { $0.notes == ["n"] && $0.owner?.label == "n" })
        #expect(back.drawables.allSatisfy { ($0 as? Framed)?.notes == ["n"] })
        #expect((back.boxed as? [Framed])?.allSatisfy { $0.notes == ["n"] } == true)
        let sets = try roundTrip([node, Set([node])] as [any Hashable])
        #expect(sets[1] as? Set<Node> == [node])
    }

    @Test func aTypeThatThePropertyDoesNotTakeIsRefused() throws {
        struct Any1: Model {
            var value: Any = 1
            static var rules: ModelRules { ModelRules(name: "Same.Existential") }
        }
        struct Any2: Model {
            var value: any Drawable = Square()
            static var rules: ModelRules { ModelRules(name: "Same.Existential") }
        }
        #expect(try read(Any1(value: Square(side: 5)), as: Any2.self).value.area == 25)
        #expect(decodingFailure { try read(Any1(value: 7), as: Any2.self) }?.code == .typeMismatch)
        #expect(decodingFailure { try read(Any1(value: Hello()), as: Any2.self) }?.code == .typeMismatch)
    }

    final class Hello: Model { var x = 1 }
}

extension Choice {
    fileprivate var name: String { String("\(self)".prefix { $0 != "(" }) }
}
