// Room:   AmberModel / Dynamic. Values that keyed archives hold as objects of Foundation's, by the names of their classes.
// Takes:  the name of a type in an existential. Gives: whether it is such a class, and what its values are.
// Touches: nothing.

/// The names that ``DynamicAny`` has for values of Foundation's classes, where it matters which class it was.
package enum FoundationForms {
    /// What stands in the record of a keyed archive's object itself, and not as an object of its own.
    package static let inline = "Inline"
    package static let number = "NSNumber"
    package static let null = "NSNull"
    package static let strings: Set<String> = ["NSString", "NSMutableString"]
    package static let datas: Set<String> = ["NSData", "NSMutableData"]
    package static let lists: Set<String> = [
        "NSArray", "NSMutableArray", "NSOrderedSet", "NSMutableOrderedSet",
    ]
    package static let sets: Set<String> = ["NSSet", "NSMutableSet", "NSCountedSet"]
    package static let dictionaries: Set<String> = ["NSDictionary", "NSMutableDictionary"]

    private static let all = lists.union(sets).union(dictionaries).union(strings).union(datas).union([
        inline, number, null,
    ])

    /// Whether a value of the name is another than that of its plain form: a set, or a mutable object.
    package static func isMarked(_ name: String) -> Bool {
        isTransparent(name) && !["NSArray", "NSDictionary", "NSString", "NSData", null].contains(name)
    }

    /// Whether a value of the name is, where its class doesn't matter, the value alone.
    package static func isTransparent(_ name: String) -> Bool { all.contains(name) }
}
