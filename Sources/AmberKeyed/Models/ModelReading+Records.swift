// Room:   AmberKeyed / Models. What stands under a key: nil, a value in the record itself, or another record.
// Takes:  a stored value. Gives: which of these it is, and its kind.
// Touches: the object table, reading.

import AmberModel
import Foundation

extension ModelReader {
    static func userKey(_ stored: String) -> String {
        stored.hasPrefix("$$") ? String(stored.dropFirst()) : stored
    }

    /// The number of the object that a value refers to; nil for nil.
    func target(of stored: PlistValue) throws(KeyedFailure) -> UInt32? {
        guard case .reference(let number) = stored else {
            throw failure(.typeMismatch, "Expected an object, found \(stored.kindName).")
        }
        return try isNil(stored) ? nil : number
    }

    /// Whether a value is nil: a reference to nothing, or to the object that stands for nil in collections.
    func isNil(_ stored: PlistValue) throws(KeyedFailure) -> Bool {
        guard case .reference(let number) = stored else { return false }
        guard Int(number) < coder.document.objects.count else {
            throw failure(.malformed, "Object \(number) is not in the archive.")
        }
        switch coder.document.objects[Int(number)] {
        case .string(ArchiveDocument.nullText): return true
        case .dictionary(let record): return try kind(of: record) == .null
        default: return false
        }
    }

    /// A value that stands in the record itself or is stored bare.
    func inline(_ stored: PlistValue) throws(KeyedFailure) -> PlistValue? {
        guard case .reference(let number) = stored else { return stored }
        guard Int(number) < coder.document.objects.count else {
            throw failure(.malformed, "Object \(number) is not in the archive.")
        }
        if case .dictionary = coder.document.objects[Int(number)] { return nil }
        return coder.document.objects[Int(number)]
    }

    func record(_ stored: PlistValue) throws(KeyedFailure) -> PlistDictionary? {
        guard case .reference(let number) = stored, Int(number) < coder.document.objects.count,
            case .dictionary(let record) = coder.document.objects[Int(number)]
        else { return nil }
        return record
    }

    func kind(of record: PlistDictionary) throws(KeyedFailure) -> FoundationKind? {
        try coder.classes.type(record[ArchiveKey.classReference], in: coder.document.objects, coder.resolver).kind
    }

    /// Counts a value: archives may name the same list often, and each naming costs its whole content.
    func count(depth: Int) throws(KeyedFailure) {
        values += 1
        guard values <= coder.limits.comparisons * 10 else {
            throw failure(.limitExceeded, "The archive expands to more values than the limits allow.")
        }
        guard depth <= coder.limits.depth else {
            throw failure(.limitExceeded, "Values are nested deeper than the limit of \(coder.limits.depth).")
        }
    }
}

extension ArchivingCoder {
    /// Whether values of a type are archived as an object of a Foundation class rather than by their parts.
    static func isFoundationValue(_ plan: ValuePlan) -> Bool {
        let type = plan.type
        return !plan.isOfProperty && isFoundationValue(type)
    }

    private static func isFoundationValue(_ type: Any.Type) -> Bool {
        type == URL.self || type == IndexSet.self || type == CGPoint.self || type == CGSize.self || type == CGRect.self
    }
}
