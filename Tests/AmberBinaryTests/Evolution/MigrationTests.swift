// Room:   AmberBinaryTests / Evolution. Archives of older and newer shapes.
// Takes:  archives written with one shape of a type. Gives: what another shape makes of them.
// Touches: the binary coder.

import AmberBinary
import AmberModel
import AmberTestSupport
import Foundation
import Testing

@Suite struct MigrationTests {
    private func board(_ count: Int) -> First.Board {
        let board = First.Board()
        for index in 0..<count {
            let task = First.Task()
            task.title = "T\(index)"
            task.place = First.Place(latitude: Float(index), longitude: 0.5)
            task.others = board.tasks.suffix(2)
            task.parent = board.tasks.first
            board.tasks.append(task)
            board.places.append(task.place)
            board.byName["p\(index)"] = task.place
        }
        board.tasks.first?.others = Array(board.tasks.suffix(3))
        board.last = board.places.last
        board.any = board.tasks[0]
        return board
    }

    @Test(arguments: [1, 7, 8, 40]) func versionsAreChainedAndNestedTypesMigrateByTheirOwn(_ count: Int) throws {
        let old = board(count)
        let new = try read(old, as: Third.Board.self)
        #expect(new.tasks.map(\.name) == (0..<count).map { "T\($0)" })
        #expect(new.tasks.allSatisfy { $0.priority == 5 && $0.notes == ["made": 1] })
        #expect(new.tasks.map(\.place.text) == (0..<count).map { "\(Double($0)), 0.5" })
        #expect(new.places == new.tasks.map(\.place) && new.last == new.places.last)
        #expect(new.byName.count == count && new.byName["p0"]?.text == "0.0, 0.5")
        for (index, task) in new.tasks.enumerated() where index > 0 {
            #expect(task.parent === new.tasks[0] && task.others.count == min(index, 2))
            #expect(task.others.allSatisfy { other in new.tasks.contains { $0 === other } })
        }
        #expect(new.any as? Third.Task === new.tasks[0])
        for task in new.tasks { task.others = [] }
        for task in old.tasks { task.others = [] }
    }

    @Test(arguments: [1, 9]) func classesMadeWithoutAnInitializerMigrate(_ count: Int) throws {
        let all = (0..<count).map { index in
            let bare = First.Bare()
            bare.title = "b\(index)"
            return bare
        }
        for bare in all { (bare.owner, bare.tags) = (all[0], Set(all)) }
        do {
            let new = try read(all, as: [Third.Bare].self)
            #expect(new.map(\.name) == all.map(\.title) && new.allSatisfy { $0.owner === new[0] })
            #expect(new.allSatisfy { $0.tags == Set(new) && $0.tracked.label == "t" })
            for bare in new { bare.tags = [] }
        }
        all[count - 1].owner = nil
        let failure = decodingFailure { try read(all, as: [Third.Bare].self) }
        #expect(failure?.code == .missingValue && failure?.description.contains("owner") == true)
        for bare in all { (bare.owner, bare.tags) = (nil, []) }
        #expect(livingObjects(Third.Bare.self) >= count)
    }

    @Test(arguments: [1, 9]) func aMigrationThatThrowsLeavesNothingBehind(_ count: Int) throws {
        let before = livingObjects(MigrationTests.self)
        let all = (0..<count).map { index in
            let task = Older()
            task.title = "x"
            task.tracked = Tracked("t\(index)")
            task.next = task
            return task
        }
        all[count - 1].title = "bad"
        let archive = try BinaryEncoder().encode(all)
        let living = livingObjects(MigrationTests.self)
        for _ in 0..<3 {
            let failure = decodingFailure { try BinaryDecoder().decode([Newer].self, from: archive) }
            #expect(failure?.code == .rejectedByHook && failure?.description.contains("version 0") == true)
            #expect(livingObjects(MigrationTests.self) == living)
        }
        for task in all { task.next = nil }
        _ = before
    }

    final class Older: Model {
        var title = ""
        var tracked: Tracked<MigrationTests>?
        var next: Older?
        static var rules: ModelRules { ModelRules(name: "Todo.Leaky") }
    }

    final class Newer: Model {
        var name = "default"
        var tracked: Tracked<MigrationTests>? = Tracked("default")
        var next: Newer?
        static var rules: ModelRules {
            ModelRules(name: "Todo.Leaky", version: 1).migrating(from: 0) {
                $0.rename("title", to: "name")
                if $0["name"]?.string == "bad" { throw Third.Refused() }
            }
        }
    }

    struct V9: Model {
        var a = 1
        var new = "n"
        static var rules: ModelRules { ModelRules(name: "Todo.V", version: 9) }
    }
    struct V3: Model {
        var a = 0
        static var rules: ModelRules { ModelRules(name: "Todo.V", version: 3) }
    }

    @Test func anArchiveNewerThanTheTypeIsRefusedByNameOrReadByOption() throws {
        for count in [1, 9] {
            let archive = try BinaryEncoder().encode(Array(repeating: V9(a: 7), count: count))
            let failure = decodingFailure { try BinaryDecoder().decode([V3].self, from: archive) }
            #expect(failure?.code == .newerModel)
            #expect(failure?.description.contains("version 9 of Todo.V") == true, "\(failure?.description ?? "")")
            #expect(failure?.description.contains("up to 3") == true)
            let lenient = BinaryDecoder(options: .init(newerModels: .readKnownProperties))
            #expect(try lenient.decode([V3].self, from: archive).map(\.a) == Array(repeating: 7, count: count))
        }
    }

    @Test func archivedValuesAreLookedUpRenamedAndConverted() throws {
        var values = ArchivedValues()
        for index in 0..<40 { values["k\(index)"] = .init(index) }
        values.rename("k3", to: "x")
        values["k4"] = nil
        #expect(values["x"]?.int == 3 && values["k3"] == nil && values["k4"] == nil && values.count == 39)
        #expect(try values.value("k5", as: UInt8.self) == 5 && values.value("k5", as: Double?.self) == 5)
        values["list"] = [1, 2, 3]
        #expect(try values.value("list", as: Set<Int16>.self) == [1, 2, 3])
        #expect(decodingFailure { try values.value("list", as: String.self) }?.code == .typeMismatch)
        #expect(decodingFailure { try values.value("none", as: String.self) }?.code == .missingValue)
        values["big"] = 300
        #expect(decodingFailure { try values.value("big", as: UInt8.self) }?.code == .doesNotFit)
    }
}
