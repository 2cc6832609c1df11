// Room:   AmberModel / Memory. The model's own code, called on a value at an address.
// Takes:  a model type. Gives: its `init()`, its hooks, through one class that needs no generics to call.
// Touches: values of exactly that type.
//
// Invariants
// 1. Addresses given to `willEncode` and `didDecode` hold an initialised value of the access's type
//    (for a class: a variable that holds the reference).
// 2. `makeValue` is given uninitialised memory with room for the type.

/// The code of one model type.
package class ModelAccess: @unchecked Sendable {
    /// Hooks that turned out not to exist aren't called again. Written only from `true` to `false`: racing writers agree.
    private let flags = HookFlags()

    /// Makes a value (for a class: a reference to an instance) by the type's own `init()` in uninitialised memory;
    /// `false` when it has none.
    @unsafe
    package func makeValue(at address: UnsafeMutableRawPointer) -> Bool { false }

    fileprivate func callWillEncode(_ address: UnsafeRawPointer) throws {}
    fileprivate func callDidDecode(_ address: UnsafeMutableRawPointer) throws {}
    fileprivate func callValidate(_ address: UnsafeRawPointer) throws {}

    /// Whether the type may have a `willEncode()` of its own.
    package var hasWillEncode: Bool { flags.willEncode }
    /// Whether the type may have a `didDecode()` of its own.
    package var hasDidDecode: Bool { flags.didDecode }
    /// Whether the type checks its values.
    package fileprivate(set) var isValidated = false
    /// Whether code of the type is called on a value that is decoded.
    package var isToldOfDecoding: Bool { flags.didDecode || isValidated }

    /// Calls `willEncode()` on the value at `address`.
    @unsafe
    package func willEncode(at address: UnsafeRawPointer) throws {
        do { unsafe try callWillEncode(address) } catch is HookNotImplemented { flags.clearWillEncode() }
    }

    /// Calls `didDecode()` on the value at `address`.
    @unsafe
    package func didDecode(at address: UnsafeMutableRawPointer) throws {
        do { unsafe try callDidDecode(address) } catch is HookNotImplemented { flags.clearDidDecode() }
    }

    /// Calls `validate()` on the value at `address`.
    @unsafe
    package func validate(at address: UnsafeRawPointer) throws {
        guard isValidated else { return }
        do { unsafe try callValidate(address) } catch { throw ValidationError(error: error) }
    }

    /// Calls `didDecode()`, then `validate()`, on the value at `address`.
    @unsafe
    package func tellOfDecoding(at address: UnsafeMutableRawPointer) throws {
        if hasDidDecode { try unsafe didDecode(at: address) }
        try unsafe validate(at: address)
    }
}

/// What a model's `validate()` threw.
package struct ValidationError: Error {
    package let error: any Error
}

extension DecodingFailure {
    /// What a model's `didDecode()` or `validate()` threw.
    package init(hook error: any Error, of name: String, at path: CodingPath = CodingPath()) {
        if let validation = error as? ValidationError {
            self.init(.invalid, at: path, "`validate()` of \(name) threw: \(validation.error)")
        } else {
            self.init(.rejectedByHook, at: path, "`didDecode()` of \(name) threw: \(error)")
        }
    }
}

/// The code of a class that is no model: none.
final class PlainAccess: ModelAccess, @unchecked Sendable {
    override fileprivate func callWillEncode(_ address: UnsafeRawPointer) throws { throw HookNotImplemented() }
    override fileprivate func callDidDecode(_ address: UnsafeMutableRawPointer) throws { throw HookNotImplemented() }
}

/// The code of the model type `M`.
class TypedModelAccess<M: ModelProtocol>: ModelAccess, @unchecked Sendable {
    override fileprivate func callWillEncode(_ address: UnsafeRawPointer) throws {
        // A copy: the hook may replace the value where it lies.
        let value = unsafe address.assumingMemoryBound(to: M.self).pointee
        try value.willEncode()
    }

    override fileprivate func callDidDecode(_ address: UnsafeMutableRawPointer) throws {
        try unsafe address.assumingMemoryBound(to: M.self).pointee.didDecode()
    }

    override fileprivate func callValidate(_ address: UnsafeRawPointer) throws {
        let value = unsafe address.assumingMemoryBound(to: M.self).pointee
        if let validated = value as? any ValidatedModel { try validated.validate() }
    }
}

/// The code of a model type that may have an `init()`.
final class InitializableModelAccess<M: Model>: TypedModelAccess<M>, @unchecked Sendable {
    override func makeValue(at address: UnsafeMutableRawPointer) -> Bool {
        do throws(NoDefaultInitializer) {
            unsafe address.initializeMemory(as: M.self, to: try M())
            return true
        } catch {
            return false
        }
    }
}

func makeModelAccess(_ type: any ModelProtocol.Type) -> ModelAccess {
    func open<M: ModelProtocol>(_ type: M.Type) -> ModelAccess { TypedModelAccess<M>() }
    func openModel<M: Model>(_ type: M.Type) -> ModelAccess { InitializableModelAccess<M>() }
    let access = (type as? any Model.Type).map { openModel($0) } ?? open(type)
    access.isValidated = type is any ValidatedModel.Type
    return access
}

extension ModelAccess {
    /// Calls `willEncode()` on the object at an address.
    @unsafe
    package func willEncode(object: ObjectAddress) throws {
        try unsafe withUnsafePointer(to: object) { try unsafe willEncode(at: UnsafeRawPointer($0)) }
    }

    /// Calls `didDecode()` on the object at an address.
    @unsafe
    package func didDecode(object: ObjectAddress) throws {
        var reference = unsafe object
        try unsafe withUnsafeMutablePointer(to: &reference) { try unsafe didDecode(at: UnsafeMutableRawPointer($0)) }
    }

    /// Calls `validate()` on the object at an address.
    @unsafe
    package func validate(object: ObjectAddress) throws {
        try unsafe withUnsafePointer(to: object) { try unsafe validate(at: UnsafeRawPointer($0)) }
    }
}
