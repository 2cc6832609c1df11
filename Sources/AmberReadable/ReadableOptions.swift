// Room:   AmberReadable. What the readable coders can be told.
// Takes:  plain values. Gives: the same, with defaults.
// Touches: nothing.

public import AmberModel

/// The forms of documents.
public enum ReadableFormat: Sendable, CaseIterable {
    /// JSON.
    case json
    /// An XML property list.
    case xmlPropertyList
    /// A binary property list: no text, but the same document.
    case binaryPropertyList
}

/// How documents are written.
public struct ReadableEncodingOptions: Sendable {
    /// In which order properties stand.
    public enum KeyOrder: Sendable, Equatable {
        /// As they are declared, superclasses first.
        case declaration
        /// By the bytes of their names.
        case sorted
    }

    /// Whether lines are broken and indented. Default: `true`.
    public var isPretty: Bool
    /// In which order properties stand. Sets and dictionaries are sorted always. Default: as declared.
    public var keyOrder: KeyOrder
    /// Whether an object that is met again is referred to by `$alias`. Default: `true`.
    ///
    /// Otherwise each reference is written as an object of its own, and a graph with a cycle is an error.
    public var usesAliases: Bool
    /// Whether structs, enums, and values whose form doesn't tell their type name it, where a reader that has the types
    /// wouldn't need it. Default: `false`.
    ///
    /// Such a document is turned into a binary archive by programs that don't have the types: read it as
    /// ``ReadableDecodingOptions/Objects/dynamic``, and encode that.
    public var namesTypes: Bool
    /// What is done with NaN and the infinities, for which JSON has no number. Default: they are an error.
    public var nonFinite: NonFiniteStrategy
    /// How many arrays and objects stand in each other before an object is written in the list `$objects`. Default: 40.
    public var nestingLimit: Int
    /// What Codable types find in the `userInfo` of their encoder. Default: nothing.
    public var userInfo: [CodingUserInfoKey: any Sendable]

    /// Makes options.
    ///
    /// - Parameters:
    ///   - isPretty: Whether lines are broken and indented.
    ///   - keyOrder: In which order properties stand.
    ///   - usesAliases: Whether an object that is met again is referred to.
    ///   - namesTypes: Whether everything names its type.
    ///   - nonFinite: What is done with NaN and the infinities.
    ///   - nestingLimit: How many arrays and objects stand in each other.
    ///   - userInfo: What Codable types find in the `userInfo` of their encoder.
    public init(
        isPretty: Bool = true, keyOrder: KeyOrder = .declaration, usesAliases: Bool = true,
        namesTypes: Bool = false, nonFinite: NonFiniteStrategy = .refuse, nestingLimit: Int = 40,
        userInfo: [CodingUserInfoKey: any Sendable] = [:]
    ) {
        self.isPretty = isPretty
        self.keyOrder = keyOrder
        self.usesAliases = usesAliases
        self.namesTypes = namesTypes
        self.nonFinite = nonFinite
        self.nestingLimit = nestingLimit
        self.userInfo = userInfo
    }

    var rules: WritingRules {
        WritingRules(
            isReadable: true, usesAliases: usesAliases, sortsKeys: keyOrder == .sorted, nonFinite: nonFinite,
            namesModels: namesTypes, namesTypes: namesTypes,
            nestingLimit: max(4, min(nestingLimit, 40)), userInfo: userInfo)
    }
}

/// How documents are read.
public struct ReadableDecodingOptions: Sendable {
    /// What happens to models whose version in the document is newer than the type.
    public enum NewerModels: Sendable, Equatable {
        /// They are an error, ``DecodingFailure/Code/newerModel``, that names both versions.
        case refuse
        /// They are read by the names of the properties that the type knows.
        case readKnownProperties
    }

    /// As what objects are read.
    public enum Objects: Sendable, Equatable {
        /// As instances of their classes; those of classes that this program doesn't have as ``DynamicObject``.
        case instances
        /// All of them as ``DynamicObject``: to convert a document without the program that wrote it.
        case dynamic
    }

    /// What a document may cost.
    public var limits: DecodingLimits
    /// What happens to models whose version in the document is newer than the type. Default: they are refused.
    public var newerModels: NewerModels
    /// As what objects are read. Default: as instances of their classes.
    public var objects: Objects
    /// Classes for names in `$class` that aren't their own. Default: none.
    public var classNames: [String: any (ModelProtocol & SendableMetatype).Type]
    /// What Codable types find in the `userInfo` of their decoder. Default: nothing.
    public var userInfo: [CodingUserInfoKey: any Sendable]
    /// Classes with an `init(coder:)` of their own, and their subclasses, whose objects documents may hold where no property
    /// names them. Default: none.
    ///
    /// Objects of Foundation's own classes, of classes that support `NSSecureCoding`, of classes that a model has a
    /// property of, and of registered classes are read without being named here.
    public var allowedClasses: [AnyClass]
    /// Classes with an `init(coder:)` of their own for names in `$class` that aren't theirs. Default: none.
    ///
    /// They are allowed anywhere.
    public var codingClassNames: [String: AnyClass]
    /// Whether arrays and dictionaries that don't name their class come out mutable when an `init(coder:)` asks for them, as those
    /// of the older human-readable coder did. Default: `false`.
    public var makesCollectionsMutable: Bool

    /// Makes options.
    ///
    /// - Parameters:
    ///   - limits: What a document may cost.
    ///   - newerModels: What happens to models whose version is newer than the type.
    ///   - objects: As what objects are read.
    ///   - classNames: Classes for names in `$class` that aren't their own.
    ///   - userInfo: What Codable types find in the `userInfo` of their decoder.
    ///   - allowedClasses: Classes with an `init(coder:)` of their own that documents may hold anywhere.
    ///   - codingClassNames: Such classes for names in `$class` that aren't theirs.
    ///   - makesCollectionsMutable: Whether collections that don't name their class come out mutable.
    public init(
        limits: DecodingLimits = DecodingLimits(), newerModels: NewerModels = .refuse, objects: Objects = .instances,
        classNames: [String: any (ModelProtocol & SendableMetatype).Type] = [:],
        userInfo: [CodingUserInfoKey: any Sendable] = [:], allowedClasses: [AnyClass] = [],
        codingClassNames: [String: AnyClass] = [:], makesCollectionsMutable: Bool = false
    ) {
        self.makesCollectionsMutable = makesCollectionsMutable
        self.allowedClasses = allowedClasses
        self.codingClassNames = codingClassNames
        self.limits = limits
        self.newerModels = newerModels
        self.objects = objects
        self.classNames = classNames
        self.userInfo = userInfo
    }

    var rules: ReadingRules {
        ReadingRules(
            isReadable: true, readsNewer: newerModels == .readKnownProperties,
            makesDynamicObjects: objects == .dynamic, limits: limits, userInfo: userInfo,
            classNames: classNames.compactMapValues { $0 as? AnyClass }, allowedClasses: allowedClasses,
            codingClassNames: codingClassNames, makesCollectionsMutable: makesCollectionsMutable)
    }
}
