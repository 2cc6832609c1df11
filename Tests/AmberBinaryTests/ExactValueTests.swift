// Room:   AmberBinaryTests. Values that must come back to the bit.
// Takes:  edges of numbers, dates, decimals, empties. Gives: the same, or a typed error where they don't fit.
// Touches: the binary coder.

import AmberBinary
import AmberModel
import AmberTestSupport
import Foundation
import Testing

@Suite struct ExactValueTests {
    private func same<T>(_ values: [T], line: Int = #line) throws {
        let bulk = values + values + values
        #expect(difference(values, try roundTrip(values)) == nil, "line \(line)")
        #expect(difference(bulk, try roundTrip(bulk)) == nil, "line \(line)")
        for value in values { #expect(difference([value], try roundTrip([value])) == nil, "line \(line)") }
    }

    @Test func datesKeepEveryBit() throws {
        let first = 542911754.16538298
        #expect(first.bitPattern == 0x41C0_2E16_8515_2B45)
        let dates = (0..<10_000).map {
            Date(timeIntervalSinceReferenceDate: Double(bitPattern: first.bitPattern + UInt64($0)))
        }
        #expect(difference(dates, try roundTrip(dates)) == nil)
        try same(Array(dates[..<3]))
        try same([Date.distantPast, .distantFuture, Date(timeIntervalSinceReferenceDate: -0.0)])
    }

    @Test func floatsKeepEveryBit() throws {
        try same([
            0.027121761950711698, 7.7087009966199993, .leastNonzeroMagnitude, .greatestFiniteMagnitude, -0.0, .infinity,
            -.infinity, .nan, .signalingNaN, Double(bitPattern: 0xfff8_0000_0000_1234),
        ])
        try same([
            Float(1.1), -0.0, .nan, .leastNonzeroMagnitude, Float(bitPattern: 0x7fa0_0001), .greatestFiniteMagnitude,
        ])
        #expect(try roundTrip(Float(1.1)).bitPattern == 0x3F8C_CCCD)
    }

    @Test func decimalsKeepEveryDigit() throws {
        let texts = [
            "0", "-0.5", "0.123456789012345678901", String(repeating: "9", count: 38), "-1e-20", "1e127", "-1e127",
            "227233.333333333333333333333333333333324", "-" + String(repeating: "9", count: 38), "NaN", "1e-128",
        ]
        let decimals =
            texts.compactMap { Decimal(string: $0) } + [.nan, .leastFiniteMagnitude, .greatestFiniteMagnitude]
        try same(decimals)
        try same(decimals.map(Optional.some) + [nil])
        let back = try roundTrip(decimals)
        for (one, other) in zip(decimals, back) where !one.isNaN {
            #expect(one.description == other.description && one + 1 == other + 1 && one * -3 == other * -3)
        }
    }

    @Test func decimalsAreArchivedWithTheLengthInTheLowBits() throws {
        // -1: one word, a sign, compact.
        let archive = try BinaryEncoder().encode(Decimal(-1))
        #expect([UInt8](archive.suffix(21)) == [0, 0x31, 0, 0, 1] + [UInt8](repeating: 0, count: 16))
    }

    @Test func integersKeepTheirEdges() throws {
        try same([Int64.min, -500, -1, 0, 1, 128, 1 << 53 + 1, .max])
        try same([UInt64(0), 1 << 63, .max])
        try same([Int128.min, -1, .max])
        try same([UInt128.max, 0, 1 << 64])
        try same([Int8.min, .max, -1])
        try same([UInt8.max, 0])
        try same([Int16.min, .max, -1])
        try same([UInt16.max, 0])
        try same([Int32.min, .max, -1])
        try same([UInt32.max, 0])
    }

    @Test func integerColumnsOfEveryWidthComeBack() throws {
        var generator = SeededGenerator()
        for width in 0...64 {
            for count in [8, 9, 65, 200] {
                let mask = width == 64 ? UInt64.max : (1 << UInt64(width)) - 1
                let base = generator.next()
                let values = (0..<count).map { _ in base &+ (generator.next() & mask) }
                #expect(try roundTrip(values) == values, "width \(width), count \(count), \(generator.replay)")
                let signed = values.map { Int64(bitPattern: $0) }
                #expect(try roundTrip(signed) == signed, "width \(width), count \(count), \(generator.replay)")
                let sums = signed.reduce(into: [Int64]()) { $0.append(($0.last ?? 0) &+ ($1 >> 60)) }
                #expect(try roundTrip(sums) == sums, "width \(width), count \(count), \(generator.replay)")
                let runs = (0..<count).map { signed[$0 / 10] }
                #expect(try roundTrip(runs) == runs, "width \(width), count \(count), \(generator.replay)")
            }
        }
    }

    @Test func runsOfRunsOfRunsComeBack() throws {
        func spread(_ lengths: [Int], _ head: (Int) -> Int) -> [Int] {
            lengths.enumerated().flatMap { Array(repeating: head($0.offset), count: $0.element) }
        }
        var generator = SeededGenerator()
        var lengths = [12, 30]
        for level in 0..<4 {
            lengths = spread(lengths, { $0 % 2 == 0 ? 2 : 7 })
            let values = spread(lengths) { _ in generator.integer(Int.self) }
            #expect(try roundTrip(values) == values, "level \(level), \(generator.replay)")
            #expect(try roundTrip(lengths) == lengths, "level \(level)")
        }
    }

    @Test func columnsOfStringsComeBack() throws {
        var generator = SeededGenerator()
        for count in [7, 8, 15, 16, 17, 100, 5000] {
            for distinct in [1, 2, count / 4 + 1, count / 2 + 1, count] {
                let pool = (0..<distinct).map { _ in generator.text(30) }
                let values = (0..<count).map { _ in generator.pick(pool) }
                #expect(try roundTrip(values) == values, "\(generator.replay)")
                let data = values.map { Data($0.utf8) }
                #expect(try roundTrip(data) == data, "\(generator.replay)")
                let doubles = values.map { Double($0.count) / 3 }
                #expect(try roundTrip(doubles) == doubles, "\(generator.replay)")
            }
        }
    }

    @Test func stringsKeepTheirScalars() throws {
        // Equal as Swift compares them, but written with other scalars.
        let texts = ["\u{e9}", "e\u{301}", "\0", "a\0b", "\u{fffd}", "\u{10ffff}", String(repeating: "🙂", count: 1000)]
        for forms in [texts, texts + texts + texts] {
            #expect(try roundTrip(forms).map { Array($0.unicodeScalars) } == forms.map { Array($0.unicodeScalars) })
        }
    }

    struct Empties: Model, Equatable {
        var data = Data([1])
        var text = "x"
        var list = [1]
        var keyed = ["a": 1]
        var set: Set<Int> = [1]
        var maybe: [Int]? = [1]
        var inner: String?? = "x"
        var nothing = Nothing()
        var nothings = [Nothing()]
    }

    @Test(arguments: everyForm) func emptiesStayEmptyAndNeverBecomeNil(_ form: BinaryEncodingOptions) throws {
        var empties = Empties()
        (empties.data, empties.text, empties.list, empties.keyed, empties.set) = (Data(), "", [], [:], [])
        (empties.maybe, empties.inner, empties.nothings) = ([], .some(nil), [Nothing(), Nothing()])
        #expect(try roundTrip(empties, form) == empties)
        let many = Array(repeating: empties, count: 20)
        #expect(try roundTrip(many, form) == many)
        #expect(try roundTrip([Nothing(), Nothing()], form).count == 2)
        #expect(try roundTrip(Array(repeating: Nothing(), count: 1000), form).count == 1000)
    }

    struct Sub: Model, Equatable {
        var number: Int?
        var missing: Double?
        var value: Double?
    }

    struct Outer: Model, Equatable {
        var a: Int?
        var flag: Bool?
        var sub: Sub?
        var b: Double?
        var c: Int?
    }

    @Test func nilInTheMiddleShiftsNothing() throws {
        let outer = Outer(a: 34, flag: true, sub: Sub(number: 4, missing: nil, value: 24.5), b: 23.12, c: 4)
        #expect(try roundTrip(outer) == outer)
        let mixed = (0..<40).map {
            $0 % 3 == 0 ? outer : Outer(a: $0 % 2 == 0 ? nil : $0, sub: $0 % 5 == 0 ? Sub() : nil)
        }
        #expect(try roundTrip(mixed) == mixed)
    }

    @Test func bulkNumbersTakeTheirOwnSize() throws {
        var generator = SeededGenerator(seed: 5)
        let floats = (0..<50_000).map { _ in
            Float(bitPattern: UInt32(truncatingIfNeeded: generator.next()) & 0x7f7f_ffff)
        }
        let archive = try BinaryEncoder().encode(floats)
        #expect(archive.count < floats.count * 4 + 100)
        #expect(try BinaryDecoder().decode([Float].self, from: archive) == floats)
        let data = Data((0..<200_000).map { _ in UInt8(truncatingIfNeeded: generator.next()) })
        let second = try BinaryEncoder().encode(data)
        #expect(second.count < data.count + 100)
        #expect(try BinaryDecoder().decode(Data.self, from: second) == data)
    }
}
