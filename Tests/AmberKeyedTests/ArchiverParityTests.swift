import AmberModel
import Foundation
import Testing

@testable import AmberKeyed

/// A list with a title: what programs make of NSMutableArray.
private final class TitledList: NSMutableArray {
    private var elements: [Any] = []
    var title = ""

    override var count: Int { elements.count }
    override func object(at index: Int) -> Any { elements[index] }
    override func insert(_ object: Any, at index: Int) { elements.insert(object, at: index) }
    override func removeObject(at index: Int) { elements.remove(at: index) }
    override func replaceObject(at index: Int, with object: Any) { elements[index] = object }

    override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(title, forKey: "title")
    }
}

private final class TitledTable: NSMutableDictionary {
    private var pairs: [String: Any] = [:]
    override var count: Int { pairs.count }
    override func object(forKey key: Any) -> Any? { (key as? String).flatMap { pairs[$0] } }
    override func keyEnumerator() -> NSEnumerator { NSArray(array: Array(pairs.keys)).objectEnumerator() }
    override func setObject(_ object: Any, forKey key: AnyHashable) { pairs[key as? String ?? ""] = object }
    override func removeObject(forKey key: Any) { pairs[key as? String ?? ""] = nil }
    override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(true, forKey: "isTable")
    }
}

/// Says by itself that other classes may stand in for it.
private final class Hinted: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }
    override init() {}
    required init?(coder: NSCoder) {}
    func encode(with coder: NSCoder) { coder.encode(0.5, forKey: "$radius") }
    override class func classFallbacksForKeyedArchiver() -> [String] {
        ["Nowhere.Missing", ClassNames.name(of: Circle.self)]
    }
}

private final class Replaced: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }
    override init() {}
    required init?(coder: NSCoder) {}
    func encode(with coder: NSCoder) {}
    override func replacementObject(for coder: NSCoder) -> Any? { "instead" as NSString }
}

private final class Listed: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }
    override init() {}
    required init?(coder: NSCoder) {}
    func encode(with coder: NSCoder) {}
}

/// What NSKeyedArchiver and NSKeyedUnarchiver offer besides encode and decode.
@Suite struct ArchiverParityTests {
    @Test func subclassOfACollectionIsWrittenWithItsElements() throws {
        let list = TitledList()
        list.insert("a" as NSString, at: 0)
        list.insert(Person("b"), at: 1)
        list.title = "t"
        let data = try KeyedEncoder().encode(list)
        let record = try #require(try CoderTests.document(data).objects[1].dictionary)
        #expect(record["NS.objects"]?.array?.count == 2 && record["title"]?.reference != nil)
        let table = TitledTable()
        table.setObject(NSNumber(value: 1), forKey: "k")
        let second = try CoderTests.document(KeyedEncoder().encode(table)).objects[1].dictionary
        #expect(second?["NS.keys"]?.array?.count == 1 && second?["NS.objects"]?.array?.count == 1)
        #expect(second?.entries.contains { $0.key.hasPrefix("NS.key.") } == false)
        #expect(second?["isTable"] != nil)
        // A program without the class reads the superclass.
        var decoder = KeyedDecoder()
        decoder.classMap.setClass(NSMutableArray.self, for: ClassNames.name(of: TitledList.self))
        let back = try decoder.decode(NSArray.self, from: data, allowing: [Person.self])
        #expect(FoundationStorage.objects(of: back).count == 2 && back[0] as? String == "a")
    }

    @Test func hintsAndSuperclassesStandInForMissingClasses() throws {
        var encoder = KeyedEncoder()
        encoder.classMap.setName("Elsewhere.Hinted", for: Hinted.self)
        let data = try encoder.encode(Hinted())
        #expect(try KeyedDecoder().decode(Circle.self, from: data).radius == 0.5)
    }

    @Test func closuresSeeAndReplaceObjects() throws {
        let coder = ArchivingCoder()
        var seen: [String] = []
        coder.willEncode = { object in
            seen.append("will \(type(of: object))")
            return object is Circle ? Shape() : object
        }
        coder.didEncode = { seen.append("did \(type(of: $0))") }
        coder.encode(Circle(), forKey: "shape")
        coder.encode(Replaced(), forKey: "replaced")
        let data = try coder.archive()
        #expect(seen.contains("will Circle") && seen.contains("did Shape"))
        let reader = try UnarchivingCoder(reading: data)
        #expect(reader.topLevelKeys == ["shape", "replaced"])
        reader.didDecode = { $0 is Shape ? Circle() : $0 }
        #expect(reader.decodeObject(of: Shape.self, forKey: "shape") is Circle)
        #expect(reader.decodeObject(of: NSString.self, forKey: "replaced") == "instead")
        reader.finishDecoding()
    }

    @Test func unknownNamesAreAskedFor() throws {
        var encoder = KeyedEncoder()
        encoder.classMap.setName("Old.Name", for: Circle.self)
        let reader = try UnarchivingCoder(reading: encoder.encode(Circle()))
        reader.usesSuperclassesOfUnknown = false
        var asked: [String] = []
        reader.classForUnknownName = { name, chain in
            asked += [name] + chain
            return Circle.self
        }
        #expect(reader.decodeObject(of: Shape.self, forKey: "root") is Circle)
        #expect(asked.first == "Old.Name" && asked.contains(ClassNames.name(of: Shape.self)))
    }

    @Test func mapsOfTheProgramAndOfFoundationCount() throws {
        KeyedClassMap.register(Listed.self, as: "Program.Listed")
        KeyedClassMap.registerAlias("Program.Older", for: Listed.self)
        let data = try KeyedEncoder().encode(Listed())
        #expect(
            try CoderTests.document(data).objects.contains { $0.dictionary?["$classname"]?.string == "Program.Listed" })
        #expect(try KeyedDecoder().decodeObject(ofClasses: [Listed.self], from: data) is Listed)
        var encoder = KeyedEncoder()
        encoder.classMap.setName("Program.Older", for: Listed.self)
        let older = try encoder.encode(Listed())
        #expect(try KeyedDecoder().decodeObject(ofClasses: [Listed.self], from: older) is Listed)
        // A coder's own map comes first, Foundation's last.
        encoder.classMap.setName("Foundation.Mapped", for: Listed.self)
        let mapped = try encoder.encode(Listed())
        NSKeyedUnarchiver.setClass(Listed.self, forClassName: "Foundation.Mapped")
        defer { NSKeyedUnarchiver.setClass(nil, forClassName: "Foundation.Mapped") }
        #expect(try KeyedDecoder().decodeObject(ofClasses: [Listed.self], from: mapped) is Listed)
    }

    @Test func failureIsKeptAndEndsTheDecoding() throws {
        let coder = ArchivingCoder()
        coder.encode(Person("a"), forKey: "p")
        coder.encode("x" as NSString)
        let reader = try UnarchivingCoder(reading: coder.archive())
        reader.decodingFailurePolicy = .raiseException
        // No archive ends the process, whatever the policy.
        #expect(reader.decodeObject() as? String == nil, "A secure call must say which classes it allows.")
        let second = try UnarchivingCoder(reading: coder.archive())
        #expect(second.decodeObject(of: Person.self, forKey: "p")?.name == "a" && second.error == nil)
        #expect(second.allowsKeyedCoding && second.systemVersion == 2000 && second.containsValue(forKey: "p"))
        #expect(second.decodeObject(of: NSArray.self, forKey: "p") == nil)
        #expect((second.error as? DecodingFailure)?.code == .refusedType)
    }

    @Test func foundationsOtherClassesAreRefusedBothWays() throws {
        var encoder = KeyedEncoder()
        encoder.requiresSecureCoding = false
        let objects: [NSObject] = [
            NSPredicate(value: true), NSSortDescriptor(keyPath: \NSString.length, ascending: true), DateFormatter(),
            NumberFormatter(),
            OperationQueue(),
        ]
        for object in objects {
            #expect(throws: EncodingFailure(.unsupportedType, ""), "\(type(of: object))") {
                _ = try encoder.encode(NSArray(object: object))
            }
        }
        for name in ["NSPredicate", "NSComparisonPredicate", "NSExpression", "NSSortDescriptor", "NSDateFormatter"] {
            let archive = HostileTests.archive([.dictionary(["$class": .reference(2)]), HostileTests.record(name)])
            #expect(throws: DecodingFailure(.unknownType, ""), "\(name)") {
                _ = try FoundationClassTests.permissive.decodeObject(ofClasses: [], from: archive)
            }
        }
    }

    /// What coders other than NSKeyedArchiver write of Foundation's classes.
    @Test func bothDialectsOfFoundationsClassesAreRead() throws {
        let objects: [PlistValue] = [
            .dictionary([
                "NS.object.0": .reference(2), "NS.object.1": .reference(3), "NS.object.2": .reference(4),
                "$class": .reference(7),
            ]),
            .dictionary(["NS.bytes": .data(Data("text".utf8)), "$class": .reference(8)]),
            .dictionary(["NS.bytes": .data(Data([1, 2])), "$class": .reference(9)]),
            .dictionary(["NS.key.0": .reference(5), "NS.object.0": .reference(6), "$class": .reference(10)]),
            .string("key"), .integer(7), HostileTests.record("NSArray"), HostileTests.record("NSString"),
            HostileTests.record("NSMutableData"), HostileTests.record("NSDictionary"),
        ]
        let back = try KeyedDecoder().decode(
            NSArray.self, from: HostileTests.archive(objects), allowing: [NSDictionary.self])
        let parts = FoundationStorage.objects(of: back)
        #expect(parts[0] as? NSString == "text" && parts[1] as? NSMutableData == NSMutableData(data: Data([1, 2])))
        #expect(parts[2] as? NSDictionary == ["key": 7])
    }
}
