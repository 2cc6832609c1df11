// Room:   CustomisingTests. Types as they were in older releases of an imaginary program, and what it archived then.
// Takes:  nothing. Gives: the archives in Fixtures/evolution, which are written once and never again.
// Touches: the folder, if the environment asks for what is missing.

import Amber
import AmberKeyed
import Foundation
import Testing

enum OldShapes {
    struct Numbers: Model {
        var a: Int8 = -5
        var b: Int16 = -300
        var c: Int32 = 70_000
        var d: Int64 = 1 << 40
        var e: UInt8 = 200
        var f: UInt16 = 60_000
        var g: UInt32 = 4_000_000_000
        var h: UInt64 = 1 << 50
        var i: Float = 0.5
        var j: Double = 1024
        var k = 7
        static var rules: ModelRules { ModelRules(name: "Evolution.Numbers") }
    }

    final class Item: Model {
        var title = "the title"
        var legacy = ["gone", "gone too"]
        var count = 3
        var tags = [3, 1, 2, 3]
        var note: String? = "a note"
        var sure = 5
        var nested = Nested()
        var other: Item?
        weak var owner: Item?
        static var rules: ModelRules { ModelRules(name: "Evolution.Item") }
    }

    struct Nested: Model {
        var first = 1
        var second = "two"
        static var rules: ModelRules { ModelRules(name: "Evolution.Nested") }
    }

    final class Dog: Model {
        var name = "Rex"
        var tricks = 3
        static var rules: ModelRules { ModelRules(name: "Evolution.Dog") }
    }

    final class Kennel: Model {
        var dogs: [Dog] = []
        static var rules: ModelRules { ModelRules(name: "Evolution.Kennel") }
    }

    /// A document in its three versions, with a place whose versions are its own.
    final class Document1: Model {
        var title = "A"
        var legacy = true
        var place = Place1()
        var parts: [Document1] = []
        static var rules: ModelRules { ModelRules(name: "Evolution.Document", version: 1) }
    }
    final class Document2: Model {
        var name = "B"
        var legacy = true
        var place = Place2()
        var parts: [Document2] = []
        static var rules: ModelRules { ModelRules(name: "Evolution.Document", version: 2) }
    }
    final class Document9: Model {
        var name = "N"
        var future = "?"
        static var rules: ModelRules { ModelRules(name: "Evolution.Document", version: 9) }
    }
    struct Place1: Model {
        var latitude: Float = 1.5
        var longitude: Float = -2.5
        static var rules: ModelRules { ModelRules(name: "Evolution.Place", version: 1) }
    }
    struct Place2: Model {
        var text = "here"
        static var rules: ModelRules { ModelRules(name: "Evolution.Place", version: 2) }
    }

    /// What a newer program wrote that the present one knows less of.
    enum Colour: String { case red, green, blue }
    enum Shape {
        case dot
        case line(Int, Int)
        case text(String)
    }
    final class Drawing: Model {
        var colours: [Colour] = [.red, .green, .blue]
        var shapes: [Shape] = [.dot, .line(1, 2), .text("t")]
        var known = 1
        var unknown = "kept"
        var more = [1.5, 2.5]
        var any: [Any] = []
        static var rules: ModelRules { ModelRules(name: "Evolution.Drawing") }
    }
    final class Gone: Model {
        var text = "of a class that is gone"
        var next: Gone?
        static var rules: ModelRules { ModelRules(name: "Evolution.Gone") }
    }
    final class Before: Model {
        var text = "under another name"
        static var rules: ModelRules { ModelRules(name: "Evolution.Before") }
    }
    final class Holder: Model {
        var items: [Before] = []
        static var rules: ModelRules { ModelRules(name: "Evolution.Holder") }
    }

    static func item() -> Item {
        let item = Item()
        item.other = Item()
        item.other?.owner = item
        item.other?.note = "other"
        return item
    }

    static func document1(_ parts: Int) -> Document1 {
        let document = Document1()
        for index in 0..<parts {
            let part = Document1()
            part.title = "part \(index)"
            part.place.latitude = Float(index)
            document.parts.append(part)
        }
        return document
    }

    static func document2() -> Document2 {
        let document = Document2()
        document.parts = [Document2()]
        return document
    }

    static func drawing() -> Drawing {
        let drawing = Drawing()
        let gone = Gone()
        gone.next = gone
        drawing.any = [gone, 5]
        return drawing
    }

    static func kennel(_ count: Int) -> Kennel {
        let kennel = Kennel()
        for index in 0..<count {
            let dog = Dog()
            (dog.name, dog.tricks) = ("dog \(index)", index)
            kennel.dogs.append(dog)
        }
        return kennel
    }

    static func holder() -> Holder {
        let holder = Holder()
        holder.items = [Before(), Before()]
        return holder
    }

    /// The archives by the names of their files.
    static func archive(_ name: String) throws -> Data {
        func binary<T>(_ value: T) throws -> Data {
            try BinaryEncoder(options: .init(isDeterministic: true)).encode(value)
        }
        switch name {
        case "numbers-row.amber": return try binary(Numbers())
        case "numbers-columns.amber": return try binary(Array(repeating: Numbers(), count: 40))
        case "numbers.plist": return try KeyedEncoder().encode(Numbers())
        case "item.amber": return try binary(item())
        case "items-columns.amber": return try binary((0..<40).map { _ in item() })
        case "item.plist": return try KeyedEncoder().encode(item())
        case "kennel-rows.amber": return try binary(kennel(2))
        case "kennel-columns.amber": return try binary(kennel(40))
        case "kennel.plist": return try KeyedEncoder().encode(kennel(2))
        case "document-1.amber": return try binary(document1(2))
        case "document-1-columns.amber": return try binary(document1(40))
        case "document-2.amber": return try binary(document2())
        case "document-9.amber": return try binary(Document9())
        case "drawing.amber": return try binary(drawing())
        case "holder.amber": return try binary(holder())
        default: throw Missing(name: name)
        }
    }

    struct Missing: Error { var name: String }

    static let names = [
        "numbers-row.amber", "numbers-columns.amber", "numbers.plist", "item.amber", "items-columns.amber",
        "item.plist",
        "kennel-rows.amber", "kennel-columns.amber", "kennel.plist", "document-1.amber", "document-1-columns.amber",
        "document-2.amber", "document-9.amber", "drawing.amber", "holder.amber",
    ]
}
