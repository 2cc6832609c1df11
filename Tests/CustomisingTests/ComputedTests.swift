// Room:   CustomisingTests. Properties that are archived and not stored.
// Takes:  types with computed properties in their rules. Gives: what their setters were given.
// Touches: every coder.

import Amber
import AmberTestSupport
import Foundation
import Testing

private class Account: Model {
    required init() {}
    var cents = 0
    var log: [String] = []
    var friend: Account?
    weak var keeper: Account?
    /// Not archived by itself.
    var secret = ""
    var list: [Account] = []

    var revealed: String {
        get { String(secret.reversed()) }
        set {
            log.append("set after \(cents), \(friend?.cents ?? -1)")
            secret = String(newValue.reversed())
        }
    }

    class var rules: ModelRules {
        ModelRules()
            .excluding("secret", "log", "list")
            .computing("revealed", \Account.revealed)
            .computing("members", get: { (account: Account) in account.list }, set: { $0.list = $1 })
    }
}

private final class Savings: Account {
    var rate = 0.5
    override class var rules: ModelRules {
        ModelRules().computing(
            "percent", get: { (savings: Savings) in savings.rate * 100 }, set: { $0.rate = $1 / 100 }
        )
        .excluding("rate")
    }
}

/// A struct of numbers alone, of which one is computed.
private struct Angle: Model, Equatable {
    var radians: Double
    var hits = 0

    init(degrees: Double) { radians = degrees * .pi / 180 }

    var degrees: Double {
        get { (radians * 180 / .pi).rounded() }
        set { hits += Int(newValue) }
    }

    static var rules: ModelRules { ModelRules().computing("degrees", \Angle.degrees) }

    mutating func didDecode() { hits += 1000 }
}

private enum Shape { case arc(Angle), none }

private final class Angles: Model {
    var one = Angle(degrees: 10)
    var optional: Angle?
    var list: [Angle] = []
    var shape = Shape.none
    var byName: [String: Angle] = [:]
    var any: Any = 0
}

/// Made without an initializer, and its setter looks at objects.
private final class Bare: Model {
    var name: String
    var next: Bare?
    var seen: String?

    init(_ name: String, _ next: Bare?) { (self.name, self.next) = (name, next) }

    static var rules: ModelRules {
        ModelRules().computing(
            "tail", get: { (bare: Bare) in bare.next?.next?.name ?? "" },
            set: { bare, tail in bare.seen = "\(tail) is \(bare.next?.next?.name ?? "")" })
    }
}

private struct Failing: Model {
    var number = 1
    static var rules: ModelRules {
        ModelRules().computing(
            "bad",
            get: { (failing: Failing) in
                if failing.number == 2 { throw Refused() }
                return failing.number
            },
            set: { (_: inout Failing, number: Int) in if number == 3 { throw Refused() } })
    }
    struct Refused: Error {}
}

private final class Clash: Model {
    var number = 1
    static var rules: ModelRules { ModelRules().computing("number", \Clash.number) }
}

@Suite struct ComputedTests {
    @Test(arguments: AnyCoder.allCases) func classes(coder: AnyCoder) throws {
        let account = Account()
        let friend = Savings()
        account.cents = 5
        account.secret = "abc"
        account.friend = friend
        account.list = [friend, account]
        friend.cents = 7
        friend.rate = 0.25
        friend.keeper = account
        friend.secret = "xyz"
        let back = try coder.copy(account)
        #expect(back.secret == "abc")
        #expect(back.log == ["set after 5, 7"])
        let savings = try #require(back.friend as? Savings)
        #expect(savings.rate == 0.25)
        #expect(savings.secret == "xyz")
        #expect(savings.keeper === back)
        #expect(back.list.count == 2 && back.list[0] === savings && back.list[1] === back)
    }

    @Test(arguments: AnyCoder.allCases) func many(coder: AnyCoder) throws {
        let accounts = (0..<100).map { index in
            let account: Account = index.isMultiple(of: 2) ? Account() : Savings()
            account.secret = "s\(index)"
            account.cents = index
            return account
        }
        let back = try coder.copy(accounts)
        #expect(back.map(\.secret) == accounts.map(\.secret))
    }

    @Test(arguments: AnyCoder.allCases) func structsEverywhere(coder: AnyCoder) throws {
        for count in [2, 100] {
            let angles = Angles()
            angles.optional = Angle(degrees: 20)
            angles.list = (0..<count).map { Angle(degrees: Double($0)) }
            angles.shape = .arc(Angle(degrees: 40))
            angles.byName = ["a": Angle(degrees: 50)]
            angles.any = Angle(degrees: 60)
            let back = try coder.copy(angles)
            #expect(back.one.hits == 1010)
            #expect(back.optional?.hits == 1020)
            #expect(back.list.map(\.hits) == (0..<count).map { 1000 + $0 })
            guard case .arc(let angle) = back.shape else {
                Issue.record("The case is lost.")
                return
            }
            #expect(angle.hits == 1040)
            #expect(back.byName["a"]?.hits == 1050)
            #expect((back.any as? Angle)?.hits == 1060)
        }
        #expect(try coder.copy(Angle(degrees: 90)).hits == 1090)
    }

    @Test(arguments: AnyCoder.allCases) func settersSeeWholeObjects(coder: AnyCoder) throws {
        let last = Bare("c", nil)
        let first = Bare("a", Bare("b", last))
        last.next = first
        let back = try coder.copy(first)
        #expect(back.seen == "c is c")
        #expect(back.next?.seen == "a is a")
    }

    @Test(arguments: AnyCoder.allCases) func errors(coder: AnyCoder) throws {
        #expect(encodingFailure { try coder.encode(Failing(number: 2)) }?.code == .rejectedByHook)
        let failure = decodingFailure { try coder.copy([Failing(number: 3)]) }
        #expect(failure?.code == .rejectedByHook)
        #expect(failure?.path.steps.contains(.property("bad")) == true)
        let clash = encodingFailure { try coder.encode(Clash()) }
        #expect(clash?.reason.contains("which it stores") == true)
    }

    @Test(arguments: AnyCoder.allCases) func absentOnesAreNotSet(coder: AnyCoder) throws {
        struct Old: Model {
            var radians = 1.0
            var hits = 0
        }
        let back = try coder.read(Old(), as: Angle.self)
        #expect(back.hits == 1000)
    }
}
