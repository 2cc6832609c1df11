// Room:   Tests of AmberReadable. Foundation's reference types in documents: their class, mutability, identity, kind of number.
// Takes:  objects in properties, in Any, as roots. Gives: documents of all forms; the same objects.
// Touches: nothing.

import AmberModel
import AmberReadable
import Foundation
import Testing

/// Properties of Foundation's classes.
private final class Shelf: Model {
    var text: NSString = ""
    var draft: NSMutableString = NSMutableString(string: "")
    var number: NSNumber = 0
    var exact: NSDecimalNumber?
    var date: NSDate?
    var data: NSData?
    var buffer: NSMutableData?
    var url: NSURL?
    var uuid: NSUUID?
    var list: NSArray?
    var items: NSMutableArray?
    var map: NSDictionary?
    var table: NSMutableDictionary?
    var set: NSSet?
    var ordered: NSOrderedSet?
    var counted: NSCountedSet?
    var indexes: NSIndexSet?
    var path: NSIndexPath?
    var value: NSValue?
    var error: NSError?
    var styled: NSAttributedString?
    var anything: Any?
    var object: NSObject?
    var reference: AnyObject?
    var many: [Any] = []
    var keyed: [AnyHashable: NSMutableArray] = [:]
    static var rules: ModelRules { ModelRules(name: "Shelf") }
}

private final class Pair: Model {
    var first: Any?
    var second: Any?
    var list: NSArray?
    static var rules: ModelRules { ModelRules(name: "ForeignPair") }
}

/// The C type of a number.
private func code(_ number: NSNumber) -> String { unsafe String(cString: number.objCType) }

/// What collections really hold: away from Apple's systems they give out copies.
private func entry(_ map: NSDictionary?, _ key: NSObject) -> AnyObject? {
    guard let map else { return nil }
    let pairs = FoundationStorage.pairs(of: map)
    return zip(pairs.keys, pairs.values).first { ($0.0 as? NSObject) == key }?.1
}

private func element(_ list: NSArray?, _ index: Int) -> AnyObject? {
    let objects = list.map { FoundationStorage.objects(of: $0) } ?? []
    return index < objects.count ? FoundationStorage.unboxed(objects[index]) as AnyObject : nil
}

@Suite struct ReadableFoundationTests {
    /// A value through every form of documents.
    private func trips<T>(_ value: T, _ options: ReadableEncodingOptions = .init()) throws -> [T] {
        let encoder = ReadableEncoder(options: options)
        let decoder = ReadableDecoder()
        var all = try ReadableFormat.allCases.map { try decoder.decode(T.self, from: encoder.encode(value, as: $0)) }
        all.append(try decoder.decode(T.self, from: encoder.encodeTree(value)))
        all.append(try decoder.decode(T.self, fromObject: encoder.encodePropertyList(value)))
        all.append(try decoder.decode(T.self, fromObject: encoder.encodeJSONObject(value)))
        return all
    }

    private func text<T>(_ value: T) throws -> String {
        try ReadableEncoder(options: .init(isPretty: false)).encodeText(value)
    }

    @Test func propertiesOfEveryClassComeBack() throws {
        let shelf = Shelf()
        shelf.text = "t"
        shelf.draft = NSMutableString(string: "d")
        shelf.number = NSNumber(value: true)
        shelf.exact = NSDecimalNumber(string: "0.1234567890123456789")
        shelf.date = NSDate(timeIntervalSinceReferenceDate: 542_911_754.165_382_98)
        shelf.data = NSData(data: Data([1, 2]))
        shelf.buffer = NSMutableData(data: Data([3]))
        shelf.url = NSURL(string: "c", relativeTo: URL(string: "https://a.b/"))
        shelf.uuid = NSUUID(uuidString: "00000000-0000-4000-8000-000000000001")
        shelf.list = [1, "x", NSNull(), NSDate(timeIntervalSinceReferenceDate: 1)]
        shelf.items = NSMutableArray(array: [NSMutableString(string: "m"), 1.5])
        shelf.map = ["a": 1, "$b": [2] as NSArray, "c.d": NSMutableArray()]
        shelf.table = NSMutableDictionary(dictionary: [NSNumber(value: 1): "one", "k": NSNumber(value: Float(1.1))])
        shelf.set = NSSet(array: ["b", "a"])
        shelf.ordered = NSOrderedSet(array: [3, 1, 2])
        let counted = NSCountedSet()
        for _ in 0..<3 { counted.add("n") }
        shelf.counted = counted
        shelf.indexes = NSIndexSet(indexesIn: NSRange(location: 3, length: 4))
        shelf.path = NSIndexPath(index: 7)
        shelf.value = NSValue(point: NSPoint(x: 1, y: 2.5))
        shelf.error = NSError(domain: "D", code: 4, userInfo: ["k": "v"])
        let styled = NSMutableAttributedString(string: "ab")
        styled.addAttribute(NSAttributedString.Key("c"), value: "red", range: NSRange(location: 1, length: 1))
        shelf.styled = styled
        for back in try trips(shelf) {
            #expect(back.text == "t" && back.draft == "d" && back.exact == shelf.exact)
            #expect(type(of: back.draft) == NSMutableString.self)
            #expect(type(of: back.number) == type(of: NSNumber(value: true)) && back.number == true)
            #expect(
                back.date?.timeIntervalSinceReferenceDate.bitPattern
                    == shelf.date?.timeIntervalSinceReferenceDate.bitPattern)
            #expect(back.data == shelf.data && back.buffer == shelf.buffer)
            #expect(back.buffer.map { type(of: $0) == NSMutableData.self } == true)
            #expect(back.url?.relativeString == "c" && back.url?.baseURL?.absoluteString == "https://a.b/")
            #expect(back.uuid == shelf.uuid && back.list == shelf.list)
            #expect(back.items?.count == 2 && element(back.items, 0) is NSMutableString)
            #expect(
                back.map == shelf.map && entry(back.map, "c.d" as NSString) is NSMutableArray
                    && !(entry(back.map, "$b" as NSString) is NSMutableArray))
            let float = entry(back.table, "k" as NSString) as? NSNumber
            #expect(float?.floatValue == 1.1 && float.map { code($0) } == "f")
            #expect(entry(back.table, NSNumber(value: 1)) as? String == "one")
            #expect(back.set == shelf.set && back.ordered == shelf.ordered && back.counted?.count(for: "n") == 3)
            #expect(back.indexes == shelf.indexes && back.path == shelf.path && back.value == shelf.value)
            #expect(back.error?.domain == "D" && back.error?.code == 4 && back.error?.userInfo["k"] as? String == "v")
            #expect(back.styled?.string == "ab")
            #expect(back.styled.map { type(of: $0) == NSMutableAttributedString.self } == true)
            let colour = unsafe back.styled?.attribute(NSAttributedString.Key("c"), at: 1, effectiveRange: nil)
            #expect(colour as? String == "red")
        }
    }

    @Test func theClassOfAPlaceIsNotWritten() throws {
        let shelf = Shelf()
        shelf.items = [1, "x"]
        shelf.list = shelf.items
        shelf.date = NSDate(timeIntervalSinceReferenceDate: 0)
        shelf.url = NSURL(string: "a:b")
        shelf.uuid = nil
        let written = try text(shelf)
        #expect(written.contains(#""list":{"$class":"NSMutableArray","$value":[1,"x"]},"items":{"$alias":"list"}"#))
        #expect(written.contains(#""date":"2001-01-01T00:00:00Z""#) && written.contains(#""url":"a:b""#))
        for back in try trips(shelf) { #expect(back.list === back.items && back.items?.count == 2) }
    }

    @Test func anythingKeepsClassAndIdentity() throws {
        let pair = Pair()
        let shared = NSMutableArray(array: [1])
        pair.first = shared
        pair.second = [shared, "s" as NSString, NSNumber(value: 2.0)] as [Any]
        pair.list = [shared]
        #expect(
            try text(pair)
                == #"{"$class":"ForeignPair","first":{"$class":"NSMutableArray","$value":[1]},"second":[{"$alias":"first"},"s",2.0],"list":[{"$alias":"first"}]}"#
        )
        for back in try trips(pair) {
            let first = try #require(back.first as? NSMutableArray)
            let second = try #require(back.second as? [Any])
            #expect(second[0] as AnyObject === first && second[1] as? String == "s")
            #expect(element(back.list, 0) === first && second[2] as? Double == 2)
        }
    }

    @Test func aliasesToUnmarkedObjectsNameTheClass() throws {
        let shelf = Shelf()
        shelf.list = [1]
        shelf.anything = shelf.list
        shelf.object = shelf.list
        let written = try text(shelf)
        #expect(written.contains(#""list":[1]"#))
        #expect(written.contains(#""anything":{"$class":"NSArray","$alias":"list"}"#))
        for back in try trips(shelf) {
            #expect(back.anything as AnyObject === back.list && back.object === back.list && back.list == [1])
        }
    }

    @Test func collectionsThatHoldThemselves() throws {
        let ring = NSMutableArray()
        let map = NSMutableDictionary()
        ring.add(map)
        map.setObject(ring, forKey: "ring" as NSString)
        defer { ring.removeAllObjects() }
        let backs = try trips(ring)
        for back in backs {
            let inner = try #require(element(back, 0) as? NSMutableDictionary)
            #expect(entry(inner, "ring" as NSString) === back)
            back.removeAllObjects()
        }
        #expect(throws: EncodingFailure(.cycle, "")) {
            try ReadableEncoder(options: .init(usesAliases: false)).encode(ring)
        }
    }

    @Test func rootsAndElements() throws {
        #expect(try text(NSArray(array: [1, "a"])) == #"[1,"a"]"#)
        #expect(try text(NSDictionary(dictionary: ["k": 1])) == #"{"k":1}"#)
        #expect(try text(NSDate(timeIntervalSinceReferenceDate: 0)) == #""2001-01-01T00:00:00Z""#)
        for back in try trips(NSMutableDictionary(dictionary: ["k": NSMutableArray()])) {
            #expect(type(of: back) == NSMutableDictionary.self && entry(back, "k" as NSString) is NSMutableArray)
        }
        for back in try trips([NSMutableString(string: "a"), "b"] as [NSString]) {
            #expect(back == ["a", "b"] && back[0] is NSMutableString && !(back[1] is NSMutableString))
        }
        for back in try trips(["k": NSNumber(value: 5)]) { #expect(back["k"] == 5) }
        for back in try trips(NSMutableArray() as Any) { #expect(back is NSMutableArray) }
        for back in try trips(Set([NSNumber(value: 1), NSNumber(value: 2.5)])) { #expect(back == [1, 2.5]) }
        for back in try trips(Set([NSArray(array: [1])])) { #expect(back == [[1]]) }
    }

    @Test func numbersKeepTheirKind() throws {
        let numbers: [NSNumber] = [
            NSNumber(value: true), 1, NSNumber(value: 1.0), NSNumber(value: Float(1)), false, 0, NSNumber(value: 0.0),
            NSNumber(value: UInt64.max), NSNumber(value: Int64.min), NSNumber(value: -0.0),
            NSNumber(value: Double.leastNonzeroMagnitude),
            NSDecimalNumber(string: "1.10"),
        ]
        func kind(_ number: NSNumber) -> String {
            number is NSDecimalNumber
                ? "decimal" : "\(type(of: number)) \(code(number)) \(number.stringValue)"
        }
        let expected = numbers.map(kind)
        for back in try trips(numbers) { #expect(back.map(kind) == expected) }
        for back in try trips(NSArray(array: numbers)) {
            #expect(FoundationStorage.objects(of: back).compactMap { $0 as? NSNumber }.map(kind) == expected)
        }
    }

    @Test func modelsInFoundationsCollections() throws {
        let shelf = Shelf()
        let pair = Pair()
        shelf.items = [pair, pair]
        shelf.anything = pair
        pair.first = shelf
        pair.second = shelf.items
        for back in try trips(shelf) {
            let inner = try #require(back.anything as? Pair)
            #expect(element(back.items, 0) === inner && inner.first as AnyObject === back)
            #expect(inner.second as AnyObject === back.items)
            back.items?.removeAllObjects()
            inner.first = nil
        }
        shelf.items?.removeAllObjects()
        pair.first = nil
    }

    @Test func deepCollectionsStandInTheListOfObjects() throws {
        let root = NSMutableArray()
        var last = root
        for _ in 0..<500 {
            let next = NSMutableArray()
            last.add(next)
            last = next
        }
        for back in try trips(root) {
            var depth = 0
            var next: NSMutableArray? = back
            while let current = next {
                next = element(current, 0) as? NSMutableArray
                depth += 1
            }
            #expect(depth == 501)
        }
    }

    @Test func writtenByHand() throws {
        let decoder = ReadableDecoder()
        let shelf = try decoder.decode(
            Shelf.self,
            from: #"""
                {"date": "2001-01-01", "items": ["a"], "table": {"$pairs": [[1, "one"]]}, "exact": 1.5, "data": "AAEC", "set": [1, 1],
                 "url": "https://x.y", "draft": "d", "number": 1, "object": ["o"], "reference": {"$class": "NSMutableSet", "$value": [1]},
                 "anything": {"$class": "NSMutableDictionary", "$value": {"a": null}}, "indexes": {"$class": "NSMutableIndexSet", "$value": [1, 2]},
                 "error": {"domain": "D", "code": 1, "userInfo": {"a": "b"}}}
                """#)
        #expect(
            shelf.items?.count == 1 && entry(shelf.table, NSNumber(value: 1)) as? String == "one" && shelf.draft == "d")
        #expect(shelf.exact == 1.5 && shelf.data?.length == 3 && shelf.set?.count == 1 && shelf.url?.host == "x.y")
        #expect(shelf.object is NSArray && shelf.reference is NSMutableSet)
        #expect(entry(shelf.anything as? NSMutableDictionary, "a" as NSString) is NSNull)
        #expect(shelf.error?.userInfo["a"] as? String == "b" && shelf.indexes is NSMutableIndexSet)
    }

    @Test(arguments: [
        (#"{"items": 5}"#, "items", DecodingFailure.Code.typeMismatch),
        (#"{"items": {"a": 1}}"#, "items", .typeMismatch),
        (#"{"table": []}"#, "table", .typeMismatch),
        (#"{"number": "x"}"#, "number", .typeMismatch),
        (#"{"list": {"$class": "NSDictionary", "$value": {}}}"#, "list", .refusedType),
        (#"{"items": {"$class": "NSArray", "$value": []}}"#, "items", .refusedType),
        (#"{"items": [{"$class": "NSMutableArray", "$value": 5}]}"#, "items[0]", .typeMismatch),
        (#"{"url": {"$class": "Gone.Link"}}"#, "url", .unknownType),
        (#"{"error": {"domain": 5}}"#, "error", .typeMismatch),
        (
            #"{"counted": {"$class": "NSCountedSet", "elements": ["a"], "counts": [99999999]}}"#, "counted",
            .limitExceeded
        ),
        (#"{"set": {"$class": "NSSet", "$value": {"$alias": "set"}}}"#, "set", .typeMismatch),
        (#"{"list": [{"$alias": "list"}]}"#, "list", .unfinishedObject),
    ])
    func mistakesAreErrorsWithTheirPlace(_ text: String, _ path: String, _ code: DecodingFailure.Code) throws {
        let failure = #expect(throws: DecodingFailure.self) { try ReadableDecoder().decode(Shelf.self, from: text) }
        #expect(failure?.code == code && failure?.position != nil, "\(String(describing: failure))")
        #expect(failure?.path.description.contains(path) == true, "\(String(describing: failure))")
    }
}
