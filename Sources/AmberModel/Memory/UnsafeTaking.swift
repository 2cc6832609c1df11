// Room:   AmberModel / Memory. A value of a type passed through memory of its own: taken from an Any, given to code of the type.
// Takes:  a value in an Any. Gives: the same value as one of the plan's type, or what the type's code made of it.
// Touches: temporary memory.
//
// Invariants
// 1. Temporary memory is of the plan's type; it counts as initialised only when something was stored in it.

extension ValuePlan {
    /// `value` as a value of this plan's type.
    package func taking(_ value: Any) throws -> Any {
        let memory = unsafe TemporaryValues(witnesses, count: 1)
        try unsafe put(value, at: memory.base)
        memory.initialized = 1
        defer { withExtendedLifetime(memory) {} }
        return unsafe erased.load(from: memory.base)
    }

    /// Calls the `willEncode()` of `value`, a struct.
    package func callWillEncode(_ model: ModelAccess, on value: Any) throws {
        let memory = unsafe TemporaryValues(witnesses, count: 1)
        try unsafe put(value, at: memory.base)
        memory.initialized = 1
        try unsafe model.willEncode(at: memory.base)
        withExtendedLifetime(memory) {}
    }

    /// `value` after its `didDecode()` and `validate()`.
    package func callingDidDecode(_ model: ModelAccess, on value: Any) throws -> Any {
        let memory = unsafe TemporaryValues(witnesses, count: 1)
        try unsafe put(value, at: memory.base)
        memory.initialized = 1
        try unsafe model.tellOfDecoding(at: memory.base)
        defer { withExtendedLifetime(memory) {} }
        return unsafe erased.load(from: memory.base)
    }
}

extension CodableAccess {
    /// One of the reader's values.
    func value(_ index: Int, of reader: CodableReader, _ plan: ValuePlan) throws -> Any {
        let memory = unsafe TemporaryValues(plan.witnesses, count: 1)
        try unsafe decode(index, of: reader, at: memory.base)
        memory.initialized = 1
        defer { withExtendedLifetime(memory) {} }
        return unsafe plan.erased.load(from: memory.base)
    }
}

extension ClassPlan {
    /// What an instance keeps of properties that its class doesn't have.
    package func unknownProperties(of object: ObjectAddress) -> UnknownProperties? {
        guard let offset = unknownProperties else { return nil }
        return unsafe (object + offset).assumingMemoryBound(to: UnknownProperties.self).pointee
    }

    /// What an instance keeps of properties that its class doesn't have.
    package func unknownProperties(in object: AnyObject) -> UnknownProperties? {
        defer { withExtendedLifetime(object) {} }
        return unsafe unknownProperties(of: objectAddress(object))
    }

    /// Gives a whole instance what its class doesn't have.
    package func keep(_ unknown: UnknownProperties, in object: AnyObject) {
        guard let offset = unknownProperties else { return }
        unsafe (objectAddress(object) + offset).assumingMemoryBound(to: UnknownProperties.self).pointee = unknown
        withExtendedLifetime(object) {}
    }
}
