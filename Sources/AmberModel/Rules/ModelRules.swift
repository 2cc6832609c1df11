// Room:   AmberModel. What a type may say of itself, in one place.
// Takes:  names of properties. Gives: plain values that the schema is made with.
// Touches: nothing.

/// What a model type says of itself: its name and version in archives, and how single properties are treated.
///
/// ```swift
/// static var rules: ModelRules {
///     ModelRules(name: "Todo", version: 2)
///         .excluding("cache")
///         .reading("title", from: "name")
/// }
/// ```
///
/// A property that the type doesn't have is an error when the schema is made.
public struct ModelRules: Sendable {
    /// How a reference is treated.
    public enum ReferenceRule: Sendable, Equatable {
        /// The object is archived with the property: the default of strong references.
        case unconditional
        /// The reference is archived only if something else holds the object unconditionally: the default of `weak`.
        case conditional
    }

    /// The name of the type in archives; `nil` stands for `Module.Type`.
    public var name: String?
    /// Names under which older archives hold the type.
    public var formerNames: [String]
    /// The version of the type's shape, saved with it.
    public var version: Int
    /// The properties that are left out.
    public private(set) var excluded: Set<String> = []
    /// Names in archives of properties that are stored under another name than their own.
    public private(set) var renamed: [String: String] = [:]
    /// The names that properties had in older archives.
    public private(set) var formerPropertyNames: [String: [String]] = [:]
    /// How references are treated that don't follow the default.
    public private(set) var references: [String: ReferenceRule] = [:]
    /// The properties that are left out of some destinations only.
    public internal(set) var excludedDestinations: [String: Destinations] = [:]

    /// The steps from older versions.
    package private(set) var migrations = Migrations()
    /// The case that stands for cases which an enum doesn't know.
    package private(set) var unknownCase: String?
    /// The properties that are archived as values of another type.
    var transformed: [String: Transformation] = [:]
    /// The properties that are archived and not stored, in order.
    var computed: [ComputedRule] = []
    /// The types of the values that properties take.
    var allowed: [String: [Any.Type]] = [:]
    /// The defaults of properties that an archive doesn't have.
    var made: [String: DefaultRule] = [:]

    /// Makes rules without any exception.
    ///
    /// - Parameters:
    ///   - name: The name of the type in archives, or `nil` for `Module.Type`.
    ///   - formerNames: Names under which older archives hold the type.
    ///   - version: The version of the type's shape.
    public init(name: String? = nil, formerNames: [String] = [], version: Int = 0) {
        self.name = name
        self.formerNames = formerNames
        self.version = version
    }

    /// Leaves properties out of every archive.
    ///
    /// - Parameter properties: Their names in the source.
    /// - Returns: The rules with this one added.
    public func excluding(_ properties: String...) -> ModelRules {
        var rules = self
        rules.excluded.formUnion(properties)
        return rules
    }

    /// Stores a property under another name.
    ///
    /// - Parameters:
    ///   - property: Its name in the source.
    ///   - name: Its name in archives.
    /// - Returns: The rules with this one added.
    public func storing(_ property: String, as name: String) -> ModelRules {
        var rules = self
        rules.renamed[property] = name
        return rules
    }

    /// Reads a property from the names that it had in older archives.
    ///
    /// - Parameters:
    ///   - property: Its name in the source.
    ///   - formerNames: Its older names, the newest first.
    /// - Returns: The rules with this one added.
    public func reading(_ property: String, from formerNames: String...) -> ModelRules {
        var rules = self
        rules.formerPropertyNames[property, default: []] += formerNames
        return rules
    }

    /// Archives the objects that a weak or unowned property refers to even if nothing else holds them.
    ///
    /// - Parameter properties: Their names in the source.
    /// - Returns: The rules with this one added.
    public func unconditional(_ properties: String...) -> ModelRules {
        setting(properties, to: .unconditional)
    }

    /// Archives a reference only if something else in the graph holds the object unconditionally.
    ///
    /// - Parameter properties: Their names in the source.
    /// - Returns: The rules with this one added.
    public func conditional(_ properties: String...) -> ModelRules {
        setting(properties, to: .conditional)
    }

    /// Takes values from an older version of the type on to the next one.
    ///
    /// When an archive holds version 1 of a type whose version is 3, the steps from 1 and from 2 run in this order, whatever
    /// the order in which they were added. They see the archived values by their archived names; what they leave is read
    /// as if it had been archived so. Structs and objects in the values are migrated by the rules of their own types.
    /// Steps must not assume that objects are whole: references can be moved, not followed.
    ///
    /// - Parameters:
    ///   - version: The version whose values the step takes.
    ///   - file: Where the step stands; it tells a step that a subclass inherits from one that it adds.
    ///   - line: See `file`.
    ///   - column: See `file`.
    ///   - body: Makes of them the values of the next version.
    /// - Returns: The rules with this one added.
    public func migrating(
        from version: Int, file: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
        _ body: @escaping @Sendable (_ values: inout ArchivedValues) throws -> Void
    ) -> ModelRules {
        var rules = self
        rules.migrations.add(
            Migrations.Step(from: version, place: "\(file):\(line):\(column)", body: body))
        return rules
    }

    /// Reads cases that an enum doesn't know as another case, which must have no payload.
    ///
    /// An enum takes rules by conforming to ``ModelProtocol``. To keep the unknown case, give the enum a case with a
    /// ``DynamicCase`` instead.
    ///
    /// - Parameter name: The case that stands for them.
    /// - Returns: The rules with this one added.
    public func readingUnknownCases(as name: String) -> ModelRules {
        var rules = self
        rules.unknownCase = name
        return rules
    }

    private func setting(_ properties: [String], to rule: ReferenceRule) -> ModelRules {
        var rules = self
        for property in properties { rules.references[property] = rule }
        return rules
    }

    /// Every property that some rule names.
    package var namedProperties: Set<String> {
        excluded.union(renamed.keys).union(formerPropertyNames.keys).union(references.keys)
            .union(excludedDestinations.keys).union(transformed.keys).union(allowed.keys).union(made.keys)
    }
}

extension ModelRules {
    /// What a type says of itself and inherits: a class adds to the rules of the classes above it.
    ///
    /// Names given to the classes above are these classes' own.
    package static func combined(of type: any ModelProtocol.Type) -> ModelRules {
        let own = type.rules
        guard let object = type as? AnyClass, let parent = runtimeSuperclass(of: object) as? any ModelProtocol.Type
        else { return own }
        return own.adding(to: combined(of: parent), declaredBy: parent.rules)
    }

    /// These rules on top of those of the class above; `declared` is what that class says itself.
    private func adding(to parent: ModelRules, declaredBy declared: ModelRules) -> ModelRules {
        var rules = self
        if declared.name == name { rules.name = nil }
        rules.formerNames.removeAll { declared.formerNames.contains($0) }
        if version == 0 { rules.version = parent.version }
        rules.excluded.formUnion(parent.excluded)
        rules.renamed.merge(parent.renamed) { own, _ in own }
        rules.formerPropertyNames.merge(parent.formerPropertyNames) { own, inherited in
            own + inherited.filter { !own.contains($0) }
        }
        rules.references.merge(parent.references) { own, _ in own }
        rules.excludedDestinations.merge(parent.excludedDestinations) { $0.union($1) }
        rules.transformed.merge(parent.transformed) { own, _ in own }
        rules.allowed.merge(parent.allowed) { own, _ in own }
        rules.made.merge(parent.made) { own, _ in own }
        rules.computed = parent.computed.filter { rule in !computed.contains { $0.name == rule.name } } + computed
        rules.migrations.add(inherited: parent.migrations)
        return rules
    }
}
