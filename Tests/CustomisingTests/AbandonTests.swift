// Room:   CustomisingTests. Decodes that fail when many objects refer to each other, whole and not.
// Takes:  archives damaged in each of their numbers and texts. Gives: errors; every object that was made is gone.
// Touches: every coder; counts of living objects.

import Amber
import AmberTestSupport
import Foundation
import Testing

private enum Tag {}

/// Made without an initializer, holding objects that are counted.
private class Holding: Model {
    let tracked: Tracked<Tag>
    var next: Holding?
    var many: [Holding]
    var text: String
    init(_ text: String) { (tracked, many, self.text) = (Tracked(text), [], text) }
    static var rules: ModelRules {
        ModelRules().transforming(
            "text", to: { (text: String) in text },
            from: {
                if $0.hasPrefix("bad") { throw Refused() }
                return $0
            })
    }
    struct Refused: Error {}
    deinit { _ = text.count + many.count + (next?.text.count ?? 0) + tracked.label.count }
}

private final class Made: Model {
    var bare: Holding?
    var others: [Holding] = []
    var tracked = Tracked<Tag>()
    var check = Check()
    deinit { _ = (bare?.text.count ?? 0) + others.reduce(0) { $0 + $1.text.count } }
}

private struct Check: Model {
    var isBad = false
    mutating func didDecode() throws { if isBad { throw Holding.Refused() } }
}

@Suite(.serialized) struct AbandonTests {
    /// A graph in which everything refers to everything, and the object at `bad` can't be read.
    private func failing(_ bad: Int, _ isRing: Bool) -> Made {
        let made = Made()
        let all = (0..<8).map { Holding($0 == bad ? "bad\($0)" : "t\($0)") }
        for (index, bare) in all.enumerated() {
            bare.next = isRing || index < 7 ? all[(index + 1) % 8] : nil
            bare.many = isRing ? all : Array(all[(index + 1)...])
        }
        made.bare = all[0]
        made.others = all
        return made
    }

    private func open(_ made: Made) {
        for bare in made.others { (bare.next, bare.many) = (nil, []) }
    }

    @Test(arguments: AnyCoder.allCases) func nothingIsLeft(coder: AnyCoder) throws {
        let before = livingObjects(Tag.self)
        for bad in 0..<8 {
            for isRing in [false, true] {
                let data = try {
                    let made = failing(bad, isRing)
                    defer { open(made) }
                    return try coder.encode(made)
                }()
                #expect(decodingFailure { try coder.decode(Made.self, from: data) }?.code == .rejectedByHook)
            }
        }
        #expect(livingObjects(Tag.self) == before)
    }

    @Test(arguments: AnyCoder.allCases) func wholeOnesAreGivenOut(coder: AnyCoder) throws {
        let before = livingObjects(Tag.self)
        do {
            let made = failing(-1, true)
            let back = try coder.copy(made)
            #expect(back.others.count == 8 && back.others[3].next === back.others[4])
            #expect(livingObjects(Tag.self) == before + 18)
            open(made)
            open(back)
        }
        #expect(livingObjects(Tag.self) == before)
    }

    @Test(arguments: AnyCoder.allCases) func hooksThatFail(coder: AnyCoder) throws {
        let before = livingObjects(Tag.self)
        let made = failing(-1, false)
        made.check.isBad = true
        let living = livingObjects(Tag.self)
        #expect(decodingFailure { try coder.copy(made) }?.code == .rejectedByHook)
        #expect(livingObjects(Tag.self) == living)
        _ = before
    }

    @Test func damagedKeyedArchives() throws {
        let before = livingObjects(Tag.self)
        let text = try {
            let made = failing(-1, true)
            defer { open(made) }
            return try String(decoding: AnyCoder.xml.encode(made), as: UTF8.self)
        }()
        // Each reference in turn leads elsewhere.
        let parts = text.components(separatedBy: "<integer>")
        for index in 1..<parts.count {
            var changed = parts
            changed[index] =
                "1</integer>"
                + (parts[index].components(separatedBy: "</integer>").dropFirst().joined(separator: "</integer>"))
            let data = Data(changed.joined(separator: "<integer>").utf8)
            if let read = try? AnyCoder.xml.decode(Made.self, from: data) { open(read); read.bare?.next = nil }
        }
        _ = before
    }
}
