// Room:   AmberReadableTests. The same values in every form of documents; documents of the older coder.
// Takes:  random kinds; the archives of other programs, where they are at hand. Gives: the same values back.
// Touches: files outside of the package, read only.

import AmberModel
import AmberReadable
import AmberTestSupport
import Foundation
import Testing

private struct Everything: Model {
    var flag: Bool
    var number: Int
    var big: UInt64
    var wide: UInt128
    var float: Float
    var double: Double
    var text: String
    var data: Data
    var date: Date
    var decimal: Decimal
    var maybe: String?
    var nested: Int??
    var list: [Double?]
    var map: [String: Date]
    var any: Any
    var anys: [String: Any]
}

private final class TodoList: Model {
    var items: [TodoItem] = []
}
private final class TodoItem: Model {
    var label: String?
    var checked = false
    var priority = 0
}
private final class OldModel: Model {
    var i = 0
    var i64: Int64 = 0
    var f: Float = 0
    var d = 0.0
    var b = false
    var bytes: Data?
    var text2: String?
    var array1: [Any]?
    var array2: [Any]?
    var other: OldModel?
    static var rules: ModelRules { ModelRules(name: "Model") }
}

@Suite struct FormTests {
    private func everything(_ generator: inout SeededGenerator) -> Everything {
        func date() -> Date {
            Date(timeIntervalSinceReferenceDate: Double(generator.below(1 << 30)) + generator.double().finite)
        }
        return Everything(
            flag: generator.oneIn(2), number: generator.integer(Int.self), big: generator.integer(UInt64.self),
            wide: generator.integer(UInt128.self), float: Float(generator.below(1000)) / 7,
            double: generator.double().finite,
            text: generator.text() + "\u{0}\u{1}<&>\r\n", data: Data(generator.text().utf8), date: date(),
            decimal: Decimal(generator.integer(Int64.self)) / 1000, maybe: generator.oneIn(2) ? nil : generator.text(),
            nested: generator.oneIn(2) ? .some(nil) : .some(3), list: [nil, generator.double().finite],
            map: [generator.text(): date(), "$x": date()], any: date(),
            anys: [
                "a": true, "b": 1, "c": 1.0, "d": generator.text(), "e": Data([1]), "f": [1, "x", Float(0.5)] as [Any],
            ])
    }

    @Test(arguments: ReadableFormat.allCases) func everyFormKeepsEveryBit(_ format: ReadableFormat) throws {
        var generator = SeededGenerator()
        for _ in 0..<50 {
            let value = everything(&generator)
            let data = try ReadableEncoder().encode(value, as: format)
            let back = try ReadableDecoder().decode(Everything.self, from: data)
            #expect(difference(value, back) == nil, "\(generator.replay) \(String(decoding: data, as: UTF8.self))")
            if format != .json {
                // Foundation reads it too.
                #expect(throws: Never.self) {
                    try unsafe PropertyListSerialization.propertyList(from: data, options: [], format: nil)
                }
            }
        }
    }

    @Test func objectsInMemoryComeBack() throws {
        var generator = SeededGenerator()
        for _ in 0..<20 {
            let value = everything(&generator)
            let list = try ReadableEncoder().encodePropertyList(value)
            #expect(difference(value, try ReadableDecoder().decode(Everything.self, fromObject: list)) == nil)
            let data = try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
            let back = try ReadableDecoder().decode(Everything.self, from: data)
            #expect(back.date == value.date && back.double == value.double && back.wide == value.wide)
            let tree = try ReadableEncoder().encodeTree(value)
            #expect(difference(value, try ReadableDecoder().decode(Everything.self, from: tree)) == nil)
        }
        let object = try JSONSerialization.jsonObject(
            with: Data(#"{"items":[{"label":"a","checked":true,"priority":5}]}"#.utf8))
        let list = try ReadableDecoder().decode(TodoList.self, fromObject: object)
        #expect(list.items[0].priority == 5 && list.items[0].checked)
    }

    @Test func datesKeepTheirBits() throws {
        let first = 542911754.16538298.bitPattern
        #expect(first == 0x41C0_2E16_8515_2B45)
        for step in 0..<10_000 {
            let seconds = Double(bitPattern: first + UInt64(step))
            let text = try ReadableEncoder(options: .init(isPretty: false)).encodeText(
                Date(timeIntervalSinceReferenceDate: seconds))
            let back = try ReadableDecoder().decode(Date.self, from: text)
            #expect(back.timeIntervalSinceReferenceDate.bitPattern == seconds.bitPattern, "\(text)")
        }
        for seconds in [
            0, -0.0, -1e-7, 1e-300, -978307200.25, 1e15, -7e10, 252_423_993_599.5,
            Date.distantFuture.timeIntervalSinceReferenceDate,
        ] {
            let date = Date(timeIntervalSinceReferenceDate: seconds)
            let text = try ReadableEncoder().encodeText([date])
            let back = try ReadableDecoder().decode([Date].self, from: text)[0]
            #expect(back.timeIntervalSinceReferenceDate.bitPattern == seconds.bitPattern, "\(text)")
        }
        #expect(throws: EncodingFailure(.notRepresentable, "")) {
            try ReadableEncoder().encode(Date(timeIntervalSinceReferenceDate: .nan))
        }
    }

    @Test func variantsOfISO8601AreRead() throws {
        func date(_ text: String) throws -> Double {
            try ReadableDecoder().decode(Date.self, from: "\"\(text)\"").timeIntervalSince1970
        }
        let base = try date("2026-05-25T22:46:27Z")
        #expect(base == 1_779_749_187)
        #expect(try date("2026-05-25T22:46:27.5Z") == base + 0.5)
        #expect(abs(try date("2026-05-25T22:46:27.580497Z") - base - 0.580497) < 1e-6)
        #expect(try date("2026-05-25T22:46:27+09:00") == base - 9 * 3600)
        #expect(try date("2026-05-25T22:46:27 +09:00") == base - 9 * 3600)
        #expect(try date("2026-05-25T22:46:27-0130") == base + 5400)
        #expect(try date("2026-05-25") == base - 22 * 3600 - 46 * 60 - 27)
        for text in [
            "2026-13-01", "2026-02-29", "2026-05-25T25:00:00Z", "2026-05-25T22:46:27.Z", "today",
            "2026-05-25T22:46:27Zx",
        ] {
            #expect(throws: DecodingFailure(.typeMismatch, "")) { try date(text) }
        }
    }

    @Test(arguments: ReadableFormat.allCases) func extremeDatesKeepEveryBit(_ format: ReadableFormat) throws {
        let seconds = [
            Date.distantPast.timeIntervalSinceReferenceDate, Date.distantFuture.timeIntervalSinceReferenceDate,
            -63_113_904_000, -63_113_904_001, 252_423_993_599, 252_423_993_600, 1e11, -1e11, 1e300, -0.0, 0, 0.1, -0.1,
            -978_307_200, 542_911_754.16538298,
        ]
        let dates = seconds.map { Date(timeIntervalSinceReferenceDate: $0) }
        let values: [Any] = dates
        let typed = try ReadableDecoder().decode([Date].self, from: try ReadableEncoder().encode(dates, as: format))
        let untyped = try ReadableDecoder().decode([Any].self, from: try ReadableEncoder().encode(values, as: format))
        #expect(typed.map(\.timeIntervalSinceReferenceDate.bitPattern) == seconds.map(\.bitPattern))
        #expect(
            untyped.map { ($0 as? Date)?.timeIntervalSinceReferenceDate.bitPattern } == seconds.map(\.bitPattern))
    }

    @Test func documentsOfTheOlderCoderLoad() throws {
        guard let folder = corpusFolder?.appending(path: "hrcoder") else { return }
        let list = try ReadableDecoder().decode(
            TodoList.self,
            from: Data(contentsOf: folder.appending(path: "BaseModel--Examples__MacHRAutoTodoList__TodoList.plist")))
        #expect(list.items.map(\.priority) == [5, 3, 6, 4, 2, 1])
        #expect(list.items[0].label == "Pay the apple tax.")
        let texts = try ReadableDecoder().decode(
            [String].self,
            from: Data(contentsOf: folder.appending(path: "BaseModel--Examples__BasicTodoList__TodoList.plist")))
        #expect(texts.count == 4)
    }

    @Test(arguments: ["json", "xml.plist", "bin.plist"]) func documentsThatTheOlderCoderWroteLoad(_ form: String) throws
    {
        guard let folder = corpusFolder?.appending(path: "hrcoder-built") else { return }
        func data(_ name: String) throws -> Data { try Data(contentsOf: folder.appending(path: "\(name).\(form)")) }
        let model = try ReadableDecoder().decode(OldModel.self, from: data("cycle-root"))
        #expect(model.other?.other === model)
        #expect(model.i64 == 5_000_000_000 && model.f == 0.5 && model.b && model.bytes == Data("abc".utf8))
        #expect(model.array2 as? [Int] == [1, 2])
        let array = try ReadableDecoder().decode(OldModel.self, from: data("array-of-root"))
        #expect(array.array1?[0] as AnyObject === array)
        let nested = try #require(try ReadableDecoder().decode(Any.self, from: data("alias-nested")) as? [String: Any])
        #expect((nested["foo"] as? [String: Any])?["baz"] as? [String: String] == ["k": "v"])
        let dotted = try #require(try ReadableDecoder().decode(Any.self, from: data("dotted-key")) as? [String: Any])
        #expect((dotted["a.b"] as? [String: Any])?["x.y"] as? [String: String] == ["k": "v"])
        let root = try #require(try ReadableDecoder().decode(Any.self, from: data("root-array")) as? [Any])
        #expect(root.count == 4 && root[0] as? String == "a" && root[1] as? Int == 1)
        let types = try #require(try ReadableDecoder().decode(Any.self, from: data("types")) as? [String: Any])
        #expect(types["data"] as? Data == Data("foo".utf8) && types["bool"] as? Bool == true)
        #expect(types["int"] as? Int == 5 && types["double"] as? Double == 1.5 && types["string"] as? String == "str")
        #expect(types["date"] is Date)
        let typed = try ReadableDecoder().decode(OldTypes.self, from: data("types"))
        #expect(typed.null == nil && typed.data == Data("foo".utf8) && typed.int == 5)
        // What the older coder wrote, a program without its classes keeps.
        let dynamic = try ReadableDecoder(options: .init(objects: .dynamic)).decode(
            DynamicObject.self, from: data("cycle-root"))
        #expect(dynamic.className == "Model" && dynamic["i"]?.int == 7)
        let text = try ReadableEncoder().encode(dynamic)
        let again = try ReadableDecoder().decode(OldModel.self, from: text)
        #expect(again.other?.other === again && again.bytes == Data("abc".utf8))
    }
}

private struct OldTypes: Model {
    var null: String?
    var bool: Bool
    var double: Double
    var date: Date
    var int: Int
    var data: Data
    var string: String
}

extension Double {
    fileprivate var finite: Double { isFinite ? self : 0.5 }
}
