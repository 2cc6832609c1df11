import AmberModel
import Foundation
import Testing

@testable import AmberKeyed

/// A value of each Foundation class that is coded here, and what must be equal about it.
struct Sample: @unchecked Sendable, CustomTestStringConvertible {
    var name: String
    var object: NSObject
    /// Whether Foundation's own archivers handle the class on this system.
    var foundationWrites = true
    var foundationReads = true
    var testDescription: String { name }
}

private func attributed(_ runs: [(String, [NSAttributedString.Key: Any])]) -> NSAttributedString {
    let string = NSMutableAttributedString(string: "")
    for (text, attributes) in runs { string.append(NSAttributedString(string: text, attributes: attributes)) }
    return string
}

private let key = NSAttributedString.Key("Font")

private func expression() -> NSObject {
    (try? NSRegularExpression(pattern: "a(b)?", options: .caseInsensitive)) ?? NSNull()
}

private func components() -> NSDateComponents {
    let components = NSDateComponents()
    components.year = 2024
    components.month = 2
    components.day = 29
    return components
}

enum Samples {
    static var all: [Sample] {
        let mutableIndexes = NSMutableIndexSet(indexesIn: NSRange(location: 2, length: 3))
        mutableIndexes.add(400)
        return [
            Sample(name: "string", object: "Grüße, 世界 🐝" as NSString),
            Sample(name: "empty string", object: "" as NSString),
            Sample(name: "mutable string", object: NSMutableString(string: "text")),
            Sample(name: "true", object: NSNumber(value: true)),
            Sample(name: "integer", object: NSNumber(value: -5)),
            Sample(name: "largest integer", object: NSNumber(value: Int64.max)),
            Sample(
                name: "unsigned", object: NSNumber(value: UInt64.max), foundationWrites: false, foundationReads: false),
            Sample(name: "float", object: NSNumber(value: Float(1.5))),
            Sample(name: "double", object: NSNumber(value: 0.1)),
            Sample(name: "infinity", object: NSNumber(value: -Double.infinity)),
            Sample(
                name: "decimal", object: NSDecimalNumber(string: "-12345678901234567890123456789.012345678"),
                foundationWrites: false, foundationReads: false),
            Sample(name: "zero", object: NSDecimalNumber.zero, foundationWrites: false, foundationReads: false),
            Sample(
                name: "no decimal", object: NSDecimalNumber.notANumber, foundationWrites: false, foundationReads: false),
            Sample(name: "data", object: Data([0, 1, 255]) as NSData),
            Sample(name: "mutable data", object: NSMutableData(data: Data([7]))),
            Sample(name: "date", object: NSDate(timeIntervalSinceReferenceDate: 0.123456789)),
            Sample(name: "null", object: NSNull()),
            Sample(name: "uuid", object: UUID() as NSUUID),
            Sample(name: "url", object: URL(string: "https://example.com/a?b#c")! as NSURL),
            Sample(name: "array", object: [1, "two", [3.0]] as NSArray),
            Sample(name: "empty array", object: NSArray()),
            Sample(name: "mutable array", object: NSMutableArray(array: [1, 2])),
            Sample(name: "dictionary", object: ["a": 1, "b": ["c": 2.5]] as NSDictionary),
            Sample(
                name: "dictionary of numbers",
                object: NSDictionary(objects: ["x", "y"], forKeys: [NSNumber(value: 1.5), NSNumber(value: 2)])),
            Sample(name: "mutable dictionary", object: NSMutableDictionary(dictionary: ["k": "v"])),
            Sample(name: "set", object: NSSet(array: [1, 2, 3])),
            Sample(name: "mutable set", object: NSMutableSet(array: ["a"])),
            Sample(name: "counted set", object: NSCountedSet(array: ["a", "a", "b"])),
            Sample(name: "ordered set", object: NSOrderedSet(array: [3, 1, 2])),
            Sample(name: "mutable ordered set", object: NSMutableOrderedSet(array: ["z", "a"])),
            Sample(name: "index set", object: NSIndexSet(indexesIn: NSRange(location: 5, length: 10))),
            Sample(name: "empty index set", object: NSIndexSet()),
            Sample(name: "mutable index set", object: mutableIndexes),
            Sample(name: "index path", object: IndexPath(indexes: [1, 300, 5]) as NSIndexPath),
            Sample(name: "short index path", object: NSIndexPath(index: 7)),
            Sample(name: "point", object: NSValue(point: NSPoint(x: 1, y: -2.5))),
            Sample(name: "size", object: NSValue(size: NSSize(width: 0.1, height: 3))),
            Sample(name: "rect", object: NSValue(rect: NSRect(x: 146.33333333333337, y: 2, width: 3, height: 4))),
            Sample(name: "range", object: NSValue(range: NSRange(location: 97345, length: 98345))),
            Sample(name: "insets", object: NSValue(edgeInsets: NSEdgeInsets(top: 1, left: 2, bottom: 3, right: 4))),
            Sample(name: "attributed", object: attributed([("a", [key: "x"]), ("bc", [:]), ("d", [key: "x"])])),
            Sample(
                name: "attributed, one run", object: NSAttributedString(string: "abc", attributes: [key: "x"]),
                foundationReads: false),
            Sample(name: "attributed, bare", object: NSAttributedString(string: "abc"), foundationReads: false),
            Sample(name: "characters", object: NSCharacterSet(charactersIn: "aeiou🐝"), foundationWrites: false),
            Sample(name: "locale", object: NSLocale(localeIdentifier: "de_AT")),
            Sample(name: "time zone", object: NSTimeZone(name: "Europe/Vienna")!),
            Sample(name: "date components", object: components()),
            Sample(
                name: "date interval",
                object: NSDateInterval(start: Date(timeIntervalSinceReferenceDate: 5), duration: 9),
                foundationReads: false),
            Sample(
                name: "error", object: NSError(domain: "d", code: -4, userInfo: ["why": "because"]),
                foundationWrites: false, foundationReads: false),
            Sample(name: "expression", object: expression()),
            Sample(name: "measurement", object: NSMeasurement(doubleValue: 4, unit: UnitLength.miles)),
        ]
    }
}

@Suite struct FoundationClassTests {
    static let permissive: KeyedDecoder = {
        var decoder = KeyedDecoder()
        decoder.requiresSecureCoding = false
        return decoder
    }()

    static func equal(_ left: Any?, _ right: NSObject) -> Bool {
        guard let left = left as? NSObject else { return false }
        if let left = left as? NSMeasurement, let right = right as? NSMeasurement {
            return left.doubleValue == right.doubleValue && left.unit.symbol == right.unit.symbol
        }
        if let left = left as? NSCharacterSet, let right = right as? NSCharacterSet {
            return left.bitmapRepresentation == right.bitmapRepresentation
        }
        if let left = left as? NSDateComponents, let right = right as? NSDateComponents {
            return left.year == right.year && left.day == right.day && left.hour == right.hour
        }
        if let left = left as? NSError, let right = right as? NSError {
            return left.domain == right.domain && left.code == right.code
                && left.userInfo["why"] as? String == right.userInfo["why"] as? String
        }
        if let left = left as? NSDateInterval, let right = right as? NSDateInterval {
            return left.startDate == right.startDate && left.duration == right.duration
        }
        if let left = left as? NSNumber, let right = right as? NSNumber {
            return left.isEqual(right)
                && (right is NSDecimalNumber
                    || "\(FoundationNumber.value(of: left))" == "\(FoundationNumber.value(of: right))")
        }
        return left.isEqual(right)
    }

    @Test(arguments: Samples.all, [KeyedFormat.binary, .xml])
    func objectSurvivesWithItsClass(sample: Sample, format: KeyedFormat) throws {
        var encoder = KeyedEncoder()
        encoder.format = format
        let data = try encoder.encode(NSArray(array: [sample.object, sample.object]))
        let back = try Self.permissive.decode(NSArray.self, from: data)
        let objects = FoundationStorage.objects(of: back)
        try #require(objects.count == 2)
        // XML spells reals without saying how wide they are.
        if sample.name == "float", format == .xml { return }
        #expect(Self.equal(objects[0], sample.object))
        let isShared = objects[0] === objects[1]
        #expect(isShared)
        // Values and character sets are of private classes of which there are several.
        if !(sample.object is NSValue) || sample.object is NSNumber, !(sample.object is NSCharacterSet) {
            #expect("\(type(of: objects[0]))" == "\(type(of: sample.object))")
        }
    }

    @Test(arguments: Samples.all)
    func objectSurvivesSecurely(sample: Sample) throws {
        let data = try KeyedEncoder().encode(sample.object)
        let allowed: [AnyClass] = [
            NSArray.self, NSDictionary.self, NSString.self, NSNumber.self, NSDate.self, NSURL.self, NSSet.self,
            type(of: sample.object), sample.object.classForCoder,
        ]
        let back = try KeyedDecoder().decodeObject(ofClasses: allowed, from: data)
        #expect(Self.equal(back, sample.object))
    }

    @Test(arguments: Samples.all.filter(\.foundationWrites))
    func foundationsArchiveReads(sample: Sample) throws {
        let data = try NSKeyedArchiver.archivedData(withRootObject: sample.object, requiringSecureCoding: false)
        let back = try Self.permissive.decodeObject(ofClasses: [], from: data)
        #expect(Self.equal(back, sample.object))
    }

    @Test(arguments: Samples.all.filter(\.foundationReads))
    func foundationReadsOurs(sample: Sample) throws {
        let data = try KeyedEncoder().encode(sample.object)
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: data)
        unarchiver.requiresSecureCoding = false
        let back = unarchiver.decodeObject(forKey: "root")
        #expect(Self.equal(back, sample.object), "\(String(describing: unarchiver.error))")
    }

    @Test func urlKeepsItsBase() throws {
        let url = NSURL(string: "c/d", relativeTo: URL(string: "e/", relativeTo: URL(string: "https://a.b/")!)!)!
        let back = try KeyedDecoder().decode(NSURL.self, from: KeyedEncoder().encode(url))
        #expect(back.relativeString == "c/d")
        #expect(back.baseURL?.absoluteString == "https://a.b/e/")
    }

    @Test func kindsOfEqualNumbersStayApart() throws {
        let numbers: NSArray = [
            NSNumber(value: true), NSNumber(value: 1), NSNumber(value: 1.0), NSNumber(value: Float(1)),
        ]
        let back = try KeyedDecoder().decode(NSArray.self, from: KeyedEncoder().encode(numbers))
        let kinds = FoundationStorage.objects(of: back).compactMap { ($0 as? NSNumber).map(FoundationNumber.value) }
        guard case .bool(true) = kinds[0], case .integer(1) = kinds[1], case .double(1) = kinds[2],
            case .float(1) = kinds[3]
        else {
            Issue.record("\(kinds)")
            return
        }
    }

    @Test func textThatLooksLikeNilIsText() throws {
        let back = try KeyedDecoder().decode([String].self, from: KeyedEncoder().encode(["$null", "x"]))
        #expect(back == ["$null", "x"])
    }

    @Test func textsOfOneMeaningAndTwoSpellingsStayTwo() throws {
        let both = ["\u{e9}", "e\u{301}"]
        let back = try KeyedDecoder().decode([String].self, from: KeyedEncoder().encode(both))
        #expect(back.map { Array($0.utf8) } == both.map { Array($0.utf8) })
    }

    @Test func affineTransformIsWrittenAsApples() throws {
        let transform = NSAffineTransform()
        transform.translateX(by: 3, yBy: 4)
        let data = try KeyedEncoder().encode(transform)
        let back = try KeyedDecoder().decode(NSAffineTransform.self, from: data)
        #expect(back.transformStruct.tX == 3)
        let document = try ArchiveDocument(Plist.read(data, limits: DecodingLimits()), archivers: ["NSKeyedArchiver"])
        #expect(document.objects[1].dictionary?["NSTransformStruct"]?.data?.count == 24)
    }

    @Test func calendarKeepsItsSettings() throws {
        let calendar = NSCalendar(identifier: .gregorian)!
        calendar.firstWeekday = 2
        calendar.timeZone = TimeZone(identifier: "Europe/Vienna")!
        let back = try KeyedDecoder().decode(NSCalendar.self, from: KeyedEncoder().encode(calendar))
        #expect(back.firstWeekday == 2)
        #expect(back.timeZone.identifier == "Europe/Vienna")
    }

    @Test func searchResultAndNotificationSurvive() throws {
        let expression = try NSRegularExpression(pattern: "a(b)")
        let result = try #require(expression.firstMatch(in: "xab", range: NSRange(location: 0, length: 3)))
        let back = try Self.permissive.decode(NSTextCheckingResult.self, from: KeyedEncoder().encode(result))
        #expect(back.numberOfRanges == 2 && back.range(at: 1) == NSRange(location: 2, length: 1))
        var encoder = KeyedEncoder()
        encoder.requiresSecureCoding = false
        let notification = NSNotification(name: Notification.Name("n"), object: "o", userInfo: ["k": 1])
        let copy = try Self.permissive.decode(NSNotification.self, from: encoder.encode(notification))
        #expect(copy.name.rawValue == "n" && copy.object as? String == "o" && copy.userInfo?["k"] as? Int == 1)
    }
}
