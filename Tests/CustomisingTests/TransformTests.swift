// Room:   CustomisingTests. Properties that are archived as another type.
// Takes:  types with transformers. Gives: the same values back, what archives hold, errors with a place.
// Touches: every coder.

import Amber
import AmberTestSupport
import Foundation
import Testing

private struct Colour: Equatable {
    var red: UInt8
    var green: UInt8
    var blue: UInt8

    var hex: String { [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }

    init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) { (self.red, self.green, self.blue) = (red, green, blue) }

    init(hex: String) throws {
        guard hex.count == 6, let number = UInt32(hex, radix: 16) else { throw Bad() }
        self.init(UInt8(number >> 16), UInt8(number >> 8 & 255), UInt8(number & 255))
    }

    struct Bad: Error {}
}

/// A class that no coder takes by itself.
private final class Opaque {
    let text: String
    init(_ text: String) { self.text = text }
}

private final class Pen: Model {
    var colour = Colour(1, 2, 3)
    var second: Colour?
    var link = URL(string: "http://a.example/1")
    var opaque = Opaque("none")
    var owner: Drawer?
    var names: [String: Int] = [:]
    var width = 1.0

    static var rules: ModelRules {
        ModelRules()
            .transforming("colour", to: { (colour: Colour) in colour.hex }, from: { try Colour(hex: $0) })
            .transforming("second", to: { (colour: Colour) in colour.hex }, from: { try Colour(hex: $0) })
            .transforming("link", to: { (link: URL?) in link?.absoluteString ?? "" }, from: { URL(string: $0) })
            .transforming("opaque", to: { (opaque: Opaque) in opaque.text }, from: { Opaque($0) })
            .transforming(
                "names", to: { (names: [String: Int]) in names.keys.sorted() },
                from: { keys in
                    Dictionary(uniqueKeysWithValues: keys.map { ($0, $0.count) })
                })
    }
}

private final class Drawer: Model {
    var pens: [Pen] = []
    var members: [Drawer] = []
    var byName: [String: Drawer] = [:]
    var name = ""

    static var rules: ModelRules {
        // Objects by name are archived as a list of them.
        ModelRules().transforming(
            "byName", to: { (drawers: [String: Drawer]) in drawers.values.sorted { $0.name < $1.name } },
            from: { list in Dictionary(list.map { ($0.name, $0) }) { first, _ in first } })
    }
}

private struct Dot: Model, Equatable {
    var colour: Colour
    var size: Int

    static var rules: ModelRules {
        ModelRules().transforming("colour", to: { (colour: Colour) in colour.hex }, from: { try Colour(hex: $0) })
    }
}

/// What archives hold of a ``Dot``.
private struct PlainDot: Model {
    var colour: String
    var size: Int
}

private struct Refusing: Model {
    var number = 1
    static var rules: ModelRules {
        ModelRules().transforming(
            "number",
            to: { (number: Int) in
                if number < 0 { throw Colour.Bad() }
                return "\(number)"
            },
            from: { (text: String) in
                guard let number = Int(text), number < 100 else { throw Colour.Bad() }
                return number
            })
    }
}

private struct Wrong: Model {
    var number = 1
    static var rules: ModelRules { ModelRules().transforming("number", to: { (text: String) in 1 }, from: { _ in "" }) }
}

@Suite struct TransformTests {
    @Test(arguments: AnyCoder.allCases) func propertiesOfClasses(coder: AnyCoder) throws {
        let pen = Pen()
        pen.colour = Colour(255, 0, 16)
        pen.link = nil
        pen.opaque = Opaque("text")
        pen.names = ["one": 3, "three": 5]
        let back = try coder.copy(pen)
        #expect(back.colour == Colour(255, 0, 16))
        #expect(back.second == nil)
        #expect(back.link == nil)
        #expect(back.opaque.text == "text")
        #expect(back.names == ["one": 3, "three": 5])
        pen.second = Colour(9, 9, 9)
        pen.link = URL(string: "http://b.example/2")
        let again = try coder.copy(pen)
        #expect(again.second == Colour(9, 9, 9))
        #expect(again.link == URL(string: "http://b.example/2"))
    }

    @Test(arguments: AnyCoder.allCases) func manyAtOnce(coder: AnyCoder) throws {
        let drawer = Drawer()
        for index in 0..<200 {
            let pen = Pen()
            pen.colour = Colour(UInt8(index), 1, 2)
            pen.owner = drawer
            pen.second = index.isMultiple(of: 3) ? Colour(1, UInt8(index), 3) : nil
            drawer.pens.append(pen)
        }
        let back = try coder.copy(drawer)
        #expect(back.pens.map(\.colour) == drawer.pens.map(\.colour))
        #expect(back.pens.map(\.second) == drawer.pens.map(\.second))
        #expect(back.pens.allSatisfy { $0.owner === back })
    }

    @Test(arguments: AnyCoder.allCases) func objectsKeepTheirIdentity(coder: AnyCoder) throws {
        let drawer = Drawer()
        drawer.name = "top"
        for name in ["b", "a"] {
            let inner = Drawer()
            inner.name = name
            drawer.members.append(inner)
            drawer.byName[name] = inner
        }
        drawer.byName["top"] = drawer
        let back = try coder.copy(drawer)
        #expect(back.byName["a"] === back.members[1])
        #expect(back.byName["b"] === back.members[0])
        #expect(back.byName["top"] === back)
    }

    @Test(arguments: AnyCoder.allCases) func structs(coder: AnyCoder) throws {
        for count in [1, 3, 300] {
            let dots = (0..<count).map { Dot(colour: Colour(UInt8(truncatingIfNeeded: $0), 7, 1), size: $0) }
            #expect(try coder.copy(dots) == dots)
        }
    }

    @Test func archivesHoldTheOtherType() throws {
        let data = try BinaryEncoder().encode([Dot(colour: Colour(1, 2, 3), size: 4)])
        // The names differ, and nothing else: as `Any` the archive tells what it holds.
        let dots = try BinaryDecoder().decode([PlainDot].self, from: data)
        #expect(dots.map(\.colour) == ["010203"])
    }

    @Test(arguments: AnyCoder.allCases) func errorsHaveAPlace(coder: AnyCoder) throws {
        let encoding = encodingFailure { try coder.encode(Refusing(number: -1)) }
        #expect(encoding?.code == .rejectedByHook)
        #expect(encoding?.reason.contains("transformer") == true)
        let decoding = decodingFailure { try coder.read(Refusing(number: 100), as: Refusing.self) }
        #expect(decoding?.code == .rejectedByHook)
        let many = decodingFailure { try coder.copy((0..<120).map { Refusing(number: $0) }) }
        #expect(many?.code == .rejectedByHook)
        if coder == .binary { #expect(decoding?.path.description == "number") }
    }

    @Test func wrongTypesAreToldWhenTheSchemaIsMade() throws {
        let failure = encodingFailure { try BinaryEncoder().encode(Wrong()) }
        #expect(failure?.code == .invalidRules)
        #expect(failure?.reason.contains("takes a Swift.String, and the property is a Swift.Int") == true)
    }
}
