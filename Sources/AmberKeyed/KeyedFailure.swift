// Room:   AmberKeyed. What can go wrong with a keyed archive, either way.
// Takes:  a code, a path, an offset and words. Gives: one line a person can act on.
// Touches: nothing.

/// Why a keyed archive could not be read or written.
///
/// ```text
/// root.friends[3].age: the class Pet is not among the allowed classes [Person]. Allow it, or map its name.
/// ```
public struct KeyedFailure: Error, Sendable {
    /// The kinds of failures.
    public enum Code: String, Sendable, Equatable {
        /// The bytes are no property list, or a damaged one.
        case malformed
        /// The property list is sound, but it is no keyed archive of a version and archiver that is read here.
        case notAnArchive
        /// The input asks for more memory, depth or time than the limits allow.
        case limitExceeded
        /// A key that was asked for is not in the archive.
        case valueNotFound
        /// The value is there but of another kind than was asked for.
        case typeMismatch
        /// The archive names a class that this program does not have.
        case unknownClass
        /// The class is known, but not among the allowed ones, or it does not support secure coding.
        case classRefused
        /// An object refers to one whose initializer still runs, so that there is nothing to refer to yet.
        case cycle
        /// A value can't be archived: it is no NSCoding object and no model.
        case unsupportedType
        /// An object's own coding method reported an error or gave nothing.
        case codingFailed
    }

    /// The kind of failure.
    public var code: Code
    /// The way from the top of the archive to the value, as keys and indices.
    public var codingPath: [String]
    /// The byte offset in the input, where there is one.
    public var offset: Int?
    /// What was wrong and what to do about it.
    public var message: String

    init(_ code: Code, _ message: String, path: [String] = [], offset: Int? = nil) {
        self.code = code
        self.codingPath = path
        self.offset = offset
        self.message = message
    }
}

extension KeyedFailure: Equatable {
    /// Failures are equal when their codes are: wording and place are for people.
    ///
    /// - Parameters:
    ///   - left: A failure.
    ///   - right: Another failure.
    /// - Returns: Whether both have the same code.
    public static func == (left: KeyedFailure, right: KeyedFailure) -> Bool {
        left.code == right.code
    }
}

extension KeyedFailure: CustomStringConvertible {
    /// Where, what and what to do, in one line.
    public var description: String {
        var place = ""
        for step in codingPath {
            if step.hasPrefix("[") || place.isEmpty { place += step } else { place += "." + step }
        }
        if let offset { place += place.isEmpty ? "byte \(offset)" : " at byte \(offset)" }
        return place.isEmpty ? message : "\(place): \(message)"
    }
}
