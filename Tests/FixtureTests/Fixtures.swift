// Room:   FixtureTests. The files of Fixtures/binary.
// Takes:  a folder's name. Gives: its files; their bytes and what their heads say.
// Touches: the files, read only; FixtureWriting alone writes.

import AmberTestSupport
import Foundation

/// A file of a fixture folder.
struct Fixture {
    let url: URL
    var name: String { url.deletingPathExtension().lastPathComponent }
    /// What the second reader must print.
    var json: URL { url.deletingPathExtension().appendingPathExtension("json") }

    static func folder(_ name: String) -> URL { repository.appending(path: "Fixtures/binary/\(name)") }

    /// The files with an extension, by name.
    static func all(in folder: String, _ pathExtension: String) -> [Fixture] {
        let found = try? FileManager.default.contentsOfDirectory(
            at: Self.folder(folder), includingPropertiesForKeys: nil)
        return (found ?? []).filter { $0.pathExtension == pathExtension }.map { Fixture(url: $0) }
            .sorted { $0.name < $1.name }
    }

    /// The bytes: of the file, or of the hex in it.
    func bytes() throws -> Data {
        if url.pathExtension == "amber" { return try Data(contentsOf: url) }
        return try AmberTestSupport.bytes(ofHex: String(contentsOf: url, encoding: .utf8))
    }

    /// What a line of the head says: `; key: value`.
    func head(_ key: String) throws -> String? {
        let text = try String(contentsOf: url, encoding: .utf8)
        return text.split(separator: "\n").first { $0.hasPrefix("; \(key): ") }.map {
            String($0.dropFirst(key.count + 4))
        }
    }

    func expectedJSON() throws -> String? {
        guard FileManager.default.fileExists(atPath: json.path) else { return nil }
        return try String(contentsOf: json, encoding: .utf8).trimmingCharacters(in: .newlines)
    }
}
