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
    package let userInfo: [CodingUserInfoKey: any Sendable]
    /// Whether dictionaries are sorted.
    let isDeterministic: Bool
    private let depthLimit: Int
    /// The values so far.
    package private(set) var root = CodableSlot(key: "", in: nil)
    /// Whether a value can't be taken apart while it is encoded.
    private(set) var isBroken = false
    private(set) var usesTrees = false
    /// What a container had no way to throw.
    private var failure: EncodingFailure?
    /// Encoders that were handed out and may never be used.
    private var pending: [(slot: CodableSlot, index: Int)] = []
    private var treeDepth = 0
    private var retired: CodableSlot?

    package init(userInfo: [CodingUserInfoKey: any Sendable], isDeterministic: Bool, depthLimit: Int) {
        self.userInfo = userInfo
        self.isDeterministic = isDeterministic
        self.depthLimit = depthLimit
    }

    /// Begins anew with trees.
    func restart() {
        // Containers that outlive their value may still look at their slots.
        retired = root
        root = CodableSlot(key: "", in: nil)
        (isBroken, usesTrees, pending, failure) = (false, true, [], nil)
    }

    /// Appends one value; `false` if the batch has to begin anew.
    func append<T: Encodable>(_ value: T) throws -> Bool {
        if usesTrees || isDeterministic {
            usesTrees = true
            let tree = CodableTree()
            treeDepth = 0
            try encode(value, into: tree)
            if let failure { throw failure }
            root.started += 1
            tree.replay(into: root, sortingMaps: isDeterministic)
            return true
        }
        do {
            root.started += 1
            try encode(value, into: root)
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
    func encode<T: Encodable>(_ value: T, into slot: CodableSlot) throws {
        let index = slot.count
        guard slot.depth < depthLimit else { throw tooDeep(slot.path(of: index)) }
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
        if let leaf = CodableSpecial.leaf(of: value) {
            if !tree.put(leaf) { refuse(tree.path) }
            return
        }
        treeDepth += 1
        defer { treeDepth -= 1 }
        guard tree.path.count < depthLimit, treeDepth < depthLimit * 2 else { throw tooDeep(tree.path) }
        try value.encode(to: CodableOut(writer: self, tree: tree))
    }

    // MARK: What can't be done

    /// Says that a value must go by way of trees.
    func breakOff() -> any Error {
        isBroken = true
        return CodableDetour()
    }

    /// Notes an encoder that was handed out.
    func expect(_ slot: CodableSlot) { pending.append((slot, slot.count)) }

    /// Notes that a value was encoded in two ways at one place.
    func refuse(_ path: [any CodingKey]) {
        failure = failure
            ?? EncodingFailure(
                .codable, at: CodingPath(path),
                "`encode(to:)` asks for a second container of another kind, or encodes a second value, at one place.")
    }

    func tooDeep(_ path: [any CodingKey]) -> EncodingFailure {
        let error = EncodingFailure(
            .tooDeep, at: CodingPath(Array(path.prefix(8))),
            "Codable values are nested more than \(depthLimit) deep. Make the nested type a Model class: references "
                + "between objects have no limit.")
        failure = failure ?? error
        return error
    }

    /// Whether a container may be opened at a depth; notes the failure if not.
    func allows(depth: Int, _ path: @autoclosure () -> [any CodingKey]) -> Bool {
        if depth < depthLimit { return true }
        _ = tooDeep(path())
        return false
    }
}

/// Thrown through `encode(to:)` when a value must be encoded again, by way of trees.
struct CodableDetour: Error {}
