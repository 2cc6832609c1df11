// Room:   AmberModel. The one error of encoding.
// Takes:  a code, a path, words. Gives: one line that says what, where, why and what to do.
// Touches: nothing.

/// Why a value could not be encoded: what happened, where, and what to do about it.
///
/// Two failures are equal when their codes are.
public struct EncodingFailure: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kinds of failures.
    public enum Code: Sendable, Equatable {
        /// A type, or the type of a property, can't be archived.
        case unsupportedType
        /// A class may not be archived here: secure coding is required, and it does not support it.
        case refusedType
        /// A type's rules contradict its properties.
        case invalidRules
        /// Values are nested deeper than ``DecodingLimits/depth`` lets them be read back.
        case tooDeep
        /// A Codable value's `encode(to:)` threw an error or broke the protocol.
        case codable
        /// A model's ``ModelProtocol/willEncode()`` threw an error.
        case rejectedByHook
        /// An unowned property refers to an object that nothing else in the archive holds.
        case unheldReference
        /// A graph that must be a tree, because references can't be written, refers back to itself.
        case cycle
        /// A number, such as NaN, has no form in the document.
        case notRepresentable
        /// The graph was changed while it was encoded.
        case changedMeanwhile
        /// The compression library failed.
        case compression
    }

    private final class Backing: Sendable {
        let code: Code
        let path: CodingPath
        let reason: String

        init(code: Code, path: CodingPath, reason: String) {
            self.code = code
            self.path = path
            self.reason = reason
        }
    }

    private let backing: Backing

    /// Makes a failure.
    ///
    /// - Parameters:
    ///   - code: Its kind.
    ///   - path: Where in the graph it happened.
    ///   - reason: What happened and what to do, as a sentence.
    @inline(never)
    public init(_ code: Code, at path: CodingPath = CodingPath(), _ reason: String) {
        backing = Backing(code: code, path: path, reason: reason)
    }

    /// The kind of failure.
    public var code: Code { backing.code }
    /// Where in the graph it happened; empty when it concerns a type or the root.
    public var path: CodingPath { backing.path }
    /// What happened and what to do.
    public var reason: String { backing.reason }

    /// One line: the path and the reason.
    public var description: String {
        path.steps.isEmpty ? reason : "\(path): \(reason)"
    }

    /// The same failure seen from one step further out.
    package func within(_ step: CodingPath.Step) -> EncodingFailure {
        EncodingFailure(code, at: CodingPath([step] + path.steps), reason)
    }

    /// Whether two failures are of one kind.
    ///
    /// - Returns: Whether the codes are equal; paths and words are not compared.
    public static func == (left: EncodingFailure, right: EncodingFailure) -> Bool {
        left.code == right.code
    }
}

extension EncodingFailure {
    package init(_ failure: SchemaFailure) {
        self.init(failure.code == .invalidRules ? .invalidRules : .unsupportedType, failure.reason)
    }
}
