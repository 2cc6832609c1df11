// Room:   CustomisingTests. Types that changed since an archive was written, with every coder.
// Takes:  values of older shapes. Gives: those of today's.
// Touches: the binary, the keyed and the readable coder.

import Amber
import AmberKeyed
import AmberReadable
import Foundation
import Testing

/// The types of the first version of a program.
private enum Former {
    final class Task: Model {
        static var rules: ModelRules { ModelRules(name: "Evolving.Task", version: 1) }
        var title = "A"
        var legacy = 1
        var size = Size()
        var sizes = [Size(), Size()]
        var parts: [String: Size] = ["k": Size()]
        var next: Task?
        weak var first: Task?
        var marks: Set<Mark> = []
    }

    struct Size: Model {
        static var rules: ModelRules { ModelRules(name: "Evolving.Size", version: 2) }
        var w = 2
    }

    final class Mark: Model, Hashable {
        static var rules: ModelRules { ModelRules(name: "Evolving.Mark") }
        var name = ""
        static func == (left: Mark, right: Mark) -> Bool { left.name == right.name }
        func hash(into hasher: inout Hasher) { hasher.combine(name) }
    }

    enum Shape { case dot, circle(Int) }

    final class Drawing: Model {
        static var rules: ModelRules { ModelRules(name: "Evolving.Drawing", version: 1) }
        var first = Shape.dot
        var second = Shape.circle(3)
    }

    final class Newer: Model {
        static var rules: ModelRules { ModelRules(name: "Evolving.Newer", version: 9) }
        var name = "nine"
        var more = [1]
    }

    struct NewerValue: Model {
        static var rules: ModelRules { ModelRules(name: "Evolving.NewerValue", version: 9) }
        var name = "nine"
        var more = [1]
    }

    struct Spot: Model {
        static var rules: ModelRules { ModelRules(name: "Evolving.Spot") }
        var n = 0
    }

    final class Known: Model {
        static var rules: ModelRules { ModelRules(name: "Evolving.Known") }
        var a = 0
        var texts: [String] = []
        var spot = Spot()
        var dates: [String: Date] = [:]
        var child: Known?
        var again: Known?
        weak var parent: Known?
        var other: Mark?
        var optional: Int?
        var any: Any?
    }
}

/// The types of today.
private enum Present {
    final class Task: Model {
        static var rules: ModelRules {
            ModelRules(name: "Evolving.Task", version: 3)
                .migrating(from: 1) {
                    $0.rename("title", to: "name")
                    $0["count"] = DynamicValue($0["sizes"]?.array?.count ?? 0)
                    $0["copy"] = $0["size"]
                    $0["late"] = $0["marks"]
                }
                .migrating(from: 2) {
                    $0.rename("first", to: "head")
                    $0["priority"] = 5
                    $0["legacy"] = nil
                    $0["follower"] = $0["next"]
                }
        }
        var name = ""
        var count = 0
        var priority = 0
        var size = Size()
        var copy: Size?
        var sizes: [Size] = []
        var parts: [String: Size] = [:]
        var next: Task?
        var follower: Task?
        weak var head: Task?
        var marks: Set<Former.Mark> = []
        var late: Set<Former.Mark> = []
        init() {}
    }

    struct Size: Model, Equatable {
        static var rules: ModelRules {
            ModelRules(name: "Evolving.Size", version: 3)
                .migrating(from: 1) { $0["w"] = DynamicValue(($0["w"]?.int ?? 0) * 1_000) }
                .migrating(from: 2) { $0["width"] = DynamicValue(Double($0["w"]?.int ?? 0) / 2) }
        }
        var width = 0.0
        init() {}
        init(_ width: Double) { self.width = width }
    }

    enum Shape { case point, round(Double) }

    final class Drawing: Model {
        static var rules: ModelRules {
            ModelRules(name: "Evolving.Drawing", version: 2).migrating(from: 1) { values in
                for name in ["first", "second"] {
                    switch values[name]?.enumCase {
                    case let item? where item.name == "dot": values[name] = "point"
                    case let item? where item.name == "circle":
                        let radius = Double(item.payload?.int ?? 0)
                        values[name] = .enumeration(DynamicCase(name: "round", payload: DynamicValue(radius)))
                        values["corner"] = .structure(
                            DynamicStructure(typeName: "", values: ["w": DynamicValue(item.payload?.int ?? 0)]))
                    default: break
                    }
                }
            }
        }
        var first = Shape.round(0)
        var second = Shape.point
        var corner: Former.Size?
        init() {}
    }

    final class Newer: Model {
        static var rules: ModelRules { ModelRules(name: "Evolving.Newer", version: 3) }
        var name = ""
        init() {}
    }

    struct NewerValue: Model {
        static var rules: ModelRules { ModelRules(name: "Evolving.NewerValue", version: 3) }
        var name = ""
        init() {}
    }

    final class Known: Model {
        static var rules: ModelRules { ModelRules(name: "Evolving.Known") }
        var a = 0
        var child: Known?
        var others = UnknownProperties()
        init() {}
    }
}

struct EvolvingSpotA: Model, Equatable {
    var n = 0
}

struct EvolvingHeir: Model, Equatable {
    var n = 0
    static var rules: ModelRules { ModelRules(formerNames: ["CustomisingTests.EvolvingSpotZ"]) }
}

final class EvolvingBox<Content>: Model {
    var content: Content
    init(_ content: Content) { self.content = content }
}

struct EvolvingPage<Content>: Model {
    var content: Content
}

final class EvolvingShelf: Model {
    var boxes: [EvolvingBox<EvolvingSpotA>] = []
    var page: EvolvingPage<[EvolvingSpotA]>?
    var any: [Any] = []
    init() {}
}

@Suite struct EvolutionOfEveryCoderTests {
    /// An archive in which a type has another name of the same length.
    private func renamed(_ data: Data) -> Data {
        var bytes = Array(data)
        let (old, new) = (Array("EvolvingSpotA".utf8), Array("EvolvingSpotZ".utf8))
        var place = 0
        while place + old.count <= bytes.count {
            if bytes[place] == old[0], Array(bytes[place..<place + old.count]) == old {
                bytes.replaceSubrange(place..<place + old.count, with: new)
            }
            place += 1
        }
        return Data(bytes)
    }

    @Test(arguments: AnyCoder.allCases) func argumentsOfGenericTypesMayBeRenamed(_ coder: AnyCoder) throws {
        let shelf = EvolvingShelf()
        shelf.boxes = [EvolvingBox(EvolvingSpotA(n: 1)), EvolvingBox(EvolvingSpotA(n: 2))]
        shelf.page = EvolvingPage(content: [EvolvingSpotA(n: 3)])
        let data = try coder.encode(shelf)
        let back = try coder.decode(EvolvingShelf.self, from: renamed(data))
        #expect(back.boxes.map(\.content.n) == [1, 2] && back.page?.content == [EvolvingSpotA(n: 3)])
        let page = try coder.encode(EvolvingPage(content: EvolvingSpotA(n: 4)))
        #expect(coder.isKeyed || renamed(page) != page)
        #expect(try coder.decode(EvolvingPage<EvolvingSpotA>.self, from: renamed(page)).content.n == 4)
    }

    @Test(arguments: AnyCoder.allCases) func structsInAnyAreFoundByFormerNames(_ coder: AnyCoder) throws {
        _ = try coder.copy(EvolvingHeir())
        let data = try coder.encode([EvolvingSpotA(n: 1), [EvolvingSpotA(n: 2)]] as [Any])
        let back = try coder.decode([Any].self, from: renamed(data))
        #expect((back[0] as? EvolvingHeir)?.n == 1)
        #expect(((back[1] as? [Any])?.first as? EvolvingHeir)?.n == 2)
    }

    private func task() -> Former.Task {
        let task = Former.Task()
        task.next = Former.Task()
        task.next?.first = task
        let mark = Former.Mark()
        mark.name = "m"
        task.marks = [mark]
        return task
    }

    private func check(_ task: Present.Task) throws {
        #expect(task.name == "A" && task.count == 2 && task.priority == 5)
        #expect(task.size == Present.Size(1) && task.copy == Present.Size(1))
        #expect(task.sizes == [Present.Size(1), Present.Size(1)] && task.parts == ["k": Present.Size(1)])
    }

    @Test(arguments: AnyCoder.allCases) func versionsFollowEachOther(_ coder: AnyCoder) throws {
        let back = try coder.read(task(), as: Present.Task.self)
        try check(back)
        let next = try #require(back.next)
        try check(next)
        #expect(back.follower === next && next.head === back)
        #expect(back.marks.first?.name == "m" && back.late.first === back.marks.first)
        let many = try coder.read((0..<12).map { _ in task() }, as: [Present.Task].self)
        for task in many { try check(task) }
    }

    @Test(arguments: AnyCoder.allCases) func migrationsSeeCasesAndMakeStructs(_ coder: AnyCoder) throws {
        let back = try coder.read(Former.Drawing(), as: Present.Drawing.self)
        if case .point = back.first {} else { Issue.record("\(back.first)") }
        if case .round(3) = back.second {} else { Issue.record("\(back.second)") }
        #expect(back.corner?.w == 3)
    }

    @Test(arguments: AnyCoder.allCases) func structsFollowTheirOwnVersions(_ coder: AnyCoder) throws {
        #expect(try coder.read(Former.Size(), as: Present.Size.self) == Present.Size(1))
        let many = try coder.read([Former.Size](repeating: .init(), count: 20), as: [Present.Size].self)
        #expect(many == [Present.Size](repeating: .init(1), count: 20))
    }

    @Test(arguments: AnyCoder.allCases) func newerModelsAreRefusedByNameOrReadAsFarAsKnown(_ coder: AnyCoder) throws {
        func tryBoth<Old, New>(_ old: Old, _ type: New.Type, _ name: (New) -> String) throws {
            let data = try coder.encode([old])
            let failure = #expect(throws: DecodingFailure.self) { try coder.decode([New].self, from: data) }
            #expect(failure?.code == .newerModel, "\(String(describing: failure))")
            let text = failure?.description ?? ""
            #expect(text.contains("version 9") && text.contains("3") && text.contains("Evolving.Newer"), "\(text)")
            #expect(name(try coder.decodeLeniently([New].self, from: data)[0]) == "nine")
        }
        try tryBoth(Former.Newer(), Present.Newer.self, \.name)
        try tryBoth(Former.NewerValue(), Present.NewerValue.self, \.name)
    }

    @Test(arguments: AnyCoder.allCases) func unknownPropertiesSurviveWithTheirObjects(_ coder: AnyCoder) throws {
        let parent = Former.Known()
        let child = Former.Known()
        let mark = Former.Mark()
        mark.name = "m"
        (parent.a, parent.texts, parent.spot.n) = (1, ["x", "y"], 7)
        parent.dates = ["d": Date(timeIntervalSinceReferenceDate: 1.5)]
        (parent.child, parent.again, parent.other) = (child, child, mark)
        (child.parent, child.other, child.any) = (parent, mark, [1, "two"] as [Any])
        let known = try coder.read(parent, as: Present.Known.self)
        #expect(known.a == 1 && known.others.values.names.contains("texts"))
        known.a = 2
        let back = try coder.read(known, as: Former.Known.self)
        #expect(back.a == 2 && back.texts == ["x", "y"] && back.spot.n == 7 && back.optional == nil)
        #expect(back.dates == parent.dates)
        #expect(back.child === back.again && back.child?.parent === back)
        #expect(back.other?.name == "m" && back.child?.other === back.other)
        #expect((back.child?.any as? [Any])?.count == 2)
    }
}
