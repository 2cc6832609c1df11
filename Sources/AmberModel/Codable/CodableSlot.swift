// Room:   AmberModel / Codable. Codable values taken apart: one slot for each place in a type, its values side by side.
// Takes:  values in the order in which they are encoded. Gives: typed columns that coders write and read directly.
// Touches: nothing.

package import Foundation

/// What a Codable value is made of.
package enum CodableKind: UInt8, Sendable {
    case bool = 1
    case int8, int16, int32, int64
    case uint8, uint16, uint32, uint64
    case int128, uint128
    case float32, float64
    case date, uuid, decimal
    case null, string, data
    /// An unkeyed container.
    case array
    /// A keyed container whose keys are its type's.
    case record
    /// A keyed container whose keys are values themselves: a dictionary.
    case map

    /// The number that values of this kind are in memory, if they are numbers.
    package var scalar: ScalarKind? { ScalarKind(rawValue: rawValue) }
    /// Whether values are kept as one word.
    package var isWord: Bool { rawValue <= CodableKind.date.rawValue && self != .int128 && self != .uint128 }
    /// Whether values are integers of at most 64 bits.
    package var isInteger: Bool { rawValue <= CodableKind.uint64.rawValue }
    /// Whether values are integers of at most 64 bits with a sign.
    package var isSigned: Bool {
        rawValue >= CodableKind.int8.rawValue && rawValue <= CodableKind.int64.rawValue
    }
}

/// A place in a Codable type, such as `address.x0`, with the values of all instances that have one there.
package final class CodableSlot {
    /// The key of the slot in its record; empty in arrays, dictionaries and at the root.
    package let key: String
    /// The container that the slot is in.
    package private(set) unowned var parent: CodableVariant?
    package let depth: Int
    /// How many values are complete or open.
    package var count = 0
    /// How many values were announced: a container that is asked for later is announced first.
    var started = 0
    /// The kinds of values met here, each with its own columns.
    package var variants: [CodableVariant] = []
    /// Which variant each value is, if there are several.
    package var tags: [UInt64] = []
    /// In a record: the records that have the key, if some don't.
    package var records: [UInt64]?
    /// The last record that has the key.
    var lastRecord = -1
    /// The variant of the last value.
    var current: CodableVariant?
    private var isUniform = true

    /// Where a value goes that is not taken apart at once.
    let tree: CodableTree?

    /// Reading only: the place of each value among those of its variant, if there are several variants.
    private(set) var places: [Int] = []
    /// Reading only, in a record: the place of each record's value, or -1, if some have none.
    private(set) var ranks: [Int]?

    package init(key: String, in parent: CodableVariant?) {
        self.key = key
        self.parent = parent
        depth = (parent?.owner.depth ?? -1) + 1
        tree = nil
    }

    /// A slot that stands for a place in a tree.
    init(tree: CodableTree?) {
        key = ""
        depth = 0
        self.tree = tree
    }

    // MARK: Writing

    /// The variant of `kind`, for one value more.
    @inline(__always)
    func next(_ kind: CodableKind) -> CodableVariant {
        count &+= 1
        if isUniform, let current, current.kind == kind { return current }
        return turn(to: kind)
    }

    @inline(never)
    private func turn(to kind: CodableKind) -> CodableVariant {
        let number = variants.firstIndex { $0.kind == kind } ?? add(kind)
        if !isUniform { tags.append(UInt64(number)) }
        current = variants[number]
        return variants[number]
    }

    private func add(_ kind: CodableKind) -> Int {
        variants.append(CodableVariant(kind, in: self))
        if variants.count == 2 {
            isUniform = false
            tags = Array(repeating: 0, count: count - 1)
        }
        return variants.count - 1
    }

    /// Appends a value of one word.
    @inline(__always)
    func append(_ kind: CodableKind, _ bits: UInt64) {
        let variant = next(kind)
        if kind == .null { variant.count &+= 1 } else { variant.words.append(bits) }
    }

    /// Begins a container.
    @inline(__always)
    func open(_ kind: CodableKind) -> CodableVariant {
        let variant = next(kind)
        variant.count &+= 1
        variant.cursor = 0
        if kind != .record { variant.counts.append(0) }
        return variant
    }

    // MARK: Reading

    /// Works out where values are, when all columns are read.
    package func index() {
        if variants.count > 1 {
            var uses = Array(repeating: 0, count: variants.count)
            places = tags.map { tag in
                defer { uses[Int(tag)] += 1 }
                return uses[Int(tag)]
            }
        }
        if let records, let parent {
            var ranks = Array(repeating: -1, count: parent.count)
            for (rank, record) in records.enumerated() { ranks[Int(record)] = rank }
            self.ranks = ranks
        }
    }

    /// The variant of a value and its place there.
    @inline(__always)
    func find(_ index: Int) -> (CodableVariant, Int) {
        if variants.count == 1 { return (variants[0], index) }
        return (variants[Int(tags[index])], places[index])
    }

    /// The place of a record's value; -1 if it has none.
    @inline(__always)
    func rank(of record: Int) -> Int {
        if let ranks { return ranks[record] }
        return record
    }
}

/// The values of one kind in a slot.
package final class CodableVariant {
    package let kind: CodableKind
    package unowned let owner: CodableSlot
    /// Containers and nulls: how many.
    package var count = 0
    /// Values of one word: integers extended to 64 bits, the bits of floats.
    package var words: [UInt64] = []
    /// Values of fixed width that take more than a word.
    package var bytes: [UInt8] = []
    package var strings: [String] = []
    package var data: [Data] = []
    /// Arrays and dictionaries: how many elements each has. The keys of dictionaries are in `strings`.
    package var counts: [UInt64] = []
    package var element: CodableSlot?
    /// Records: a slot for each key that any of them has.
    package var fields: [CodableSlot] = []
    /// Where the next key is likely to be.
    var cursor = 0
    /// The places of keys, for those that come out of order.
    private var keys: [String: Int] = [:]
    /// Reading only: where the elements of each array begin.
    private(set) var starts: [Int] = []
    /// Where values go when they aren't taken apart at once.
    let tree: CodableTree?
    private var keyType: ObjectIdentifier?
    private var keyTypeIsDictionary = false
    /// Reading only: the keys of the dictionary that was searched last.
    private var searched: (map: Int, keys: [String: Int])?

    /// Records with more keys than this are dictionaries.
    static let fieldLimit = 512

    package init(_ kind: CodableKind, in owner: CodableSlot, tree: CodableTree? = nil) {
        self.kind = kind
        self.owner = owner
        self.tree = tree
    }

    /// How many values there are.
    package var valueCount: Int {
        switch kind {
        case .null, .array, .record, .map: count
        case .string: strings.count
        case .data: data.count
        default: kind.isWord ? words.count : bytes.count / (kind.scalar?.size ?? 1)
        }
    }

    // MARK: Writing

    /// The slot of a key in the container that was begun last; `nil` if `index` is another one, or has the key.
    @inline(__always)
    func begin(_ key: String, _ index: Int) -> CodableSlot? {
        guard count &- 1 == index else { return nil }
        if kind == .map { return beginEntry(key) }
        let slot: CodableSlot
        if cursor < fields.count, fields[cursor].key == key {
            slot = fields[cursor]
            cursor &+= 1
        } else {
            guard let found = search(key) else { return nil }
            slot = found
        }
        guard slot.lastRecord < index, slot.started == slot.count else { return nil }
        if slot.started != index || slot.records != nil { slot.noteGap(before: index) }
        slot.lastRecord = index
        slot.started &+= 1
        return slot
    }

    @inline(never)
    private func search(_ key: String) -> CodableSlot? {
        if let place = keys[key] {
            cursor = place + 1
            return fields[place]
        }
        guard fields.count < Self.fieldLimit else { return nil }
        let slot = CodableSlot(key: key, in: self)
        keys[key] = fields.count
        fields.append(slot)
        cursor = fields.count
        return slot
    }

    /// Whether a record can have all of the keys.
    func hasRoom(for wanted: [String]) -> Bool {
        fields.count + wanted.count <= Self.fieldLimit
            || fields.count + wanted.count(where: { keys[$0] == nil }) <= Self.fieldLimit
    }

    private func beginEntry(_ key: String) -> CodableSlot? {
        guard let slot = beginElement(count - 1) else { return nil }
        strings.append(key)
        return slot
    }

    /// The slot of elements, for one more in the array that was begun last.
    @inline(__always)
    func beginElement(_ index: Int) -> CodableSlot? {
        guard count &- 1 == index else { return nil }
        let slot = element ?? makeElement()
        guard slot.started == slot.count else { return nil }
        slot.started &+= 1
        counts[index] &+= 1
        return slot
    }

    private func makeElement() -> CodableSlot {
        let slot = CodableSlot(key: "", in: self)
        element = slot
        return slot
    }

    /// Whether keys of a type are values: those of `[String: T]` and of its kin.
    func isDictionary<Key: CodingKey>(_ type: Key.Type) -> Bool {
        if keyType != ObjectIdentifier(type) {
            keyType = ObjectIdentifier(type)
            keyTypeIsDictionary = isDictionaryKey(type)
        }
        return keyTypeIsDictionary
    }

    // MARK: Reading

    /// Works out where elements begin, when all columns are read.
    package func index() {
        guard kind == .array || kind == .map else { return }
        var next = 0
        starts = counts.map { count in
            defer { next += Int(count) }
            return next
        }
        starts.append(next)
    }

    /// The slot of a key, whether or not all records have it.
    @inline(__always)
    func field(_ key: String) -> CodableSlot? {
        if cursor < fields.count {
            if fields[cursor].key == key { return fields[cursor] }
            if cursor &+ 1 < fields.count, fields[cursor &+ 1].key == key {
                cursor &+= 1
                return fields[cursor]
            }
        }
        return searchField(key)
    }

    @inline(never)
    private func searchField(_ key: String) -> CodableSlot? {
        if let first = fields.first, first.key == key {
            cursor = 0
            return first
        }
        if keys.isEmpty {
            for (place, field) in fields.enumerated() { keys[field.key] = place }
        }
        guard let place = keys[key] else { return nil }
        cursor = place
        return fields[place]
    }

    /// The place of a dictionary's value among the elements.
    func entry(_ key: String, of map: Int) -> Int? {
        let range = starts[map]..<starts[map + 1]
        for place in [cursor, cursor + 1, range.lowerBound] where range.contains(place) && strings[place] == key {
            cursor = place
            return place
        }
        if searched?.map != map {
            searched = (map, Dictionary(zip(strings[range], range), uniquingKeysWith: { $1 }))
        }
        guard let place = searched?.keys[key] else { return nil }
        cursor = place
        return place
    }
}

extension CodableSlot {
    /// Remembers which records have the key, now that some have not.
    @inline(never)
    fileprivate func noteGap(before record: Int) {
        if records == nil { records = (0..<started).map { UInt64($0) } }
        records?.append(UInt64(record))
    }
}

/// The standard library's keys of dictionaries; it has no name for them outside.
func isDictionaryKey(_ type: any CodingKey.Type) -> Bool {
    _typeName(type) == "Swift._DictionaryCodingKey"
}
