// Room:   HouseTests. The rules of the house, one test each.
// Takes:  every file of Sources. Gives: failures that name file and line.
// Touches: files, read only.

import Foundation
import Testing

@Suite struct RuleTests {
    /// Who may import whom.
    static let imports: [String: Set<String>] = [
        "AmberBytes": ["Darwin", "Glibc", "Musl"],
        "AmberModel": ["CSwiftRuntime", "Foundation", "Observation", "Synchronization"],
        "AmberBinary": ["AmberModel", "AmberBytes", "CLZ4", "Foundation", "Synchronization"],
        "AmberKeyed": ["AmberModel", "AmberBytes", "Foundation", "Synchronization"],
        "AmberReadable": ["AmberModel", "AmberBytes", "Foundation", "Synchronization"],
        "AmberCrypto": ["Foundation", "CryptoKit", "COpenSSL"],
        "AmberStore": [
            "AmberModel", "AmberBinary", "AmberKeyed", "AmberReadable", "AmberCrypto", "Foundation", "Security",
            "Synchronization",
        ],
        "Amber": ["AmberModel", "AmberBinary", "AmberKeyed", "AmberReadable", "AmberCrypto", "AmberStore"],
        "AmberCommand": ["Amber", "Foundation"],
    ]

    /// How many files a whole checkout has at least: an empty folder passes every rule.
    @Test func thereIsAHouse() {
        #expect(House.sources.count > 50)
    }

    @Test func roomsImportOnlyWhatTheTableAllows() {
        for file in House.sources {
            guard let allowed = Self.imports[file.module] else {
                Issue.record("\(file): the module \(file.module) has no row in the table of imports.")
                continue
            }
            for line in file.code {
                guard let found = line.firstMatch(of: /^\s*(?:@\w+ )*(?:\w+ )?import (?:\w+ )?(\w+)/) else { continue }
                #expect(allowed.contains(String(found.1)), "\(file) imports \(found.1)")
            }
        }
    }

    @Test func unsafeCodeStandsInItsFence() {
        let word = /\b(unsafe|Unsafe\w+|Unmanaged|unsafeBitCast)\b/
        var open: Set<String> = []
        for file in House.sources where !file.isFenced {
            let lines = file.code.indices.filter { file.code[$0].contains(word) }
            if lines.isEmpty { continue }
            open.insert(file.path)
            if Exceptions.unfenced[file.path] == nil {
                Issue.record("\(file): unsafe code in line \(lines[0] + 1): move it to a file named Unsafe….swift.")
            }
        }
        #expect(Set(Exceptions.unfenced.keys).subtracting(open).isEmpty, "exceptions no longer needed")
    }

    @Test func fencesStateTheirInvariantsAndAreSmall() {
        var long: Set<String> = []
        for file in House.sources where file.isFenced {
            // Two files may keep one set of invariants together; then one of them names the other.
            let states =
                file.text.contains("\n// Invariants\n// 1. ") || file.text.contains("\n// Invariants: those of Unsafe")
            #expect(states, "\(file): no Invariants at its head")
            if file.lineCount <= 200 { continue }
            long.insert(file.path)
            #expect(Exceptions.longFences[file.path] != nil, "\(file): \(file.lineCount) lines, more than 200")
        }
        #expect(Set(Exceptions.longFences.keys).subtracting(long).isEmpty, "exceptions no longer needed")
    }

    @Test func filesSayInWhichRoomTheyStand() throws {
        for file in try House.sources + House.files(in: "Snippets") {
            let room = file.path.hasPrefix("Snippets/") ? "Snippets" : file.module
            #expect(file.text.hasPrefix("// Room:   \(room)"), "\(file): no head, or another room's")
            let head = file.text.split(separator: "\n").prefix { $0.hasPrefix("//") }
            #expect(head.contains { $0.contains("Takes:") }, "\(file): the head doesn't say what it takes")
            #expect(head.contains { $0.contains("Touches:") }, "\(file): the head doesn't say what it touches")
        }
    }

    @Test func nothingThatReadsArchivesTraps() {
        let trap = /\bfatalError\b|\btry!|\bas!|[\w\])]!(?!=)/
        for file in House.sources {
            let reads =
                file.path.contains("/Decoding/") || file.path.contains("/Wire/") || file.path.contains("/Columns/")
                || file.path.contains("/Frame/") || file.name.contains("Decoder") || file.name.contains("Reader")
            guard reads, Exceptions.traps[file.path] == nil else { continue }
            for (index, line) in file.code.enumerated() where line.contains(trap) {
                Issue.record("\(file):\(index + 1) can trap: \(line.trimmingCharacters(in: .whitespaces))")
            }
        }
    }

    /// Advice, not a rule: it lists and doesn't fail.
    @Test func longFilesAreListed() {
        for file in House.sources where file.lineCount > 400 {
            print("\(file): \(file.lineCount) lines, more than 400")
        }
    }

    @Test func scanningBlanksWordsAndKeepsCode() {
        let file = SourceFile(
            path: "Sources/M/F.swift",
            text:
                "let a = \"unsafe \\\"x\\\" try!\" // as!\n/* fatalError */ let b = 1\nlet c = \"\"\"\n  try!\n  \"\"\"\n"
        )
        #expect(file.code == ["let a =  ", " let b = 1", "let c = ", "", "", ""])
    }
}
