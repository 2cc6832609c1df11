// Room:   AmberBinaryTests. Damaged archives: every prefix, every flipped bit, random damage.
// Takes:  good archives of every sort. Gives: an error or a value, never a crash, never without end.
// Touches: the binary coder.

import AmberBinary
import AmberModel
import AmberTestSupport
import Foundation
import Testing

/// An archive and what reads it.
private struct Sample {
    var name: String
    var data: Data
    var read: (Data) throws -> Void

    init<Root, Reader>(_ name: String, _ root: Root, as reader: Reader.Type, _ options: BinaryEncodingOptions = .init())
        throws
    {
        self.name = name
        data = try BinaryEncoder(options: options).encode(root)
        // Room for honest values, so that lies about sizes don't slow the test down.
        let decoder = BinaryDecoder(options: .init(limits: DecodingLimits(bytes: 1 << 22, baseMemory: 1 << 20)))
        read = { data in
            let value = try decoder.decode(Reader.self, from: data)
            // What was read can be written again, looked at, and destroyed.
            _ = try? BinaryEncoder(options: .init(isDeterministic: true)).encode(value)
            _ = "\(Mirror(reflecting: value).children.count)"
            if let graph = value as? [any Breakable] { for object in graph { object.breakCycles() } }
        }
    }
}

private protocol Breakable {
    func breakCycles()
}

extension Node: Breakable {
    func breakCycles() { (next, set, keyed) = (nil, [], [:]) }
}

extension ListNode: Breakable {
    func breakCycles() { next = nil }
}

extension Dynamic: Breakable {
    func breakCycles() { (any, maybe, list, keyed, hashables) = (0, nil, [], [:], [:]) }
}

private struct LaterKinds: Model {
    var string: String?
    var i32 = 0.0
    var double: Double?
    var extra = "x"
    static var rules: ModelRules { ModelRules(name: "AmberBinaryTests.Kinds") }
}

private struct LaterVertex: Model {
    var z: Double = 0
    var w = "w"
    var x: Float? = nil
    static var rules: ModelRules { ModelRules(name: "AmberBinaryTests.Vertex") }
}

/// `AMBER_THOROUGHNESS=50` tries nearly every prefix and bit of the large archives too, for an hour.
private let thoroughness = ProcessInfo.processInfo.environment["AMBER_THOROUGHNESS"].flatMap { Int($0) } ?? 1

@Suite struct DamageTests {
    private static func samples() throws -> [Sample] {
        var generator = SeededGenerator(seed: 77)
        let nodes = (0..<3).map { Node("n\($0)") }
        for node in nodes { (node.set, node.keyed, node.next) = (Set(nodes), [nodes[0]: "a"], nodes[1]) }
        defer { for node in nodes { node.breakCycles() } }
        let many = (0..<12).map { Node("m\($0)") }
        for node in many { (node.set, node.next) = ([many[0], many[1]], many[3]) }
        defer { for node in many { node.breakCycles() } }
        let objects = [1, 10].map { count in
            (0..<count).map { index in
                let object = Dynamic()
                (object.any, object.hashables) = (nodes[index % 3], ["x": 1, 2: [Suit.hearts]])
                object.list = [1, "x", [true], nodes[0], Set(["q"]), Vertex(x: 1), Load.pair(x: 1, y: 2), ["k": 1.5]]
                object.drawables = [Square(side: 1), nodes[1], Framed(owner: nodes[0])]
                return object
            }
        }
        let kinds = (0..<9).map { _ in generator.kinds() }
        let shapes = (0..<9).map { _ in generator.shapes() }
        let vertices = (0..<20).map { _ in generator.vertex() }
        let list = (0..<20).map { _ in ListNode() }
        for index in 1..<20 { (list[index].next, list[index].number) = (list[index - 1], index * index) }
        let watched = (0..<9).map { _ in Watched() }
        let bare = (0..<9).map { BareHolder([$0: "\($0)"], [[1: "a"]]) }
        return [
            try Sample("kinds, row", kinds[0], as: Kinds.self), try Sample("kinds, columns", kinds, as: [Kinds].self),
            try Sample("shapes, row", shapes[0], as: Shapes.self),
            try Sample("shapes, columns", shapes, as: [Shapes].self),
            try Sample("sets of objects", nodes, as: [Node].self),
            try Sample("many sets of objects", many, as: [Node].self),
            try Sample("existentials, row", objects[0], as: [Dynamic].self),
            try Sample("existentials, columns", objects[1], as: [Dynamic].self),
            try Sample("vertices", vertices, as: [Vertex].self),
            try Sample("other vertices", vertices, as: [LaterVertex].self),
            try Sample("other kinds, row", kinds[0], as: LaterKinds.self),
            try Sample("other kinds", kinds, as: [LaterKinds].self),
            try Sample("list", list, as: [ListNode].self), try Sample("observed", watched, as: [Watched].self),
            try Sample("without init()", bare, as: [BareHolder<[Int: String]>].self),
            try Sample("fingerprint", vertices, as: [Vertex].self, .init(schema: .fingerprint)),
            try Sample("LZ4", kinds[0], as: Kinds.self, .init(compression: .lz4())),
            try Sample(
                "LZ4 of much the same", Array(repeating: vertices, count: 40), as: [[Vertex]].self,
                .init(compression: .lz4())),
        ]
    }

    @Test func everyPrefixIsAnError() throws {
        for sample in try Self.samples() {
            try sample.read(sample.data)
            forEachPrefix(of: sample.data, limit: sample.data.count < 350 ? .max : 250 * thoroughness) { prefix in
                #expect(throws: DecodingFailure.self, "\(sample.name), \(prefix.count) bytes") {
                    try sample.read(prefix)
                }
            }
            #expect(throws: DecodingFailure.self, "\(sample.name)") { try sample.read(sample.data + [0]) }
        }
    }

    @Test func everyFlippedBitIsAnErrorOrAValue() throws {
        for sample in try Self.samples() {
            var failures = 0
            forEachFlippedBit(of: sample.data, limit: sample.data.count < 350 ? .max : 120 * thoroughness) { damaged in
                do { try sample.read(damaged) } catch { failures += error is DecodingFailure ? 1 : 1_000_000 }
            }
            #expect(failures > 0 && failures < 1_000_000, "\(sample.name)")
        }
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64]) func randomDamageIsAnErrorOrAValue(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for sample in try Self.samples() {
            for _ in 0..<30 * thoroughness {
                do { try sample.read(generator.damage(sample.data)) } catch { #expect(error is DecodingFailure) }
            }
        }
    }

    @Test func schemasOfOneTypeReadAsAnotherAreAnErrorOrAValue() throws {
        let samples = try Self.samples()
        for sample in samples {
            for other in samples { do { try other.read(sample.data) } catch { #expect(error is DecodingFailure) } }
        }
    }
}
