// Room:   CustomisingTests. Yesterday's archives with today's types.
// Takes:  the files of Fixtures/evolution, byte for byte. Gives: what the newer types make of them.
// Touches: the files, read only unless the environment asks for what is missing.

import Amber
import AmberKeyed
import AmberTestSupport
import Foundation
import Testing

private enum Now {
    struct Wide: Model {
        var a = 0
        var b: Double = 0
        var c: Int64 = 0
        var d: Int128 = 0
        var e: Int16 = 0
        var f: Int32 = 0
        var g: UInt64 = 0
        var h: UInt128 = 0
        var i: Double = 0
        var j: Float = 0
        var k: Int?
        static var rules: ModelRules { ModelRules(name: "Evolution.Numbers") }
    }

    struct Narrow: Model {
        var a: Int = 0
        var c: Int64 = 0
        var d: Double = 0
        var e: UInt16 = 0
        var h: Int64 = 0
        var i: Float = 0
        var j: Int16 = 0
        var k: Int8 = 0
        static var rules: ModelRules { ModelRules(name: "Evolution.Numbers") }
    }

    struct TooNarrow: Model {
        var a = 0
        var c: Int16 = 0
        static var rules: ModelRules { ModelRules(name: "Evolution.Numbers") }
    }

    /// Reordered, renamed, retyped; `legacy` is gone, `added` is new.
    final class Item: Model {
        weak var owner: Item?
        var other: Item?
        var sure: Int?
        var note = ""
        var tags: Set<Int> = []
        var added = 7
        var name = ""
        var count: Double = 0
        var nested = Nested()
        static var rules: ModelRules { ModelRules(name: "Evolution.Item").reading("name", from: "label", "title") }
    }

    struct Nested: Model {
        var third = 3.5
        var second: String?
        var first: UInt8 = 0
        static var rules: ModelRules { ModelRules(name: "Evolution.Nested") }
    }

    class Animal: Model {
        required init() {}
        var name = ""
        class var rules: ModelRules { ModelRules(name: "Evolution.Animal") }
    }
    final class Dog: Animal {
        var tricks = 0
        var age = 1
        override class var rules: ModelRules { ModelRules(name: "Evolution.Dog") }
    }
    final class Kennel: Model {
        var dogs: [Animal] = []
        static var rules: ModelRules { ModelRules(name: "Evolution.Kennel") }
    }

    final class Document: Model {
        var name = ""
        var priority = 0
        var place = Place(text: "")
        var parts: [Document] = []
        static var rules: ModelRules {
            ModelRules(name: "Evolution.Document", version: 3)
                .migrating(from: 1) { $0.rename("title", to: "name") }
                .migrating(from: 2) { values in
                    values["priority"] = 5
                    values.remove("legacy")
                }
        }
    }
    struct Place: Model {
        var text: String
        init(text: String) { self.text = text }
        static var rules: ModelRules {
            ModelRules(name: "Evolution.Place", version: 2).migrating(from: 1) { values in
                let (latitude, longitude) = (values["latitude"]?.double ?? 0, values["longitude"]?.double ?? 0)
                values.set("text", to: "\(latitude), \(longitude)")
            }
        }
    }

    enum Colour: String { case red, blue, other }
    enum Shape {
        case dot
        case unknown(DynamicCase)
    }
    final class Drawing: Model {
        var colours: [Colour] = []
        var shapes: [Shape] = []
        var known = 0
        var any: [Any] = []
        var rest = UnknownProperties()
        static var rules: ModelRules { ModelRules(name: "Evolution.Drawing") }
    }

    final class After: Model {
        var text = ""
        static var rules: ModelRules { ModelRules(name: "Evolution.After", formerNames: ["Evolution.Before"]) }
    }
    final class Holder: Model {
        var items: [After] = []
        static var rules: ModelRules { ModelRules(name: "Evolution.Holder") }
    }
}

extension Now.Colour: ModelProtocol {
    static var rules: ModelRules { ModelRules().readingUnknownCases(as: "other") }
}

@Suite struct EvolutionFixtureTests {
    private static let folder = repository.appending(path: "Fixtures/evolution")

    private func read<T>(_ name: String, as type: T.Type, _ options: BinaryDecodingOptions = .init()) throws -> T {
        let data = try Data(contentsOf: Self.folder.appending(path: name))
        if name.hasSuffix(".plist") { return try KeyedDecoder().decode(type, from: data) }
        return try BinaryDecoder(options: options).decode(type, from: data)
    }

    @Test(
        .enabled(if: ProcessInfo.processInfo.environment["AMBER_WRITE_FIXTURES"] == "missing"),
        arguments: OldShapes.names)
    func aMissingArchiveIsWritten(name: String) throws {
        let url = Self.folder.appending(path: name)
        if FileManager.default.fileExists(atPath: url.path) { return }
        try OldShapes.archive(name).write(to: url)
    }

    @Test func everyArchiveIsThere() throws {
        let found = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        #expect(Set(found) == Set(OldShapes.names))
    }

    @Test func numbers() throws {
        var wide = try read("numbers-columns.amber", as: [Now.Wide].self)
        #expect(wide.count == 40)
        wide += [try read("numbers-row.amber", as: Now.Wide.self)]
        for now in wide {
            #expect((now.a, now.b, now.c, now.d) == (-5, -300, 70_000, 1 << 40))
            #expect((now.e, now.f, now.g, now.h) == (200, 60_000, 4_000_000_000, 1 << 50))
            #expect((now.i, now.j) == (0.5, 1024) && now.k == 7)
        }
        for name in ["numbers-row.amber", "numbers.plist"] {
            let narrow = try read(name, as: Now.Narrow.self)
            #expect((narrow.a, narrow.c, narrow.d, narrow.e) == (-5, 70_000, Double(1 << 40), 200))
            #expect((narrow.h, narrow.i, narrow.j, narrow.k) == (1 << 50, 0.5, 1024, 7))
            let failure = decodingFailure { try read(name, as: Now.TooNarrow.self) }
            #expect(failure?.code == .doesNotFit)
        }
        #expect(decodingFailure { try read("numbers-row.amber", as: Now.TooNarrow.self) }?.path.description == "c")
        let many = decodingFailure { try read("numbers-columns.amber", as: [Now.TooNarrow].self) }
        #expect(many?.code == .doesNotFit && many?.path.description.contains("c") == true)
    }

    @Test func properties() throws {
        var items = [
            try read("item.amber", as: Now.Item.self), try read("item.plist", as: Now.Item.self),
        ]
        items += try read("items-columns.amber", as: [Now.Item].self)
        #expect(items.count == 42)
        for item in items {
            #expect(item.name == "the title" && item.added == 7 && item.count == 3)
            #expect(item.tags == [1, 2, 3] && item.note == "a note" && item.sure == 5)
            #expect(item.nested.first == 1 && item.nested.second == "two" && item.nested.third == 3.5)
            #expect(item.other?.note == "other" && item.other?.owner === item)
        }
    }

    @Test func propertiesThatMovedToASuperclass() throws {
        for name in ["kennel-rows.amber", "kennel-columns.amber", "kennel.plist"] {
            let kennel: Now.Kennel
            if name.hasSuffix("plist") {
                var decoder = KeyedDecoder()
                decoder.classMap.setClass(Now.Dog.self, for: "Evolution.Dog")
                decoder.classMap.setClass(Now.Kennel.self, for: "Evolution.Kennel")
                kennel = try decoder.decode(
                    Now.Kennel.self, from: try Data(contentsOf: Self.folder.appending(path: name)))
            } else {
                try BinaryDecoder.register(Now.Dog.self, Now.Kennel.self)
                kennel = try read(name, as: Now.Kennel.self)
            }
            #expect(kennel.dogs.count == (name.contains("columns") ? 40 : 2))
            for (index, dog) in kennel.dogs.enumerated() {
                #expect(dog.name == "dog \(index)" && (dog as? Now.Dog)?.tricks == index && (dog as? Now.Dog)?.age == 1)
            }
        }
    }

    @Test func versionsAreChained() throws {
        for (name, count) in [("document-1.amber", 2), ("document-1-columns.amber", 40)] {
            let document = try read(name, as: Now.Document.self)
            #expect(document.name == "A" && document.priority == 5 && document.place.text == "1.5, -2.5")
            #expect(document.parts.count == count)
            for (index, part) in document.parts.enumerated() {
                #expect(part.name == "part \(index)" && part.priority == 5)
                #expect(part.place.text == "\(Double(index)), -2.5")
            }
        }
        let second = try read("document-2.amber", as: Now.Document.self)
        #expect(second.name == "B" && second.priority == 5 && second.place.text == "here")
        #expect(second.parts.count == 1)
    }

    @Test func newerArchives() throws {
        let failure = decodingFailure { try read("document-9.amber", as: Now.Document.self) }
        #expect(failure?.code == .newerModel)
        #expect(failure?.reason.contains("version 9 of Evolution.Document") == true)
        #expect(failure?.reason.contains("up to 3") == true)
        var options = BinaryDecodingOptions()
        options.newerModels = .readKnownProperties
        #expect(try read("document-9.amber", as: Now.Document.self, options).name == "N")
    }

    @Test func whatIsUnknownIsKept() throws {
        let drawing = try read("drawing.amber", as: Now.Drawing.self)
        #expect(drawing.colours == [.red, .other, .blue])
        #expect(drawing.known == 1 && drawing.rest.values.names.sorted() == ["more", "unknown"])
        let gone = try #require(drawing.any[0] as? DynamicObject)
        #expect(gone.className == "Evolution.Gone" && gone["text"]?.string == "of a class that is gone")
        let same = try read("drawing.amber", as: Now.Drawing.self)
        #expect(try drawing.isStructurallyEqual(to: same))
        gone["text"] = "changed"
        #expect(try drawing.differences(from: same).map(\.path.description) == ["any[0].text"])
        gone["text"] = "of a class that is gone"
        drawing.known = 2
        let again = try BinaryEncoder().encode(drawing)
        let back = try BinaryDecoder().decode(Now.Drawing.self, from: again)
        #expect(back.rest.values["unknown"]?.string == "kept" && back.rest.values["more"]?.array?.count == 2)
        let still = try #require(back.any[0] as? DynamicObject)
        guard case .object(let next) = still["next"] else {
            Issue.record("The object's reference is lost.")
            return
        }
        #expect(next.object === still)
        guard case .dot = back.shapes[0], case .unknown(let line) = back.shapes[1],
            case .unknown(let text) = back.shapes[2]
        else {
            Issue.record("Unknown cases are lost.")
            return
        }
        #expect(line.name == "line" && text.name == "text" && text.payload?.string == "t")
    }

    @Test func renamedClasses() throws {
        try BinaryDecoder.register(Now.After.self)
        let holder = try read("holder.amber", as: Now.Holder.self)
        #expect(holder.items.map(\.text) == ["under another name", "under another name"])
    }
}
