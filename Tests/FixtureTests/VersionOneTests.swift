// Room:   FixtureTests. Archives of version 1, for ever.
// Takes:  Fixtures/binary/v1. Gives: a failure when one can't be read, reads as something else, or is written otherwise.
// Touches: the files, read only, unless AMBER_WRITE_FIXTURES asks for those that are missing.

import AmberBinary
import AmberModel
import AmberTestSupport
import Foundation
import Testing

@Suite(.serialized) struct VersionOneTests {
    static var isWriting: Bool { ProcessInfo.processInfo.environment["AMBER_WRITE_FIXTURES"] == "missing" }

    private func file(_ name: String) -> URL { Fixture.folder("v1").appending(path: "\(name).amber") }

    /// Writes the files that are missing, and what the second reader finds in them. Never writes over a file.
    @Test(.enabled(if: isWriting)) func aMissingFileIsWritten() throws {
        try FileManager.default.createDirectory(at: Fixture.folder("v1"), withIntermediateDirectories: true)
        for fixture in versionOneCases() where !FileManager.default.fileExists(atPath: file(fixture.name).path) {
            try fixture.encode().write(to: file(fixture.name), options: .withoutOverwriting)
        }
        for folder in ["v1", "legal"] {
            let files = Fixture.all(in: folder, folder == "v1" ? "amber" : "hex")
            for (fixture, line) in zip(files, try #require(try secondReading(of: files.map(\.url))))
            where try fixture.expectedJSON() == nil && !line.hasPrefix("refused") {
                try Data((line + "\n").utf8).write(to: fixture.json, options: .withoutOverwriting)
            }
        }
    }

    @Test func everyFileHasAValueAndEveryValueAFile() {
        let files = Fixture.all(in: "v1", "amber").map(\.name)
        #expect(!files.isEmpty, "Fixtures/binary/v1 has no files.")
        #expect(files == versionOneCases().map(\.name).sorted())
    }

    @Test(arguments: versionOneCases().map(\.name)) func fileReadsAsItsValueAndIsWrittenAgain(_ name: String) throws {
        let fixture = try #require(versionOneCases().first { $0.name == name })
        let data = try Data(contentsOf: file(name))
        #expect(try fixture.difference(data) == nil)
        let written = try fixture.encode()
        // What LZ4 makes of the contents may differ from one liblz4 to the next; the frame's head may not.
        let same = fixture.isCompressed ? written.prefix(15) == data.prefix(15) : written == data
        #expect(same, "The archive of \(name) is now another: \(written.count) bytes, not \(data.count).")
    }

    @Test func secondReaderFindsTheSame() throws {
        let files = Fixture.all(in: "v1", "amber")
        guard let lines = try secondReading(of: files.map(\.url)) else { return }
        #expect(lines.count == files.count)
        for (fixture, line) in zip(files, lines) {
            let expected = try fixture.expectedJSON() ?? "refused: no schema: only a program that has it can read this"
            #expect(line == expected, "\(fixture.name)")
        }
    }

    /// No archive can be read when a byte of it is missing, or one too many.
    @Test(arguments: ["leaves-row", "collections-rows", "graph-rows", "codable-root", "existentials-rows"])
    func everyPrefixIsRefused(_ name: String) throws {
        let fixture = try #require(versionOneCases().first { $0.name == name })
        let data = try Data(contentsOf: file(name))
        forEachPrefix(of: data) { prefix in
            #expect(decodingFailure { try fixture.difference(prefix) } != nil, "\(prefix.count) bytes")
        }
        #expect(decodingFailure { try fixture.difference(data + [0]) }?.code == .truncated)
    }
}
