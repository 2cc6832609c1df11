// Room:   AmberModel / Memory. Steps of a flat plan, read without touching a reference count.
// Takes:  a flat plan that its caller holds. Gives: its steps by number, and nil after the last.
// Touches: the plan's steps, read only.
//
// Invariants
// 1. Plans are held by the process-wide cache for ever, or by the caller for as long as it uses the steps; the array of
//    steps is never changed after it is made.

/// The steps of a flat plan.
@safe
@usableFromInline
package struct UnsafeSteps {
    @usableFromInline let base: UnsafePointer<FlatStep>
    @usableFromInline let count: Int

    @unsafe
    package init(_ steps: ContiguousArray<FlatStep>) {
        unsafe (base, count) = unsafe steps.withUnsafeBufferPointer { buffer in
            unsafe (buffer.baseAddress ?? UnsafePointer(bitPattern: 16).unsafelyUnwrapped, buffer.count)
        }
    }

    @unsafe
    package init(_ plan: FlatPlan) { unsafe self.init(plan.steps) }

    @inlinable
    @inline(__always)
    package subscript(_ index: Int) -> FlatStep? { index < count ? unsafe base[index] : nil }
}
