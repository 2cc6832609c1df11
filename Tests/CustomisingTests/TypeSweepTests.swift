// Room:   CustomisingTests. Types that people put into models, from the plain to the odd, each in every place.
// Takes:  a value of each. Gives: the same back from every coder and every convenience.
// Touches: every coder, the conveniences of models.

import Amber
import AmberTestSupport
import Foundation
import Observation
import Testing

private class SweepBox<Value>: Model {
    var value: Value?
    var list: [Value] = []
    var slots: [Value?] = []
    var named: [String: Value] = [:]
    var any: Any?
    required init() {}
}
private struct SweepRow<Value>: Model {
    var value: Value
    var twin: Value
    var maybe: Value?
    var contiguous: ContiguousArray<Value>
    var numbered: [Int: Value]
}

private enum Way: String, CaseIterable {
    case binary, packed, keyed, xml, json, list, xmlList, memory, store

    func copy<T>(_ value: T) throws -> T {
        switch self {
        case .binary: return try BinaryDecoder().decode(T.self, from: BinaryEncoder().encode(value))
        case .packed:
            return try BinaryDecoder().decode(
                T.self, from: BinaryEncoder(options: .init(compression: .lz4(), isDeterministic: true)).encode(value))
        case .keyed, .xml:
            var (encoder, decoder) = (KeyedEncoder(), KeyedDecoder())
            if self == .xml { encoder.format = .xml }
            decoder.requiresSecureCoding = false
            return try decoder.decode(T.self, from: encoder.encode(value))
        case .json: return try ReadableDecoder().decode(T.self, from: ReadableEncoder().encode(value, as: .json))
        case .list:
            return try ReadableDecoder().decode(T.self, from: ReadableEncoder().encode(value, as: .binaryPropertyList))
        case .xmlList:
            return try ReadableDecoder().decode(T.self, from: ReadableEncoder().encode(value, as: .xmlPropertyList))
        case .memory:
            return try ReadableDecoder().decode(T.self, fromObject: ReadableEncoder().encodePropertyList(value))
        case .store: return try KeyValueCoder().model(T.self, from: KeyValueCoder().dictionary(of: value))
        }
    }
}

private enum SweepCard: Hashable { case plain(Int), joker, face(suit: String, rank: UInt8) }
private indirect enum SweepTree: Equatable { case leaf(Int), node(SweepTree, SweepTree), none }
private enum SweepRaw: Int8, Hashable { case low = -3, high = 7 }
private enum SweepText: String, Hashable { case north = "N", south }
private struct SweepOptions: OptionSet, Hashable { var rawValue: UInt16 }
private struct SweepPoint: Model, Hashable { var x = 1.5; var y: Int32 = -4 }
private struct SweepPair<A: Hashable, B: Hashable>: Model, Hashable { var a: A; var b: B }
private enum SweepNested: Hashable {
    case inner(SweepCard), list([SweepCard?]), point(SweepPoint), deep(SweepPair<Int, String>?)
}
private struct SweepEmpty: Model, Hashable {}
private struct SweepCodable: Codable, Hashable { var name = "c"; var sub: [String: [Int?]] = ["k": [1, nil]] }
private protocol SweepP { var id: Int { get } }
private protocol SweepQ { var title: String { get } }
private struct SweepBoth: Model, SweepP, SweepQ, Hashable { var id = 4; var title = "t" }
private class SweepAnimal: Model, SweepP { var id = 2; required init() {} }
private final class SweepDog: SweepAnimal { var tricks = ["sit"] }
@propertyWrapper private struct SweepClamped<V: Comparable & Hashable>: Hashable {
    var wrappedValue: V
    var limit: V
    init(wrappedValue: V, limit: V) { (self.wrappedValue, self.limit) = (wrappedValue, limit) }
}
@propertyWrapper private struct SweepPlain<V> {
    var wrappedValue: V
}
private struct SweepWrapped: Model, Equatable {
    @SweepClamped(limit: 9) var level = 3
    @SweepPlain @SweepPlain var nested = "deep"
    @SweepPlain var list: [SweepCard] = [.joker]
    static func == (a: Self, b: Self) -> Bool { a.level == b.level && a.nested == b.nested && a.list == b.list }
}
@Observable private class SweepWatched: Model {
    var title = "t"
    var points = [SweepPoint()]
    required init() {}
}
private final class SweepWatchedMore: SweepWatched { var extra: SweepCard? = .plain(2) }
private enum SweepSpace {
    struct Inner<T: Hashable>: Model, Hashable { var t: T; enum Kind: Hashable { case some(T), none }; var kind: Kind }
}

private struct SweepFailure: Error, CustomStringConvertible { var description: String }

@Suite struct TypeSweepTests {
    private func sweep<V>(
        _ value: V, skip: Set<Way> = [], any: Bool = true, same: (V, V) -> Bool,
        at location: SourceLocation = #_sourceLocation
    ) {
        func note(_ way: String, _ what: String, _ body: () throws -> Bool) {
            do {
                if try !body() { Issue.record("\(V.self) \(way) \(what): WRONG", sourceLocation: location) }
            } catch { Issue.record("\(V.self) \(way) \(what): \(error)", sourceLocation: location) }
        }
        func sameOptional(_ a: V?, _ b: V?) -> Bool {
            switch (a, b) {
            case (nil, nil): true;
            case (let a?, let b?): same(a, b);
            default: false
            }
        }
        let box = SweepBox<V>()
        (box.value, box.list, box.slots, box.named) = (
            value, [value, value], [value, nil, value], ["a": value, "b.c": value]
        )
        if any { box.any = value }
        let row = SweepRow(value: value, twin: value, maybe: value, contiguous: [value], numbered: [7: value])
        func sameBox(_ a: SweepBox<V>, _ b: SweepBox<V>) -> Bool {
            sameOptional(a.value, b.value) && a.list.count == b.list.count && zip(a.list, b.list).allSatisfy(same)
                && a.slots.count == b.slots.count && zip(a.slots, b.slots).allSatisfy(sameOptional)
                && a.named.count == b.named.count && a.named.allSatisfy { sameOptional($1, b.named[$0]) }
        }
        func sameRow(_ a: SweepRow<V>, _ b: SweepRow<V>) -> Bool {
            same(a.value, b.value) && same(a.twin, b.twin) && sameOptional(a.maybe, b.maybe)
                && a.contiguous.count == b.contiguous.count && zip(a.contiguous, b.contiguous).allSatisfy(same)
                && a.numbered.count == b.numbered.count && a.numbered.allSatisfy { sameOptional($1, b.numbered[$0]) }
        }
        for way in Way.allCases where !skip.contains(way) {
            let name = way.rawValue
            note(name, "box") { sameBox(box, try way.copy(box)) }
            note(name, "row") { sameRow(row, try way.copy(row)) }
            note(name, "any") {
                guard any else { return true }
                let back = try way.copy(box).any
                guard let back = back as? V else {
                    throw SweepFailure(description: "\(type(of: back)) \(String(describing: back))")
                }
                return same(value, back)
            }
            if way == .store || way == .memory { continue }
            note(name, "root") { same(value, try way.copy(value)) }
            note(name, "optional root") { sameOptional(value, try way.copy(Optional(value))) }
            note(name, "array root") {
                let b = try way.copy([value, value, value]); return b.count == 3 && b.allSatisfy { same(value, $0) }
            }
            note(name, "rows") {
                let b = try way.copy(Array(repeating: row, count: 40));
                return b.count == 40 && b.allSatisfy { sameRow(row, $0) }
            }
        }
        note("deepCopy", "box") { sameBox(box, try box.deepCopy()) }
        note("deepCopy", "row") { sameRow(row, try row.deepCopy()) }
        note("difference", "box") { try box.differences(from: box.deepCopy()).isEmpty }
        note("difference", "row") { try row.differences(from: row.deepCopy()).isEmpty }
        note("difference", "none") {
            try !row.differences(
                from: SweepRow(value: value, twin: value, maybe: nil, contiguous: [value], numbered: [:])
            ).isEmpty
        }
        note("dictionary", "box") { sameBox(box, try SweepBox<V>.instance(from: try box.dictionaryValue)) }
        note("dictionary", "row") { sameRow(row, try SweepRow<V>.instance(from: try row.dictionaryValue)) }
        note("hash", "row") {
            let copy = try row.deepCopy(); return try copy.structuralHash == row.structuralHash
        }
        note("hash", "other") {
            try row.structuralHash
                != SweepRow(value: value, twin: value, maybe: nil, contiguous: [], numbered: [:]).structuralHash
        }
        note("text", "box") { !box.graphDescription.isEmpty }
    }
    private func sweep<V: Equatable>(
        _ value: V, skip: Set<Way> = [], any: Bool = true, at location: SourceLocation = #_sourceLocation
    ) { sweep(value, skip: skip, any: any, same: { $0 == $1 }, at: location) }

    @Test func numbers() {
        sweep(true); sweep(Int8.min); sweep(UInt64.max); sweep(Int128.min); sweep(UInt128.max); sweep(Float(1.1));
        sweep(-0.0, same: { $0.bitPattern == $1.bitPattern })
        sweep(Double.greatestFiniteMagnitude); sweep(Decimal(string: "0.123456789012345678901")!); sweep(Float16(1.5));
        sweep(Int.max)
        sweep(CGFloat(0.1)); sweep(Character("é")); sweep(Unicode.Scalar(0x1F600)!); sweep("a\u{0}b", skip: [.xml]);
        sweep(Substring("sub")); sweep(StaticKind.a)
    }
    private enum StaticKind: Hashable { case a, b }
    @Test func vectors() {
        sweep(SIMD2<Float>(1, 2)); sweep(SIMD3<Double>(1, 2, 3)); sweep(SIMD4<Int32>(1, 2, 3, 4));
        sweep(SIMD16<UInt8>(repeating: 3))
        sweep(CGPoint(x: 1, y: 2)); sweep(CGRect(x: 1, y: 2, width: 3, height: 4)); sweep(CGSize(width: 1, height: 2))
        sweep(NSRange(location: 3, length: 4)); sweep(AffineTransform(translationByX: 1, byY: 2))
    }
    @Test func ranges() {
        sweep(0..<5); sweep(0...5); sweep(1.5...2.5); sweep("a"..<"b");
        sweep(2..., same: { $0.lowerBound == $1.lowerBound }); sweep(..<2, same: { $0.upperBound == $1.upperBound });
        sweep(...2, same: { $0.upperBound == $1.upperBound })
        sweep(Date(timeIntervalSinceReferenceDate: 1)..<Date(timeIntervalSinceReferenceDate: 2))
        sweep(IndexSet([1, 2, 9])); sweep(IndexPath(indexes: [1, 2, 3]));
        sweep(DateInterval(start: Date(timeIntervalSinceReferenceDate: 1), duration: 5))
        sweep(CollectionDifference<Int>([.insert(offset: 0, element: 4, associatedWith: nil)])!)
    }
    @Test func foundation() {
        sweep(Measurement(value: 3, unit: UnitLength.meters));
        sweep(
            Measurement<Dimension>(value: 3, unit: UnitMass.kilograms),
            same: { $0.value == $1.value && $0.unit.symbol == $1.unit.symbol })
        var name = PersonNameComponents(); name.givenName = "A"; name.nickname = "n"
        sweep(name); sweep(DateComponents(year: 2020, month: 2)); sweep(Calendar(identifier: .gregorian));
        sweep(TimeZone(identifier: "UTC")!); sweep(Locale(identifier: "en_US"))
        sweep(URL(string: "https://a.b/c?d#e")!); sweep(URL(string: "x", relativeTo: URL(string: "https://a.b/"))!);
        sweep(UUID(uuidString: "00000000-0000-4000-8000-000000000001")!)
        sweep(Data([1, 2, 3])); sweep(Data()); sweep(Date(timeIntervalSinceReferenceDate: 542911754.16538298));
        sweep(URLComponents(string: "https://a/b?c=d")!)
        sweep(URLQueryItem(name: "a", value: nil)); sweep(CharacterSet.decimalDigits); sweep(Notification.Name("n"))
    }
    @Test func attributed() {
        var text = AttributedString("hello"); text.link = URL(string: "https://a.b")
        for way in Way.allCases {
            #expect("\(way)") { _ = try way.copy(text) } throws: { "\($0)".contains("can't be archived") }
        }
        sweep(Duration.seconds(3)); sweep(Locale.Language(identifier: "en")); sweep(Date.ISO8601FormatStyle())
    }
    @Test func enums() {
        sweep(SweepCard.face(suit: "h", rank: 3)); sweep(SweepCard.joker);
        sweep(SweepTree.node(.leaf(1), .node(.none, .leaf(2)))); sweep(SweepRaw.high); sweep(SweepText.north)
        sweep(SweepNested.list([.joker, nil])); sweep(SweepNested.deep(nil));
        sweep(SweepNested.deep(SweepPair(a: 1, b: "b"))); sweep(SweepNested.point(SweepPoint()))
        sweep(Result<Int, SweepError>.failure(.bad(3))); sweep(Result<String, SweepError>.success("ok"));
        sweep(SweepOptions(rawValue: 5)); sweep(FloatingPointSign.minus); sweep(ComparisonResult.orderedAscending)
    }
    private enum SweepError: Error, Equatable { case bad(Int) }
    @Test func containers() {
        sweep([Int]()); sweep(ArraySlice([1, 2, 3, 4])[1...2]); sweep(Set([SweepCard.joker, .plain(1)]));
        sweep([SweepCard.joker: 1, .plain(3): 2]); sweep([SweepPoint(): "p"])
        sweep([SweepPair(a: 1, b: "x"): [SweepPoint()]]); sweep([[1, 2]: "x"]); sweep([1.5: "a"]);
        sweep([UUID(uuidString: "00000000-0000-4000-8000-000000000001")!: 4])
        sweep([SweepText.north: 1]); sweep([SweepRaw.low: SweepRaw.high]); sweep(Set<[Int?]>([[1, nil], []]));
        sweep([true: 1, false: 0]); sweep(["": [String: Int]()])

        let keys: [Int?: String] = [1: "one", nil: "none"]
        let nested: [[[Int]]] = [[[1], []], []]
        let gaps: [Int?] = [nil, 1]
        let twice: [Int??] = [nil, .some(nil), 1]
        sweep(keys); sweep(nested); sweep(gaps); sweep(twice); sweep(ContiguousArray(["a"]))
        sweep([Date(timeIntervalSinceReferenceDate: 1.25): 1]); sweep([URL(string: "https://a.b")!: 1]);
        sweep([Character("a"): 1]); sweep([Data([1]): 2]); sweep([Decimal(string: "1.10")!: 2])
        let mixed: Set<AnyHashable> = [1, "a", true, 2.5]
        sweep(mixed)
        let table: [AnyHashable: AnyHashable] = ["k": 1, 2: "v"]
        sweep(table); sweep(Set<Set<Int>>([[1], []]))
        sweep([0..<3: "r"]); sweep(AnyHashable(SweepPoint())); sweep(AnyHashable(SweepCard.plain(2)))
        sweep(Array("abc"[...].utf8)); sweep(CollectionOfOne(3), same: { $0[0] == $1[0] });
        let pairs: KeyValuePairs<String, Int> = ["a": 1]
        sweep(pairs) { (a: KeyValuePairs<String, Int>, b: KeyValuePairs<String, Int>) -> Bool in
            a.map(\.key) == b.map(\.key)
        }
    }
    @Test func structs() {
        sweep(SweepPoint()); sweep(SweepPair(a: SweepCard.joker, b: Optional("x"))); sweep(SweepEmpty());
        sweep(SweepCodable()); sweep(SweepWrapped())
        sweep(SweepSpace.Inner(t: 3, kind: .some(4))); sweep(SweepSpace.Inner(t: "s", kind: .none));
        sweep(SweepPair(a: SweepPair(a: 1, b: 2), b: SweepOptions(rawValue: 1)))
    }
    @Test func tuples() {
        sweep((1, "a"), same: { $0 == $1 });
        let labelled: (x: Int, y: (Double, Int?)) = (x: 1, y: (2.5, nil))
        sweep(labelled) { (a: (x: Int, y: (Double, Int?)), b: (x: Int, y: (Double, Int?))) -> Bool in
            a.x == b.x && a.y.0 == b.y.0 && a.y.1 == b.y.1
        }
        sweep([(SweepCard.joker, [1])]) { (a: [(SweepCard, [Int])], b: [(SweepCard, [Int])]) -> Bool in
            a[0].0 == b[0].0 && a[0].1 == b[0].1
        }
        sweep((), same: { _, _ in true })
    }
    @Test func existentials() {
        sweep(SweepBoth() as any SweepP & SweepQ, any: false, same: { $0.id == $1.id && $0.title == $1.title })
        sweep(
            SweepDog() as any SweepP, any: false,
            same: { ($0 as? SweepDog)?.tricks == ($1 as? SweepDog)?.tricks && $1 is SweepDog })
        sweep(
            SweepDog() as any SweepAnimal & SweepP, any: false,
            same: { ($1 as? SweepDog)?.tricks == ["sit"] && $0.id == $1.id })
        sweep(SweepBoth() as any Hashable, any: false, same: { $0 as? SweepBoth == $1 as? SweepBoth })
        sweep(SweepCodable() as any Codable, any: false, same: { $0 as? SweepCodable == $1 as? SweepCodable })

        let anys: [Any] = [1, "a", [true, 2.5] as [Any], ["k": SweepCard.joker] as [String: Any]]
        sweep(anys, any: false) { (a: [Any], b: [Any]) -> Bool in
            guard b.count == 4, b[0] as? Int == 1, b[1] as? String == "a", let list = b[2] as? [Any] else {
                return false
            }
            guard list[0] as? Bool == true, let named = b[3] as? [String: Any] else { return false }
            return named["k"] as? SweepCard == SweepCard.joker
        }

        let named: [String: Any] = ["a": 1, "b": [SweepPoint()]]
        sweep(named, any: false) { (a: [String: Any], b: [String: Any]) -> Bool in
            guard b["a"] as? Int == 1, let points = b["b"] as? [SweepPoint] else { return false }
            return points == [SweepPoint()] && b.count == 2
        }
        sweep(SweepError.bad(2) as any Error, any: false, same: { $0 as? SweepError == $1 as? SweepError })
        sweep([SweepBoth(), SweepDog()] as [any SweepP], any: false, same: { $0.map(\.id) == $1.map(\.id) })
        sweep(SweepCard.joker as Any, any: false, same: { $0 as? SweepCard == $1 as? SweepCard })
        sweep((1, "x") as Any, any: false) { (a: Any, b: Any) -> Bool in (b as? (Int, String))?.1 == "x" }
    }
    @Test func classes() {
        sweep(SweepAnimal(), same: { $0.id == $1.id });
        sweep(SweepDog() as SweepAnimal, same: { $0.id == $1.id && $1 is SweepDog })
        sweep(SweepWatchedMore()) { (a: SweepWatchedMore, b: SweepWatchedMore) -> Bool in
            b.title == "t" && b.points == a.points && b.extra == .plain(2)
        }
        sweep(SweepWatchedMore() as SweepWatched) { (a: SweepWatched, b: SweepWatched) -> Bool in
            (b as? SweepWatchedMore)?.extra == .plain(2)
        }
        sweep(SweepBox<SweepCard>(), same: { $0.list == $1.list })
        sweep(NSNumber(value: true)); sweep(NSString("s")); sweep(NSArray(array: [1, "a"]));
        sweep(NSDictionary(dictionary: ["a": 1])); sweep(NSURL(string: "https://a.b")!)
        sweep(NSDate(timeIntervalSinceReferenceDate: 2));
        sweep(NSUUID(uuidString: "00000000-0000-4000-8000-000000000001")!); sweep(NSData(data: Data([1])));
        sweep(NSMutableString("m"), any: false); sweep(NSSet(array: [1]))
        sweep(NSDecimalNumber(string: "1.5")); sweep(NSAttributedString(string: "x"));
        sweep(NSOrderedSet(array: [1, 2]), any: false); sweep(NSIndexSet(index: 3));
        sweep(NSValue(point: NSPoint(x: 1, y: 2)), any: false)
    }
}
