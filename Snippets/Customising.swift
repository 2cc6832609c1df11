// Room:   Snippets. What a type may say of itself.
// Takes:  nothing. Gives: a model with rules and hooks, out and back. Touches: nothing.
// snippet.show
import Amber
import Foundation

final class Account: Model {
    var owner = ""
    var balance = Decimal(0)
    var password = ""
    var children: [Account] = []
    weak var parent: Account?
    var favourite: Account?
    private(set) var total = Decimal(0)

    static var rules: ModelRules {
        ModelRules(name: "Account", version: 2)  // instead of Module.Account
            .excluding("password", "total")  // never written
            .storing("balance", as: "amount")  // under another name
            .conditional("favourite")  // only if something else holds it
    }

    // Before the properties are written.
    func willEncode() throws {
        guard balance.isFinite else { throw InvalidBalance() }
    }

    // When the whole graph is there.
    func didDecode() {
        total = children.reduce(balance) { $0 + $1.balance }
    }
}

struct InvalidBalance: Error {}
// snippet.hide

let account = Account()
account.balance = 3
account.password = "secret"
account.favourite = Account()
account.children = [Account()]
account.children[0].balance = 4
let copy = try BinaryDecoder().decode(Account.self, from: try BinaryEncoder().encode(account))
precondition(copy.password.isEmpty && copy.total == 7 && copy.favourite == nil)
