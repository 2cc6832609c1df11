// Room:   AmberModel / Memory. What changes with every Codable leaf, in memory that is reached without reference counts.
// Takes:  slots and variants, which own a cell each. Gives: references to cells that cost nothing to copy.
// Touches: the cells and the buffers of words in them.
//
// Invariants
// 1. A cell lives as long as the slot or variant that owns it. Those live as long as the writer or reader that made the
//    root (CodableWriter keeps the roots and places that it gave up, too), and whoever has a reference holds that.
// 2. A reference in a cell is to a cell whose owner the cell's own owner holds.
// 3. `words` has room for `capacity` words, the first `wordCount` of which are initialised.
// 4. `fields` has room for `fieldCount` slots, rounded up to a power of two and at least eight.
// 5. One thread uses the cells of a writer or reader.

/// What changes in a slot.
@safe
struct CodableSlotCell {
    /// How many values are complete or open.
    var count = 0
    /// How many values were announced: a container that is asked for later is announced first.
    var started = 0
    /// The last record that has the key.
    var lastRecord = -1
    /// The bits of the key: equal bits are equal keys.
    var keyBits = CodableKeyBits("")
    /// The variant of all values, if there is but one.
    var only: CodableVariantRef?
    /// The kind of that variant.
    var kind: CodableKind?
    /// Whether some records don't have the key.
    var isSparse = false
    /// How many containers the slot is in.
    var depth = 0
    var owner: Unmanaged<CodableSlot>?
}

/// What changes in a variant.
@safe
struct CodableVariantCell {
    /// Containers and nulls: how many.
    var count = 0
    /// Where the next key is likely to be.
    var cursor = 0
    var words: UnsafeMutablePointer<UInt64>?
    var wordCount = 0
    var capacity = 0
    fileprivate(set) var fields: UnsafeMutablePointer<CodableSlotRef>?
    fileprivate(set) var fieldCount = 0
    var element: CodableSlotRef?
    var strings: [String] = []
    /// The last type of keys, and whether they are values: those of `[String: T]` and of its kin.
    var keyType: ObjectIdentifier?
    var keyIsValue = false
    let kind: CodableKind
    var owner: Unmanaged<CodableVariant>?
}

/// The two words that a String is.
struct CodableKeyBits: Equatable {
    private let low: UInt64
    private let high: UInt64

    @inline(__always)
    init(_ key: String) {
        (low, high) = unsafe unsafeBitCast(key, to: (UInt64, UInt64).self)
    }
}

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
    fileprivate func begin(_ key: CodableKeyBits, _ record: Int) -> Bool {
        guard unsafe cell.pointee.keyBits == key, unsafe cell.pointee.count == record,
            unsafe cell.pointee.started == record, unsafe !cell.pointee.isSparse
        else { return false }
        unsafe cell.pointee.started = record &+ 1
        unsafe cell.pointee.lastRecord = record
        return true
    }

    @inline(__always)
    fileprivate func beginElement() -> Bool {
        guard unsafe cell.pointee.started == cell.pointee.count else { return false }
        unsafe cell.pointee.started &+= 1
        return true
    }

    @inline(__always)
    fileprivate func has(_ key: CodableKeyBits) -> Bool { unsafe cell.pointee.keyBits == key }

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

/// A variant, for whoever holds its writer or reader.
@safe
struct CodableVariantRef {
    private let cell: UnsafeMutablePointer<CodableVariantCell>

    init(_ kind: CodableKind) {
        unsafe cell = .allocate(capacity: 1)
        unsafe cell.initialize(to: CodableVariantCell(kind: kind))
    }

    /// Ties the cell to its owner, before anything else.
    func setOwner(_ owner: CodableVariant) { unsafe cell.pointee.owner = .passUnretained(owner) }

    /// Frees the cell and its words: called by the owner's deinit alone.
    func free() {
        unsafe cell.pointee.words?.deallocate()
        unsafe cell.pointee.fields?.deallocate()
        unsafe cell.deinitialize(count: 1)
        unsafe cell.deallocate()
    }

    /// What changes, for the slow ways.
    var state: CodableVariantCell {
        get { unsafe cell.pointee }
        nonmutating _modify { yield unsafe &cell.pointee }
    }

    var variant: CodableVariant { unsafe cell.pointee.owner.unsafelyUnwrapped.takeUnretainedValue() }
    @inline(__always) var kind: CodableKind { unsafe cell.pointee.kind }
    @inline(__always) var count: Int {
        get { unsafe cell.pointee.count }
        nonmutating set { unsafe cell.pointee.count = newValue }
    }
    var cursor: Int {
        get { unsafe cell.pointee.cursor }
        nonmutating set { unsafe cell.pointee.cursor = newValue }
    }

    // MARK: Writing

    /// Whether keys of a type are values.
    func isDictionary<Key: CodingKey>(_ type: Key.Type) -> Bool {
        if unsafe cell.pointee.keyType != ObjectIdentifier(type) {
            unsafe cell.pointee.keyType = ObjectIdentifier(type)
            unsafe cell.pointee.keyIsValue = isDictionaryKey(type)
        }
        return unsafe cell.pointee.keyIsValue
    }

    @inline(__always)
    func append(_ bits: UInt64) {
        let count = unsafe cell.pointee.wordCount
        if unsafe count == cell.pointee.capacity { reserve(max(count * 2, 8)) }
        unsafe cell.pointee.words.unsafelyUnwrapped[count] = bits
        unsafe cell.pointee.wordCount = count &+ 1
    }

    @inline(__always)
    func append(_ string: String) { unsafe cell.pointee.strings.append(string) }

    @inline(never)
    private func reserve(_ capacity: Int) {
        let grown = UnsafeMutablePointer<UInt64>.allocate(capacity: capacity)
        if let words = unsafe cell.pointee.words {
            unsafe grown.moveInitialize(from: words, count: cell.pointee.wordCount)
            unsafe words.deallocate()
        }
        unsafe cell.pointee.words = unsafe grown
        unsafe cell.pointee.capacity = capacity
    }

    /// Begins one container more.
    @inline(__always)
    func open() {
        unsafe cell.pointee.count &+= 1
        unsafe cell.pointee.cursor = 0
        if kind != .record { append(0) }
    }

    /// The slot of a key in the container that was begun last; `nil` if `index` is another one, or has the key.
    @inline(__always)
    func begin(_ key: String, _ index: Int) -> CodableSlotRef? {
        guard unsafe cell.pointee.count &- 1 == index else { return nil }
        let cursor = unsafe cell.pointee.cursor
        if unsafe cursor < cell.pointee.fieldCount {
            let field = unsafe cell.pointee.fields.unsafelyUnwrapped[cursor]
            if field.begin(CodableKeyBits(key), index) {
                unsafe cell.pointee.cursor = cursor &+ 1
                return field
            }
        }
        return variant.begin(key, index)
    }

    /// The slot of elements, for one more in the array that was begun last.
    @inline(__always)
    func beginElement(_ index: Int) -> CodableSlotRef? {
        guard unsafe cell.pointee.count &- 1 == index else { return nil }
        let element = unsafe cell.pointee.element ?? variant.makeElement()
        guard element.beginElement() else { return nil }
        // An array that is open has a count.
        if let words = unsafe cell.pointee.words { unsafe words[index] &+= 1 }
        return element
    }

    /// Forgets all values; their memory is kept.
    func reset() {
        (count, cursor) = (0, 0)
        unsafe cell.pointee.wordCount = 0
        unsafe cell.pointee.strings.removeAll(keepingCapacity: true)
    }

    /// Forgets the slots of keys.
    func removeFields() { unsafe cell.pointee.fieldCount = 0 }

    /// Adds the slot of another key.
    func add(_ field: CodableSlotRef) {
        let count = unsafe cell.pointee.fieldCount
        if count >= 8 ? count & (count - 1) == 0 : unsafe cell.pointee.fields == nil {
            let grown = UnsafeMutablePointer<CodableSlotRef>.allocate(capacity: max(count * 2, 8))
            if let fields = unsafe cell.pointee.fields {
                unsafe grown.moveInitialize(from: fields, count: count)
                unsafe fields.deallocate()
            }
            unsafe cell.pointee.fields = unsafe grown
        }
        unsafe (cell.pointee.fields.unsafelyUnwrapped + count).initialize(to: field)
        unsafe cell.pointee.fieldCount = count + 1
    }

    // MARK: Reading

    /// All words: values, or the counts of containers.
    var words: [UInt64] {
        get { unsafe Array(UnsafeBufferPointer(start: cell.pointee.words, count: cell.pointee.wordCount)) }
        nonmutating set {
            if unsafe cell.pointee.capacity < newValue.count {
                unsafe cell.pointee.wordCount = 0
                reserve(newValue.count)
            }
            unsafe cell.pointee.wordCount = newValue.count
            for (index, word) in newValue.enumerated() { unsafe cell.pointee.words.unsafelyUnwrapped[index] = word }
        }
    }

    @inline(__always)
    func word(_ index: Int) -> UInt64 {
        let count = unsafe cell.pointee.wordCount
        precondition(index >= 0 && index < count)
        return unsafe cell.pointee.words.unsafelyUnwrapped[index]
    }

    @inline(__always)
    func string(_ index: Int) -> String { unsafe cell.pointee.strings[index] }

    /// The slot of a key, whether or not all records have it.
    @inline(__always)
    func field(_ key: String) -> CodableSlotRef? {
        let (bits, cursor) = unsafe (CodableKeyBits(key), cell.pointee.cursor)
        if let fields = unsafe cell.pointee.fields, unsafe cursor < cell.pointee.fieldCount {
            if unsafe fields[cursor].has(bits) { return unsafe fields[cursor] }
            if unsafe cursor &+ 1 < cell.pointee.fieldCount, unsafe fields[cursor &+ 1].has(bits) {
                unsafe cell.pointee.cursor = cursor &+ 1
                return unsafe fields[cursor &+ 1]
            }
        }
        return variant.searchField(key)
    }
}
