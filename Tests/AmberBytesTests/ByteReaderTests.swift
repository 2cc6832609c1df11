// What the byte layer writes it reads; what is cut short, too long or not in its shortest form it refuses.

import AmberBytes
import Foundation
import Testing

@Suite struct ByteReaderTests {
    private func read<R>(_ bytes: [UInt8], _ body: (inout ByteReader) throws -> R) throws -> R {
        try unsafe bytes.withUnsafeBytes { buffer in
            var reader = unsafe ByteReader(buffer, budget: ByteBudget(bytes: 1000))
            return try body(&reader)
        }
    }

    private func written(_ body: (inout ByteWriter) -> Void) -> [UInt8] {
        var writer = ByteWriter(capacity: 1)
        body(&writer)
        return unsafe writer.withBytes { unsafe Array($0) }
    }

    private func fault(_ bytes: [UInt8], _ body: (inout ByteReader) throws -> Void) -> ByteError? {
        do {
            try read(bytes, body)
            return nil
        } catch { return error as? ByteError }
    }

    @Test func varintsAroundEveryLengthComeBack() throws {
        for bit in 0..<64 {
            for near in [-1, 0, 1] as [Int64] {
                let value = (1 as UInt64) << UInt64(bit) &+ UInt64(bitPattern: near)
                let bytes = written { $0.write(varint: value) }
                #expect(bytes.count == max(1, (70 - value.leadingZeroBitCount) / 7))
                #expect(try read(bytes) { try $0.readVarint() } == value)
                let signed = Int64(bitPattern: value)
                #expect(try read(written { $0.write(zigzag: signed) }) { try $0.readZigzag() } == signed)
                // A byte that follows is left alone.
                #expect(
                    try read(bytes + [0xff]) {
                        _ = try $0.readVarint()
                        return $0.remaining
                    } == 1)
            }
        }
    }

    @Test func varintsCutShortAreTruncated() {
        for value in [128, 16_384, 1 << 40, .max] as [UInt64] {
            let bytes = written { $0.write(varint: value) }
            for count in 0..<bytes.count {
                guard case .truncated = fault(Array(bytes[..<count]), { _ = try $0.readVarint() })?.kind else {
                    Issue.record("\(value) cut to \(count) bytes was not refused as truncated")
                    continue
                }
            }
        }
    }

    @Test(
        arguments: [
            [0x80, 0x00], [0xff, 0x00], [0x80, 0x80, 0x00], [UInt8](repeating: 0x80, count: 9) + [0x02],
            [UInt8](repeating: 0xff, count: 10) + [0x01],
        ] as [[UInt8]])
    func varintsNotInTheirShortestFormOrTooLongAreRefused(_ bytes: [UInt8]) {
        #expect(fault(bytes) { _ = try $0.readVarint() }?.kind == .malformedVarint)
    }

    @Test func numbersAreLittleEndianAndCheckedAgainstTheEnd() throws {
        #expect(written { $0.write(0x0102_0304 as UInt32) } == [4, 3, 2, 1])
        #expect(try read([4, 3, 2, 1]) { try $0.read(UInt32.self) } == 0x0102_0304)
        #expect(fault([1, 2, 3]) { _ = try $0.read(UInt32.self) } == ByteError(.truncated(needed: 4), at: 0))
        #expect(fault([]) { _ = try $0.readByte() } == ByteError(.truncated(needed: 1), at: 0))
        #expect(fault([1]) { try $0.skip(-1) } != nil)
        #expect(fault([1]) { _ = try $0.readArray(.max) } != nil)
    }

    @Test func stringsAreUTF8OrRefused() throws {
        for text in ["", "plain", "zwölf Bären", "🐻‍❄️", String(repeating: "é", count: 40)] {
            #expect(try read(Array(text.utf8)) { try $0.readString(text.utf8.count) } == text)
        }
        for bytes in [[0x80], [0xc3], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf5, 0x80, 0x80, 0x80]] as [[UInt8]] {
            #expect(fault(bytes) { _ = try $0.readString(bytes.count) }?.kind == .invalidUTF8)
        }
    }

    @Test func theBudgetIsSpentOnceAndNeverOverflows() {
        var budget = ByteBudget(bytes: 100)
        #expect(throws: Never.self) { try budget.take(10, each: 9, at: 0) }
        #expect(budget.remaining == 10)
        #expect(throws: ByteError.self) { try budget.take(11, each: 1, at: 0) }
        #expect(throws: ByteError.self) { try budget.take(.max, each: 8, at: 0) }
        #expect(throws: ByteError.self) { try budget.take(-1, each: 8, at: 0) }
        #expect(budget.remaining == 10)
    }

    @Test func aWriterGrowsAndTakesBack() {
        let bytes = written { writer in
            for value in 0..<1000 { writer.write(UInt16(value)) }
            writer.truncate(to: 4)
            writer.write(zeros: 3)
        }
        #expect(bytes == [0, 0, 1, 0, 0, 0, 0])
    }
}
