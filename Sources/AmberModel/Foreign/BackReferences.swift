// Room:   AmberModel / Foreign. References to objects whose initializers still run.
// Takes:  the number of such an object, and who asked for it. Gives: an instance that stands for it, until it is there.
// Touches: the objects that asked, through ReferencePatcher.
//
// Away from Apple's systems an object does not exist before its initializer returns. What asks for it meanwhile, a child
// for its parent, is given an empty instance of the same class; when the initializer has returned, the real object
// takes its place wherever it was put. If it was put where nobody can look, in a closure say, the decoding fails.

internal import Foundation

package struct BackReferences {
    private struct Pending {
        let standIn: EmptyInstance
        /// The numbers of the objects that were given the stand-in.
        var askers: Set<Int> = []
    }

    private var pending: [Int: Pending] = [:]
    /// Stand-ins that somebody still held when their object was there.
    private var retired: [EmptyInstance] = []

    package init() {}

    /// An object that stands for the one of `number`, for the objects `askers`.
    package mutating func standIn(for number: Int, _ type: AnyClass, askers: some Sequence<Int>) -> AnyObject? {
        if pending[number] == nil {
            guard let standIn = EmptyInstance.make(type) else { return nil }
            pending[number] = Pending(standIn: standIn)
        }
        pending[number]?.askers.formUnion(askers)
        return pending[number]?.standIn.object
    }

    /// Whether anyone was given a stand-in for the object of `number`.
    package func isAwaited(_ number: Int) -> Bool {
        !pending.isEmpty && pending[number] != nil
    }

    /// Puts `object` in the places of what stood for it; `false` if one can't be found.
    ///
    /// `askers` gives the objects of the numbers that asked for it, `others` all the objects that were made meanwhile.
    package mutating func settle(
        _ number: Int, _ object: AnyObject, askers: (Set<Int>) -> [AnyObject], others: () -> [AnyObject]
    ) -> Bool {
        guard let awaited = pending.removeValue(forKey: number) else { return true }
        let standIn = awaited.standIn
        if isKind(type(of: object), of: [standIn.type]) {
            standIn.replacing(with: object).patch(askers(awaited.askers))
            if !standIn.isLoose {
                // Somebody has handed it on.
                standIn.replacing(with: object).patch(others())
            }
            if standIn.isLoose {
                standIn.discard()
                return true
            }
        }
        retired.append(standIn)
        return false
    }

    /// Frees the stand-ins that nobody refers to any more.
    package mutating func discard() {
        for item in pending.values { item.standIn.discard() }
        for standIn in retired { standIn.discard() }
        pending.removeAll()
        retired.removeAll()
    }
}
