// Room:   AmberModel / Codable. The values of one kind in a slot.
// Takes:  values, keys. Gives: columns, and slots for what containers have in them.
// Touches: the cells of Memory, which hold what changes with every value.

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
    /// Whether values are keyed containers.
    var isKeyed: Bool { self == .record || self == .map }
}

/// The values of one kind in a slot.
package final class CodableVariant {
    package let kind: CodableKind
    package unowned let owner: CodableSlot
    /// Values of fixed width that take more than a word.
    package var bytes: [UInt8] = []
    package var data: [Data] = []
    /// Records: a slot for each key that any of them has.
    package private(set) var fields: [CodableSlot] = []
    /// Arrays and dictionaries: the slot of all elements.
    package private(set) var element: CodableSlot?
    /// The places of keys, for those that come out of order.
    private var places: [String: Int] = [:]
    /// Reading only: where the elements of each array begin.
    private(set) var starts: [Int] = []
    let ref: CodableVariantRef
    /// Reading only: the places of keys in the dictionary that was searched last.
    private var searched: (map: Int, places: [String: Int])?

    /// Records with more keys than this are dictionaries.
    static let fieldLimit = 512

    package init(_ kind: CodableKind, in owner: CodableSlot) {
        self.kind = kind
        self.owner = owner
        ref = CodableVariantRef(kind)
        ref.setOwner(self)
    }

    deinit { ref.free() }

    /// Containers and nulls: how many.
    package var count: Int {
        get { ref.count }
        set { ref.count = newValue }
    }

    /// Values of one word: integers extended to 64 bits, the bits of floats; how many elements each container has.
    package var words: [UInt64] {
        get { ref.words }
        set { ref.words = newValue }
    }

    /// Strings, and the keys of dictionaries.
    package var strings: [String] {
        get { ref.state.strings }
        set { ref.state.strings = newValue }
    }

    /// How many values there are.
    package var valueCount: Int {
        switch kind {
        case .null, .array, .record, .map: count
        case .string: ref.state.strings.count
        case .data: data.count
        default: kind.isWord ? ref.state.wordCount : bytes.count / (kind.scalar?.size ?? 1)
        }
    }

    /// Adds a key.
    package func addField(_ key: String) -> CodableSlot {
        let slot = CodableSlot(key: key, in: self)
        fields.append(slot)
        ref.add(slot.ref)
        return slot
    }

    /// Adds the slot of elements.
    @discardableResult
    package func addElement() -> CodableSlot {
        let slot = CodableSlot(key: "", in: self)
        element = slot
        ref.state.element = slot.ref
        return slot
    }

    func makeElement() -> CodableSlotRef { addElement().ref }

    // MARK: Writing

    /// Forgets all values, and the keys that had none.
    func reset() {
        if fields.contains(where: { $0.count == 0 }) {
            let used = fields.filter { $0.count > 0 }
            fields.removeAll()
            places.removeAll()
            ref.removeFields()
            for field in used {
                places[field.key] = fields.count
                fields.append(field)
                ref.add(field.ref)
            }
        }
        for field in fields { field.reset() }
        if element?.count == 0 {
            element = nil
            ref.state.element = nil
        }
        element?.reset()
        (bytes, data) = ([], [])
        ref.reset()
    }

    /// The slot of a key that didn't come where it was expected; `nil` if there is no room for another one.
    func search(_ key: String) -> CodableSlot? {
        // Most often some keys were passed over.
        for place in ref.cursor..<max(ref.cursor, min(ref.cursor + 4, fields.count)) where fields[place].key == key {
            ref.cursor = place + 1
            return fields[place]
        }
        if let place = places[key] {
            ref.cursor = place + 1
            return fields[place]
        }
        guard fields.count < Self.fieldLimit else { return nil }
        places[key] = fields.count
        ref.cursor = fields.count + 1
        return addField(key)
    }

    /// Whether a record can have all of the keys.
    func hasRoom(for wanted: [String]) -> Bool {
        fields.count + wanted.count <= Self.fieldLimit
            || fields.count + wanted.count(where: { places[$0] == nil }) <= Self.fieldLimit
    }

    // MARK: Reading

    /// Works out where elements begin, when all counts are read.
    package func index() {
        var next = 0
        starts = words.map { count in
            defer { next += Int(count) }
            return next
        }
        starts.append(next)
    }

    func searchField(_ key: String) -> CodableSlotRef? {
        if let first = fields.first, first.key == key {
            ref.cursor = 0
            return first.ref
        }
        if places.isEmpty {
            for (place, field) in fields.enumerated() { places[field.key] = place }
        }
        guard let place = places[key] else { return nil }
        ref.cursor = place
        return fields[place].ref
    }

    /// The place of a dictionary's value among the elements.
    func entry(_ key: String, of map: Int) -> Int? {
        let range = starts[map]..<starts[map + 1]
        let cursor = ref.cursor
        // A key that comes twice has the last value: only a search finds that.
        if let searched, searched.map == map {
            return searched.places[key]
        }
        for place in [cursor, cursor + 1, range.lowerBound] where range.contains(place) && ref.string(place) == key {
            ref.cursor = place
            if hasUniqueKeys { return place }
        }
        searched = (map, Dictionary(zip(strings[range], range), uniquingKeysWith: { $1 }))
        return searched?.places[key]
    }

    private lazy var hasUniqueKeys = zip(starts, starts.dropFirst()).allSatisfy {
        Set(strings[$0..<$1]).count == $1 - $0
    }

    /// The keys of a container, in the order in which they were encoded.
    func keys(of index: Int) -> [String] {
        guard kind == .map else { return fields.filter { $0.ref.rank(of: index) >= 0 }.map(\.key) }
        var seen: Set<String> = []
        return strings[starts[index]..<starts[index + 1]].filter { seen.insert($0).inserted }
    }
}

/// The standard library's keys of dictionaries; it has no name for them outside.
func isDictionaryKey(_ type: any CodingKey.Type) -> Bool {
    _typeName(type) == "Swift._DictionaryCodingKey"
}
