// Room:   AmberReadableTests. Documents that are damaged, endless or made to hurt.
// Takes:  texts. Gives: typed errors with their place, on a small stack.
// Touches: nothing.

import AmberModel
import AmberReadable
import AmberTestSupport
import Foundation
import Testing

private enum Tag {}

private final class Tracked2: Model {
    var tracked: [Tracked<Tag>] = []
    var one: Tracked<Tag>?
    var text = ""
    var any: Any?
    var number = 0
}

/// Breaks the cycles that damaged references may make of a graph, so that only what a decoder lost is left.
private func letGo(_ root: Tracked2?) -> Tracked2? {
    var waiting = root.map { $0.tracked + [$0.one].compactMap { $0 } } ?? []
    while let object = waiting.popLast() {
        waiting += [object.next].compactMap { $0 } + object.others
        (object.next, object.others) = (nil, [])
    }
    root?.any = nil
    return root
}

private final class Bare: Model {
    var name: String
    var tracked: Tracked<Tag>
    var next: Bare?
    init(_ name: String, _ tracked: Tracked<Tag>) {
        self.name = name
        self.tracked = tracked
    }
}

private indirect enum Deep: Equatable {
    case end
    case more(Deep)
}

@Suite(.serialized) struct ReadableHostileTests {
    private func failure<T>(_ type: T.Type, _ text: String) -> DecodingFailure? {
        do throws(DecodingFailure) {
            _ = try ReadableDecoder().decode(type, from: text)
            return nil
        } catch { return error }
    }

    @Test(arguments: [
        ("", 1, 1, DecodingFailure.Code.truncated), ("{", 1, 2, .truncated), ("[1,]", 1, 4, .corrupt),
        ("[1 2]", 1, 4, .corrupt),
        ("{\"a\" 1}", 1, 6, .corrupt), ("{a:1}", 1, 2, .corrupt), ("[01]", 1, 2, .corrupt), ("[1.]", 1, 4, .corrupt),
        ("[-]", 1, 3, .corrupt), ("[1e]", 1, 4, .corrupt), ("[+1]", 1, 2, .corrupt), ("nul", 1, 4, .truncated),
        ("[\n\n  tru ]", 3, 6, .corrupt), ("\"a\u{1}\"", 1, 3, .corrupt), ("\"\\x\"", 1, 2, .corrupt),
        ("\"\\ud800\"", 1, 2, .corrupt), ("\"\\u12", 1, 2, .corrupt), ("\"abc", 1, 5, .truncated),
        ("1 1", 1, 3, .corrupt),
        ("[NaN]", 1, 2, .corrupt), ("{\"é\":x}", 1, 6, .corrupt), ("{\"a\":1,}", 1, 8, .corrupt),
    ])
    func syntaxErrorsHaveTheirPlace(_ text: String, _ line: Int, _ column: Int, _ code: DecodingFailure.Code) {
        let found = failure(Any.self, text)
        #expect(found?.code == code, "\(text): \(String(describing: found))")
        #expect(found?.position == .init(line: line, column: column), "\(text): \(String(describing: found))")
    }

    @Test func textsThatAreNotUTF8AreRefused() {
        for bytes: [UInt8] in [[0x22, 0xff, 0x22], [0x22, 0xc3, 0x28, 0x22], [0x5b, 0x22, 0xe2, 0x82]] {
            #expect(throws: DecodingFailure(.corrupt, "")) { try ReadableDecoder().decode(Any.self, from: Data(bytes)) }
        }
    }

    @Test func everyPrefixAndEveryFlippedBitIsAnErrorOrAValue() throws {
        let root = Tracked2()
        root.tracked = [Tracked("a"), Tracked("b\u{7}é")]
        root.one = root.tracked[1]
        root.tracked[0].next = root.tracked[1]
        root.tracked[1].owner = root.tracked[0]
        root.any = [1, "x", Data([1, 2, 3]), Date(timeIntervalSinceReferenceDate: 5.25), ["k": 1.5]] as [Any]
        for format in ReadableFormat.allCases {
            let data = try ReadableEncoder().encode(root, as: format)
            let before = livingObjects(Tag.self)
            forEachPrefix(of: data) { piece in
                #expect(
                    letGo(try? ReadableDecoder().decode(Tracked2.self, from: piece)) == nil
                        || piece.count >= data.count - 16
                )
            }
            forEachFlippedBit(of: data, limit: 4000) {
                _ = letGo(try? ReadableDecoder().decode(Tracked2.self, from: $0))
            }
            var generator = SeededGenerator()
            for _ in 0..<1500 {
                _ = letGo(try? ReadableDecoder().decode(Tracked2.self, from: generator.damage(data)))
            }
            #expect(livingObjects(Tag.self) == before, "\(format) \(generator.replay)")
        }
    }

    @Test func nothingLeaksWhenReadingFailsHalfWay() throws {
        let before = livingObjects(Tag.self)
        let piece = #"{"label":"x","others":[{"label":"y"}]}"#
        for text in [
            #"{"tracked":[\#(piece),\#(piece)],"number":"no"}"#, #"{"tracked":[\#(piece),5]}"#,
            #"{"one":\#(piece),"tracked":[{"others":[{"label":7}]}]}"#,
            #"{"any":{"$class":"Nope","$value":1},"one":3}"#,
        ] {
            #expect(failure(Tracked2.self, text) != nil)
        }
        for text in [
            #"{"name":"a","tracked":\#(piece),"next":{"name":"b"}}"#,
            #"{"name":"a","tracked":\#(piece),"next":{"tracked":{},"name":1}}"#,
            #"{"tracked":\#(piece),"next":{"name":"n","tracked":{"label":"t"},"next":{"$alias":"next"}}}"#,
        ] {
            #expect(failure(Bare.self, text) != nil)
        }
        #expect(livingObjects(Tag.self) == before)
    }

    @Test func deepNestingIsAnErrorOnASmallStack() {
        let codes = onSmallStack { () -> [DecodingFailure.Code?] in
            [
                failure(Any.self, String(repeating: "[", count: 1_000_000)),
                failure(Any.self, String(repeating: "[", count: 200_000) + String(repeating: "]", count: 200_000)),
                failure(
                    Any.self,
                    String(repeating: #"{"a":"#, count: 100_000) + "1" + String(repeating: "}", count: 100_000)),
                failure(
                    Deep.self,
                    String(repeating: #"{"more":"#, count: 65) + "\"end\"" + String(repeating: "}", count: 65)),
                failure(
                    DynamicObject.self,
                    #"{"x":"# + String(repeating: "[", count: 70) + String(repeating: "]", count: 70) + "}"),
                failure(Any.self, #"{"a":[{"$alias":"a"}]}"#),
                failure(
                    Any.self,
                    "<plist><array>" + String(repeating: "<array>", count: 100_000)
                        + String(repeating: "</array>", count: 100_000) + "</array></plist>"),
            ].map { $0?.code }
        }
        #expect(codes == [.truncated] + Array(repeating: .limitExceeded, count: 6))
        // The limit itself can be reached, both ways.
        let ok = onSmallStack { () -> Bool in
            var deep = Deep.end
            for _ in 0..<63 { deep = .more(deep) }
            guard let text = try? ReadableEncoder().encode(deep) else { return false }
            let isSame = (try? ReadableDecoder().decode(Deep.self, from: text)) == deep
            for _ in 0..<3 { deep = .more(deep) }
            return isSame && (try? ReadableEncoder().encode(deep)) == nil
        }
        #expect(ok)
        let objects = onSmallStack { () -> Bool in
            // Objects in objects have no limit.
            let text = String(repeating: #"{"next":"#, count: 50_000) + "{}" + String(repeating: "}", count: 50_000)
            guard let first = try? ReadableDecoder().decode(Tracked<Tag>.self, from: text) else { return false }
            var node: Tracked<Tag>? = first
            var count = 0
            while let next = node?.next {
                node?.next = nil
                node = next
                count += 1
            }
            return count == 50_000
        }
        #expect(objects)
    }

    @Test func bombsOfAliasesAreRefused() {
        var parts = [#""a0":[1,1,1,1,1,1,1,1,1,1]"#]
        for level in 1..<12 {
            let alias = #"{"$alias":"a\#(level - 1)"}"#
            parts.append("\"a\(level)\":[" + Array(repeating: alias, count: 10).joined(separator: ",") + "]")
        }
        let bomb = "{" + parts.joined(separator: ",") + "}"
        let start = Date()
        #expect(failure(Any.self, bomb)?.code == .limitExceeded)
        #expect(Date().timeIntervalSince(start) < 20)
        #expect(failure(Any.self, #"{"a":{"$alias":"b"},"b":{"$alias":"a"}}"#)?.code == .corrupt)
        #expect(failure(Any.self, #"{"a":{"$alias":"a"}}"#)?.code == .corrupt)
        #expect(failure(Any.self, #"{"a":{"$alias":"\#(String(repeating: "a.", count: 5000))"}}"#) != nil)
    }

    @Test func numbersThatDontFitAreErrors() {
        #expect(failure(UInt64.self, "18446744073709551616")?.code == .doesNotFit)
        #expect(failure([UInt8].self, "[300]")?.path.description == "[0]")
        #expect(failure(UInt.self, "-1")?.code == .doesNotFit)
        #expect(failure(Int.self, "18.18")?.code == .doesNotFit)
        #expect(failure(Int.self, "1" + String(repeating: "0", count: 5000))?.code == .doesNotFit)
        #expect(failure(Double.self, "1e999")?.code == .doesNotFit)
        #expect(failure(Any.self, "1e999")?.code == .doesNotFit)
        #expect(failure(Float.self, "1e39")?.code == .doesNotFit)
        #expect(failure(Decimal.self, "1." + String(repeating: "1", count: 60))?.code == .doesNotFit)
        #expect(failure(Int.self, "true")?.code == .typeMismatch)
        #expect(failure([String: Int].self, #"{"a":1,"a":2}"#)?.code == .corrupt)
        #expect(failure(Tracked2.self, #"{"text":"","text":""}"#)?.code == .corrupt)
    }

    @Test func exactNumbersComeBack() throws {
        func check<T: Equatable>(_ value: T) throws {
            let text = try ReadableEncoder(options: .init(isPretty: false)).encodeText([value])
            #expect(try ReadableDecoder().decode([T].self, from: text) == [value], "\(text)")
        }
        for value in [Int64.min, -500, -1, 128, 1 << 53 + 1, .max] { try check(value) }
        for value in [UInt64(1) << 63, .max, 9, 10, 99, 100, 999_999, 10_000_000_000_000_000_000] { try check(value) }
        try check(UInt128.max)
        try check(Int128.min)
        for value in [
            0.027121761950711698, 7.7087009966199993, Double.leastNonzeroMagnitude, .greatestFiniteMagnitude, 1e22,
            123456789.125,
        ] {
            try check(value)
        }
        try check(Float(1.1))
        for text in [
            "0.123456789012345678901", String(repeating: "9", count: 38), "-0.00000000000000000001",
            "227233.333333333333333333333333333333324",
        ] {
            try check(try #require(Decimal(string: text)))
        }
        #expect(try ReadableEncoder().encodeText(Float(1.1)) == "1.1\n")
        #expect(throws: EncodingFailure(.notRepresentable, "")) { try ReadableEncoder().encode([Double.nan]) }
        let text = try ReadableEncoder(options: .init(isPretty: false, nonFinite: .text)).encodeText([
            Double.nan, .infinity, -.infinity,
        ])
        #expect(text == #"["NaN","Infinity","-Infinity"]"#)
        let back = try ReadableDecoder().decode([Double].self, from: text)
        #expect(back[0].isNaN && back[1] == .infinity && back[2] == -.infinity)
        var generator = SeededGenerator()
        for _ in 0..<2000 {
            let value = Double(bitPattern: generator.next())
            if value.isFinite { try check(value) }
            let small = Float(bitPattern: UInt32(truncatingIfNeeded: generator.next()))
            if small.isFinite { try check(small) }
        }
    }
}
