// Room:   AmberModel / Memory. The properties of whole values that a program holds: read, changed, copied.
// Takes:  a value in an Any, or an instance, and its plan. Gives: its properties; the value changed; an instance like it.
// Touches: copies of values; instances that nobody else has seen.
//
// Invariants
// 1. A value is changed in a copy in memory of its own type, which is initialised throughout.
// 2. A copied instance gets every stored field of its class exactly once, before anybody sees it.

#if canImport(ObjectiveC)
    internal import Foundation
#endif

extension ValuePlan {
    /// A struct of this plan's type with other values in some of its properties.
    func setting(_ changes: [(field: FieldPlan, value: Any)], in value: Any) throws -> Any {
        guard case .structure(let structure) = shape else { throw ClosingError("A struct was expected.") }
        let copy = unsafe TemporaryValues(witnesses, count: 1)
        try unsafe put(value, at: copy.base)
        copy.initialized = 1
        let builder = unsafe FieldBuilder(
            fields: changes.map(\.field), omitted: [], base: copy.base, typeName: structure.name ?? "tuple",
            isInitialized: true)
        for (index, change) in changes.enumerated() { try builder.set(index, change.value) }
        try builder.setComputed()
        defer { withExtendedLifetime(copy) {} }
        return unsafe erased.load(from: copy.base)
    }

    /// Calls the `validate()` of a struct.
    func validate(_ value: Any) throws {
        guard case .structure(let structure) = shape, let model = structure.model, model.isValidated else { return }
        let copy = unsafe TemporaryValues(witnesses, count: 1)
        try unsafe put(value, at: copy.base)
        copy.initialized = 1
        try unsafe model.validate(at: copy.base)
        withExtendedLifetime(copy) {}
    }
}

extension ClassPlan {
    /// An instance with the same values in all stored properties: the objects in them are shared.
    func shallowCopy(of object: AnyObject) throws -> AnyObject {
        let source = unsafe objectAddress(object)
        defer { withExtendedLifetime(object) {} }
        let isMade = hasInitializer && isMadeByInitializer
        guard let copy = unsafe isMade ? makeByInitializer() : allocate() else {
            throw ClosingError("`init()` of \(name) gave an object of another class.")
        }
        for field in places.fields where !field.isComputed {
            if isMade { unsafe field.destroy(at: copy + field.offset) }
            unsafe field.copy(to: copy + field.offset, from: source + field.offset)
        }
        // What can't be copied is as `init()` made it.
        for field in places.hidden where field.isCopyable {
            // What belongs to one instance alone is made anew.
            if case .make(let make) = field.fallback, BuiltInTypes.isOfOneInstance(field.plan.type) {
                if !isMade { unsafe make.make(at: copy + field.offset) }
                continue
            }
            if isMade { unsafe field.destroy(at: copy + field.offset) }
            unsafe field.copy(to: copy + field.offset, from: source + field.offset)
        }
        defer { unsafe releaseObject(copy) }
        return unsafe AmberModel.object(at: copy)
    }

    private var isMadeByInitializer: Bool {
        #if canImport(ObjectiveC)
            return isSetUp || type is NSObject.Type || places.hidden.contains { !$0.isCopyable }
        #else
            return isSetUp || places.hidden.contains { !$0.isCopyable }
        #endif
    }
}

extension FieldPlan {
    /// Copies the stored property to uninitialised memory.
    @unsafe
    fileprivate func copy(to target: UnsafeMutableRawPointer, from source: UnsafeRawPointer) {
        if ownership.isStrong { return unsafe plan.witnesses.copy(to: target, from: source) }
        let object = unsafe loadReference(at: source, ownership)
        unsafe storeReference(object.map { unsafe objectAddress($0) }, at: target, ownership)
    }
}

extension OmittedField {
    @unsafe
    fileprivate func copy(to target: UnsafeMutableRawPointer, from source: UnsafeRawPointer) {
        if plan.ownership.isStrong { return unsafe plan.witnesses.copy(to: target, from: source) }
        let object = unsafe loadReference(at: source, plan.ownership)
        unsafe storeReference(object.map { unsafe objectAddress($0) }, at: target, plan.ownership)
    }

    @unsafe
    fileprivate func destroy(at address: UnsafeMutableRawPointer) {
        if plan.ownership.isStrong {
            unsafe plan.witnesses.destroy(address)
        } else {
            unsafe destroyReference(at: address, plan.ownership)
        }
    }
}
