// Room:   AmberModel / Dynamic. What a type doesn't know and yet keeps: unknown properties, cases, types.
// Takes:  what a coder read. Gives: the same for the next archive.
// Touches: nothing.

/// The properties that an archive holds of an object and that its class doesn't have.
///
/// A class that stores one of these keeps what it doesn't know, and archives it again as it was:
///
/// ```swift
/// final class Settings: Model {
///     var volume = 5
///     var others = UnknownProperties()
/// }
/// ```
public struct UnknownProperties {
    /// The properties, by their names in the archive.
    public var values: ArchivedValues
    package var origin: (any DynamicOrigin)?

    /// Makes an empty set.
    public init() { values = ArchivedValues() }

    package init(_ values: ArchivedValues, origin: (any DynamicOrigin)?) {
        self.values = values
        self.origin = origin
    }
}

/// A case of an enum as an archive holds it.
///
/// An enum that has a case with one of these as its only payload keeps cases that it doesn't know:
///
/// ```swift
/// enum Color { case red, blue, unknown(DynamicCase) }
/// ```
public struct DynamicCase {
    /// The name of the case.
    public var name: String
    /// The raw value as text, if the enum has raw values and no payloads.
    public var rawValue: String?
    /// The payload, if the case has one.
    public var payload: DynamicValue?
    /// The name of the enum in archives.
    public var typeName: String
    package var origin: (any DynamicOrigin)?

    /// Makes a case.
    ///
    /// - Parameters:
    ///   - name: The name of the case.
    ///   - rawValue: The raw value as text.
    ///   - payload: The payload.
    ///   - typeName: The name of the enum in archives.
    public init(name: String, rawValue: String? = nil, payload: DynamicValue? = nil, typeName: String = "") {
        self.name = name
        self.rawValue = rawValue
        self.payload = payload
        self.typeName = typeName
    }
}

/// A value in an existential whose type this program doesn't have.
public struct DynamicAny {
    /// The name of the type in the archive.
    public var typeName: String
    /// The value.
    public var value: DynamicValue
    package var origin: (any DynamicOrigin)?

    package init(typeName: String, value: DynamicValue, origin: (any DynamicOrigin)?) {
        self.typeName = typeName
        self.value = value
        self.origin = origin
    }
}

/// A case as archives hold it in an enum that doesn't know it.
struct UnknownCaseParts: Model {
    var name: String
    var rawValue: String?
    var payload: Any?
    var typeName: String

    init(_ item: DynamicCase) {
        name = item.name
        rawValue = item.rawValue
        typeName = item.typeName
        payload = item.payload.map { DynamicAny(typeName: item.name, value: $0, origin: item.origin) }
    }

    static var rules: ModelRules { ModelRules(name: DynamicCase.archivedName) }
}

extension DynamicCase {
    init(_ parts: UnknownCaseParts) {
        name = parts.name
        rawValue = parts.rawValue
        typeName = parts.typeName
        if let any = parts.payload as? DynamicAny {
            (payload, origin) = (any.value, any.origin)
        } else {
            payload = parts.payload.map { DynamicValue($0) }
        }
    }

    /// What archives call the payload of a case that stands for an unknown one.
    package static let archivedName = "Amber.UnknownCase"

    /// The case that the archive's enum didn't know either, if this one carries such a case.
    package var carried: DynamicCase? {
        guard case .structure(let structure)? = payload, structure.typeName == Self.archivedName,
            let name = structure.values["name"]?.string
        else { return nil }
        var item = DynamicCase(
            name: name, rawValue: structure.values["rawValue"]?.string,
            typeName: structure.values["typeName"]?.string ?? typeName)
        switch structure.values["payload"] {
        case .any(let any)?: (item.payload, item.origin) = (any.value, any.origin)
        case .null?, nil: break
        case let other?: item.payload = other
        }
        return item
    }
}
