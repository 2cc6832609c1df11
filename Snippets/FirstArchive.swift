// Room:   Snippets. The first example of README.md; a test compares the two.
// Takes:  nothing. Gives: an archive and its copy. Touches: nothing.
// snippet.show
import Amber

final class Person: Model {
    var name = ""
    var friends: [Person] = []
    weak var boss: Person?
}

let ada = Person()
ada.name = "Ada"
ada.friends = [ada, Person()]
ada.boss = ada.friends[1]

let data = try BinaryEncoder().encode(ada)
let copy = try BinaryDecoder().decode(Person.self, from: data)
// copy.friends[0] === copy, and copy.boss === copy.friends[1]
// snippet.hide
precondition(copy.name == "Ada" && copy.friends[0] === copy && copy.boss === copy.friends[1])
for person in [ada, copy] { person.friends = [] }
