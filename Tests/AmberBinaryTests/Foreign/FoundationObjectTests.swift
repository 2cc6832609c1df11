// Foundation's reference types in binary archives: kinds, mutability and identity are those that were encoded.

import AmberBinary
import AmberModel
import AmberTestSupport
import Foundation
import Testing

private final class FoundationHolder: Model {
    var number: NSNumber = 0
    var text: NSString = ""
    var mutableText = NSMutableString(string: "")
    var array: NSArray = []
    var list = NSMutableArray()
    var table: NSDictionary = [:]
    var optional: NSString?
    var set: NSSet?
    var many: [NSNumber] = []
    var anything: Any = 0
    var byName: [String: Any] = [:]
    var keyed: [NSString: NSObject] = [:]
    var choice = FoundationChoice.none
    init() {}
}

private enum FoundationChoice {
    case none
    case text(NSString)
    case pair(NSNumber, Any)
    indirect case deep(NSDate)
}

private final class FoundationPlace: Model, Hashable {
    let name: NSString
    var others: Set<FoundationPlace> = []
    init(_ name: NSString) { self.name = name }
    static func == (left: FoundationPlace, right: FoundationPlace) -> Bool { left.name == right.name }
    func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

@Suite struct FoundationObjectTests {
    /// One object of each class that is archived, with what it must come back as.
    static var objects: [NSObject] {
        let attributed = NSMutableAttributedString(string: "amber resin")
        attributed.addAttribute(
            NSAttributedString.Key("colour"), value: "gold" as NSString, range: NSRange(location: 0, length: 5))
        let indexes = NSMutableIndexSet(index: 3)
        indexes.add(in: NSRange(location: 7, length: 4))
        let counted = NSCountedSet(array: ["a", "b"])
        counted.add("a")
        let components = NSDateComponents()
        (components.year, components.month) = (2020, 7)
        return [
            NSNumber(value: true), NSNumber(value: 0), NSNumber(value: 1.0), NSNumber(value: Float(1.1)),
            NSNumber(value: UInt64.max), NSNumber(value: Int64.min), NSDecimalNumber(string: "0.123456789012345678901"),
            NSString(string: ""), NSMutableString(string: "text"), NSData(data: Data([1, 2, 3])),
            NSMutableData(data: Data([4])), NSDate(timeIntervalSinceReferenceDate: 542_911_754.16538298),
            NSNull(), NSUUID(), NSURL(string: "https://example.com/a?b=c")!,
            NSURL(string: "a/b", relativeTo: URL(string: "https://example.com"))!,
            NSArray(array: [1, "a", NSNull()]), NSMutableArray(array: [1.5]), NSArray(),
            NSDictionary(dictionary: ["a": 1, "b": [2, 3]]), NSMutableDictionary(dictionary: [1: "x"]),
            NSSet(array: ["a", 2]), NSMutableSet(array: [1]), counted,
            NSOrderedSet(array: [3, 1, 2]), NSMutableOrderedSet(array: ["z", "y"]),
            NSIndexSet(indexesIn: NSRange(location: 2, length: 5)), indexes,
            IndexPath(indexes: [1, 2, 3]) as NSIndexPath,
            NSValue(range: NSRange(location: 4, length: 9)), NSValue(point: NSPoint(x: 1, y: 2.5)),
            NSValue(size: NSSize(width: 3, height: 4)), NSValue(rect: NSRect(x: 1, y: 2, width: 3, height: 4)),
            NSAttributedString(attributedString: attributed), attributed,
            NSCharacterSet(charactersIn: "abc"), NSTimeZone(name: "Europe/Berlin")!,
            NSLocale(localeIdentifier: "de_DE"),
            NSCalendar(identifier: .gregorian)!, components,
            NSDateInterval(start: Date(timeIntervalSince1970: 0), duration: 60),
            NSError(domain: "test", code: 7, userInfo: ["reason": "none", "depth": 3]),
            (try? NSRegularExpression(pattern: "a+b", options: [.caseInsensitive])) ?? NSNull(),
        ]
    }

    @Test(arguments: objects.indices) func objectsComeBackAsTheirKind(_ index: Int) throws {
        let object = Self.objects[index]
        for options in everyForm {
            let back = try roundTrip(object as Any, options)
            let found = try #require(back as? NSObject)
            #expect(ObjectIdentifier(found.classForCoder) == ObjectIdentifier(object.classForCoder))
            #expect(type(of: back) == type(of: object as Any))
            #expect(same(found, object), "\(object) came back as \(found)")
            let holder = FoundationHolder()
            (holder.anything, holder.keyed) = (object, ["key": object])
            let copy = try roundTrip(holder, options)
            #expect((copy.anything as? NSObject).map { same($0, object) } == true)
            #expect(copy.keyed["key"] === copy.anything as AnyObject)
        }
    }

    private func same(_ left: NSObject, _ right: NSObject) -> Bool {
        if let left = left as? NSDateInterval, let right = right as? NSDateInterval {
            return left.isEqual(to: right as DateInterval)
        }
        return left.isEqual(right)
    }

    @Test func numbersKeepTheirKind() throws {
        let numbers: [NSNumber] = [true, 1, 1.0, false, 0, 0.0, NSNumber(value: Float(1)), NSNumber(value: UInt64.max)]
        let back = try roundTrip(numbers)
        let kinds = { (numbers: [NSNumber]) in
            numbers.map { "\(type(of: $0)) \(unsafe String(cString: $0.objCType)) \($0)" }
        }
        #expect(kinds(back) == kinds(numbers))
        let array = try roundTrip(NSArray(array: numbers))
        #expect(kinds(array.map { $0 as! NSNumber }) == kinds(numbers))
    }

    @Test func propertiesKeepMutabilityAndIdentity() throws {
        let holder = FoundationHolder()
        let shared = NSMutableString(string: "shared")
        holder.number = 5.5
        (holder.text, holder.mutableText) = (shared, shared)
        holder.array = [shared, shared, holder]
        holder.list.add(shared)
        holder.list.add(holder.list)
        holder.table = ["a": shared, "list": holder.list]
        (holder.optional, holder.set) = (shared, NSSet(array: [1, 2]))
        holder.many = [1, true, 2.5]
        (holder.anything, holder.byName) = ([shared] as [Any], ["x": shared, "n": NSNumber(value: false)])
        holder.choice = .pair(true, shared)
        for options in everyForm {
            let back = try roundTrip(holder, options)
            let text = back.mutableText
            #expect(back.text === text)
            #expect(back.array.count == 3)
            text.append("!")
            #expect(back.array[0] as? String == "shared!")
            #expect(back.array[2] as AnyObject === back)
            #expect(back.list.count == 2)
            #expect(unboxedElement(back.list, 1) === back.list)
            let values = FoundationStorage.pairs(of: back.table).values
            #expect(values.contains { $0 === back.list })
            #expect(back.optional === text)
            #expect(back.set?.isEqual(NSSet(array: [1, 2])) == true)
            #expect(back.many == [1, true, 2.5])
            #expect((back.anything as? [Any])?.first as AnyObject === text)
            #expect(back.byName["x"] as AnyObject === text)
            #expect(
                String(describing: type(of: back.byName["n"]!)) == String(describing: type(of: NSNumber(value: false))))
            guard case .pair(let number, let any) = back.choice else {
                Issue.record("another case")
                continue
            }
            #expect(number == true)
            #expect(any as AnyObject === text)
        }
    }

    /// Foundation converts what it hands out; the very element.
    private func unboxedElement(_ array: AnyObject, _ index: Int) -> AnyObject? {
        (array as? NSArray).map { FoundationStorage.objects(of: $0)[index] }
    }

    @Test func setsOfModelsHashTheirFoundationProperties() throws {
        let places = Set((0..<20).map { FoundationPlace("place \($0)" as NSString) })
        for place in places { place.others = places }
        for options in everyForm {
            let back = try roundTrip(places, options)
            #expect(back == places)
            for place in back { #expect(place.others.contains(place) && place.others.count == 20) }
        }
    }

    @Test func rootsAndOptionalsOfFoundationTypes() throws {
        #expect(try roundTrip("amber" as NSString) == "amber")
        #expect(try roundTrip(nil as NSString?) == nil)
        #expect(try roundTrip([nil, "x"] as [NSString?]) == [nil, "x"])
        #expect(try roundTrip([nil, .some(nil), "x"] as [NSString??]) == [nil, .some(nil), "x"])
        let cases = try roundTrip([FoundationChoice.text("a"), .deep(NSDate(timeIntervalSince1970: 1)), .none])
        guard case .text(let text) = cases[0], case .deep(let date) = cases[1] else {
            Issue.record("other cases")
            return
        }
        #expect(text == "a" && date == NSDate(timeIntervalSince1970: 1))
    }

    @Test func manyObjectsAreColumns() throws {
        let array = NSArray(array: (0..<1000).map { NSNumber(value: $0) })
        let data = try BinaryEncoder().encode(array)
        #expect(data.count < 4000)
        #expect(try BinaryDecoder().decode(NSArray.self, from: data) == array)
    }

    @Test func equalGraphsGiveEqualBytes() throws {
        let options = BinaryEncodingOptions(isDeterministic: true)
        let keys = (0..<50).map { "key \($0)" }
        let one = NSMutableDictionary()
        let two = NSMutableDictionary()
        for key in keys { one[key] = key }
        for key in keys.reversed() { two[key] = key }
        #expect(try BinaryEncoder(options: options).encode(one) == BinaryEncoder(options: options).encode(two))
    }

    @Test func otherPlacesForObjectsAreErrors() throws {
        let data = try BinaryEncoder().encode(NSMutableArray() as Any)
        #expect(decodingFailure { try BinaryDecoder().decode(NSString.self, from: data) }?.code == .refusedType)
        #expect(decodingFailure { try BinaryDecoder().decode(String.self, from: data) } != nil)
        #expect(encodingFailure { try BinaryEncoder().encode(NSObject() as Any) }?.code == .unsupportedType)
    }

    @Test func changedBytesAreErrorsOrObjects() throws {
        let holder = FoundationHolder()
        holder.list = NSMutableArray(array: [1, "a", NSDate()])
        holder.list.add(holder.list)
        holder.table = ["a": holder.list, "set": NSCountedSet(array: [1, 1, "b"]), "value": NSValue(range: NSRange())]
        (holder.anything, holder.choice) = (NSSet(array: [NSArray(array: [1]), NSArray(array: [2])]), .text("x"))
        let data = try BinaryEncoder().encode(holder)
        forEachPrefix(of: data) { part in
            #expect(decodingFailure { try BinaryDecoder().decode(FoundationHolder.self, from: part) } != nil)
        }
        forEachFlippedBit(of: data) { _ = try? BinaryDecoder().decode(FoundationHolder.self, from: $0) }
        var random = SeededGenerator(seed: 20_261_130)
        for _ in 0..<2000 {
            _ = try? BinaryDecoder().decode(FoundationHolder.self, from: random.damage(data))
        }
    }
}
