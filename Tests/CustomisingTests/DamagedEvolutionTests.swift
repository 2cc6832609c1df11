// Room:   CustomisingTests. Damaged archives of older types, with every coder.
// Takes:  archives with migrations and unknown properties before them, damaged at random. Gives: a value or an error, and no object left.
// Touches: the binary, the keyed and the readable coder.

import Amber
import AmberKeyed
import AmberReadable
import AmberTestSupport
import Foundation
import Testing

private enum DamageTag {}
private typealias Mark = Tracked<DamageTag>

private enum Before {
    final class Task: Model {
        static var rules: ModelRules { ModelRules(name: "Damaged.Task", version: 1) }
        var title = "title"
        var size = Size()
        var sizes = [Size(), Size()]
        var mark: Mark? = Mark("mark")
        var marks: Set<Mark> = [Mark("a"), Mark("b")]
        var next: Task?
        weak var first: Task?
        var any: Any = [1, "two", Size()] as [Any]
    }

    struct Size: Model {
        static var rules: ModelRules { ModelRules(name: "Damaged.Size", version: 1) }
        var width = 2
        var mark: Mark? = Mark("inner")
    }
}

private enum After {
    final class Task: Model {
        static var rules: ModelRules {
            ModelRules(name: "Damaged.Task", version: 2).migrating(from: 1) {
                $0.rename("title", to: "name")
                $0["count"] = DynamicValue($0["sizes"]?.array?.count ?? 0)
                $0["copy"] = $0["size"]
                $0["late"] = $0["marks"]
            }
        }
        var name = ""
        var count = 0
        var size = Size()
        var copy: Size?
        var marks: Set<Mark> = []
        var late: Set<Mark> = []
        var next: Task?
        weak var first: Task?
        var others = UnknownProperties()
        init() {}
    }

    struct Size: Model {
        static var rules: ModelRules {
            ModelRules(name: "Damaged.Size", version: 2).migrating(from: 1) {
                $0["width"] = DynamicValue($0["width"]?.int ?? 0)
            }
        }
        var width = 0.0
        var mark: Mark?
        init() {}
    }
}

@Suite(.serialized) struct DamagedEvolutionTests {
    private func archive(_ coder: AnyCoder) throws -> Data {
        let task = Before.Task()
        task.next = Before.Task()
        task.next?.next = Before.Task()
        task.next?.first = task
        return try coder.encode([task, Before.Task(), task])
    }

    @Test(arguments: AnyCoder.allCases) func damageIsAnErrorAndLeavesNothing(_ coder: AnyCoder) throws {
        var generator = SeededGenerator()
        let data = try archive(coder)
        var whole = try coder.decode([After.Task].self, from: data)
        #expect(whole.count == 3 && whole[0] === whole[2] && whole[0].late.count == 2 && whole[0].copy?.width == 2)
        #expect(whole[0].others.values.names.contains("any"))
        whole = []
        var (errors, leaks) = (0, 0)
        for _ in 0..<1_500 {
            let damaged = generator.damage(data)
            // What was read whole may hold itself.
            let living = livingObjects(DamageTag.self)
            do { _ = try coder.decode([After.Task].self, from: damaged) } catch {
                errors += 1
                if livingObjects(DamageTag.self) != living { leaks += 1 }
                #expect(error is DecodingFailure, "\(error), \(generator.replay)")
            }
        }
        #expect(leaks == 0, "\(generator.replay)")
        #expect(errors > 100, "\(errors) errors")
    }

    @Test(arguments: AnyCoder.allCases) func everyBeginningIsAnErrorAndLeavesNothing(_ coder: AnyCoder) throws {
        let data = try archive(coder)
        let living = livingObjects(DamageTag.self)
        forEachPrefix(of: data, limit: 400) { data in
            // The last line break of a document may be missing.
            guard let text = String(data: data, encoding: .utf8), text.hasSuffix("]") || text.hasSuffix(">") else {
                #expect(throws: DecodingFailure.self) { try coder.decode([After.Task].self, from: data) }
                return
            }
        }
        #expect(livingObjects(DamageTag.self) == living)
    }
}
