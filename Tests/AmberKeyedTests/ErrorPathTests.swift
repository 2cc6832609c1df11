// Room:   AmberKeyedTests. What an error of a keyed archive says: where it is, what is there, what to do.
// Takes:  archives of types that had other properties. Gives: the errors of today's.
// Touches: nothing else.

import AmberModel
import Foundation
import Testing

@testable import AmberKeyed

private enum Written {
    final class Shop: Model {
        static var rules: ModelRules { ModelRules(name: "Paths.Shop") }
        var orders = [Order(), Order()]
        var byName = ["k": Order()]
        var next: Shop?
        var any: [Any] = []
        var pair = (label: 1, 2)
        var choice = Choice.some(Item())
    }
    struct Order: Model {
        static var rules: ModelRules { ModelRules(name: "Paths.Order") }
        var items = [Item(), Item(count: 300)]
    }
    struct Item: Model {
        static var rules: ModelRules { ModelRules(name: "Paths.Item") }
        var count = 300
    }
    enum Choice { case some(Item), none }
}

private enum Read {
    final class Orders: Model {
        static var rules: ModelRules { ModelRules(name: "Paths.Shop") }
        var orders: [Order] = []
        init() {}
    }
    final class ByName: Model {
        static var rules: ModelRules { ModelRules(name: "Paths.Shop") }
        var byName: [String: Order] = [:]
        init() {}
    }
    final class Next: Model {
        static var rules: ModelRules { ModelRules(name: "Paths.Shop") }
        var next: Next?
        var pair = (label: UInt8(0), 0.5)
        var orders: [Int] = []
        init() {}
    }
    final class Chosen: Model {
        static var rules: ModelRules { ModelRules(name: "Paths.Shop") }
        var choice = Choice.none
        init() {}
    }
    final class NoChoice: Model {
        static var rules: ModelRules { ModelRules(name: "Paths.Shop") }
        var choice = Other.none
        init() {}
    }
    struct Order: Model {
        static var rules: ModelRules { ModelRules(name: "Paths.Order") }
        var items: [Item] = []
        init() {}
    }
    struct Item: Model {
        static var rules: ModelRules { ModelRules(name: "Paths.Item") }
        var count: UInt8 = 0
        init() {}
    }
    enum Choice { case some(Item), none }
    enum Other { case none }
}

@Suite struct ErrorPathTests {
    private func failure<T>(_ type: T.Type, _ value: Any = Written.Shop()) throws -> DecodingFailure? {
        let data = try KeyedEncoder().encode(value)
        return #expect(throws: DecodingFailure.self) { try KeyedDecoder().decode(type, from: data) }
    }

    @Test func pathsLeadToTheValue() throws {
        let failure = try failure(Read.Orders.self)
        #expect(failure?.path.description == "root.orders[0].items[0].count" && failure?.code == .doesNotFit)
        #expect(failure?.reason.contains("300 does not fit in Swift.UInt8") == true, "\(String(describing: failure))")
        #expect(try self.failure(Read.ByName.self)?.path.description == "root.byName.k.items[0].count")
        #expect(try self.failure(Read.Chosen.self)?.path.description == "root.choice.some.count")
        #expect(try self.failure([Read.Order].self, [Written.Order()])?.path.description == "root[0].items[0].count")
        #expect(try self.failure((Int, UInt8).self, (1, 300))?.path.description.hasPrefix("root.1") == true)
        let shop = Written.Shop()
        shop.orders = []
        shop.next = Written.Shop()
        let inner = try self.failure(Read.Next.self, shop)
        let steps = inner?.path.steps ?? []
        #expect(steps.count == 3, "\(String(describing: inner))")
        if case .object(let type, let number)? = steps.first { #expect(type == "Paths.Shop" && number > 1) }
        #expect(inner?.path.description.hasSuffix(".orders[0]") == true, "\(String(describing: inner))")
    }

    @Test func wordsSayWhatIsThereAndWhatToDo() throws {
        let wrong = try failure(Read.Next.self)
        #expect(wrong?.code == .typeMismatch && wrong?.path.description == "root.orders[0]")
        #expect(wrong?.reason == "An object of class NSDictionary was found where a Swift.Int is expected.")
        let gone = try failure(Read.NoChoice.self)
        #expect(gone?.code == .unknownCase && gone?.path.description == "root.choice")
        #expect(gone?.reason.contains("`some`") == true && gone?.reason.contains("Add it") == true)
        let empty = try failure([Int].self, [Int?.none] as [Int?])
        #expect(empty?.code == .missingValue && empty?.path.description == "root[0]")
        #expect(empty?.reason.contains("nil where a Swift.Int is expected") == true)
        let text = try failure([Int].self, ["seven"])
        #expect(text?.reason == "The text \"seven\" was found where a Swift.Int is expected.")
        #expect(try failure(Int.self, ["a": 1])?.reason.contains("NSDictionary") == true)
    }

    private final class Closed: Model {
        var file: FileHandle?
    }

    @Test func whatHasNoFormIsNamed() throws {
        for value in [[FileHandle.standardInput] as [Any], ["k": FileHandle.standardInput] as [String: Any]] as [Any] {
            let failure = #expect(throws: EncodingFailure.self) { try KeyedEncoder().encode(value) }
            #expect(failure?.code == .unsupportedType && failure?.description.contains("FileHandle") == true)
            #expect(failure?.description.contains("SchemaFailure") == false, "\(String(describing: failure))")
        }
        let failure = #expect(throws: EncodingFailure.self) { try KeyedEncoder().encode(Closed()) }
        #expect(failure?.description.contains("excluding(\"file\")") == true)
        let bare = #expect(throws: EncodingFailure.self) { try KeyedEncoder().encode({ 5 } as () -> Int) }
        #expect(bare?.description.contains("__SwiftValue") == false, "\(String(describing: bare))")
    }
}
