// Room:   AmberKeyed. What can go wrong within the module, either way.
// Takes:  a code, a path, an offset and words. Gives: the failure that the public face of its direction throws.
// Touches: nothing.

import AmberModel

/// Why a keyed archive could not be read or written, before it is known which way that was.
struct KeyedFailure: Error, Equatable {
    enum Code {
        /// The bytes are no property list, or a damaged one; or records contradict each other.
        case malformed
        /// The property list is sound, but it is no keyed archive of a version and archiver that is read here.
        case notAnArchive
        case limitExceeded
        /// Something that was asked for is not in the archive.
        case valueNotFound
        case typeMismatch
        case doesNotFit
        case unknownClass
        case unknownCase
        case newerModel
        /// The class is known, but not allowed, or it does not support secure coding.
        case classRefused
        /// An object refers to one whose initializer still runs.
        case cycle
        case unsupportedType
        /// An object's own coding method reported an error or gave nothing.
        case codingFailed
        /// A model's own validation found it wrong.
        case invalid
    }

    var code: Code
    /// The way from the top of the archive: keys, and indices as `[3]`.
    var codingPath: [String]
    var offset: Int?
    var message: String

    init(_ code: Code, _ message: String, path: [String] = [], offset: Int? = nil) {
        self.code = code
        self.codingPath = path
        self.offset = offset
        self.message = message
    }

    /// The failure with a step of its way, which comes behind so many others.
    func within(_ step: String, after count: Int) -> KeyedFailure {
        var failure = self
        failure.codingPath.insert(step, at: min(count, codingPath.count))
        return failure
    }

    static func == (left: KeyedFailure, right: KeyedFailure) -> Bool {
        left.code == right.code
    }

    private var path: CodingPath {
        CodingPath(
            codingPath.map { step in
                if step.hasPrefix("["), step.hasSuffix("]"), let index = Int(step.dropFirst().dropLast()) {
                    return .index(index)
                }
                // Keys of a user's may look like it: as text both are the same.
                if let mark = step.lastIndex(of: "#"), let number = Int(step[step.index(after: mark)...]) {
                    return .object(type: String(step[..<mark]), number: number)
                }
                return .property(step)
            })
    }

    /// The failure as the faces of reading throw it.
    var decoding: DecodingFailure {
        let code: DecodingFailure.Code =
            switch self.code {
            case .malformed: .corrupt
            case .notAnArchive: .notAnArchive
            case .limitExceeded: .limitExceeded
            case .valueNotFound: .missingValue
            case .typeMismatch: .typeMismatch
            case .doesNotFit: .doesNotFit
            case .unknownClass: .unknownType
            case .unknownCase: .unknownCase
            case .newerModel: .newerModel
            case .classRefused: .refusedType
            case .cycle: .unfinishedObject
            case .unsupportedType: .unsupportedType
            case .codingFailed: .rejectedByHook
            case .invalid: .invalid
            }
        return DecodingFailure(code, at: path, offset: offset, message)
    }

    /// The failure as the faces of writing throw it.
    var encoding: EncodingFailure {
        let code: EncodingFailure.Code =
            switch self.code {
            case .classRefused: .refusedType
            case .limitExceeded: .tooDeep
            case .codingFailed: .rejectedByHook
            default: .unsupportedType
            }
        return EncodingFailure(code, at: path, message)
    }
}

extension KeyedFailure {
    /// What the model layer threw while something was read; `nil` if it was no failure of its own.
    init?(_ error: any Error, path: [String]) {
        switch error {
        case let failure as DecodingFailure:
            let code: Code =
                switch failure.code {
                case .refusedType: .classRefused
                case .invalid: .invalid
                case .typeMismatch: .typeMismatch
                case .doesNotFit: .doesNotFit
                case .missingValue: .valueNotFound
                case .limitExceeded: .limitExceeded
                case .unsupportedType, .invalidRules: .unsupportedType
                case .newerModel: .newerModel
                case .unknownType: .unknownClass
                case .unknownCase: .unknownCase
                default: .codingFailed
                }
            self.init(code, failure.reason, path: path + failure.path.steps.map(Self.text))
        case let failure as EncodingFailure:
            let code: Code =
                switch failure.code {
                case .rejectedByHook, .codable: .codingFailed
                case .refusedType: .classRefused
                case .tooDeep: .limitExceeded
                default: .unsupportedType
                }
            self.init(code, failure.reason, path: path + failure.path.steps.map(Self.text))
        case let failure as SchemaFailure:
            self.init(.unsupportedType, failure.reason, path: path)
        default: return nil
        }
    }

    private static func text(_ step: CodingPath.Step) -> String {
        switch step {
        case .property(let name): name
        case .index(let index): "[\(index)]"
        case .object(let type, let number): "\(type)#\(number)"
        }
    }
}

/// Runs the inside of a reading face.
func reading<R>(_ body: () throws(KeyedFailure) -> R) throws(DecodingFailure) -> R {
    do throws(KeyedFailure) {
        return try body()
    } catch {
        throw error.decoding
    }
}

/// Runs the inside of a writing face.
func writing<R>(_ body: () throws(KeyedFailure) -> R) throws(EncodingFailure) -> R {
    do throws(KeyedFailure) {
        return try body()
    } catch {
        throw error.encoding
    }
}
