// Room:   AmberModel / Memory. Values at an address as `Any`, and back; bridges between two types.
// Takes:  addresses of values of a type. Gives: the value boxed in an Any; a value stored from an Any that fits.
// Touches: values of exactly the access's types.
//
// Invariants
// 1. `load` and `makeSurrogate` are given initialised values, `store` and `makeValue` uninitialised memory, each of
//    the access's own type. What returns `false` or throws has initialised nothing.

/// Boxes and unboxes values of one type.
package class ErasedAccess: @unchecked Sendable {
    /// A copy of the value at `address`.
    @unsafe package func load(from address: UnsafeRawPointer) -> Any { () }

    /// Initialises the value at `address` with `value`; `false` if it is not of the type.
    @unsafe package func store(_ value: Any, at address: UnsafeMutableRawPointer) -> Bool { false }
}

final class TypedErasedAccess<T>: ErasedAccess, @unchecked Sendable {
    override func load(from address: UnsafeRawPointer) -> Any {
        unsafe address.assumingMemoryBound(to: T.self).pointee as Any
    }

    override func store(_ value: Any, at address: UnsafeMutableRawPointer) -> Bool {
        guard let value = value as? T else { return false }
        unsafe address.initializeMemory(as: T.self, to: value)
        return true
    }
}

/// AnyHashable is a box round a value of another type, which is what archives hold.
final class HashableErasedAccess: ErasedAccess, @unchecked Sendable {
    override func load(from address: UnsafeRawPointer) -> Any {
        unsafe address.assumingMemoryBound(to: AnyHashable.self).pointee.base
    }

    override func store(_ value: Any, at address: UnsafeMutableRawPointer) -> Bool {
        guard let value = value as? AnyHashable else { return false }
        unsafe address.initializeMemory(as: AnyHashable.self, to: value)
        return true
    }
}

/// The access to values of `type`.
package func makeErasedAccess(_ type: Any.Type) -> ErasedAccess {
    func open<T>(_ type: T.Type) -> ErasedAccess { TypedErasedAccess<T>() }
    return _openExistential(type, do: open)
}

/// Makes the value that stands for another in archives, and back.
package class BridgeAccess: @unchecked Sendable {
    /// Initialises `target` with the surrogate of the value at `source`.
    @unsafe
    package func makeSurrogate(of source: UnsafeRawPointer, at target: UnsafeMutableRawPointer) throws {}

    /// Initialises `target` with the value whose surrogate is at `source`, which stays as it is.
    @unsafe
    package func makeValue(from source: UnsafeRawPointer, at target: UnsafeMutableRawPointer) throws {}

    /// Replaces the value at `target` by the one whose surrogate is at `source`; if it throws, the value stays.
    @unsafe
    package func replaceValue(from source: UnsafeRawPointer, at target: UnsafeMutableRawPointer) throws {
        preconditionFailure("Only checked values are replaced.")
    }
}

/// A bridge by two functions.
final class Bridge<Value, Surrogate>: BridgeAccess, @unchecked Sendable {
    private let forward: (Value) throws -> Surrogate
    private let backward: (Surrogate) throws -> Value

    init(_ forward: @escaping (Value) throws -> Surrogate, _ backward: @escaping (Surrogate) throws -> Value) {
        self.forward = forward
        self.backward = backward
    }

    override func makeSurrogate(of source: UnsafeRawPointer, at target: UnsafeMutableRawPointer) throws {
        let surrogate = try forward(unsafe source.assumingMemoryBound(to: Value.self).pointee)
        unsafe target.initializeMemory(as: Surrogate.self, to: surrogate)
    }

    override func makeValue(from source: UnsafeRawPointer, at target: UnsafeMutableRawPointer) throws {
        let value = try backward(unsafe source.assumingMemoryBound(to: Surrogate.self).pointee)
        unsafe target.initializeMemory(as: Value.self, to: value)
    }
}

/// The reason why a surrogate is not a value of its type.
package struct BridgeError: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
