// Room:   AmberKeyedTests. Archives of one kind turned into archives of another, by a program that lacks their types.
// Takes:  graphs of all kinds of values. Gives: the same graphs, whatever they were turned into meanwhile.
// Touches: the binary, the keyed and the readable coder.

import AmberBinary
import AmberKeyed
import AmberModel
import AmberReadable
import AmberTestSupport
import Foundation
import Testing

private struct Mark: Model, Equatable, Hashable {
    var x = 0
    var label: String?
    static var rules: ModelRules { ModelRules(name: "Turned.Mark") }
}
private enum Light: Equatable {
    case off
    case on(level: Int)
    indirect case both([Light])
}
private enum Step: String { case low = "l", high = "h" }
private enum Spell: Int { case first = 1, second }
private struct Price: Codable, Equatable {
    var amount: Decimal
    var parts: [String: Int]
    var paid: Date?
}

private class Halt: Model {
    var name = ""
    var mark = Mark()
    var marks: [Mark] = []
    var byMark: [String: Mark] = [:]
    var light = Light.off
    var step = Step.low
    var place: Spell?
    var opened = Date(timeIntervalSinceReferenceDate: 0)
    var closed: Date?
    var id = UUID()
    var data = Data()
    var price = Decimal()
    var link: URL?
    var small: Int8 = 0
    var large: UInt64 = 0
    var huge: Int128 = 0
    var flag = false
    var ratio: Float = 0
    var exact = 0.0
    var count: Int?
    var tags: Set<String> = []
    var numbers: [Int] = []
    var byNumber: [Int: String] = [:]
    var byID: [UUID: Int] = [:]
    var pair = (a: 1, b: "x")
    var bill: Price?
    var point = CGPoint.zero
    var next: Halt?
    var others: [Halt] = []
    weak var previous: Halt?
    var any: Any?
    var notes: [String: Any] = [:]
    required init() {}
    class var rules: ModelRules { ModelRules(name: "Turned.Halt", version: 2) }
}
private final class End: Halt {
    var bumper = true
    required init() { super.init() }
    override class var rules: ModelRules { ModelRules(name: "Turned.End", version: 2) }
}

private func track() -> Halt {
    let (first, second) = (Halt(), End())
    first.name = "first $class \u{1F682}"
    first.mark = Mark(x: 3, label: "l")
    first.marks = [Mark(x: 1), Mark(x: 2, label: "z")]
    first.byMark = ["k.1": Mark(x: 9), "$class": Mark(x: 10)]
    first.light = .both([.on(level: 3), .off])
    first.step = .high
    first.place = .second
    first.opened = Date(timeIntervalSinceReferenceDate: 542911754.16538298)
    first.closed = Date(timeIntervalSinceReferenceDate: -1.5)
    first.data = Data([1, 2, 255])
    first.price = Decimal(string: "12.345678901234567890")!
    first.link = URL(string: "http://a.example/x?y#z")
    first.small = -128
    first.large = .max
    first.huge = Int128(UInt64.max) + 5
    first.flag = true
    first.ratio = 0.1
    first.exact = 0.027121761950711698
    first.count = 12
    first.tags = ["b", "a"]
    first.numbers = [3, 1, 2]
    first.byNumber = [7: "seven", -1: "minus"]
    first.byID = [UUID(uuidString: "00000000-0000-4000-8000-000000000001")!: 1]
    first.pair = (4, "four")
    first.bill = Price(
        amount: Decimal(string: "1.1")!, parts: ["a": 1], paid: Date(timeIntervalSinceReferenceDate: 9.25))
    first.point = CGPoint(x: 1.5, y: -2)
    first.next = second
    first.others = [second, first]
    first.any = Mark(x: 77)
    first.notes = ["one": 1, "half": 0.5, "yes": true, "text": "t", "list": [1, "x"]]
    second.previous = first
    second.next = first
    second.name = "second"
    second.bumper = false
    return first
}

private func check(_ back: Halt, _ track: Halt, _ comment: Comment) {
    #expect(back.name == track.name && back.mark == track.mark && back.marks == track.marks, comment)
    #expect(back.byMark == track.byMark && back.light == track.light && back.step == track.step, comment)
    #expect(back.place == track.place && back.opened == track.opened && back.id == track.id, comment)
    #expect(back.closed == track.closed && back.count == track.count && back.exact == track.exact, comment)
    #expect(back.data == track.data && back.price == track.price && back.link == track.link, comment)
    #expect(back.small == track.small && back.large == track.large && back.huge == track.huge, comment)
    #expect(back.flag == track.flag && back.ratio == track.ratio && back.tags == track.tags, comment)
    #expect(back.numbers == track.numbers && back.byNumber == track.byNumber && back.byID == track.byID, comment)
    #expect(back.pair == track.pair && back.bill == track.bill && back.point == track.point, comment)
    #expect(back.notes["one"] as? Int == 1 && back.notes["half"] as? Double == 0.5, comment)
    #expect(back.notes["yes"] as? Bool == true && back.notes["text"] as? String == "t", comment)
    #expect((back.notes["list"] as? [Any])?.first as? Int == 1, comment)
    #expect(back.next?.next === back && back.next?.previous === back, comment)
    #expect((back.next as? End)?.bumper == false && back.next?.name == "second", comment)
    #expect(back.others.count == 2 && back.others.first === back.next && back.others.last === back, comment)
}

private func checkAny(_ back: Halt, _ comment: Comment) { #expect(back.any as? Mark == Mark(x: 77), comment) }

private func breakUp(_ halts: Halt?...) {
    for case let halt? in halts {
        halt.next?.next = nil
        (halt.next, halt.others) = (nil, [])
    }
}

/// A kind of archive.
private enum Kind: String, CaseIterable, Sendable {
    case binary, packed, keyed, keyedXML, json, named, xml, plist

    /// Whether the document doesn't tell structs from objects.
    var isPlain: Bool { self == .json || self == .xml || self == .plist }

    private var keyed: KeyedEncoder {
        var encoder = KeyedEncoder()
        encoder.format = self == .keyed ? .binary : .xml
        return encoder
    }
    private var format: ReadableFormat {
        self == .xml ? .xmlPropertyList : self == .plist ? .binaryPropertyList : .json
    }
    private var readable: ReadableEncoder { ReadableEncoder(options: .init(namesTypes: self == .named)) }
    private var binary: BinaryEncoder {
        BinaryEncoder(options: self == .packed ? .init(compression: .lz4()) : .init())
    }

    func encode(_ root: some Any) throws -> Data {
        switch self {
        case .binary, .packed: try binary.encode(root)
        case .keyed, .keyedXML: try keyed.encode(root)
        default: try readable.encode(root, as: format)
        }
    }

    func encodeDynamic(_ root: DynamicValue) throws -> Data {
        switch self {
        case .binary, .packed: try binary.encodeDynamic(root)
        case .keyed, .keyedXML: try keyed.encodeDynamic(root)
        default: try readable.encodeDynamic(root, as: format)
        }
    }

    func decode<T>(_ type: T.Type, _ data: Data) throws -> T {
        // A private class that has another name is found only if it was met before.
        try BinaryDecoder.register(End.self)
        switch self {
        case .binary, .packed: return try BinaryDecoder().decode(type, from: data)
        case .keyed, .keyedXML: return try KeyedDecoder().decode(type, from: data, allowing: [Halt.self])
        default: return try ReadableDecoder().decode(type, from: data)
        }
    }

    func decodeDynamic(_ data: Data) throws -> DynamicValue {
        switch self {
        case .binary, .packed: try BinaryDecoder().decodeDynamic(from: data)
        case .keyed, .keyedXML: try KeyedDecoder().decodeDynamic(from: data)
        default: try ReadableDecoder().decodeDynamic(from: data)
        }
    }
}

private func takeApart(_ value: DynamicValue) {
    var pending = [value]
    while let next = pending.popLast() {
        switch next {
        case .object(let reference):
            guard let object = reference.object as? DynamicObject else { continue }
            pending += object.values.map(\.value)
            object.values = ArchivedValues()
        case .array(let elements): pending += elements
        case .dictionary(let pairs): pending += pairs.map(\.value)
        case .any(let any): pending.append(any.value)
        case .some(let value): pending.append(value)
        case .structure(let structure): pending += structure.values.map(\.value)
        default: continue
        }
    }
}

/// A class of the program's that an archive passes through without.
final class PassedOnCoder: NSObject, NSCoding {
    let list: NSArray
    let table: NSDictionary

    init(_ list: NSArray, _ table: NSDictionary) {
        self.list = list
        self.table = table
    }

    func encode(with coder: NSCoder) {
        coder.encode(list, forKey: "list")
        coder.encode(table, forKey: "table")
    }

    required init?(coder: NSCoder) {
        guard let list = coder.decodeObject(forKey: "list") as? NSArray,
            let table = coder.decodeObject(forKey: "table") as? NSDictionary
        else { return nil }
        self.list = list
        self.table = table
    }
}

@Suite struct PassedOnTests {
    @Test(arguments: ReadableFormat.allCases) func codingObjectsOfDocumentsPassWithoutTheirClass(
        _ format: ReadableFormat
    ) throws {
        let object = PassedOnCoder([1, "x", [2.5]], ["k": [true], "s": NSSet(array: ["a"])])
        let first = try ReadableEncoder().encode(object, as: format)
        var document = first
        for _ in 0..<3 {
            let graph = try ReadableDecoder().decodeDynamic(from: document)
            document = try ReadableEncoder().encodeDynamic(graph, as: format)
        }
        let again = try ReadableEncoder().encodeDynamic(try ReadableDecoder().decodeDynamic(from: document), as: format)
        #expect(again == document)
        let decoder = ReadableDecoder(options: .init(allowedClasses: [PassedOnCoder.self]))
        let back = try decoder.decode(PassedOnCoder.self, from: document)
        #expect(back.list == object.list && back.table == object.table)
        // Through a binary and a keyed archive, too.
        let graph = try ReadableDecoder().decodeDynamic(from: first)
        let binary = try BinaryDecoder().decodeDynamic(from: try BinaryEncoder().encodeDynamic(graph))
        let last = try decoder.decode(PassedOnCoder.self, from: ReadableEncoder().encodeDynamic(binary, as: format))
        #expect(last.list == object.list && last.table == object.table)
        let keyed = try KeyedEncoder().encodeDynamic(graph)
        var reader = KeyedDecoder()
        reader.requiresSecureCoding = false
        let kept = try reader.decode(PassedOnCoder.self, from: keyed)
        #expect(kept.list == object.list && kept.table == object.table)
    }
}

@Suite struct ConversionTests {
    @Test(arguments: Kind.allCases, Kind.allCases)
    fileprivate func anArchiveTurnedIntoAnother(from: Kind, to: Kind) throws {
        let track = track()
        let dynamic = try from.decodeDynamic(try from.encode(track))
        let turned = try to.encodeDynamic(dynamic)
        let back = try to.decode(Halt.self, turned)
        check(back, track, "\(from) to \(to)")
        if !from.isPlain { checkAny(back, "\(from) to \(to)") }
        breakUp(track, back)
        takeApart(dynamic)
    }

    @Test(arguments: Kind.allCases, Kind.allCases)
    fileprivate func thereAndBack(first: Kind, second: Kind) throws {
        let track = track()
        let once = try first.decodeDynamic(try first.encode(track))
        let twice = try second.decodeDynamic(try second.encodeDynamic(once))
        let back = try first.decode(Halt.self, try first.encodeDynamic(twice))
        check(back, track, "\(first) to \(second) and back")
        if !first.isPlain, !second.isPlain { checkAny(back, "\(first) to \(second) and back") }
        breakUp(track, back)
        takeApart(once)
        takeApart(twice)
    }

    @Test(arguments: Kind.allCases, Kind.allCases)
    fileprivate func rootsThatAreNoObjects(from: Kind, to: Kind) throws {
        func turned<T>(_ value: T) throws -> T {
            try to.decode(T.self, try to.encodeDynamic(try from.decodeDynamic(try from.encode(value))))
        }
        if !from.isPlain { #expect(try turned(Mark(x: 5, label: "five")) == Mark(x: 5, label: "five")) }
        #expect(try turned([Light.on(level: 2), .off]) == [.on(level: 2), .off])
        #expect(try turned([Mark(x: 1), Mark(x: 2, label: "b")]) == [Mark(x: 1), Mark(x: 2, label: "b")])
        #expect(try turned(["a": [1, 2], "b": []]) == ["a": [1, 2], "b": []])
        #expect(try turned(Set(["x", "y"])) == ["x", "y"])
    }

    /// Archives of other programs, whose classes nobody here has, as documents and back.
    @Test(arguments: CorpusTests.valid, [Kind.json, .plist, .binary])
    fileprivate func foreignArchivesAsOthers(folder: (String, URL), by kind: Kind) throws {
        let archive = try Data(contentsOf: folder.1)
        guard Corpus.expected(folder.0, folder.1) != nil else { return }
        let decoder = KeyedDecoder()
        let original = try decoder.inspect(archive)
        for (key, value) in original {
            guard case .object = value else { continue }
            let graph = try decoder.decodeDynamic(from: archive, key: key)
            let other = try kind.decodeDynamic(try kind.encodeDynamic(graph))
            let again = try decoder.inspect(try KeyedEncoder().encodeDynamic(other, key: key))
            #expect(
                shortest(Canonical.describe(again)) == shortest(Canonical.describe([(key, value)])),
                "\(folder.1.lastPathComponent)")
            takeApart(graph)
            takeApart(other)
        }
    }

    /// Coordinates are texts in archives, some with more digits than it takes.
    private func shortest(_ text: String) -> String {
        text.replacing(#/-?\d\.\d{16,}/#) { Double($0.output).map { "\($0)" } ?? String($0.output) }
    }

    private static let written = """
        {
          "$class": "Turned.Halt", "$version": 2,
          "name": "by hand", "mark": {"x": 4}, "marks": [{"x": 1, "label": "a"}, {"label": null}],
          "byMark": {"k": {"x": 2}}, "light": {"both": [{"on": {"level": 2}}, "off"]}, "step": "h", "place": "second",
          "opened": "2018-03-16T16:49:14.5Z", "closed": {"$date": "2026-05-25T22:46:27Z"},
          "id": "00000000-0000-4000-8000-000000000001", "data": {"$data": "AAEC"},
          "price": 12.345678901234567890, "link": "http://a.example/x", "small": -5, "large": 18446744073709551615,
          "huge": 36893488147419103232, "flag": true, "ratio": 0.1, "exact": 0.1, "count": 3, "tags": ["b", "a"],
          "numbers": [1, 2], "byNumber": {"7": "seven"}, "byID": {"00000000-0000-4000-8000-000000000001": 1},
          "pair": {"a": 4, "b": "four"}, "bill": {"amount": 1.1, "parts": {"a": 1}},
          "notes": {"one": 1, "half": 0.5, "list": [1, "x", {"deep": true}]},
          "next": {"$class": "Turned.End", "name": "last", "bumper": false, "previous": {"$alias": "$root"}},
          "others": [{"$alias": "next"}, {"$class": "Turned.Halt", "name": "other"}]
        }
        """

    private func checkWritten(_ halt: Halt, _ comment: Comment) {
        #expect(
            halt.name == "by hand" && halt.mark == Mark(x: 4) && halt.marks == [Mark(x: 1, label: "a"), Mark()], comment
        )
        #expect(halt.byMark == ["k": Mark(x: 2)] && halt.light == .both([.on(level: 2), .off]), comment)
        #expect(halt.step == .high && halt.place == .second, comment)
        #expect(halt.opened == Date(timeIntervalSinceReferenceDate: 542_911_754.5), comment)
        #expect(halt.closed == Date(timeIntervalSinceReferenceDate: 801_441_987), comment)
        #expect(halt.id.uuidString == "00000000-0000-4000-8000-000000000001" && halt.data == Data([0, 1, 2]), comment)
        #expect(halt.price == Decimal(string: "12.345678901234567890") && halt.link?.host == "a.example", comment)
        #expect(halt.small == -5 && halt.large == .max && halt.huge == Int128(1) << 65, comment)
        #expect(halt.flag && halt.ratio == 0.1 && halt.exact == 0.1 && halt.count == 3, comment)
        #expect(halt.tags == ["a", "b"] && halt.numbers == [1, 2] && halt.byNumber == [7: "seven"], comment)
        #expect(halt.byID.values.first == 1 && halt.pair == (4, "four"), comment)
        #expect(halt.bill == Price(amount: Decimal(string: "1.1")!, parts: ["a": 1], paid: nil), comment)
        #expect(halt.notes["one"] as? Int == 1 && halt.notes["half"] as? Double == 0.5, comment)
        let list = halt.notes["list"] as? [Any]
        #expect(list?[1] as? String == "x" && (list?[2] as? [String: Any])?["deep"] as? Bool == true, comment)
        #expect((halt.next as? End)?.bumper == false && halt.next?.previous === halt, comment)
        #expect(halt.others.first === halt.next && halt.others.last?.name == "other", comment)
    }

    @Test(arguments: Kind.allCases) fileprivate func documentsWrittenByHand(to kind: Kind) throws {
        let graph = try ReadableDecoder().decodeDynamic(from: Self.written)
        let archive = try kind.encodeDynamic(graph)
        let halt = try kind.decode(Halt.self, archive)
        checkWritten(halt, "\(kind)")
        #expect(try kind.encodeDynamic(graph) == archive, "The same graph gives the same archive.")
        breakUp(halt)
        takeApart(graph)
    }

    @Test func graphsMadeByCode() throws {
        let end = DynamicObject(className: "Turned.End", version: 2)
        end["name"] = "made"
        let halt = DynamicObject(className: "Turned.Halt", version: 2)
        halt["numbers"] = [1, 2, 3]
        halt["next"] = .object(DynamicReference(end))
        end["next"] = .object(DynamicReference(halt))
        for kind in Kind.allCases {
            let back = try kind.decode(Halt.self, try kind.encodeDynamic(.object(DynamicReference(halt))))
            #expect(back.numbers == [1, 2, 3] && back.next is End && back.next?.next === back, "\(kind)")
            breakUp(back)
        }
        end["next"] = nil
    }

    @Test(arguments: ["keyed-malformed", "hostile/keyed"])
    fileprivate func damagedArchivesWithoutTheirClasses(folder: String) throws {
        for file in Corpus.files(folder) {
            let archive = try Data(contentsOf: file)
            for key in ["root", "$0"] {
                guard let graph = try? KeyedDecoder().decodeDynamic(from: archive, key: key) else { continue }
                _ = try? ReadableEncoder().encodeDynamic(graph)
                _ = try? BinaryEncoder().encodeDynamic(graph)
                _ = try? KeyedEncoder().encodeDynamic(graph)
                takeApart(graph)
            }
        }
    }

    @Test func mutatedArchivesWithoutTheirTypes() throws {
        let track = track()
        defer { breakUp(track) }
        for kind in [Kind.binary, .keyed, .json, .plist] {
            let archive = try kind.encode(track)
            var random = SeededGenerator(seed: 77)
            for _ in 0..<300 {
                var bytes = [UInt8](archive)
                for _ in 0..<Int.random(in: 1...3, using: &random) {
                    bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
                }
                guard let graph = try? kind.decodeDynamic(Data(bytes)) else { continue }
                for other in [Kind.binary, .keyed, .json] { _ = try? other.encodeDynamic(graph) }
                takeApart(graph)
            }
        }
    }

    @Test func nilInAListSurvivesEveryTurn() throws {
        let graph = try ReadableDecoder().decodeDynamic(
            from: #"{"$class": "Turned.Shelf", "items": [1, null, {"x": null}], "one": null}"#)
        let binary = try BinaryDecoder().decodeDynamic(from: try BinaryEncoder().encodeDynamic(graph))
        let keyed = try KeyedDecoder().decodeDynamic(from: try KeyedEncoder().encodeDynamic(binary))
        let shelf = try #require(keyed.dynamicObject)
        let items = try #require(shelf["items"]?.array)
        #expect(items.count == 3 && items[0].int == 1 && items[1].isNull && shelf["one"]?.isNull == true)
    }
}
