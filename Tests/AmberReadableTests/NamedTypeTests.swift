// Room:   AmberReadableTests. Documents in which everything names its type.
// Takes:  a graph of all kinds of values. Gives: the same from the document, and from archives made of it without the types.
// Touches: the binary coder.

import AmberBinary
import AmberModel
import AmberReadable
import AmberTestSupport
import Foundation
import Testing

private struct Spot: Model, Equatable {
    var x = 0
    var label: String?
    static var rules: ModelRules { ModelRules(name: "Named.Spot") }
}
private enum Signal: Equatable {
    case off
    case on(level: Int)
    indirect case both([Signal])
}
private enum Grade: String { case low = "l", high = "h" }
private enum Rank: Int { case first = 1, second }

private final class Stop: Model {
    var name = ""
    var spot = Spot()
    var spots: [Spot] = []
    var bySpot: [String: Spot] = [:]
    var signal = Signal.off
    var grade = Grade.low
    var rank: Rank?
    var opened = Date(timeIntervalSinceReferenceDate: 0)
    var id = UUID()
    var data = Data()
    var price = Decimal()
    var link: URL?
    var small: Int8 = 0
    var ratio: Float = 0
    var tags: Set<String> = []
    var pair = (a: 1, b: "x")
    var next: Stop?
    var others: [Stop] = []
    weak var previous: Stop?
    var any: Any?
    static var rules: ModelRules { ModelRules(name: "Named.Stop") }
}

private func line() -> Stop {
    let (first, second) = (Stop(), Stop())
    first.name = "first"
    first.spot = Spot(x: 3, label: "l")
    first.spots = [Spot(x: 1), Spot(x: 2, label: "z")]
    first.bySpot = ["k": Spot(x: 9)]
    first.signal = .both([.on(level: 3), .off])
    first.grade = .high
    first.rank = .second
    first.opened = Date(timeIntervalSinceReferenceDate: 12345.678)
    first.data = Data([1, 2, 255])
    first.price = Decimal(string: "12.345678901234567890")!
    first.link = URL(string: "http://a.example/x?y#z")
    first.small = -128
    first.ratio = 0.1
    first.tags = ["b", "a"]
    first.pair = (4, "four")
    first.next = second
    first.others = [second, first]
    first.any = Spot(x: 77)
    second.previous = first
    second.next = first
    return first
}

private func check(_ back: Stop, _ line: Stop, _ comment: Comment) {
    #expect(back.name == line.name && back.spot == line.spot && back.spots == line.spots, comment)
    #expect(back.bySpot == line.bySpot && back.signal == line.signal && back.grade == line.grade, comment)
    #expect(back.rank == line.rank && back.opened == line.opened && back.id == line.id, comment)
    #expect(back.data == line.data && back.price == line.price && back.link == line.link, comment)
    #expect(back.small == line.small && back.ratio == line.ratio && back.tags == line.tags, comment)
    #expect(back.pair == line.pair && back.any as? Spot == Spot(x: 77), comment)
    #expect(back.next?.next === back && back.next?.previous === back, comment)
    #expect(back.others.count == 2 && back.others[0] === back.next && back.others[1] === back, comment)
}

private func breakUp(_ stops: Stop?...) {
    for case let stop? in stops {
        stop.next?.next = nil
        (stop.next, stop.others) = (nil, [])
    }
}

@Suite struct NamedTypeTests {
    private let encoder = ReadableEncoder(options: .init(namesTypes: true))

    @Test(arguments: ReadableFormat.allCases) func theTypesReadIt(format: ReadableFormat) throws {
        let line = line()
        let back = try ReadableDecoder().decode(Stop.self, from: encoder.encode(line, as: format))
        check(back, line, "\(format)")
        let untyped = try ReadableDecoder().decode(Any.self, from: encoder.encode([line], as: format)) as? [Any]
        let other = try #require(untyped?.first as? Stop)
        check(other, line, "\(format)")
        #expect(try ReadableDecoder().decode(Spot.self, from: encoder.encode(Spot(x: 5), as: format)) == Spot(x: 5))
        #expect(try ReadableDecoder().decode([Signal].self, from: encoder.encode([Signal.off], as: format)) == [.off])
        breakUp(line, back, other)
    }

    @Test(arguments: ReadableFormat.allCases) func withoutTheTypes(format: ReadableFormat) throws {
        let line = line()
        let document = try encoder.encode(line, as: format)
        let dynamic = try ReadableDecoder(options: .init(objects: .dynamic)).decode(DynamicObject.self, from: document)
        guard case .structure(let spot)? = dynamic["spot"] else {
            Issue.record("The struct is lost.")
            return
        }
        #expect(dynamic.className == "Named.Stop" && spot.typeName == "Named.Spot")
        let archive = try BinaryEncoder().encode(dynamic as Any)
        let back = try #require(try BinaryDecoder().decode(Any.self, from: archive) as? Stop)
        check(back, line, "\(format)")
        // And back into a document that the types read.
        let again = try BinaryDecoder(options: .init(objects: .dynamic)).decode(Any.self, from: archive)
        let last = try ReadableDecoder().decode(Stop.self, from: encoder.encode(again, as: format))
        check(last, line, "\(format)")
        breakUp(line, back, last)
        for object in [dynamic, again as? DynamicObject] { object?.values = ArchivedValues() }
    }

    @Test func everythingSaysWhatItIs() throws {
        let tree = try encoder.encodeTree(line())
        #expect(tree["spot"]?["$struct"] == "Named.Spot" && tree["spots"]?[1]?["$struct"] == "Named.Spot")
        #expect(tree["grade"]?["$case"] == "high" && tree["grade"]?["$raw"] == "h")
        #expect(tree["signal"]?["$value"]?[0]?["$case"] == "on")
        #expect(tree["id"]?["$class"] == "UUID" && tree["opened"]?["$date"] != nil)
        #expect(tree["name"] == "first" && tree["small"] == -128)
    }
}
