// Room:   AmberModel / Memory. Decoded objects that gave way to others: every reference to them changed.
// Takes:  objects and what stands for each; values and their plans. Gives: the values with the new references.
// Touches: fields of decoded instances and values, at the offsets that plans give.
//
// Invariants
// 1. Addresses hold initialised values of the plan's type, before and after, even if something throws.
// 2. A new value is whole before the old one is destroyed.
// 3. Storage that values may share (arrays, sets, dictionaries) is never changed in place: a new one is made.

/// What stands for decoded objects.
@safe
package struct Replacements {
    /// Whether structs that reach objects are told of their decoding on the way: the inner before the outer.
    package var tellsStructs = false
    /// Whether computed properties are left alone: they follow the stored ones.
    var skipsComputed = false
    private var replaced: [ObjectIdentifier: (original: AnyObject, replacement: AnyObject)] = [:]

    package init() {}

    package var isEmpty: Bool { replaced.isEmpty }

    /// Lets one object stand for another.
    mutating func replace(_ object: AnyObject, by replacement: AnyObject) {
        replaced[ObjectIdentifier(object)] = (object, replacement)
    }

    /// Asks an object for what is to stand for it.
    package mutating func ask(_ object: AnyObject) throws(DecodingFailure) {
        guard let model = object as? any ReplacedWhenDecoded else { return }
        do {
            let replacement = try model.replacementWhenDecoded()
            if replacement !== object { replaced[ObjectIdentifier(object)] = (object, replacement) }
        } catch {
            throw DecodingFailure(
                .rejectedByHook,
                "`replacementWhenDecoded()` of \(codingName(of: type(of: object))) threw: \(error)")
        }
    }

    /// What stands for an object, through replacements of replacements; `nil` if it stays.
    package subscript(_ object: AnyObject) -> AnyObject? {
        guard var found = replaced[ObjectIdentifier(object)]?.replacement else { return nil }
        var steps = 0
        // Objects that replace each other end where they began.
        while let next = replaced[ObjectIdentifier(found)]?.replacement, next !== object, steps < replaced.count {
            found = next
            steps += 1
        }
        return found
    }

    /// Changes the references in an instance's properties.
    package func apply(to object: AnyObject, _ plan: ClassPlan) throws(DecodingFailure) {
        let address = unsafe objectAddress(object)
        try unsafe change(plan.places.fields, address)
        withExtendedLifetime(object) {}
    }

    /// Changes the references in values.
    package func apply(to rows: Rows, _ plan: ValuePlan) throws(DecodingFailure) {
        for index in 0..<rows.count { _ = try unsafe change(rows.address(index, 0), plan) }
    }

    /// A value with its references changed; `nil` if there are none to change.
    package func applied(to value: Any, _ plan: ValuePlan) throws(DecodingFailure) -> Any? {
        guard plan.reachesObjects else { return nil }
        let copy = unsafe TemporaryValues(plan.witnesses, count: 1)
        guard unsafe plan.erased.store(value, at: copy.base) else { return nil }
        copy.initialized = 1
        defer { withExtendedLifetime(copy) {} }
        return try unsafe change(copy.base, plan) ? plan.erased.load(from: copy.base) : nil
    }

    @discardableResult
    private func change(
        _ fields: [FieldPlan], _ base: UnsafeMutableRawPointer
    ) throws(DecodingFailure) -> Bool {
        var isChanged = false
        for field in fields where field.plan.reachesObjects && !(skipsComputed && field.isComputed) {
            do throws(DecodingFailure) {
                let address = unsafe base + field.offset
                let changed =
                    try field.ownership.isStrong
                    ? unsafe change(address, field.plan)
                    : unsafe changeReference(address, field.plan, field.ownership)
                isChanged = changed || isChanged
            } catch {
                throw error.within(.property(field.name))
            }
        }
        return isChanged
    }

    private func changeReference(
        _ address: UnsafeMutableRawPointer, _ plan: ValuePlan, _ ownership: Ownership
    ) throws(DecodingFailure) -> Bool {
        guard let object = unsafe loadReference(at: address, ownership), let new = self[object] else { return false }
        if case .reference(let reference) = plan.shape, !isInstance(new, of: reference.base) {
            throw Self.mismatch(new, codingName(of: reference.base))
        }
        unsafe destroyReference(at: address, ownership)
        unsafe storeReference(objectAddress(new), at: address, ownership)
        return true
    }

    private static func mismatch(_ new: AnyObject, _ expected: String) -> DecodingFailure {
        DecodingFailure(
            .typeMismatch,
            "The replacement of a decoded object is a \(codingName(of: type(of: new))), and a \(expected) is expected.")
    }

    func change(
        _ address: UnsafeMutableRawPointer, _ plan: ValuePlan
    ) throws(DecodingFailure) -> Bool {
        guard plan.reachesObjects else { return false }
        switch plan.shape {
        case .pending, .scalar, .string, .data, .codable: return false
        case .reference: return try unsafe changeReference(address, plan, .strong)
        case .optional(let optional):
            if unsafe plan.witnesses.enumTag(address) != 0 { return false }
            return try unsafe change(address, optional.payload)
        case .structure(let structure):
            let isChanged = try unsafe change(structure.places.fields, address)
            guard tellsStructs, let model = structure.model, model.isToldOfDecoding else { return isChanged }
            do { try unsafe model.tellOfDecoding(at: address) } catch {
                throw DecodingFailure(hook: error, of: structure.name ?? "")
            }
            return true
        case .array(let array): return try unsafe change(address, array, plan)
        case .collection(let collection): return try unsafe change(address, collection, plan)
        case .enumeration:
            let opened = try Self.failing { try plan.open(unsafe plan.erased.load(from: address)) }
            guard case .enumeration(let name, let rawValue, let payload?) = opened,
                let new = try applied(to: payload.value, payload.plan)
            else { return false }
            let made = try Self.failing {
                try plan.close(.enumeration(name: name, rawValue: rawValue, payload: .init(new, payload.plan)))
            }
            return try unsafe replace(address, plan, with: made, plan.erased)
        case .dynamic(let dynamic):
            let value = unsafe dynamic.access.load(from: address)
            if type(of: value) is AnyClass {
                guard let new = self[value as AnyObject] else { return false }
                return try unsafe replace(address, plan, with: new, dynamic.access)
            }
            guard !(value is DynamicAny), let inner = try? PlanCache.shared.plan(for: type(of: value)),
                let new = try applied(to: value, inner)
            else { return false }
            return try unsafe replace(address, plan, with: new, dynamic.access)
        case .bridged(let bridged): return try unsafe change(address, bridged, plan)
        }
    }

    /// Runs code that throws what other code of this module throws.
    static func failing<R>(_ body: () throws -> R) throws(DecodingFailure) -> R {
        do { return try body() } catch {
            throw (error as? DecodingFailure) ?? DecodingFailure(.rejectedByHook, "\(error)")
        }
    }

    private func replace(
        _ address: UnsafeMutableRawPointer, _ plan: ValuePlan, with value: Any, _ access: ErasedAccess
    ) throws(DecodingFailure) -> Bool {
        let fresh = unsafe TemporaryValues(plan.witnesses, count: 1)
        guard unsafe access.store(value, at: fresh.base) else {
            throw Self.mismatch(value as AnyObject, codingName(of: plan.type))
        }
        unsafe plan.witnesses.destroy(address)
        unsafe plan.witnesses.move(to: address, from: fresh.base)
        return true
    }
}
