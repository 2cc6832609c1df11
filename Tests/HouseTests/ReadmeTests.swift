// Room:   HouseTests. What the pages show is what is compiled.
// Takes:  README.md, the pages of the documentation catalogs, Snippets. Gives: failures that name the page.
// Touches: files, read only.

import Foundation
import Testing

@Suite struct ReadmeTests {
    /// What a snippet shows: the lines between `snippet.show` and `snippet.hide`.
    private func shown(_ name: String) throws -> String {
        let text = try House.text("Snippets/\(name).swift")
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let start = try #require(lines.firstIndex { $0 == "// snippet.show" })
        let end = try #require(lines.firstIndex { $0 == "// snippet.hide" })
        return lines[(start + 1)..<end].joined(separator: "\n").trimmingCharacters(in: .newlines)
    }

    /// The Swift blocks of a page.
    private func blocks(_ page: String) throws -> [String] {
        try House.text(page).components(separatedBy: "```swift\n").dropFirst().map {
            ($0.components(separatedBy: "\n```").first ?? "").trimmingCharacters(in: .newlines)
        }
    }

    @Test func theFirstExampleIsTheFirstSnippet() throws {
        #expect(try blocks("README.md").first == shown("FirstArchive"))
    }

    @Test func theOtherExamplesAreSnippetsToo() throws {
        let blocks = try blocks("README.md")
        for name in ["Kinds", "Customising", "Options", "Parts", "KeyedArchives"] {
            #expect(try blocks.contains(shown(name)), "README.md doesn't show Snippets/\(name).swift")
        }
        // Beside them stand only pieces of manifests.
        let others = try blocks.filter { block in
            try !["FirstArchive", "Kinds", "Customising", "Options", "Parts", "KeyedArchives"].contains {
                try shown($0) == block
            }
        }
        #expect(others.allSatisfy { $0.hasPrefix(".package(") || $0.hasPrefix(".product(") }, "\(others)")
    }

    @Test func pagesNameOnlySnippetsThatAreThere() throws {
        let base = House.root.appending(path: "Sources")
        let pages = FileManager.default.enumerator(atPath: base.path)?.compactMap { $0 as? String } ?? []
        for page in pages where page.hasSuffix(".md") {
            for found in try House.text("Sources/\(page)").matches(of: /@Snippet\(path: "Amber\/Snippets\/(\w+)"/) {
                let path = House.root.appending(path: "Snippets/\(found.1).swift").path
                #expect(FileManager.default.fileExists(atPath: path), "\(page) names the snippet \(found.1)")
            }
        }
    }

    @Test func theBenchmarkTableHasItsPlace() throws {
        let parts = try House.text("README.md").components(separatedBy: "<!-- benchmark -->")
        #expect(parts.count == 3, "The table stands between two lines `<!-- benchmark -->`.")
    }
}
