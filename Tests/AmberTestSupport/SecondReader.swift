// Room:   AmberTestSupport. The reader in Python, run as a program of its own.
// Takes:  files. Gives: the line that it prints for each; nil where there is no Python.
// Touches: one process, the files given.

package import Foundation

/// The root of the repository.
package let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

/// What the reader that was written from the format page prints for each file: JSON, or "refused: " and why.
///
/// - Returns: A line for each file; `nil` if this machine has no `python3`.
package func secondReading(of files: [URL]) throws -> [String]? {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    let script = repository.appending(path: "Tests/FormatPageTests/reader.py").path
    process.arguments = ["python3", "-B", script] + files.map(\.path)
    let pipe = Pipe()
    process.standardOutput = pipe
    do { try process.run() } catch { return nil }
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    // `env` says by 127 that there is no such program.
    if process.terminationStatus == 127 { return nil }
    return String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
}
