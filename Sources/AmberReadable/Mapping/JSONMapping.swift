// Room:   AmberReadable / Mapping. What a type says of its JSON, where that is somebody else's.
// Takes:  names of properties, key paths, functions. Gives: plain values that the mapped coders compile.
// Touches: nothing.

public import AmberModel

/// A model whose JSON has a shape of its own.
///
/// ```swift
/// final class Car: JSONMapped {
///     var name = ""
///     var sold: Date?
///     static var jsonMapping: JSONMapping {
///         JSONMapping()
///             .mapping("name", to: "type.name", or: "title")
///             .dates("sold", as: .milliseconds)
///     }
/// }
/// ```
///
/// Properties that the mapping doesn't name stand under their own names, or as the coder's ``JSONNaming`` says.
///
/// A class adds its mapping to those of the classes above it: `override class var jsonMapping` says only what is new. What it says of a
/// property takes the place of all that a superclass says of it, and its choice of a class that of a superclass's. A class whose
/// subclasses have mappings declares `class var jsonMapping` itself.
public protocol JSONMapped: Model {
    /// How the properties stand in JSON.
    static var jsonMapping: JSONMapping { get }
}

/// How the properties of a type stand in JSON.
///
/// Paths are steps joined by points: keys of objects, indexes of arrays (`photos.0.url`). In a key `~1` stands for a point and
/// `~0` for a tilde. A property that the type doesn't have is an error when the type is first met.
public struct JSONMapping: Sendable {
    struct Transformer: Sendable {
        var decode: @Sendable (ReadableValue) throws -> Any
        var encode: @Sendable (Any) throws -> ReadableValue?
    }

    struct Rule: Sendable {
        var paths: [String] = []
        var parts: [(name: String, path: String)] = []
        var transformer: Transformer?
        var dates: MappedDateStrategy?
        var cases: [(json: String, name: String)] = []
        var isLossy = false
        var isExcluded = false
        var fallback: (@Sendable () -> Any)?
        var takesNullAsAbsent = false
        var writesNull: Bool?
    }

    struct Chooser: Sendable {
        var choose: @Sendable (ReadableValue) throws -> (any ModelProtocol.Type)?
        /// The key that tells, and what it says for each class, where a table was given.
        var path: String?
        var names: @Sendable (any ModelProtocol.Type) -> String? = { _ in nil }
    }

    var rules: [String: Rule] = [:]
    var chooser: Chooser?
    /// The properties of which only superclasses say something.
    var inherited: Set<String> = []

    /// What a type and the classes above it say together; `nil` if they say nothing.
    static func whole(of type: Any.Type) -> JSONMapping? {
        guard var whole = (type as? any JSONMapped.Type)?.jsonMapping else { return nil }
        var above: AnyClass? = (type as? AnyClass).flatMap { _getSuperclass($0) }
        while let type = above, let mapped = type as? any JSONMapped.Type {
            let mapping = mapped.jsonMapping
            whole.inherited.formUnion(mapping.rules.keys.filter { whole.rules[$0] == nil })
            whole.rules.merge(mapping.rules) { own, _ in own }
            if whole.chooser == nil { whole.chooser = mapping.chooser }
            above = _getSuperclass(type)
        }
        return whole
    }

    /// Makes a mapping by which every property stands under its own name.
    public init() {}

    private func changing(_ property: String, _ change: (inout Rule) -> Void) -> JSONMapping {
        var mapping = self
        change(&mapping.rules[property, default: Rule()])
        return mapping
    }

    /// Puts a property at a path.
    ///
    /// - Parameters:
    ///   - property: Its name in the source.
    ///   - path: Where it is written, and read first.
    ///   - others: Where it is read if there is nothing, or null, at the path: the first of them that has something.
    /// - Returns: The mapping with this rule added.
    public func mapping(_ property: String, to path: String, or others: String...) -> JSONMapping {
        changing(property) { $0.paths = [path] + others }
    }

    /// Makes one property of several keys: it is read from, and written as, an object whose members are elsewhere.
    ///
    /// ```swift
    /// JSONMapping().mapping("place", from: ["latitude": "geo.lat", "longitude": "geo.lng"])
    /// ```
    ///
    /// - Parameters:
    ///   - property: Its name in the source.
    ///   - parts: For each key of the object that the property's type, or its transformer, takes: where that member stands.
    /// - Returns: The mapping with this rule added.
    public func mapping(_ property: String, from parts: KeyValuePairs<String, String>) -> JSONMapping {
        changing(property) { $0.parts = parts.map { (name: $0.key, path: $0.value) } }
    }

    /// Leaves properties out of JSON, both ways.
    ///
    /// - Parameter properties: Their names in the source.
    /// - Returns: The mapping with this rule added.
    public func excluding(_ properties: String...) -> JSONMapping {
        properties.reduce(self) { $0.changing($1) { $0.isExcluded = true } }
    }

    /// Reads and writes the dates in a property by a strategy of its own.
    ///
    /// - Parameters:
    ///   - property: Its name in the source.
    ///   - strategy: How the dates stand in JSON.
    /// - Returns: The mapping with this rule added.
    public func dates(_ property: String, as strategy: MappedDateStrategy) -> JSONMapping {
        changing(property) { $0.dates = strategy }
    }

    /// Reads and writes the cases of the enum in a property under other texts than their raw values or names.
    ///
    /// - Parameters:
    ///   - property: Its name in the source.
    ///   - cases: For texts of JSON the names of cases. Of several texts for one case the first is written.
    /// - Returns: The mapping with this rule added.
    public func cases(_ property: String, _ cases: KeyValuePairs<String, String>) -> JSONMapping {
        changing(property) { $0.cases = cases.map { (json: $0.key, name: $0.value) } }
    }

    /// Converts a property by two functions.
    ///
    /// Where the property is an Optional of the functions' type, null and nil are left alone.
    ///
    /// - Parameters:
    ///   - property: Its name in the source.
    ///   - decode: Makes the property's value of what JSON has.
    ///   - encode: Makes of it what JSON has.
    /// - Returns: The mapping with this rule added.
    public func transforming<Value>(
        _ property: String, decode: @escaping @Sendable (ReadableValue) throws -> Value,
        encode: @escaping @Sendable (Value) throws -> ReadableValue
    ) -> JSONMapping {
        changing(property) {
            $0.transformer = Transformer(
                decode: { try decode($0) },
                encode: { value in
                    guard let value = value as? Value else { return nil }
                    return try encode(value)
                })
        }
    }

    /// Leaves elements that can't be read out of the arrays in properties. Objects in them are read twice, their hooks called each time:
    /// what these refuse is left out, too.
    ///
    /// - Parameter properties: Their names in the source.
    /// - Returns: The mapping with this rule added.
    public func lossy(_ properties: String...) -> JSONMapping {
        properties.reduce(self) { $0.changing($1) { $0.isLossy = true } }
    }

    /// Gives a property a value where JSON has none for it.
    ///
    /// Types with an `init()` need none of this: their properties keep what that gives them.
    ///
    /// - Parameters:
    ///   - property: Its name in the source.
    ///   - value: Makes the value, which must be of the property's type.
    /// - Returns: The mapping with this rule added.
    public func defaulting(_ property: String, to value: @autoclosure @escaping @Sendable () -> Any) -> JSONMapping {
        changing(property) { $0.fallback = value }
    }

    /// Takes null for nothing at all: properties keep their defaults.
    ///
    /// - Parameter properties: Their names in the source.
    /// - Returns: The mapping with this rule added.
    public func takingNullAsAbsent(_ properties: String...) -> JSONMapping {
        properties.reduce(self) { $0.changing($1) { $0.takesNullAsAbsent = true } }
    }

    /// Writes nil as null, or not at all, whatever the encoder does otherwise.
    ///
    /// - Parameters:
    ///   - property: Its name in the source.
    ///   - writesNull: Whether null is written.
    /// - Returns: The mapping with this rule added.
    public func writingNil(_ property: String, asNull writesNull: Bool) -> JSONMapping {
        changing(property) { $0.writesNull = writesNull }
    }

    /// Chooses the class of an object by its content.
    ///
    /// - Parameter choose: Gives the class for an object's JSON: one that inherits from the class that is expected; or nil for
    ///   that class itself.
    /// - Returns: The mapping with this rule added.
    public func choosingClass(
        _ choose: @escaping @Sendable (ReadableValue) throws -> (any ModelProtocol.Type)?
    ) -> JSONMapping {
        var mapping = self
        mapping.chooser = Chooser(choose: choose)
        return mapping
    }

    /// Chooses the class of an object by the text at one place, which is written too where no property stands there.
    ///
    /// - Parameters:
    ///   - path: Where the text stands.
    ///   - classes: The classes by their texts. Another text, or none, stands for the class that is expected.
    /// - Returns: The mapping with this rule added.
    public func choosingClass(
        by path: String, _ classes: KeyValuePairs<String, any (ModelProtocol & SendableMetatype).Type>
    ) -> JSONMapping {
        let table = classes.map { (name: $0.key, type: $0.value) }
        var mapping = self
        mapping.chooser = Chooser(
            choose: { json in
                guard let text = json.value(at: JSONPath(path))?.string else { return nil }
                return table.first { $0.name == text }?.type
            }, path: path, names: { type in table.first { $0.type == type }?.name })
        return mapping
    }
}

/// A key path in JSON.
struct JSONPath: Sendable, Equatable {
    var steps: [String]

    init(_ path: String) { steps = KeyPath.steps(path).map(\.key) }
}

extension ReadableValue {
    /// What stands at a path, or nil.
    func value(at path: JSONPath) -> ReadableValue? {
        var here = self
        for step in path.steps {
            var next: ReadableValue?
            if case .array = here { next = Int(step).flatMap { here[$0] } } else { next = here[step] }
            guard let next else { return nil }
            here = next
        }
        return here
    }

    /// The tree with a value at a path; objects and arrays on the way are made where there are none.
    func setting(_ value: ReadableValue, at path: ArraySlice<String>) -> ReadableValue {
        guard let step = path.first else { return value }
        let rest = path.dropFirst()
        if let index = Int(step), index >= 0, index < 4096, object?.isEmpty ?? true {
            var elements = array ?? []
            while elements.count <= index { elements.append(.null) }
            elements[index] = elements[index].setting(value, at: rest)
            return .array(elements)
        }
        var pairs = object ?? []
        if let place = pairs.firstIndex(where: { $0.key == step }) {
            pairs[place].value = pairs[place].value.setting(value, at: rest)
        } else {
            pairs.append((step, ReadableValue.object([]).setting(value, at: rest)))
        }
        return .object(pairs)
    }

    /// The tree with the keys of all objects in the order of their bytes.
    var sorted: ReadableValue {
        switch self {
        case .array(let elements): .array(elements.map(\.sorted))
        case .object(let pairs):
            .object(pairs.map { (key: $0.key, value: $0.value.sorted) }.sorted { precedes($0.key, $1.key) })
        default: self
        }
    }
}
