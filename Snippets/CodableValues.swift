// Room:   Snippets. Codable types, alone and inside models.
// Takes:  nothing. Gives: the same values back. Touches: nothing.
// snippet.show
import Amber

struct Address: Codable, Equatable {
    var street: String
    var city: String?
}

final class Customer: Model {
    var name = ""
    var addresses: [Address] = []  // by its Codable conformance
}

let customer = Customer()
customer.addresses = [Address(street: "Elm Street", city: nil)]
let archive = try BinaryEncoder().encode(customer)
let addresses = try BinaryEncoder().encode(customer.addresses)  // as a root too
// snippet.hide
let customerAgain = try BinaryDecoder().decode(Customer.self, from: archive)
let addressesAgain = try BinaryDecoder().decode([Address].self, from: addresses)
precondition(customerAgain.addresses == customer.addresses && addressesAgain == customer.addresses)
