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
    var fields: UnsafeMutablePointer<CodableSlotRef>?
    var fieldCount = 0
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
