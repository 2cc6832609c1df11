// Room:   AmberReadableTests. Generated graphs through every form and every option.
// Takes:  graphs of all kinds of values, from a printed seed. Gives: the same graphs, to the bit and with every identity.
// Touches: the binary coder, whose deterministic archives tell whether two graphs are the same.

import AmberBinary
import AmberModel
import AmberReadable
import AmberTestSupport
import Foundation
import Testing

private enum Mark: String, CaseIterable { case plain, dollar = "$class", dotted = "a.b", tilde = "~1" }
private enum Level: Int { case low = -1, high = 7 }
private enum Choice {
    case none
    case text(String)
    case pair(x: Double, y: Int?)
    indirect case more([Choice])
}
private struct Cell: Model, Hashable {
    var x: Int16 = 0
    var label: String?
    var stamp: Date?
}
private class Knot: Model {
    var name = ""
    var count: Int64 = 0
    var size: UInt64 = 0
    var huge: Int128 = 0
    var wide: UInt128 = 0
    var small: Int8 = 0
    var single: Float = 0
    var double: Double = 0
    var digits = Decimal()
    var date = Date(timeIntervalSinceReferenceDate: 0)
    var id = UUID()
    var bytes = Data()
    var link: URL?
    var flag: Bool?
    var twice: Int??
    var cell = Cell()
    var mark = Mark.plain
    var level: Level?
    var choice = Choice.none
    var pair = (left: "", 0)
    var byText: [String: Cell] = [:]
    var byNumber: [Int: [String]] = [:]
    var byMark: [Mark: Double] = [:]
    var byCell: [Cell: Int] = [:]
    var byID: [UUID: Date] = [:]
    var marks: Set<Mark> = []
    var cells: Set<Cell> = []
    var anything: Any?
    var notes: [String: Any] = [:]
    var list: NSMutableArray?
    var table: NSDictionary?
    var word: NSString = ""
    var number: NSNumber?
    var next: Knot?
    var others: [Knot] = []
    var byName: [String: Knot] = [:]
    weak var back: Knot?
    required init() {}
    class var rules: ModelRules { ModelRules(name: "Graph.$Knot", version: 2) }
}
private final class Loop: Knot {
    var extra: [Any?] = []
    override class var rules: ModelRules { ModelRules(name: "Graph.Loop") }
}

/// Makes graphs.
private struct Weaver {
    var random: SeededGenerator
    var hasObjects = true
    var hasNaN = true

    mutating func text() -> String {
        if random.oneIn(3) {
            return random.pick([
                "", "$class", "$$x", "$alias", "a.b", "~1", "~", "~2", "$root", "null", "5", "1.0", "true", "<&>\"'",
                "\u{1}\u{7f}", "line\nbreak\ttab\r", "$0", "$text:AA==", "\u{2028}", "NS.time", "$", "e\u{301}",
                "\u{0}",
            ])
        }
        return random.text(8)
    }
    mutating func number() -> Double {
        let number = random.double()
        return number.isFinite || (hasNaN && !number.isNaN) ? number : 1.5
    }
    mutating func date() -> Date {
        let number = random.double()
        return Date(
            timeIntervalSinceReferenceDate: number.isFinite ? number : 542_911_754.165_382_98 + Double(random.below(9)))
    }
    mutating func decimal() -> Decimal {
        Decimal(
            string: random.pick([
                "0", "-1E-20", "99999999999999999999999999999999999999", "0.123456789012345678901", "1E60", "-7.25",
            ]))!
    }
    mutating func cell() -> Cell {
        Cell(
            x: random.integer(Int16.self), label: random.oneIn(2) ? text() : nil, stamp: random.oneIn(2) ? date() : nil)
    }
    mutating func choice(_ depth: Int = 0) -> Choice {
        switch random.below(depth > 3 ? 3 : 4) {
        case 0: .none
        case 1: .text(text())
        case 2: .pair(x: number(), y: random.oneIn(2) ? nil : random.integer(Int.self))
        default: .more((0..<random.below(3)).map { _ in choice(depth + 1) })
        }
    }
    /// A value for an Any. `knots` are the objects that it may refer to.
    mutating func anything(_ knots: [Knot], _ depth: Int = 0) -> Any {
        switch random.below(depth > 3 ? 14 : 19) {
        case 0: random.oneIn(2)
        case 1: random.integer(Int.self)
        case 2: number()
        case 3: text()
        case 4: date()
        case 5: Data(text().utf8)
        case 6: random.integer(UInt8.self)
        case 7: Float(random.below(100)) / 7
        case 8: decimal()
        case 9: UUID(uuidString: "00000000-0000-4000-8000-00000000000\(random.below(10))")!
        case 10: cell()
        case 11: choice()
        case 12: random.integer(UInt128.self)
        case 13: [Mark.dollar, .plain]
        case 14: (0..<random.below(3)).map { _ in anything(knots, depth + 1) } as [Any]
        case 15:
            Dictionary(
                (0..<random.below(3)).map { _ in (text(), anything(knots, depth + 1)) }, uniquingKeysWith: { $1 })
                as [String: Any]
        case 16: hasObjects && !knots.isEmpty ? random.pick(knots) : 0
        case 17: hasObjects ? collection(knots, depth) : 0.25
        default: [1.5: "x", .infinity: ""] as [Double: String]
        }
    }
    mutating func collection(_ knots: [Knot], _ depth: Int) -> NSObject {
        switch random.below(4) {
        case 0: return NSMutableString(string: text())
        case 1: return NSArray(array: [text(), random.below(3)])
        case 2:
            let list = NSMutableArray()
            for _ in 0..<random.below(3) { list.add(object(knots, depth + 2)) }
            return list
        default:
            let table = NSMutableDictionary()
            for _ in 0..<random.below(3) { table.setObject(object(knots, depth + 2), forKey: text() as NSString) }
            return table
        }
    }

    /// An object for Foundation's collections.
    mutating func object(_ knots: [Knot], _ depth: Int) -> AnyObject {
        switch random.below(8) {
        case 0: text() as NSString
        case 1: NSNumber(value: random.integer(Int.self))
        case 2: NSNumber(value: random.oneIn(2))
        case 3: NSNumber(value: number())
        case 4: NSNumber(value: UInt64.max - UInt64(random.below(3)))
        case 5: NSDate(timeIntervalSinceReferenceDate: date().timeIntervalSinceReferenceDate)
        case 6: random.pick(knots)
        default: depth > 3 ? NSNull() : collection(knots, depth)
        }
    }

    mutating func fill(_ knot: Knot, _ knots: [Knot]) {
        knot.name = text()
        knot.count = random.integer(Int64.self)
        knot.size = random.integer(UInt64.self)
        knot.huge = random.integer(Int128.self)
        knot.wide = random.integer(UInt128.self)
        knot.small = random.integer(Int8.self)
        knot.single = Float(random.below(1000)) / 7
        knot.double = number()
        knot.digits = decimal()
        knot.date = date()
        knot.id = UUID(uuidString: "00000000-0000-4000-8000-0000000000\(10 + random.below(89))")!
        knot.bytes = Data(text().utf8)
        knot.link =
            random.oneIn(2) ? URL(string: "b?c#d", relativeTo: URL(string: "https://x.y/z")) : URL(string: "a:b")
        knot.flag = random.pick([nil, true, false])
        knot.twice = random.pick([.none, .some(nil), 5])
        knot.cell = cell()
        knot.mark = random.pick(Mark.allCases)
        knot.level = random.pick([nil, .low, .high])
        knot.choice = choice()
        knot.pair = (text(), random.below(9))
        for _ in 0..<random.below(4) {
            knot.byText[text()] = cell()
            knot.byNumber[random.integer(Int.self)] = [text()]
            knot.byMark[random.pick(Mark.allCases)] = number()
            knot.byCell[cell()] = random.below(9)
            knot.byID[UUID(uuidString: "00000000-0000-4000-8000-00000000000\(random.below(10))")!] = date()
            knot.marks.insert(random.pick(Mark.allCases))
            knot.cells.insert(cell())
            knot.notes[text()] = anything(knots)
        }
        knot.anything = random.oneIn(3) ? nil : anything(knots)
        knot.word = text() as NSString
        knot.number = random.pick([nil, NSNumber(value: true), 1, NSNumber(value: 1.0), NSNumber(value: Float(0.1))])
        guard hasObjects else { return }
        if random.oneIn(2) {
            let list = NSMutableArray()
            for _ in 0..<random.below(4) { list.add(object(knots, 0)) }
            knot.list = list
            let table = NSMutableDictionary()
            table.setObject(list, forKey: text() as NSString)
            knot.table = table
        }
        knot.next = random.oneIn(3) ? nil : random.pick(knots)
        knot.others = (0..<random.below(4)).map { _ in random.pick(knots) }
        if random.oneIn(2) { knot.byName[text()] = random.pick(knots) }
        knot.back = random.oneIn(2) ? nil : random.pick(knots)
        if let loop = knot as? Loop { loop.extra = [nil, anything(knots), nil] }
    }

    mutating func graph() -> Knot {
        let knots: [Knot] = (0..<(1 + random.below(6))).map { _ in random.oneIn(3) ? Loop() : Knot() }
        for knot in knots { fill(knot, hasObjects ? knots : []) }
        return knots[0]
    }
}

/// Takes a graph apart, so that its cycles are freed.
private func untie(_ root: Knot?) {
    var open = root.map { [$0] } ?? []
    var seen: Set<ObjectIdentifier> = []
    while let knot = open.popLast() {
        guard seen.insert(ObjectIdentifier(knot)).inserted else { continue }
        open += knot.others + Array(knot.byName.values) + (knot.next.map { [$0] } ?? [])
        (knot.next, knot.others, knot.byName, knot.anything, knot.notes) = (nil, [], [:], nil, [:])
        knot.list?.removeAllObjects()
        (knot as? Loop)?.extra = []
    }
}

@Suite struct ReadableGraphTests {
    private let binary = BinaryEncoder(options: .init(isDeterministic: true))

    /// The graph through each form.
    private func backs(
        _ graph: Knot, _ options: ReadableEncodingOptions
    ) throws -> [(form: String, graph: Knot)] {
        let (encoder, decoder) = (ReadableEncoder(options: options), ReadableDecoder())
        var all: [(form: String, graph: Knot)] = []
        for format in ReadableFormat.allCases {
            all.append(("\(format)", try decoder.decode(Knot.self, from: encoder.encode(graph, as: format))))
        }
        all.append(("tree", try decoder.decode(Knot.self, from: encoder.encodeTree(graph))))
        all.append(("list", try decoder.decode(Knot.self, fromObject: encoder.encodePropertyList(graph))))
        let list = try PropertyListSerialization.data(
            fromPropertyList: encoder.encodePropertyList(graph), format: .binary, options: 0)
        all.append(("Foundation's list", try decoder.decode(Knot.self, from: list)))
        return all
    }

    private static let allOptions: [ReadableEncodingOptions] = [
        .init(nonFinite: .text),
        .init(isPretty: false, keyOrder: .sorted, nonFinite: .text),
        .init(isPretty: true, keyOrder: .sorted, nonFinite: .text, nestingLimit: 4),
        .init(isPretty: false, namesTypes: true, nonFinite: .text),
        .init(isPretty: true, keyOrder: .sorted, namesTypes: true, nonFinite: .text, nestingLimit: 8),
    ]

    @Test(arguments: [0, 1, 2, 3, 4]) func everyGraphComesBackFromEveryForm(_ option: Int) throws {
        var weaver = Weaver(random: SeededGenerator(seed: 0x6ab0 + UInt64(option)))
        for _ in 0..<25 {
            let seed = weaver.random.replay
            let graph = weaver.graph()
            let wanted = try binary.encode(graph)
            for (form, back) in try backs(graph, Self.allOptions[option]) {
                let found = try binary.encode(back)
                if found != wanted {
                    Issue.record("\(seed) \(form)")
                }
                untie(back)
            }
            untie(graph)
        }
    }

    @Test func sortedDocumentsHaveSortedKeys() throws {
        var weaver = Weaver(random: SeededGenerator(seed: 77))
        weaver.hasObjects = false
        for _ in 0..<20 {
            let graph = weaver.graph()
            let tree = try ReadableEncoder(options: .init(keyOrder: .sorted, nonFinite: .text)).encodeTree(graph)
            let keys = (tree.object ?? []).map(\.key).filter { !$0.hasPrefix("$") }
            #expect(keys == keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) } && keys.count > 30)
            let other = try ReadableEncoder(options: .init(nonFinite: .text)).encodeTree(graph)
            let unsorted = (other.object ?? []).map(\.key).filter { !$0.hasPrefix("$") }
            #expect(unsorted != keys && Set(unsorted) == Set(keys))
        }
    }

    @Test func withoutAliasesTreesComeBackAndCyclesAreErrors() throws {
        var weaver = Weaver(random: SeededGenerator(seed: 78))
        let options = ReadableEncodingOptions(usesAliases: false, nonFinite: .text)
        for _ in 0..<20 {
            weaver.hasObjects = false
            let (root, child) = (weaver.graph(), weaver.graph())
            root.others = [child, child]
            root.next = child
            let wanted = try binary.encode(root)
            for (form, back) in try backs(root, options) {
                #expect(back.others[0] !== back.others[1] && back.next !== back.others[0], "\(form)")
                back.others[1] = back.others[0]
                back.next = back.others[0]
                #expect(try binary.encode(back) == wanted, "\(form)")
            }
            child.byName["a.b"] = root
            let failure = encodingFailure { try ReadableEncoder(options: options).encode(root) }
            #expect(failure?.code == .cycle && failure?.path.description == "next.byName.a.b", "\(failure!)")
            child.byName = [:]
        }
    }

    @Test func numbersThatFormsDoNotHave() throws {
        let knot = Knot()
        knot.anything = [Double.nan, -Double.infinity] as [Any]
        let failure = encodingFailure { try ReadableEncoder().encode(knot) }
        #expect(failure?.code == .notRepresentable && failure?.path.description.contains("anything") == true)
        // Property lists have them.
        for format in [ReadableFormat.xmlPropertyList, .binaryPropertyList] {
            let back = try ReadableDecoder().decode(Knot.self, from: ReadableEncoder().encode(knot, as: format))
            let list = try #require(back.anything as? [Any])
            #expect((list[0] as? Double)?.isNaN == true && list[1] as? Double == -.infinity)
        }
        let text = ReadableEncoder(options: .init(nonFinite: .text))
        let back = try ReadableDecoder().decode(Knot.self, from: text.encode(knot))
        #expect(((back.anything as? [Any])?[0] as? Double)?.isNaN == true)
    }
}
