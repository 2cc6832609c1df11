// Room:   AmberModel / Codable. Codable values taken apart: one slot for each place in a type, its values side by side.
// Takes:  values in the order in which they are encoded. Gives: typed columns that coders write and read directly.
// Touches: the cells of Memory, which hold what changes with every value.

/// A place in a Codable type, such as `address.x0`, with the values of all instances that have one there.
package final class CodableSlot {
    /// The key of the slot in its record; empty in arrays, dictionaries and at the root.
    package let key: String
    /// The container that the slot is in.
    package private(set) unowned var parent: CodableVariant?
    /// The kinds of values met here, each with its own columns.
    package private(set) var variants: [CodableVariant] = []
    /// Which variant each value is, if there are several.
    package var tags: [UInt64] = []
    /// In a record: the records that have the key, if some don't.
    package private(set) var records: [UInt64]?
    /// The variant of the last value.
    private(set) var current: CodableVariant?
    let ref = CodableSlotRef()

    /// Reading only: the place of each value among those of its variant, if there are several variants.
    private var places: [Int] = []
    /// Reading only, in a record: the place of each record's value, or -1, if some have none.
    private(set) var ranks: [Int] = []

    package init(key: String, in parent: CodableVariant?) {
        self.key = key
        self.parent = parent
        ref.setOwner(self)
        ref.state.keyBits = CodableKeyBits(key)
        ref.state.depth = parent.map { $0.owner.ref.depth + 1 } ?? 0
    }

    deinit { ref.free() }

    /// How many values are complete or open.
    package var count: Int {
        get { ref.count }
        set { ref.count = newValue }
    }

    /// Adds a kind of values.
    package func add(_ kind: CodableKind) -> CodableVariant {
        let variant = CodableVariant(kind, in: self)
        variants.append(variant)
        (ref.state.kind, ref.state.only) = variants.count == 1 ? (kind, variant.ref) : (nil, nil)
        return variant
    }

    // MARK: Writing

    /// The variant of `kind`, for one value more.
    func next(_ kind: CodableKind) -> CodableVariant {
        ref.count += 1
        if variants.count == 1, let current, current.kind == kind { return current }
        // The kind that an earlier batch had here.
        if count == 1 { variants.removeAll() }
        let number: Int
        if let known = variants.firstIndex(where: { $0.kind == kind }) {
            number = known
        } else {
            _ = add(kind)
            number = variants.count - 1
            if number == 1 { tags = Array(repeating: 0, count: count - 1) }
        }
        if variants.count > 1 { tags.append(UInt64(number)) }
        current = variants[number]
        return variants[number]
    }

    /// Forgets all values, and the places that had none.
    func reset() {
        (ref.state.count, ref.state.started, ref.state.lastRecord) = (0, 0, -1)
        (ref.state.isSparse, records, tags) = (false, nil, [])
        if variants.count > 1 {
            variants.removeAll()
            current = nil
            (ref.state.kind, ref.state.only) = (nil, nil)
        }
        variants.first?.reset()
    }

    /// Appends a value of one word.
    func append(_ kind: CodableKind, _ bits: UInt64) {
        let variant = next(kind).ref
        if kind == .null { variant.count += 1 } else { variant.append(bits) }
    }

    /// Begins a container.
    func open(_ kind: CodableKind) -> CodableVariant {
        let variant = next(kind)
        variant.ref.open()
        return variant
    }

    /// Announces a value of a record, in which the key may have been passed over before; `false` if that has it.
    fileprivate func announce(in record: Int) -> Bool {
        guard ref.state.lastRecord < record, ref.state.started == count else { return false }
        if ref.state.started != record || ref.state.isSparse {
            if records == nil { records = (0..<ref.state.started).map { UInt64($0) } }
            records?.append(UInt64(record))
            ref.state.isSparse = true
        }
        ref.state.lastRecord = record
        ref.state.started += 1
        return true
    }

    // MARK: Reading

    /// Says which records have the key.
    package func setRecords(_ records: [UInt64]) {
        self.records = records
        ref.state.isSparse = true
        ranks = Array(repeating: -1, count: parent?.count ?? 0)
        for (rank, record) in records.enumerated() { ranks[Int(record)] = rank }
    }

    /// Works out where values are, when their tags are known.
    package func index() {
        var uses = Array(repeating: 0, count: variants.count)
        places = tags.map { tag in
            defer { uses[Int(tag)] += 1 }
            return uses[Int(tag)]
        }
    }

    func findSlowly(_ index: Int) -> (CodableVariantRef, Int) {
        (variants[Int(tags[index])].ref, places[index])
    }
}

extension CodableVariant {
    /// The slot of a key in the container that was begun last; `nil` if `index` is another one, or has the key.
    func begin(_ key: String, _ index: Int) -> CodableSlotRef? {
        guard count - 1 == index else { return nil }
        if kind == .map {
            guard let slot = ref.beginElement(index) else { return nil }
            ref.append(key)
            return slot
        }
        guard let slot = search(key), slot.announce(in: index) else { return nil }
        return slot.ref
    }
}
