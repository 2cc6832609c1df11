// Room:   AmberTestSupport. Archives made by other programs, where a checkout has them beside it.
// Takes:  the environment's AMBER_CORPUS, or the place of this file. Gives: a folder, if there is one.
// Touches: the file system, reading.

package import Foundation

/// The folder of other programs' archives; `nil` if there is none, and tests of them have nothing to do.
package let corpusFolder: URL? = {
    var candidates: [URL] = []
    if let named = ProcessInfo.processInfo.environment["AMBER_CORPUS"] {
        candidates.append(URL(fileURLWithPath: named))
    }
    let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    candidates.append(package.deletingLastPathComponent().appendingPathComponent("shared/corpus"))
    return candidates.first { FileManager.default.fileExists(atPath: $0.appendingPathComponent("MANIFEST.md").path) }
}()
