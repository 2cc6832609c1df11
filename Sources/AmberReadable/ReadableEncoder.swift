// Room:   AmberReadable. The face of writing.
// Takes:  any value made of models. Gives: a document.
// Touches: ValueWriter.

public import AmberModel
public import Foundation

/// Writes graphs of models as documents that people read, change and compare.
///
/// ```swift
/// let text = try ReadableEncoder().encode(person)
/// let same = try ReadableDecoder().decode(Person.self, from: text)
/// ```
///
/// Each object is written where it is met first, and referred to by `$alias` and its key path from everywhere else; `$class`
/// names its class where the property's type doesn't. Nothing is lost: numbers, dates and data are exact. An encoder is a
/// value and holds no state between calls.
public struct ReadableEncoder: Sendable {
    /// How documents are written.
    public var options: ReadableEncodingOptions

    /// Makes an encoder.
    ///
    /// - Parameter options: How documents are written.
    public init(options: ReadableEncodingOptions = ReadableEncodingOptions()) {
        self.options = options
    }

    /// Returns the JSON document of `root` and of everything it reaches.
    ///
    /// - Parameter root: A model, or a value made of models and of the types that properties can have.
    /// - Returns: JSON in UTF-8.
    /// - Throws: ``EncodingFailure``; its code is `unsupportedType` when something in the root's type can't be archived, `cycle`
    ///   when aliases are off and the graph refers back to itself, `notRepresentable` for a number that JSON doesn't have.
    /// - Complexity: O(*n*) in the objects and elements reached.
    public func encode<Root>(_ root: Root) throws(EncodingFailure) -> Data {
        var sink = try write(root, JSONSink(isPretty: options.isPretty, capacity: 4096), .plain, options.rules)
        if options.isPretty { sink.newLineAtEnd() }
        return sink.take()
    }

    /// Returns the document of `root` in any form.
    ///
    /// - Parameters:
    ///   - root: A model, or a value made of models and of the types that properties can have.
    ///   - format: The form.
    /// - Returns: The document.
    /// - Throws: ``EncodingFailure``, as ``encode(_:)``.
    /// - Complexity: O(*n*) in the objects and elements reached.
    public func encode<Root>(_ root: Root, as format: ReadableFormat) throws(EncodingFailure) -> Data {
        switch format {
        case .json: try encode(root)
        case .xmlPropertyList: try write(root, XMLSink(), .plain, options.rules).data
        case .binaryPropertyList: try write(root, BinarySink(), .plain, options.rules).data
        }
    }

    /// Returns the document of a value without a Swift type, and of everything it reaches.
    ///
    /// - Parameters:
    ///   - root: What a decoder's `decodeDynamic` gave, changed or not, or a value made by hand.
    ///   - format: The form.
    /// - Returns: The document. Programs with the types read it as any other.
    /// - Throws: ``EncodingFailure``, as ``encode(_:)``.
    /// - Complexity: O(*n*) in the objects and elements reached.
    public func encodeDynamic(_ root: DynamicValue, as format: ReadableFormat = .json) throws(EncodingFailure) -> Data {
        try encode(root as Any, as: format)
    }

    /// Returns the document of `root` as a tree, as JSON has it.
    ///
    /// - Parameter root: A model, or a value made of models and of the types that properties can have.
    /// - Returns: The tree.
    /// - Throws: ``EncodingFailure``, as ``encode(_:)``.
    /// - Complexity: O(*n*) in the objects and elements reached.
    public func encodeTree<Root>(_ root: Root) throws(EncodingFailure) -> ReadableValue {
        try write(root, TreeSink(SinkTraits()), .plain, options.rules).root
    }

    /// Returns the document of `root` as dictionaries, arrays, numbers, texts, dates and data, which every property list takes.
    ///
    /// - Parameter root: A model, or a value made of models and of the types that properties can have.
    /// - Returns: The property list.
    /// - Throws: ``EncodingFailure``, as ``encode(_:)``.
    /// - Complexity: O(*n*) in the objects and elements reached.
    public func encodePropertyList<Root>(_ root: Root) throws(EncodingFailure) -> Any {
        try write(root, TreeSink(.propertyList), .plain, options.rules).root.foundation
    }

    /// Returns the document of `root` as dictionaries, arrays, numbers, texts and NSNull, which `JSONSerialization` takes.
    ///
    /// - Parameter root: A model, or a value made of models and of the types that properties can have.
    /// - Returns: The JSON object. Numbers of more digits than Foundation's have lose them there.
    /// - Throws: ``EncodingFailure``, as ``encode(_:)``.
    /// - Complexity: O(*n*) in the objects and elements reached.
    public func encodeJSONObject<Root>(_ root: Root) throws(EncodingFailure) -> Any {
        try encodeTree(root).foundation
    }

    /// Returns the JSON document of `root` as a text.
    ///
    /// - Parameter root: A model, or a value made of models and of the types that properties can have.
    /// - Returns: JSON.
    /// - Throws: ``EncodingFailure``, as ``encode(_:)``.
    /// - Complexity: O(*n*) in the objects and elements reached.
    public func encodeText<Root>(_ root: Root) throws(EncodingFailure) -> String {
        String(decoding: try encode(root), as: UTF8.self)
    }
}
