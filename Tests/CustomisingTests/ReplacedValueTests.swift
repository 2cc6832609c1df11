// Room:   CustomisingTests. Structs and enums that are archived as values of other types.
// Takes:  such values wherever a value can be. Gives: the same back; errors of their code, and of types that can't be.
// Touches: every coder.

import Amber
import AmberTestSupport
import Foundation
import Testing

private struct ReplacedMoney: ReplacedValue, Hashable {
    var cents: Int
    init(cents: Int) { self.cents = cents }
    struct Wrong: Error {}
    func replacementWhenEncoded() throws -> String {
        if cents == 13 { throw Wrong() }
        return "\(cents) ct"
    }
    init(replacement: String) throws {
        guard let cents = replacement.split(separator: " ").first.flatMap({ Int($0) }), cents != 14 else {
            throw Wrong()
        }
        self.cents = cents
    }
}

private enum ReplacedPlace: ReplacedValue, Equatable {
    case home, at(Double, Double)
    struct Form: Model {
        var latitude: Double?
        var longitude = 0.0
    }
    func replacementWhenEncoded() -> Form {
        guard case .at(let latitude, let longitude) = self else { return Form(latitude: nil, longitude: 0) }
        return Form(latitude: latitude, longitude: longitude)
    }
    init(replacement: Form) {
        self = replacement.latitude.map { .at($0, replacement.longitude) } ?? .home
    }
}

private final class ReplacedOwner: Model {
    var name = ""
    required init() {}
}
/// Archived as the object that it refers to.
private struct ReplacedReference: ReplacedValue {
    var owner: ReplacedOwner?
    var number = 4
    init(_ owner: ReplacedOwner) { self.owner = owner }
    func replacementWhenEncoded() throws -> ReplacedOwner { owner ?? ReplacedOwner() }
    init(replacement: ReplacedOwner) { owner = replacement }
}

private struct ReplacedEverywhere: Model {
    var one: ReplacedMoney
    var optional: ReplacedMoney?
    var many: [ReplacedMoney]
    var keys: [ReplacedMoney: ReplacedPlace]
    var any: Any
    var pair: (ReplacedPlace, Int)
    var reference: ReplacedReference
    var references: [ReplacedReference]
    var owner: ReplacedOwner
}

private struct ReplacedInCircles: ReplacedValue {
    struct Other: ReplacedValue {
        func replacementWhenEncoded() -> ReplacedInCircles { ReplacedInCircles() }
        init() {}
        init(replacement: ReplacedInCircles) {}
    }
    init() {}
    func replacementWhenEncoded() -> Other { Other() }
    init(replacement: Other) {}
}

/// What archives of ``ReplacedHolder`` hold.
private struct ReplacedHolder: Model {
    var value = ReplacedMoney(cents: 5)
    static var rules: ModelRules { ModelRules(name: "Test.ReplacedHolder") }
}
private struct ReplacedHolderOfText: Model {
    var value = ""
    static var rules: ModelRules { ModelRules(name: "Test.ReplacedHolder") }
}

@Suite struct ReplacedValueTests {
    @Test(arguments: AnyCoder.allCases) func wherever(coder: AnyCoder) throws {
        let owner = ReplacedOwner()
        owner.name = "owner"
        for count in [1, 40] {
            let value = ReplacedEverywhere(
                one: ReplacedMoney(cents: 1), optional: ReplacedMoney(cents: 2),
                many: (20..<20 + count).map { ReplacedMoney(cents: $0) },
                keys: [ReplacedMoney(cents: 3): .at(1, 2), ReplacedMoney(cents: 4): .home],
                any: [ReplacedMoney(cents: 5), ReplacedPlace.at(5, 6)] as [Any], pair: (.home, 7),
                reference: ReplacedReference(owner),
                references: Array(repeating: ReplacedReference(owner), count: count), owner: owner)
            let back = try coder.copy(value)
            #expect(back.one.cents == 1 && back.optional?.cents == 2 && back.many == value.many)
            #expect(back.keys == value.keys && back.pair.0 == .home && back.pair.1 == 7)
            let list = try #require(back.any as? [Any])
            #expect(list[0] as? ReplacedMoney == ReplacedMoney(cents: 5) && list[1] as? ReplacedPlace == .at(5, 6))
            #expect(back.owner.name == "owner" && back.reference.owner === back.owner && back.reference.number == 4)
            #expect(back.references.count == count && back.references.allSatisfy { $0.owner === back.owner })
        }
        #expect(try coder.copy(ReplacedMoney(cents: 9)) == ReplacedMoney(cents: 9))
        #expect(try coder.copy([ReplacedPlace.home, .at(0, 1)]) == [.home, .at(0, 1)])
        let text = try coder.read(ReplacedHolder(), as: ReplacedHolderOfText.self)
        #expect(text.value == "5 ct")
        #expect(try coder.read(text, as: ReplacedHolder.self).value.cents == 5)
    }

    @Test(arguments: AnyCoder.allCases) func codeThatThrows(coder: AnyCoder) throws {
        #expect(encodingFailure { try coder.encode([ReplacedMoney(cents: 13)]) }?.code == .rejectedByHook)
        let archive = try coder.encode([ReplacedMoney(cents: 14)])
        #expect(decodingFailure { try coder.decode([ReplacedMoney].self, from: archive) }?.code == .rejectedByHook)
    }

    @Test func inOtherForms() throws {
        let holder = ReplacedHolder(value: ReplacedMoney(cents: 77))
        let json = try MappedJSONEncoder().encode(holder)
        #expect(String(decoding: json, as: UTF8.self).contains("\"77 ct\""))
        #expect(try MappedJSONDecoder().decode(ReplacedHolder.self, from: json).value.cents == 77)
        let stored = try KeyValueCoder().dictionary(of: holder)
        #expect(try KeyValueCoder().model(ReplacedHolder.self, from: stored).value.cents == 77)
        #expect(try ReplacedHolder.instance(from: holder.dictionaryValue).value.cents == 77)
    }

    @Test func replacementsWithoutEndAreRefused() {
        let failure = encodingFailure { try BinaryEncoder().encode([ReplacedInCircles()]) }
        #expect(failure?.description.contains("replaced by itself") == true)
    }
}

private final class UnownedInDocument: Model {
    var name = ""
    init() {}
}
private struct UnownedHolderInDocument: Model {
    var held: UnownedInDocument?
    unowned var target: UnownedInDocument
}

@Suite struct UnownedDocumentTests {
    @Test func whatNothingHoldsIsAnError() throws {
        let object = UnownedInDocument()
        let document = try ReadableEncoder().encode(UnownedHolderInDocument(held: object, target: object))
        let back = try ReadableDecoder().decode(UnownedHolderInDocument.self, from: document)
        #expect(back.held === back.target)
        let mapped = Data(#"{"target": {"name": "alone"}}"#.utf8)
        let failure = decodingFailure { try MappedJSONDecoder().decode(UnownedHolderInDocument.self, from: mapped) }
        #expect(failure?.description.contains("unowned reference") == true)
    }
}
