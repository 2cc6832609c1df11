// Room:   Snippets. An archive of yesterday's type, read by today's.
// Takes:  nothing. Gives: the old values in the new properties. Touches: nothing.
import Amber

enum Yesterday {
    final class Task: Model {
        var name = "Water the plants"
        var priority: Int8 = 3
        var obsolete = [1, 2, 3]
        static var rules: ModelRules { ModelRules(name: "Todo") }
    }
}
// snippet.show
final class Todo: Model {
    var title = ""  // was `name`
    var priority = 0  // was an Int8
    var tags: [String] = ["new"]  // wasn't there

    static var rules: ModelRules {
        ModelRules(name: "Todo", version: 1)
            .reading("title", from: "name")
    }
}
// snippet.hide
let archive = try BinaryEncoder().encode(Yesterday.Task())
let todo = try BinaryDecoder().decode(Todo.self, from: archive)
precondition(todo.title == "Water the plants" && todo.priority == 3 && todo.tags == ["new"])
