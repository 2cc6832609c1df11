// Room:   AmberBinary / Encoding. The walk that meets every object: only what can hold references is looked at.
// Takes:  addresses of values and their plans. Gives: calls of `ObjectCollector.meet`.
// Touches: fields at the offsets that plans give.
//
// Invariants
// 1. Addresses hold initialised values of the plan's type for the whole walk; objects met are held by the graph or by
//    the collector.
//    No hook runs while an array is walked: an object's own is called before its properties are looked at.
// 2. Copies of elements and payloads live until their walk ends; objects found in them are held by the originals.

internal import AmberModel

extension GraphWriter {
    /// Meets every object that can be reached from the rows, and gives each its number.
    mutating func collect(_ rows: Rows, _ plan: ValuePlan) throws(EncodingFailure) {
        for index in 0..<rows.count { try unsafe walk(rows.address(index, 0), plan) }
        try collectPools()
    }

    /// Meets every object that can be reached from a value without a Swift type, and gives each its number.
    mutating func collect(_ value: DynamicValue) throws(EncodingFailure) {
        try walk(value)
        try collectPools()
    }

    private mutating func collectPools() throws(EncodingFailure) {
        while let (pool, plan) = collector.nextPool() {
            let hasDynamics = collector.pools[pool].dynamics != nil
            let steps = plan.walk
            while let object = unsafe collector.nextObject(in: pool) {
                if collector.pools[pool].hasHook { unsafe try collector.callHook(pool, object) }
                try unsafe walk(object, steps)
                if hasDynamics { for (_, value) in unsafe collector.pools[pool].values(of: object) { try walk(value) } }
            }
        }
        collector.number()
    }

    /// Meets the objects in the array at `address`, whose elements are one word each.
    @inline(__always)
    private mutating func walkReferences(_ address: UnsafeMutableRawPointer) throws(EncodingFailure) {
        let count = unsafe ArrayStorage.count(at: address)
        var element = unsafe ArrayStorage.words(at: address)
        for _ in 0..<count {
            let reference = unsafe element.load(as: ObjectAddress?.self)
            if let reference = unsafe reference { try unsafe collector.meet(reference) }
            unsafe element += 8
        }
    }

    private mutating func walk(_ base: UnsafeMutableRawPointer, _ steps: WalkSteps) throws(EncodingFailure) {
        for index in 0..<steps.count {
            let step = steps[index]
            let address = unsafe base + step.offset
            try descend(step.levels)
            switch step.code {
            case .reference:
                let reference = unsafe address.load(as: ObjectAddress?.self)
                if let reference = unsafe reference { try unsafe collector.meet(reference) }
            case .references: try unsafe walkReferences(address)
            case .elements:
                let count = unsafe ArrayStorage.count(at: address)
                let inner = step.inner
                var element = unsafe address.load(as: UnsafeMutableRawPointer.self) + step.elementOffset
                for _ in 0..<count {
                    try unsafe walk(element, inner)
                    unsafe element += step.stride
                }
            case .other:
                if step.ownership.isStrong {
                    try unsafe walk(address, step.plan)
                } else if let object = unsafe loadReference(at: address, step.ownership) {
                    try collector.meet(keeping: object)
                }
            }
            depth -= step.levels
        }
    }

    mutating func walk(_ address: UnsafeMutableRawPointer, _ plan: ValuePlan) throws(EncodingFailure) {
        switch plan.shape {
        case .pending, .scalar, .string, .data: return
        case .reference:
            if let object = unsafe address.load(as: ObjectAddress?.self) { try unsafe collector.meet(object) }
            return
        default: break
        }
        try descend()
        defer { depth -= 1 }
        switch plan.shape {
        case .optional(let optional):
            if unsafe optional.isNil(address) { return }
            try unsafe walk(address, optional.payload)
        case .structure(let structure):
            try unsafe walk(address, structure.walk)
        case .array(let array):
            if array.element.isReference { return try unsafe walkReferences(address) }
            // Code of an element's type may change the array: this keeps the elements that are walked.
            let block = unsafe ArrayStorage.hold(at: address)
            let count = unsafe array.storage.count(at: address)
            var element = unsafe array.storage.elements(at: address)
            for _ in 0..<count {
                try unsafe walk(element, array.element)
                unsafe element += array.element.stride
            }
            withExtendedLifetime(block) {}
        case .collection(let collection):
            let (keys, values) = try unsafe elements(of: collection, at: address)
            for index in 0..<keys.count where collection.key.reachesObjects {
                try unsafe walk(keys.address(index), collection.key)
            }
            guard let values, let value = collection.value, value.reachesObjects else { return }
            for index in 0..<values.count { try unsafe walk(values.address(index), value) }
        case .enumeration(let enumeration):
            let tag = unsafe Int(enumeration.tag(address, plan.witnesses))
            guard let payload = enumeration.cases[tag].payload, payload.reachesObjects else { return }
            let copy = unsafe EnumCopy(of: address, plan, case: enumeration.cases[tag], tag)
            try unsafe walk(copy.payload, payload)
            withExtendedLifetime(copy) {}
        case .dynamic(let dynamic):
            let value = unsafe dynamic.access.load(from: address)
            if let object = try referenced(value) {
                try collector.meet(keeping: object)
            } else if let any = value as? DynamicAny {
                try walk(.any(any))
            } else {
                _ = try collector.dynamicNumber(of: type(of: value))
                let (copy, plan) = try dynamicCopy(value)
                if plan.reachesObjects { try unsafe walk(copy.base, plan) }
                withExtendedLifetime(copy) {}
            }
        case .bridged(let bridged):
            let copy = try unsafe surrogate(of: address, bridged)
            try unsafe walk(copy.base, bridged.surrogate)
            withExtendedLifetime(copy) {}
        default: return
        }
    }

    /// The value in an existential in memory of its own type.
    func dynamicCopy(_ value: Any) throws(EncodingFailure) -> (TemporaryValues, ValuePlan) {
        let plan: ValuePlan
        do throws(SchemaFailure) {
            plan = try PlanCache.shared.plan(for: type(of: value))
        } catch {
            throw EncodingFailure(error)
        }
        let copy = unsafe TemporaryValues(plan.witnesses, count: 1)
        guard unsafe makeErasedAccess(plan.type).store(value, at: copy.base) else {
            throw EncodingFailure(
                .unsupportedType, "\(codingName(of: plan.type)) can't be taken out of an existential.")
        }
        copy.initialized = 1
        return (copy, plan)
    }

    /// The value that stands for the one at `address`.
    func surrogate(
        of address: UnsafeRawPointer, _ bridged: BridgedPlan
    ) throws(EncodingFailure) -> TemporaryValues {
        let copy = unsafe TemporaryValues(bridged.surrogate.witnesses, count: 1)
        do {
            try unsafe bridged.access.makeSurrogate(of: address, at: copy.base)
        } catch let failure as EncodingFailure {
            throw failure
        } catch {
            throw EncodingFailure(.codable, "\(error)")
        }
        copy.initialized = 1
        return copy
    }

    /// Copies of a collection's elements, sorted if the archive must be deterministic.
    mutating func elements(
        of collection: CollectionPlan, at address: UnsafeRawPointer
    ) throws(EncodingFailure) -> (TemporaryValues, TemporaryValues?) {
        let count = unsafe collection.access.count(at: address)
        let keys = unsafe TemporaryValues(collection.key.witnesses, count: count)
        let values = collection.value.map { unsafe TemporaryValues($0.witnesses, count: count) }
        unsafe collection.access.copyElements(from: address, keys: keys.base, values: values?.base)
        keys.initialized = count
        values?.initialized = count
        guard options.isDeterministic, count > 1 else { return (keys, values) }
        return try sorted(keys, values, [UInt64(count)], collection)
    }
}

extension EnumerationPlan {
    /// The tag of the enum value at `address`.
    @unsafe
    @inline(__always)
    func tag(_ address: UnsafeRawPointer, _ witnesses: ValueWitnesses) -> UInt32 {
        switch tagSize {
        case 1: return unsafe UInt32(address.load(as: UInt8.self))
        case 2: return unsafe UInt32(address.load(as: UInt16.self))
        default: return witnesses.hasEnumWitnesses && cases.count > 1 ? unsafe witnesses.enumTag(address) : 0
        }
    }
}
