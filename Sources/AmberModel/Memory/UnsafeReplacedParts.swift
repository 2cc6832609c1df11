// Room:   AmberModel / Memory. References changed inside of collections and of values that others stand for.
// Takes:  the address of a collection or of a bridged value. Gives: a new one in its place, if anything in it changed.
// Touches: values at addresses that the plan gives.
//
// Invariants: those of UnsafeReplacements.swift.

extension Replacements {
    func change(
        _ address: UnsafeMutableRawPointer, _ array: ArrayPlan, _ plan: ValuePlan
    ) throws(DecodingFailure) -> Bool {
        let count = unsafe array.storage.count(at: address)
        let first = unsafe array.storage.elements(at: address)
        let element = array.element
        let copies = unsafe TemporaryValues(element.witnesses, count: count)
        for index in 0..<count {
            unsafe element.witnesses.copy(to: copies.address(index), from: first + index * element.stride)
        }
        copies.initialized = count
        guard try change(copies, element) else { return false }
        let fresh = unsafe TemporaryValues(plan.witnesses, count: 1)
        let target = unsafe array.storage.makeArray(at: fresh.base, count: count)
        for index in 0..<count {
            unsafe element.witnesses.move(to: target + index * element.stride, from: copies.address(index))
        }
        copies.initialized = 0
        unsafe array.storage.setCount(count, at: fresh.base)
        unsafe plan.witnesses.destroy(address)
        unsafe plan.witnesses.move(to: address, from: fresh.base)
        return true
    }

    private func change(_ values: TemporaryValues, _ plan: ValuePlan) throws(DecodingFailure) -> Bool {
        var isChanged = false
        for index in 0..<values.count {
            do throws(DecodingFailure) {
                isChanged = try unsafe change(values.address(index), plan) || isChanged
            } catch {
                throw error.within(.index(index))
            }
        }
        return isChanged
    }

    func change(
        _ address: UnsafeMutableRawPointer, _ collection: CollectionPlan, _ plan: ValuePlan
    ) throws(DecodingFailure) -> Bool {
        let count = unsafe collection.access.count(at: address)
        let keys = unsafe TemporaryValues(collection.key.witnesses, count: count)
        let values = collection.value.map { unsafe TemporaryValues($0.witnesses, count: count) }
        unsafe collection.access.copyElements(from: address, keys: keys.base, values: values?.base)
        keys.initialized = count
        values?.initialized = count
        var isChanged = try change(keys, collection.key)
        if let values, let value = collection.value { isChanged = try change(values, value) || isChanged }
        guard isChanged else { return false }
        let fresh = unsafe TemporaryValues(plan.witnesses, count: 1)
        unsafe collection.access.build(at: fresh.base, keys: keys.base, values: values?.base, count: count)
        keys.initialized = 0
        values?.initialized = 0
        unsafe plan.witnesses.destroy(address)
        unsafe plan.witnesses.move(to: address, from: fresh.base)
        return true
    }

    func change(
        _ address: UnsafeMutableRawPointer, _ bridged: BridgedPlan, _ plan: ValuePlan
    ) throws(DecodingFailure) -> Bool {
        let surrogate = unsafe TemporaryValues(bridged.surrogate.witnesses, count: 1)
        try Self.failing { try unsafe bridged.access.makeSurrogate(of: address, at: surrogate.base) }
        surrogate.initialized = 1
        guard try unsafe change(surrogate.base, bridged.surrogate) else { return false }
        if bridged.reason == .computed {
            try Self.failing { try unsafe bridged.access.makeValue(from: surrogate.base, at: address) }
            return true
        }
        let fresh = unsafe TemporaryValues(plan.witnesses, count: 1)
        try Self.failing { try unsafe bridged.access.makeValue(from: surrogate.base, at: fresh.base) }
        unsafe plan.witnesses.destroy(address)
        unsafe plan.witnesses.move(to: address, from: fresh.base)
        return true
    }
}
