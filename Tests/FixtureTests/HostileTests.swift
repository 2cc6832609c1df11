// Room:   FixtureTests. Bytes that every reader must refuse.
// Takes:  Fixtures/binary/hostile. Gives: a failure when one is read, or refused for another reason or elsewhere.
// Touches: the files, read only.

import AmberBinary
import AmberModel
import AmberTestSupport
import Foundation
import Testing

struct LegalVertex: Model {
    static var rules: ModelRules { ModelRules(name: "Vertex") }
    var x: Float
    var y: Float
}

final class LegalKnot: Model {
    static var rules: ModelRules { ModelRules(name: "Knot") }
    var next: LegalKnot?
}

struct LegalPart: Codable {
    var name: String
    var from: Int?
}

enum LegalShape: ModelProtocol {
    case circle(Double)
    case nothing

    static var rules: ModelRules { ModelRules(name: "Shape") }
}

@Suite struct HostileTests {
    @Test func everyFileIsRefusedAsItsHeadSays() throws {
        let files = Fixture.all(in: "hostile", "hex")
        #expect(!files.isEmpty, "Fixtures/binary/hostile has no files.")
        for fixture in files {
            let (data, type) = (try fixture.bytes(), try fixture.head("type") ?? "")
            let decode = try #require(readers[type], "\(fixture.name): there is no type \(type).")
            let failure = decodingFailure { try decode(data) }
            let code = failure.map { "\($0.code)" } ?? "none"
            let offset = failure?.offset.map { "\($0)" } ?? "none"
            let found = "\(fixture.name): \(code) at \(offset): \(failure?.reason ?? "It was read.")"
            #expect(code == (try fixture.head("code")), "\(found)")
            #expect(offset == (try fixture.head("offset")), "\(found)")
        }
    }

    @Test func secondReaderRefusesThemToo() throws {
        let files = Fixture.all(in: "hostile", "hex")
        guard let lines = try secondReading(of: files.map(\.url)) else { return }
        #expect(lines.count == files.count)
        for (fixture, line) in zip(files, lines) { #expect(line.hasPrefix("refused: "), "\(fixture.name): \(line)") }
    }

    private func reader<T>(_ type: T.Type) -> (Data) throws -> Void {
        { _ = try BinaryDecoder().decode(type, from: $0) }
    }

    private var readers: [String: (Data) throws -> Void] {
        [
            "Bool": reader(Bool.self), "Int16": reader(Int16.self), "[Int]": reader([Int].self),
            "[Int8]": reader([Int8].self), "[Bool]": reader([Bool].self), "Int?": reader(Int?.self),
            "[Int?]": reader([Int?].self), "String": reader(String.self), "[String]": reader([String].self),
            "[Data]": reader([Data].self), "[Double]": reader([Double].self), "Decimal": reader(Decimal.self),
            "[Any]": reader([Any].self), "[Void]": reader([Void].self), "[Vertex]": reader([LegalVertex].self),
            "Vertex": reader(LegalVertex.self), "Knot": reader(LegalKnot.self), "Knot?": reader(LegalKnot?.self),
            "[Shape]": reader([LegalShape].self), "[Part]": reader([LegalPart].self),
            "Character": reader(Character.self),
            "[[Int]]": reader([[Int]].self), "IndexSet": reader(IndexSet.self), "Range<Int>": reader(Range<Int>.self),
        ]
    }
}
