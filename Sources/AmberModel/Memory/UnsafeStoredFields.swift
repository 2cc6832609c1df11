// Room:   AmberModel / Memory. One stored property, moved and destroyed by its ownership.
// Takes:  the address of a property and its plan. Gives: the property elsewhere, or gone.
// Touches: the property's memory.
//
// Invariants
// 1. Addresses are those of the plan's property: of its type if it is strong, of a reference's storage if it isn't.
// 2. What is moved or destroyed is initialised before, and isn't afterwards.

extension FieldPlan {
    /// Bytes of the stored property.
    private var storedSize: Int { unsafe ownership.isStrong ? plan.size : MemoryLayout<UnsafeRawPointer>.size }

    /// Destroys the stored property at its own address.
    @unsafe
    func destroy(at address: UnsafeMutableRawPointer) {
        if ownership.isStrong {
            unsafe plan.witnesses.destroy(address)
        } else {
            unsafe destroyReference(at: address, ownership)
        }
    }

    /// Moves the stored property to uninitialised memory.
    @unsafe
    func move(to target: UnsafeMutableRawPointer, from source: UnsafeMutableRawPointer) {
        if ownership.isStrong {
            unsafe plan.witnesses.move(to: target, from: source)
        } else {
            let object = unsafe loadReference(at: source, ownership)
            unsafe storeReference(object.map { unsafe objectAddress($0) }, at: target, ownership)
            unsafe destroyReference(at: source, ownership)
        }
    }
}

extension TemporaryValues {
    /// Memory that the stored property at an address is moved to.
    @unsafe
    convenience init(aside field: FieldPlan, from address: UnsafeMutableRawPointer) {
        unsafe self.init(field.plan.witnesses, count: 1, destroying: { unsafe field.destroy(at: $0) })
        unsafe field.move(to: base, from: address)
        initialized = 1
    }
}
