// Room:   AmberKeyed. The face of reading.
// Takes:  an archive and what is expected of it. Gives: the value, or why not.
// Touches: an UnarchivingCoder, one a call.

public import AmberModel
public import Foundation

/// Reads keyed archives made by this library, by Foundation, or by an Apple system, binary or XML.
///
/// ```swift
/// let names = try KeyedDecoder().decode(NSArray.self, from: data)
/// ```
///
/// Only classes that the caller names, and kinds of them, are made. To see what is in an archive without any of its
/// classes, use ``inspect(_:)``.
public struct KeyedDecoder: Sendable {
    /// What happens to models whose archived version is newer than the type's.
    public enum NewerModels: Sendable, Equatable {
        /// They are an error, ``DecodingFailure/Code/newerModel``, that names both versions.
        case refuse
        /// They are read by the names of the properties that the type knows.
        case readKnownProperties
    }

    /// The values of `$archiver` that are accepted: Foundation's own and those of Apple's frameworks.
    public static let standardArchivers: Set<String> = ["NSKeyedArchiver", "SCNKeyedArchiver", "NRKeyedArchiver"]

    /// Whether only allowed classes that support secure coding are made.
    public var requiresSecureCoding = true
    /// Names of classes that differ from the classes' own.
    public var classMap = KeyedClassMap()
    /// What becomes of objects whose class this program lacks.
    public var unknownClasses = UnarchivingCoder.UnknownClasses.refused
    /// Whether the nearest superclass that this program has may stand in for a class that it lacks.
    public var usesSuperclassesOfUnknown = true
    /// The values of `$archiver` that are accepted.
    public var archivers = KeyedDecoder.standardArchivers
    /// What happens to models whose archived version is newer than the type's.
    public var newerModels = NewerModels.refuse
    /// How much reading may cost.
    public var limits = DecodingLimits()

    /// Makes a decoder with secure defaults.
    public init() {}

    /// Reads the root object of an archive.
    ///
    /// - Parameters:
    ///   - type: The class of the root, or a class or Swift type that it bridges to.
    ///   - data: The archive.
    ///   - classes: Further classes that the archive may hold.
    ///   - key: The key at the top of the archive.
    /// - Returns: The root.
    /// - Throws: ``DecodingFailure``: `.missingValue` if the root is missing or nil, `.typeMismatch` if it is of another type.
    public func decode<Root>(
        _ type: Root.Type, from data: Data, allowing classes: [AnyClass] = [], key: String = "root"
    ) throws(DecodingFailure) -> Root {
        try reading { () throws(KeyedFailure) in try root(type, from: data, allowing: classes, key: key) }
    }

    /// Reads the root object of an archive.
    ///
    /// - Parameters:
    ///   - classes: The classes that the archive may hold, the root's among them.
    ///   - data: The archive.
    ///   - key: The key at the top of the archive.
    /// - Returns: The root; nil if the archive says nil.
    /// - Throws: ``DecodingFailure``: `.missingValue` if there is no such key.
    public func decodeObject(
        ofClasses classes: [AnyClass], from data: Data, key: String = "root"
    ) throws(DecodingFailure) -> Any? {
        try reading { () throws(KeyedFailure) in
            try root(ofClasses: classes, from: data, key: key, isBridged: false)
        }
    }

    private func root<Root>(
        _ type: Root.Type, from data: Data, allowing classes: [AnyClass], key: String
    ) throws(KeyedFailure) -> Root {
        if let plan = try Self.modelPlan(for: type) {
            return try model(type, plan, from: data, allowing: classes, key: key)
        }
        let expected: [AnyClass] = Self.bridged(type)
        let object = try root(ofClasses: expected + classes, from: data, key: key, isBridged: !(type is AnyClass))
        guard let object else {
            throw KeyedFailure(.valueNotFound, "The object is nil.", path: [key])
        }
        guard let root = object as? Root else {
            throw KeyedFailure(.typeMismatch, "Expected \(type), found \(Swift.type(of: object)).", path: [key])
        }
        return root
    }

    private func root(
        ofClasses classes: [AnyClass], from data: Data, key: String, isBridged: Bool
    ) throws(KeyedFailure) -> Any? {
        let coder = try open(data)
        guard let value = coder.document.top[key] ?? coder.document.top[ArchiveKey.stored(key)] else {
            throw KeyedFailure(
                .valueNotFound,
                "The archive has no \"\(key)\" at its top, but \(coder.topLevelKeys). Say which one: `key`.",
                path: [key])
        }
        coder.frames[0].currentKey = key
        let object = try coder.allowing(classes) { () throws(KeyedFailure) -> AnyObject? in
            guard !isBridged, case .reference(let number) = value else { return try coder.object(for: value) }
            return try coder.object(number)
        }
        if let failure = coder.failure { throw failure }
        return object
    }

    /// The plan of a type whose values are read by it: models, and Swift's own types that may hold some.
    private static func modelPlan(for type: Any.Type) throws(KeyedFailure) -> ValuePlan? {
        if let type = type as? AnyClass, !FoundationClasses.isCodedBySchema(type) { return nil }
        do throws(SchemaFailure) {
            return try PlanCache.shared.plan(for: type)
        } catch {
            if type is any ModelProtocol.Type { throw KeyedFailure(.unsupportedType, error.reason) }
            return nil
        }
    }

    private func model<Root>(
        _ type: Root.Type, _ plan: ValuePlan, from data: Data, allowing classes: [AnyClass], key: String
    ) throws(KeyedFailure) -> Root {
        let coder = try open(data)
        guard let value = coder.document.top[ArchiveKey.stored(key)] else {
            throw KeyedFailure(
                .valueNotFound,
                "The archive has no \"\(key)\" at its top, but \(coder.topLevelKeys). Say which one: `key`.",
                path: [key])
        }
        coder.frames[0].currentKey = key
        // Their rules give models the names that archives have for them.
        for type in classes where type is any ModelProtocol.Type { _ = try? PlanCache.shared.plan(for: type) }
        let root = try coder.allowing(classes) { () throws(KeyedFailure) in try ModelReader(coder).root(value, plan) }
        if let failure = coder.failure { throw failure }
        guard let root = root as? Root else {
            throw KeyedFailure(.typeMismatch, "Expected \(type), found \(Swift.type(of: root)).", path: [key])
        }
        return root
    }

    /// Reads an archive for inspection: values as values, every other object as an ``ArchivedObject``.
    ///
    /// No class of the program is looked up or made, so that any archive can be looked at safely.
    ///
    /// - Parameter data: The archive.
    /// - Returns: The values at the top of the archive, by their keys as they are stored.
    /// - Throws: ``DecodingFailure`` if the archive is damaged.
    public func inspect(_ data: Data) throws(DecodingFailure) -> [(key: String, value: ArchivedObject.Value)] {
        try reading { () throws(KeyedFailure) in try values(in: data) }
    }

    private func values(in data: Data) throws(KeyedFailure) -> [(key: String, value: ArchivedObject.Value)] {
        let document = try ArchiveDocument(try Plist.read(data, limits: limits), archivers: archivers)
        let coder = UnarchivingCoder(document, requiringSecureCoding: false, limits: limits)
        coder.resolver.onlyValues = true
        coder.unknownClasses = .kept
        var result: [(key: String, value: ArchivedObject.Value)] = []
        for entry in document.top.entries {
            coder.frames[0].currentKey = entry.key
            result.append((entry.key, try coder.inspected(entry.value)))
        }
        return result
    }

    /// Returns the root of an archive without any of the classes that it names.
    ///
    /// Every object becomes a ``DynamicObject`` with the keys of its record, whether the program has its class or not;
    /// Foundation's collections and values become what they are in Swift, where nothing is lost by it. The value can be looked
    /// at and changed, and any coder writes it: that is how archives are converted to documents and back.
    ///
    /// ```swift
    /// let graph = try KeyedDecoder().decodeDynamic(from: archive)
    /// let document = try ReadableEncoder().encodeDynamic(graph)
    /// ```
    ///
    /// No class of the program is looked up or made, so that any archive can be read safely.
    ///
    /// - Parameters:
    ///   - data: The archive.
    ///   - key: The key at the top of the archive.
    /// - Returns: The root; objects are shared, and refer to each other, as in the archive.
    /// - Throws: ``DecodingFailure`` if the archive is damaged, or has no such key.
    /// - Complexity: O(*n*) in the size of the archive.
    public func decodeDynamic(from data: Data, key: String = "root") throws(DecodingFailure) -> DynamicValue {
        try reading { () throws(KeyedFailure) in
            let document = try ArchiveDocument(try Plist.read(data, limits: limits), archivers: archivers)
            guard let value = document.top[key] ?? document.top[ArchiveKey.stored(key)] else {
                let names = document.top.entries.map(\.key)
                throw KeyedFailure(
                    .valueNotFound, "The archive has no \"\(key)\" at its top, but \(names). Say which one: `key`.",
                    path: [key])
            }
            return try DynamicReader(document, limits: limits).root(value, key: key)
        }
    }

    /// Opens an archive for reading by hand, with the decoder's settings.
    ///
    /// - Parameter data: The archive.
    /// - Returns: A coder at the top of the archive.
    /// - Throws: ``DecodingFailure`` if the data is no archive.
    public func coder(reading data: Data) throws(DecodingFailure) -> UnarchivingCoder {
        try AmberKeyed.reading { () throws(KeyedFailure) in try open(data) }
    }

    private func open(_ data: Data) throws(KeyedFailure) -> UnarchivingCoder {
        let document = try ArchiveDocument(try Plist.read(data, limits: limits), archivers: archivers)
        let coder = UnarchivingCoder(document, requiringSecureCoding: requiresSecureCoding, limits: limits)
        coder.classMap = classMap
        coder.unknownClasses = unknownClasses
        coder.usesSuperclassesOfUnknown = usesSuperclassesOfUnknown
        coder.readsNewer = newerModels == .readKnownProperties
        return coder
    }

    /// The Foundation classes that values of a Swift type are archived as.
    static func bridged(_ type: Any.Type) -> [AnyClass] {
        if let type = type as? AnyClass { return [type] }
        return switch type {
        case is String.Type: [NSString.self]
        case is Data.Type: [NSData.self]
        case is Date.Type: [NSDate.self]
        case is URL.Type: [NSURL.self]
        case is UUID.Type: [NSUUID.self]
        case is Decimal.Type: [NSDecimalNumber.self, NSNumber.self]
        case is IndexSet.Type: [NSIndexSet.self]
        case is IndexPath.Type: [NSIndexPath.self]
        case is any BinaryInteger.Type, is Bool.Type, is Double.Type, is Float.Type, is CGFloat.Type:
            [NSNumber.self]
        default: ClassGate.propertyList + [NSSet.self, NSOrderedSet.self, NSNull.self, NSURL.self, NSUUID.self]
        }
    }
}

extension UnarchivingCoder {
    fileprivate func inspected(_ value: PlistValue) throws(KeyedFailure) -> ArchivedObject.Value {
        switch value {
        case .reference(let number): return .object(try object(number).flatMap { $0 as? NSObject })
        case .bool(let value): return .bool(value)
        case .integer(let value): return .integer(value)
        case .unsigned(let value): return .unsigned(value)
        case .float(let value): return .float(value)
        case .double(let value): return .double(value)
        case .data(let value): return .data(value)
        case .string(let value): return .string(value)
        case .date(let value): return .date(Date(timeIntervalSinceReferenceDate: value))
        case .array(let values):
            var list: [ArchivedObject.Value] = []
            for value in values { list.append(try inspected(value)) }
            return .list(list)
        case .dictionary:
            throw failure(.malformed, "A dictionary stands where a reference is expected.")
        }
    }
}
