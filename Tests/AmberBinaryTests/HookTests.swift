// Room:   AmberBinaryTests. The models' own code: when it is called, and what happens when it fails or misbehaves.
// Takes:  models with hooks. Gives: what the hooks made of them, or their error.
// Touches: the binary coder.

import AmberBinary
import AmberModel
import AmberTestSupport
import Foundation
import Testing

struct Refusal: Error {}

/// A plain struct that knows whether its hooks were called.
struct Inner: Model {
    var x: Float = 0
    var y: Float = 0
    func willEncode() throws { if x == 13 { throw Refusal() } }
    mutating func didDecode() throws {
        if x == 666 { throw Refusal() }
        y += 100
    }
}

struct Middle: Model {
    var inner = Inner()
    var z: Double = 0
}

struct Whole: Model {
    var middle = Middle()
    var w: Float = 0
    mutating func didDecode() { w = middle.inner.y }
}

final class Escapee: Model {
    var label = ""
    var friend: Escapee?
    var refuses = false
    nonisolated(unsafe) static var kept: [Escapee] = []
    func didDecode() throws {
        unsafe Self.kept.append(self)
        if refuses { throw Refusal() }
    }
}

final class BareEscapee: Model {
    var label: String
    var others: [String]
    var refuses: Bool
    nonisolated(unsafe) static var kept: [BareEscapee] = []
    init(_ label: String, refuses: Bool) { (self.label, others, self.refuses) = (label, [label, label], refuses) }
    func didDecode() throws {
        unsafe Self.kept.append(self)
        if refuses { throw Refusal() }
    }
}

/// An object whose hook changes the graph that is being encoded.
final class Meddler: Model {
    enum Deed: Int { case nothing, append, clear, replace, swap }
    var children: [Meddler] = []
    var single: Meddler?
    var deed = Deed.nothing
    var label = "label"
    weak var parent: Meddler?
    static var rules: ModelRules { ModelRules().excluding("deed") }

    func willEncode() {
        switch deed {
        case .nothing: break
        case .append: for _ in 0..<50 { parent?.children.append(Meddler()) }
        case .clear:
            parent?.children = []
            parent?.single = nil
        case .replace: parent?.children = (0..<9).map { _ in Meddler() }
        case .swap: parent?.single = Meddler()
        }
    }
}

@Suite(.serialized) struct HookTests {
    @Test(arguments: [1, 3, 8, 100]) func hooksOfStructsInsidePlainStructsAreCalled(_ count: Int) throws {
        for isBlock in [false, true] {
            let values = (0..<count).map { index in
                Whole(
                    middle: Middle(inner: Inner(x: isBlock ? Float(index) * 1.7 : 1, y: 1), z: Double(index) / 3), w: 1)
            }
            for whole in try roundTrip(values) { #expect(whole.middle.inner.y == 101 && whole.w == 101) }
            for other in try roundTrip(values.map(\.middle)) { #expect(other.inner.y == 101) }
            for other in try roundTrip(values.map { [$0.middle.inner] as [Inner?] }) { #expect(other[0]?.y == 101) }
            var bad = values
            bad[count - 1].middle.inner.x = 13
            #expect(encodingFailure { try BinaryEncoder().encode(bad) }?.code == .rejectedByHook)
            bad[count - 1].middle.inner.x = 666
            let archive = try BinaryEncoder().encode(bad)
            #expect(
                decodingFailure { try BinaryDecoder().decode([Whole].self, from: archive) }?.code == .rejectedByHook)
        }
    }

    @Test(arguments: [1, 9]) func objectsThatEscapeFromAFailedDecodingStayWhole(_ count: Int) throws {
        let objects = (0..<count).map { _ in Escapee() }
        let bare = (0..<count).map { BareEscapee("a label that lives on the heap \($0)", refuses: $0 == count - 1) }
        for (index, object) in objects.enumerated() {
            (object.label, object.friend) = ("a label that lives on the heap \(index)", objects[(index + 1) % count])
        }
        objects[count - 1].refuses = true
        #expect(decodingFailure { try roundTrip(objects) }?.code == .rejectedByHook)
        #expect(decodingFailure { try roundTrip(bare) }?.code == .rejectedByHook)
        for object in objects { object.friend = nil }
        let (kept, second) = unsafe (Escapee.kept, BareEscapee.kept)
        #expect(kept.count == count && second.count == count)
        for object in kept { #expect(object.friend == nil || object.friend?.label != nil) }
        for object in second { #expect(object.others == [object.label, object.label]) }
        unsafe (Escapee.kept, BareEscapee.kept) = ([], [])
    }

    @Test(arguments: [2, 3, 8, 40]) func hooksThatChangeTheGraphGiveASnapshotOrAnError(_ count: Int) {
        for deed in [Meddler.Deed.append, .clear, .replace, .swap] {
            for culprit in [0, count / 2, count - 1] {
                let parent = Meddler()
                parent.children = (0..<count).map { _ in Meddler() }
                parent.single = Meddler()
                for child in parent.children { child.parent = parent }
                parent.children[culprit].deed = deed
                do {
                    let back = try roundTrip(parent)
                    #expect(back.children.allSatisfy { $0.label == "label" })
                } catch let failure as EncodingFailure {
                    #expect(failure.code == .changedMeanwhile)
                } catch {
                    Issue.record("\(deed): \(error)")
                }
            }
        }
    }

    @Test func hooksThatThrowAreNamed() throws {
        let failure = encodingFailure { try BinaryEncoder().encode([Inner(x: 13)]) }
        #expect(failure?.description.contains("Inner") == true && failure?.description.contains("Refusal") == true)
        let archive = try BinaryEncoder().encode([Inner(x: 666)])
        let second = decodingFailure { try BinaryDecoder().decode([Inner].self, from: archive) }
        #expect(second?.description.contains("Inner") == true && second?.description.contains("Refusal") == true)
    }
}
