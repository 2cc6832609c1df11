// Room:   AmberModel / Memory. A slot of Codable values, as those see it who append to it and read from it.
// Takes:  values in order; places. Gives: the slot's cell, its variants.
// Touches: the cell. Never the owner, but for what is rare.
//
// Invariants: those of UnsafeCodableCells.

/// A slot, for whoever holds its writer or reader.
@safe
struct CodableSlotRef {
    private let cell: UnsafeMutablePointer<CodableSlotCell>

    init() {
        unsafe cell = .allocate(capacity: 1)
        unsafe cell.initialize(to: CodableSlotCell())
    }

    /// Ties the cell to its owner, before anything else.
    func setOwner(_ owner: CodableSlot) { unsafe cell.pointee.owner = .passUnretained(owner) }

    /// Frees the cell: called by the owner's deinit alone.
    func free() {
        unsafe cell.deinitialize(count: 1)
        unsafe cell.deallocate()
    }

    /// What changes, for the slow ways.
    var state: CodableSlotCell {
        get { unsafe cell.pointee }
        nonmutating _modify { yield unsafe &cell.pointee }
    }

    var slot: CodableSlot { unsafe cell.pointee.owner.unsafelyUnwrapped.takeUnretainedValue() }
    @inline(__always) var count: Int {
        get { unsafe cell.pointee.count }
        nonmutating set { unsafe cell.pointee.count = newValue }
    }
    @inline(__always) var depth: Int { unsafe cell.pointee.depth }
    /// The variant of all values, if there is but one.
    @inline(__always) var only: CodableVariantRef? { unsafe cell.pointee.only }

    /// Appends a value of one word.
    @inline(__always)
    func append(_ kind: CodableKind, _ bits: UInt64) {
        if unsafe cell.pointee.kind == kind, kind != .null, let only = unsafe cell.pointee.only {
            unsafe cell.pointee.count &+= 1
            only.append(bits)
        } else {
            slot.append(kind, bits)
        }
    }

    @inline(__always)
    func append(_ string: String) {
        if unsafe cell.pointee.kind == .string, let only = unsafe cell.pointee.only {
            unsafe cell.pointee.count &+= 1
            only.append(string)
        } else {
            slot.next(.string).ref.append(string)
        }
    }

    /// Begins a container.
    @inline(__always)
    func open(_ kind: CodableKind) -> CodableVariantRef {
        if unsafe cell.pointee.kind == kind, let only = unsafe cell.pointee.only {
            unsafe cell.pointee.count &+= 1
            only.open()
            return only
        }
        return slot.open(kind).ref
    }

    /// Takes the next record of a slot that all records so far have; `false` if it isn't one, or the key is another.
    @inline(__always)
    func begin(_ key: CodableKeyBits, _ record: Int) -> Bool {
        guard unsafe cell.pointee.keyBits == key, unsafe cell.pointee.count == record,
            unsafe cell.pointee.started == record, unsafe !cell.pointee.isSparse
        else { return false }
        unsafe cell.pointee.started = record &+ 1
        unsafe cell.pointee.lastRecord = record
        return true
    }

    @inline(__always)
    func beginElement() -> Bool {
        guard unsafe cell.pointee.started == cell.pointee.count else { return false }
        unsafe cell.pointee.started &+= 1
        return true
    }

    @inline(__always)
    func has(_ key: CodableKeyBits) -> Bool { unsafe cell.pointee.keyBits == key }

    /// The variant of a value and its place there.
    @inline(__always)
    func find(_ index: Int) -> (CodableVariantRef, Int) {
        if let only = unsafe cell.pointee.only { return (only, index) }
        return slot.findSlowly(index)
    }

    /// The place of a record's value; -1 if it has none.
    @inline(__always)
    func rank(of record: Int) -> Int { unsafe cell.pointee.isSparse ? slot.ranks[record] : record }
}
