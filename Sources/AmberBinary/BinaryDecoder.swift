// Room:   AmberBinary. The face of decoding.
// Takes:  Data, and the type that is expected in it. Gives: the value.
// Touches: UnsafeArchive.

public import AmberModel
public import Foundation

/// Reads the archives that ``BinaryEncoder`` writes.
///
/// Archives compressed as LZ4 frames are recognised. A decoder is a value and holds no state between calls: use it from
/// as many threads as you like. Input that is damaged or hostile is an error; it never traps, and never makes the decoder
/// allocate more for values than ``DecodingLimits`` allow, or more than a small multiple of that while it works.
public struct BinaryDecoder: Sendable {
    /// How archives are read.
    public var options: BinaryDecodingOptions

    /// Makes a decoder.
    ///
    /// - Parameter options: How archives are read.
    public init(options: BinaryDecodingOptions = BinaryDecodingOptions()) {
        self.options = options
    }

    /// Returns the root of an archive, with everything it reaches.
    ///
    /// Objects that only a property refers to which `Root` or its parts no longer have are made too, and freed on return.
    /// If they hold each other in a cycle they stay, as when a program drops its last reference into one: to take the
    /// cycle apart would show objects that are no longer whole to their `deinit` and to whoever else holds them. A weak
    /// reference in the model breaks such a cycle.
    ///
    /// - Parameters:
    ///   - type: The type of the root.
    ///   - data: An archive, compressed or not.
    /// - Returns: The root. Objects have the classes, and are shared, as they were when they were encoded.
    /// - Throws: ``DecodingFailure``; nothing that was half made gets out.
    /// - Complexity: O(*n*) in the size of the archive and of what it expands to.
    public func decode<Root>(_ type: Root.Type, from data: Data) throws(DecodingFailure) -> Root {
        try readArchive(of: type, in: data, options)
    }

    /// Returns the root of an archive in a file, with everything it reaches.
    ///
    /// The file is mapped into memory, not copied. To read only a part of it, open it as a ``BinaryArchive``.
    ///
    /// - Parameters:
    ///   - type: The type of the root.
    ///   - url: Where the file is. It must not be changed in place meanwhile.
    /// - Returns: The root.
    /// - Throws: ``DecodingFailure``; its code is `unreadableFile` when the file can't be opened.
    /// - Complexity: O(*n*) in the size of the archive and of what it expands to.
    public func decode<Root>(_ type: Root.Type, contentsOf url: URL) throws(DecodingFailure) -> Root {
        try decode(type, from: try Data(mapping: url))
    }

    /// Returns the root of an archive without the Swift types that it was written with.
    ///
    /// Every object becomes a ``DynamicObject``, whether the program has its class or not; structs and enums keep their names
    /// and parts. The value can be looked at and changed, and any coder writes it: that is how archives are converted, and
    /// how scripts and tests make them.
    ///
    /// ```swift
    /// let graph = try BinaryDecoder().decodeDynamic(from: archive)
    /// let document = try ReadableEncoder().encodeDynamic(graph)
    /// ```
    ///
    /// - Parameter data: An archive, compressed or not, that holds its schema.
    /// - Returns: The root; objects are shared, and refer to each other, as they did when they were encoded.
    /// - Throws: ``DecodingFailure``; nothing that was half made gets out.
    /// - Complexity: O(*n*) in the size of the archive and of what it expands to.
    public func decodeDynamic(from data: Data) throws(DecodingFailure) -> DynamicValue {
        try readDynamicArchive(in: data, options)
    }

    /// Makes types known by their names in archives.
    ///
    /// Needed only for types that can't be found by their names, if nothing else has used them before an archive that
    /// holds them is decoded: generic, private and local classes, those that were renamed (``ModelRules/formerNames``),
    /// and generic, private and local types whose values are in properties of type `Any` or of a protocol. Registering a
    /// class with an `init(coder:)` of its own also lets archives hold its objects anywhere.
    ///
    /// - Parameter types: Types that archives hold.
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
