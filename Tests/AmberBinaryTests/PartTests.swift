// Room:   AmberBinaryTests. Archives read in part.
// Takes:  archives of structs and of objects, few and many. Gives: the parts that were asked for, or errors.
// Touches: BinaryArchive; temporary files.

import AmberBinary
import AmberModel
import AmberTestSupport
import Foundation
import Testing

private struct PartSpot: Model, Equatable {
    var x: Int32 = 0
    var y: Float = 0
}

private struct PartEntry: Model, Equatable {
    var code: UInt16 = 0
    var text = ""
    var spot = PartSpot()
    var label: (name: String, rank: Int8) = ("", 0)
    var marks: [Int] = []
    var remark: String?
    var inner: [PartSpot] = []

    static func == (left: PartEntry, right: PartEntry) -> Bool { difference(left, right) == nil }
}

private struct PartBook: Model {
    var entries: [PartEntry] = []
    var title = "A book"
    var perhaps: PartEntry?
    var cover = Data()
    var date = Date(timeIntervalSinceReferenceDate: 0.1)
}

private class PartMember: ModelProtocol {
    var name = ""
    var age: Int32 = 0
    var friends: [PartMember] = []
    weak var boss: PartMember?
    var home: PartSpot?
    var seen: Set<String> = []
    static var rules: ModelRules { ModelRules().storing("age", as: "years").reading("home", from: "address") }
}

private final class PartCaptain: PartMember {
    var ships: [PartEntry] = []
}

private final class PartTeam: Model {
    var members: [PartMember] = []
    var motto = "all"
    var entries: [PartEntry] = []
}

private func entries(_ count: Int) -> [PartEntry] {
    (0..<count).map { index in
        var entry = PartEntry()
        entry.code = UInt16(index * 7)
        entry.text = "text \(index % 5)"
        entry.spot = PartSpot(x: Int32(-index), y: Float(index) / 4)
        entry.label = ("l\(index)", Int8(index % 100))
        entry.marks = Array(0..<index % 4)
        entry.remark = index % 3 == 0 ? nil : "r\(index)"
        for inner in 0..<index % 3 { entry.inner.append(PartSpot(x: Int32(inner), y: Float(index))) }
        return entry
    }
}

private func team(_ count: Int) -> PartTeam {
    let team = PartTeam()
    team.members = (0..<count).map { index in
        let member = index % 4 == 3 ? PartCaptain() : PartMember()
        member.name = "m\(index)"
        member.age = Int32(index) * 3 - 5
        member.home = index % 2 == 0 ? PartSpot(x: Int32(index), y: 1) : nil
        member.seen = ["a", "b\(index)"]
        if let captain = member as? PartCaptain { captain.ships = entries(index) }
        return member
    }
    for (index, member) in team.members.enumerated() {
        member.friends = [team.members[(index + 1) % count], team.members[(index * 3) % count]]
        member.boss = team.members[0]
    }
    team.entries = entries(count)
    return team
}

private func breakCycles(_ team: PartTeam) {
    for member in team.members { member.friends = [] }
}

@Suite struct PartTests {
    @Test(arguments: [0, 1, 3, 7, 8, 9, 40])
    func `Properties of a struct at the root`(count: Int) throws {
        let book = PartBook(
            entries: entries(count), perhaps: count % 2 == 0 ? nil : entries(9)[8], cover: Data([1, 2, 3]))
        let archive = try BinaryArchive(try BinaryEncoder().encode(book))
        #expect(archive.rootType == codingTypeName(PartBook.self))
        #expect(try archive.property("title", as: String.self) == "A book")
        #expect(try archive.property("cover", as: Data.self) == Data([1, 2, 3]))
        #expect(try archive.property("date", as: Date.self) == book.date)
        #expect(try archive.property("entries", as: [PartEntry].self) == book.entries)
        #expect(try archive.property("perhaps", as: PartEntry?.self) == book.perhaps)
        #expect(try archive.values(at: "entries", "code") == book.entries.map(\.code))
        #expect(try archive.values(at: "entries", "code", as: Double.self) == book.entries.map { Double($0.code) })
        #expect(try archive.values(at: "entries", "text") == book.entries.map(\.text))
        #expect(try archive.values(at: "entries", "spot") == book.entries.map(\.spot))
        #expect(try archive.values(at: "entries", "spot", "x") == book.entries.map(\.spot.x))
        #expect(try archive.values(at: "entries", "spot", "y", as: Float?.self) == book.entries.map(\.spot.y))
        #expect(try archive.values(at: "entries", "label", "rank") == book.entries.map(\.label.rank))
        #expect(try archive.values(at: "entries", "marks") == book.entries.map(\.marks))
        #expect(try archive.values(at: "entries", "remark") == book.entries.map(\.remark))
        #expect(try archive.values(at: "entries", "inner", "y") == book.entries.flatMap { $0.inner.map(\.y) })
        #expect(try archive.values(at: "perhaps", "spot", "x") == [book.perhaps?.spot.x].compactMap { $0 })
        #expect(difference(try archive.decode(PartBook.self), book) == nil)
    }

    @Test(arguments: [1, 2, 7, 8, 9, 33])
    func `Columns of classes, and properties of an object at the root`(count: Int) throws {
        let team = team(count)
        defer { breakCycles(team) }
        let plain = team.members.filter { !($0 is PartCaptain) }
        let captains = team.members.compactMap { $0 as? PartCaptain }
        let archive = try BinaryArchive(
            try BinaryEncoder(options: .init(compression: count == 9 ? .lz4() : .none)).encode(team))
        #expect(try archive.property("motto", as: String.self) == "all")
        #expect(try archive.property("entries", of: PartTeam.self, as: [PartEntry].self) == team.entries)
        #expect(try archive.values(at: "entries", "inner", "x") == team.entries.flatMap { $0.inner.map(\.x) })
        // Class by class; which class comes first is the archive's business.
        #expect(Set(try archive.column("name", of: PartMember.self, as: String.self)) == Set(team.members.map(\.name)))
        #expect(try archive.column("name", of: PartCaptain.self) == captains.map(\.name))
        let name = codingTypeName(PartMember.self)
        #expect(try archive.column("name", ofClassNamed: name) == plain.map(\.name))
        #expect(try archive.column("years", ofClassNamed: name, as: Int.self) == plain.map { Int($0.age) })
        #expect(try archive.column("age", of: PartCaptain.self) == captains.map(\.age))
        #expect(try archive.column("home", ofClassNamed: name) == plain.map(\.home))
        #expect(try archive.column("seen", ofClassNamed: name) == plain.map(\.seen))
        #expect(try archive.column("ships", of: PartCaptain.self) == captains.map(\.ships))
        #expect(archive.types.first { $0.name == name }?.objectCount == plain.count)
    }

    @Test(arguments: [2, 20])
    func `Columns of references bring their objects`(count: Int) throws {
        let team = team(count)
        defer { breakCycles(team) }
        let archive = try BinaryArchive(try BinaryEncoder().encode(team))
        let friends: [[PartMember]] = try archive.column("friends", of: PartMember.self)
        #expect(friends.count == count)
        #expect(Set(friends.joined().map(\.name)) == Set(team.members.flatMap { $0.friends.map(\.name) }))
        let members: [PartMember] = try archive.property("members")
        #expect(members.map(\.name) == team.members.map(\.name))
        #expect(members.allSatisfy { $0.boss === members[0] })
        #expect(members.filter { $0 is PartCaptain }.count == team.members.filter { $0 is PartCaptain }.count)
        let bosses: [PartMember?] = try archive.column("boss", ofClassNamed: codingTypeName(PartMember.self))
        #expect(bosses.allSatisfy { $0?.name == "m0" })
        for member in members + friends.joined() + bosses.compactMap({ $0 }) { member.friends = [] }
    }

    @Test func `An object at the root that is one of many`() throws {
        let team = team(30)
        defer { breakCycles(team) }
        let archive = try BinaryArchive(try BinaryEncoder().encode(team.members[5]))
        #expect(try archive.property("age", of: PartMember.self, as: Int32.self) == 10)
        #expect(try archive.property("name", as: String.self) == "m5")
        let captain = try BinaryArchive(try BinaryEncoder().encode(team.members[27] as? PartCaptain))
        #expect(try captain.values(at: "ships", "spot", "x") == entries(27).map(\.spot.x))
        #expect(try captain.values(at: "ships", "inner", "y") == entries(27).flatMap { $0.inner.map(\.y) })
    }

    @Test func `Files are mapped, and damage that nobody asked for is not looked at`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "amber-parts-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "book.amber")
        var data = try BinaryEncoder().encode(PartBook(entries: entries(100)))
        // Within the entries' texts.
        let place = try #require(data.range(of: Data("text 3".utf8))).lowerBound
        data[place] = 0xff
        try data.write(to: file)
        let archive = try BinaryArchive(contentsOf: file)
        #expect(try archive.property("title", as: String.self) == "A book")
        #expect(try archive.values(at: "entries", "code", as: Int.self).count == 100)
        #expect(decodingFailure { try archive.values(at: "entries", "text", as: String.self) }?.code == .corrupt)
        #expect(decodingFailure { try BinaryDecoder().decode(PartBook.self, contentsOf: file) }?.code == .corrupt)
        let missing = folder.appending(path: "none")
        #expect(decodingFailure { try BinaryArchive(contentsOf: missing) }?.code == .unreadableFile)
    }

    @Test func `What can't be had is an error that says so`() throws {
        let team = team(30)
        defer { breakCycles(team) }
        let archive = try BinaryArchive(try BinaryEncoder().encode(team))
        let absent = decodingFailure { try archive.property("nothing", as: Int.self) }
        #expect(absent?.code == .missingValue)
        #expect(absent?.reason.contains("`motto`") == true)
        #expect(decodingFailure { try archive.property("motto", as: Int.self) }?.code == .typeMismatch)
        #expect(decodingFailure { try archive.values(at: "members", "name", as: String.self) }?.code == .typeMismatch)
        #expect(decodingFailure { try archive.column("x", ofClassNamed: "No", as: Int.self) }?.code == .unknownType)
        #expect(decodingFailure { try archive.values(at: "entries", "code", as: Int8.self) }?.code == .doesNotFit)
        let short = try BinaryEncoder(options: .init(schema: .fingerprint)).encode(team)
        #expect(decodingFailure { try BinaryArchive(short) }?.code == .unsupportedVersion)
    }

    @Test func `Damaged archives give errors or values`() throws {
        let team = team(12)
        defer { breakCycles(team) }
        let objects = try BinaryEncoder().encode(team)
        let structs = try BinaryEncoder().encode(PartBook(entries: entries(12)))
        let limits = DecodingLimits(bytes: 1 << 22, baseMemory: 1 << 20)
        func read(_ data: Data) {
            guard let archive = try? BinaryArchive(data, options: .init(limits: limits)) else { return }
            _ = try? archive.property("motto", as: String.self)
            _ = try? archive.values(at: "entries", "spot", "y", as: Double.self)
            _ = try? archive.values(at: "entries", "inner", "y", as: Double.self)
            _ = try? archive.values(at: "entries", "remark", as: String?.self)
            _ = try? archive.column("seen", of: PartMember.self, as: Set<String>.self)
            let friends: [[PartMember]]? = try? archive.column("friends", of: PartMember.self)
            for member in (friends ?? []).joined() { member.friends = [] }
        }
        var generator = SeededGenerator(seed: 5)
        print("PartTests: \(generator.replay)")
        for data in [objects, structs] {
            forEachPrefix(of: data, limit: 300, read)
            forEachFlippedBit(of: data, limit: 2000, read)
            for _ in 0..<1000 { read(generator.damage(data)) }
        }
    }

    private func codingTypeName(_ type: Any.Type) -> String { codingName(of: type) }
}
