// Room:   Snippets. Properties that are archived in a way of their own, and a model that checks itself.
// Takes:  nothing. Gives: the model out and back, copied, compared. Touches: nothing.
// snippet.show
import Amber
import Foundation

final class Pen: Model, ValidatedModel {
    var colour = Colour(red: 255, green: 0, blue: 0)  // no model, not Codable
    var width = 1.0
    var attachment: Any?
    var token = ""
    var sizes: [Double] = []

    var points: Double {
        get { width * 72 }
        set { width = newValue / 72 }
    }

    static var rules: ModelRules {
        ModelRules()
            .transforming("colour", to: { (colour: Colour) in colour.text }, from: { try Colour($0) })
            .computing("points", \Pen.points)  // archived, not stored
            .excluding("width")  // stored, not archived
            .allowing("attachment", Pen.self, String.self)  // nothing else
            .excluding("token", from: .outside)  // in archives, not in JSON
    }

    // When the whole graph is there.
    func validate() throws {
        guard width > 0 else { throw Colour.Unreadable() }
    }
}
// snippet.hide

struct Colour: Equatable {
    var red: UInt8
    var green: UInt8
    var blue: UInt8
    struct Unreadable: Error {}
    var text: String { "\(red) \(green) \(blue)" }

    init(red: UInt8, green: UInt8, blue: UInt8) { (self.red, self.green, self.blue) = (red, green, blue) }

    init(_ text: String) throws {
        let parts = text.split(separator: " ").compactMap { UInt8($0) }
        guard parts.count == 3 else { throw Unreadable() }
        self.init(red: parts[0], green: parts[1], blue: parts[2])
    }
}

let pen = Pen()
pen.width = 2
pen.attachment = "note"
pen.token = "secret"
let copy = try BinaryDecoder().decode(Pen.self, from: try BinaryEncoder().encode(pen))
precondition(copy.colour == pen.colour && copy.width == 2 && copy.attachment as? String == "note")
let (isEqual, values) = (try copy.isStructurallyEqual(to: pen), try pen.dictionaryValue)
precondition(isEqual && values["token"] == nil && copy.token == "secret")
let made = try Pen.instance(from: ["points": "144", "sizes": [1, "2"]])
precondition(made.width == 2 && made.sizes == [1, 2])
let twin = try made.deepCopy()
twin.sizes[1] = 3
let found = try made.differences(from: twin)
precondition(found.map(\.description) == ["sizes[1]: 2.0 and 3.0"])
