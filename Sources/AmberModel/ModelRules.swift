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

    /// The steps from older versions.
    package private(set) var migrations = Migrations()
    /// The case that stands for cases which an enum doesn't know.
    package private(set) var unknownCase: String?

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
    ///   - body: Makes of them the values of the next version.
    /// - Returns: The rules with this one added.
    public func migrating(
        from version: Int, _ body: @escaping @Sendable (_ values: inout ArchivedValues) throws -> Void
    ) -> ModelRules {
        var rules = self
        rules.migrations.add(from: version, body)
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
    }
}
