// Room:   AmberReadable / Mapping. JSON of other programs as texts instead of data.
// Takes:  what the coders take. Gives: what they give. Touches: nothing of its own.

public import AmberModel
internal import Foundation

extension MappedJSONEncoder {
    /// Returns the JSON of a value as a text.
    ///
    /// - Parameter value: A model, or a value made of models and of the types that properties can have.
    /// - Returns: JSON.
    /// - Throws: ``EncodingFailure``, as ``encode(_:)``.
    /// - Complexity: O(*n*) in the values written.
    public func encodeText<Value>(_ value: Value) throws(EncodingFailure) -> String {
        String(decoding: try encode(value), as: UTF8.self)
    }
}

extension MappedJSONDecoder {
    /// Returns the value of a JSON text.
    ///
    /// - Parameters:
    ///   - type: The type: a model, an array or dictionary of models, or any type that properties can have.
    ///   - text: JSON.
    /// - Returns: The value.
    /// - Throws: ``DecodingFailure`` with path, line and column; nothing that was half made gets out.
    /// - Complexity: O(*n*) in the size of the text.
    public func decode<Value>(_ type: Value.Type, from text: String) throws(DecodingFailure) -> Value {
        try decode(type, from: Data(text.utf8))
    }

    /// Takes what a JSON text has over into a model that is there: properties that it doesn't name keep their values.
    ///
    /// - Parameters:
    ///   - model: The model: an object, whose identity stays, or a struct.
    ///   - text: A JSON object.
    /// - Throws: ``DecodingFailure`` with path, line and column; the model is then as it was.
    /// - Complexity: O(*n*) in the size of the text.
    public func update<Value: ModelProtocol>(_ model: inout Value, from text: String) throws(DecodingFailure) {
        try update(&model, from: Data(text.utf8))
    }

    /// Takes what a JSON text has over into an object that is there: properties that it doesn't name keep their values.
    ///
    /// - Parameters:
    ///   - model: The object.
    ///   - text: A JSON object.
    /// - Throws: ``DecodingFailure`` with path, line and column; the object's stored properties are then as they were.
    /// - Complexity: O(*n*) in the size of the text.
    public func update<Value: ModelProtocol & AnyObject>(_ model: Value, from text: String) throws(DecodingFailure) {
        try update(model, from: Data(text.utf8))
    }
}
