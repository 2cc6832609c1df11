// Room:   AmberModel / Memory. A value that is set while a plan is built and only read afterwards.
// Takes:  the value. Gives: the same, read without the checks for exclusive access that a class's variable has.
// Touches: memory of its own, which lives as long as the process, as plans do.
//
// Invariants
// 1. `value` is set only by the thread that builds the plan, before the plan is published under a lock.

/// A value set once, while a plan is built; plans of recursive types refer to each other, so not all can be made whole.
@safe
@usableFromInline
package struct Late<Value>: @unchecked Sendable {
    @usableFromInline let storage: UnsafeMutablePointer<Value>

    package init(_ value: Value) {
        unsafe storage = .allocate(capacity: 1)
        unsafe storage.initialize(to: value)
    }

    /// The value.
    @inlinable package var value: Value {
        unsafe storage.pointee
    }

    package func set(_ value: Value) {
        unsafe storage.pointee = value
    }
}
