// Room:   FormatPageTests. The format page, held against the code and against a reader written from the page.
// Takes:  Documentation/BinaryFormat.md. Gives: a failure wherever page, code and second reader disagree.
// Touches: the page; a temporary folder; python3, if there is one.

import AmberBinary
import AmberModel
import AmberTestSupport
import Foundation
import Testing

@Suite struct FormatPageTests {
    static func blocks() throws -> [HexBlock] {
        let page = repository.appending(path: "Documentation/BinaryFormat.md")
        return try hexBlocks(inMarkdown: String(contentsOf: page, encoding: .utf8))
    }

    /// The folder into which `AMBER_PAGE_BYTES` asks for what the code writes: how a new block is begun.
    private static var folder: URL? {
        ProcessInfo.processInfo.environment["AMBER_PAGE_BYTES"].map { URL(filePath: $0) }
    }

    @Test func everyValueHasABlockAndEveryBlockAValue() throws {
        let (named, known) = (try Self.blocks().map(\.name), pageCases().map(\.name))
        #expect(!named.isEmpty, "The page has no blocks of hex.")
        #expect(named.sorted() == known.sorted())
        #expect(Set(named).count == named.count, "Two blocks have one name.")
    }

    @Test(arguments: pageCases().map(\.name)) func codeWritesAndReadsWhatThePageSays(_ name: String) throws {
        let example = try #require(pageCases().first { $0.name == name })
        let written = try example.encode()
        if let folder = Self.folder { try written.write(to: folder.appending(path: "\(name).amber")) }
        let block = try #require(try Self.blocks().first { $0.name == name }, "The code writes:\n\(hex(written))")
        #expect(try example.difference(block.bytes) == nil, "line \(block.line)")
        if name.hasPrefix("legal") {
            #expect(block.bytes != written, "Amber writes these bytes: the block is not merely legal.")
        } else if example.isCompressed {
            // What LZ4 makes of the contents may differ from one liblz4 to the next; the frame's head may not.
            #expect(
                block.bytes.prefix(15) == written.prefix(15), "line \(block.line), the code writes:\n\(hex(written))")
        } else {
            #expect(block.bytes == written, "line \(block.line), the code writes:\n\(hex(written))")
        }
    }

    @Test func secondReaderFindsWhatThePageSays() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "amber-page-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let blocks = try Self.blocks()
        let files = try blocks.map { block in
            let file = folder.appending(path: "\(block.name).amber")
            try block.bytes.write(to: file)
            return file
        }
        guard let lines = try secondReading(of: files) else { return }
        #expect(lines.count == blocks.count)
        for (block, line) in zip(blocks, lines) {
            // Without a schema nobody can read an archive but who has it.
            let expected = block.json ?? "refused: no schema: only a program that has it can read this"
            #expect(line == expected, "\(block.name), line \(block.line)")
        }
    }
}
