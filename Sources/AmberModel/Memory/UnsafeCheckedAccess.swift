// Room:   AmberModel / Memory. Values that are looked at before a property takes them.
// Takes:  a value at an address. Gives: a copy of it, if all that it holds is of allowed types.
// Touches: values of exactly the plan's type.
//
// Invariants
// 1. Both addresses are of the plan's type; what throws has initialised nothing.
// 2. Objects may not be filled yet: only their classes are looked at.

final class CheckedAccess: BridgeAccess, @unchecked Sendable {
    private let plan: ValuePlan
    private let allowed: AllowedTypes

    init(_ plan: ValuePlan, _ allowed: AllowedTypes) {
        self.plan = plan
        self.allowed = allowed
    }

    override func makeSurrogate(of source: UnsafeRawPointer, at target: UnsafeMutableRawPointer) throws {
        unsafe plan.witnesses.copy(to: target, from: source)
    }

    override func makeValue(from source: UnsafeRawPointer, at target: UnsafeMutableRawPointer) throws {
        try allowed.check(unsafe plan.erased.load(from: source), plan)
        unsafe plan.witnesses.copy(to: target, from: source)
    }

    override func replaceValue(from source: UnsafeRawPointer, at target: UnsafeMutableRawPointer) throws {
        try allowed.check(unsafe plan.erased.load(from: source), plan)
        unsafe plan.witnesses.destroy(target)
        unsafe plan.witnesses.copy(to: target, from: source)
    }
}
