// Room:   AmberModel. The one error of decoding.
// Takes:  a code, a path, an offset, words. Gives: one line that says what, where, why and what to do.
// Touches: nothing.

/// Why an archive could not be decoded: what happened, where in the graph, at which byte, and what to do about it.
///
/// Two failures are equal when their codes are.
public struct DecodingFailure: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kinds of failures.
    public enum Code: Sendable, Equatable {
        /// The bytes are not an archive of this format.
        case notAnArchive
        /// The file can't be opened or read.
        case unreadableFile
        /// The archive's version of the format is newer than this reader, or the archive can't be read in this way.
        case unsupportedVersion
        /// The archive ends before its contents do, or goes on after them.
        case truncated
        /// The bytes contradict the format.
        case corrupt
        /// A limit of ``DecodingLimits`` was reached.
        case limitExceeded
        /// The archive holds a value of another type than the one asked for.
        case typeMismatch
        /// A number does not fit in the property's type.
        case doesNotFit
        /// A property has no value in the archive and no default.
        case missingValue
        /// A class or type that the archive names is not in this program.
        case unknownType
        /// A class that the archive names is known, but not among those that the caller allows.
        case refusedType
        /// An object refers to one that is still being made by its own initializer, so that there is nothing to refer to.
        case unfinishedObject
        /// An enum case that the archive names is not in this program.
        case unknownCase
        /// The archive's version of a model is newer than the type.
        case newerModel
        /// The type asked for, or the type of a property, can't be archived.
        case unsupportedType
        /// A type's rules contradict its properties.
        case invalidRules
        /// A value was refused by its own type: by ``ModelProtocol/didDecode()`` or `init(from:)`.
        case rejectedByHook
        /// A model's own ``ValidatedModel/validate()`` found it wrong.
        case invalid
    }

    /// A place in a text.
    public struct TextPosition: Sendable, Equatable {
        /// The line, from 1.
        public var line: Int
        /// The column in characters, from 1.
        public var column: Int

        /// Makes a place.
        ///
        /// - Parameters:
        ///   - line: The line, from 1.
        ///   - column: The column in characters, from 1.
        public init(line: Int, column: Int) {
            self.line = line
            self.column = column
        }
    }

    private final class Backing: Sendable {
        let code: Code
        let path: CodingPath
        let offset: Int?
        let position: TextPosition?
        let reason: String

        init(code: Code, path: CodingPath, offset: Int?, position: TextPosition?, reason: String) {
            self.code = code
            self.path = path
            self.offset = offset
            self.position = position
            self.reason = reason
        }
    }

    private let backing: Backing

    /// Makes a failure.
    ///
    /// - Parameters:
    ///   - code: Its kind.
    ///   - path: Where in the graph it happened.
    ///   - offset: The byte of the archive at which it was noticed, where there is one.
    ///   - position: The line and column at which it was noticed, where the archive is a text.
    ///   - reason: What happened and what to do, as a sentence.
    @inline(never)
    public init(
        _ code: Code, at path: CodingPath = CodingPath(), offset: Int? = nil, position: TextPosition? = nil,
        _ reason: String
    ) {
        backing = Backing(code: code, path: path, offset: offset, position: position, reason: reason)
    }

    /// The kind of failure.
    public var code: Code { backing.code }
    /// Where in the graph it happened; empty when it concerns the archive or the root.
    public var path: CodingPath { backing.path }
    /// The byte of the archive at which it was noticed, where there is one.
    public var offset: Int? { backing.offset }
    /// The line and column at which it was noticed, where the archive is a text.
    public var position: TextPosition? { backing.position }
    /// What happened and what to do.
    public var reason: String { backing.reason }

    /// One line: the path, the place and the reason.
    public var description: String {
        let spot = position.map { "line \($0.line), column \($0.column)" } ?? offset.map { "byte \($0)" }
        let place = spot.map { path.steps.isEmpty ? $0 : "\(path) at \($0)" } ?? path.description
        return place.isEmpty ? reason : "\(place): \(reason)"
    }

    /// The same failure seen from one step further out.
    package func within(_ step: CodingPath.Step) -> DecodingFailure {
        DecodingFailure(code, at: CodingPath([step] + path.steps), offset: offset, position: position, reason)
    }

    /// Whether two failures are of one kind.
    ///
    /// - Returns: Whether the codes are equal; paths, offsets and words are not compared.
    public static func == (left: DecodingFailure, right: DecodingFailure) -> Bool {
        left.code == right.code
    }
}
