// Room:   FixtureTests. What each fixture of version 1 must decode to.
// Takes:  nothing. Gives: a case for each file, by the file's name.
// Touches: nothing.

import AmberBinary
import AmberTestSupport
import Foundation

/// The values of the files in Fixtures/binary/v1.
func versionOneCases() -> [ArchiveCase] {
    [leafCases(), columnCases(), shapeCases(), graphCases(), otherCases()].flatMap { $0 }
}

private func many<Value>(_ count: Int, _ make: (Int) -> Value) -> [Value] { (0..<count).map(make) }

private func leafCases() -> [ArchiveCase] {
    var cases: [ArchiveCase] = []
    cases.append(ArchiveCase("leaves-row") { Leaves(7) })
    cases.append(ArchiveCase("leaves-rows") { many(7) { Leaves($0) } })
    cases.append(ArchiveCase("leaves-columns") { many(20) { Leaves($0) } })
    cases.append(ArchiveCase("bridged-row") { Bridged() })
    cases.append(ArchiveCase("bridged-columns") { many(9) { _ in Bridged() } })
    cases.append(ArchiveCase("root-string") { "Bernstein, 琥珀" })
    cases.append(ArchiveCase("root-nil") { Int?.none })
    return cases
}

private func columnCases() -> [ArchiveCase] {
    var cases: [ArchiveCase] = []
    cases.append(ArchiveCase("packed-int8") { many(40) { Int8(($0 * 23) % 100 - 50) } })
    cases.append(ArchiveCase("packed-whole-bytes") { many(9) { UInt16($0 * 7919) } })
    cases.append(ArchiveCase("packed-uint64") { many(9) { UInt64.max / UInt64($0 + 1) } })
    cases.append(ArchiveCase("packed-51-bits") { many(11) { ($0 * $0 * 0x1_2345_6789_ab) % (1 << 51) } })
    cases.append(ArchiveCase("packed-56-bits") { many(13) { UInt64($0) * ((1 << 56) / 13) ^ UInt64($0 * $0 % 5) } })
    cases.append(ArchiveCase("packed-57-bits") { many(13) { UInt64($0) * ((1 << 57) / 13) ^ UInt64($0 * $0 % 5) } })
    cases.append(ArchiveCase("constant") { many(1000) { _ in Int32(-7) } })
    cases.append(ArchiveCase("deltas") { many(100) { 1_000_000 + $0 * 1000 + $0 % 3 } })
    cases.append(ArchiveCase("deltas-down") { many(100) { Int64.max - Int64($0) << 50 } })
    cases.append(ArchiveCase("runs") { many(300) { [3, 60_000, 17][$0 / 40 % 3] as UInt16 } })
    cases.append(ArchiveCase("runs-of-runs") { many(6400) { $0 / 1600 % 2 == 0 ? $0 / 20 : -1000 } })
    cases.append(
        ArchiveCase("sparse") { many(200) { $0 % 3 == 1 ? UInt32(truncatingIfNeeded: $0 &* 0x9e37_79b9) : 5 } })
    cases.append(ArchiveCase("bools") { many(77) { $0 * $0 % 7 == 2 } })
    cases.append(ArchiveCase("raw-dictionary") { many(64) { $0 % 5 == 0 ? 0.25 : -1.5 } })
    cases.append(ArchiveCase("strings") { many(30) { String(repeating: "né", count: $0 % 6) + "\($0)" } })
    cases.append(ArchiveCase("strings-dictionary") { many(60) { ["red", "grün", ""][$0 * $0 % 5 % 3] } })
    cases.append(ArchiveCase("data") { many(30) { Data((0..<$0).map { UInt8($0) }) } })
    return cases
}

private func shape(_ index: Int) -> Shape {
    switch index % 6 {
    case 0: .nothing
    case 1: .circle(Double(index))
    case 2: .box(width: Int16(index), height: -1)
    case 3: .named("shape \(index)")
    case 4: .many([.nothing, .named("x")])
    default: .inside(.inside(.circle(0.5)))
    }
}

private func collections(_ count: Int) -> Collections {
    var value = Collections()
    value.texts = many(count) { $0 % 3 == 0 ? "text" : $0 % 3 == 1 ? nil : "\($0)" }
    value.array = many(count) { [Int16](repeating: Int16($0), count: $0 % 3) }
    value.set = Set(many(count) { $0 * 5 })
    value.sets = many(count) { Set(many($0 % 4) { "e\($0)" }) }
    value.dictionary = Dictionary(uniqueKeysWithValues: many(count) { ("key \($0)", $0 * 1000) })
    value.dictionaries = many(count) { Dictionary(uniqueKeysWithValues: many($0 % 3) { ($0, "v\($0)") }) }
    value.tuples = many(count) { ($0, name: "n\($0)") }
    value.suits = many(count) { [.clubs, .hearts, .spades][$0 % 3] }
    value.levels = many(count) { $0 % 2 == 0 ? .low : .high }
    value.shapes = many(count) { shape($0) }
    value.marks = many(count) { mark($0) }
    value.vertices = many(count) { Vertex(x: Float($0) / 3, y: -1) }
    value.cells = many(count) { Cell(row: Int32($0 * 2), column: 7) }
    return value
}

private func mark(_ index: Int) -> Mark {
    Mark(isOn: index % 2 == 0, at: Vertex(x: 1, y: Float(index)), cell: Cell(row: -Int32(index), column: 9))
}

private func shapeCases() -> [ArchiveCase] {
    var cases: [ArchiveCase] = []
    cases.append(ArchiveCase("collections-empty") { collections(0) })
    cases.append(ArchiveCase("collections-rows") { collections(3) })
    cases.append(ArchiveCase("collections-columns") { collections(40) })
    cases.append(ArchiveCase("collections-nested") { many(10) { collections($0) } })
    cases.append(ArchiveCase("nothing") { many(12) { _ in () } })
    return cases
}

/// Two teams in which everybody knows everybody; a boss whom only weak references reach.
private func team(_ count: Int) -> [Person] {
    let people = many(count) { $0 % 3 == 2 ? Employee() : Person() }
    for (index, person) in people.enumerated() {
        person.name = "person \(index % 5)"
        person.friends = [people[(index + 1) % count], people[(index * 7) % count], person]
        person.boss = people[index / 2]
        person.attributes = index % 4 == 0 ? ["shape": shape(index)] : [:]
        if let employee = person as? Employee {
            employee.salary = Decimal(index * 1000)
            employee.deputy = index > 5 ? people[2] as? Employee : nil
        }
    }
    return people
}

private func ring(_ count: Int) -> Link {
    let links = many(count) { Link($0) }
    for (index, link) in links.enumerated() {
        link.next = links[(index + 1) % count]
        link.head = links[0]
    }
    return links[0]
}

private func graphCases() -> [ArchiveCase] {
    var cases: [ArchiveCase] = []
    cases.append(ArchiveCase("graph-rows") { team(4) })
    cases.append(ArchiveCase("graph-columns") { team(40) })
    cases.append(ArchiveCase("ring") { ring(2) })
    cases.append(ArchiveCase("ring-of-many") { ring(500) })
    cases.append(ArchiveCase("existentials-rows") { anything(5) })
    cases.append(ArchiveCase("existentials-columns") { anything(30) })
    return cases
}

private func anything(_ count: Int) -> Anything {
    let people = team(3)
    var value = Anything()
    value.values = many(count) { index -> Any in
        switch index % 5 {
        case 0: index
        case 1: "text \(index % 2)"
        case 2: Vertex(x: 1, y: 2)
        case 3: people[index % 3]
        default: [index, index]
        }
    }
    value.one = people[1]
    value.named = many(count) { index -> any Named in
        index % 2 == 0 ? people[0] as any Named : Vertex(x: Float(index), y: 0)
    }
    value.hashable = many(count) { $0 % 2 == 0 ? AnyHashable($0) : AnyHashable("h\($0)") }
    return value
}

private func book(_ index: Int) -> Book {
    let byte = UInt8(index)
    return Book(
        title: "Book \(index % 4)", pages: UInt16(index * 100), tags: many(index % 3) { "tag \($0)" },
        price: index % 2 == 0 ? nil : Double(index) / 4, notes: index % 4 == 0 ? [:] : ["old": -1, "new": Int8(index)],
        weight: Float(index) / 8, printed: Date(timeIntervalSinceReferenceDate: Double(index)), cover: Data([byte, 1]),
        id: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, byte)), cost: Decimal(index) / 8,
        parts: many(index % 3) { Part(name: "p\($0)", from: $0 == 0 ? nil : $0) },
        grade: index % 3 == 0 ? .text("good") : .number(index), isOld: index > 3)
}

private func shelf(_ count: Int) -> Shelf { Shelf(label: "shelf", book: book(1), books: many(count) { book($0) }) }

private func otherCases() -> [ArchiveCase] {
    var cases: [ArchiveCase] = []
    cases.append(ArchiveCase("codable-rows") { shelf(5) })
    cases.append(ArchiveCase("codable-columns") { shelf(30) })
    cases.append(ArchiveCase("codable-root") { book(3) })
    cases.append(ArchiveCase("fingerprint", .init(schema: .fingerprint, isDeterministic: true)) { collections(9) })
    cases.append(ArchiveCase("lz4", .init(compression: .lz4(), isDeterministic: true)) { team(40) })
    let small = LZ4Options(level: 9, blockSize: .kilobytes64)
    cases.append(
        ArchiveCase("lz4-blocks", .init(compression: .lz4(small), isDeterministic: true)) {
            many(9000) { Double(($0 * $0) % 977) / 8 }
        })
    return cases
}
