// Room:   AmberReadable. The face of reading.
// Takes:  documents, and the type that is expected in them. Gives: the value.
// Touches: ValueReader.

public import AmberModel
public import Foundation

/// Reads documents: those that ``ReadableEncoder`` writes, those that people write, and those of older coders of this kind.
///
/// A decoder is a value and holds no state between calls. Documents that are damaged or hostile are an error that names
/// line and column; they never trap, and never cost more than ``DecodingLimits`` allow.
public struct ReadableDecoder: Sendable {
    /// How documents are read.
    public var options: ReadableDecodingOptions

    /// Makes a decoder.
    ///
    /// - Parameter options: How documents are read.
    public init(options: ReadableDecodingOptions = ReadableDecodingOptions()) {
        self.options = options
    }

    /// Returns the root of a document, with everything it reaches.
    ///
    /// - Parameters:
    ///   - type: The type of the root.
    ///   - data: A JSON document.
    /// - Returns: The root. Objects are shared as the document's aliases say.
    /// - Throws: ``DecodingFailure``; nothing that was half made gets out.
    /// - Complexity: O(*n*) in the size of the document and of what its aliases expand to.
    public func decode<Root>(_ type: Root.Type, from data: Data) throws(DecodingFailure) -> Root {
        let document = try Document(json: data, options.limits)
        return try readRoot(type, document, .plain, options.rules)
    }

    /// Returns the root of a JSON document that is a text.
    ///
    /// - Parameters:
    ///   - type: The type of the root.
    ///   - text: A JSON document.
    /// - Returns: The root.
    /// - Throws: ``DecodingFailure``; nothing that was half made gets out.
    /// - Complexity: O(*n*) in the size of the document and of what its aliases expand to.
    public func decode<Root>(_ type: Root.Type, from text: String) throws(DecodingFailure) -> Root {
        try decode(type, from: Data(text.utf8))
    }
}
