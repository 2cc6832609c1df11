// Room:   AmberKeyed / Archive. The container: $version, $archiver, $top, $objects.
// Takes:  a property list. Gives: the object table and the top-level entries, or why it is no archive; and back.
// Touches: nothing. Never: a class.

import Foundation

/// A keyed archive as it lies in its property list: objects by number, and the top-level entries.
struct ArchiveDocument {
    static let version: Int64 = 100_000
    static let nullText = "$null"

    var archiver = "NSKeyedArchiver"
    var top = PlistDictionary()
    /// The objects by number. Number 0 stands for nil.
    var objects: [PlistValue] = [.string(nullText)]

    init() {}

    /// Takes an archive apart; `archivers` are the names in `$archiver` that are accepted.
    init(_ plist: PlistValue, archivers: Set<String>) throws(KeyedFailure) {
        guard case .dictionary(let root) = plist else {
            throw KeyedFailure(.notAnArchive, "The property list is \(plist.kindName), not a keyed archive.")
        }
        guard case .integer(let version)? = root["$version"] else {
            throw KeyedFailure(.notAnArchive, "The property list has no $version: it is no keyed archive.")
        }
        guard version == Self.version else {
            throw KeyedFailure(.notAnArchive, "Version \(version) of keyed archives is not known.")
        }
        guard case .string(let archiver)? = root["$archiver"] else {
            throw KeyedFailure(.notAnArchive, "The archive does not name its $archiver.")
        }
        guard archivers.contains(archiver) else {
            throw KeyedFailure(
                .notAnArchive, "\"\(archiver.prefix(80))\" is not among the accepted archivers. Add it to them.")
        }
        guard case .dictionary(let top)? = root["$top"] else {
            throw KeyedFailure(.notAnArchive, "The archive has no dictionary $top.")
        }
        guard case .array(let objects)? = root["$objects"] else {
            throw KeyedFailure(.notAnArchive, "The archive has no array $objects.")
        }
        self.archiver = archiver
        self.top = top
        self.objects = objects
    }

    /// The archive as a property list.
    var plist: PlistValue {
        .dictionary([
            "$version": .integer(Self.version), "$archiver": .string(archiver), "$top": .dictionary(top),
            "$objects": .array(objects),
        ])
    }
}

extension PlistValue {
    static func dictionary(_ pairs: KeyValuePairs<String, PlistValue>) -> PlistValue {
        .dictionary(PlistDictionary(pairs))
    }
}

/// The keys of records.
enum ArchiveKey {
    static let classReference = "$class"

    /// The stored form of a user's key: one that begins with "$" gets one more.
    @inline(__always)
    static func stored(_ key: String) -> String {
        key.utf8.first == UInt8(ascii: "$") ? "$" + key : key
    }

    /// The stored form of the `index`th value without a key.
    static func unkeyed(_ index: Int) -> String {
        "$\(index)"
    }
}
