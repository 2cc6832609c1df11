// Room:   AmberBinaryTests. LZ4 frames, ours and others'; equal bytes for equal graphs.
// Takes:  archives, frames, the lz4 command. Gives: the same bytes from everyone.
// Touches: the binary coder; temporary files; the lz4 command where there is one; this test's own executable.

import AmberBinary
import AmberModel
import AmberTestSupport
import Foundation
import Testing

private let lz4Command = ["/usr/bin/lz4", "/usr/local/bin/lz4", "/opt/homebrew/bin/lz4"].first {
    FileManager.default.isExecutableFile(atPath: $0)
}

@Suite struct FrameTests {
    private func run(_ arguments: [String]) throws -> Int32 {
        let process = Process()
        process.executableURL = URL(filePath: lz4Command ?? "")
        process.arguments = arguments
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
    }

    @Test(.enabled(if: lz4Command != nil)) func theLZ4CommandUndoesOurFramesAndWeUndoIts() throws {
        var generator = SeededGenerator()
        let values = (0..<3000).map { _ in generator.text() }
        let plain = try BinaryEncoder().encode(values)
        let folder = FileManager.default.temporaryDirectory.appending(path: "amber-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (packed, unpacked) = (folder.appending(path: "a.lz4"), folder.appending(path: "a"))
        for level in [-3, 0, 3, 9, 12] {
            for size in [LZ4Options.BlockSize.kilobytes64, .kilobytes256, .megabyte1, .megabytes4] {
                let options = BinaryEncodingOptions(compression: .lz4(LZ4Options(level: level, blockSize: size)))
                let frame = try BinaryEncoder(options: options).encode(values)
                try frame.write(to: packed)
                #expect(try run(["-d", "-f", packed.path, unpacked.path]) == 0)
                #expect(try Data(contentsOf: unpacked) == plain)
            }
        }
        for arguments in [["-1"], ["-9", "-B4"], ["-BD", "-B5"], ["--no-frame-crc"], ["--content-size"]] {
            try plain.write(to: unpacked)
            #expect(try run(arguments + ["-f", unpacked.path, packed.path]) == 0)
            #expect(
                try BinaryDecoder().decode([String].self, from: try Data(contentsOf: packed)) == values, "\(arguments)")
        }
    }

    @Test func aFrameOfSomethingElseIsNoArchive() {
        let frame: [UInt8] = [
            0x04, 0x22, 0x4d, 0x18, 0x60, 0x40, 0x82, 0x0f, 0, 0, 0, 0x5f, 0x54, 0x49, 0x43, 0x4b, 0x20, 0x05, 0x00,
            0x14, 0x50,
            0x20, 0x54, 0x49, 0x43, 0x4b, 0, 0, 0, 0,
        ]
        // It is a sound frame: what it holds is no archive, and that is what the error says.
        #expect(decodingFailure { try BinaryDecoder().decode(Int.self, from: Data(frame)) }?.code == .notAnArchive)
        #expect(
            decodingFailure { try BinaryDecoder().decode(Int.self, from: Data(frame.dropLast(4))) }?.code == .truncated)
        #expect(decodingFailure { try BinaryDecoder().decode(Int.self, from: Data(frame + [1])) }?.code == .truncated)
    }

    @Test func aFrameThatClaimsATebibyteIsRefused() {
        // Version 1, content size of 2^40, no blocks; the header's checksum is wrong, then missing.
        let frame: [UInt8] = [0x04, 0x22, 0x4d, 0x18, 0x68, 0x40, 0, 0, 0, 0, 0, 1, 0, 0]
        for checksum in 0...255 as ClosedRange<UInt8> {
            let data = Data(frame + [checksum, 0, 0, 0, 0])
            #expect(decodingFailure { try BinaryDecoder().decode(Int.self, from: data) } != nil)
        }
    }

    @Test func whatDoesNotCompressHardlyGrows() throws {
        var generator = SeededGenerator()
        let noise = Data((0..<200_000).map { _ in UInt8(truncatingIfNeeded: generator.next()) })
        let plain = try BinaryEncoder().encode(noise)
        for size in [LZ4Options.BlockSize.kilobytes64, .megabytes4] {
            let options = BinaryEncodingOptions(compression: .lz4(LZ4Options(blockSize: size)))
            #expect(try BinaryEncoder(options: options).encode(noise).count < plain.count + 64)
        }
    }

    @Test func archivesAreReadUpToTheLimitAndNoFurther() throws {
        let zeros = Data(count: 1 << 20)
        let frame = try BinaryEncoder(options: .init(compression: .lz4())).encode(zeros)
        let small = BinaryDecoder(options: .init(limits: DecodingLimits(bytes: 1 << 19)))
        #expect(decodingFailure { try small.decode(Data.self, from: frame) }?.code == .limitExceeded)
        #expect(
            decodingFailure { try small.decode(Data.self, from: try BinaryEncoder().encode(zeros)) }?.code
                == .limitExceeded)
        #expect(try BinaryDecoder().decode(Data.self, from: frame) == zeros)
    }

    // MARK: Equal bytes

    struct Orderly: Model {
        var numbers: Set<Int> = []
        var texts: [String: Set<String>] = [:]
        var gaps: [Gaps: [UUID: Int]] = [:]
        var objects: Set<Node> = []
        var any: [AnyHashable: Any] = [:]
        var maybe: Set<Int?>? = nil
    }

    private static func orderly(_ order: (Int) -> [Int]) -> Orderly {
        var value = Orderly()
        for index in order(40) {
            value.numbers.insert(index)
            value.texts["t\(index)", default: []].insert("x")
            value.texts["t\(index / 4)", default: []].insert("y\(index)")
            value.gaps[Gaps(a: Int8(index)), default: [:]][
                UUID(uuid: (UInt8(index), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))] = index
            value.objects.insert(Node("n\(index)"))
            value.any[index % 2 == 0 ? AnyHashable(index) : AnyHashable("k\(index)")] = index
            value.maybe = (value.maybe ?? [nil]).union([index])
        }
        value.any[AnyHashable(-1)] = 1
        value.any[AnyHashable(true)] = 2
        value.any[AnyHashable(Suit.hearts)] = 3
        return value
    }

    @Test func equalGraphsGiveEqualBytesWhateverTheOrder() throws {
        let encoder = BinaryEncoder(options: .init(isDeterministic: true))
        let first = try encoder.encode(Self.orderly { Array(0..<$0) })
        #expect(try encoder.encode(Self.orderly { Array((0..<$0).reversed()) }) == first)
        var generator = SeededGenerator()
        for _ in 0..<10 {
            #expect(
                try encoder.encode(Self.orderly { Array(0..<$0).shuffled(using: &generator) }) == first,
                "\(generator.replay)")
        }
    }

    @Test func equalGraphsGiveEqualBytesFromRunToRun() async throws {
        // Each child process has hash seeds of its own.
        let archive = try BinaryEncoder(options: .init(isDeterministic: true)).encode(Self.orderly { Array(0..<$0) })
        let path = FileManager.default.temporaryDirectory.appending(path: "amber-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        for _ in 0..<2 {
            try archive.write(to: URL(filePath: path))
            await #expect(processExitsWith: .success) { [path = path as String] in
                let here = try BinaryEncoder(options: .init(isDeterministic: true)).encode(
                    FrameTests.orderly { Array(0..<$0) })
                let there = try Data(contentsOf: URL(filePath: path))
                precondition(here == there, "Another process, other bytes.")
                let back = try BinaryDecoder().decode(FrameTests.Orderly.self, from: there)
                precondition(back.objects.count == 40 && back.any.count == 43, "Another process, another value.")
            }
        }
    }
}
