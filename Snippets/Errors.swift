// Room:   Snippets. How failures read.
// Takes:  nothing. Gives: two failures. Touches: nothing.
import Amber
import Foundation

func log(_ text: String) { precondition(!text.isEmpty) }
let archive = try BinaryEncoder().encode([300])
// snippet.show
final class Download: Model {
    var url = URL(filePath: "/")
    var file: FileHandle?
}

do throws(EncodingFailure) {
    _ = try BinaryEncoder().encode(Download())
} catch {
    // .unsupportedType: Download.file: Foundation.FileHandle can't be archived. Make it a Model or Codable. Or leave
    // the property out: `static var rules: ModelRules { ModelRules().excluding("file") }`.
    log(error.description)
}

do throws(DecodingFailure) {
    _ = try BinaryDecoder().decode([Int8].self, from: archive)
} catch  where error.code == .doesNotFit {
    // The path, the byte and what to do stand in the description, and in `path` and `offset`.
    log("\(error.path) \(error.offset ?? 0) \(error)")
} catch {
    log(error.description)
}
// snippet.hide
