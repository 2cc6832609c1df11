// Room:   AmberModel / Memory. A variant of Codable values, as those see it who append to it and read from it.
// Takes:  values in order; keys; places. Gives: values, slots of keys and elements.
// Touches: the cell and its buffers. Never the owner, but for what is rare.
//
// Invariants: those of UnsafeCodableCells.

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
