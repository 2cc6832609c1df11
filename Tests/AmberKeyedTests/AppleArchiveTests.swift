import AmberModel
import Foundation
import Testing

@testable import AmberKeyed

/// Archives as Apple's systems make them, written down by hand: what is in no other test.
@Suite struct AppleArchiveTests {
    /// An object table that is written down from the top: each object gets its number when it is added.
    private struct Table {
        var document = ArchiveDocument()
        private var classes: [String: UInt32] = [:]

        mutating func add(_ value: PlistValue) -> PlistValue {
            document.objects.append(value)
            return .reference(UInt32(document.objects.count - 1))
        }

        mutating func add(_ chain: String, _ pairs: KeyValuePairs<String, PlistValue>) -> PlistValue {
            var record = PlistDictionary(pairs)
            record.entries.append(.init(key: "$class", value: type(chain)))
            return add(.dictionary(record))
        }

        private mutating func type(_ chain: String) -> PlistValue {
            if let known = classes[chain] { return .reference(known) }
            let names = chain.split(separator: " ").map { PlistValue.string(String($0)) } + [.string("NSObject")]
            let number = add(.dictionary(["$classname": names[0], "$classes": .array(names)]))
            classes[chain] = number.reference
            return number
        }

        func data(_ root: PlistValue, xml: Bool = false) throws -> Data {
            var document = document
            document.top = PlistDictionary(["root": root])
            return xml ? try XMLPlistWriter.data(for: document.plist) : BinaryPlistWriter.data(for: document.plist)
        }
    }

    private static var keeping: KeyedDecoder {
        var decoder = KeyedDecoder()
        decoder.unknownClasses = .kept
        return decoder
    }

    /// Reads an archive in both forms, and sees that inspecting it and writing it back changes nothing.
    private static func read<T>(
        _ type: T.Type, _ table: Table, _ root: PlistValue, allowing classes: [AnyClass] = []
    ) throws -> T {
        let binary = try table.data(root)
        for data in [binary, try table.data(root, xml: true)] {
            let inspected = try KeyedDecoder().inspect(data)
            let again = try KeyedDecoder().inspect(KeyedEncoder().encode(inspected: inspected))
            #expect(Canonical.describe(again) == Canonical.describe(inspected))
            _ = try keeping.decode(type, from: data, allowing: classes)
        }
        return try keeping.decode(type, from: binary, allowing: classes)
    }

    @Test func attributedStringWithAFontAndAColour() throws {
        var table = Table()
        let name = table.add(.string("Helvetica-Bold"))
        let font = table.add("NSFont", ["NSName": name, "NSSize": .double(12), "NSfFlags": .integer(16)])
        let colour = table.add("NSColor", ["NSColorSpace": .integer(1), "NSRGB": .data(Data("0.5 0 1\0".utf8))])
        let (fontKey, colourKey) = (table.add(.string("NSFont")), table.add(.string("NSColor")))
        let first = table.add(
            "NSDictionary", ["NS.keys": .array([fontKey, colourKey]), "NS.objects": .array([font, colour])])
        let second = table.add("NSDictionary", ["NS.keys": .array([]), "NS.objects": .array([])])
        let list = table.add("NSArray", ["NS.objects": .array([first, second])])
        let text = table.add("NSMutableString NSString", ["NS.string": .string("bold and 🐝")])
        let info = table.add(.data(Varints.data([4, 0, 6, 1, 1, 0])))
        let root = table.add(
            "NSTextStorage NSMutableAttributedString NSAttributedString",
            ["NSString": text, "NSAttributes": list, "NSAttributeInfo": info, "NSDelegate": .reference(0)])
        let back = try Self.read(NSAttributedString.self, table, root)
        #expect(back.string == "bold and 🐝" && back is NSMutableAttributedString)
        let attributes = unsafe back.attributes(at: 0, effectiveRange: nil)
        let archived = attributes[NSAttributedString.Key("NSFont")] as? ArchivedObject
        #expect(archived?["NSSize"] as? Double == 12 && archived?["NSName"] as? String == "Helvetica-Bold")
        let rgb = attributes[NSAttributedString.Key("NSColor")] as? ArchivedObject
        #expect(rgb?["NSRGB"] as? Data == Data("0.5 0 1\0".utf8))
        // Written back, the font and the colour are what they were.
        let again = try Self.keeping.decode(NSAttributedString.self, from: KeyedEncoder().encode(back))
        let kept = unsafe again.attributes(at: 10, effectiveRange: nil)[NSAttributedString.Key("NSFont")]
        #expect((kept as? ArchivedObject)?.className == "NSFont")
        #expect(unsafe again.attributes(at: 5, effectiveRange: nil).isEmpty)
    }

    @Test func urlWithABaseThatHasABase() throws {
        var table = Table()
        let texts = ["https://a.b/", "c/", "d?e#f"].map { table.add(.string($0)) }
        var base = PlistValue.reference(0)
        for text in texts { base = table.add("NSURL", ["NS.base": base, "NS.relative": text]) }
        let back = try Self.read(NSURL.self, table, base)
        #expect(back.relativeString == "d?e#f" && back.absoluteString == "https://a.b/c/d?e#f")
    }

    @Test func setsOfIndexesOfSeveralRanges() throws {
        var table = Table()
        let data = table.add("NSMutableData NSData", ["NS.data": .data(Data([0x00, 0x32, 0xe8, 0x07, 0x01]))])
        let root = table.add("NSMutableIndexSet NSIndexSet", ["NSRangeCount": .integer(2), "NSRangeData": data])
        let back = try Self.read(NSIndexSet.self, table, root)
        #expect(back as IndexSet == IndexSet(0..<50).union([1000]) && back is NSMutableIndexSet)
    }

    @Test func momentsAndPlaces() throws {
        var table = Table()
        let zoneName = table.add(.string("GMT+0100"))
        let zone = table.add("NSTimeZone", ["NS.name": zoneName, "NS.data": .reference(0)])
        let identifier = table.add(.string("en_GB"))
        let locale = table.add("NSLocale", ["NS.identifier": identifier])
        let calendarName = table.add(.string("gregorian"))
        let calendar = table.add(
            "NSCalendar",
            [
                "NS.identifier": calendarName, "NS.timezone": zone, "NS.locale": locale, "NS.firstwkdy": .integer(2),
                "NS.mindays": .integer(4), "NS.gstartdate": .reference(0),
            ])
        let root = table.add(
            "NSDateComponents",
            [
                "NS.calendar": calendar, "NS.timezone": zone, "NS.year": .integer(2024), "NS.month": .integer(2),
                "NS.hour": .integer(0x7fff_ffff), "NS.minute": .integer(Int64.max), "NS.isLeapMonth": .bool(false),
            ])
        let back = try Self.read(NSDateComponents.self, table, root)
        #expect(back.year == 2024 && back.month == 2)
        #expect(back.hour == NSDateComponentUndefined && back.minute == NSDateComponentUndefined)
        #expect(back.calendar?.firstWeekday == 2 && back.calendar?.minimumDaysInFirstWeek == 4)
        #expect(back.calendar?.locale?.identifier == "en_GB" && back.timeZone?.secondsFromGMT() == 3600)
    }

    @Test func errorWithAnUnderlyingOne() throws {
        var table = Table()
        let (domain, key) = (table.add(.string("NSCocoaErrorDomain")), table.add(.string("NSUnderlyingError")))
        let (path, file) = (table.add(.string("NSFilePath")), table.add(.string("/tmp/x")))
        let posix = table.add(.string("NSPOSIXErrorDomain"))
        let inner = table.add("NSError", ["NSDomain": posix, "NSCode": .integer(2), "NSUserInfo": .reference(0)])
        let info = table.add(
            "NSDictionary", ["NS.keys": .array([key, path]), "NS.objects": .array([inner, file])])
        let root = table.add("NSError", ["NSDomain": domain, "NSCode": .integer(260), "NSUserInfo": info])
        let back = try Self.read(NSError.self, table, root)
        #expect(back.domain == NSCocoaErrorDomain && back.code == 260)
        #expect((back.userInfo[NSUnderlyingErrorKey] as? NSError)?.code == 2)
        #expect(back.userInfo["NSFilePath"] as? String == "/tmp/x")
        // A dictionary of information whose keys are no text is refused, not forgotten.
        var odd = Table()
        let numbers = odd.add(.integer(5))
        let bad = odd.add("NSDictionary", ["NS.keys": .array([numbers]), "NS.objects": .array([numbers])])
        let name = odd.add(.string("d"))
        let error = odd.add("NSError", ["NSDomain": name, "NSCode": .integer(1), "NSUserInfo": bad])
        #expect(throws: DecodingFailure(.typeMismatch, "")) {
            _ = try KeyedDecoder().decode(NSError.self, from: odd.data(error))
        }
    }

    @Test func valuesOfEveryKind() throws {
        var table = Table()
        let point = table.add(.string("{1, -2.5}"))
        let rect = table.add(.string("{{146.33333333333337, 0}, {1e+22, 4}}"))
        let (location, length) = (table.add(.integer(97_345)), table.add(.integer(7)))
        let code = table.add(.string("[3i]"))
        let array = table.add(
            "_NSKeyedCoderOldStyleArray",
            [
                "NS.count": .integer(3), "NS.size": .integer(4), "NS.type": .integer(105), "$0": .integer(1),
                "$1": .integer(-2), "$2": .integer(3),
            ])
        let values = [
            table.add("NSValue", ["NS.special": .integer(1), "NS.pointval": point]),
            table.add("NSValue", ["NS.special": .integer(2), "NS.sizeval": point]),
            table.add("NSValue", ["NS.special": .integer(3), "NS.rectval": rect]),
            table.add(
                "NSValue",
                ["NS.special": .integer(4), "NS.rangeval.location": location, "NS.rangeval.length": length]),
            table.add("NSConcreteValue NSValue", ["$0": code, "$1": array]),
        ]
        let root = table.add("NSArray", ["NS.objects": .array(values)])
        let back = try Self.read(NSArray.self, table, root, allowing: [NSValue.self])
        let read = FoundationStorage.objects(of: back).compactMap { $0 as? NSValue }
        try #require(read.count == 5)
        #expect(read[0].pointValue == NSPoint(x: 1, y: -2.5) && read[1].sizeValue.height == -2.5)
        #expect(read[2].rectValue == NSRect(x: 146.33333333333337, y: 0, width: 1e22, height: 4))
        #expect(read[3].rangeValue == NSRange(location: 97_345, length: 7))
        var numbers: [Int32] = [0, 0, 0]
        unsafe read[4].getValue(&numbers)
        #expect(numbers == [1, -2, 3])
    }

    @Test func numbersKeepTheirKinds() throws {
        var table = Table()
        let list: [PlistValue] = [
            .bool(true), .bool(false), .integer(1), .integer(0), .double(1), .float(1), .integer(-1),
            .unsigned(UInt64.max), .integer(Int64.min),
        ]
        let null = table.add("NSNull", [:])
        let decimal = table.add(
            "NSDecimalNumberPlaceholder NSDecimalNumber NSNumber NSValue",
            [
                "NS.exponent": .integer(-2), "NS.length": .integer(1), "NS.negative": .bool(true),
                "NS.compact": .bool(true), "NS.mantissa.bo": .integer(2),
                "NS.mantissa": .data(Data([0x04, 0xd2] + [UInt8](repeating: 0, count: 14))),
            ])
        let references = list.map { table.add($0) }
        let root = table.add("NSArray", ["NS.objects": .array(references + [null, decimal, null])])
        let back = try Self.read(NSArray.self, table, root, allowing: [NSNull.self])
        let objects = FoundationStorage.objects(of: back)
        let kinds = objects.prefix(list.count).compactMap { ($0 as? NSNumber).map { FoundationNumber.value(of: $0) } }
        #expect("\(kinds)" == "\(list)")
        #expect(objects[9] is NSNull && (objects[10] as? NSDecimalNumber)?.decimalValue == Decimal(string: "-12.34"))
        let isOneNull = objects[9] === objects[11]
        #expect(isOneNull)
    }

    @Test func setsAndTextsOfTheirOwnClasses() throws {
        var table = Table()
        let texts = ["a", "b"].map { table.add(.string($0)) }
        let bytes = table.add("NSMutableString NSString", ["NS.bytes": .data(Data("Grüße".utf8))])
        let mutable = table.add("NSMutableString NSString", ["NS.string": .string("m")])
        let members = [
            table.add("NSSet", ["NS.objects": .array(texts)]),
            table.add("NSOrderedSet", ["NS.object.0": texts[1], "NS.object.1": texts[0]]),
            table.add(
                "NSCountedSet NSMutableSet NSSet",
                ["NS.count": .integer(1), "NS.object0": texts[0], "NS.count0": .integer(3)]),
            bytes, mutable, mutable,
        ]
        let root = table.add("NSMutableArray NSArray", ["NS.objects": .array(members)])
        let back = try Self.read(
            NSMutableArray.self, table, root, allowing: [NSSet.self, NSOrderedSet.self, NSCountedSet.self])
        let objects = FoundationStorage.objects(of: back)
        #expect(objects[0] as? NSSet == NSSet(array: ["a", "b"]))
        #expect(objects[1] as? NSOrderedSet == NSOrderedSet(array: ["b", "a"]))
        #expect((objects[2] as? NSCountedSet)?.count(for: "a") == 3)
        #expect(objects[3] as? NSString == "Grüße" && objects[3] is NSMutableString)
        let isOne = objects[4] === objects[5]
        #expect(isOne && objects[4] is NSMutableString)
    }

    @Test func archiveWithinAnArchive() throws {
        let inner = try KeyedEncoder().encode(["k": [1, 2]])
        var table = Table()
        let data = table.add("NSMutableData NSData", ["NS.data": .data(inner)])
        let key = table.add(.string("state"))
        let root = table.add("NSDictionary", ["NS.keys": .array([key]), "NS.objects": .array([data])])
        let back = try Self.read(NSDictionary.self, table, root)
        let nested = try #require(FoundationStorage.pairs(of: back).values.first as? NSData)
        #expect(
            try KeyedDecoder().decode(NSDictionary.self, from: nested as Data, allowing: [NSArray.self])["k"] as? [Int]
                == [1, 2])
    }

    @Test func swiftsClassesUnderTheirNames() throws {
        for (name, type): (String, AnyClass) in [
            ("AmberKeyedTests.Link", Link.self), ("_TtC15AmberKeyedTests4Link", Link.self),
            ("_TtCO15AmberKeyedTests5Outer5Inner", Outer.Inner.self),
        ] as [(String, AnyClass)] {
            var table = Table()
            let root = table.add(name, ["number": .integer(7), "next": .reference(0)])
            let back = try KeyedDecoder().decodeObject(ofClasses: [type], from: table.data(root))
            let made = try #require(back as AnyObject?)
            #expect(Swift.type(of: made) == type)
        }
        // A generic class, of which this program knows only a superclass.
        var table = Table()
        let root = table.add(
            "_TtGC6Module3GenSi_ AmberKeyedTests.Link", ["number": .integer(8), "next": .reference(0)])
        #expect(try KeyedDecoder().decode(Link.self, from: table.data(root)).number == 8)
        var strict = Self.keeping
        strict.usesSuperclassesOfUnknown = false
        let kept = try strict.decodeObject(ofClasses: [NSObject.self], from: table.data(root)) as? ArchivedObject
        #expect(kept?.className == "_TtGC6Module3GenSi_" && kept?["number"] as? Int64 == 8)
    }

    @Test func numbersOfObjectsBeyondSixteenBits() throws {
        var table = Table()
        let many = (0..<70_000).map { table.add(.string("text \($0)")) }
        let root = table.add("NSArray", ["NS.objects": .array(many)])
        let back = try KeyedDecoder().decode(NSArray.self, from: table.data(root))
        #expect(back.count == 70_000 && back[69_999] as? String == "text 69999")
        let again = try KeyedEncoder().encode(back)
        #expect(try KeyedDecoder().decode([String].self, from: again).last == "text 69999")
    }

    @Test func hintsStandInForAClassThatIsMissing() throws {
        var table = Table()
        let hinted = table.add(
            .dictionary([
                "$classname": .string("OC_PythonUnicode"),
                "$classes": .array([.string("OC_PythonUnicode"), .string("NSObject")]),
                "$classhints": .array([.string("OC_PythonString"), .string("NSString")]),
            ]))
        let root = table.add(.dictionary(["NS.string": .string("py"), "$class": hinted]))
        #expect(try Self.read(String.self, table, root) == "py")
    }

    @Test func topLevelKeysOfEveryKind() throws {
        var table = Table()
        let text = table.add(.string("t"))
        table.document.top = PlistDictionary([
            "State": text, "IB.systemFontUpdateVersion": .integer(2), "$0": text, "$$dollar": .bool(true),
            "nothing": .reference(0),
        ])
        let data = BinaryPlistWriter.data(for: table.document.plist)
        let reader = try UnarchivingCoder(reading: data)
        #expect(reader.topLevelKeys == ["State", "IB.systemFontUpdateVersion", "$0", "$$dollar", "nothing"])
        #expect(reader.decodeObject(of: NSString.self, forKey: "State") == "t")
        #expect(reader.decodeInteger(forKey: "IB.systemFontUpdateVersion") == 2 && reader.decodeBool(forKey: "$dollar"))
        #expect(reader.containsValue(forKey: "nothing") && reader.decodeObject(forKey: "nothing") == nil)
        try reader.finish()
        let again = try KeyedEncoder().encode(inspected: KeyedDecoder().inspect(data))
        #expect(try UnarchivingCoder(reading: again).topLevelKeys == reader.topLevelKeys)
    }
}
