// Room:   FixtureTests. Bytes that the format allows and Amber never writes.
// Takes:  Fixtures/binary/legal. Gives: a failure when one isn't read as what its head says.
// Touches: the files, read only.

import AmberTestSupport
import Foundation
import Testing

@Suite struct LegalTests {
    @Test func everyFileReadsAsItsHeadSays() throws {
        let files = Fixture.all(in: "legal", "hex")
        #expect(!files.isEmpty, "Fixtures/binary/legal has no files.")
        let cases = legalCases()
        for fixture in files {
            let name = try #require(try fixture.head("value"), "\(fixture.name) has no head.")
            let expected = try #require(cases.first { $0.name == name }, "\(fixture.name): there is no value \(name).")
            let data = try fixture.bytes()
            #expect(try expected.difference(data) == nil, "\(fixture.name)")
            #expect(try expected.encode() != data, "\(fixture.name) is what Amber writes.")
        }
        let used = try Set(files.compactMap { try $0.head("value") })
        #expect(used == Set(cases.map(\.name)))
    }

    @Test func secondReaderFindsTheSame() throws {
        let files = Fixture.all(in: "legal", "hex")
        guard let lines = try secondReading(of: files.map(\.url)) else { return }
        for (fixture, line) in zip(files, lines) { #expect(line == (try fixture.expectedJSON()), "\(fixture.name)") }
    }
}

private func legalCases() -> [ArchiveCase] {
    var cases: [ArchiveCase] = []
    cases.append(ArchiveCase("0 to 7") { Array(0..<8) })
    cases.append(ArchiveCase("nine threes") { [Int](repeating: 3, count: 9) })
    cases.append(ArchiveCase("runs") { [1, 1, 1, 2, 2, 2, 3, 3, 3, 3] })
    cases.append(ArchiveCase("eight times amber") { [String](repeating: "amber", count: 8) })
    cases.append(ArchiveCase("sixteen times amber") { [String](repeating: "amber", count: 16) })
    cases.append(ArchiveCase("eight halves") { [Double](repeating: 0.5, count: 8) })
    cases.append(ArchiveCase("twice amber") { ["amber", "amber"] })
    cases.append(ArchiveCase("true") { true })
    cases.append(ArchiveCase("set of 1 and 2") { [1, 2] as Set<Int> })
    cases.append(ArchiveCase("dictionary") { ["a": 2] })
    cases.append(ArchiveCase("vertex") { LegalVertex(x: 1, y: 2) })
    cases.append(ArchiveCase("vertices") { (0..<8).map { LegalVertex(x: Float($0), y: 1) } })
    cases.append(ArchiveCase("nodes") { legalNodes() })
    cases.append(ArchiveCase("text") { String(repeating: "amber ", count: 12) })
    cases.append(ArchiveCase("parts") { [LegalPart(name: "p", from: 1), LegalPart(name: "q", from: 2)] })
    return cases
}

private func legalNodes() -> [LegalKnot] {
    let (first, second) = (LegalKnot(), LegalKnot())
    first.next = second
    return [first, second]
}
