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
        code = Self.code(in: Array(text.utf8))
    }

    var name: String { String(path.split(separator: "/").last ?? "") }
    var module: String { String(path.split(separator: "/").dropFirst().first ?? "") }
    var lineCount: Int { text.utf8.count { $0 == UInt8(ascii: "\n") } }
    var isFenced: Bool { name.hasPrefix("Unsafe") }
    var description: String { path }

    private enum State { case code, string, longString, comment, longComment }

    /// Leaves out comments and the contents of string literals, interpolations included.
    private static func code(in text: [UInt8]) -> [String] {
        var state = State.code
        var code: [UInt8] = []
        var index = 0
        func has(_ mark: StaticString) -> Bool {
            let bytes = mark.description.utf8
            return text[index...].starts(with: bytes)
        }
        while index < text.count {
            let byte = text[index]
            var width = 1
            switch state {
            case _ where byte == UInt8(ascii: "\n"):
                code.append(byte)
                if state == .comment || state == .string { state = .code }
            case .code:
                if has("//") {
                    state = .comment
                } else if has("/*") {
                    state = .longComment
                } else if has("\"\"\"") {
                    (state, width) = (.longString, 3)
                } else if byte == UInt8(ascii: "\"") {
                    state = .string
                } else {
                    code.append(byte)
                }
            case .string:
                if byte == UInt8(ascii: "\\") { width = 2 } else if byte == UInt8(ascii: "\"") { state = .code }
            case .longString:
                if byte == UInt8(ascii: "\\") { width = 2 } else if has("\"\"\"") { (state, width) = (.code, 3) }
            case .comment: break
            case .longComment:
                if has("*/") { (state, width) = (.code, 2) }
            }
            index += width
        }
        return String(decoding: code, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
            .map(String.init)
    }
}

enum House {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// All files of `Sources`; none if they can't be read, which is a failure of its own.
    static let sources = (try? files(in: "Sources")) ?? []

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
