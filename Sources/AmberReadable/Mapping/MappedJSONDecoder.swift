// Room:   AmberReadable / Mapping. The face of reading JSON that others write.
// Takes:  JSON, and the type that is expected in it. Gives: models, new or updated.
// Touches: ValueReader.

public import AmberModel
public import Foundation

/// Reads the JSON of outside programs into models, as their mappings say.
///
/// Keys that no property knows are passed over; a class that stores ``UnknownProperties`` keeps them. A decoder is a value and
/// holds no state. Damaged or hostile JSON is an error with line and column.
public struct MappedJSONDecoder: Sendable {
    /// How properties without a rule of their own are named. Default: as in the source.
    public var naming = JSONNaming.asWritten
    /// How dates stand where no mapping says otherwise. Default: ISO 8601.
    public var dates = MappedDateStrategy.iso8601
    /// Whether the texts `NaN`, `Infinity` and `-Infinity` are read as numbers. Default: they are refused.
    public var nonFinite = NonFiniteStrategy.refuse
    /// What a document may cost.
    public var limits = DecodingLimits()
    /// What Codable types find in the `userInfo` of their decoder. Default: nothing.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    /// Makes a decoder.
    public init() {}

    private var rules: ReadingRules {
        ReadingRules(isReadable: false, nonFinite: nonFinite, limits: limits, userInfo: userInfo, dates: dates)
    }

    /// Returns the value of a JSON text.
    ///
    /// - Parameters:
    ///   - type: The type: a model, an array or dictionary of models, or any type that properties can have.
    ///   - data: JSON in UTF-8.
    /// - Returns: The value.
    /// - Throws: ``DecodingFailure`` with path, line and column; nothing that was half made gets out.
    /// - Complexity: O(*n*) in the size of the text.
    public func decode<Value>(_ type: Value.Type, from data: Data) throws(DecodingFailure) -> Value {
        try readRoot(type, try Document(json: data, limits), .mapped(naming), rules)
    }

    /// Returns the value of a tree.
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - tree: JSON as a tree.
    /// - Returns: The value.
    /// - Throws: ``DecodingFailure`` with the path.
    /// - Complexity: O(*n*) in the size of the tree.
    public func decode<Value>(_ type: Value.Type, from tree: ReadableValue) throws(DecodingFailure) -> Value {
        try readRoot(type, try Document(tree, limits), .mapped(naming), rules)
    }

    /// Returns the elements of a JSON array that can be read, and why the others can't.
    ///
    /// - Parameters:
    ///   - type: The type of the elements.
    ///   - data: A JSON array; anything else stands for an array of one.
    /// - Returns: The values in order, nulls left out, and the failures in order, with the elements' indexes in their paths.
    /// - Throws: ``DecodingFailure`` if the text is no JSON.
    /// - Complexity: O(*n*) in the size of the text.
    public func decodeElements<Value>(
        of type: Value.Type, from data: Data
    ) throws(DecodingFailure) -> (values: [Value], failures: [DecodingFailure]) {
        let document = try Document(json: data, limits)
        var values: [Value] = []
        var failures: [DecodingFailure] = []
        for (index, node) in document.elements.enumerated() {
            do throws(DecodingFailure) {
                values.append(try readRoot(type, document, .mapped(naming), rules, from: node))
            } catch {
                failures.append(error.within(.index(index)))
            }
        }
        return (values, failures)
    }

    /// Takes what JSON has over into a model that is there: properties that it doesn't name keep their values.
    ///
    /// Values are replaced as wholes: an object that a property refers to is another one afterwards. When reading fails, the
    /// model is as it was; when an object's own `didDecode()` or `validate()` refuses what was read, it keeps the new values.
    ///
    /// - Parameters:
    ///   - model: The model: an object, whose identity stays, or a struct.
    ///   - data: A JSON object.
    /// - Throws: ``DecodingFailure`` with path, line and column.
    /// - Complexity: O(*n*) in the size of the text.
    public func update<Value: ModelProtocol>(_ model: inout Value, from data: Data) throws(DecodingFailure) {
        try readUpdate(&model, try Document(json: data, limits), .mapped(naming), rules)
    }

    /// Takes what JSON has over into an object that is there: properties that it doesn't name keep their values.
    ///
    /// - Parameters:
    ///   - model: The object.
    ///   - data: A JSON object.
    /// - Throws: ``DecodingFailure`` with path, line and column. The properties that JSON names are then as they were, also if the
    ///   object's own `didDecode()` or `validate()` refused what was read; what its own code, computed properties among it, changed
    ///   stays changed.
    /// - Complexity: O(*n*) in the size of the text.
    public func update<Value: ModelProtocol & AnyObject>(_ model: Value, from data: Data) throws(DecodingFailure) {
        var model = model
        try readUpdate(&model, try Document(json: data, limits), .mapped(naming), rules)
    }
}
