// Room:   amber-bench / Harness. Exact sizes that must not change unnoticed.
// Takes:  sizes by workload. Gives: a file of them, or what differs from it. Touches: the file.

import Foundation

/// Sizes of deterministic archives, by workload.
enum ByteThresholds {
    static func write(_ sizes: [String: Int], to path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        var data = try encoder.encode(sizes)
        data.append(0x0A)
        try data.write(to: URL(fileURLWithPath: path), options: .atomic)
    }

    /// One sentence for each size that is not as the file says; sizes of workloads that were not run are not missed.
    static func differences(of sizes: [String: Int], from path: String) throws -> [String] {
        let expected = try JSONDecoder().decode([String: Int].self, from: Data(contentsOf: URL(fileURLWithPath: path)))
        return sizes.sorted { $0.key < $1.key }.compactMap { name, size in
            guard let wanted = expected[name] else { return "\(name): \(size) bytes, but \(path) has no figure" }
            return size == wanted ? nil : "\(name): \(size) bytes instead of \(wanted)"
        }
    }
}
