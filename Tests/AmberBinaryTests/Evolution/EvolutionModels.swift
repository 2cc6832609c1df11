// Room:   AmberBinaryTests / Evolution. One type in several shapes, each as it was in some release of an imaginary program.
// Takes:  nothing. Gives: families of types that share their names in archives.
// Touches: nothing.

import AmberModel
import AmberTestSupport
import Foundation

/// The program's first release.
enum First {
    final class Task: Model {
        var title = ""
        var legacy = "old"
        var place = Place()
        var others: [Task] = []
        weak var parent: Task?
        static var rules: ModelRules { ModelRules(name: "Todo.Task", version: 1) }
    }

    struct Place: Model {
        var latitude: Float = 0
        var longitude: Float = 0
        static var rules: ModelRules { ModelRules(name: "Todo.Place", version: 1) }
    }

    final class Board: Model {
        var tasks: [Task] = []
        var places: [Place] = []
        var byName: [String: Place] = [:]
        var last: Place?
        var any: Any = 0
        static var rules: ModelRules { ModelRules(name: "Todo.Board", version: 1) }
    }
}

/// The third: `title` is `name` since the second, `priority` is new, `legacy` is gone; a place has one text.
enum Third {
    final class Task: Model, Hashable, Labelled {
        var name = ""
        var priority = 0
        var place = Place(text: "")
        var others: Set<Task> = []
        weak var parent: Task?
        var notes: [String: Int] = ["made": 1]
        var label: String { name }
        static var rules: ModelRules {
            ModelRules(name: "Todo.Task", version: 3)
                .migrating(from: 2) { values in
                    values["priority"] = 5
                    values.remove("legacy")
                }
                .migrating(from: 1) { values in
                    values.rename("title", to: "name")
                    if values["name"]?.string == "bad" { throw Refused() }
                }
        }
        static func == (left: Task, right: Task) -> Bool { left.name == right.name }
        func hash(into hasher: inout Hasher) { hasher.combine(name) }
    }

    struct Refused: Error {}

    /// Made without an initializer.
    struct Place: Model, Equatable {
        var text: String
        var altitude: Double?
        static var rules: ModelRules {
            ModelRules(name: "Todo.Place", version: 2)
                .migrating(from: 1) { values in
                    let (latitude, longitude) = (values["latitude"]?.double ?? 0, values["longitude"]?.double ?? 0)
                    values.set("text", to: "\(latitude), \(longitude)")
                }
        }
        init(text: String) { self.text = text }
    }

    final class Board: Model {
        var tasks: [Task] = []
        var places: [Place] = []
        var byName: [String: Place] = [:]
        var last: Place?
        var any: Any = 0
        static var rules: ModelRules { ModelRules(name: "Todo.Board", version: 1) }
    }

    /// A class made without an initializer, which is migrated too.
    final class Bare: Model {
        var name: String
        var owner: Bare
        var tags: Set<Bare>
        let tracked: Tracked<Bare>
        init(name: String) { fatalError("Not called.") }
        static var rules: ModelRules {
            ModelRules(name: "Todo.Bare", version: 2).migrating(from: 1) { $0.rename("title", to: "name") }
        }
    }
}

extension Third.Bare: Hashable {
    static func == (left: Third.Bare, right: Third.Bare) -> Bool { left.name == right.name }
    func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension First {
    final class Bare: Model, Hashable {
        var title = ""
        var owner: Bare?
        var tags: Set<Bare> = []
        var tracked = Tracked<Third.Bare>("t")
        static var rules: ModelRules { ModelRules(name: "Todo.Bare", version: 1) }
        static func == (left: Bare, right: Bare) -> Bool { left.title == right.title }
        func hash(into hasher: inout Hasher) { hasher.combine(title) }
    }
}

/// What a program that has no such classes holds.
final class AnyHolder: Model {
    var any: Any?
    var list: [Any] = []
    static var rules: ModelRules { ModelRules(name: "Todo.Anything") }
}

final class Settings2: Model {
    var a = 0
    var others = UnknownProperties()
    static var rules: ModelRules { ModelRules(name: "Todo.Settings") }
}

final class Settings3: Model {
    var a = 0
    var b: [Int] = []
    var peer: Settings3?
    var shape = Shade.red
    var extra: [String: Double] = [:]
    var any: Any = 1
    static var rules: ModelRules { ModelRules(name: "Todo.Settings") }
}

enum Shade: String { case red, green, blue }

enum Colour1 {
    case red, blue
    case unknown(DynamicCase)
}
enum Colour2: Equatable {
    case red, blue, green
    case mixed(Int, String)
}
struct Palette1: Model {
    var one = Colour1.red
    var many: [Colour1] = []
    static var rules: ModelRules { ModelRules(name: "Todo.Palette") }
}
struct Palette2: Model {
    var one = Colour2.red
    var many: [Colour2] = []
    static var rules: ModelRules { ModelRules(name: "Todo.Palette") }
}
enum Colour3: String, ModelProtocol {
    case red, blue, other
    static var rules: ModelRules { ModelRules().readingUnknownCases(as: "other") }
}
struct Palette3: Model, Equatable {
    var one = Colour3.red
    var many: [Colour3] = []
    static var rules: ModelRules { ModelRules(name: "Todo.Palette") }
}
