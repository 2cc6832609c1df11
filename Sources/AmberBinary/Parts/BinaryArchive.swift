// Room:   AmberBinary / Parts. The face of reading an archive in part.
// Takes:  an archive in memory or in a file. Gives: what it holds, single properties, single columns.
// Touches: the file, which is mapped into memory; PartReader.

public import AmberModel
public import Foundation

/// An archive of which only parts are read.
///
/// ```swift
/// let archive = try BinaryArchive(contentsOf: url)                    // mapped into memory, not read
/// let title = try archive.property("title", as: String.self)          // of the root
/// let names = try archive.column("name", of: Person.self, as: String.self)
/// let codes = try archive.values(at: "requests", "code", as: UInt16.self)
/// ```
///
/// What was not asked for is passed over: of most columns only the length is looked at, so that a mapped file's pages are
/// not even loaded. Damage there is not noticed. A part that can refer to objects needs them all, and therefore costs what
/// decoding the whole archive does. An archive in an LZ4 frame is decompressed as a whole when it is opened.
///
/// Each call starts at the archive's beginning. An archive is a value: use it from as many threads as you like.
public struct BinaryArchive: Sendable {
    /// How the archive is read.
    public let options: BinaryDecodingOptions
    /// The type of the root, as one would write it in Swift.
    public let rootType: String
    /// The types that the archive defines, with the number of objects of each class.
    public let types: [ArchivedType]

    private let data: Data

    /// Opens an archive in memory.
    ///
    /// - Parameters:
    ///   - data: An archive, compressed or not.
    ///   - options: How it is read.
    /// - Throws: ``DecodingFailure``; its code is `unsupportedVersion` for an archive that was written without its schema,
    ///   which can only be decoded as a whole.
    /// - Complexity: O(*t*) in the number of types that the archive defines; O(*n*) if it is compressed.
    public init(_ data: Data, options: BinaryDecodingOptions = BinaryDecodingOptions()) throws(DecodingFailure) {
        self.options = options
        self.data = try plainArchive(data, options.limits)
        let outline = try withReader(over: self.data, options) { reader throws(DecodingFailure) in
            try reader.readOutline()
        }
        rootType = outline.name(of: outline.root)
        types = outline.types
    }

    /// Opens an archive in a file, which is mapped into memory: what is not asked for is not read.
    ///
    /// The file must not be changed while the archive, or data decoded from it, is in use: replace it by another instead, as
    /// atomic writing does.
    ///
    /// - Parameters:
    ///   - url: Where the file is.
    ///   - options: How it is read.
    /// - Throws: ``DecodingFailure``; its code is `unreadableFile` when the file can't be opened.
    /// - Complexity: O(*t*) in the number of types that the archive defines; O(*n*) if it is compressed.
    public init(
        contentsOf url: URL, options: BinaryDecodingOptions = BinaryDecodingOptions()
    ) throws(DecodingFailure) {
        try self.init(try Data(mapping: url), options: options)
    }

    /// Returns one property of the root.
    ///
    /// - Parameters:
    ///   - name: Its name in the archive.
    ///   - type: Its type; numbers convert if they fit.
    /// - Returns: The property's value. No migration and no hook of the root's type is run.
    /// - Throws: ``DecodingFailure``; its code is `missingValue` when there is no such property, or the root is `nil`.
    /// - Complexity: O(*n*) in the part of the archive before the property, most of which is passed over.
    public func property<Value>(_ name: String, as type: Value.Type = Value.self) throws(DecodingFailure) -> Value {
        try one(try read(.root([[name]]), type))
    }

    /// Returns one property of the root, whose type says under which names archives hold it.
    ///
    /// - Parameters:
    ///   - name: Its name in the source or in the archive.
    ///   - root: The root's type: its renamed properties are found.
    ///   - type: The property's type.
    /// - Returns: The property's value. No hook of the root's type is run.
    /// - Throws: ``DecodingFailure``; its code is `newerModel` when the archive is of a version that must be migrated
    ///   or isn't known: such a one can only be decoded as a whole.
    /// - Complexity: As ``property(_:as:)``.
    public func property<Root, Value>(
        _ name: String, of root: Root.Type, as type: Value.Type = Value.self
    ) throws(DecodingFailure) -> Value {
        try one(try read(.rootProperty(name, of: root), type))
    }

    /// Returns all values that a path of property names leads to, from the root on through arrays, sets, Optionals, tuples
    /// and structs.
    ///
    /// - Parameters:
    ///   - path: Names of properties. Arrays and sets have no name of their own: the path goes on with the properties of
    ///     their elements, all of them. An Optional that is `nil` gives nothing.
    ///   - type: The type of what the path ends at.
    /// - Returns: The values, in the order of the archive.
    /// - Throws: ``DecodingFailure``.
    /// - Complexity: O(*n*) in the part of the archive before the values, most of which is passed over.
    public func values<Value>(
        at path: String..., as type: Value.Type = Value.self
    ) throws(DecodingFailure) -> [Value] {
        try read(.root(path.map { [$0] }), type)
    }

    /// Returns one property of all objects of a class and its subclasses.
    ///
    /// - Parameters:
    ///   - name: The property's name in the source or in the archive.
    ///   - objects: The class.
    ///   - type: The property's type.
    /// - Returns: The values, class by class, in the order in which the archive has the objects. No hook of the class is run.
    /// - Throws: ``DecodingFailure``; its code is `newerModel` when the objects must be migrated or are too new: then the
    ///   archive can only be decoded as a whole.
    /// - Complexity: O(*n*) in the part of the archive before the column, most of which is passed over.
    public func column<Object: ModelProtocol & AnyObject, Value>(
        _ name: String, of objects: Object.Type, as type: Value.Type = Value.self
    ) throws(DecodingFailure) -> [Value] {
        try read(.column(name, of: objects), type)
    }

    /// Returns one property of all objects of a class, which this program need not have.
    ///
    /// - Parameters:
    ///   - name: The property's name in the archive.
    ///   - className: The name of the class in the archive; ``types`` lists them.
    ///   - type: The property's type.
    /// - Returns: The values, in the order in which the archive has the objects.
    /// - Throws: ``DecodingFailure``; its code is `unknownType` when the archive has no object of the class.
    /// - Complexity: As ``column(_:of:as:)``.
    public func column<Value>(
        _ name: String, ofClassNamed className: String, as type: Value.Type = Value.self
    ) throws(DecodingFailure) -> [Value] {
        try read(.namedColumn(name, of: className), type)
    }

    /// Returns the root with everything it reaches, as ``BinaryDecoder/decode(_:from:)`` does.
    ///
    /// - Parameter type: The type of the root.
    /// - Returns: The root.
    /// - Throws: ``DecodingFailure``.
    /// - Complexity: O(*n*) in the size of the archive and of what it expands to.
    public func decode<Root>(_ type: Root.Type = Root.self) throws(DecodingFailure) -> Root {
        try readArchive(of: type, in: data, options)
    }

    private func read<Value>(_ part: ArchivePart, _ type: Value.Type) throws(DecodingFailure) -> [Value] {
        try readParts(part, of: type, in: data, options)
    }

    private func one<Value>(_ values: [Value]) throws(DecodingFailure) -> Value {
        guard values.count == 1, let value = values.first else {
            throw DecodingFailure(.missingValue, "The root is nil, or has not one such property but \(values.count).")
        }
        return value
    }
}

/// A struct, class or enum that an archive defines.
public struct ArchivedType: Sendable, Equatable {
    /// What a type is.
    public enum Kind: Sendable, Equatable {
        /// A struct.
        case structure
        /// A class.
        case object
        /// An enum.
        case enumeration
    }

    /// A property, or a case of an enum.
    public struct Member: Sendable, Equatable {
        /// The name in the archive.
        public var name: String
        /// The type as one would write it in Swift, such as `[String: Int32]`; of a case that of its payload, if it has one.
        /// References are `AnyObject?`: only the objects themselves have classes.
        public var type: String?
    }

    /// The name in the archive, mostly `Module.Type`.
    public var name: String
    /// What it is.
    public var kind: Kind
    /// The version of its shape; 0 for an enum.
    public var version: Int
    /// The properties, superclasses' first; or the cases.
    public var members: [Member]
    /// How many objects of exactly this class the archive has; 0 for other types.
    public var objectCount: Int
}
