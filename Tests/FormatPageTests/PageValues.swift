// Room:   FormatPageTests. The value of each block of hex on the format page.
// Takes:  nothing. Gives: a case for each block, by the block's name.
// Touches: nothing.

import AmberBinary
import AmberModel
import AmberTestSupport
import Foundation

/// The values of the page's blocks. Those whose names begin with "legal" are read only.
func pageCases() -> [ArchiveCase] {
    [graphCases(), rowCases(), integerCases(), leafColumnCases(), columnCases(), otherCases()].flatMap { $0 }
}

private func cycle() -> Node {
    let (first, second) = (Node(), Node())
    (first.name, first.next) = ("ping", second)
    (second.name, second.next) = ("pong", first)
    return first
}

private func animals() -> [Animal] {
    let (dog, cat) = (Dog(), Animal())
    (dog.name, dog.tricks, dog.friend) = ("Rex", 3, cat)
    cat.name = "Tom"
    return [dog, cat]
}

private func node(_ name: String) -> Node {
    let node = Node()
    node.name = name
    return node
}

private func graphCases() -> [ArchiveCase] {
    [
        ArchiveCase("point") { Point(x: 3, y: -2) },
        ArchiveCase("fingerprint", .init(schema: .fingerprint)) { Point(x: 3, y: -2) },
        ArchiveCase("cycle") { cycle() },
        ArchiveCase("subclass") { animals() },
    ]
}

private func rowCases() -> [ArchiveCase] {
    [
        ArchiveCase("leaves") { Leaves() },
        ArchiveCase("integers") { (signed: [0, -1, 300] as [Int32], unsigned: [0, 127, 128] as [UInt16]) },
        ArchiveCase("shapes") { Shapes() },
        ArchiveCase("strings") { ["amber", "bee", "amber", "a", "a"] },
        ArchiveCase("legal-string-twice") { ["amber", "amber", "amber"] },
        ArchiveCase("bridged") { Bridged() },
        ArchiveCase("existentials") { [1, "two", Point(x: 3, y: 4), node("n"), 5] as [Any] },
    ]
}

private func many<Value>(_ count: Int, _ make: (Int) -> Value) -> [Value] { (0..<count).map(make) }

private func integerCases() -> [ArchiveCase] {
    var cases: [ArchiveCase] = []
    cases.append(ArchiveCase("packed") { [100, 107, 103, 101, 100, 106, 102, 105] as [Int16] })
    cases.append(ArchiveCase("deltas") { many(12) { Int32($0 * 1000 + $0 % 2) } })
    cases.append(ArchiveCase("runs") { many(60) { [1, 250, 7][$0 / 20] as UInt8 } })
    cases.append(ArchiveCase("sparse") { many(64) { $0 % 3 == 1 ? UInt8(truncatingIfNeeded: $0 * 37) : 9 } })
    cases.append(ArchiveCase("large") { many(8) { UInt64.max - UInt64($0 % 4) } })
    return cases
}

private func leafColumnCases() -> [ArchiveCase] {
    var cases: [ArchiveCase] = []
    cases.append(ArchiveCase("raw") { many(8) { Double($0) / 2 } })
    cases.append(ArchiveCase("raw-dictionary") { many(16) { $0 % 3 == 0 ? 0.5 : 1 as Float } })
    cases.append(ArchiveCase("string-column") { ["a", "b", "", "née", "e", "f", "g", "h"] })
    cases.append(ArchiveCase("string-dictionary") { many(18) { ["red", "green", "blue"][$0 * $0 % 3] } })
    cases.append(ArchiveCase("data-column") { many(8) { Data(repeating: UInt8($0), count: $0 % 3) } })
    return cases
}

private func columnCases() -> [ArchiveCase] {
    var cases: [ArchiveCase] = []
    cases.append(ArchiveCase("plain-block") { many(8) { Vertex(x: Float($0), y: 0.5) } })
    cases.append(ArchiveCase("plain-columns") { many(8) { Extent(width: Int32($0), height: 7) } })
    cases.append(ArchiveCase("struct-columns") { many(8) { Mark(isOn: $0 == 2, at: Vertex(x: 1, y: Float($0))) } })
    cases.append(
        ArchiveCase("optional-column") { [nil, "a", nil, nil, "bee", nil, nil, "bee", nil] as [String?] })
    cases.append(ArchiveCase("enum-column") { many(8) { shape($0) } })
    cases.append(ArchiveCase("array-column") { many(8) { [Int16](repeating: Int16($0), count: $0 % 3) } })
    cases.append(
        ArchiveCase("dictionary-column") { many(8) { $0 == 3 ? ["x": 1, "y": 2] : [:] as [String: Int] } })
    cases.append(ArchiveCase("existential-column") { many(9) { anything($0) } })
    return cases
}

private func shape(_ index: Int) -> Shape {
    if index == 5 { return .box(width: 1, height: 2) }
    return index % 2 == 0 ? .nothing : .circle(0.5)
}

private func anything(_ index: Int) -> Any {
    switch index {
    case 4: node("n")
    case 5: "five"
    default: index
    }
}

private func otherCases() -> [ArchiveCase] {
    [
        ArchiveCase("codable-row") {
            Book(title: "Amber", pages: 300, tags: ["old", "tree"], price: nil, notes: ["old": -1])
        },
        ArchiveCase("codable-columns") {
            many(8) { Report(grade: $0 == 6 ? .text("good") : .number($0), remark: $0 == 2 ? "late" : nil) }
        },
        ArchiveCase("legal-ballast") { true },
        ArchiveCase("lz4", .init(compression: .lz4(), isDeterministic: true)) {
            String(repeating: "amber ", count: 12)
        },
    ]
}
