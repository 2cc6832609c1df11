// Room:   amber-bench / Harness. How much memory the process holds.
// Takes:  nothing. Gives: resident bytes now and at their highest, or nil where the system doesn't say.
// Touches: /proc/self.

import CBenchSupport
import Foundation

/// Resident memory as Linux reports it.
enum ProcessMemory {
    /// Gives free pages back and starts a new high-water mark; returns the resident bytes it starts from.
    static func startWatching() -> Int? {
        amber_bench_release_free_pages()
        guard let handle = FileHandle(forWritingAtPath: "/proc/self/clear_refs") else { return nil }
        defer { try? handle.close() }
        guard (try? handle.write(contentsOf: Data("5".utf8))) != nil else { return nil }
        return field("VmRSS:")
    }

    /// Highest resident bytes since ``startWatching()``.
    static func peak() -> Int? {
        field("VmHWM:")
    }

    private static func field(_ name: String) -> Int? {
        guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return nil }
        for line in status.split(separator: "\n") where line.hasPrefix(name) {
            return line.dropFirst(name.count).split(whereSeparator: { $0 == " " || $0 == "\t" }).first
                .flatMap { Int($0) }.map { $0 * 1024 }
        }
        return nil
    }
}
