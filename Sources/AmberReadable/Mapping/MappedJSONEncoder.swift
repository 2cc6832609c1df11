// Room:   AmberReadable / Mapping. The face of writing JSON that others read.
// Takes:  models, with or without a mapping. Gives: JSON.
// Touches: ValueWriter.

public import AmberModel
public import Foundation

/// Writes models as the JSON that an outside program expects: no markers, keys as mappings and ``JSONNaming`` say.
///
/// ```swift
/// let json = try MappedJSONEncoder().encode(car)
/// let same = try MappedJSONDecoder().decode(Car.self, from: json)
/// ```
///
/// Graphs are written as trees: an object that is referred to twice is written twice, and one that refers back to itself is an
/// error; weak references to an object that is being written are left out. An encoder is a value and holds no state.
public struct MappedJSONEncoder: Sendable {
    /// How properties without a rule of their own are named. Default: as in the source.
    public var naming = JSONNaming.asWritten
    /// How dates stand where no mapping says otherwise. Default: ISO 8601.
    public var dates = MappedDateStrategy.iso8601
    /// Whether properties that are nil are written as null. Default: they are left out.
    public var writesNulls = false
    /// What is done with NaN and the infinities. Default: they are an error.
    public var nonFinite = NonFiniteStrategy.refuse
    /// Whether lines are broken and indented. Default: not.
    public var isPretty = false
    /// Whether keys are sorted by their bytes. Default: they stand as declared.
    public var sortsKeys = false
    /// What Codable types find in the `userInfo` of their encoder. Default: nothing.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    /// Makes an encoder.
    public init() {}

    private var rules: WritingRules {
        WritingRules(
            isReadable: false, usesAliases: false, sortsKeys: sortsKeys, nonFinite: nonFinite, omitsNil: !writesNulls,
            userInfo: userInfo, dates: dates)
    }

    /// Returns the JSON of a value.
    ///
    /// - Parameter value: A model, or a value made of models and of the types that properties can have.
    /// - Returns: JSON in UTF-8.
    /// - Throws: ``EncodingFailure``: `cycle` for a graph that refers back to itself, with the path.
    /// - Complexity: O(*n*) in the values written.
    public func encode<Value>(_ value: Value) throws(EncodingFailure) -> Data {
        var sink = try write(value, JSONSink(isPretty: isPretty, capacity: 4096), .mapped(naming), rules)
        return sink.take()
    }

    /// Returns the JSON of a value as a tree.
    ///
    /// - Parameter value: A model, or a value made of models and of the types that properties can have.
    /// - Returns: The tree.
    /// - Throws: ``EncodingFailure``, as ``encode(_:)``.
    /// - Complexity: O(*n*) in the values written.
    public func encodeTree<Value>(_ value: Value) throws(EncodingFailure) -> ReadableValue {
        try write(value, TreeSink(SinkTraits()), .mapped(naming), rules).root
    }
}
