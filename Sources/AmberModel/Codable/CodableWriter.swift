// Room:   AmberModel / Codable. One batch of Codable values on its way out.
// Takes:  values. Gives: a slot with their columns.
// Touches: the values' own `encode(to:)`.

internal import Foundation

/// Takes the values of a batch apart.
///
/// Values are appended to columns while they are encoded. That needs containers to be filled one after the other, as
/// nearly all types do. A value that doesn't (it writes a key twice, or goes back to a container that is no longer the
/// last of its kind) makes the writer begin the batch anew, by way of trees.
package final class CodableWriter {
    /// What the encoder was told to hand to `encode(to:)`.
    package private(set) var userInfo: [CodingUserInfoKey: any Sendable]
    /// Whether dictionaries are sorted.
    private(set) var isDeterministic: Bool
    private var depthLimit: Int
    /// The values so far.
    package private(set) var root = CodableSlot(key: "", in: nil)
    /// Whether a value can't be taken apart while it is encoded.
    private(set) var isBroken = false
    private(set) var usesTrees = false
    /// What a container had no way to throw.
    private var failure: EncodingFailure?
    /// Encoders that were handed out and may never be used.
    private var pending: [(slot: CodableSlotRef, index: Int)] = []
    private var treeDepth = 0
    private var retired: [CodableSlot] = []

    package init(userInfo: [CodingUserInfoKey: any Sendable], isDeterministic: Bool, depthLimit: Int) {
        self.userInfo = userInfo
        self.isDeterministic = isDeterministic
        self.depthLimit = depthLimit
    }

    /// Makes the writer ready for another batch of the same type, whose places it knows already.
    func reuse(userInfo: [CodingUserInfoKey: any Sendable], isDeterministic: Bool, depthLimit: Int) {
        self.userInfo = userInfo
        self.isDeterministic = isDeterministic
        self.depthLimit = depthLimit
    }

    /// Forgets the values; `false` if the writer can't be used again.
    func forget() -> Bool {
        if usesTrees || isBroken || failure != nil { return false }
        userInfo = [:]
        root.reset()
        return true
    }

    /// Begins anew with trees.
    func restart() {
        // Containers that outlive their value may still look at their slots.
        retired.append(root)
        root = CodableSlot(key: "", in: nil)
        (isBroken, usesTrees, pending, failure) = (false, true, [], nil)
    }

    /// Appends one value; `false` if the batch has to begin anew.
    func append<T: Encodable>(_ value: borrowing T) throws -> Bool {
        if usesTrees || isDeterministic {
            usesTrees = true
            let tree = CodableTree()
            treeDepth = 0
            try encode(copy value, into: tree)
            if let failure { throw failure }
            root.ref.state.started += 1
            tree.replay(into: root, sortingMaps: isDeterministic)
            return true
        }
        do {
            root.ref.state.started += 1
            try encode(value, into: root.ref)
        } catch {
            if let failure { throw failure }
            return false
        }
        for (slot, index) in pending where slot.count == index { _ = slot.open(.record) }
        pending.removeAll(keepingCapacity: true)
        if let failure { throw failure }
        return !isBroken
    }

    /// Encodes a value into a slot that has been announced it.
    @inline(__always)
    func encode<T: Encodable>(_ value: borrowing T, into slot: CodableSlotRef) throws {
        let index = slot.count
        guard slot.depth < depthLimit else { throw tooDeep() }
        do {
            try value.encode(to: CodableOut(writer: self, slot: slot, index: index))
        } catch {
            // Somebody may go on as if nothing had happened.
            isBroken = true
            throw error
        }
        if slot.count == index { _ = slot.open(.record) }
    }

    /// Encodes a value into an empty tree.
    func encode<T: Encodable>(_ value: T, into tree: CodableTree) throws {
        if let leaf = CodableLeaf(value) ?? CodableSpecial.leaf(of: value) {
            if !tree.put(leaf) { refuse(tree.path) }
            return
        }
        treeDepth += 1
        defer { treeDepth -= 1 }
        guard tree.path.count < depthLimit, treeDepth < depthLimit * 2 else { throw tooDeep() }
        try value.encode(to: CodableTreeOut(writer: self, tree: tree))
        if isDeterministic, let type = T.self as? any HashedCollection.Type {
            tree.sortElements(areEntries: type.valueType != nil)
        }
    }

    /// Throws what a container had no way to throw.
    func throwFailure() throws {
        if let failure { throw failure }
    }

    // MARK: What can't be done

    /// Says that a value must go by way of trees.
    func breakOff() -> any Error {
        isBroken = true
        return CodableDetour()
    }

    /// An encoder that leads nowhere, where none can be given and nothing can be thrown.
    func detour(_ path: [any CodingKey]) -> CodableTreeOut {
        isBroken = true
        return CodableTreeOut(writer: self, tree: CodableTree(path: path))
    }

    /// Notes an encoder that was handed out.
    func expect(_ slot: CodableSlotRef) { pending.append((slot, slot.count)) }

    /// Notes that a value was encoded in two ways at one place.
    func refuse(_ path: [any CodingKey]) {
        failure =
            failure
            ?? EncodingFailure(
                .codable, at: CodingPath(path),
                "`encode(to:)` asks for a second container of another kind, or encodes a second value, at one place.")
    }

    private func tooDeep() -> EncodingFailure {
        let error = EncodingFailure(
            .tooDeep,
            "Codable values are nested more than \(depthLimit) deep. Make the nested type a Model class: references "
                + "between objects have no limit.")
        failure = failure ?? error
        return error
    }

    /// Whether a container may be opened at a depth; notes the failure if not.
    @inline(__always)
    func allows(depth: Int) -> Bool {
        if depth < depthLimit { return true }
        _ = tooDeep()
        return false
    }
}

/// Thrown through `encode(to:)` when a value must be encoded again, by way of trees.
struct CodableDetour: Error {}
