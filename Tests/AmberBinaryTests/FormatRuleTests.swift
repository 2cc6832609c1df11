// Room:   AmberBinaryTests. Rules of the format that writer and reader must apply alike.
// Takes:  values at the edges of the rules; bytes that name types without end. Gives: the same values, or an error.
// Touches: the binary coder.

import AmberBinary
import AmberModel
import AmberTestSupport
import Foundation
import Testing

/// 65,544 bytes in memory, nine in an archive.
@available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
private struct LargeGap: Model {
    static var rules: ModelRules { ModelRules().excluding("buffer") }
    var small: Int8 = 1
    var buffer = InlineArray<65_535, UInt8>(repeating: 0)
    var large: Int64 = 2
}

private struct Point: Model, Equatable {
    static var rules: ModelRules { ModelRules(name: "Point") }
    var x: Float = 1
    var y: Float = 2
}

private struct LaterPoint: Model, Equatable {
    static var rules: ModelRules { ModelRules(name: "Point") }
    var x: Float = 1
    var y: Float = 2
    var weight: Float = 7
}

private struct Pair<Element: Model & Equatable>: Model, Equatable {
    static var rules: ModelRules { ModelRules(name: "Pair") }
    var first: Element
    var second: Element
}

private struct Hooked: Model {
    var number: Int32 = 0

    func willEncode() throws { if number == -1 { throw CancellationError() } }
    mutating func didDecode() throws { number += 1 }
}

private struct Hooks: Model {
    var inner = Hooked()
    var other: Int32 = 0
}

private typealias Eight<T> = (T, T, T, T, T, T, T, T)

private func eight<T>(_ value: T) -> Eight<T> { (value, value, value, value, value, value, value, value) }

/// 512 bytes in memory, hardly any in an archive of many equal ones.
private struct Broad: Model, Comparable {
    var numbers: Eight<Eight<Int>>

    init() { numbers = eight(eight(1)) }

    static func == (left: Broad, right: Broad) -> Bool { left.numbers.0.0 == right.numbers.0.0 }
    static func < (left: Broad, right: Broad) -> Bool { left.numbers.0.0 < right.numbers.0.0 }
}

private indirect enum Boxed {
    case one(Broad)
    case none
}

private struct Chained: Model {
    var children: [Chained] = []
}

@Suite struct FormatRuleTests {
    @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
    @Test func plainStructsAreToldByTheirSizeInArchives() throws {
        let back = try roundTrip([LargeGap](repeating: LargeGap(), count: 8))
        #expect(back.count == 8)
        #expect(back[7].large == 2 && back[7].small == 1)
    }

    @Test func defaultsFillWhatBlocksOfPlainStructsLack() throws {
        for count in [1, 7, 8, 40] {
            let points = (0..<count).map { Point(x: .random(in: 0...1), y: Float($0)) }
            let later = try read(points, as: [LaterPoint].self)
            #expect(later == points.map { LaterPoint(x: $0.x, y: $0.y, weight: 7) }, "\(count)")
            let pairs = points.map { Pair(first: $0, second: $0) }
            let laterPairs = try read(pairs, as: [Pair<LaterPoint>].self)
            #expect(laterPairs == later.map { Pair(first: $0, second: $0) }, "\(count) pairs")
        }
    }

    @Test(arguments: [1, 7, 8, 40]) func hooksInsideBlocksOfPlainStructsAreCalled(_ count: Int) throws {
        // Numbers of full width, so that a block is chosen.
        var values = (0..<count).map { Hooks(inner: Hooked(number: Int32($0 % 2) << 30), other: Int32($0 % 3) << 29) }
        #expect(try roundTrip(values).map(\.inner.number) == values.map { $0.inner.number + 1 })
        values[count - 1].inner.number = -1
        let failure = encodingFailure { try BinaryEncoder().encode(values) }
        #expect(failure?.code == .rejectedByHook)
        #expect(failure?.description.contains("inner") == true)
    }

    /// Each form here takes more memory to read than its elements take, which the writer must know.
    @Test func whatIsWrittenWithDefaultsIsReadWithDefaults() throws {
        let (count, value) = (120_000, Broad())
        #expect(try roundTrip([Any](repeating: value, count: count)).count == count)
        #expect(try roundTrip([Boxed](repeating: .one(value), count: count)).count == count)
        #expect(try roundTrip([Range<Broad>](repeating: value..<value, count: count / 2)).count == count / 2)
    }

    /// A schema of structs, each of which holds the next; `member` is the type of what it holds before its number.
    private func chain(of count: Int, _ root: [UInt8], _ member: [UInt8]) -> Data {
        func varint(_ number: Int) -> [UInt8] {
            var (bytes, rest) = ([UInt8](), number)
            while rest >= 0x80 {
                bytes.append(UInt8(rest & 0x7f) | 0x80)
                rest >>= 7
            }
            return bytes + [UInt8(rest)]
        }
        var schema = root + varint(count)
        for number in 0..<count {
            schema += [1, 0, 0, 1, 8] + Array("children".utf8) + member + [0x27] + varint((number + 1) % count)
        }
        return Data(Array("AMBR".utf8) + [1, 0] + varint(schema.count) + schema + [0, 0])
    }

    /// Runs on a stack of the size that threads have on Apple systems.
    @Test func chainsOfDefinitionsDoNotOverflowTheStack() async {
        let chains = [10, 500, 1000, 100_000].flatMap { length in
            [chain(of: length, [5], []), chain(of: length, [0x23, 0x27, 0], [0x23])]
        }
        await withCheckedContinuation { continuation in
            let thread = Thread {
                for data in chains { _ = decodingFailure { try BinaryDecoder().decode([Chained].self, from: data) } }
                continuation.resume()
            }
            thread.stackSize = 512 << 10
            thread.start()
        }
    }
}
