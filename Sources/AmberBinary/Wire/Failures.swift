// Room:   AmberBinary / Wire. Faults of bytes and of schemas, in the words of the public errors.
// Takes:  a ByteError or SchemaFailure. Gives: an EncodingFailure or DecodingFailure.
// Touches: nothing.

internal import AmberBytes
internal import AmberModel

extension DecodingFailure {
    init(_ error: ByteError) {
        switch error.kind {
        case .truncated(let needed):
            self.init(
                .truncated, offset: error.offset,
                "The archive ends here; \(needed) more \(needed == 1 ? "byte was" : "bytes were") expected.")
        case .malformedVarint:
            self.init(.corrupt, offset: error.offset, "A number is not in its shortest form, or longer than 64 bits.")
        case .invalidUTF8:
            self.init(.corrupt, offset: error.offset, "A string is not well-formed UTF-8.")
        case .overBudget(let requested):
            self.init(
                .limitExceeded, offset: error.offset,
                "The archive asks for \(requested) bytes of memory, more than its size allows. "
                    + "If it is to be trusted, raise `DecodingLimits.expansion` or `baseMemory`.")
        case .unknownCode(let code):
            self.init(.corrupt, offset: error.offset, "The code \(code) has no meaning here.")
        case .inconsistent:
            self.init(.corrupt, offset: error.offset, "A count or number contradicts what was read before.")
        }
    }

    init(_ failure: SchemaFailure) {
        self.init(failure.code == .invalidRules ? .invalidRules : .unsupportedType, failure.reason)
    }
}

/// Runs `body`; a fault of the bytes becomes the public error.
@inline(__always)
func lifting<R>(_ body: () throws(ByteError) -> R) throws(DecodingFailure) -> R {
    do throws(ByteError) { return try body() } catch { throw DecodingFailure(error) }
}

extension DecodingFailure {
    /// Several types of this program go by a name that an archive has.
    init(ambiguous name: String) {
        self.init(
            .unknownType,
            "Several types of this program are called \(name), in different files or functions. Rename one of them, or give "
                + "classes names by their rules.")
    }
}

extension EncodingFailure {
    /// Several types in an archive go by one name.
    init(ambiguous name: String) {
        self.init(
            .unsupportedType,
            "Two types called \(name), in different files or functions, can't be told apart in an archive. Rename one of "
                + "them, or give classes names by their rules.")
    }
}
