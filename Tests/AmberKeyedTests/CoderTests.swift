import AmberModel
import Foundation
import Testing

@testable import AmberKeyed

@Suite struct CoderTests {
    static let permissive = FoundationClassTests.permissive

    static func document(_ data: Data) throws -> ArchiveDocument {
        try ArchiveDocument(Plist.read(data, limits: DecodingLimits()), archivers: ["NSKeyedArchiver"])
    }

    @Test func graphKeepsItsShape() throws {
        let shared = Person("P-1", age: 3)
        shared.tags.add("a")
        let root = Person("root", friends: [shared, Person("other", friends: [shared])])
        let back = try KeyedDecoder().decode(Person.self, from: KeyedEncoder().encode(root))
        #expect(back.name == "root" && back.friends.count == 2)
        #expect(back.friends[0] === back.friends[1].friends[0])
        #expect(back.friends[0].age == 3 && back.friends[0].height == 1.5 && back.friends[0].isActive)
        #expect(back.friends[0].tags == ["a"] && back.picture == nil)
    }

    @Test func equalIsNotIdentical() throws {
        let first = NSMutableArray(array: ["x"])
        let second = NSMutableArray(array: ["x"])
        let data = try KeyedEncoder().encode(NSArray(array: [first, second, first]))
        let back = FoundationStorage.objects(of: try KeyedDecoder().decode(NSArray.self, from: data))
        let (shared, apart) = (back[0] === back[2], back[0] !== back[1])
        #expect(shared && apart)
    }

    @Test func arrayThatHoldsItselfSurvives() throws {
        let array = NSMutableArray()
        array.add(array)
        let back = try KeyedDecoder().decode(NSArray.self, from: KeyedEncoder().encode(array))
        let holdsItself = FoundationStorage.objects(of: back)[0] === back
        #expect(holdsItself)
        (back as? NSMutableArray)?.removeAllObjects()
        array.removeAllObjects()
    }

    @Test func valuesWithoutKeysComeBackInOrder() throws {
        let object = Unkeyed()
        object.text = "t"
        object.number = -7
        object.real = 2.5
        object.data = Data([1, 2])
        object.list = [3, -4, 5]
        var encoder = KeyedEncoder()
        encoder.requiresSecureCoding = false
        let back = try Self.permissive.decode(Unkeyed.self, from: encoder.encode(object))
        #expect(back.text == "t" && back.number == -7 && back.real == 2.5 && back.data == Data([1, 2]))
        #expect(back.list == [3, -4, 5])
    }

    @Test func conditionalObjectIsWrittenWhenSomethingElseHoldsIt() throws {
        var encoder = KeyedEncoder()
        encoder.requiresSecureCoding = false
        let target = NSMutableArray(array: ["x"])
        // The conditional reference comes first; the unconditional one later makes it count.
        let both = Holder(strong: Holder(strong: target, conditional: nil), conditional: target)
        let back = try Self.permissive.decode(Holder.self, from: encoder.encode(both))
        let isTarget = back.conditional === (back.strong as? Holder)?.strong
        #expect(isTarget && back.conditional != nil)

        let data = try encoder.encode(Holder(strong: nil, conditional: target))
        #expect(try Self.permissive.decode(Holder.self, from: data).conditional == nil)
        #expect(try Self.document(data).objects.allSatisfy { $0.dictionary?["NS.objects"] == nil })
        // The key is there, and says nil.
        #expect(try Self.document(data).objects[1].dictionary?["conditional"]?.reference == 0)
    }

    @Test func keysThatBeginWithADollarAreEscaped() throws {
        let circle = Circle()
        circle.radius = 4
        let data = try KeyedEncoder().encode(circle)
        #expect(try Self.document(data).objects[1].dictionary?["$$radius"]?.doubleValue == 4)
        #expect(try KeyedDecoder().decode(Shape.self, from: data) is Circle)
        #expect(try KeyedDecoder().decode(Circle.self, from: data).radius == 4)
    }

    @Test func coderWorksByHandWithManyKeys() throws {
        let coder = ArchivingCoder(requiringSecureCoding: true)
        coder.encode("s" as NSString, forKey: "object")
        coder.encode(true, forKey: "bool")
        coder.encode(Int32(-1), forKey: "int32")
        coder.encode(Int64.max, forKey: "int64")
        coder.encode(Float(0.5), forKey: "float")
        coder.encode(0.25, forKey: "double")
        coder.encode([1, 2] as NSArray, forKey: "list")
        unsafe coder.encodeBytes([9, 8], length: 2, forKey: "bytes")
        let reader = try UnarchivingCoder(reading: coder.archive())
        #expect(reader.decodeObject(of: NSString.self, forKey: "object") == "s")
        #expect(reader.decodeBool(forKey: "bool") && reader.decodeInt32(forKey: "int32") == -1)
        #expect(reader.decodeInt64(forKey: "int64") == .max && reader.decodeFloat(forKey: "float") == 0.5)
        #expect(reader.decodeDouble(forKey: "double") == 0.25 && reader.decodeInteger(forKey: "double") == 0)
        #expect(reader.decodeDouble(forKey: "int32") == -1)
        #expect(reader.decodeObject(of: [NSArray.self], forKey: "list") as? [Int] == [1, 2])
        let bytes = unsafe reader.withDecodedUnsafeBytes(forKey: "bytes") { unsafe $0.map { unsafe Array($0) } }
        #expect(bytes == [9, 8])
        #expect(reader.containsValue(forKey: "bool") && !reader.containsValue(forKey: "none"))
        #expect(reader.decodeObject(forKey: "none") == nil && reader.error == nil)
        #expect(reader.decodeInt32(forKey: "int64") == 0)
        #expect((reader.error as? DecodingFailure)?.code == .typeMismatch)
        #expect(reader.decodeDouble(forKey: "double") == 0, "After a failure nothing is given out.")
    }

    @Test func collectionsOfGivenClassesAreChecked() throws {
        let coder = ArchivingCoder()
        coder.encode(["a", "b"], forKey: "texts")
        coder.encode(["k": 1], forKey: "numbers")
        coder.encode(["a", 1] as [Any], forKey: "mixed")
        let reader = try UnarchivingCoder(reading: coder.archive())
        #expect(reader.decodeArrayOfObjects(ofClass: NSString.self, forKey: "texts") == ["a", "b"])
        #expect(
            reader.decodeDictionary(withKeysOfClass: NSString.self, objectsOfClass: NSNumber.self, forKey: "numbers")
                == ["k": 1])
        #expect(reader.decodeArrayOfObjects(ofClasses: [NSString.self, NSNumber.self], forKey: "mixed")?.count == 2)
        #expect(reader.decodeArrayOfObjects(ofClass: NSString.self, forKey: "none") == nil && reader.error == nil)
        #expect(reader.decodeArrayOfObjects(ofClass: NSString.self, forKey: "mixed") == nil && reader.error != nil)
    }

    @Test func classThatIsNotAllowedIsRefusedBeforeItIsMade() throws {
        var encoder = KeyedEncoder()
        encoder.requiresSecureCoding = false
        let data = try encoder.encode(["a": [Insecure()]])
        unsafe Insecure.made = 0
        do {
            _ = try KeyedDecoder().decode(NSDictionary.self, from: data, allowing: [NSArray.self])
            Issue.record("Made.")
        } catch {
            #expect(error.code == .refusedType)
            #expect(error.description.contains("Insecure") && error.description.contains("NSDictionary"))
            #expect(error.path.description == "root[1][0]")
        }
        #expect(throws: DecodingFailure(.refusedType, "")) {
            _ = try KeyedDecoder().decode(NSDictionary.self, from: data, allowing: [NSArray.self, Insecure.self])
        }
        #expect(unsafe Insecure.made == 0)
        #expect(throws: EncodingFailure(.refusedType, "")) { _ = try KeyedEncoder().encode(Insecure()) }
    }

    @Test func nestedAndPrivateClassesHaveApplesNames() throws {
        #expect(ClassNames.name(of: Outer.Inner.self) == "_TtCO15AmberKeyedTests5Outer5Inner")
        #expect(ClassNames.name(of: Person.self) == "AmberKeyedTests.Person")
        #expect(ClassNames.type(named: "AmberKeyedTests.Person") == Person.self)
        #expect(ClassNames.type(named: "_TtC15AmberKeyedTests6Person") == Person.self)
        for object in [Outer.Inner(), makeHidden()] {
            let data = try KeyedEncoder().encode(object)
            let back = try KeyedDecoder().decodeObject(ofClasses: [type(of: object)], from: data)
            #expect(back.map { type(of: $0) } == type(of: object))
        }
        #expect(ClassNames.name(of: type(of: makeHidden())) == "AmberKeyedTests.Hidden")
        let private33 = "_TtC15AmberKeyedTestsP33_0123456789ABCDEF0123456789ABCDEF6Hidden"
        #expect(ClassNames.mayMean(private33, type(of: makeHidden())))
        #expect(ClassNames.name(of: UnitLength.self) == "NSUnitLength")
        #expect(ClassNames.name(of: NSMutableArray.self) == "NSMutableArray")
    }

    @Test func namesCanBeMapped() throws {
        var encoder = KeyedEncoder()
        encoder.classMap.setName("OldMod.Item", for: Circle.self)
        let data = try encoder.encode(Circle())
        #expect(throws: DecodingFailure(.unknownType, "")) { _ = try strict().decode(Shape.self, from: data) }
        var decoder = strict()
        decoder.classMap.setClass(Circle.self, for: "OldMod.Item")
        #expect(try decoder.decode(Shape.self, from: data) is Circle)
        // A superclass that is known may stand in.
        #expect(try type(of: KeyedDecoder().decode(Shape.self, from: data)) == Shape.self)
        decoder = strict()
        decoder.unknownClasses = .kept
        let kept = try decoder.decodeObject(ofClasses: [Shape.self], from: data) as? ArchivedObject
        #expect(kept?.className == "OldMod.Item" && kept?["$radius"] as? Double == 0)
        #expect(try self.document(encoder.encode(kept)).objects[1].dictionary?["$$radius"] != nil)
    }

    private func document(_ data: Data) throws -> ArchiveDocument { try Self.document(data) }

    private func strict() -> KeyedDecoder {
        var decoder = KeyedDecoder()
        decoder.usesSuperclassesOfUnknown = false
        return decoder
    }

    @Test func listsOfAnyLengthAreWrittenAndLongOnesRead() throws {
        let list = Link.list(200_000)
        let data = try KeyedEncoder().encode(list)
        #expect(list.takeApart() == 200_000)
        #expect(throws: DecodingFailure(.limitExceeded, "")) { _ = try KeyedDecoder().decode(Link.self, from: data) }
        let short = Link.list(2_000)
        let back = try KeyedDecoder().decode(Link.self, from: KeyedEncoder().encode(short))
        #expect(back.takeApart() == 2_000)
        var decoder = KeyedDecoder()
        decoder.limits.objectDepth = 30_000
        let long = Link.list(20_000)
        let again = try decoder.decode(Link.self, from: KeyedEncoder().encode(long))
        #expect(again.takeApart() == 20_000 && long.takeApart() == 20_000)
    }

    @Test func foundationAndAmberReadEachOthersGraphs() throws {
        let root = Person("root", age: 1, friends: [Person("a"), Person("b", age: 2)])
        // Foundation's archiver makes one object of two that are equal, an empty list of friends and one of tags among them.
        for person in [root] + root.friends { person.tags.add("t" + person.name) }
        root.picture = Data([1])
        let ours = try KeyedEncoder().encode(root)
        let theirs = try NSKeyedUnarchiver.unarchivedObject(
            ofClasses: [Person.self, NSArray.self, NSString.self], from: ours)
        #expect((theirs as? Person)?.friends.map(\.name) == ["a", "b"])
        let archived = try NSKeyedArchiver.archivedData(withRootObject: root, requiringSecureCoding: true)
        let back = try KeyedDecoder().decode(Person.self, from: archived)
        #expect(back.friends.map(\.age) == [0, 2] && back.picture == Data([1]))
    }

    @Test func objectInsideItselfByInitializerIsItself() throws {
        let document = PlistValue.dictionary([
            "$version": .integer(100_000), "$archiver": .string("NSKeyedArchiver"),
            "$top": .dictionary(["root": .reference(1)]),
            "$objects": .array([
                .string("$null"),
                .dictionary(["number": .integer(1), "next": .reference(1), "$class": .reference(2)]),
                .dictionary(["$classname": .string("AmberKeyedTests.Link")]),
            ]),
        ])
        let link = try KeyedDecoder().decode(Link.self, from: BinaryPlistWriter.data(for: document))
        #expect(link.next === link && link.number == 1)
        link.next = nil
    }

    @Test func pythonReadsWhatWeWrite() throws {
        let python = URL(fileURLWithPath: "/usr/bin/env")
        let person = Person("Ånn", friends: [Person("b")])
        for format in [KeyedFormat.binary, .xml] {
            var encoder = KeyedEncoder()
            encoder.format = format
            let file = FileManager.default.temporaryDirectory.appendingPathComponent("amber-\(UUID().uuidString).plist")
            defer { try? FileManager.default.removeItem(at: file) }
            try encoder.encode(person).write(to: file)
            let process = Process()
            process.executableURL = python
            process.arguments = [
                "python3", "-c",
                """
                import plistlib, sys
                p = plistlib.load(open(sys.argv[1], 'rb'))
                o = p['$objects']
                def uid(u): return u['CF$UID'] if isinstance(u, dict) else u.data
                root = o[uid(p['$top']['root'])]
                print(p['$version'], p['$archiver'], ascii(o[uid(root['name'])]), root['height'], o[uid(root['$class'])]['$classname'])
                """, file.path,
            ]
            let pipe = Pipe()
            process.standardOutput = pipe
            try process.run()
            process.waitUntilExit()
            guard process.terminationStatus != 127 else { return }
            let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            #expect(text == "100000 NSKeyedArchiver '\\xc5nn' 1.5 AmberKeyedTests.Person\n")
        }
    }
}
