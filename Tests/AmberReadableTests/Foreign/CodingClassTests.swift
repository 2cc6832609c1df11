// Classes written for Foundation's coders, unchanged, in documents of all forms.

import AmberBinary
import AmberModel
import AmberReadable
import AmberTestSupport
import Foundation
import Testing

private func isSame(_ left: Any?, _ right: Any?) -> Bool {
    guard let left, let right else { return left == nil && right == nil }
    return left as AnyObject === right as AnyObject
}

private enum ReadableLeaks {}

private final class ReadableLeakRoot: Model {
    var tracked: [Tracked<ReadableLeaks>] = []
    var list = NSMutableArray()
    var keeper: ReadableKeeper?
    var anything: Any = 0
    var set: Set<Tracked<ReadableLeaks>> = []
    var wrapped: [ReadableLeakCase] = []
    init() {}
}

private enum ReadableLeakCase {
    case object(NSObject)
    case any(Any)
}

/// Keeps a model that it reads.
private final class ReadableKeeper: NSObject, NSCoding {
    let tracked: Tracked<ReadableLeaks>
    init(_ tracked: Tracked<ReadableLeaks>) { self.tracked = tracked }
    init?(coder: NSCoder) {
        guard let tracked = coder.decodeObject(forKey: "tracked") as? Tracked<ReadableLeaks> else { return nil }
        self.tracked = tracked
    }
    func encode(with coder: NSCoder) { coder.encode(tracked, forKey: "tracked") }
}

/// Classes as they were written for the older coder: everything that they decode can be changed.
private final class OlderList: NSObject, NSCoding {
    let items: NSMutableArray
    let first: OlderItem?
    let set: NSMutableSet?
    let hasNone: Bool
    init?(coder: NSCoder) {
        guard let items = coder.decodeObject(forKey: "items") as? NSMutableArray else { return nil }
        self.items = items
        first = coder.decodeObject(forKey: "first") as? OlderItem
        set = coder.decodeObject(forKey: "set") as? NSMutableSet
        hasNone = coder.decodeObject(forKey: "none") == nil
    }
    func encode(with coder: NSCoder) {}
}
private final class OlderItem: NSObject, NSCoding {
    let label: String?
    let when: NSDate?
    let notes: NSMutableString?
    weak var list: OlderList?
    init?(coder: NSCoder) {
        label = coder.decodeObject(forKey: "label") as? String
        when = coder.decodeObject(forKey: "when") as? NSDate
        notes = coder.decodeObject(forKey: "notes") as? NSMutableString
        list = coder.decodeObject(forKey: "list") as? OlderList
    }
    func encode(with coder: NSCoder) {}
}

@Suite struct ReadableCodingClassTests {
    private func trips<T>(_ value: T, _ options: ReadableEncodingOptions = .init(nonFinite: .text)) throws -> [T] {
        let encoder = ReadableEncoder(options: options)
        let decoder = ReadableDecoder()
        var all = try ReadableFormat.allCases.map { try decoder.decode(T.self, from: encoder.encode(value, as: $0)) }
        all.append(try decoder.decode(T.self, fromObject: encoder.encodePropertyList(value)))
        all.append(try decoder.decode(T.self, fromObject: encoder.encodeJSONObject(value)))
        return all
    }

    private func text<T>(_ value: T) throws -> String {
        try ReadableEncoder(options: .init(isPretty: false)).encodeText(value)
    }

    @Test func classesComeBackWithTheirGraph() throws {
        let owner = ReadableCodingOwner()
        owner.name = "Ada"
        let (cat, dog) = (ReadableCodingAnimal("Tom", legs: 4), ReadableCodingDog("Rex"))
        (cat.friend, cat.isTame, cat.tags, cat.photo) = (dog, true, ["a", "b"], Data([1]))
        (dog.tricks, dog.owner, cat.owner) = (3, owner, owner)
        owner.animals = [cat, dog, cat]
        owner.favourite = dog
        owner.list.add(dog)
        owner.list.add(owner.list)
        owner.anything = ["dog": dog]
        for back in try trips(owner) {
            #expect(back.animals.count == 3)
            let (cat, dog) = (back.animals[0], try #require(back.animals[1] as? ReadableCodingDog))
            #expect(type(of: cat) == ReadableCodingAnimal.self)
            #expect(back.animals[2] === cat)
            #expect(cat.name == "Tom" && cat.legs == 4 && cat.weight == 1.5 && cat.isTame)
            #expect(cat.tags == ["a", "b"] && cat.photo == Data([1]))
            #expect(isSame(cat.friend, dog) && dog.tricks == 3 && dog.photo == nil)
            #expect(cat.owner === back && dog.owner === back)
            #expect(isSame(back.favourite, dog))
            #expect(isSame(FoundationStorage.objects(of: back.list)[0], dog))
            #expect(isSame(FoundationStorage.objects(of: back.list)[1], back.list))
            #expect(isSame((back.anything as? [String: Any])?["dog"], dog))
            back.list.removeAllObjects()
        }
        owner.list.removeAllObjects()
    }

    @Test func keysStandBesideTheClass() throws {
        let dog = ReadableCodingDog("Rex")
        dog.tags = ["a"]
        #expect(
            try text(dog)
                == #"{"$class":"AmberReadableTests.ReadableCodingDog","name":"Rex","legs":4,"weight":1.5,"tame":false,"friend":null,"owner":null,"tags":["a"],"tricks":0}"#
        )
        let list = try text([dog] as [ReadableCodingAnimal])
        #expect(list.hasPrefix(#"[{"$class":"AmberReadableTests.ReadableCodingDog","name""#))
        #expect(try text([dog]).hasPrefix(#"[{"name":"Rex""#))
        #expect(try text(ReadablePureSwiftCoding(4)).contains(#""$$$value":4"#))
        let row = try text(ReadableUnkeyedRow())
        #expect(
            row
                == #"{"$class":"AmberReadableTests.ReadableUnkeyedRow","$0":[1,-2,3],"$1":"row","$2":{"$data":"CQgH"},"$3":0.5}"#
        )
    }

    @Test func writtenByHand() throws {
        let decoder = ReadableDecoder()
        let animal = try decoder.decode(
            ReadableCodingAnimal.self,
            from:
                #"{"name": "Tom", "tags": ["x"], "friend": {"$class": "AmberReadableTests.ReadableCodingAnimal", "name": "Rex", "friend": {"$alias": "$root"}}}"#
        )
        #expect(animal.name == "Tom" && animal.tags == ["x"] && isSame(animal.friend?.friend, animal))
        animal.friend = nil
        let owner = try decoder.decode(
            ReadableCodingOwner.self,
            from:
                #"{"animals": [{"name": "A"}, {"$class": "AmberReadableTests.ReadableCodingDog", "name": "B", "tricks": 2, "owner": {"$alias": "$root"}}], "favourite": {"$alias": "animals.1"}}"#
        )
        #expect(owner.favourite === owner.animals[1] && owner.animals[1].owner === owner)
        #expect((owner.animals[1] as? ReadableCodingDog)?.tricks == 2)
        let named = ReadableDecoder(options: .init(codingClassNames: ["Hund": ReadableCodingDog.self]))
        #expect(try named.decode(Any.self, from: #"{"$class": "Hund", "name": "C"}"#) is ReadableCodingDog)
    }

    @Test func conditionalObjectsAreLeftOutWhereNothingHoldsThem() throws {
        let owner = ReadableCodingOwner()
        let dog = ReadableCodingDog("Rex")
        dog.owner = owner
        #expect(try !text(dog).contains("CodingOwner"))
        for back in try trips(dog) { #expect(back.name == "Rex" && back.owner == nil) }
        for back in try trips([dog, owner] as [Any]) {
            #expect(isSame((back[0] as? ReadableCodingDog)?.owner, back[1]))
        }
    }

    @Test func secureClassesReadWhatTheyAskFor() throws {
        let point = ReadableSecurePoint(7, 1.1, next: ReadableSecurePoint(-1, .infinity), labels: ["a", "b"])
        for back in try trips(point as Any) {
            let back = try #require(back as? ReadableSecurePoint)
            #expect(back.x == 7 && back.y == 1.1 && back.next?.x == -1 && back.next?.y == .infinity)
            #expect(back.labels == ["a", "b"] && back.when == point.when)
        }
    }

    @Test func valuesInARow() throws {
        let row = ReadableUnkeyedRow()
        (row.numbers, row.title) = ([5, 6, 7], "other")
        for back in try trips(row) {
            #expect(back.numbers == [5, 6, 7] && back.title == "other")
            #expect(back.bytes == row.bytes && back.ratio == 0.5)
        }
        for back in try trips(ReadablePureSwiftCoding(4)) { #expect(back.value == 4) }
    }

    @Test func replacementsAndDisguises() throws {
        try ReadableDecoder.register(ReadableCodingAnimal.self)
        let dog = ReadableCodingDog("Rex")
        for back in try trips([ReadableReplaced(by: dog), dog, ReadableReplaced(by: "text")] as [Any]) {
            #expect(isSame(back[0], back[1]))
            #expect(back[0] is ReadableCodingDog && back[2] as? String == "text")
        }
        let owner = ReadableCodingOwner()
        for back in try trips([ReadableReplaced(by: owner), owner] as [Any]) {
            #expect(back[0] is ReadableCodingOwner && isSame(back[0], back[1]))
        }
        for back in try trips([ReadableReplaced(by: nil)] as [Any?]) { #expect(back.count == 1 && back[0] == nil) }
        for back in try trips([ReadableDisguised("X", legs: 2)] as [ReadableCodingAnimal]) {
            #expect(type(of: back[0]) == ReadableCodingAnimal.self)
        }
    }

    @Test func onlyClassesThatMayAppearAreMade() throws {
        let written = try text([ReadableUninvited()] as [Any])
        let failure = decodingFailure { try ReadableDecoder().decode([Any].self, from: written) }
        #expect(failure?.code == .refusedType && failure?.position != nil)
        #expect(failure?.reason.contains("allowedClasses") == true)
        let allowing = ReadableDecoder(options: .init(allowedClasses: [ReadableUninvited.self]))
        #expect(try allowing.decode([Any].self, from: written)[0] is ReadableUninvited)
        // A property's class stands for itself and its subclasses.
        let other = try text([ReadableSecurePoint(1, 1)] as [Any])
        #expect(
            decodingFailure { try ReadableDecoder().decode([ReadableCodingAnimal].self, from: other) }?.code
                == .refusedType)
        let mixed = try text(ReadableNumbersOnly([1, ReadableSecurePoint(1, 1)]))
        #expect(
            decodingFailure { try ReadableDecoder().decode(ReadableNumbersOnly.self, from: mixed) }?.code
                == .refusedType)
        for back in try trips(ReadableNumbersOnly([1, "text"])) { #expect(back.array == [1, "text"]) }
    }

    @Test func failuresNameTheWay() throws {
        let failing = try text(["a": [ReadableFailing()] as [Any]])
        let failure = decodingFailure { try ReadableDecoder().decode([String: Any].self, from: failing) }
        #expect(failure?.code == .rejectedByHook && failure?.position != nil)
        #expect("\(failure!)".contains("Failing") && "\(failure!)".contains("a[0]"))
    }

    @Test func objectsThatHoldEachOtherComeBack() throws {
        let node = ReadableSelfishNode()
        node.other = node
        defer { node.other = nil }
        for back in try trips(node) {
            #expect(isSame(back.other, back))
            back.other = nil
        }
        let parent = ReadableFamilyMember("parent")
        parent.children = [ReadableFamilyMember("one"), ReadableFamilyMember("two")]
        for child in parent.children {
            child.parent = parent
            child.all.add(parent)
            parent.all.add(child)
        }
        for back in try trips(parent) {
            #expect(back.children.map(\.name) == ["one", "two"])
            #expect(back.children.allSatisfy { isSame($0.parent, back) && $0.all.count == 1 && $0.all.contains(back) })
            #expect(FoundationStorage.objects(of: back.all as NSSet).count == 2)
            for child in back.children { child.all.removeAllObjects() }
            back.all.removeAllObjects()
        }
        for child in parent.children { child.all.removeAllObjects() }
    }

    @Test func longChainsHaveALimit() throws {
        func chain(_ count: Int) -> ReadableSelfishNode {
            let first = ReadableSelfishNode()
            var last = first
            for _ in 1..<count {
                last.other = ReadableSelfishNode()
                last = last.other!
            }
            return first
        }
        let (short, long) = try (ReadableEncoder().encode(chain(1231)), ReadableEncoder().encode(chain(5000)))
        let results = onSmallStack { () -> (Int, DecodingFailure?) in
            var count = 0
            var node = try? ReadableDecoder().decode(ReadableSelfishNode.self, from: short)
            while let next = node {
                count += 1
                node = next.other
            }
            return (
                count, decodingFailure { try ReadableDecoder().decode(ReadableSelfishNode.self, from: long) }
            )
        }
        #expect(results.0 == 1231)
        #expect(results.1?.code == .limitExceeded)
    }

    @Test func aCoderIsUsedByHand() throws {
        let shared = NSMutableArray(array: [1])
        let dog = ReadableCodingDog("Rex")
        for format in ReadableFormat.allCases {
            let data = try ReadableEncoder(options: .init(isPretty: false)).encode(as: format) { coder in
                coder.encode(shared, forKey: "one")
                coder.encode(shared, forKey: "two")
                coder.encode(7, forKey: "seven")
                coder.encode(dog, forKey: "dog")
                coder.encode("unkeyed")
            }
            if format == .json {
                #expect(String(decoding: data, as: UTF8.self).hasPrefix(#"{"one":{"$class":"NSMutableArray""#))
            }
            let (name, number) = try ReadableDecoder(options: .init(allowedClasses: [ReadableCodingDog.self])).decode(
                from: data
            ) { coder in
                #expect(isSame(coder.decodeObject(forKey: "one"), coder.decodeObject(forKey: "two")))
                #expect(
                    coder.decodeObject(forKey: "one") is NSMutableArray && coder.decodeObject() as? String == "unkeyed")
                return (
                    (coder.decodeObject(forKey: "dog") as? ReadableCodingDog)?.name,
                    coder.decodeInteger(forKey: "seven")
                )
            }
            #expect(name == "Rex" && number == 7)
        }
        // The root's class does not matter, and errors come out.
        let text = Data(#"{"$class": "Gone.Window", "title": "T", "size": "no number"}"#.utf8)
        #expect(try ReadableDecoder().decode(from: text) { $0.decodeObject(forKey: "title") as? String } == "T")
        let wrong = decodingFailure { try ReadableDecoder().decode(from: text) { $0.decodeInteger(forKey: "size") } }
        #expect(wrong?.code == .typeMismatch && wrong?.path.description.contains("size") == true)
        struct Stop: Error {}
        #expect(
            decodingFailure { try ReadableDecoder().decode(from: text) { _ in throw Stop() } }?.code == .rejectedByHook)
        let stopped = encodingFailure { try ReadableEncoder().encode(as: .json) { _ in throw Stop() } }
        #expect(stopped?.code == .rejectedByHook)
    }

    @Test func filesAreWrittenWhole() throws {
        let url = URL(filePath: NSTemporaryDirectory()).appending(path: "amber-\(UUID().uuidString).json")
        defer { try? FileManager.default.removeItem(at: url) }
        try ReadableEncoder().encode(ReadableCodingDog("Rex"), as: .json, to: url)
        #expect(try ReadableDecoder().decode(ReadableCodingDog.self, contentsOf: url).name == "Rex")
        let missing = decodingFailure { try ReadableDecoder().decode(Int.self, contentsOf: url.appending(path: "no")) }
        #expect(missing?.code == .unreadableFile)
    }

    @Test func keyValueDictionariesHoldThem() throws {
        let owner = ReadableCodingOwner()
        owner.animals = [ReadableCodingDog("Rex")]
        owner.anything = NSSet(array: ["b", "a"])
        owner.list = ["x", NSDate(timeIntervalSinceReferenceDate: 0.5), NSURL(string: "a:b")!]
        let coder = KeyValueCoder()
        let dictionary = try coder.dictionary(of: owner)
        let data = try PropertyListSerialization.data(fromPropertyList: dictionary, format: .binary, options: 0)
        let size = try coder.size(of: owner).bytes
        #expect(size > data.count / 2 && size < data.count + 64, "\(size) against \(data.count)")
        let animal = (dictionary["animals"] as? [[String: Any]])?.first
        #expect(
            animal?["$class"] as? String == "AmberReadableTests.ReadableCodingDog"
                && animal?["name"] as? String == "Rex")
        let back = try coder.model(ReadableCodingOwner.self, from: dictionary)
        #expect(back.animals[0].name == "Rex" && back.anything as? NSSet == NSSet(array: ["a", "b"]))
        #expect(back.list == owner.list && type(of: back.list) == NSMutableArray.self)
        let older = KeyValueCoder(classKey: KeyValueCoder.olderClassKey)
        let again = try older.model(ReadableCodingOwner.self, from: older.dictionary(of: owner))
        #expect(again.animals[0].name == "Rex" && again.list == owner.list)
    }

    @Test func objectsInDocumentsOfTheOlderCoderLoad() throws {
        let text = #"""
            {"$class": "List", "items": [{"$class": "Item", "label": "a", "when": {"$class": "NSDate", "NS.time": 1000.5},
             "notes": {"$class": "NSMutableString", "NS.string": "n"}, "list": {"$alias": "$root"}}], "first": {"$alias": "items.0"},
             "set": {"$class": "NSMutableSet", "NS.object.0": "x", "NS.object.1": {"$class": "NSData", "$data": "YWJj"}}, "none": {"$class": "NSNull"}}
            """#
        let options = ReadableDecodingOptions(
            codingClassNames: ["List": OlderList.self, "Item": OlderItem.self], makesCollectionsMutable: true)
        let list = try ReadableDecoder(options: options).decode(OlderList.self, from: text)
        let item = try #require(FoundationStorage.objects(of: list.items).first as? OlderItem)
        #expect(item.label == "a" && item.when?.timeIntervalSinceReferenceDate == 1000.5 && item.list === list)
        #expect(item.notes == "n" && list.first === item && list.set?.count == 2 && list.hasNone)
        list.items.removeAllObjects()
    }

    @Test func documentsBecomeBinaryArchivesAndBack() throws {
        let owner = ReadableCodingOwner()
        let dog = ReadableCodingDog("Rex")
        dog.tags = ["t"]
        owner.anything = [dog, NSMutableString(string: "m")] as NSMutableArray
        owner.animals = [dog]
        let document = try ReadableEncoder(options: .init(namesTypes: true)).encode(owner)
        let dynamic = try ReadableDecoder(options: .init(objects: .dynamic)).decode(Any.self, from: document)
        let archive = try BinaryEncoder().encode(dynamic)
        let back = try BinaryDecoder().decode(ReadableCodingOwner.self, from: archive)
        let list = try #require(back.anything as? NSMutableArray)
        #expect(isSame(FoundationStorage.objects(of: list)[0], back.animals[0]))
        #expect(FoundationStorage.objects(of: list)[1] is NSMutableString && back.animals[0].tags == ["t"])
        // And the other way.
        let records = try BinaryDecoder(options: .init(objects: .dynamic)).decode(
            Any.self, from: BinaryEncoder().encode(owner))
        let again = try ReadableDecoder().decode(ReadableCodingOwner.self, from: ReadableEncoder().encode(records))
        #expect(again.animals[0].name == "Rex" && again.anything is NSMutableArray)
    }

    @Test func nothingLeaksWhateverIsDamaged() throws {
        let data = try {
            let root = ReadableLeakRoot()
            root.tracked = (0..<5).map { Tracked("\($0)") }
            for (index, object) in root.tracked.enumerated() {
                object.next = index > 0 ? root.tracked[index - 1] : nil
                object.inner = ["x\(index)"]
            }
            root.list.add(root.tracked[0])
            root.list.add(NSMutableArray(array: [root.tracked[1], "text"]))
            root.keeper = ReadableKeeper(root.tracked[2])
            root.anything = [root.tracked[3], root.list] as [Any]
            root.set = [root.tracked[4], root.tracked[2]]
            root.wrapped = [.object(root.keeper!), .any([root.tracked[1]]), .object(NSMutableString(string: "s"))]
            return try ReadableEncoder(options: .init(isPretty: false)).encode(root)
        }()
        #expect(livingObjects(ReadableLeaks.self) == 0)
        _ = try ReadableDecoder().decode(ReadableLeakRoot.self, from: data)
        #expect(livingObjects(ReadableLeaks.self) == 0)
        forEachPrefix(of: data) { _ = try? ReadableDecoder().decode(ReadableLeakRoot.self, from: $0) }
        #expect(livingObjects(ReadableLeaks.self) == 0)
        forEachFlippedBit(of: data) { part in
            // What is read all the same may hold itself.
            let before = livingObjects(ReadableLeaks.self)
            if let failure = decodingFailure({ try ReadableDecoder().decode(ReadableLeakRoot.self, from: part) }) {
                #expect(livingObjects(ReadableLeaks.self) == before, "\(failure)")
            }
        }
    }

    @Test func damagedDocumentsAreErrorsOrObjects() throws {
        let owner = ReadableCodingOwner()
        owner.animals = [ReadableCodingAnimal("a", legs: 1), ReadableCodingDog("b")]
        (owner.animals[0].friend, owner.animals[1].owner) = (owner.animals[1], owner)
        owner.list = [owner.animals[0], owner, ReadableSecurePoint(1, 2)]
        for format in [ReadableFormat.json, .binaryPropertyList] {
            let data = try ReadableEncoder(options: .init(isPretty: false)).encode(owner, as: format)
            forEachPrefix(of: data) { part in
                #expect(decodingFailure { try ReadableDecoder().decode(ReadableCodingOwner.self, from: part) } != nil)
            }
            forEachFlippedBit(of: data) { _ = try? ReadableDecoder().decode(ReadableCodingOwner.self, from: $0) }
            var random = SeededGenerator(seed: 20_261_201)
            for _ in 0..<1000 {
                _ = try? ReadableDecoder().decode(ReadableCodingOwner.self, from: random.damage(data))
            }
        }
        owner.list.removeAllObjects()
    }
}
