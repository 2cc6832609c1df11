// Room:   AmberBinaryTests. Long columns of values that are each smaller than an address.
// Takes:  arrays of optionals, enums and structs of a few bytes. Gives: the same back, errors for damage, columns passed over.
// Touches: the binary coder.

import AmberBinary
import AmberModel
import AmberTestSupport
import Foundation
import Testing

private enum SmallChoice: Equatable {
    case none
    case flag(Bool)
    case number(UInt8)
    case pair(UInt8, Int16)
    case all
}

private struct SmallPart: Model, Equatable {
    var flag: Bool? = nil
    var number: Int16? = 3
}

private struct SmallHooked: Model, Equatable {
    var number: UInt8 = 0
    var odd: Bool? = nil
    mutating func didDecode() throws { number &+= 1 }
}

private struct SmallColumns: Model, Equatable {
    var before = 1
    var flags: [Bool?] = []
    var nested: [UInt8??] = []
    var floats: [Float?] = []
    var choices: [SmallChoice] = []
    var maybe: [SmallChoice?] = []
    var parts: [SmallPart] = []
    var lists: [[Bool?]] = []
    var wide: [Int16] = []
    var after = "end"

    static var rules: ModelRules { ModelRules(name: "SmallColumns") }
}

private struct SmallColumnsPassedOver: Model, Equatable {
    var before = 0
    var after = ""

    static var rules: ModelRules { ModelRules(name: "SmallColumns") }
}

@Suite struct SmallElementTests {
    private static func columns(_ count: Int, _ random: inout SeededGenerator) -> SmallColumns {
        func some<T>(_ make: (UInt64) -> T) -> [T] { (0..<count).map { _ in make(random.next() >> 5) } }
        var columns = SmallColumns()
        columns.flags = some { $0 % 3 == 0 ? nil : $0 % 2 == 0 }
        columns.nested = some { (number: UInt64) -> UInt8?? in
            switch number % 3 {
            case 0: return nil
            case 1: return .some(nil)
            default: return UInt8(truncatingIfNeeded: number)
            }
        }
        columns.floats = some { $0 % 5 == 0 ? nil : Float($0 % 1000) }
        columns.choices = some(choice)
        columns.maybe = some { $0 % 7 == 0 ? nil : choice($0) }
        columns.parts = some { SmallPart(flag: $0 % 4 == 0 ? nil : true, number: $0 % 3 == 0 ? nil : Int16($0 % 99)) }
        columns.lists = (0..<9).map { Array(columns.flags.prefix($0 * count / 9)) }
        columns.wide = some { $0 % 64 == 0 ? Int16(truncatingIfNeeded: $0) : -7 }
        return columns
    }

    private static func choice(_ number: UInt64) -> SmallChoice {
        switch number % 5 {
        case 0: .none
        case 1: .flag(number % 2 == 0)
        case 2: .number(UInt8(truncatingIfNeeded: number))
        case 3: .pair(UInt8(truncatingIfNeeded: number), Int16(truncatingIfNeeded: number >> 9))
        default: .all
        }
    }

    @Test(arguments: [0, 7, 100, 8192, 8193, 20_000]) func comeBack(_ count: Int) throws {
        var random = SeededGenerator(seed: 41)
        let value = Self.columns(count, &random)
        let data = try BinaryEncoder().encode(value)
        #expect(try BinaryDecoder().decode(SmallColumns.self, from: data) == value, "seed 41")
    }

    @Test func alikeComeBack() throws {
        for choice in [SmallChoice.none, .flag(true), .pair(1, -2), .all] {
            let values = Array(repeating: choice, count: 10_000)
            let optionals = Array(repeating: choice as SmallChoice?, count: 10_000)
            #expect(try BinaryDecoder().decode([SmallChoice].self, from: BinaryEncoder().encode(values)) == values)
            #expect(
                try BinaryDecoder().decode([SmallChoice?].self, from: BinaryEncoder().encode(optionals)) == optionals)
        }
        let none = [Bool?](repeating: nil, count: 10_000)
        #expect(try BinaryDecoder().decode([Bool?].self, from: BinaryEncoder().encode(none)) == none)
    }

    @Test func hooksAreCalledOnce() throws {
        let values = (0..<10_000).map { (index: Int) -> SmallHooked in
            let odd: Bool? = index % 3 == 0 ? nil : index % 2 == 1
            return SmallHooked(number: UInt8(index % 200), odd: odd)
        }
        let data = try BinaryEncoder().encode([values, [], values])
        let back = try BinaryDecoder().decode([[SmallHooked]].self, from: data)
        let expected = values.map { SmallHooked(number: $0.number + 1, odd: $0.odd) }
        #expect(back == [expected, [], expected])
    }

    @Test func arePassedOver() throws {
        var random = SeededGenerator(seed: 42)
        let data = try BinaryEncoder().encode(Self.columns(9_000, &random))
        let value = try BinaryDecoder().decode(SmallColumnsPassedOver.self, from: data)
        #expect(value == SmallColumnsPassedOver(before: 1, after: "end"), "seed 42")
    }

    @Test func damageIsNoticed() throws {
        var random = SeededGenerator(seed: 43)
        let data = try BinaryEncoder().encode(Self.columns(9_000, &random))
        for part in 1..<20 {
            let short = data.prefix(data.count * part / 20)
            #expect(throws: DecodingFailure.self) { try BinaryDecoder().decode(SmallColumns.self, from: short) }
        }
        for _ in 0..<30 {
            var damaged = data
            damaged[Int(random.next() % UInt64(data.count))] ^= UInt8(1 << (random.next() % 8))
            // A value or an error will do; what was read can be written again.
            if let value = try? BinaryDecoder().decode(SmallColumns.self, from: damaged) {
                let again = try BinaryEncoder().encode(value)
                #expect(try BinaryDecoder().decode(SmallColumns.self, from: again).choices == value.choices)
            }
        }
    }

    @Test func columnsThatNobodyWantsArePaidForByTheirSize() throws {
        let limits = DecodingLimits(expansion: 1, baseMemory: 1 << 20)
        struct Wide: Model {
            var numbers = [Int](repeating: 5, count: 1 << 18)
            static var rules: ModelRules { ModelRules(name: "SmallNumbers") }
        }
        struct Narrow: Model {
            var numbers = [UInt8](repeating: 5, count: 1 << 18)
            static var rules: ModelRules { ModelRules(name: "SmallNumbers") }
        }
        struct Neither: Model {
            var other = 1
            static var rules: ModelRules { ModelRules(name: "SmallNumbers") }
        }
        let decoder = BinaryDecoder(options: .init(limits: limits))
        #expect(throws: DecodingFailure.self) {
            try decoder.decode(Neither.self, from: BinaryEncoder().encode(Wide()))
        }
        #expect(try decoder.decode(Neither.self, from: BinaryEncoder().encode(Narrow())).other == 1)
    }

    @Test func widenedNumbersCountAsWhatTheyBecome() throws {
        struct Narrow: Model {
            var numbers = [Int8](repeating: 5, count: 1 << 18)
            static var rules: ModelRules { ModelRules(name: "WidenedNumbers") }
        }
        struct Wide: Model {
            var numbers: [Int] = []
            static var rules: ModelRules { ModelRules(name: "WidenedNumbers") }
        }
        let data = try BinaryEncoder().encode(Narrow())
        var limits = DecodingLimits(baseMemory: 1 << 20)
        let error = #expect(throws: DecodingFailure.self) {
            try BinaryDecoder(options: .init(limits: limits)).decode(Wide.self, from: data)
        }
        #expect(error?.code == .limitExceeded)
        #expect(error?.description.contains("baseMemory") == true)
        limits.baseMemory = 3 << 20
        let wide = try BinaryDecoder(options: .init(limits: limits)).decode(Wide.self, from: data)
        #expect(wide.numbers == [Int](repeating: 5, count: 1 << 18))
    }
}
