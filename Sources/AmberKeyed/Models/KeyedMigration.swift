// Room:   AmberKeyed / Models. Older archives of a model.
// Takes:  what an archive holds under its own keys, and the version it was written by. Gives: values of today's properties.
// Touches: the record of one object, reading.

public import AmberModel
import Foundation

/// A model that takes over archives of its older versions itself.
///
/// Renamed properties need none of this: ``ModelRules/reading(_:from:)`` names their older keys.
public protocol KeyedMigrating: ModelProtocol {
    /// Gives the value of a property from an older archive.
    ///
    /// - Parameters:
    ///   - property: The property's name in archives.
    ///   - values: What the archive holds for the object, under the keys of its time.
    ///   - version: The version of the model that wrote the archive; 0 if it says none.
    /// - Returns: A value of the property's type, or nil to read the property as usual.
    /// - Throws: Any error; decoding then fails.
    static func value(of property: String, from values: KeyedValues, version: Int) throws -> Any?

    /// Turns the dictionary of an archive of the oldest form into properties.
    ///
    /// Such archives hold, instead of properties, a dictionary shaped like the JSON of their day under
    /// `externalRepresentation`.
    ///
    /// - Parameters:
    ///   - representation: The dictionary.
    ///   - version: The version of the model that wrote the archive.
    /// - Returns: Values of the properties' types by the properties' names, or nil if nothing can be made of it:
    ///   decoding then fails.
    static func properties(fromExternalRepresentation representation: [String: Any], version: Int) -> [String: Any]?
}

extension KeyedMigrating {
    /// Reads every property as usual.
    ///
    /// - Parameters:
    ///   - property: The property's name in archives.
    ///   - values: What the archive holds for the object.
    ///   - version: The version of the model that wrote the archive.
    /// - Returns: Nil.
    /// - Throws: Nothing.
    public static func value(of property: String, from values: KeyedValues, version: Int) throws -> Any? { nil }

    /// Makes nothing of archives of the oldest form.
    ///
    /// - Parameters:
    ///   - representation: The dictionary.
    ///   - version: The version of the model that wrote the archive.
    /// - Returns: Nil.
    public static func properties(
        fromExternalRepresentation representation: [String: Any], version: Int
    ) -> [String: Any]? { nil }
}

/// What an archive holds for one object, under the keys of its time.
///
/// A ``ModelObject`` that Foundation's unarchiver reads is migrated in the same way. That unarchiver tells no keys, and
/// takes it for damage if a number is asked for as an object: ask for those by ``integer(forKey:)`` and ``real(forKey:)``.
public struct KeyedValues {
    private enum Source {
        case record(ModelReader, PlistDictionary)
        case coder(NSCoder, [AnyClass])
    }

    private let source: Source

    init(reader: ModelReader, record: PlistDictionary) {
        source = .record(reader, record)
    }

    init(coder: NSCoder, allowing classes: [AnyClass]) {
        source = .coder(coder, classes)
    }

    /// The keys of the object, in the order of the archive; none where the coder is not this library's.
    public var keys: [String] {
        guard case .record(_, let record) = source else { return [] }
        return record.entries.map { ModelReader.userKey($0.key) }.filter { $0 != ArchiveKey.classReference }
    }

    /// Whether the archive has a value under a key, nil included.
    ///
    /// - Parameter key: A key of the archive.
    /// - Returns: Whether there is one.
    public func contains(_ key: String) -> Bool {
        switch source {
        case .record(_, let record): record[ArchiveKey.stored(key)] != nil
        case .coder(let coder, _): coder.containsValue(forKey: key)
        }
    }

    /// The value under a key as Swift's own types: numbers, text, data, dates, arrays, dictionaries, or an allowed object.
    ///
    /// - Parameter key: A key of the archive.
    /// - Returns: The value; nil if there is none, or it is nil.
    /// - Throws: ``DecodingFailure`` if the archive is damaged or the object is not allowed.
    public func value(forKey key: String) throws(DecodingFailure) -> Any? {
        try reading { () throws(KeyedFailure) in try read(key) }
    }

    /// The whole number under a key, be it in the record itself or an object.
    ///
    /// - Parameter key: A key of the archive.
    /// - Returns: The number; nil if there is none, or it is nil.
    /// - Throws: ``DecodingFailure`` if something else is there, or the number is larger than 64 bits.
    public func integer(forKey key: String) throws(DecodingFailure) -> Int64? {
        if case .coder(let coder, _) = source {
            return coder.containsValue(forKey: key) ? coder.decodeInt64(forKey: key) : nil
        }
        return try number(forKey: key).flatMap { $0.integerValue }
    }

    /// The real under a key, be it in the record itself or an object.
    ///
    /// - Parameter key: A key of the archive.
    /// - Returns: The number; nil if there is none, or it is nil.
    /// - Throws: ``DecodingFailure`` if something else is there.
    public func real(forKey key: String) throws(DecodingFailure) -> Double? {
        if case .coder(let coder, _) = source {
            return coder.containsValue(forKey: key) ? coder.decodeDouble(forKey: key) : nil
        }
        return try number(forKey: key).flatMap { $0.doubleValue }
    }

    private func number(forKey key: String) throws(DecodingFailure) -> PlistValue? {
        try reading { () throws(KeyedFailure) -> PlistValue? in
            guard case .record(let reader, let record) = source, let stored = record[ArchiveKey.stored(key)],
                try !reader.isNil(stored)
            else { return nil }
            guard let value = try reader.inline(stored), value.doubleValue != nil else {
                throw reader.failure(.typeMismatch, "\(key) is no number.")
            }
            return value
        }
    }

    private func read(_ key: String) throws(KeyedFailure) -> Any? {
        switch source {
        case .record(let reader, let record):
            guard let stored = record[ArchiveKey.stored(key)], try !reader.isNil(stored) else { return nil }
            return try reader.dynamic(stored, depth: 0)
        case .coder(let coder, let classes):
            guard coder.containsValue(forKey: key) else { return nil }
            let object = coder.decodeObject(of: classes, forKey: key).map { $0 as AnyObject }
            if let error = coder.error {
                throw KeyedFailure(.codingFailed, "\(key) can't be decoded: \(error)", path: [key])
            }
            guard let object, !(object is NSNull) else { return nil }
            do { return try FoundationBridge.swiftValue(object, depth: 0) } catch {
                throw KeyedFailure(.typeMismatch, "\(error)", path: [key])
            }
        }
    }
}
