// Room:   BenchTests. The reader of Debian's index.

import Foundation
import Testing

@testable import amber_bench

@Suite struct DebianIndexTests {
    @Test(arguments: [
        ("1.0~rc1-1", "1.0-1"), ("1.0-1", "1.0-1+b1"), ("1.9-1", "1.10-1"), ("2.0-1", "1:0.1-1"), ("1.0", "1.0a"),
        ("1.0a", "1.0+"), ("1.2-3", "1.2-3.1"), ("5.2.15-2", "5.2.15-2+b1"), ("0", "00.1"), ("1.0~~", "1.0~"),
    ])
    func versionsAreOrderedAsThePolicySays(earlier: String, later: String) {
        #expect(DebianVersion(earlier) < DebianVersion(later))
        #expect(!(DebianVersion(later) < DebianVersion(earlier)))
        #expect(DebianVersion(earlier) != DebianVersion(later))
    }

    @Test func leadingZerosDoNotCount() {
        #expect(DebianVersion("1.02") == DebianVersion("1.2"))
    }

    @Test func paragraphsKeepTheirWantedFields() {
        let text =
            "Package: a\nVersion: 1\nDescription: short\n long\nTag: x,\n y\nUnwanted: z\n more\n\n\nPackage: b\n"
        var file = ControlFile(Data(text.utf8))
        let first = file.nextParagraph()
        #expect(first?["Package"] == "a")
        #expect(first?["Description"] == "short")
        #expect(first?["Tag"] == "x, y")
        #expect(first?["Unwanted"] == nil)
        #expect(file.nextParagraph()?["Package"] == "b")
        #expect(file.nextParagraph() == nil)
    }

    @Test func namesBecomeReferences() throws {
        let text = """
            Package: app
            Version: 1
            Depends: lib (>= 2), mailer | web:any (<< 3), nowhere

            Package: lib
            Version: 1
            Breaks: app (<= 0.5)

            Package: lib
            Version: 2

            Package: postman
            Version: 1
            Provides: mailer (= 7)

            Package: web
            Version: 1

            """
        let graph = try #require(PackageGraph(reading: [.init(name: "test", data: Data(text.utf8))]))
        let app = graph.packages[0]
        let relations = app.depends.map { $0.alternatives }
        #expect(relations.map(\.count) == [1, 2, 1])
        #expect(relations[0][0].candidates.map(\.version) == ["2"])
        #expect(relations[0][0].relation == .laterOrEqual && relations[0][0].version == "2")
        #expect(relations[1][0].candidates.map(\.name) == ["postman"])
        #expect(relations[1][1].candidates.map(\.name) == ["web"])
        #expect(relations[1][1].relation == .earlier)
        #expect(relations[2][0].name == "nowhere" && relations[2][0].candidates.isEmpty)
        #expect(graph.packages[1].breaks[0].alternatives[0].candidates[0] === app)
        #expect(graph.packages[3].provides == [Provision(name: "mailer", version: "7")])
        #expect(Package.areEqual(graph.packages, PackageRow.link(PackageRow.flatten(graph.packages))))
    }
}
