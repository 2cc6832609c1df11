// Room:   HouseTests. The files of the package, as the rules see them.
// Takes:  the folder that this file is in. Gives: each source file, its text, and its code without words.
// Touches: files, read only.

import Foundation

/// One Swift file of the package.
struct SourceFile: CustomStringConvertible {
    /// The path from the root of the package, such as `Sources/AmberModel/Model.swift`.
    let path: String
    let text: String
    /// The lines without comments and without the contents of string literals.
    let code: [String]

    init(path: String, text: String) {
        self.path = path
        self.text = text
        code = Self.code(in: text)
    }

    var name: String { String(path.split(separator: "/").last ?? "") }
    var module: String { String(path.split(separator: "/").dropFirst().first ?? "") }
    var lineCount: Int { text.utf8.count { $0 == UInt8(ascii: "\n") } }
    var isFenced: Bool { name.hasPrefix("Unsafe") }
    var description: String { path }

    /// The numbers of the lines whose code matches, from 1.
    func lines(matching pattern: Regex<Substring>) -> [Int] {
        code.indices.filter { code[$0].contains(pattern) }.map { $0 + 1 }
    }

    /// Blanks comments and the contents of string literals, line by line. Interpolations are words too.
    private static func code(in text: String) -> [String] {
        var isInText = false
        var depth = 0
        return text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            let tripleQuotes = line.ranges(of: "\"\"\"").count
            let wasInText = isInText
            if !tripleQuotes.isMultiple(of: 2) { isInText.toggle() }
            if wasInText || tripleQuotes > 0 { return "" }
            var code = ""
            var rest = Substring(line)
            var isInString = false
            while let character = rest.first {
                if !isInString, rest.hasPrefix("/*") { depth += 1 }
                if depth > 0, rest.hasPrefix("*/") {
                    depth -= 1
                    rest = rest.dropFirst(2)
                    continue
                }
                if depth == 0 {
                    if isInString, character == "\\" {
                        rest = rest.dropFirst(2)
                        continue
                    }
                    if !isInString, rest.hasPrefix("//") { break }
                    if character == "\"" {
                        isInString.toggle()
                        code.append(character)
                    } else if !isInString {
                        code.append(character)
                    }
                }
                rest = rest.dropFirst()
            }
            return code
        }
    }
}

enum House {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The text of a file, by its path from the root.
    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// All Swift files in a folder, sorted by path.
    static func files(in folder: String) throws -> [SourceFile] {
        let base = root.appending(path: folder)
        guard let found = FileManager.default.enumerator(atPath: base.path) else { return [] }
        let paths = found.compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }.sorted()
        return try paths.map { SourceFile(path: "\(folder)/\($0)", text: try text("\(folder)/\($0)")) }
    }
}
