// Room:   CustomisingTests. Objects that give way to others, on the way out and on the way back.
// Takes:  graphs in which such an object is referred to in every way there is. Gives: graphs that refer to the other one.
// Touches: every coder.

import Amber
import AmberTestSupport
import Foundation
import Testing

private class Country: Model, Hashable {
    required init() {}
    var code = ""
    var capital: City?
    var told = 0
    func didDecode() { told += 1 }
    static func == (left: Country, right: Country) -> Bool { left.code == right.code }
    func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

/// Decoded ones give way to the program's own.
private final class KnownCountry: Country, ReplacedWhenDecoded {
    nonisolated(unsafe) static var asked = 0
    nonisolated(unsafe) static var known: [String: Country] = [:]
    func replacementWhenDecoded() throws -> AnyObject {
        unsafe KnownCountry.asked += 1
        if code == "bad" { throw Refused() }
        if code == "city" { return City() }
        return unsafe KnownCountry.known[code] ?? self
    }
    struct Refused: Error {}
}

private final class City: Model {
    var country: Country?
    weak var capitalOf: Country?
    var neighbours: [Country] = []
    var others: [Country?] = []
    var byName: [String: Country] = [:]
    var names: [Country: String] = [:]
    var all: Set<Country> = []
    var any: Any?
    var anys: [Any] = []
    var pair: (Country, Int)?
    var choice = Choice.none
    var part = Part()
    var slice: ArraySlice<Country> = []
    var transformed: [String] = []
    var nested: [[Country]] = []

    indirect enum Choice { case none, one(Country), two([Choice]) }
    struct Part: Model {
        var country: Country?
        var hidden = "kept"
        static var rules: ModelRules { ModelRules().excluding("hidden") }
    }
}

/// Archived as a ``Token``.
private final class Session: Model, ReplacedWhenEncoded {
    var token = Token()
    var calls = 0
    func replacementWhenEncoded() throws -> any ModelProtocol & AnyObject {
        calls += 1
        if calls > 1 { Issue.record("A replacement is asked for once.") }
        return token
    }
}

private final class Token: Model {
    var text = ""
    var next: AnyHolderOfTokens?
    func willEncode() { text += "!" }
}

private final class AnyHolderOfTokens: Model {
    var first: Any?
    var second: Any?
    var list: [Any] = []
    var token: Token?
}

/// Takes the place of a superclass's instance.
private class Base: Model {
    required init() {}
    var label = "base"
}
private final class Stand: Base, ReplacedWhenEncoded {
    nonisolated(unsafe) static var fails = false
    var real = Base()
    func replacementWhenEncoded() throws -> any ModelProtocol & AnyObject {
        if unsafe Stand.fails { throw KnownCountry.Refused() }
        return label == "self" ? self : real
    }
}
private struct Bases: Model {
    var one: Base
    var many: [Base]
    var set: [Int: Base]
    weak var watched: Base?
}
private final class Endless: Model, ReplacedWhenEncoded {
    func replacementWhenEncoded() throws -> any ModelProtocol & AnyObject { Endless() }
}

/// A proxy that keeps what it stands for.
private final class Wrapped: Model, ReplacedWhenDecoded {
    var name = ""
    var friend: Any?
    func replacementWhenDecoded() -> AnyObject {
        let wrapper = Wrapper()
        wrapper.inner = self
        return wrapper
    }
}
private final class Wrapper: Model { var inner: Wrapped? }

@Suite(.serialized) struct ReplacementTests {
    private func city(_ count: Int) -> City {
        let country = KnownCountry()
        country.code = "no"
        let other = KnownCountry()
        other.code = "xx"
        let city = City()
        country.capital = city
        city.country = country
        city.capitalOf = country
        city.neighbours = [country, other] + Array(repeating: country, count: count)
        city.others = [nil, country]
        city.byName = ["a": country, "b": other]
        city.names = [country: "key", other: "other"]
        city.all = [country, other]
        city.any = country
        city.anys = [1, country, [country] as [Any], ["k": country] as [String: Any]]
        city.pair = (country, 4)
        city.choice = .two([.one(country), .none])
        city.part.country = country
        city.slice = [country]
        city.nested = [[country], []]
        return city
    }

    @Test(arguments: AnyCoder.allCases) func everyAliasSeesTheReplacement(coder: AnyCoder) throws {
        for count in [0, 100] {
            let known = Country()
            known.code = "known"
            unsafe KnownCountry.known = ["no": known]
            unsafe KnownCountry.asked = 0
            let back = try coder.copy(city(count))
            unsafe #expect(KnownCountry.asked == 2)
            #expect(back.country === known && back.capitalOf === known)
            #expect(back.neighbours.count == count + 2 && back.neighbours[0] === known)
            #expect(back.neighbours.last === (count == 0 ? back.neighbours[1] : known))
            let other = back.neighbours[1]
            #expect(other !== known && other.code == "xx" && other.told == 1)
            #expect(back.others.count == 2 && back.others[0] == nil && back.others[1] === known)
            #expect(back.byName["a"] === known && back.byName["b"] === other)
            #expect(back.names[known] == "key" && back.names.keys.contains { $0 === known } && back.names.count == 2)
            #expect(back.all.contains { $0 === known } && back.all.count == 2)
            #expect(back.any as? Country === known)
            #expect(back.anys[1] as? Country === known)
            #expect((back.anys[2] as? [Any])?.first as? Country === known)
            #expect((back.anys[3] as? [String: Any])?["k"] as? Country === known)
            #expect(back.pair?.0 === known && back.pair?.1 == 4)
            guard case .two(let choices) = back.choice, case .one(let one) = choices.first else {
                Issue.record("The case is lost.")
                return
            }
            #expect(one === known)
            #expect(back.part.country === known && back.part.hidden == "kept")
            #expect(back.slice.first === known)
            #expect(back.nested[0][0] === known)
            // What was replaced, and what replaces it, are not told.
            #expect(known.told == 0 && known.capital == nil)
        }
    }

    @Test(arguments: AnyCoder.allCases) func rootsAreReplaced(coder: AnyCoder) throws {
        let known = Country()
        unsafe KnownCountry.known = ["root": known]
        let root: Country = {
            let root = KnownCountry()
            root.code = "root"
            root.capital = City()
            root.capital?.country = root
            return root
        }()
        #expect(try coder.copy(root) === known)
        #expect(try coder.copy([root, root]).allSatisfy { $0 === known })
        #expect(try coder.copy(["a": root])["a"] === known)
    }

    @Test(arguments: AnyCoder.allCases) func replacementsMayKeepWhatTheyReplace(coder: AnyCoder) throws {
        let (first, second) = (Wrapped(), Wrapped())
        (first.name, second.name) = ("a", "b")
        (first.friend, second.friend) = (second, first)
        let back = try coder.copy([first as Any])
        let wrapper = try #require(back[0] as? Wrapper)
        let other = try #require(wrapper.inner?.friend as? Wrapper)
        #expect(wrapper.inner?.name == "a" && other.inner?.name == "b")
        #expect(other.inner?.friend as? Wrapper === wrapper)
    }

    @Test(arguments: AnyCoder.allCases) func replacementsThatDontFit(coder: AnyCoder) throws {
        let city = City()
        let country = KnownCountry()
        country.code = "city"
        city.country = country
        let failure = decodingFailure { try coder.copy(city) }
        #expect(failure?.code == .typeMismatch)
        #expect(failure?.path.steps.contains(.property("country")) == true)
        country.code = "bad"
        #expect(decodingFailure { try coder.copy(city) }?.code == .rejectedByHook)
    }

    @Test(arguments: AnyCoder.allCases) func replacedOnTheWayOut(coder: AnyCoder) throws {
        let session = Session()
        session.token.text = "t"
        let holder = AnyHolderOfTokens()
        holder.first = session
        holder.second = session
        holder.list = [session, 1]
        holder.token = session.token
        session.token.next = holder
        let back = try coder.copy(holder)
        let token = try #require(back.token)
        #expect(token.text == "t!" && token.next === back)
        #expect(back.first as? Token === token && back.second as? Token === token && back.list[0] as? Token === token)
    }

    @Test(arguments: AnyCoder.allCases) func replacedInTypedProperties(coder: AnyCoder) throws {
        let stand = Stand()
        stand.real.label = "real"
        let own = Stand()
        own.label = "self"
        for count in [1, 80] {
            let bases = Bases(
                one: stand, many: Array(repeating: stand, count: count) + [own], set: [1: stand.real], watched: stand)
            let back = try coder.copy(bases)
            #expect(back.one.label == "real" && !(back.one is Stand))
            #expect(back.many.dropLast().allSatisfy { $0 === back.one })
            #expect(back.many.last is Stand)
            #expect(back.set[1] === back.one)
            #expect(back.watched === back.one)
        }
        unsafe Stand.fails = true
        defer { unsafe Stand.fails = false }
        #expect(encodingFailure { try coder.encode([stand as Base]) }?.code == .rejectedByHook)
        #expect(encodingFailure { try coder.encode([Endless()]) }?.code == .rejectedByHook)
    }
}
