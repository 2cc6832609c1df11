// Room:   AmberReadableTests. Objects of documents that can't be read.
// Takes:  damaged documents of rings and shared objects. Gives: the number of objects that are left: none.
// Touches: nothing.

import AmberModel
import AmberReadable
import AmberTestSupport
import Foundation
import Testing

private enum Damaged {}
private typealias Knot = Tracked<Damaged>

/// A model whose dictionary is read when all objects are in place.
private final class KnotBox: Model {
    var knot: Knot?
    var weights: [Knot: Int] = [:]
    init() {}
}

/// A ring with a hub that shares its members.
private func knot() -> Knot {
    let hub = Knot("hub")
    hub.others = (0..<6).map { Knot("member \($0)") }
    for (index, member) in hub.others.enumerated() {
        member.next = hub.others[(index + 1) % 6]
        member.owner = hub
        member.inner = ["a\(index)", "b"]
    }
    hub.others[3].others = [hub, hub.others[0]]
    return hub
}

private func open(_ root: Knot?) {
    var pending = [root].compactMap(\.self)
    while let next = pending.popLast() {
        pending += next.others + [next.next].compactMap(\.self)
        (next.next, next.others) = (nil, [])
    }
}

private func takeApart(_ value: DynamicValue) {
    var pending = [value]
    while let next = pending.popLast() {
        pending += next.array ?? []
        guard let object = next.dynamicObject else { continue }
        pending += object.values.map(\.value)
        object.values = ArchivedValues()
    }
}

@Suite(.serialized) struct DocumentLifetimeTests {
    @Test(arguments: ReadableFormat.allCases) func damagedDocuments(format: ReadableFormat) throws {
        let before = livingObjects(Damaged.self)
        let document = try {
            let made = knot()
            defer { open(made) }
            return [UInt8](try ReadableEncoder().encode(made, as: format))
        }()
        #expect(livingObjects(Damaged.self) == before)
        var random = SeededGenerator(seed: 4711)
        var read = 0
        func attempt(_ bytes: [UInt8]) {
            guard let back = try? ReadableDecoder().decode(Knot.self, from: Data(bytes)) else { return }
            read += 1
            open(back)
        }
        for count in 0..<document.count { attempt(Array(document[..<count])) }
        for _ in 0..<3000 {
            var bytes = document
            for _ in 0..<Int.random(in: 1...2, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 32...126, using: &random)
            }
            attempt(bytes)
        }
        #expect(read > 0)
        #expect(livingObjects(Damaged.self) == before, "\(format)")
    }

    /// Aliases that lead to another place of the document, one after the other.
    @Test func aliasesThatLeadElsewhere() throws {
        let before = livingObjects(Damaged.self)
        let text = try {
            let made = knot()
            defer { open(made) }
            return try ReadableEncoder().encodeText(made)
        }()
        let parts = text.components(separatedBy: "\"$alias\": \"")
        for target in ["$root", "label", "others", "others.9", "others.2.inner", "others.2.next.next", ""] {
            for index in 1..<parts.count {
                var changed = parts
                changed[index] = target + (parts[index].firstIndex(of: "\"").map { String(parts[index][$0...]) } ?? "")
                let document = changed.joined(separator: "\"$alias\": \"")
                if let back = try? ReadableDecoder().decode(Knot.self, from: document) { open(back) }
                if let graph = try? ReadableDecoder().decodeDynamic(from: document) { takeApart(graph) }
            }
        }
        #expect(livingObjects(Damaged.self) == before)
    }

    /// Objects of a ring that are in place already when a dictionary of them turns out to have a key twice.
    @Test func failureWhenObjectsAreInPlace() throws {
        let before = livingObjects(Damaged.self)
        let text = try {
            let box = KnotBox()
            let made = knot()
            defer { open(made) }
            box.knot = made
            box.weights = [made.others[0]: 71, made.others[1]: 72]
            return try ReadableEncoder().encodeText(box)
        }()
        open(try ReadableDecoder().decode(KnotBox.self, from: text).knot)
        #expect(livingObjects(Damaged.self) == before)
        let damaged = text.replacingOccurrences(of: "knot.others.1\"", with: "knot.others.0\"")
            .replacingOccurrences(of: "knot.others.0.next\"", with: "knot.others.0\"")
        #expect(damaged != text)
        #expect {
            _ = try ReadableDecoder().decode(KnotBox.self, from: damaged)
        } throws: {
            ($0 as? DecodingFailure)?.reason.contains("there twice") == true
        }
        #expect(livingObjects(Damaged.self) == before)
    }
}
