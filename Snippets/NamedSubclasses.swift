// Room:   Snippets. Subclasses with names of their own, that nothing has used before an archive is read.
// Takes:  nothing. Gives: a document's objects as what they are. Touches: nothing.
import Amber

// snippet.show
class Animal: Model {
    var name = ""
    required init() {}
    class var rules: ModelRules { ModelRules(name: "Zoo.Animal") }
}

final class Lion: Animal {
    var mane = 0.0
    override class var rules: ModelRules { ModelRules(name: "Zoo.Lion") }
}

// Once, as the program starts: `[Animal]` doesn't tell that there are lions, nor that `Zoo.Lion` is one.
try BinaryDecoder.register(Lion.self)

let animals = try ReadableDecoder().decode(
    [Animal].self, from: #"[{"name": "Ann"}, {"$class": "Zoo.Lion", "name": "Leo", "mane": 1.5}]"#)
// animals[1] is a Lion
// snippet.hide
precondition((animals[1] as? Lion)?.mane == 1.5)
