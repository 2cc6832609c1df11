// Room:   AmberReadableTests. Documents as people write them who have read nothing but the page of the format.
// Takes:  texts, good and mistaken. Gives: models; errors that tell line, column, path and what was expected.
// Touches: nothing.

import AmberModel
import AmberReadable
import Foundation
import Testing

private enum Crust: String { case thin, thick = "deep-dish" }
private enum Size: Int { case small = 1, large = 2 }
private enum Topping: Equatable {
    case cheese
    case extra(String)
    case sauce(name: String, heat: Int)
    case both(Int, Int)
}
private struct TableSpot: Model, Hashable {
    var x: Int
    var y: Int
    var label: String?
    static var rules: ModelRules { ModelRules(name: "Kitchen.Spot") }
}
private class Dish: Model {
    var name = "unnamed"
    var price = Decimal(1)
    var crust: Crust?
    var size = Size.small
    var toppings: [Topping] = []
    var served: Date?
    var picture = Data()
    var recipe: URL?
    var id: UUID?
    var portions: UInt8 = 1
    var weight = 0.5
    var isVegan = false
    var spot: TableSpot?
    var pair: (Int, String) = (0, "")
    var range: (from: Int, to: Int) = (0, 0)
    var tags: Set<String> = []
    var byTable: [Int: String] = [:]
    var bySpot: [TableSpot: Int] = [:]
    var extras: [String: [Double]] = [:]
    var sides: [Dish] = []
    var favourite: Dish?
    weak var parent: Dish?
    var note: Any?
    var notes: [String: Any] = [:]
    required init() {}
    class var rules: ModelRules { ModelRules(name: "Kitchen.Dish", version: 1) }
}
private final class Pizza: Dish {
    var slices = 8
    override class var rules: ModelRules { ModelRules(name: "Kitchen.Pizza") }
}

private func free(_ dish: Dish) {
    (dish.favourite, dish.note, dish.notes) = (nil, nil, [:])
    for side in dish.sides { (side.favourite, side.note) = (nil, nil) }
    dish.sides = []
}

@Suite struct HandWrittenTests {
    init() throws { try ReadableDecoder.register(Dish.self, Pizza.self, TableSpot.self, Topping.self, Crust.self) }

    private func dish(_ text: String) throws -> Dish { try ReadableDecoder().decode(Dish.self, from: text) }

    @Test func theSimplestOne() throws {
        let plain = try dish("{}")
        #expect(plain.name == "unnamed" && plain.price == 1 && plain.crust == nil)
        let named = try dish(
            """
            \u{feff}
              { "name" : "Soup" , "colour" : "nobody knows this key", "portions": 2.0, "weight": 3, "price": "12.50" }
            """)
        #expect(
            named.name == "Soup" && named.portions == 2 && named.weight == 3 && named.price == Decimal(string: "12.5"))
        #expect(try dish(#"{"isVegan": 1, "weight": 1e-3}"#).isVegan)
    }

    @Test func enumsByNameRawValueAndPayload() throws {
        let text =
            #"{"crust": "deep-dish", "size": 2, "toppings": ["cheese", {"extra": "olives"}, {"sauce": {"heat": 3, "name": "hot"}}, {"both": [1, 2]}]}"#
        let made = try dish(text)
        #expect(made.crust == .thick && made.size == .large)
        #expect(made.toppings == [.cheese, .extra("olives"), .sauce(name: "hot", heat: 3), .both(1, 2)])
        #expect(try dish(#"{"crust": "thick", "size": "large"}"#).size == .large)
    }

    @Test(arguments: [
        #""2026-05-25T22:46:27Z""#, #""2026-05-26T07:46:27+09:00""#, #""2026-05-25T22:46:27.000Z""#, "801441987",
        #"{"$date": "2026-05-25T22:46:27Z"}"#, "801441987.0",
    ])
    func datesInEveryWay(_ text: String) throws {
        #expect(try dish(#"{"served": \#(text)}"#).served == Date(timeIntervalSinceReferenceDate: 801_441_987))
        #expect(try dish(#"{"served": "2026-05-25"}"#).served == Date(timeIntervalSinceReferenceDate: 801_360_000))
    }

    @Test func textsForOtherThings() throws {
        let made = try dish(
            #"{"picture": "AAEC", "recipe": "https://a.b/c?d=e", "id": "00000000-0000-4000-8000-000000000001"}"#)
        #expect(made.picture == Data([0, 1, 2]) && made.recipe?.query() == "d=e" && made.id != nil)
        #expect(try dish(#"{"picture": {"$data": "AAEC"}}"#).picture.count == 3)
    }

    @Test func tuplesSetsAndDictionaries() throws {
        let made = try dish(
            #"""
            {"pair": [4, "four"], "range": {"to": 9, "from": 1}, "tags": ["b", "a", "b"],
             "byTable": {"12": "twelve", "-1": "none"}, "bySpot": {"$pairs": [[{"x": 1, "y": 2}, 5]]},
             "extras": {"a.b": [1, 2.5], "$$price": []}, "spot": {"x": 1, "y": 2}}
            """#)
        #expect(made.pair == (4, "four") && made.range == (1, 9) && made.tags == ["a", "b"])
        #expect(made.byTable == [12: "twelve", -1: "none"] && made.bySpot == [TableSpot(x: 1, y: 2): 5])
        #expect(made.extras == ["a.b": [1, 2.5], "$price": []] && made.spot == TableSpot(x: 1, y: 2))
        #expect(try dish(#"{"range": [3, 4]}"#).range == (3, 4))
    }

    @Test func classesByFullAndShortNames() throws {
        let made = try dish(
            #"{"$class": "Kitchen.Pizza", "slices": 4, "sides": [{"$class": "Kitchen.Pizza"}, {"$class": "Dish"}, {"name": "plain"}]}"#
        )
        #expect((made as? Pizza)?.slices == 4)
        #expect(made.sides[0] is Pizza && !(made.sides[1] is Pizza) && made.sides[2].name == "plain")
        #expect(
            try ReadableDecoder().decode([Dish].self, from: #"[{"name": "a"}, {"$class": "Kitchen.Pizza"}]"#)[1]
                is Pizza)
        #expect(try ReadableDecoder().decode([String: TableSpot].self, from: #"{"a": {"x": 1, "y": 1}}"#)["a"]?.x == 1)
    }

    @Test func aliasesLeadAnywhere() throws {
        let made = try dish(
            #"""
            {"favourite": {"$alias": "sides.1"},
             "sides": [{"name": "bread", "parent": {"$alias": "$root"}, "favourite": {"$alias": "favourite"}}, {"name": "salad"}],
             "note": {"$alias": "sides.0"}, "notes": {"a.b": {"$alias": "favourite"}, "again": {"$alias": "notes.a~1b"}, "words": {"$alias": "sides.0.name"}}}
            """#)
        #expect(
            made.favourite === made.sides[1] && made.sides[0].parent === made
                && made.sides[0].favourite === made.sides[1])
        #expect(made.note as AnyObject === made.sides[0])
        #expect(made.notes["a.b"] as AnyObject === made.sides[1] && made.notes["again"] as AnyObject === made.sides[1])
        #expect(made.notes["words"] as? String == "bread")
        // The way comes before the object, whose own place tells its class.
        let early = try dish(
            #"{"note": {"$alias": "favourite"}, "notes": {"n": [{"$alias": "note"}]}, "favourite": {"name": "x"}}"#)
        #expect(
            early.note as AnyObject === early.favourite
                && (early.notes["n"] as? [Any])?[0] as AnyObject === early.favourite)
        for dish in [made, early] { free(dish) }
    }

    @Test func anythingTellsItsType() throws {
        let notes = try dish(
            #"""
            {"notes": {"int": 5, "double": 5.0, "truth": true, "nil": null, "date": {"$date": "2026-05-25"}, "day": {"$class": "Date", "$value": "2026-05-25"},
             "set": {"$class": "Set<Int>", "$value": [1, 2]}, "price": {"$class": "Decimal", "$value": "1.50"}, "spot": {"$class": "Kitchen.Spot", "x": 1, "y": 2},
             "pizza": {"$class": "Kitchen.Pizza", "slices": 2}, "gone": {"$class": "Kitchen.Oven", "heat": 200}, "byte": {"$class": "UInt8", "$value": 7},
             "dates": {"$class": "[Date]", "$value": ["2026-05-25", 0]}, "odd": {"$pairs": [[1, "one"]]}, "schema": {"$schema": "s"}}}
            """#
        ).notes
        #expect(
            notes["int"] as? Int == 5 && type(of: notes["double"]!) == Double.self && notes["truth"] as? Bool == true)
        #expect(notes["date"] as? Date == notes["day"] as? Date && notes["set"] as? Set<Int> == [1, 2])
        #expect(notes["price"] as? Decimal == 1.5 && notes["spot"] as? TableSpot == TableSpot(x: 1, y: 2))
        #expect((notes["pizza"] as? Pizza)?.slices == 2 && (notes["gone"] as? DynamicObject)?["heat"]?.int == 200)
        #expect(notes["byte"] as? UInt8 == 7 && (notes["dates"] as? [Date])?.count == 2)
        #expect((notes["odd"] as? [AnyHashable: Any])?[1] as? String == "one")
        #expect((notes["schema"] as? [String: Any])?["$schema"] as? String == "s")
    }

    @Test func aPropertyListByHand() throws {
        let made = try ReadableDecoder().decode(
            Dish.self,
            from: """
                <?xml version="1.0" encoding="UTF-8"?>
                <plist version="1.0">
                <dict>
                    <!-- a comment -->
                    <key>name</key><string>S &amp; P</string>
                    <key>portions</key><integer>3</integer>
                    <key>weight</key><integer>2</integer>
                    <key>isVegan</key><true/>
                    <key>served</key><date>2026-05-25T22:46:27Z</date>
                    <key>picture</key><data>AAEC</data>
                    <key>price</key><real>2.5</real>
                    <key>sides</key><array><dict><key>$class</key><string>Kitchen.Pizza</string></dict><dict/></array>
                    <key>favourite</key><dict><key>$alias</key><string>sides.0</string></dict>
                </dict>
                </plist>
                """)
        #expect(made.name == "S & P" && made.portions == 3 && made.weight == 2 && made.isVegan && made.price == 2.5)
        #expect(
            made.served != nil && made.picture.count == 3 && made.favourite === made.sides[0] && made.sides[0] is Pizza)
    }

    private struct Mistake: CustomTestStringConvertible, Sendable {
        let text: String
        let code: DecodingFailure.Code
        let path: String
        let place: (line: Int, column: Int)?
        let words: String
        var testDescription: String { text }
        init(
            _ text: String, _ code: DecodingFailure.Code, _ path: String, _ place: (line: Int, column: Int)?,
            _ words: String
        ) {
            (self.text, self.code, self.path, self.place, self.words) = (text, code, path, place, words)
        }
    }

    private static let mistakes: [Mistake] = [
        .init("", .truncated, "", (1, 1), "empty"),
        .init("  \n ", .truncated, "", (2, 2), ""),
        .init("{\"name\": \"x\",}", .corrupt, "", (1, 14), "key"),
        .init("{'name': 1}", .corrupt, "", (1, 2), "key"),
        .init("{\"name\" \"x\"}", .corrupt, "", (1, 9), ":"),
        .init("{\"name\": \"x\"} extra", .corrupt, "", (1, 15), ""),
        .init("{\n  // comment\n  \"name\": \"x\"\n}", .corrupt, "", (2, 3), ""),
        .init("{\"name\": \"x\"", .truncated, "", (1, 13), ""),
        .init("{\"name\": Soup}", .corrupt, "", (1, 10), ""),
        .init("{\"portions\": 007}", .corrupt, "", (1, 14), ""),
        .init("5", .typeMismatch, "", (1, 1), "Kitchen.Dish"),
        .init("{\n  \"name\": 5\n}", .typeMismatch, "name", (2, 11), "String"),
        .init("{\"portions\": 300}", .doesNotFit, "portions", (1, 14), "UInt8"),
        .init("{\"portions\": -1}", .doesNotFit, "portions", (1, 14), "UInt8"),
        .init("{\"portions\": 1.5}", .doesNotFit, "portions", (1, 14), "UInt8"),
        .init("{\"portions\": \"5\"}", .typeMismatch, "portions", (1, 14), "UInt8"),
        .init("{\"isVegan\": \"yes\"}", .typeMismatch, "isVegan", (1, 13), "Bool"),
        .init("{\"name\": null}", .missingValue, "name", (1, 10), "Optional"),
        .init("{\"crust\": \"Thin\"}", .unknownCase, "crust", (1, 11), "thin, deep-dish"),
        .init("{\"toppings\": [\"cheese\", \"extra\"]}", .missingValue, "toppings[1]", (1, 25), "payload"),
        .init(
            "{\"toppings\": [{\"sauce\": {\"name\": \"x\"}}]}", .missingValue, "toppings[0].sauce.heat", (1, 25), "heat"
        ),
        .init("{\"served\": \"yesterday\"}", .typeMismatch, "served", (1, 12), "no date"),
        .init("{\"picture\": \"not base64!\"}", .typeMismatch, "picture", (1, 13), "base64"),
        .init("{\"id\": \"12\"}", .typeMismatch, "id", (1, 8), "UUID"),
        .init("{\"spot\": {\"x\": 1}}", .missingValue, "spot.y", (1, 10), "`y`"),
        .init("{\"pair\": [1]}", .typeMismatch, "pair", (1, 10), "2"),
        .init("{\"byTable\": {\"one\": \"x\"}}", .typeMismatch, "byTable.one", (1, 14), "Int"),
        .init("{\"name\": \"a\", \"name\": \"b\"}", .corrupt, "", (1, 15), "twice"),
        .init("{\"sides\": {\"name\": \"x\"}}", .typeMismatch, "sides", (1, 11), "Dish]"),
        .init("{\"sides\": [{\"$class\": \"Kitchen.Oven\"}]}", .unknownType, "sides[0]", (1, 23), "Kitchen.Oven"),
        .init("{\"favourite\": {\"$class\": \"Kitchen.Spot\"}}", .typeMismatch, "favourite", (1, 26), "Kitchen.Dish"),
        .init("{\"favourite\": {\"$alias\": \"sides.3\"}}", .corrupt, "favourite", (1, 26), "sides.3"),
        .init("{\"favourite\": {\"$alias\": \"favourite\"}}", .corrupt, "favourite", nil, "ring"),
        .init(
            "{\"favourite\": {\"$alias\": \"name\"}, \"name\": \"n\"}", .typeMismatch, "favourite", nil, "Kitchen.Dish"),
        .init("{\"note\": {\"$class\": 5}}", .corrupt, "note", (1, 21), "text"),
        .init("{\"note\": {\"$class\": \"Set<Int>\", \"$value\": [\"x\"]}}", .typeMismatch, "note[0]", (1, 44), "Int"),
        .init("{\"bySpot\": {\"$pairs\": [[1]]}}", .typeMismatch, "bySpot", (1, 24), "pair"),
        .init("{\"$version\": 9}", .newerModel, "", nil, "9"),
        .init(
            "<plist><dict><key>name</key><integer>1</integer></dict></plist>", .typeMismatch, "name", (1, 29), "String"),
        .init("<plist><dict><key>name</key></dict></plist>", .corrupt, "", (1, 29), ""),
        .init("<plist><dict><string>name</string></dict></plist>", .corrupt, "", nil, "key"),
    ]

    @Test(arguments: mistakes) private func mistakesAreExplained(_ mistake: Mistake) throws {
        let failure = #expect(throws: DecodingFailure.self) { try dish(mistake.text) }
        guard let failure else { return }
        #expect(failure.code == mistake.code, "\(failure)")
        #expect(failure.path.description == mistake.path, "\(failure)")
        let place = mistake.place.map { DecodingFailure.TextPosition(line: $0.line, column: $0.column) }
        #expect(failure.position != nil && (place == nil || failure.position == place), "\(failure)")
        #expect(mistake.words.isEmpty || failure.reason.contains(mistake.words), "\(failure)")
    }
}
