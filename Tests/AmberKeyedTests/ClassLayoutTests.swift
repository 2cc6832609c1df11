import AmberModel
import Foundation
import Testing

@testable import AmberKeyed

/// A line of the list of Foundation's classes: an object, and how Apple's archives lay its record out.
struct LayoutLine: @unchecked Sendable, CustomTestStringConvertible {
    var object: NSObject
    /// The class's name in the archive, then its keys and what stands under each.
    var layout: String
    var testDescription: String { layout }

    init(_ object: NSObject?, _ layout: String) {
        self.object = object ?? NSNull()
        self.layout = layout
    }
}

private func runs(_ runs: [(String, [String: Any])]) -> NSAttributedString {
    let string = NSMutableAttributedString(string: "")
    for (text, attributes) in runs {
        string.append(
            NSAttributedString(
                string: text,
                attributes: Dictionary(
                    uniqueKeysWithValues: attributes.map { (NSAttributedString.Key($0.key), $0.value) })))
    }
    return string
}

private func firstMatch(_ pattern: String, _ text: String) -> NSTextCheckingResult? {
    try? NSRegularExpression(pattern: pattern).firstMatch(
        in: text, range: NSRange(location: 0, length: text.utf16.count))
}

private func indexes(_ ranges: [Range<Int>]) -> NSIndexSet {
    let set = NSMutableIndexSet()
    for range in ranges { set.add(in: NSRange(range)) }
    return NSIndexSet(indexSet: set as IndexSet)
}

private func arrayValue() -> NSValue {
    let numbers: [Int32] = [3, -4, 5]
    return unsafe NSValue(bytes: numbers, objCType: "[3i]")
}

private func numberValue() -> NSValue {
    var number: Int16 = -7
    return unsafe NSValue(bytes: &number, objCType: "s")
}

private func dateParts() -> NSDateComponents {
    let parts = NSDateComponents()
    (parts.year, parts.month, parts.day, parts.nanosecond) = (2024, 2, 29, 5)
    parts.timeZone = TimeZone(identifier: "Europe/Vienna")
    return parts
}

private func translation() -> NSAffineTransform {
    let transform = NSAffineTransform()
    transform.translateX(by: 3, yBy: 4)
    return transform
}

private let anyURL = URL(string: "https://a.b/")

private let layoutLines: [LayoutLine] = [
    .init(NSArray(array: [1, "a"]), "NSArray NS.objects:[uid 2]"),
    .init(NSMutableArray(), "NSMutableArray NS.objects:[uid 0]"),
    .init(NSDictionary(dictionary: ["k": 1]), "NSDictionary NS.keys:[uid 1] NS.objects:[uid 1]"),
    .init(NSMutableDictionary(), "NSMutableDictionary NS.keys:[uid 0] NS.objects:[uid 0]"),
    .init(NSSet(array: [1]), "NSSet NS.objects:[uid 1]"),
    .init(NSMutableSet(array: [1]), "NSMutableSet NS.objects:[uid 1]"),
    .init(NSCountedSet(array: ["a", "a"]), "NSCountedSet NS.count:int NS.count0:int NS.object0:uid"),
    .init(NSOrderedSet(array: [1, 2]), "NSOrderedSet NS.object.0:uid NS.object.1:uid"),
    .init(NSMutableOrderedSet(), "NSMutableOrderedSet"),
    .init("text" as NSString, "text"),
    .init(NSMutableString(string: "m"), "NSMutableString NS.string:text"),
    .init("$null" as NSString, "NSString NS.string:text"),
    .init(NSData(data: Data([1])), "data"),
    .init(NSMutableData(data: Data([1])), "NSMutableData NS.data:data"),
    .init(NSDate(timeIntervalSinceReferenceDate: 0.25), "NSDate NS.time:real8"),
    .init(NSNull(), "NSNull"),
    .init(UUID() as NSUUID, "NSUUID NS.uuidbytes:data"),
    .init(anyURL.map { $0 as NSURL }, "NSURL NS.base:nil NS.relative:uid"),
    .init(NSURL(string: "c", relativeTo: anyURL), "NSURL NS.base:uid NS.relative:uid"),
    .init(NSNumber(value: true), "bool"),
    .init(NSNumber(value: -5), "int"),
    .init(NSNumber(value: UInt64.max), "int"),
    .init(NSNumber(value: Float(1)), "real4"),
    .init(NSNumber(value: 1.0), "real8"),
    .init(
        NSDecimalNumber(string: "1.5"),
        "NSDecimalNumberPlaceholder NS.compact:bool NS.exponent:int NS.length:int NS.mantissa:data NS.mantissa.bo:int NS.negative:bool"
    ),
    .init(
        NSDecimalNumber.notANumber,
        "NSDecimalNumberPlaceholder NS.compact:bool NS.exponent:int NS.length:int NS.mantissa:data NS.mantissa.bo:int NS.negative:bool"
    ),
    .init(NSValue(point: NSPoint(x: 1, y: 2.5)), "NSValue NS.pointval:uid NS.special:int"),
    .init(NSValue(size: NSSize(width: 1, height: 2)), "NSValue NS.sizeval:uid NS.special:int"),
    .init(NSValue(rect: NSRect(x: 1, y: 2, width: 3, height: 4)), "NSValue NS.rectval:uid NS.special:int"),
    .init(
        NSValue(range: NSRange(location: 1, length: 2)),
        "NSValue NS.rangeval.length:uid NS.rangeval.location:uid NS.special:int"),
    .init(
        NSValue(edgeInsets: NSEdgeInsets(top: 1, left: 2, bottom: 3, right: 4)),
        "NSValue NS.edgeval.bottom:real8 NS.edgeval.left:real8 NS.edgeval.right:real8 NS.edgeval.top:real8 NS.special:int"
    ),
    .init(numberValue(), "NSValue $0:uid $1:int"),
    .init(arrayValue(), "NSValue $0:uid $1:uid"),
    .init(indexes([]), "NSIndexSet NSRangeCount:int"),
    .init(indexes([5..<9]), "NSIndexSet NSLength:int NSLocation:int NSRangeCount:int"),
    .init(indexes([5..<9, 300..<301]), "NSIndexSet NSRangeCount:int NSRangeData:uid"),
    .init(
        NSMutableIndexSet(indexesIn: NSRange(location: 1, length: 1)),
        "NSMutableIndexSet NSLength:int NSLocation:int NSRangeCount:int"),
    .init(IndexPath() as NSIndexPath, "NSIndexPath NSIndexPathLength:int"),
    .init(NSIndexPath(index: 7), "NSIndexPath NSIndexPathLength:int NSIndexPathValue:int"),
    .init(IndexPath(indexes: [1, 300]) as NSIndexPath, "NSIndexPath NSIndexPathData:uid NSIndexPathLength:int"),
    .init(NSAttributedString(string: "a"), "NSAttributedString NSString:uid"),
    .init(runs([("a", ["F": "x"])]), "NSMutableAttributedString NSAttributes:uid NSString:uid"),
    .init(
        runs([("a", ["F": "x"]), ("b", [:])]),
        "NSMutableAttributedString NSAttributeInfo:uid NSAttributes:uid NSString:uid"),
    .init(CharacterSet(charactersIn: "ab") as NSCharacterSet, "NSCharacterSet NSBitmap:data"),
    .init(NSLocale(localeIdentifier: "de_AT"), "NSLocale NS.identifier:uid"),
    .init(NSTimeZone(name: "Europe/Vienna"), "NSTimeZone NS.data:uid NS.name:uid"),
    .init(
        NSCalendar(identifier: .gregorian),
        "NSCalendar NS.firstwkdy:int NS.identifier:uid NS.locale:uid NS.mindays:int NS.timezone:uid"),
    .init(
        dateParts(),
        "NSDateComponents NS.calendar:nil NS.day:int NS.era:int NS.hour:int NS.isLeapMonth:bool NS.minute:int NS.month:int NS.nanosec:int NS.quarter:int NS.second:int NS.timezone:uid NS.weekOfMonth:int NS.weekOfYear:int NS.weekday:int NS.weekdayOrdinal:int NS.year:int NS.yearForWOY:int"
    ),
    .init(
        NSError(domain: "d", code: 4, userInfo: ["why": "w"]), "NSError NSCode:int NSDomain:uid NSUserInfo:uid"),
    .init(NSError(domain: "d", code: 4), "NSError NSCode:int NSDomain:uid NSUserInfo:nil"),
    .init(try? NSRegularExpression(pattern: "a"), "NSRegularExpression NSOptions:int NSPattern:uid"),
    .init(
        firstMatch("a", "ba"),
        "NSSimpleRegularExpressionCheckingResult NSRangeArray:uid NSRangeLength:int NSRangeLocation:int NSRegularExpression:uid"
    ),
    .init(translation(), "NSAffineTransform NSTransformStruct:data"),
    .init(NSMeasurement(doubleValue: 4, unit: UnitLength.miles), "NSMeasurement NS.unit:uid NS.value:real8"),
    .init(UnitLength.miles, "NSUnitLength NS.converter:uid NS.symbol:uid"),
    .init(Unit(symbol: "u"), "NSUnit NS.symbol:uid"),
    .init(UnitFuelEfficiency.milesPerGallon, "NSUnitFuelEfficiency NS.converter:uid NS.symbol:uid"),
    .init(
        UnitConverterLinear(coefficient: 2, constant: 3), "NSUnitConverterLinear NS.coefficient:real8 NS.constant:real8"
    ),
]

/// The classes of Foundation, line by line: their records as Apple's archiver lays them out, and the objects back.
@Suite struct ClassLayoutTests {
    private static func kind(_ value: PlistValue) -> String {
        switch value {
        case .reference(let number): number == 0 ? "nil" : "uid"
        case .bool: "bool"
        case .integer, .unsigned: "int"
        case .float: "real4"
        case .double: "real8"
        case .date: "date"
        case .data: "data"
        case .string: "text"
        case .array(let values): "[uid \(values.count { $0.reference != nil })]"
        case .dictionary: "dictionary"
        }
    }

    /// How a record is laid out, in one line.
    private static func layout(of data: Data) throws -> String {
        let document = try CoderTests.document(data)
        let number = try #require(document.top["root"]?.reference)
        guard case .dictionary(let record) = document.objects[Int(number)] else {
            return kind(document.objects[Int(number)])
        }
        let type = try #require(record["$class"]?.reference)
        let name = try #require(document.objects[Int(type)].dictionary?["$classname"]?.string)
        let keys = record.entries.filter { $0.key != "$class" }.sorted { $0.key < $1.key }
        return ([name] + keys.map { "\($0.key):\(kind($0.value))" }).joined(separator: " ")
    }

    @Test(arguments: layoutLines)
    func recordIsLaidOutAsApples(line: LayoutLine) throws {
        #expect(try Self.layout(of: KeyedEncoder().encode(line.object)) == line.layout)
    }

    @Test(arguments: layoutLines, [KeyedFormat.binary, .xml])
    func objectComesBackOnce(line: LayoutLine, format: KeyedFormat) throws {
        var encoder = KeyedEncoder()
        encoder.format = format
        let data = try encoder.encode(NSArray(array: [line.object, line.object]))
        let back = try FoundationClassTests.permissive.decode(NSArray.self, from: data)
        let objects = FoundationStorage.objects(of: back)
        try #require(objects.count == 2)
        let isOne = objects[0] === objects[1]
        #expect(isOne)
        if line.layout == "real4", format == .xml { return }
        // What can be compared is equal; what can't is written again in the same way.
        let isEqual = FoundationClassTests.equal(objects[0], line.object)
        let again = try Self.layout(of: KeyedEncoder().encode(objects[0]))
        #expect(again == line.layout)
        #expect(isEqual || Self.isIncomparable(line.object), "\(objects[0]) \(line.object)")
    }

    /// Classes whose `isEqual` says nothing here of what they hold.
    private static func isIncomparable(_ object: NSObject) -> Bool {
        object is NSTextCheckingResult || object is NSAffineTransform || object is UnitConverter || object is Unit
            || object is NSCalendar || object is NSDateComponents
    }

    @Test func unitsAndResultsKeepWhatTheyHold() throws {
        func back<T: NSObject>(_ object: T) throws -> T {
            try FoundationClassTests.permissive.decode(T.self, from: KeyedEncoder().encode(object))
        }
        let mpg = try back(UnitFuelEfficiency.milesPerGallon)
        #expect(mpg.symbol == "mpg")
        #expect(
            mpg.converter.baseUnitValue(fromValue: 20)
                == UnitFuelEfficiency.milesPerGallon.converter.baseUnitValue(fromValue: 20))
        let fahrenheit = try back(UnitTemperature.fahrenheit)
        #expect(
            fahrenheit.converter.baseUnitValue(fromValue: 32)
                == UnitTemperature.fahrenheit.converter.baseUnitValue(fromValue: 32))
        let converter = try back(UnitConverterLinear(coefficient: 2, constant: 3))
        #expect(converter.coefficient == 2 && converter.constant == 3)
        let match = try #require(firstMatch("a(b)(c)?", "xab"))
        let again = try back(match)
        #expect((0..<3).map { again.range(at: $0) } == (0..<3).map { match.range(at: $0) })
        let parts = try back(dateParts())
        #expect(parts.year == 2024 && parts.nanosecond == 5 && parts.hour == NSDateComponentUndefined)
        #expect(parts.timeZone?.identifier == "Europe/Vienna" && parts.calendar == nil)
        #expect(try back(translation()).transformStruct.tY == 4)
    }

    @Test func attributesThatAreEqualAndNotTheSameStayApart() throws {
        let mark = Shape()
        // Foundation itself takes neighbours with equal attributes for one run: something stands between them.
        let text = runs([
            ("a", ["n": NSNumber(value: 1)]), ("-", [:]), ("b", ["n": NSNumber(value: true)]), ("-", [:]),
            ("c", ["l": mark]), ("-", [:]), ("d", ["l": Shape()]), ("-", [:]), ("e", ["l": mark]),
        ])
        let data = try KeyedEncoder().encode(text)
        let info = try #require(try CoderTests.document(data).objects.compactMap { $0.data }.first)
        #expect(Varints.numbers(info) == [1, 0, 1, 1, 1, 2, 1, 1, 1, 3, 1, 1, 1, 4, 1, 1, 1, 3])
        let back = try FoundationClassTests.permissive.decode(NSAttributedString.self, from: data)
        let numbers = [0, 2].map { unsafe back.attributes(at: $0, effectiveRange: nil)[NSAttributedString.Key("n")] }
        let kinds = numbers.compactMap { ($0 as? NSNumber).map { "\(FoundationNumber.value(of: $0))" } }
        #expect(kinds == ["integer(1)", "bool(true)"])
    }

    @Test func classesThatThisSystemLacksStayAsTheyWere() throws {
        // A table of weakly held objects, a colour, a predicate: none of them is a class here.
        let table = ArchivedObject(
            className: "NSHashTable",
            values: [("$0", .integer(5)), ("$1", .object("a" as NSString)), ("$2", .object(nil))])
        let colour = ArchivedObject(
            className: "NSColor", classChain: ["NSColor", "NSObject"],
            values: [("NSColorSpace", .integer(1)), ("NSRGB", .data(Data("0.5 0 1\0".utf8)))])
        for object in [table, colour] {
            let data = try KeyedEncoder().encode(object)
            var decoder = KeyedDecoder()
            decoder.unknownClasses = .kept
            let back = try #require(try decoder.decodeObject(ofClasses: [NSObject.self], from: data) as? ArchivedObject)
            #expect(back.className == object.className && back.classChain == object.classChain)
            #expect(back.values.map(\.key) == object.values.map(\.key))
            let again = try KeyedEncoder().encode(back)
            #expect(
                Canonical.describe(try KeyedDecoder().inspect(again))
                    == Canonical.describe(try KeyedDecoder().inspect(data)))
            #expect(again == data)
        }
    }
}
