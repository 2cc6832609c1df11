// Room:   AmberKeyed / Coders. A collection or an unknown object while its contents are being decoded.
// Takes:  its record, then its elements one by one. Gives: the next element to decode; at the end the parts.
// Touches: nothing else.

import Foundation

struct ContainerBuild {
    enum Shape {
        case array, mutableArray, dictionary, mutableDictionary, set, mutableSet, countedSet
        case orderedSet, mutableOrderedSet, unknown

        init?(_ kind: FoundationKind) {
            switch kind {
            case .array: self = .array
            case .mutableArray: self = .mutableArray
            case .dictionary: self = .dictionary
            case .mutableDictionary: self = .mutableDictionary
            case .set: self = .set
            case .mutableSet: self = .mutableSet
            case .countedSet: self = .countedSet
            case .orderedSet: self = .orderedSet
            case .mutableOrderedSet: self = .mutableOrderedSet
            default: return nil
            }
        }
    }

    let number: Int
    let shape: Shape
    let record: PlistDictionary
    private let references: [UInt32]
    private var next = 0
    private(set) var children: [AnyObject] = []
    private(set) var height = 0
    private(set) var expansion = 1
    /// The hashed children that are containers themselves, and all that a walk through them would meet.
    private(set) var containers = 0
    private(set) var containerExpansion = 0
    /// An object that was handed out before this container was finished.
    private(set) var handedOut: AnyObject?

    /// Stands for nil among the children of an unknown object.
    static let noObject = NSNull()

    /// An expansion without end: of a container that holds itself.
    static let endless = 1 << 40

    static func sum(_ left: Int, _ right: Int) -> Int {
        min(left + right, endless)
    }

    /// A collection: its elements' references, of either dialect.
    init(_ number: Int, _ shape: Shape, _ record: PlistDictionary) throws(KeyedFailure) {
        self.number = number
        self.shape = shape
        self.record = record
        switch shape {
        case .dictionary, .mutableDictionary:
            let keys = try Self.references(record, "NS.keys", "NS.key.")
            let values = try Self.references(record, "NS.objects", "NS.object.")
            guard keys.count == values.count else {
                throw KeyedFailure(
                    .malformed, "A dictionary has \(keys.count) keys and \(values.count) values.")
            }
            references = keys + values
        case .countedSet:
            references = try Self.numbered(record, "NS.object")
            if let count = record["NS.count"]?.integerValue, count != references.count {
                throw KeyedFailure(
                    .malformed, "A counted set of \(count) objects has \(references.count).")
            }
        default:
            references = try Self.references(record, "NS.objects", "NS.object.")
        }
        children.reserveCapacity(references.count)
    }

    /// An object of an unknown class: every reference in its record.
    init(_ number: Int, _ object: ArchivedObject, _ record: PlistDictionary) {
        self.number = number
        shape = .unknown
        self.record = record
        handedOut = object
        var found: [UInt32] = []
        for entry in record.entries where entry.key != ArchiveKey.classReference {
            Self.collect(entry.value, into: &found)
        }
        references = found
    }

    // The nesting of values within a record is bounded by the property list's reader.
    private static func collect(_ value: PlistValue, into found: inout [UInt32]) {
        switch value {
        case .reference(let number): found.append(number)
        case .array(let values): for value in values { collect(value, into: &found) }
        case .dictionary(let dictionary): for entry in dictionary.entries { collect(entry.value, into: &found) }
        default: break
        }
    }

    private static func references(
        _ record: PlistDictionary, _ key: String, _ prefix: String
    ) throws(KeyedFailure) -> [UInt32] {
        guard let value = record[key] else { return try numbered(record, prefix) }
        guard case .array(let values) = value else {
            throw KeyedFailure(.typeMismatch, "\(key) is \(value.kindName), not an array.")
        }
        var references: [UInt32] = []
        references.reserveCapacity(values.count)
        for value in values {
            guard case .reference(let number) = value else {
                throw KeyedFailure(.typeMismatch, "\(key) holds \(value.kindName), not references.")
            }
            references.append(number)
        }
        return references
    }

    /// The references under numbered keys, as coders other than NSKeyedArchiver write them.
    private static func numbered(_ record: PlistDictionary, _ prefix: String) throws(KeyedFailure) -> [UInt32] {
        var found: [Int: UInt32] = [:]
        for entry in record.entries where entry.key.hasPrefix(prefix) {
            guard let index = Int(entry.key.dropFirst(prefix.count)) else { continue }
            guard case .reference(let number) = entry.value else {
                throw KeyedFailure(.typeMismatch, "\(entry.key) is \(entry.value.kindName), not a reference.")
            }
            found[index] = number
        }
        var references: [UInt32] = []
        references.reserveCapacity(found.count)
        while let number = found[references.count] { references.append(number) }
        guard references.count == found.count else {
            throw KeyedFailure(
                .malformed, "\(prefix)\(references.count) is missing, though later ones are there.")
        }
        return references
    }

    var allowsNil: Bool { shape == .unknown }

    /// The step of a coding path that leads to the element that is being decoded.
    var step: String { "[\(max(next - 1, 0))]" }

    mutating func nextReference() -> UInt32? {
        guard next < references.count else { return nil }
        next += 1
        return references[next - 1]
    }

    mutating func add(_ object: AnyObject, height below: Int32, expansion size: Int) {
        children.append(object)
        height = max(height, Int(below))
        expansion = Self.sum(expansion, size)
        // Only what a collection hashes is ever compared: of a dictionary the keys, which come first.
        let isValue = (shape == .dictionary || shape == .mutableDictionary) && children.count > references.count / 2
        if size > 1, !isValue {
            containers += 1
            containerExpansion = Self.sum(containerExpansion, size)
        }
    }

    mutating func addNil() {
        children.append(Self.noObject)
    }

    /// An object that stands for this container until it is finished, and is then filled: a mutable one, which is a
    /// kind of the immutable one that was asked for.
    mutating func standIn() -> AnyObject? {
        if let handedOut { return handedOut }
        switch shape {
        case .array, .mutableArray: handedOut = NSMutableArray()
        case .dictionary, .mutableDictionary: handedOut = NSMutableDictionary()
        case .set, .mutableSet: handedOut = NSMutableSet()
        case .countedSet: handedOut = NSCountedSet()
        case .orderedSet, .mutableOrderedSet: handedOut = NSMutableOrderedSet()
        case .unknown: break
        }
        return handedOut
    }
}
