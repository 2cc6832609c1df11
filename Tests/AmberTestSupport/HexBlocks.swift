// Room:   AmberTestSupport. Bytes as people write them: hex with comments, in files and in Markdown.
// Takes:  text. Gives: named blocks of bytes, with the JSON that follows each.
// Touches: nothing.

package import Foundation

/// A fenced block of hex in Markdown: ```` ```hex name ````, and the block of JSON that follows it, if one does.
package struct HexBlock: Sendable {
    package var name: String
    package var bytes: Data
    package var json: String?
    package var line: Int
}

/// Text that is not what it should be.
package struct HexFault: Error, CustomStringConvertible {
    package var description: String
}

/// The bytes of hex digits. Blanks are passed over, and comments from `;` to the end of a line.
package func bytes(ofHex text: some StringProtocol) throws -> Data {
    var data = Data()
    for line in text.split(separator: "\n", omittingEmptySubsequences: true) {
        let digits = Array(line.prefix { $0 != ";" }.filter { !$0.isWhitespace })
        guard digits.count.isMultiple(of: 2) else { throw HexFault(description: "Half a byte in: \(line)") }
        for start in stride(from: 0, to: digits.count, by: 2) {
            let pair = String(digits[start..<start + 2])
            guard let byte = UInt8(pair, radix: 16) else {
                throw HexFault(description: "`\(pair)` is not hex: \(line)")
            }
            data.append(byte)
        }
    }
    return data
}

/// Every block of hex in a page.
package func hexBlocks(inMarkdown text: String) throws -> [HexBlock] {
    var blocks: [HexBlock] = []
    var fence: (kind: Substring, name: String, line: Int, text: String)?
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
        guard line.hasPrefix("```") else {
            fence?.text += "\(line)\n"
            continue
        }
        guard let open = fence else {
            let words = line.dropFirst(3).split(separator: " ")
            fence = (words.first ?? "", words.dropFirst().joined(separator: " "), index + 1, "")
            continue
        }
        fence = nil
        if open.kind == "hex" {
            blocks.append(HexBlock(name: open.name, bytes: try bytes(ofHex: open.text), json: nil, line: open.line))
        } else if open.kind == "json", !blocks.isEmpty, blocks[blocks.count - 1].json == nil {
            blocks[blocks.count - 1].json = open.text.trimmingCharacters(in: .whitespacesAndNewlines)
        }
    }
    return blocks
}

/// The bytes as hex, 16 in a line.
package func hex(_ data: Data) -> String {
    stride(from: 0, to: data.count, by: 16).map { start in
        data.dropFirst(start).prefix(16).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ")
    }.joined(separator: "\n")
}
