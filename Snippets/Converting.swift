// Room:   Snippets. Archives of one kind made of archives of another, without the types in them.
// Takes:  nothing. Gives: a document written by hand as binary and keyed archives. Touches: nothing.
// snippet.show
import Amber
import Foundation

// Written by hand, or by a script. No type of the program is needed to read it.
let document = """
    {
      "$class": "Shop.Order", "number": 7, "placed": "2026-05-25T22:46:27Z",
      "lines": [{"$class": "Shop.Line", "article": "Amber", "price": 12.50, "order": {"$alias": "$root"}}]
    }
    """
let graph = try ReadableDecoder().decodeDynamic(from: document)

// Every coder writes it: programs that have `Order` and `Line` read these archives as their own.
let binary = try BinaryEncoder().encodeDynamic(graph)
let keyed = try KeyedEncoder().encodeDynamic(graph)

// And every coder reads what the others wrote, to be looked at, changed, and written again.
let found = try KeyedDecoder().decodeDynamic(from: keyed)
if let order = found.dynamicObject {
    order["number"] = 8
    order["note"] = "changed by a script"
}
let changed = try ReadableEncoder().encodeDynamic(found)
// snippet.hide
final class Order: Model {
    var number = 0
    var placed = Date()
    var note: String?
    var lines: [Line] = []
    static var rules: ModelRules { ModelRules(name: "Shop.Order") }
}
final class Line: Model {
    var article = ""
    var price = Decimal(0)
    weak var order: Order?
    static var rules: ModelRules { ModelRules(name: "Shop.Line") }
}
for order in [
    try BinaryDecoder().decode(Order.self, from: binary), try KeyedDecoder().decode(Order.self, from: keyed),
    try ReadableDecoder().decode(Order.self, from: changed),
] {
    precondition(order.lines[0].order === order && order.lines[0].price == Decimal(string: "12.5"))
}
