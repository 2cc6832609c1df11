// Room:   AmberKeyed / Models. Structs and enums by the names of their parts.
// Takes:  a dictionary or text of an archive. Gives: the properties that it has, or the case that it is.
// Touches: nothing but the object table, reading.

import AmberModel
import Foundation

extension ModelReader {
    /// The properties of a struct that a dictionary holds, by their indices.
    func fields(_ stored: PlistValue, _ structure: StructurePlan) throws(KeyedFailure) -> [(Int, Content)] {
        if let number = stored.reference, let known = migratedStructures[number] { return known }
        var entries: [(name: String, value: PlistValue)] = []
        var version = 0
        func add(_ name: String, _ value: PlistValue) throws(KeyedFailure) {
            if name == ArchivingCoder.versionKey, let number = try inline(value)?.integerValue {
                version = Int(number)
            } else {
                entries.append((name, value))
            }
        }
        if let record = try record(stored), try isNamed(record) {
            // An object of the struct's name: with its value, or, from a document, with its properties.
            if record.entries.count == 2, let value = record["value"], try isCollection(value) {
                return try fields(value, structure)
            }
            for entry in record.entries where entry.key != ArchiveKey.classReference {
                try add(Self.userKey(entry.key), entry.value)
            }
        } else {
            for pair in try pairs(stored) {
                if case .string(let name)? = try inline(pair.key) { try add(name, pair.value) }
            }
        }
        let name = structure.name ?? ""
        try check(version: version, of: name, known: structure.version)
        guard structure.migrations.apply(to: version, below: structure.version) else {
            return entries.compactMap { entry in place(of: entry.name, structure).map { ($0, .stored(entry.value)) } }
        }
        let migrated = try migrated(entries, from: version, to: structure.version, structure.migrations, name)
        let result = migrated.compactMap { entry in place(of: entry.name, structure).map { ($0, entry.content) } }
        if let number = stored.reference { migratedStructures[number] = result }
        return result
    }

    private func place(of name: String, _ structure: StructurePlan) -> Int? {
        let fields = structure.places.fields
        let index = fields.firstIndex { $0.name == name } ?? fields.firstIndex { $0.formerNames.contains(name) }
        return index.flatMap { fields[$0].destinations.contains(.keyed) ? $0 : nil }
    }

    /// Whether a record is of a class that isn't one here: of a struct's or enum's name.
    private func isNamed(_ record: PlistDictionary) throws(KeyedFailure) -> Bool {
        let archived = try coder.classes.type(
            record[ArchiveKey.classReference], in: coder.document.objects, coder.resolver)
        return archived.type == nil && PlanCache.shared.type(named: archived.name) != nil
    }

    /// The case of an enum, and its payload if it has one.
    func enumerationCase(
        _ stored: PlistValue, _ enumeration: EnumerationPlan
    ) throws(KeyedFailure) -> (EnumerationPlan.Case, (stored: PlistValue, plan: ValuePlan)?)? {
        var text: String?
        var payload: PlistValue?
        switch try inline(stored) {
        case .string(let name)?: text = name
        case let number? where number.integerValue != nil: text = number.integerValue.map { String($0) }
        case nil:
            let pairs = try pairs(stored)
            guard pairs.count == 1, case .string(let name)? = try inline(pairs[0].key) else { return nil }
            text = name
            payload = pairs[0].value
        default: return nil
        }
        guard
            let item = enumeration.cases.first(where: { $0.rawValue == text })
                ?? enumeration.cases.first(where: { $0.name == text })
        else { return nil }
        guard let plan = item.payload else { return (item, nil) }
        guard let payload else { return nil }
        return (item, (payload, plan))
    }

    /// A case that the enum doesn't have: as the case that stands for such, or in the one that keeps them.
    func unknownCase(
        _ stored: PlistValue, _ enumeration: EnumerationPlan, depth: Int
    ) throws(KeyedFailure) -> OpenedValue {
        var text: String?
        var payload: PlistValue?
        if case .string(let name)? = try inline(stored) {
            text = name
        } else if let pair = try? pairs(stored).first, case .string(let name)? = try inline(pair.key) {
            (text, payload) = (name, pair.value)
        }
        guard let text, !enumeration.cases.contains(where: { $0.name == text }) else {
            throw failure(.typeMismatch, "\(enumeration.name) has no such case.")
        }
        if let carrier = enumeration.carrier, let plan = enumeration.cases[carrier].payload {
            var item = DynamicCase(name: text, typeName: enumeration.name)
            if let payload { item.payload = DynamicValue(try dynamic(payload, depth: depth + 1)) }
            return .enumeration(name: enumeration.cases[carrier].name, rawValue: nil, payload: .init(item, plan))
        }
        if let fallback = enumeration.fallback { return .enumeration(name: fallback, rawValue: nil, payload: nil) }
        throw failure(
            .unknownCase,
            "The archive holds the case `\(text)`, which \(enumeration.name) doesn't have. Add it, or a case with a "
                + "`DynamicCase`, or read the archive with a program that has it.")
    }
}
