// Room:   AmberModel / Memory. Instances of model classes, made and unmade.
// Takes:  a class plan. Gives: an instance whose fields the decoder fills.
// Touches: the allocator; fields of instances that no one else has seen yet.
//
// Invariants
// 1. An instance made without an initializer has uninitialised fields: it is filled wholly, or freed by `discard`,
//    which runs no deinit. Nobody sees it before.
// 2. Size and alignment come from the class's metadata.

internal import CSwiftRuntime

extension ClassPlan {
    /// Memory for an instance, its reference count at one, its fields not initialised.
    @unsafe
    package func allocate() -> ObjectAddress {
        unsafe swift_allocObject(unsafeBitCast(type, to: UnsafeRawPointer.self), instanceSize, alignmentMask)
    }

    /// Frees an instance whose fields are not initialised.
    @unsafe
    package func discard(_ instance: ObjectAddress) {
        unsafe swift_deallocPartialClassInstance(
            instance, unsafeBitCast(type, to: UnsafeRawPointer.self), instanceSize, alignmentMask)
    }

    /// An instance made by the class's own `init()`, its reference count at one.
    @unsafe
    package func makeByInitializer() -> ObjectAddress? {
        guard hasInitializer, let made = unsafe model.makeReference() else { return nil }
        if unsafe classOfObject(at: made) == type {
            if isSetUp, let model = unsafe object(at: made) as? any SetUpModel { model.beginLife() }
            return unsafe made
        }
        unsafe releaseObject(made)
        return nil
    }
}

extension ModelAccess {
    /// A reference to an instance made by the class's own `init()`, which the caller owns.
    @unsafe
    func makeReference() -> ObjectAddress? {
        var reference: ObjectAddress?
        let isMade = unsafe withUnsafeMutablePointer(to: &reference) {
            unsafe makeValue(at: UnsafeMutableRawPointer($0))
        }
        return unsafe isMade ? reference : nil
    }

    /// Whether the class has an `init()` that gives instances of `type`: it is called once to find out.
    func canMakeInstance(of type: AnyClass) -> Bool {
        guard let made = unsafe makeReference() else { return false }
        defer { unsafe releaseObject(made) }
        return unsafe classOfObject(at: made) == type
    }
}

/// Initialises memory with a fallback value; `false` when there is none.
@unsafe
package func storeFallback(
    _ fallback: Fallback, of type: ValueWitnesses, _ ownership: Ownership, at address: UnsafeMutableRawPointer
) -> Bool {
    switch fallback {
    case .none: return false
    case .empty:
        // The witnesses are the Optional's own; weak and unowned storage has its own form of nil.
        if ownership.isStrong {
            unsafe type.storeNil(at: address)
        } else {
            unsafe storeReference(nil, at: address, ownership)
        }
        return true
    case .make(let make):
        unsafe make.make(at: address)
        return true
    }
}

extension ValueWitnesses {
    /// Initialises memory of this type, which must be an Optional, with `nil`.
    @unsafe
    package func storeNil(at address: UnsafeMutableRawPointer) {
        unsafe injectEnum(1, address)
    }
}

/// A box for the payload of an indirect enum case.
@unsafe
package func makeBox(for type: Any.Type) -> (object: UnsafeMutableRawPointer, value: UnsafeMutableRawPointer) {
    let pair = unsafe swift_allocBox(unsafeBitCast(type, to: UnsafeRawPointer.self))
    return unsafe (pair.object, pair.value)
}

/// Frees a box whose value is not initialised.
@unsafe
package func discardBox(_ box: UnsafeMutableRawPointer) {
    unsafe swift_deallocBox(box)
}

/// The value in the box of an indirect enum case.
@unsafe
package func boxedValue(_ box: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
    unsafe swift_projectBox(box)
}

/// Memory for an instance of any Swift class, its reference count at one, its fields not initialised.
@unsafe
package func allocateInstance(of type: AnyClass) -> ObjectAddress {
    let layout = instanceLayout(of: type)
    return unsafe swift_allocObject(unsafeBitCast(type, to: UnsafeRawPointer.self), layout.size, layout.alignmentMask)
}

/// Frees an instance whose fields are not initialised, and which nobody refers to; its deinit does not run.
@unsafe
package func discardInstance(_ instance: ObjectAddress, of type: AnyClass) {
    let layout = instanceLayout(of: type)
    unsafe swift_deallocPartialClassInstance(
        instance, unsafeBitCast(type, to: UnsafeRawPointer.self), layout.size, layout.alignmentMask)
}
