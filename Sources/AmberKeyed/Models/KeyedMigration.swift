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
public struct KeyedValues {
    let reader: ModelReader
    let record: PlistDictionary

    /// The keys of the object, in the order of the archive.
    public var keys: [String] {
        record.entries.map { ModelReader.userKey($0.key) }.filter { $0 != ArchiveKey.classReference }
    }

    /// The value under a key as Swift's own types: numbers, text, data, dates, arrays, dictionaries, or an allowed object.
    ///
    /// - Parameter key: A key of the archive.
    /// - Returns: The value; nil if there is none, or it is nil.
    /// - Throws: ``DecodingFailure`` if the archive is damaged or the object is not allowed.
    public func value(forKey key: String) throws(DecodingFailure) -> Any? {
        try reading { () throws(KeyedFailure) in try read(key) }
    }

    private func read(_ key: String) throws(KeyedFailure) -> Any? {
        guard let stored = record[ArchiveKey.stored(key)], try !reader.isNil(stored) else { return nil }
        return try reader.dynamic(stored, depth: 0)
    }
}
