// Room:   amber-bench / DebianIndex. Paragraphs of `Field: value` lines.
// Takes:  the bytes of a Packages or status file. Gives: one dictionary of wanted fields a paragraph.
// Touches: nothing; bytes that are no UTF-8 are repaired.

import Foundation

/// A reader of Debian control files.
struct ControlFile {
    private let bytes: [UInt8]
    private var position = 0

    init(_ data: Data) {
        bytes = [UInt8](data)
    }

    /// The next paragraph, or nil at the end of the file.
    mutating func nextParagraph() -> Paragraph? {
        var paragraph = Paragraph()
        while position < bytes.count {
            let start = position
            let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
            position = end + 1
            if start == end {
                if !paragraph.isEmpty { return paragraph }
                continue
            }
            let line = bytes[start..<end]
            if line.first == UInt8(ascii: " ") || line.first == UInt8(ascii: "\t") {
                paragraph.extend(with: line)
            } else {
                paragraph.add(line)
            }
        }
        return paragraph.isEmpty ? nil : paragraph
    }
}

/// The fields of one paragraph.
struct Paragraph {
    private var lines: [String: String] = [:]
    private var last = ""

    var isEmpty: Bool { lines.isEmpty }

    /// The value of a field, its continuation lines joined by a space.
    subscript(name: String) -> String? { lines[name] }

    /// Adds a line `Field: value`; lines without a colon, and fields nobody asks for, are left out.
    fileprivate mutating func add(_ line: ArraySlice<UInt8>) {
        last = ""
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return }
        let name = String(decoding: line[..<colon], as: UTF8.self)
        guard Self.wanted.contains(name) else { return }
        let value = line[(colon + 1)...].drop(while: { $0 == UInt8(ascii: " ") })
        lines[name] = String(decoding: value, as: UTF8.self)
        last = name
    }

    /// Adds a continuation line to the field before; of a description only its first line is kept.
    fileprivate mutating func extend(with line: ArraySlice<UInt8>) {
        guard !last.isEmpty, last != "Description" else { return }
        let value = line.drop(while: { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") })
        lines[last, default: ""] += " " + String(decoding: value, as: UTF8.self)
    }

    private static let wanted: Set<String> = [
        "Package", "Version", "Architecture", "Multi-Arch", "Source", "Section", "Priority", "Essential", "Maintainer",
        "Installed-Size", "Size", "Description", "Homepage", "Tag", "SHA256", "Status", "Pre-Depends", "Depends",
        "Recommends", "Suggests", "Enhances", "Breaks", "Conflicts", "Replaces", "Provides",
    ]
}
