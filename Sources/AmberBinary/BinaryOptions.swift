// Room:   AmberBinary. What an encoder or decoder can be told.
// Takes:  plain values. Gives: the same, with defaults.
// Touches: nothing.

public import AmberModel

/// How archives are written.
public struct BinaryEncodingOptions: Sendable {
    /// How an archive is compressed.
    public enum Compression: Sendable, Equatable {
        /// Not at all: the fastest.
        case none
        /// As an LZ4 frame, which the `lz4` command can undo.
        case lz4(LZ4Options = LZ4Options())
    }

    /// What an archive says of its types.
    public enum SchemaForm: Sendable, Equatable {
        /// Everything: the archive explains itself, and types may change between writing and reading.
        case embedded
        /// Eight bytes that stand for it: for short messages between programs that have the very same types.
        case fingerprint
    }

    /// How the archive is compressed. Default: not.
    public var compression: Compression
    /// What the archive says of its types. Default: everything.
    public var schema: SchemaForm
    /// Whether equal graphs give equal bytes, from run to run: sets and dictionaries are sorted. Default: `false`.
    ///
    /// Costs the sorting. Sets of objects are ordered by the properties that refer to nothing; objects that differ only
    /// in what they refer to may still come in either order.
    public var isDeterministic: Bool
    /// What Codable types find in the `userInfo` of their encoder. Default: nothing.
    public var userInfo: [CodingUserInfoKey: any Sendable]
    /// On how many threads a large archive is written, the caller's own included. Default: 1.
    ///
    /// No more are used than the machine has processors. The bytes are the same. With more than one, code of models that
    /// is called meanwhile (`willEncode()` of structs, transformers, `encode(to:)`) is called from several threads at once,
    /// and may be called twice on a value.
    public var threads: Int
    /// Batches of fewer values stay on one thread.
    package var smallestSharedBatch = Crew.usualBatch

    /// Makes options.
    ///
    /// - Parameters:
    ///   - compression: How the archive is compressed.
    ///   - schema: What the archive says of its types.
    ///   - isDeterministic: Whether equal graphs give equal bytes.
    ///   - userInfo: What Codable types find in the `userInfo` of their encoder.
    ///   - threads: On how many threads a large archive is written.
    public init(
        compression: Compression = .none, schema: SchemaForm = .embedded, isDeterministic: Bool = false,
        userInfo: [CodingUserInfoKey: any Sendable] = [:], threads: Int = 1
    ) {
        self.threads = threads
        self.compression = compression
        self.schema = schema
        self.isDeterministic = isDeterministic
        self.userInfo = userInfo
    }
}

/// How an LZ4 frame is made.
public struct LZ4Options: Sendable, Equatable {
    /// The size of the blocks that are compressed one by one.
    public enum BlockSize: Sendable, Equatable {
        /// 64 KiB.
        case kilobytes64
        /// 256 KiB.
        case kilobytes256
        /// 1 MiB.
        case megabyte1
        /// 4 MiB: the smallest archives.
        case megabytes4
    }

    /// 0 is the fast default; 3 to 12 search longer for shorter output; below 0 is faster and larger.
    public var level: Int
    /// The size of blocks. Default: 4 MiB.
    public var blockSize: BlockSize

    /// Makes options.
    ///
    /// - Parameters:
    ///   - level: The compression level of liblz4.
    ///   - blockSize: The size of blocks.
    public init(level: Int = 0, blockSize: BlockSize = .megabytes4) {
        self.level = level
        self.blockSize = blockSize
    }
}

/// How archives are read.
public struct BinaryDecodingOptions: Sendable {
    /// What happens to models whose archived version is newer than the type.
    public enum NewerModels: Sendable, Equatable {
        /// They are an error, ``DecodingFailure/Code/newerModel``, that names both versions.
        case refuse
        /// They are read by the names of the properties that the type knows.
        case readKnownProperties
    }

    /// As what objects are read.
    public enum Objects: Sendable, Equatable {
        /// As instances of their classes; those of classes that this program doesn't have as ``DynamicObject``.
        case instances
        /// All of them as ``DynamicObject``: to look into an archive without the program that wrote it.
        case dynamic
    }

    /// What an archive may cost.
    public var limits: DecodingLimits
    /// What Codable types find in the `userInfo` of their decoder. Default: nothing.
    public var userInfo: [CodingUserInfoKey: any Sendable]
    /// What happens to models whose archived version is newer than the type. Default: they are refused.
    public var newerModels: NewerModels
    /// As what objects are read. Default: as instances of their classes.
    public var objects: Objects
    /// On how many threads a large archive is read, the caller's own included. Default: 1.
    ///
    /// No more are used than the machine has processors. With more than one, code of models that is called meanwhile
    /// (`didDecode()` of structs that refer to no object, transformers, `init(from:)`) is called from several threads at once.
    public var threads: Int
    /// Batches of fewer values stay on one thread.
    package var smallestSharedBatch = Crew.usualBatch
    /// Classes with an `init(coder:)` of their own, and their subclasses, whose objects archives may hold where no property
    /// names them. Default: none.
    ///
    /// Objects of Foundation's own classes, of classes that support `NSSecureCoding`, of classes that a model has a
    /// property of, and of registered classes are read without being named here.
    public var allowedClasses: [AnyClass]

    /// Makes options.
    ///
    /// - Parameters:
    ///   - limits: What an archive may cost.
    ///   - userInfo: What Codable types find in the `userInfo` of their decoder.
    ///   - newerModels: What happens to models whose archived version is newer than the type.
    ///   - objects: As what objects are read.
    ///   - allowedClasses: Classes with an `init(coder:)` of their own that archives may hold anywhere.
    ///   - threads: On how many threads a large archive is read.
    public init(
        limits: DecodingLimits = DecodingLimits(), userInfo: [CodingUserInfoKey: any Sendable] = [:],
        newerModels: NewerModels = .refuse, objects: Objects = .instances, allowedClasses: [AnyClass] = [],
        threads: Int = 1
    ) {
        self.threads = threads
        self.limits = limits
        self.userInfo = userInfo
        self.newerModels = newerModels
        self.objects = objects
        self.allowedClasses = allowedClasses
    }
}
