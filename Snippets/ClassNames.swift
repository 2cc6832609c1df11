// Room:   Snippets. Classes that have other names in keyed archives; values coded by hand.
// Takes:  nothing. Gives: archives of an older program, read. Touches: nothing.
import Amber
import Foundation

final class Card: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }
    let text: String

    init(text: String) { self.text = text }

    required init?(coder: NSCoder) {
        text = coder.decodeObject(of: NSString.self, forKey: "text").map { $0 as String } ?? ""
    }

    func encode(with coder: NSCoder) { coder.encode(text as NSString, forKey: "text") }
}
let folder = Card(text: "Inbox")
// snippet.show
// Several values, as NSKeyedArchiver writes them: `archive()` ends the encoding and gives the data.
let writer = ArchivingCoder()
writer.classMap.setName("OldApp.Card", for: Card.self)  // only in this archive
writer.encode(folder, forKey: "folder")
writer.encode(3, forKey: "count")
let old = try writer.archive()

// What another program called differently. `KeyedClassMap.register(Card.self, as: "OldApp.Card")` holds for all coders.
var decoder = KeyedDecoder()
decoder.classMap.setClass(Card.self, for: "OldApp.Card")
let card = try decoder.decode(Card.self, from: old, key: "folder")

// By hand: a method that fails gives nil or zero, and `finish()` throws the reason.
let reader = try UnarchivingCoder(reading: old)
reader.classMap.setClass(Card.self, for: "OldApp.Card")
let count = reader.decodeInteger(forKey: "count")
let again = reader.decodeObject(of: Card.self, forKey: "folder")
try reader.finish()
// snippet.hide
precondition(card.text == "Inbox" && count == 3 && again?.text == "Inbox")
