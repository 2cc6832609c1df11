// Room:   AmberKeyed / Dynamic. The keys of records as the names of dynamic properties.
// Takes:  a key as it is stored, or a name. Gives: the other.
// Touches: nothing.

/// Names that stand for no key of the user's.
enum DynamicNames {
    /// The names of the class and its superclasses, where they can't be told from the class's own.
    static let classChain = "$classes"
    /// Names of classes that may stand in for it.
    static let classHints = "$classhints"

    /// The name of a stored key: the user's own, but `$0`, `$1`, … for values without a key.
    static func name(ofStored key: String) -> String {
        guard key.utf8.starts(with: "$$".utf8) else { return key }
        let user = String(key.dropFirst())
        return isReserved(user) ? key : user
    }

    /// The key that is stored for a name.
    static func stored(_ name: String) -> String {
        guard name.utf8.first == UInt8(ascii: "$") else { return name }
        return isReserved(name) ? name : "$" + name
    }

    // Dollars and a number, and the names of above: the user's own have one dollar more, however many they have.
    private static func isReserved(_ name: String) -> Bool {
        let rest = name.drop { $0 == "$" }
        if rest.isEmpty { return false }
        return rest.utf8.allSatisfy { $0 >= 0x30 && $0 < 0x3a } || rest == "classes" || rest == "classhints"
    }
}
