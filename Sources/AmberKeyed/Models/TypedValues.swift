// Room:   AmberKeyed / Models. Values in existentials whose type no class of Foundation's tells.
// Takes:  a plan; or the name of a type and a value from an archive. Gives: whether the type must be named; the type.
// Touches: nothing.
//
// Numbers, text, dates and the collections of them stand as code written by hand would put them, so that programs without
// this library read them; any other value stands in a record of its type's name.

import AmberModel
import Foundation

private protocol PlainArray {}
extension Array: PlainArray {}

extension ArchivingCoder {
    /// The name of a type whose values come back as others if nothing names it; `nil` if they come back as they are.
    func telling(_ plan: ValuePlan) -> String? {
        switch plan.shape {
        case .structure(let structure) where structure.name != nil && !Self.isFoundationValue(plan): structure.name
        case .enumeration(let enumeration): enumeration.name
        default: comesBack(plan) ? nil : codingName(of: plan.type)
        }
    }

    /// Whether values are read as values of their type where the type isn't known.
    private func comesBack(_ plan: ValuePlan) -> Bool {
        if Self.isFoundationValue(plan) { return true }
        switch plan.shape {
        case .scalar(let kind):
            // In XML a number doesn't tell its width.
            if kind == .float32 { return outputFormat == .binary }
            return kind == .bool || kind == .date || kind == .uuid || kind == .decimal
                || plan.type == Int.self || plan.type == Double.self
        case .string, .data, .reference, .dynamic, .pending: return true
        case .optional(let optional): return comesBack(optional.payload)
        // An array of such values is an array of `Any`, which casts to one of their type.
        case .array(let array): return plan.type is any PlainArray.Type && comesBack(asElement: array.element)
        case .collection(let collection):
            return isHashable(collection.key) && comesBack(asElement: collection.key)
                && collection.value.map { comesBack(asElement: $0) } ?? true
        case .structure, .enumeration, .bridged, .codable: return false
        }
    }

    /// What is nil in a collection comes back as an NSNull.
    private func comesBack(asElement plan: ValuePlan) -> Bool {
        if case .optional = plan.shape { return false }
        return comesBack(plan)
    }

    /// Whether a value can be a key where its type isn't known: an array of `Any` can't.
    private func isHashable(_ plan: ValuePlan) -> Bool {
        switch plan.shape {
        case .array: false
        case .collection(let collection): collection.value == nil
        default: true
        }
    }
}

extension ModelReader {
    /// The type that a record of a named value is of.
    func namedType(_ name: String) -> Any.Type? {
        PlanCache.shared.type(named: name) ?? GenericNames.anyType(named: name)
    }

    /// The value in a record that names its type, where the type is known without it.
    func untold(_ stored: PlistValue) throws(KeyedFailure) -> PlistValue {
        guard let record = try record(stored), record.entries.count == 2, let value = record["value"] else {
            return stored
        }
        let archived = try coder.classes.type(
            record[ArchiveKey.classReference], in: coder.document.objects, coder.resolver)
        return archived.kind == nil && archived.type == nil ? value : stored
    }
}
