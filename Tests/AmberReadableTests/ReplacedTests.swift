// Room:   AmberReadableTests. The hooks of models in documents, in JSON of other programs and in dictionaries.
// Takes:  models that give way to others, check themselves, are set up. Gives: what each reader makes of them.
// Touches: the three faces of the module.

import AmberModel
import AmberReadable
import AmberTestSupport
import Foundation
import Testing

private struct Unwanted: Error {}

private class Currency: Model {
    required init() {}
    var code = ""
    var log: [String] = []
    var user: Purse?
    func didDecode() throws { log.append("told") }
}

private final class SharedCurrency: Currency, ReplacedWhenDecoded, ReplacedWhenEncoded {
    nonisolated(unsafe) static var known: [String: Currency] = [:]
    func replacementWhenDecoded() throws -> AnyObject {
        if code == "bad" { throw Unwanted() }
        return unsafe SharedCurrency.known[code] ?? self
    }
    func replacementWhenEncoded() throws -> any ModelProtocol & AnyObject {
        if code == "unwritten" { throw Unwanted() }
        guard code == "old" else { return self }
        let new = SharedCurrency()
        new.code = "new"
        return new
    }
}

/// A struct that looks at the object it holds.
private struct Amount: Model, ValidatedModel {
    var count = 0
    var currency: Currency?
    var seen = ""
    mutating func didDecode() throws { seen = currency?.code ?? "none" }
    func validate() throws { if count < 0 || seen.isEmpty { throw Unwanted() } }
}

private final class Purse: Model, ValidatedModel {
    var amounts: [Amount] = []
    var byName: [String: Amount] = [:]
    var main: Currency?
    weak var watched: Currency?
    var limit = 10
    func validate() throws { if amounts.count > limit { throw Unwanted() } }
    static var rules: ModelRules { ModelRules(name: "Tests.Purse") }
}

private final class Opened: SetUpModel {
    let life = ModelLife()
    var steps: [String] = []
    var name = "" { didSet { steps.append(name) } }
    func setUp() { steps.append("set up") }
    func tearDown() {}
    static var rules: ModelRules { ModelRules().excluding("steps", "life") }
}

private final class Priced: Model, JSONMapped, ValidatedModel {
    var price = 0
    var told = false
    static var jsonMapping: JSONMapping { JSONMapping().mapping("price", to: "data.price").excluding("told") }
    func didDecode() { told = true }
    func validate() throws { if price < 0 || !told { throw Unwanted() } }
}

private func purse(_ code: String) -> Purse {
    let currency = SharedCurrency()
    currency.code = code
    let purse = Purse()
    purse.amounts = [Amount(count: 1, currency: currency), Amount(count: 2, currency: currency)]
    purse.byName = ["a": Amount(count: 3, currency: currency)]
    purse.main = currency
    purse.watched = currency
    currency.user = purse
    return purse
}

@Suite(.serialized) struct ReplacedTests {
    @Test(arguments: [ReadableFormat.json, .xmlPropertyList, .binaryPropertyList])
    func aliasesSeeTheReplacement(format: ReadableFormat) throws {
        let known = Currency()
        known.code = "known"
        unsafe SharedCurrency.known = ["eur": known]
        defer { unsafe SharedCurrency.known = [:] }
        let back = try ReadableDecoder().decode(Purse.self, from: ReadableEncoder().encode(purse("eur"), as: format))
        #expect(back.main === known && back.watched === known)
        #expect(back.amounts.allSatisfy { $0.currency === known && $0.seen == "known" })
        #expect(back.byName["a"]?.seen == "known" && back.byName["a"]?.currency === known)
        #expect(known.log.isEmpty && known.user == nil)
        let other = try ReadableDecoder().decode(Purse.self, from: ReadableEncoder().encode(purse("usd"), as: format))
        #expect(other.main?.log == ["told"] && other.main?.user === other)
        #expect(other.amounts[1].currency === other.main && other.amounts[1].seen == "usd")
    }

    @Test func whatIsWrittenIsTheReplacement() throws {
        let text = try ReadableEncoder().encodeText(purse("old"))
        #expect(!text.contains("\"old\"") && text.components(separatedBy: "\"new\"").count == 2)
        let back = try ReadableDecoder().decode(Purse.self, from: text)
        #expect(back.main?.code == "new" && back.watched === back.main && back.main?.user == nil)
        #expect(encodingFailure { try ReadableEncoder().encode(purse("unwritten")) }?.code == .rejectedByHook)
        let tree = try ReadableEncoder(options: .init(usesAliases: false)).encodeTree(
            Amount(count: 1, currency: purse("old").main))
        #expect(tree["currency"]?["code"] == "new")
    }

    @Test func failuresHaveAPlace() throws {
        let refused = decodingFailure {
            try ReadableDecoder().decode(Purse.self, from: ReadableEncoder().encode(purse("bad")))
        }
        #expect(refused?.code == .rejectedByHook && refused?.position != nil)
        let full = purse("x")
        full.limit = 1
        let invalid = decodingFailure {
            try ReadableDecoder().decode([Purse].self, from: ReadableEncoder().encode([full]))
        }
        #expect(invalid?.code == .invalid && invalid?.path.steps == [.index(0)] && invalid?.position != nil)
        let part = decodingFailure {
            try ReadableDecoder().decode(Purse.self, from: #"{"amounts": [{"count": 1}, {"count": -1}]}"#)
        }
        #expect(part?.code == .invalid && part?.path.steps == [.property("amounts"), .index(1)])
        #expect(part?.position != nil)
    }

    @Test func objectsAreSetUp() throws {
        let back = try ReadableDecoder().decode(Opened.self, from: #"{"name": "n"}"#)
        #expect(back.steps == ["set up"] && back.name == "n")
        #expect(try MappedJSONDecoder().decode(Opened.self, from: Data(#"{"name": "n"}"#.utf8)).steps == ["set up"])
    }

    @Test func mappedJSON() throws {
        let decoder = MappedJSONDecoder()
        #expect(try decoder.decode(Priced.self, from: Data(#"{"data": {"price": 3}}"#.utf8)).told)
        let failure = decodingFailure { try decoder.decode(Priced.self, from: Data(#"{"data": {"price": -3}}"#.utf8)) }
        #expect(failure?.code == .invalid)
        let known = Currency()
        unsafe SharedCurrency.known = ["eur": known]
        defer { unsafe SharedCurrency.known = [:] }
        #expect(try decoder.decode([SharedCurrency?].self, from: Data(#"[{"code": "usd"}]"#.utf8))[0]?.log == ["told"])
        let mismatch = decodingFailure {
            try decoder.decode([SharedCurrency].self, from: Data(#"[{"code": "eur"}]"#.utf8))
        }
        #expect(mismatch?.code == .typeMismatch)
        var amount = Amount(count: 1)
        try decoder.update(&amount, from: Data(#"{"count": 5, "currency": {"code": "x"}}"#.utf8))
        #expect(amount.count == 5 && amount.seen == "x")
        let invalid = decodingFailure { try decoder.update(&amount, from: Data(#"{"count": -5}"#.utf8)) }
        #expect(invalid?.code == .invalid && amount.count == 5)
    }

    @Test func dictionaries() throws {
        let coder = KeyValueCoder()
        let known = Currency()
        known.code = "known"
        unsafe SharedCurrency.known = ["eur": known]
        defer { unsafe SharedCurrency.known = [:] }
        let back = try coder.model(Purse.self, from: try coder.dictionary(of: purse("eur")))
        #expect(back.main === known && back.amounts[0].currency === known)
        let full = purse("x")
        full.limit = 0
        let dictionary = try coder.dictionary(of: full)
        #expect(decodingFailure { try coder.model(Purse.self, from: dictionary) }?.code == .invalid)
    }
}
