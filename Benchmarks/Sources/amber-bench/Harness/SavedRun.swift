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

    /// Makes the file, so that a path that can't be written is known before the work.
    static func start(_ path: String) throws(UsageError) {
        do { try write([], to: path) } catch { throw UsageError(description: "cannot write \(path)") }
    }

    static func read(_ path: String) throws(UsageError) -> [Row] {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw UsageError(description: "cannot read \(path)")
        }
        guard let rows = try? JSONDecoder().decode([Row].self, from: data) else {
            throw UsageError(description: "\(path) is no saved run")
        }
        return rows
    }
}
