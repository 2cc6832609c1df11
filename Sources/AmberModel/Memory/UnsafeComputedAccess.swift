// Room:   AmberModel / Memory. Properties that are computed: got from a whole value, set on a whole value.
// Takes:  the address of a value, or of an instance. Gives: the property's value at another address.
// Touches: values of exactly the access's types.
//
// Invariants
// 1. For a struct or enum, the address given is that of an initialised value of `Owner`. For a class it is that of an
//    instance of `Owner` or of a subclass: PlanBuilder checks it.
// 2. `makeValue` initialises nothing: the field's own memory is that of a `Void`.

/// The access to a computed property of `Owner`.
func makeComputedAccess<Owner, Value>(
    _ get: @escaping (Owner) throws -> Value, _ set: @escaping (inout Owner, Value) throws -> Void
) -> BridgeAccess {
    ComputedAccess(get, set)
}

private final class ComputedAccess<Owner, Value>: BridgeAccess, @unchecked Sendable {
    private let get: (Owner) throws -> Value
    private let set: (inout Owner, Value) throws -> Void

    init(_ get: @escaping (Owner) throws -> Value, _ set: @escaping (inout Owner, Value) throws -> Void) {
        self.get = get
        self.set = set
    }

    /// The instance at an address, as its class.
    private func instance(at address: UnsafeRawPointer) -> Owner {
        let object = unsafe Unmanaged<AnyObject>.fromOpaque(address).takeUnretainedValue()
        return unsafe unsafeBitCast(object, to: Owner.self)
    }

    override func makeSurrogate(of source: UnsafeRawPointer, at target: UnsafeMutableRawPointer) throws {
        let value: Value
        if Owner.self is AnyClass {
            value = try get(unsafe instance(at: source))
        } else {
            value = try get(unsafe source.assumingMemoryBound(to: Owner.self).pointee)
        }
        unsafe target.initializeMemory(as: Value.self, to: value)
    }

    override func makeValue(from source: UnsafeRawPointer, at target: UnsafeMutableRawPointer) throws {
        let value = unsafe source.assumingMemoryBound(to: Value.self).pointee
        if Owner.self is AnyClass {
            var owner = unsafe instance(at: UnsafeRawPointer(target))
            try set(&owner, value)
        } else {
            try set(&(unsafe target.assumingMemoryBound(to: Owner.self)).pointee, value)
        }
    }
}

extension BridgedPlan {
    /// The surrogate of the value at an address, as coders that work value by value take it.
    @unsafe
    func surrogateValue(of address: UnsafeRawPointer) throws -> Any {
        let copy = unsafe TemporaryValues(surrogate.witnesses, count: 1)
        try unsafe access.makeSurrogate(of: address, at: copy.base)
        copy.initialized = 1
        defer { withExtendedLifetime(copy) {} }
        return unsafe surrogate.erased.load(from: copy.base)
    }
}
