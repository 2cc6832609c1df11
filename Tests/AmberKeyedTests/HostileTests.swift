import AmberModel
import AmberTestSupport
import Foundation
import Testing

@testable import AmberKeyed

/// Numbers that look random and are the same in each run.
struct Seeded: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        var value = state
        value ^= value >> 33
        value &*= 0xff51_afd7_ed55_8ccd
        return value ^ value >> 33
    }
}

@Suite struct HostileTests {
    /// Decodes in every way there is; what matters is that it returns.
    static func decode(_ data: Data) {
        _ = try? KeyedDecoder().inspect(data)
        var decoder = KeyedDecoder()
        decoder.unknownClasses = .kept
        decoder.limits.comparisons = 100_000
        decoder.limits.objectDepth = 400
        _ = try? decoder.decodeObject(
            ofClasses: [
                NSArray.self, NSDictionary.self, NSSet.self, NSOrderedSet.self, NSString.self, NSURL.self, NSDate.self,
                NSAttributedString.self, NSValue.self, NSIndexSet.self, Person.self, NSUUID.self,
            ], from: data)
        decoder.requiresSecureCoding = false
        if let coder = try? decoder.coder(reading: data) {
            for key in coder.topLevelKeys { _ = coder.decodeObject(forKey: key) }
        }
    }

    static var samples: [Data] {
        get throws {
            var encoder = KeyedEncoder()
            encoder.requiresSecureCoding = false
            return try [
                encoder.encode(Person("a", friends: [Person("b")])),
                encoder.encode(NSArray(array: Samples.all.map(\.object))),
                encoder.encode(Unkeyed()),
            ]
        }
    }

    @Test func everyPrefixIsRefused() throws {
        for data in try Self.samples {
            // Of a long archive every seventh: all its kinds of values are cut somewhere.
            for length in stride(from: 0, to: data.count, by: data.count > 2000 ? 7 : 1) {
                #expect(throws: DecodingFailure.self) { _ = try KeyedDecoder().inspect(Data(data.prefix(length))) }
            }
            #expect(throws: DecodingFailure.self) { _ = try KeyedDecoder().inspect(data + [0]) }
        }
    }

    @Test func everyFlippedBitOfASmallArchiveDoesNoHarm() throws {
        let data = try #require(try Self.samples.first)
        for index in data.indices {
            for bit in 0..<8 {
                var broken = data
                broken[index] ^= 1 << UInt8(bit)
                Self.decode(broken)
            }
        }
    }

    /// Random damage, the same in each run; AMBER_FUZZ_ROUNDS asks for more of it.
    @Test func brokenBytesDoNoHarm() throws {
        let rounds = ProcessInfo.processInfo.environment["AMBER_FUZZ_ROUNDS"].flatMap { Int($0) } ?? 8
        let seed = ProcessInfo.processInfo.environment["AMBER_FUZZ_SEED"].flatMap { UInt64($0) } ?? 0x5eed
        print("Damage of the seed \(seed), \(rounds) times a file.")
        var random = SeededGenerator(seed: seed)
        let files = ["keyed", "keyed-embedded", "hostile/keyed", "bplist"].flatMap { Corpus.files($0) }
        let inputs = try files.map { try Data(contentsOf: $0) } + Self.samples
        for data in inputs where data.count < 8000 && !data.isEmpty {
            for _ in 0..<rounds { Self.decode(random.damage(data)) }
        }
    }

    /// A secondary thread of an Apple system has half a megabyte.
    @Test func smallStacksAreEnough() throws {
        let folders = ["keyed", "keyed-embedded", "hostile/keyed", "keyed-malformed", "bplist", "bplist-malformed"]
        var inputs = try folders.flatMap { Corpus.files($0) }.map { try Data(contentsOf: $0) } + Self.samples
        var deep: [PlistValue] = (0..<2000).map { number in
            .dictionary(["NS.objects": .array([.reference(UInt32(number + 2))]), "$class": .reference(2002)])
        }
        deep += [.string("end"), Self.record("NSArray")]
        inputs.append(Self.archive(deep))
        let list = Link.list(2000)
        inputs.append(try KeyedEncoder().encode(list))
        #expect(list.takeApart() == 2000)
        let archives = inputs
        let count = onSmallStack {
            for data in archives { Self.decode(data) }
            return archives.count
        }
        #expect(count >= 5)
    }

    /// Archives whose parts are sound and whose sense is not: every value of every record swapped for another.
    @Test func swappedValuesDoNoHarm() throws {
        var random = Seeded(state: 0xabcd)
        let document = try CoderTests.document(try Self.samples[1])
        func odd() -> PlistValue {
            switch Int.random(in: 0..<10, using: &random) {
            case 0: .integer(Int64(bitPattern: random.next()))
            case 1: .integer(-1)
            case 2: .double(.nan)
            case 3: .double(1e300)
            case 4:
                .data(
                    Data(
                        (0..<Int.random(in: 0..<40, using: &random)).map { _ in UInt8(truncatingIfNeeded: random.next())
                        }))
            case 5: .string("{{1, 2}")
            case 6: .bool(true)
            case 7: .array([.reference(1), .integer(2)])
            case 8: .integer(Int64.max)
            default: .reference(UInt32.random(in: 0..<UInt32(document.objects.count + 1), using: &random))
            }
        }
        for index in document.objects.indices {
            guard case .dictionary(let record) = document.objects[index] else { continue }
            for place in record.entries.indices {
                for _ in 0..<4 {
                    var changed = record
                    changed.entries[place].value = odd()
                    var copy = document
                    copy.objects[index] = .dictionary(changed)
                    Self.decode(BinaryPlistWriter.data(for: copy.plist))
                }
            }
        }
    }

    /// An archive of one object.
    static func archive(_ objects: [PlistValue]) -> Data {
        var document = ArchiveDocument()
        document.top = ["root": .reference(1)].plist
        document.objects += objects
        return BinaryPlistWriter.data(for: document.plist)
    }

    static func record(_ name: String) -> PlistValue {
        .dictionary(["$classname": .string(name), "$classes": .array([.string(name), .string("NSObject")])])
    }

    private final class Bombed: Model {
        static var rules: ModelRules {
            ModelRules(name: "Hostile.Bombed", version: 1).migrating(from: 0) { $0["count"] = 1 }
        }
        var count = 0
        var name = ""
        init() {}
    }

    @Test func listsThatAreNamedAgainAndAgainDoNotGrowInMigrations() throws {
        let depth = 20
        var objects: [PlistValue] = [
            .dictionary([
                "list": .reference(2), "name": .reference(UInt32(depth + 2)), "$class": .reference(UInt32(depth + 3)),
            ])
        ]
        for number in 0..<depth {
            let next = PlistValue.reference(UInt32(number + 3))
            objects.append(
                .dictionary([
                    "NS.objects": .array(Array(repeating: next, count: 10)), "$class": .reference(UInt32(depth + 4)),
                ]))
        }
        objects += [.string("end"), Self.record("Hostile.Bombed"), Self.record("NSArray")]
        let back = try KeyedDecoder().decode(Bombed.self, from: Self.archive(objects))
        #expect(back.count == 1 && back.name == "end")
    }

    @Test func deepNestingIsRefused() throws {
        var objects: [PlistValue] = []
        for number in 0..<60_000 {
            objects.append(
                .dictionary(["NS.objects": .array([.reference(UInt32(number + 2))]), "$class": .reference(60_002)]))
        }
        objects.append(.string("end"))
        objects.append(Self.record("NSArray"))
        #expect(throws: DecodingFailure(.limitExceeded, "")) {
            _ = try KeyedDecoder().decode(NSArray.self, from: Self.archive(objects))
        }
    }

    /// The same in steps, each of which starts from objects that are finished already.
    @Test func deepNestingInStepsIsRefused() throws {
        var document = ArchiveDocument()
        var top: [PlistDictionary.Entry] = []
        for number in 0..<60_000 {
            document.objects.append(
                .dictionary(["NS.objects": .array([.reference(UInt32(number))]), "$class": .reference(60_001)]))
            top.append(.init(key: "k\(number)", value: .reference(UInt32(number + 1))))
        }
        document.objects[1] = .string("end")
        document.objects.append(Self.record("NSArray"))
        document.top = PlistDictionary(top)
        #expect(throws: DecodingFailure(.limitExceeded, "")) {
            _ = try KeyedDecoder().inspect(BinaryPlistWriter.data(for: document.plist))
        }
    }

    @Test func setOfArraysThatHoldThemselvesIsRefused() throws {
        // Each equals the other as long as one looks: the comparison would never end.
        let objects: [PlistValue] = [
            .dictionary(["NS.objects": .array([.reference(2), .reference(3)]), "$class": .reference(4)]),
            .dictionary(["NS.objects": .array([.reference(2)]), "$class": .reference(5)]),
            .dictionary(["NS.objects": .array([.reference(3)]), "$class": .reference(5)]),
            Self.record("NSSet"), Self.record("NSArray"),
        ]
        #expect(throws: DecodingFailure(.limitExceeded, "")) {
            _ = try KeyedDecoder().decode(NSSet.self, from: Self.archive(objects), allowing: [NSArray.self])
        }
    }

    @Test func countsThatLieAreRefused() throws {
        let counted: [PlistValue] = [
            .dictionary([
                "NS.count": .integer(1), "NS.object0": .reference(2), "NS.count0": .integer(Int64.max),
                "$class": .reference(3),
            ]), .string("x"), Self.record("NSCountedSet"),
        ]
        #expect(throws: DecodingFailure(.limitExceeded, "")) {
            _ = try KeyedDecoder().decode(NSCountedSet.self, from: Self.archive(counted))
        }
        let array: [PlistValue] = [
            .dictionary([
                "NS.count": .integer(1_000_000_000), "NS.size": .integer(4), "NS.type": .integer(105),
                "$0": .integer(1), "$class": .reference(2),
            ]), Self.record("_NSKeyedCoderOldStyleArray"),
        ]
        #expect(throws: DecodingFailure(.rejectedByHook, "")) {
            _ = try FoundationClassTests.permissive.decodeObject(ofClasses: [], from: Self.archive(array))
        }
    }

    /// Many objects at one place: a small file that reads as billions of values.
    @Test func fileThatNamesItsBytesManyTimesIsRefused() throws {
        // 20,000 arrays of 20,000 elements, all the same bytes.
        let count = 20_000
        var bytes = Array("bplist00".utf8)
        bytes += [0xaf, 0x11, UInt8(count >> 8), UInt8(count & 0xff)]
        let leaf = UInt16(count)
        for _ in 0..<count { bytes += [UInt8(leaf >> 8), UInt8(leaf & 0xff)] }
        let zero = bytes.count
        bytes.append(0x09)
        let top = bytes.count
        bytes += [0xaf, 0x11, UInt8(count >> 8), UInt8(count & 0xff)]
        for index in 0..<count { bytes += [UInt8(index >> 8), UInt8(index & 0xff)] }
        let table = bytes.count
        func offset(_ value: Int) { for shift in [24, 16, 8, 0] { bytes.append(UInt8(value >> shift & 0xff)) } }
        for _ in 0..<count { offset(8) }
        offset(zero)
        offset(top)
        bytes += [0, 0, 0, 0, 0, 0, 4, 2]
        for value in [count + 2, count + 1, table] {
            for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(value >> shift & 0xff)) }
        }
        #expect(throws: KeyedFailure(.limitExceeded, "")) { _ = try Plist.read(Data(bytes), limits: DecodingLimits()) }
    }

    @Test(arguments: [
        "<plist><dict><key>a</key></dict></plist>", "<plist><array>", "<plist>", "", "<plist></plist>",
        "<plist><integer>x</integer></plist>",
        "<!DOCTYPE plist [<!ENTITY a \"b\">]><plist><string>&a;</string></plist>",
        "<plist><string>&#xD800;</string></plist>", "<plist><true/><true/></plist>", "<plist><date>2024</date></plist>",
        "<plist><data>!!</data></plist>", "<plist><dict><string>a</string></dict></plist>", "<plist><what/></plist>",
        "<plist><dict></array></plist>", "<plist><string>a</strong></plist>",
    ])
    func malformedXMLIsRefused(text: String) {
        #expect(throws: KeyedFailure.self) { _ = try Plist.read(Data(text.utf8), limits: DecodingLimits()) }
    }

    @Test func deepXMLIsRefused() {
        let text = String(repeating: "<array>", count: 100_000)
        #expect(throws: KeyedFailure(.limitExceeded, "")) {
            _ = try Plist.read(Data(text.utf8), limits: DecodingLimits())
        }
    }
}

extension Dictionary where Key == String, Value == PlistValue {
    var plist: PlistDictionary { PlistDictionary(map { .init(key: $0.key, value: $0.value) }) }
}
