// Room:   AmberModel / Memory. How many references lead to an object.
// Takes:  an object's address. Gives: the runtime's counts.
// Touches: the object's reference counts.
//
// Invariants
// 1. The object is alive. Counting holds a reference: counts are compared only with counts taken here, in this one
//    function that is never inlined.

/// What the runtime counts for an object.
package struct ReferenceCounts: Equatable {
    package let strong: UInt
    package let unowned: UInt
    package let weak: UInt

    @unsafe
    @inline(never)
    package init(of address: ObjectAddress) {
        let object = unsafe AmberModel.object(at: address)
        strong = _getRetainCount(object)
        unowned = _getUnownedRetainCount(object)
        weak = _getWeakRetainCount(object)
    }

    /// What is counted for an object to which one strong reference leads.
    package static let lone: UInt = {
        let list: [AnyObject] = [Lone()]
        return unsafe list.withUnsafeBytes { unsafe ReferenceCounts(of: $0.load(as: ObjectAddress.self)).strong }
    }()

    private final class Lone {}
}
