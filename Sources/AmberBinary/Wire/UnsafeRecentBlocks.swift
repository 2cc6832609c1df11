// Room:   AmberBinary / Wire. Schema blocks of types used lately, found without a lock.
// Takes:  a type. Gives: its block, if its slot holds it.
// Touches: a table of atomic words.
//
// Invariants
// 1. A block put into a slot is never freed: the process-wide cache holds every block for ever. A slot's word is the
//    address of such a block, or zero.
// 2. A block knows its type; a slot that several types share is checked against it.

internal import AmberModel
internal import Synchronization

/// A small table in front of the cache of schema blocks.
@safe
struct RecentBlocks: ~Copyable, Sendable {
    private struct Slot: ~Copyable {
        let block = Atomic<UInt>(0)
    }

    private static let count = 256
    // Written with atomic operations only.
    private nonisolated(unsafe) let slots: UnsafeMutablePointer<Slot>

    init() {
        unsafe slots = .allocate(capacity: Self.count)
        for index in 0..<Self.count { unsafe (slots + index).initialize(to: Slot()) }
    }

    private func index(_ type: Any.Type) -> Int {
        let address = UInt(bitPattern: ObjectIdentifier(type))
        return Int((address >> 4) ^ (address >> 12)) & (Self.count - 1)
    }

    func block(for type: Any.Type) -> SchemaBlock? {
        let word = unsafe slots[index(type)].block.load(ordering: .acquiring)
        guard let address = unsafe UnsafeRawPointer(bitPattern: word) else { return nil }
        let block = unsafe Unmanaged<SchemaBlock>.fromOpaque(address).takeUnretainedValue()
        return block.plan.type == type ? block : nil
    }

    func remember(_ block: SchemaBlock, for type: Any.Type) {
        let address = unsafe UInt(bitPattern: Unmanaged.passUnretained(block).toOpaque())
        unsafe slots[index(type)].block.store(address, ordering: .releasing)
    }
}
