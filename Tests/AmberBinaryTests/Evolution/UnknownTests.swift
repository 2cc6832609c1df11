// Room:   AmberBinaryTests / Evolution. What a program doesn't know: classes, types, properties, cases.
// Takes:  archives of programs that know more. Gives: the same, after a program that knows less has read and written them.
// Touches: the binary coder.

import AmberBinary
import AmberModel
import AmberTestSupport
import Foundation
import Testing

@Suite struct UnknownTests {
    /// Reads an archive as dynamic objects, and writes it again.
    private func passOn<T>(_ value: T, _ options: BinaryEncodingOptions = .init()) throws -> (Data, Data) {
        let archive = try BinaryEncoder(options: options).encode(value)
        let back = try BinaryDecoder(options: .init(objects: .dynamic)).decode(Any.self, from: archive)
        return (archive, try BinaryEncoder(options: options).encode(back))
    }

    private func board(_ count: Int) -> First.Board {
        let board = First.Board()
        board.tasks = (0..<count).map { index in
            let task = First.Task()
            task.title = "T\(index)"
            task.others = index == 0 ? [task] : []
            return task
        }
        board.tasks.last?.parent = board.tasks.first
        board.places = board.tasks.map { _ in First.Place(latitude: 1, longitude: 2) }
        board.byName = ["a": First.Place()]
        return board
    }

    @Test(arguments: [1, 7, 8, 30]) func objectsPassThroughAProgramThatKnowsNoClass(_ count: Int) throws {
        let board = board(count)
        let (_, again) = try passOn(board)
        let back = try BinaryDecoder().decode(First.Board.self, from: again)
        #expect(difference(board, back) == nil)
        for board in [board, back] { board.tasks.first?.others = [] }
    }

    @Test(arguments: [1, 9]) func valuesOfEveryKindPassThrough(_ count: Int) throws {
        var generator = SeededGenerator()
        let values = (0..<count).map { _ in Box(content: generator.kinds()) }
        let (_, again) = try passOn(values as [Any])
        let back = try BinaryDecoder().decode([Any].self, from: again)
        #expect(difference(values as [Any], back) == nil, "\(generator.replay)")
        let anything = AnyHolder()
        anything.list = values
        anything.any = CodableOnly(a: 1, b: ["x": [1.5, nil]])
        let (_, third) = try passOn(anything)
        #expect(difference(anything, try BinaryDecoder().decode(Any.self, from: third)) == nil, "\(generator.replay)")
    }

    struct CodableOnly: Codable, Equatable {
        var a: Int
        var b: [String: [Double?]]
    }

    @Test func aDynamicObjectShowsItsClassAndProperties() throws {
        let board = board(2)
        let back = try BinaryDecoder(options: .init(objects: .dynamic))
            .decode(DynamicObject.self, from: BinaryEncoder().encode(board))
        #expect(back.className == "Todo.Board" && back.version == 1)
        let task = try #require(back["tasks"]?.array?[1].properties)
        #expect(task["title"]?.string == "T1" && task["place"]?.properties?["latitude"]?.double == 0)
        back["places"] = nil
        back["added"] = 5
        guard case .object(let reference)? = back["tasks"]?.array?[0] else { Issue.record("No object"); return }
        (reference.object as? DynamicObject)?["title"] = "changed"
        let third = try read(back, as: First.Board.self)
        #expect(third.tasks[0].title == "changed" && third.places.isEmpty && third.tasks[1].parent === third.tasks[0])
        board.tasks[0].others = []
        third.tasks[0].others = []
        (reference.object as? DynamicObject)?["others"] = nil
    }

    @Test(arguments: [1, 9]) func dynamicObjectsAreMadeByHand(_ count: Int) throws {
        let all = (0..<count).map { index in
            let object = DynamicObject(className: "Todo.Task", version: 3)
            object["name"] = .init("made \(index)")
            object["priority"] = .init(UInt8(index))
            object["place"] = .null
            object["mixed"] = [1, "x", [true]]
            return object
        }
        all[0]["parent"] = .object(DynamicReference(all[count - 1]))
        let archive = try BinaryEncoder().encode(all)
        let again = try BinaryDecoder(options: .init(objects: .dynamic)).decode([DynamicObject].self, from: archive)
        #expect(again.map { $0["name"]?.string } == all.map { $0["name"]?.string })
        #expect(again.map { $0["priority"]?.int } == (0..<count).map { $0 })
        #expect(again[0]["mixed"] != nil)
        all[0]["parent"] = nil
        again[0]["parent"] = nil
    }

    @Test func aLongChainOfDynamicObjectsIsReadWrittenAndFreed() throws {
        let chain = (0..<100_000).map { _ in Ring() }
        for (one, next) in zip(chain, chain.dropFirst()) { one.next = next }
        let archive = try BinaryEncoder().encode(chain[0])
        for ring in chain { ring.next = nil }
        let head = try BinaryDecoder(options: .init(objects: .dynamic)).decode(DynamicObject.self, from: archive)
        #expect(try BinaryEncoder().encode(head).count > 100)
        weak let second = head["next"].flatMap { if case .object(let reference) = $0 { reference.object } else { nil } }
        #expect(second != nil)
        head["next"] = nil
        #expect(second == nil)
    }

    @Test(arguments: [1, 7, 8, 20]) func unknownPropertiesSurvive(_ count: Int) throws {
        let all = (0..<count).map { index in
            let one = Settings3()
            (one.a, one.b, one.shape) = (index, [1, index], .green)
            (one.extra, one.any) = (["x": 0.5], ["k": Vertex(x: 1)])
            return one
        }
        for one in all { one.peer = all[count - 1] }
        let known = try read(all, as: [Settings2].self)
        for one in known { one.a += 100 }
        let fresh = Settings2()
        fresh.a = 5
        let back = try read(known + [fresh], as: [Settings3].self)
        #expect(back.map(\.a) == all.map { $0.a + 100 } + [5])
        #expect(back.dropLast().map(\.b) == all.map(\.b))
        #expect(
            back.dropLast().allSatisfy { $0.peer === back[count - 1] && $0.shape == .green && $0.extra == ["x": 0.5] })
        #expect(back.dropLast().allSatisfy { ($0.any as? [String: Vertex])?["k"] == Vertex(x: 1) })
        #expect(back[count].b.isEmpty)
        for one in all + back { one.peer = nil }
    }

    @Test(arguments: [1, 8, 20]) func unknownCasesSurvive(_ count: Int) throws {
        var new = Palette2(one: .green)
        new.many = (0..<count).flatMap { [.red, .green, .mixed($0, "m"), .blue] }
        let old = try read(new, as: Palette1.self)
        guard case .unknown(let item) = old.one else { Issue.record("No unknown case"); return }
        #expect(item.name == "green")
        let back = try read(old, as: Palette2.self)
        #expect(back.one == .green && back.many == new.many)
        let twice = try read(try read(old, as: Palette1.self), as: Palette2.self)
        #expect(twice.many == new.many)
        #expect(decodingFailure { try read(new, as: Palette4.self) }?.code == .unknownCase)
        let fallen = try read(new, as: Palette3.self)
        #expect(fallen.one == .other && fallen.many.prefix(4) == [.red, .other, .other, .blue])
    }

    enum Colour4 { case red, blue }
    struct Palette4: Model {
        var one = Colour4.red
        static var rules: ModelRules { ModelRules(name: "Todo.Palette") }
    }

    @Test(arguments: [1, 9]) func anObjectOfAnUnknownClassInAPropertyOfAClassIsAnError(_ count: Int) throws {
        let archive = try BinaryEncoder().encode((0..<count).map { _ in Hidden.make() })
        let damaged = Data(archive.map { $0 })
        var bytes = [UInt8](damaged)
        let name = Array("Todo.Hidden".utf8)
        for start in 0..<(bytes.count - name.count) where Array(bytes[start..<start + name.count]) == name {
            bytes[start + 5] = UInt8(ascii: "X")
        }
        let failure = decodingFailure { try BinaryDecoder().decode([Hidden].self, from: Data(bytes)) }
        #expect(failure?.code == .unknownType && failure?.description.contains("Todo.Xidden") == true)
        let any = try BinaryDecoder().decode([Any].self, from: Data(bytes))
        #expect(any.count == count && (any[0] as? DynamicObject)?.className == "Todo.Xidden")
    }

    final class Hidden: Model {
        var x = 1
        static func make() -> Hidden { Hidden() }
        static var rules: ModelRules { ModelRules(name: "Todo.Hidden") }
    }

    @Test(arguments: [1, 9]) func damagedArchivesAreRefusedByTheSlowWaysToo(_ count: Int) throws {
        var generator = SeededGenerator()
        let archives = try [
            BinaryEncoder().encode(board(count)),
            BinaryEncoder().encode((0..<count).map { _ in Box(content: generator.kinds()) }),
        ]
        for archive in archives {
            for _ in 0..<150 {
                let damaged = generator.damage(archive)
                _ = try? BinaryDecoder(options: .init(objects: .dynamic)).decode(Any.self, from: damaged)
                _ = try? BinaryDecoder().decode(Third.Board.self, from: damaged)
            }
        }
    }
}
