// Room:   AmberBinaryTests. No object lives too long or dies too early, whether decoding succeeds or fails.
// Takes:  graphs of counted objects and every prefix and bit flip of their archives. Gives: a count of zero afterwards.
// Touches: the binary coder.

import AmberBinary
import AmberModel
import AmberTestSupport
import Foundation
import Testing

private enum Tag {}
private typealias Counted = Tracked<Tag>

/// A counted object in every place where an object can be.
private struct Places: Model {
    var plain = Counted("plain")
    var maybe: Counted? = Counted("maybe")
    var list = [Counted("l1"), Counted("l2")]
    var set: Set<Counted> = [Counted("s1"), Counted("s2")]
    var keyed = [Counted("k"): [Counted("v")]]
    var any: Any = Counted("any")
    var anySet: Any = Set([Counted("a1")])
    var hashable: AnyHashable = AnyHashable(Counted("h"))
    var hashables: Set<AnyHashable> = [AnyHashable(Counted("hs")), 1]
    var tuple = (Counted("t"), text: "some text that lives on the heap", Set([Counted("ts")]))
    var choice = Way.objects([Counted("c")], "another text that lives on the heap")
    var boxed = Way.boxed(Counted("b"), .set([Counted("bs")]))
    var slice = [Counted("x"), Counted("y")][1...]
    var texts = ["text number one, on the heap", "text number two, on the heap"]
    var data = Data((0..<200).map { UInt8($0) })
    var url = URL(filePath: "/some/long/path/to/a/file")
    var nested: [[Counted?]] = [[Counted("n"), nil]]
    var bare = BareCounted(Counted("bare"))
    var hooked = Hooked(owner: Counted("hook"))
    var ranges = [Date.distantPast..<Date.distantFuture]
}

private indirect enum Way {
    case none
    case objects([Counted], String)
    case boxed(Counted, Way)
    case set(Set<Counted>)
}

private final class BareCounted: Model {
    let object: Counted
    var set: Set<Counted>
    var any: Any?
    unowned let owner: Counted
    weak var other: BareCounted?
    lazy var late = 5
    init(_ object: Counted) { (self.object, owner, set, any) = (object, object, [object], [object]) }
}

private struct Hooked: Model {
    var owner: Counted?
    var notes = ["a note that is long enough for the heap"]
    mutating func didDecode() { notes.append(owner?.label ?? "") }
}

@Suite(.serialized) struct LifetimeTests {
    private func archives() throws -> [(String, Data)] {
        var archives: [(String, Data)] = []
        for count in [1, 9] {
            archives.append(("places \(count)", try BinaryEncoder().encode((0..<count).map { _ in Places() })))
        }
        let ring = (0..<12).map { Counted("r\($0)") }
        for (index, object) in ring.enumerated() {
            (object.next, object.owner, object.others) = (ring[(index + 1) % 12], ring[0], [ring[index / 2]])
            object.inner = ["some string for the heap \(index)"]
        }
        archives.append(("ring", try BinaryEncoder().encode(ring)))
        for object in ring { (object.next, object.others) = (nil, []) }
        return archives
    }

    private func decode(_ name: String, _ data: Data) throws {
        if name == "ring" {
            for object in try BinaryDecoder().decode([Counted].self, from: data) {
                (object.next, object.others) = (nil, [])
            }
        } else {
            let back = try BinaryDecoder().decode([Places].self, from: data)
            _ = back.map { $0.set.count + $0.tuple.2.count }
        }
    }

    @Test func everyObjectDiesAfterSuccessAndAfterFailureAtEveryPrefix() throws {
        for (name, data) in try archives() {
            #expect(livingObjects(Tag.self) == 0, "\(name), encoded")
            try decode(name, data)
            #expect(livingObjects(Tag.self) == 0, "\(name), decoded")
            forEachPrefix(of: data) { prefix in
                #expect(throws: DecodingFailure.self) { try decode(name, prefix) }
                if livingObjects(Tag.self) != 0 {
                    Issue.record("\(name), \(prefix.count) bytes: \(livingObjects(Tag.self)) live")
                }
            }
            #expect(livingObjects(Tag.self) == 0, "\(name), prefixes")
        }
    }

    @Test func everyObjectDiesWhateverBitIsFlipped() throws {
        for (name, data) in try archives() where name != "places 9" {
            var cycles = 0
            forEachFlippedBit(of: data) { damaged in
                let before = livingObjects(Tag.self)
                do {
                    try decode(name, damaged)
                    // A flipped reference can make a cycle, which is the caller's to break.
                    if livingObjects(Tag.self) != before { cycles += 1 }
                } catch {
                    if livingObjects(Tag.self) != before {
                        Issue.record("\(name): \(livingObjects(Tag.self) - before) live, \(error)")
                    }
                }
            }
            #expect(cycles < 40, "\(name)")
        }
    }
}

private final class DroppedLeaf: Model {
    nonisolated(unsafe) static var alive = 0
    var number = 0
    var other: DroppedLeaf?
    init() { unsafe Self.alive += 1 }
    deinit { unsafe Self.alive -= 1 }
}

private struct DroppedLeavesBefore: Model {
    var number = 1
    var leaves: [DroppedLeaf] = []
    static var rules: ModelRules { ModelRules(name: "DroppedLeaves") }
}

private struct DroppedLeavesNow: Model {
    var number = 0
    static var rules: ModelRules { ModelRules(name: "DroppedLeaves") }
}

@Suite struct DroppedObjectTests {
    @Test func objectsOfAPassedOverPropertyAreFreed() throws {
        func archive() throws -> Data {
            var value = DroppedLeavesBefore()
            value.leaves = (0..<20).map { _ in DroppedLeaf() }
            for index in 1..<20 { value.leaves[index].other = value.leaves[index - 1] }
            return try BinaryEncoder().encode(value)
        }
        let data = try archive()
        #expect(unsafe DroppedLeaf.alive == 0)
        #expect(try BinaryDecoder().decode(DroppedLeavesNow.self, from: data).number == 1)
        #expect(unsafe DroppedLeaf.alive == 0)
    }
}
