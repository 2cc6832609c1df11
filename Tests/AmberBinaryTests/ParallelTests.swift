// Room:   AmberBinaryTests. Archives written and read on several threads.
// Takes:  random graphs and values, whole and damaged. Gives: what one thread gives, byte for byte and error for error.
// Touches: the binary coder; threads.

import AmberBinary
import AmberModel
import AmberTestSupport
import Foundation
import Testing

private enum ParallelTag {}
private typealias CountedInParallel = Tracked<ParallelTag>

private func encoding(threads: Int) -> BinaryEncodingOptions {
    var options = BinaryEncodingOptions(isDeterministic: true, threads: threads)
    // So that small graphs are shared too, and shares have shares.
    options.smallestSharedBatch = 8
    return options
}

private func decoding(threads: Int, _ limits: DecodingLimits = DecodingLimits()) -> BinaryDecodingOptions {
    var options = BinaryDecodingOptions(limits: limits, threads: threads)
    options.smallestSharedBatch = 8
    return options
}

@Suite(.serialized) struct ParallelTests {
    private func check<Root>(_ root: Root, _ name: String) throws -> (Data, Root) {
        let alone = try BinaryEncoder(options: encoding(threads: 1)).encode(root)
        for threads in [2, 4] {
            let together = try BinaryEncoder(options: encoding(threads: threads)).encode(root)
            #expect(alone == together, "\(name), \(threads) threads")
        }
        let back = try BinaryDecoder(options: decoding(threads: 2)).decode(Root.self, from: alone)
        #expect(difference(root, back) == nil, "\(name)")
        return (alone, back)
    }

    @Test func theBytesAndTheGraphAreThoseOfOneThread() throws {
        var generator = SeededGenerator()
        print("ParallelTests: \(generator.replay)")
        for count in [7, 8, 9, 40, 300] {
            let things = generator.graph(count, rich: true)
            defer { for thing in things { thing.breakCycles() } }
            let root = GraphRoot(things: things, first: things.first, set: Set(things.prefix(9)))
            let (_, back) = try check(root, "\(count) things, \(generator.replay)")
            for thing in back.things { thing.breakCycles() }
        }
        for count in [8, 100] {
            _ = try check((0..<count).map { _ in generator.kinds() }, "\(count) kinds, \(generator.replay)")
            _ = try check((0..<count).map { _ in generator.shapes() }, "\(count) shapes, \(generator.replay)")
        }
    }

    @Test func largeBatchesAreSharedByDefault() throws {
        var generator = SeededGenerator(seed: 3)
        let kinds = (0..<3000).map { _ in generator.kinds() }
        let alone = try BinaryEncoder(options: .init(isDeterministic: true)).encode(kinds)
        #expect(try BinaryEncoder(options: .init(isDeterministic: true, threads: 2)).encode(kinds) == alone)
        let back = try BinaryDecoder(options: .init(threads: 2)).decode([Kinds].self, from: alone)
        #expect(difference(kinds, back) == nil)
    }

    @Test func damageIsAnErrorWhereItIsOneForOneThread() throws {
        var generator = SeededGenerator(seed: 11)
        let kinds = (0..<9).map { _ in generator.kinds() }
        let data = try BinaryEncoder(options: encoding(threads: 1)).encode(kinds)
        let limits = DecodingLimits(bytes: 1 << 22, baseMemory: 1 << 20)
        let alone = BinaryDecoder(options: decoding(threads: 1, limits))
        let together = BinaryDecoder(options: decoding(threads: 2, limits))
        func compare(_ data: Data) {
            let (one, two) = (
                try? alone.decode([Kinds].self, from: data), try? together.decode([Kinds].self, from: data)
            )
            #expect((one == nil) == (two == nil))
            if let one, let two { #expect(difference(one, two) == nil) }
        }
        forEachPrefix(of: data, limit: 200, compare)
        forEachFlippedBit(of: data, limit: 600, compare)
        for _ in 0..<300 { compare(generator.damage(data)) }
    }

    @Test func everyObjectDiesWhicheverColumnFails() throws {
        let ring = (0..<12).map { CountedInParallel("r\($0)") }
        for (index, object) in ring.enumerated() {
            (object.next, object.owner, object.others) = (ring[(index + 1) % 12], ring[0], [ring[index / 2]])
            object.inner = ["some string for the heap \(index)"]
        }
        let data = try BinaryEncoder().encode(ring)
        for object in ring { (object.next, object.others) = (nil, []) }
        let decoder = BinaryDecoder(options: decoding(threads: 2))
        let before = livingObjects(ParallelTag.self)
        var failures = 0
        func read(_ data: Data) {
            do {
                for object in try decoder.decode([CountedInParallel].self, from: data) {
                    (object.next, object.others) = (nil, [])
                }
            } catch {
                failures += 1
                #expect(livingObjects(ParallelTag.self) <= before + 24, "\(error)")
            }
        }
        forEachPrefix(of: data, read)
        #expect(livingObjects(ParallelTag.self) == before)
        #expect(failures == data.count)
        forEachFlippedBit(of: data, limit: 1500, read)
        // A flipped reference can make a cycle, which is the caller's to break.
        #expect(livingObjects(ParallelTag.self) - before < 40 * 12)
    }

    @Test func failuresNameTheirPlace() throws {
        struct Late: Model {
            var names: [String] = ["x"]
            var number: Int16 = 0
        }
        struct Early: Model {
            var names: [String] = ["x"]
            var number = 70_000
            static var rules: ModelRules { ModelRules(name: codingName(of: Late.self)) }
        }
        let data = try BinaryEncoder().encode(Array(repeating: Early(), count: 20))
        let failure = decodingFailure {
            try BinaryDecoder(options: decoding(threads: 2)).decode([Late].self, from: data)
        }
        #expect(failure?.code == .doesNotFit)
        #expect(failure?.path.description.contains("number") == true)
    }
}
