// Room:   AmberModel / Memory. Enums in memory: tags, raw values, payloads; probes made with `init()`.
// Takes:  plans under construction; enum values. Gives: raw values, tag sizes; copies opened at their payload.
// Touches: scratch memory of its own.
//
// Invariants
// 1. Scratch memory has the size and alignment of the type probed, and holds a value only between the calls that
//    make and destroy it.
// 2. A projected copy is the payload, or the box that holds it: that is what is destroyed, for the tag is gone.

extension PlanBuilder {
    /// Fills in raw values, and whether a value is nothing but its tag, for an enum of which no case has a payload.
    func describePlainCases(of plan: ValuePlan, in enumeration: EnumerationPlan) {
        let size = plan.size
        guard plan.witnesses.hasEnumWitnesses else { return }
        var tagsAreBytes = size == 1 || size == 2
        unsafe withScratch(for: plan.witnesses) { memory in
            for index in enumeration.cases.indices {
                unsafe plan.witnesses.injectEnum(UInt32(index), memory)
                enumeration.cases[index].rawValue = unsafe rawValueText(at: memory, of: plan.type)
                let stored =
                    size == 1
                    ? unsafe Int(memory.load(as: UInt8.self))
                    : size == 2 ? unsafe Int(memory.load(as: UInt16.self)) : -1
                if stored != index { tagsAreBytes = false }
            }
        }
        if tagsAreBytes { enumeration.tagSize = size }
    }
}

/// The raw value at an address as text, if the type has raw values.
private func rawValueText(at address: UnsafeRawPointer, of type: Any.Type) -> String? {
    func open<T>(_ type: T.Type) -> String? {
        guard let value = unsafe address.assumingMemoryBound(to: T.self).pointee as? any RawRepresentable else {
            return nil
        }
        return "\(value.rawValue)"
    }
    return _openExistential(type, do: open)
}

/// Gives `body` uninitialised memory for one value.
@unsafe
package func withScratch<R>(for witnesses: ValueWitnesses, _ body: (UnsafeMutableRawPointer) -> R) -> R {
    let memory = UnsafeMutableRawPointer.allocate(
        byteCount: max(witnesses.size, 1), alignment: max(witnesses.alignmentMask + 1, 16))
    defer { unsafe memory.deallocate() }
    return unsafe body(memory)
}

extension ModelAccess {
    /// Whether the type has an `init()`: it is called once to find out.
    func canMakeValue(of plan: ValuePlan) -> Bool {
        unsafe withScratch(for: plan.witnesses) { memory in
            guard unsafe makeValue(at: memory) else { return false }
            unsafe plan.witnesses.destroy(memory)
            return true
        }
    }
}

/// A copy of an enum value, opened at its payload.
@safe
package final class EnumCopy {
    private let memory: TemporaryValues
    /// The payload.
    package let payload: UnsafeMutableRawPointer

    @unsafe
    package init(of address: UnsafeRawPointer, _ plan: ValuePlan, case item: EnumerationPlan.Case, _ tag: Int) {
        let isIndirect = item.isIndirect
        let witnesses = plan.witnesses
        // What must be destroyed is the payload, or the box that holds it: the tag is gone after the projection.
        let payloadWitnesses = item.payload?.witnesses
        memory = unsafe TemporaryValues(
            witnesses, count: 1,
            destroying: { value in
                if isIndirect {
                    unsafe releaseObject(value.load(as: ObjectAddress.self))
                } else {
                    unsafe payloadWitnesses?.destroy(value)
                }
            })
        unsafe witnesses.copy(to: memory.base, from: address)
        if witnesses.hasEnumWitnesses { unsafe witnesses.projectEnum(memory.base) }
        memory.initialized = 1
        unsafe payload = isIndirect ? boxedValue(memory.base.load(as: ObjectAddress.self)) : memory.base
    }
}
