// Room:   AmberKeyed / Dynamic. A keyed archive read without the classes that it names.
// Takes:  an archive's object table. Gives: dynamic values; an object for every record that has an identity.
// Touches: nothing. Never: a class of the program.
//
// Objects are made when they are first referred to and filled from a queue: no depth of the graph nests anything here. What
// has no identity to lose is a value: text, numbers, dates, and collections that only one record refers to.

import AmberModel
import Foundation

/// Reads one archive.
final class DynamicReader {
    /// A class as the archive describes it.
    struct ClassRecord {
        var name: String
        var chain: [String]
        var hints: [String]
    }

    let document: ArchiveDocument
    let limits: DecodingLimits
    private var classes: [UInt32: ClassRecord] = [:]
    /// How many references lead to each object.
    private var uses: [Int32]
    private var objects: [UInt32: DynamicReference] = [:]
    private var queue: [(number: UInt32, object: DynamicObject)] = []
    /// Which objects somebody else makes. References to them stay empty until `resolve`.
    var isMadeElsewhere: (UInt32) -> Bool = { _ in false }
    /// Whether objects are references alone, for migrations. Collections that several refer to stay references, too: shown as
    /// values, lists of lists that are named again and again would grow beyond all bounds.
    var isMigrating = false
    private var filled = 0
    private var path: [String] = []
    /// How deep collections may stand in each other as values; deeper ones are objects.
    private static let depthLimit = 24

    init(_ document: ArchiveDocument, limits: DecodingLimits) {
        self.document = document
        self.limits = limits
        uses = Array(repeating: 0, count: document.objects.count)
    }

    /// The value of an entry at the top, with everything below it.
    func root(_ stored: PlistValue, key: String) throws(KeyedFailure) -> DynamicValue {
        path = [key]
        try count(stored)
        let root: DynamicValue
        if case .reference(let number) = stored {
            let found = try value(number, isProperty: false, depth: 0)
            // An object that stands for nil is more than nil.
            root = found.isNull ? try value(number, isProperty: true, depth: 0) : found
        } else {
            root = .any(try inline(stored))
        }
        try finish()
        return root
    }

    /// Fills the objects that were referred to.
    func finish() throws(KeyedFailure) {
        do throws(KeyedFailure) {
            while filled < queue.count {
                filled += 1
                try fill(queue[filled - 1].number, queue[filled - 1].object)
            }
        } catch {
            abandon()
            throw error
        }
    }

    /// Takes apart objects that refer to each other, which would hold each other for ever.
    func abandon() {
        for item in queue { item.object.values = ArchivedValues() }
    }

    /// Lets references lead to the objects that somebody else made.
    func resolve(_ object: (UInt32) -> AnyObject?) {
        for (number, reference) in objects where reference.object == nil { reference.object = object(number) }
    }

    func failure(_ code: KeyedFailure.Code, _ message: String) -> KeyedFailure {
        KeyedFailure(code, message, path: path)
    }

    // MARK: The object table

    /// Counts the references to every object that can be reached.
    func count(_ stored: PlistValue) throws(KeyedFailure) {
        var pending: [PlistValue] = [stored]
        while let value = pending.popLast() {
            switch value {
            case .reference(let number):
                guard Int(number) < uses.count else {
                    throw failure(.malformed, "Object \(number) is not in the archive.")
                }
                if uses[Int(number)] < Int32.max { uses[Int(number)] += 1 }
                guard uses[Int(number)] == 1, case .dictionary(let record) = document.objects[Int(number)] else {
                    continue
                }
                for entry in record.entries where entry.key != ArchiveKey.classReference { pending.append(entry.value) }
            case .array(let values): pending += values
            case .dictionary(let dictionary): for entry in dictionary.entries { pending.append(entry.value) }
            default: break
            }
        }
    }

    private func classRecord(_ record: PlistDictionary) throws(KeyedFailure) -> ClassRecord {
        guard case .reference(let number)? = record[ArchiveKey.classReference] else {
            throw failure(.malformed, "An object's $class is not a reference.")
        }
        if let known = classes[number] { return known }
        guard number < document.objects.count, case .dictionary(let described) = document.objects[Int(number)],
            case .string(let name)? = described["$classname"]
        else {
            throw failure(.malformed, "An object's $class refers to nothing that describes a class.")
        }
        let found = ClassRecord(
            name: name, chain: described["$classes"]?.array?.compactMap(\.string) ?? [],
            hints: described["$classhints"]?.array?.compactMap(\.string) ?? [])
        classes[number] = found
        return found
    }

    // MARK: Values

    /// The value of an object. A property tells a number that is an object from one that stands in the record.
    func value(_ number: UInt32, isProperty: Bool, depth: Int) throws(KeyedFailure) -> DynamicValue {
        guard Int(number) < document.objects.count else {
            throw failure(.malformed, "Object \(number) is not in the archive.")
        }
        switch document.objects[Int(number)] {
        case .string(ArchiveDocument.nullText): return .null
        case .dictionary(let record):
            let type = try classRecord(record)
            if let leaf = try leaf(record, type, isProperty, depth) { return leaf }
            if uses[Int(number)] <= 1, depth < Self.depthLimit {
                if let collection = try collection(record, type, depth) { return collection }
                if let named = try namedValue(record, type, depth) { return named }
            }
            return .object(object(number, type))
        case .array, .reference:
            throw failure(.malformed, "Object \(number) is nothing that an object is stored as.")
        case let bare:
            let value = try scalar(bare)
            switch bare {
            case .string, .data, .date: return value
            default:
                return isProperty
                    ? .any(DynamicAny(typeName: FoundationForms.number, value: value, origin: nil)) : value
            }
        }
    }

    func uses(of stored: PlistValue) -> Int32 { stored.reference.map { uses[Int($0)] } ?? 0 }

    private func object(_ number: UInt32, _ type: ClassRecord) -> DynamicReference {
        if let known = objects[number] { return known }
        if isMigrating || isMadeElsewhere(number) {
            let reference = DynamicReference(number: Int(number))
            objects[number] = reference
            return reference
        }
        let object = DynamicObject(className: type.name)
        let reference = DynamicReference(object)
        objects[number] = reference
        queue.append((number, object))
        return reference
    }

    /// A number, text, date or data that stands bare.
    func scalar(_ stored: PlistValue) throws(KeyedFailure) -> DynamicValue {
        switch stored {
        case .bool(let value): return .value(value)
        case .integer(let value): return .value(Int(value))
        case .unsigned(let value): return .value(UInt(value))
        case .float(let value): return .value(value)
        case .double(let value): return .value(value)
        case .date(let seconds): return .value(Date(timeIntervalSinceReferenceDate: seconds))
        case .data(let data): return .value(data)
        case .string(let text): return .value(text)
        case .reference, .array, .dictionary: throw failure(.malformed, "A value stands where none can.")
        }
    }

    /// What stands in a record itself, where it isn't a number.
    private func inline(_ stored: PlistValue) throws(KeyedFailure) -> DynamicAny {
        let value: DynamicValue
        switch stored {
        case .array(let values):
            var list: [DynamicValue] = []
            for value in values { list.append(try property(value)) }
            value = .array(list)
        case .dictionary(let dictionary):
            var pairs: [(key: DynamicValue, value: DynamicValue)] = []
            for entry in dictionary.entries { pairs.append((.value(entry.key), try property(entry.value))) }
            value = .dictionary(pairs)
        default: value = try scalar(stored)
        }
        return DynamicAny(typeName: FoundationForms.inline, value: value, origin: nil)
    }

    /// The value of an entry of a record, or of a list in one.
    func property(_ stored: PlistValue) throws(KeyedFailure) -> DynamicValue {
        switch stored {
        case .reference(let number): return try value(number, isProperty: true, depth: 0)
        case .bool, .integer, .unsigned, .float, .double: return try scalar(stored)
        default: return .any(try inline(stored))
        }
    }

    /// The elements of a collection, none of which may be nil.
    func elements(_ stored: [PlistValue], depth: Int) throws(KeyedFailure) -> [DynamicValue] {
        var result: [DynamicValue] = []
        result.reserveCapacity(stored.count)
        for (index, element) in stored.enumerated() {
            path.append("[\(index)]")
            defer { path.removeLast() }
            guard case .reference(let number) = element else {
                throw failure(.typeMismatch, "A collection holds \(element.kindName), not references.")
            }
            guard Int(number) < document.objects.count, document.objects[Int(number)].string != ArchiveDocument.nullText
            else {
                throw failure(.malformed, "A collection holds nil.")
            }
            result.append(try value(number, isProperty: false, depth: depth + 1))
        }
        return result
    }

    // MARK: Objects

    private func fill(_ number: UInt32, _ object: DynamicObject) throws(KeyedFailure) {
        guard case .dictionary(let record) = document.objects[Int(number)] else { return }
        let type = try classRecord(record)
        path = [type.name]
        let isCollection = DynamicForms.isCollection(type.name)
        var values: [(name: String, value: DynamicValue)] = []
        for entry in record.entries where entry.key != ArchiveKey.classReference {
            path = [type.name, entry.key]
            if entry.key == ArchivingCoder.versionKey, case .reference(let number) = entry.value,
                case .integer(let version) = document.objects[Int(number)], version > 0,
                let version = Int(exactly: version)
            {
                object.version = version
                continue
            }
            let name = DynamicNames.name(ofStored: entry.key)
            if isCollection, case .array(let stored) = entry.value {
                values.append((name, .array(try elements(stored, depth: 0))))
            } else {
                values.append((name, try property(entry.value)))
            }
        }
        if !DynamicForms.isUsual(type.chain, for: type.name) {
            values.append((DynamicNames.classChain, .array(type.chain.map { .value($0) })))
        }
        if !type.hints.isEmpty {
            values.append((DynamicNames.classHints, .array(type.hints.map { .value($0) })))
        }
        object.values = ArchivedValues(values)
    }
}
