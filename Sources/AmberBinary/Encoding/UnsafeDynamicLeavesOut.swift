// Room:   AmberBinary / Encoding. The leaves of dynamic values: put into memory of their own type, and written from there.
// Takes:  values in Anys. Gives: rows or columns.
// Touches: temporaries of the leaf's type.
//
// Invariants
// 1. Temporaries count as initialised for each value that was stored, and live until they are written.

internal import AmberBytes
internal import AmberModel

extension GraphWriter {
    /// Writes leaves: one as a row, many as a column.
    mutating func writeLeaves(_ values: [DynamicValue], _ wire: WireType) throws(EncodingFailure) {
        let plan: ValuePlan
        if case .codable = wire {
            plan = LeafPlans.shared.snapshot
        } else {
            guard let leaf = LeafPlans.shared.plan(wire) else {
                throw EncodingFailure(.unsupportedType, "No such leaf.")
            }
            plan = leaf.target
        }
        let copies = unsafe TemporaryValues(plan.witnesses, count: values.count)
        let maker = ValueMaker()
        for (index, value) in values.enumerated() {
            let made: Any
            do throws(DecodingFailure) { made = try maker.make(value, plan) } catch {
                let failure = EncodingFailure(.unsupportedType, error.reason)
                throw values.count == 1 ? failure : failure.within(.index(index))
            }
            guard unsafe plan.erased.store(made, at: copies.address(index)) else {
                throw EncodingFailure(
                    .unsupportedType, "\(value.words) stands where a \(codingName(of: plan.type)) belongs.")
            }
            copies.initialized = index + 1
        }
        try writeBatch(copies.rows, 0, plan)
        withExtendedLifetime(copies) {}
    }

    /// Meets the objects that a value in an existential refers to.
    mutating func walkExistential(_ value: Any) throws(EncodingFailure) {
        var value = value
        try unsafe withUnsafeMutablePointer(to: &value) { pointer throws(EncodingFailure) in
            try unsafe walk(UnsafeMutableRawPointer(pointer), Self.anyPlan)
        }
    }

    /// Writes a value in an existential as a row.
    mutating func writeValueExistential(_ value: Any) throws(EncodingFailure) {
        var value = value
        try unsafe withUnsafeMutablePointer(to: &value) { pointer throws(EncodingFailure) in
            try unsafe writeRow(UnsafeMutableRawPointer(pointer), Self.anyPlan)
        }
    }

    private static let anyPlan: ValuePlan = {
        guard let plan = try? PlanCache.shared.plan(for: Any.self) else {
            preconditionFailure("Existentials always have plans.")
        }
        return plan
    }()
}
