// Room:   Snippets. Documents that people read and write.
// Takes:  nothing. Gives: a graph as JSON and back; a document written by hand. Touches: nothing.
// snippet.show
import Amber
import Foundation

final class City: Model {
    var name = ""
    var founded: Date?
    var twins: [City] = []
}

let berlin = City()
berlin.name = "Berlin"
berlin.twins = [City()]
berlin.twins[0].twins = [berlin]

let json = try ReadableEncoder().encodeText(berlin)
// "$class" names the type, {"$alias": "$root"} leads back to it.
let same = try ReadableDecoder().decode(City.self, from: json)

let byHand = try ReadableDecoder().decode(
    [City].self,
    from: """
        [{"name": "Lyon", "founded": "1312-04-13", "twins": [{"$alias": "1"}]},
         {"name": "Leipzig", "twins": [{"$alias": "0"}]}]
        """)
let list = try ReadableEncoder().encode(byHand, as: .xmlPropertyList)
// snippet.hide
precondition(same.twins[0].twins[0] === same && byHand[0].twins[0] === byHand[1] && !list.isEmpty)
for city in [berlin, same] + byHand { city.twins = [] }
