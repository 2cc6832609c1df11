// Room:   amber-bench / Harness. Rows as a JSON file, and back.
// Takes:  rows or a path. Gives: the other. Touches: the file, replaced as a whole so that a stop leaves the last good one.

import Foundation

/// Saved rows.
enum SavedRun {
    static func write(_ rows: [Row], to path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        var data = try encoder.encode(rows)
        data.append(0x0A)
        try data.write(to: URL(fileURLWithPath: path), options: .atomic)
    }

    static func read(_ path: String) throws -> [Row] {
        try JSONDecoder().decode([Row].self, from: Data(contentsOf: URL(fileURLWithPath: path)))
    }
}
