import AmberModel
import Foundation
import Testing

@testable import AmberKeyed

/// What can't be read or written whole is an error: nothing becomes null, shorter or rounded without a word.
@Suite struct NoSilentLossTests {
    @Test func codableValueThatIsTooDeepIsAnError() throws {
        var object: NSObject = NSNull()
        for _ in 0..<ArchivingCoder.depthLimit + 5 { object = NSArray(object: object) }
        #expect(throws: KeyedFailure(.limitExceeded, "")) { _ = try CodableValues.value(of: object) }
        var shallow: NSObject = "end" as NSString
        for _ in 0..<20 { shallow = NSArray(object: shallow) }
        #expect("\(try CodableValues.value(of: shallow))".contains("end"))
    }

    @Test func objectThatIsNoCodableValueIsAnError() throws {
        #expect(throws: KeyedFailure(.typeMismatch, "")) { _ = try CodableValues.value(of: Shape()) }
        #expect(throws: KeyedFailure(.typeMismatch, "")) {
            _ = try CodableValues.value(of: NSDictionary(object: "v", forKey: NSNumber(value: 1)))
        }
        guard case .null = try CodableValues.value(of: nil), case .null = try CodableValues.value(of: NSNull()),
            case .array(let set) = try CodableValues.value(of: NSSet(array: [1]))
        else {
            Issue.record("Nil is null, and a set is a list.")
            return
        }
        #expect(set.count == 1)
    }

    @Test func numberedElementThatIsMissingIsAnError() throws {
        func archive(_ name: String, _ pairs: KeyValuePairs<String, PlistValue>) -> Data {
            var record = PlistDictionary(pairs)
            record.entries.append(.init(key: "$class", value: .reference(2)))
            return HostileTests.archive([.dictionary(record), HostileTests.record(name), .string("a")])
        }
        let gap = archive("NSArray", ["NS.object.0": .reference(3), "NS.object.2": .reference(3)])
        #expect(throws: DecodingFailure(.corrupt, "")) { _ = try KeyedDecoder().decode(NSArray.self, from: gap) }
        #expect(throws: DecodingFailure(.corrupt, "")) { _ = try KeyedDecoder().decode([String].self, from: gap) }
        let count = archive(
            "NSCountedSet", ["NS.count": .integer(2), "NS.object0": .reference(3), "NS.count0": .integer(1)])
        #expect(throws: DecodingFailure(.corrupt, "")) {
            _ = try KeyedDecoder().decode(NSCountedSet.self, from: count, allowing: [NSString.self])
        }
    }

    @Test func dateThatXMLCantHoldIsAnError() throws {
        func plist(_ seconds: Double) throws -> Double? {
            let data = try XMLPlistWriter.data(for: .array([.date(seconds)]))
            guard case .date(let back)? = try Plist.read(data, limits: DecodingLimits()).array?.first else {
                return nil
            }
            return back
        }
        for seconds in [0, -63_113_904_000.0, 252_423_993_599, 700_000_001, -1] {
            #expect(try plist(seconds) == seconds)
        }
        for seconds in [0.5, -1e15, 1e300, 252_423_993_600, .nan, .infinity] {
            #expect(throws: KeyedFailure(.unsupportedType, "")) { _ = try plist(seconds) }
        }
    }

    @Test func tupleOfAnotherLengthIsAnError() throws {
        let encoder = KeyedEncoder()
        let pair = try encoder.encode([1, 2] as NSArray)
        #expect(try KeyedDecoder().decode((Int, Int).self, from: pair) == (1, 2))
        for list in [[1], [1, 2, 3]] {
            let data = try encoder.encode(list as NSArray)
            #expect(throws: DecodingFailure(.typeMismatch, "")) {
                _ = try KeyedDecoder().decode((Int, Int).self, from: data)
            }
        }
    }

    @Test func arrayOfCNumbersHasApplesName() throws {
        let coder = ArchivingCoder()
        unsafe coder.encodeArray(ofObjCType: "i", count: 2, at: [1, 2] as [Int32])
        let document = try CoderTests.document(coder.archive())
        #expect(document.objects.contains { $0.dictionary?["$classname"]?.string == "_NSKeyedCoderOldStyleArray" })
    }
}
