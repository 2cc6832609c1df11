// Room:   AmberBinaryTests. Memory that a reader needs for a moment only: runs, common numbers, wider numbers, counts.
// Takes:  archives of few bytes that make columns expand, and honest ones. Gives: errors at tight limits, values at others.
// Touches: the binary coder.

import AmberBinary
import AmberModel
import AmberTestSupport
import Foundation
import Testing

private struct LentCell: Model, Equatable {
    var x: Int8 = 0
}

private struct LentRow: Model, Equatable {
    var cells: [LentCell] = []
}

private struct LentTable: Model, Equatable {
    var rows: [LentRow] = []
}

@Suite struct LentMemoryTests {
    private static let count = 1 << 18

    /// A count as a varint of three bytes.
    private static var countBytes: [UInt8] { [0x80, 0x80, 0x10] }

    private static func decoder(_ memory: Int) -> BinaryDecoder {
        BinaryDecoder(options: .init(limits: DecodingLimits(expansion: 1, baseMemory: memory)))
    }

    /// An archive of equal bytes, the column of which is replaced.
    private static func archive(column: [UInt8]) throws -> Data {
        let honest = try BinaryEncoder().encode([UInt8](repeating: 7, count: count))
        // Packed, base 7, no bits; no ballast.
        let tail = Data([0, 14, 0, 0])
        try #require(honest.suffix(4) == tail)
        return honest.dropLast(4) + Data(column) + [0]
    }

    @Test func runsOfOneNumberEachArePaidFor() throws {
        // As many runs as numbers, all of them 7 and 1 long, in no bits.
        let data = try Self.archive(column: [2] + Self.countBytes + [0, 14, 0] + [0, 2, 0])
        let error = decodingFailure { try Self.decoder(4 * Self.count).decode([UInt8].self, from: data) }
        #expect(error?.code == .limitExceeded)
        let values = try Self.decoder(6 * Self.count).decode([UInt8].self, from: data)
        #expect(values == [UInt8](repeating: 7, count: Self.count))
    }

    @Test func runsInRunsArePaidForTogether() throws {
        let inner: [UInt8] = [2] + Self.countBytes + [0, 14, 0] + [0, 2, 0]
        let data = try Self.archive(column: [2] + Self.countBytes + inner + [0, 2, 0])
        let error = decodingFailure { try Self.decoder(8 * Self.count).decode([UInt8].self, from: data) }
        #expect(error?.code == .limitExceeded)
        #expect(try Self.decoder(11 * Self.count).decode([UInt8].self, from: data).count == Self.count)
    }

    @Test func runsOfEqualNumbersNeedLittle() throws {
        var values: [UInt8] = []
        for number in 0..<(Self.count / 64) { values += [UInt8](repeating: UInt8(number * 37 & 0xFF), count: 64) }
        let data = try BinaryEncoder().encode(values)
        #expect(try Self.decoder(Self.count).decode([UInt8].self, from: data) == values)
    }

    @Test func commonNumbersArePaidFor() throws {
        // No other number than 7, and a bit for each that says so.
        let flags = [UInt8](repeating: 0, count: Self.count / 8)
        let data = try Self.archive(column: [3, 14, 0] + flags + [0, 0, 0])
        #expect(try Self.decoder(Self.count).decode([UInt8].self, from: data).allSatisfy { $0 == 7 })
        let every = [UInt8](repeating: 0xFF, count: Self.count / 8)
        let others = try Self.archive(column: [3, 0] + Self.countBytes + every + [0, 14, 0])
        let error = decodingFailure { try Self.decoder(Self.count).decode([UInt8].self, from: others) }
        #expect(error?.code == .limitExceeded)
        #expect(try Self.decoder(2 * Self.count).decode([UInt8].self, from: others).allSatisfy { $0 == 7 })
    }

    @Test func widerNumbersArePaidFor() throws {
        let data = try BinaryEncoder().encode([Int64](repeating: 5, count: Self.count))
        let error = decodingFailure { try Self.decoder(4 * Self.count).decode([Int8].self, from: data) }
        #expect(error?.code == .limitExceeded)
        let values = try Self.decoder(8 * Self.count).decode([Int8].self, from: data)
        #expect(values == [Int8](repeating: 5, count: Self.count))
        let short = try BinaryEncoder().encode([Int16](repeating: -5, count: Self.count))
        #expect(try Self.decoder(Self.count).decode([Int8].self, from: short).allSatisfy { $0 == -5 })
    }

    @Test func countsOnTheWayOfAPathArePaidFor() throws {
        let table = LentTable(rows: Array(repeating: LentRow(), count: Self.count))
        let data = try BinaryEncoder().encode(table)
        func cells(_ memory: Int) throws -> [Int8] {
            let limits = DecodingLimits(expansion: 1, baseMemory: memory)
            return try BinaryArchive(data, options: .init(limits: limits)).values(
                at: "rows", "cells", "x", as: Int8.self)
        }
        #expect(decodingFailure { try cells(12 * Self.count) }?.code == .limitExceeded)
        #expect(try cells(17 * Self.count).isEmpty)
        #expect(try BinaryArchive(data).values(at: "rows", "cells", "x", as: Int8.self).isEmpty)
        #expect(try BinaryDecoder().decode(LentTable.self, from: data) == table)
    }

    @Test func whatDefaultOptionsWriteDefaultLimitsRead() throws {
        // More than the base memory, in a few bytes: the ballast pays for the values, and for what they are undone in.
        let count = (64 << 20) + 1
        var values = [UInt8](repeating: 1, count: count)
        for index in stride(from: 0, to: count, by: 97) { values[index] = 200 }
        let data = try BinaryEncoder().encode(values)
        #expect(try BinaryDecoder().decode([UInt8].self, from: data) == values)
        for index in values.indices { values[index] = UInt8(truncatingIfNeeded: index >> 5) }
        let runs = try BinaryEncoder().encode(values)
        #expect(try BinaryDecoder().decode([UInt8].self, from: runs) == values)
    }
}
