// Room:   AmberReadable / Text. Failures of other rooms as those of the faces.
// Takes:  schema failures, syntax errors. Gives: typed failures with their place in the text.
// Touches: nothing.

internal import AmberModel

extension EncodingFailure {
    init(_ failure: SchemaFailure) {
        self.init(failure.code == .invalidRules ? .invalidRules : .unsupportedType, failure.reason)
    }
}

extension DecodingFailure {
    /// A text is no JSON.
    init(_ error: SyntaxError, _ document: Document) {
        let code: Code = error.isLimit ? .limitExceeded : error.isTruncation ? .truncated : .corrupt
        self.init(code, offset: error.offset, position: document.position(of: error.offset), error.reason)
    }
}
