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
    ///   - data: A document: JSON, or a property list of either form.
    /// - Returns: The root. Objects are shared as the document's aliases say.
    /// - Throws: ``DecodingFailure``; nothing that was half made gets out.
    /// - Complexity: O(*n*) in the size of the document and of what its aliases expand to.
    public func decode<Root>(_ type: Root.Type, from data: Data) throws(DecodingFailure) -> Root {
        let document = try Document(data, options.limits)
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

    /// Returns the root of a document that is a tree.
    ///
    /// - Parameters:
    ///   - type: The type of the root.
    ///   - tree: The document.
    /// - Returns: The root.
    /// - Throws: ``DecodingFailure``; nothing that was half made gets out.
    /// - Complexity: O(*n*) in the size of the document and of what its aliases expand to.
    public func decode<Root>(_ type: Root.Type, from tree: ReadableValue) throws(DecodingFailure) -> Root {
        try readRoot(type, try Document(tree, options.limits), .plain, options.rules)
    }

    /// Returns the root of a document in memory.
    ///
    /// - Parameters:
    ///   - type: The type of the root.
    ///   - object: What `PropertyListSerialization` or `JSONSerialization` gives, or what
    ///     ``ReadableEncoder/encodePropertyList(_:)`` made.
    /// - Returns: The root.
    /// - Throws: ``DecodingFailure``: `notAnArchive` for an object that no property list and no JSON has.
    /// - Complexity: O(*n*) in the size of the document and of what its aliases expand to.
    public func decode<Root>(_ type: Root.Type, fromObject object: Any) throws(DecodingFailure) -> Root {
        guard let tree = ReadableValue(foundation: object) else {
            throw DecodingFailure(
                .notAnArchive,
                "The object holds one that neither property lists nor JSON have, or is nested too deeply.")
        }
        return try decode(type, from: tree)
    }

    /// Returns the root of a document without any Swift types.
    ///
    /// Every object that names its class, or that an alias refers to, becomes a ``DynamicObject``, whether the program has the
    /// class or not; all other objects are dictionaries. The value can be looked at and changed, and any coder writes it: that
    /// is how scripts and tests make archives of documents that people write.
    ///
    /// ```swift
    /// let graph = try ReadableDecoder().decodeDynamic(from: document)
    /// let archive = try BinaryEncoder().encodeDynamic(graph)
    /// ```
    ///
    /// - Parameter data: A document: JSON, or a property list of either form.
    /// - Returns: The root; objects are shared as the document's aliases say.
    /// - Throws: ``DecodingFailure``; nothing that was half made gets out.
    /// - Complexity: O(*n*) in the size of the document and of what its aliases expand to.
    public func decodeDynamic(from data: Data) throws(DecodingFailure) -> DynamicValue {
        try readDynamicRoot(try Document(data, options.limits), options.rules)
    }

    /// Returns the root of a JSON document that is a text, without any Swift types.
    ///
    /// - Parameter text: A JSON document.
    /// - Returns: The root, as ``decodeDynamic(from:)-(Data)`` gives it.
    /// - Throws: ``DecodingFailure``; nothing that was half made gets out.
    /// - Complexity: O(*n*) in the size of the document and of what its aliases expand to.
    public func decodeDynamic(from text: String) throws(DecodingFailure) -> DynamicValue {
        try decodeDynamic(from: Data(text.utf8))
    }

    /// Makes types known by their names in documents.
    ///
    /// Needed only for types that can't be found by their names, if nothing else has used them before a document that names
    /// them is read: generic, private and local ones, and those with a name of their own (``ModelRules/name``). Registering a
    /// class with an `init(coder:)` of its own also lets documents hold its objects anywhere.
    ///
    /// - Parameter types: Types that documents name.
    /// - Throws: ``DecodingFailure`` when something in a type can't be archived.
    public static func register(_ types: Any.Type...) throws(DecodingFailure) {
        for type in types {
            do throws(SchemaFailure) {
                if let type = type as? AnyClass, ForeignClasses.isForeign(type) {
                    ForeignClasses.declare(type)
                } else if let type = type as? AnyClass {
                    _ = try PlanCache.shared.plan(for: type)
                } else {
                    _ = try PlanCache.shared.plan(for: type)
                }
            } catch {
                throw DecodingFailure(error)
            }
        }
    }
}
