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

    /// An instance made by the type's own `init()`, or `nil` when it has none.
    package func makeObject() -> AnyObject? { nil }

    /// Makes a value by the type's own `init()` in uninitialised memory.
    @unsafe
    package func makeValue(at address: UnsafeMutableRawPointer) -> Bool { false }

    fileprivate func callWillEncode(_ address: UnsafeRawPointer) throws {}
    fileprivate func callDidDecode(_ address: UnsafeMutableRawPointer) throws {}

    /// Whether the type may have a `willEncode()` of its own.
    package var hasWillEncode: Bool { flags.willEncode }
    /// Whether the type may have a `didDecode()` of its own.
    package var hasDidDecode: Bool { flags.didDecode }

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
}

/// The code of the model type `M`.
final class TypedModelAccess<M: ModelProtocol>: ModelAccess, @unchecked Sendable {
    override func makeObject() -> AnyObject? {
        guard let model = M.self as? any Model.Type, let made = makeModel(model) else { return nil }
        return made as AnyObject
    }

    override func makeValue(at address: UnsafeMutableRawPointer) -> Bool {
        guard let model = M.self as? any Model.Type, let made = makeModel(model) as? M else { return false }
        unsafe address.initializeMemory(as: M.self, to: made)
        return true
    }

    override fileprivate func callWillEncode(_ address: UnsafeRawPointer) throws {
        try unsafe address.assumingMemoryBound(to: M.self).pointee.willEncode()
    }

    override fileprivate func callDidDecode(_ address: UnsafeMutableRawPointer) throws {
        try unsafe address.assumingMemoryBound(to: M.self).pointee.didDecode()
    }
}

func makeModelAccess<M: ModelProtocol>(_ type: M.Type) -> ModelAccess {
    TypedModelAccess<M>()
}

private func makeModel<M: Model>(_ type: M.Type) -> Any? {
    try? M.init()
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
}
