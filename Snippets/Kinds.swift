// Room:   Snippets. What a model may look like.
// Takes:  nothing. Gives: models of each kind, out and back. Touches: nothing.
// snippet.show
import Amber
import Foundation
import Observation

/// A struct whose `let` and whose missing `init()` are no obstacle.
struct Coordinate: Model, Hashable {
    let latitude: Double
    let longitude: Double
}

/// An enum with payloads needs nothing at all.
enum Route {
    case direct
    case via([Coordinate])
    indirect case detour(Route, reason: String?)
}

/// A class that isn't final says `required init()`.
class Place: Model {
    var name = ""
    var position: Coordinate?
    var visits: [Date: Int] = [:]
    var notes: [String: Any] = [:]
    lazy var searchKey = name.lowercased()  // left out
    var onChange: (() -> Void)?  // left out

    required init() {}
}

/// Subclasses come back as what they are, from any array of their parents.
final class Harbour: Place {
    var routes: [Place: Route] = [:]
    unowned var pilot: Pilot?
}

/// An observed class, made without `init()`.
@Observable final class Pilot: Model {
    var harbours: [Harbour]
    let licence: UUID

    init(harbours: [Harbour], licence: UUID) {
        self.harbours = harbours
        self.licence = licence
    }
}

/// A class of Objective-C's world, Linux included.
final class Logbook: NSObject, Model {
    var pilots: [Pilot] = []
    var entries = [(day: 1, text: "Set sail")]
}

extension Place: Hashable {
    static func == (left: Place, right: Place) -> Bool { left === right }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
// snippet.hide

let harbour = Harbour()
harbour.name = "Hamburg"
harbour.notes = ["depth": 15.4, "tags": ["tide", "locks"]]
harbour.routes = [harbour: .detour(.direct, reason: "fog")]
let pilot = Pilot(harbours: [harbour], licence: UUID())
harbour.pilot = pilot
let book = Logbook()
book.pilots = [pilot]
let copy = try BinaryDecoder().decode(Logbook.self, from: try BinaryEncoder().encode(book))
let back = copy.pilots[0].harbours[0]
precondition(back.pilot === copy.pilots[0] && back.routes.keys.first === back && copy.entries[0].text == "Set sail")
precondition(back.notes["depth"] as? Double == 15.4)
for place in [harbour, back] { place.routes = [:] }
