// Room:   AmberBinaryTests. Columns whose inner loops go by fours, eights and sixteens: every remainder, every width.
// Takes:  numbers of each width, arrays of each length, optionals of each size. Gives: the same back.
// Touches: the binary coder.

import AmberBinary
import AmberModel
import AmberTestSupport
import Foundation
import Testing

private enum LoopChoice: UInt8, Equatable, CaseIterable, Codable { case red, green, blue, black }

private struct LoopItem: Model, Equatable {
    var choice: LoopChoice? = nil
    var flag: Bool? = nil
    var byte: UInt8? = nil
    var short: Int16? = nil
    var word: UInt32? = nil
    var float: Float? = nil
    var bits: [Bool] = []
    var shorts: [UInt16] = []
    var longs: [Int64] = []
}

@Suite struct InnerLoopTests {
    private static func rows(_ count: Int, _ random: inout SeededGenerator) -> [LoopItem] {
        (0..<count).map { index in
            var item = LoopItem()
            if random.oneIn(2) { item.choice = random.pick(LoopChoice.allCases) }
            if random.oneIn(2) { item.flag = random.oneIn(2) }
            if random.oneIn(3) { item.byte = random.integer(UInt8.self) }
            if random.oneIn(2) { item.short = random.integer(Int16.self) }
            if random.oneIn(4) { item.word = random.integer(UInt32.self) }
            if random.oneIn(2) { item.float = Float(random.below(1000)) }
            item.bits = (0..<random.below(index % 7 == 0 ? 150 : 40)).map { _ in random.oneIn(3) }
            item.shorts = (0..<random.below(20)).map { _ in random.integer(UInt16.self) }
            item.longs = (0..<random.below(5)).map { _ in random.integer(Int64.self) }
            return item
        }
    }

    // Below 8,192 values addresses are listed, above they are read side by side.
    @Test(arguments: [9, 300, 8_192, 9_001]) func optionalsAndArraysComeBack(_ count: Int) throws {
        var random = SeededGenerator(seed: 17)
        let items = Self.rows(count, &random)
        let data = try BinaryEncoder().encode(items)
        #expect(try BinaryDecoder().decode([LoopItem].self, from: data) == items, "seed 17")
    }

    @Test func arraysOfAnyLengthCanBeChanged() throws {
        for length in 0...140 {
            let lists = (0..<20).map { [UInt8](repeating: UInt8($0), count: length + $0 % 3) }
            var back = try BinaryDecoder().decode([[UInt8]].self, from: BinaryEncoder().encode(lists))
            #expect(back == lists)
            for index in back.indices { back[index].append(9) }
            #expect(back == lists.map { $0 + [9] })
        }
    }

    @Test(arguments: 1...64) func numbersOfEveryWidthComeBack(_ width: Int) throws {
        var random = SeededGenerator(seed: UInt64(width))
        let mask = width == 64 ? UInt64.max : (1 << UInt64(width)) - 1
        for count in [8, 9, 11, 31, 64, 241, 1_003] {
            let numbers = (0..<count).map { _ in random.next() & mask }
            #expect(try roundTrip(numbers) == numbers, "seed \(width)")
            let signed = numbers.map { Int64(bitPattern: $0 &- mask / 2) }
            #expect(try roundTrip(signed) == signed, "seed \(width)")
            // The smallest isn't the type's, so that base and width together reach past the type's largest.
            if width <= 32 {
                let words = numbers.map { max(UInt32(truncatingIfNeeded: $0), 3) }
                #expect(try roundTrip(words) == words, "seed \(width)")
            }
            if width <= 16 {
                let shorts = numbers.map { max(UInt16(truncatingIfNeeded: $0), 1) }
                let halves = numbers.map { max(Int16(truncatingIfNeeded: $0), -32_767) }
                #expect(try roundTrip(shorts) == shorts, "seed \(width)")
                #expect(try roundTrip(halves) == halves, "seed \(width)")
            }
            if width <= 8 {
                let bytes = numbers.map { max(UInt8(truncatingIfNeeded: $0), 1) }
                let small = numbers.map { max(Int8(truncatingIfNeeded: $0), -127) }
                #expect(try roundTrip(bytes) == bytes, "seed \(width)")
                #expect(try roundTrip(small) == small, "seed \(width)")
            }
        }
    }

    @Test func flagsWithAnyBaseComeBack() throws {
        var random = SeededGenerator(seed: 23)
        for base in [Int8.min, -2, -1, 0, 1, 126] {
            for count in [8, 15, 16, 17, 250] {
                let flags = (0..<count).map { _ in base + (random.oneIn(2) ? 1 : 0) }
                #expect(try roundTrip(flags) == flags, "seed 23")
            }
        }
    }

    @Test func commonNumbersComeBack() throws {
        var random = SeededGenerator(seed: 29)
        for count in [200, 4_097] {
            let bytes = (0..<count).map { _ in random.oneIn(8) ? random.integer(UInt8.self) : 90 }
            let shorts = (0..<count).map { _ in random.oneIn(8) ? random.integer(Int16.self) : -900 }
            let longs = (0..<count).map { _ in random.oneIn(8) ? random.integer(Int64.self) : Int64.min }
            #expect(try roundTrip(bytes) == bytes, "seed 29")
            #expect(try roundTrip(shorts) == shorts, "seed 29")
            #expect(try roundTrip(longs) == longs, "seed 29")
        }
    }
}
