// Room:   AmberModel / Rules. What a type may say of the values of its properties.
// Takes:  names of properties, typed functions. Gives: rules that the plan is made with, so that every coder has them.
// Touches: nothing.

extension ModelRules {
    /// The kinds of archives and texts that properties go to.
    public struct Destinations: OptionSet, Sendable, Hashable {
        /// The bits.
        public let rawValue: Int

        /// Makes a set of destinations.
        ///
        /// - Parameter rawValue: The bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Binary archives.
        public static let binary = Destinations(rawValue: 1)
        /// Keyed archives.
        public static let keyed = Destinations(rawValue: 2)
        /// Readable archives, with `$class` and `$alias`.
        public static let readable = Destinations(rawValue: 4)
        /// JSON of the shape that others ask for.
        public static let json = Destinations(rawValue: 8)
        /// Dictionaries of key-value stores.
        public static let keyValue = Destinations(rawValue: 16)
        /// The dictionaries of a model's own `dictionaryValue`.
        public static let dictionary = Destinations(rawValue: 32)
        /// What this library reads back by itself: binary, keyed and readable archives.
        public static let archives: Destinations = [.binary, .keyed, .readable]
        /// Everything else: what is shown to others.
        public static let outside: Destinations = [.json, .keyValue, .dictionary]
    }

    /// Leaves properties out of some destinations, for example a secret out of the JSON that others see.
    ///
    /// What reads from such a destination leaves the properties as `init()` makes them.
    ///
    /// - Parameters:
    ///   - properties: Their names in the source.
    ///   - destinations: Where they don't go.
    /// - Returns: The rules with this one added.
    public func excluding(_ properties: String..., from destinations: Destinations) -> ModelRules {
        var rules = self
        for property in properties { rules.excludedDestinations[property, default: []].formUnion(destinations) }
        return rules
    }

    /// Archives a property as a value of another type.
    ///
    /// ```swift
    /// .transforming("colour", to: { (colour: Colour) in colour.hex }, from: { try Colour(hex: $0) })
    /// ```
    ///
    /// Every coder then sees a property of type `Archived`. If the property is an Optional of `Value`, the functions are
    /// called for values only, and `nil` stays `nil`. A function may be called more than once for one value.
    ///
    /// - Parameters:
    ///   - property: Its name in the source.
    ///   - to: Makes the archived value. What it throws ends encoding with ``EncodingFailure/Code/rejectedByHook``.
    ///   - from: Makes the property's value. What it throws ends decoding with ``DecodingFailure/Code/rejectedByHook``.
    /// - Returns: The rules with this one added.
    public func transforming<Value, Archived>(
        _ property: String, to: @escaping @Sendable (Value) throws -> Archived,
        from: @escaping @Sendable (Archived) throws -> Value
    ) -> ModelRules {
        var rules = self
        rules.transformed[property] = Transformation(property, to, from)
        return rules
    }

    /// Archives a property that isn't stored as if it were.
    ///
    /// ```swift
    /// .computing("initials", get: { (person: Person) in person.initials }, set: { $0.initials = $1 })
    /// ```
    ///
    /// - Parameters:
    ///   - property: Its name in archives.
    ///   - get: Gives the value when an instance is encoded. It may be called more than once, and objects that it gives
    ///     must be the same each time.
    ///   - set: Takes the value when an instance is decoded, after the stored properties of all instances are filled and
    ///     before ``ModelProtocol/didDecode()``. It isn't called if the archive doesn't have the property.
    /// - Returns: The rules with this one added.
    public func computing<Owner: ModelProtocol, Value>(
        _ property: String, get: @escaping @Sendable (Owner) throws -> Value,
        set: @escaping @Sendable (inout Owner, Value) throws -> Void
    ) -> ModelRules {
        adding(ComputedRule(property, get, set))
    }

    private func adding(_ rule: ComputedRule) -> ModelRules {
        var rules = self
        rules.computed.removeAll { $0.name == rule.name }
        rules.computed.append(rule)
        return rules
    }

    /// Archives a computed property as if it were stored.
    ///
    /// - Parameters:
    ///   - property: Its name in archives.
    ///   - path: The property.
    /// - Returns: The rules with this one added.
    public func computing<Owner: ModelProtocol, Value>(
        _ property: String, _ path: any WritableKeyPath<Owner, Value> & Sendable
    ) -> ModelRules {
        adding(ComputedRule(property, { (owner: Owner) in owner[keyPath: path] }, { $0[keyPath: path] = $1 }))
    }

    /// Lets a property hold values of these types and of their subclasses only.
    ///
    /// The rule concerns objects, and values whose type is told by the archive: those in `Any` and in protocol
    /// existentials. Arrays, sets, dictionaries and Optionals of allowed values are allowed. An archive that holds
    /// another one is refused with ``DecodingFailure/Code/refusedType`` before any code of the model sees it.
    ///
    /// - Parameters:
    ///   - property: Its name in the source.
    ///   - types: The types that it takes.
    /// - Returns: The rules with this one added.
    public func allowing(_ property: String, _ types: Any.Type...) -> ModelRules {
        var rules = self
        rules.allowed[property, default: []] += types
        return rules
    }

    /// Gives a property that an archive doesn't have a value, where the type has no `init()` that would.
    ///
    /// - Parameters:
    ///   - property: Its name in the source.
    ///   - value: Makes the value; called once for each instance.
    /// - Returns: The rules with this one added.
    public func making<Value>(_ property: String, _ value: @escaping @Sendable () -> Value) -> ModelRules {
        var rules = self
        rules.made[property] = DefaultRule(value)
        return rules
    }
}

/// How a property is archived as a value of another type, and how an Optional of it is.
struct Transformation: Sendable {
    struct Way: @unchecked Sendable {
        let value: Any.Type
        let archived: Any.Type
        let access: BridgeAccess
    }

    /// For the property's type and for an Optional of it.
    let ways: [Way]

    init<Value, Archived>(
        _ property: String, _ to: @escaping @Sendable (Value) throws -> Archived,
        _ from: @escaping @Sendable (Archived) throws -> Value
    ) {
        func forward(_ value: Value) throws -> Archived {
            do { return try to(value) } catch { throw EncodingFailure(rejectedBy: "The transformer", error) }
        }
        func backward(_ value: Archived) throws -> Value {
            do { return try from(value) } catch { throw DecodingFailure(rejectedBy: "The transformer", error) }
        }
        ways = [
            Way(value: Value.self, archived: Archived.self, access: Bridge<Value, Archived>(forward, backward)),
            Way(
                value: Value?.self, archived: Archived?.self,
                access: Bridge<Value?, Archived?>({ try $0.map(forward) }, { try $0.map(backward) })),
        ]
    }

    /// The names of the types that it takes.
    var words: String { codingName(of: ways[0].value) }
}

/// A property that is archived and not stored.
struct ComputedRule: @unchecked Sendable {
    let name: String
    let owner: any ModelProtocol.Type
    let value: Any.Type
    let access: BridgeAccess

    init<Owner: ModelProtocol, Value>(
        _ name: String, _ get: @escaping (Owner) throws -> Value,
        _ set: @escaping (inout Owner, Value) throws -> Void
    ) {
        self.name = name
        owner = Owner.self
        value = Value.self
        access = makeComputedAccess(
            { (owner: Owner) in
                do { return try get(owner) } catch { throw EncodingFailure(rejectedBy: "`get`", error) }
            },
            { (owner: inout Owner, value: Value) in
                do { try set(&owner, value) } catch { throw DecodingFailure(rejectedBy: "`set`", error) }
            })
    }
}

/// The value of a property that an archive doesn't have, and that of an Optional of it.
struct DefaultRule: @unchecked Sendable {
    let ways: [(type: Any.Type, fallback: Fallback)]

    init<Value>(_ value: @escaping @Sendable () -> Value) {
        ways = [(Value.self, makeFallback(value)), (Value?.self, makeFallback { Optional(value()) })]
    }
}

extension EncodingFailure {
    /// What a model's own code threw.
    init(rejectedBy words: String, _ error: any Error) {
        self = (error as? EncodingFailure) ?? EncodingFailure(.rejectedByHook, "\(words) threw: \(error)")
    }
}

extension DecodingFailure {
    /// What a model's own code threw.
    init(rejectedBy words: String, _ error: any Error) {
        self = (error as? DecodingFailure) ?? DecodingFailure(.rejectedByHook, "\(words) threw: \(error)")
    }
}
