// Room:   Example. The models of a small lending library.
// Takes:  nothing. Gives: types. Touches: nothing.

import Amber
import Foundation

/// Where a thing stands.
struct Shelf: Model, Equatable {
    var room: String
    var number: Int
}

/// Whether a thing is there.
enum Availability: Equatable {
    case onShelf
    case lent(until: Date)
}

/// Anything that can be lent. Not final: its subclasses come back as what they were.
class Medium: Model {
    var title = ""
    var shelf = Shelf(room: "Main", number: 0)
    var availability = Availability.onShelf
    weak var borrower: Reader?

    required init() {}
}

final class Book: Medium {
    var pages: Int?
}

final class Recording: Medium {
    var length: TimeInterval = 0
    var performers: Set<String> = []
}

/// Readers know what they borrowed, and each other: references in circles are fine.
final class Reader: Model {
    var name = ""
    var borrowed: [Medium] = []
    var friends: [Reader] = []
}

final class Library: Model {
    var media: [Medium] = []
    var readers: [String: Reader] = [:]
    var founded: Date?
}
