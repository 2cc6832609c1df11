// Room:   AmberKeyed / Models. Values whose type the archive alone tells.
// Takes:  a stored value. Gives: the Swift value that it says it is, or the object, if it is allowed.
// Touches: the queue of instances, through `instance`; other objects through the coder.

import AmberModel
import Foundation

extension ModelReader {
    /// A value for an existential, of the type that the archive says.
    func dynamic(_ stored: PlistValue, depth: Int) throws(KeyedFailure) -> Any {
        try count(depth: depth)
        if let value = try inline(stored) {
            switch value {
            case .string(ArchiveDocument.nullText): return Any?.none as Any
            case .string(let text): return text
            case .bool(let value): return value
            case .integer(let value): return Int(value)
            case .unsigned(let value): return UInt(value)
            case .float(let value): return value
            case .double(let value): return value
            case .data(let data): return data
            case .date(let seconds): return Date(timeIntervalSinceReferenceDate: seconds)
            case .reference, .array, .dictionary: throw failure(.malformed, "A value stands where none can.")
            }
        }
        guard case .reference(let number) = stored, let record = try record(stored) else {
            throw failure(.malformed, "A reference leads nowhere.")
        }
        let archived = try coder.classes.type(
            record[ArchiveKey.classReference], in: coder.document.objects, coder.resolver)
        switch archived.kind {
        case .array, .mutableArray, .orderedSet, .mutableOrderedSet:
            var list: [Any] = []
            for (index, element) in try elements(stored).enumerated() {
                list.append(
                    try at("[\(index)]") { () throws(KeyedFailure) -> Any in try dynamic(element, depth: depth + 1) })
            }
            return list
        case .set, .mutableSet:
            var set: Set<AnyHashable> = []
            for element in try elements(stored) { set.insert(try hashable(element, depth: depth + 1)) }
            return set
        case .dictionary, .mutableDictionary:
            var pairs: [AnyHashable: Any] = [:]
            for pair in try self.pairs(stored) {
                let key = try hashable(pair.key, depth: depth + 1)
                pairs[key] = try at("\(key)") { () throws(KeyedFailure) -> Any in
                    try dynamic(pair.value, depth: depth + 1)
                }
            }
            return pairs as? [String: Any] ?? pairs
        case .some: return try plain(number)
        case nil: break
        }
        if let type = archived.type, type is any ModelProtocol.Type {
            try checkAllowed(type)
            return try instance(number: number, base: type)
        }
        if let type = namedType(archived.name), !(type is AnyClass) {
            do {
                return try self.value(
                    record["value"] ?? stored, try PlanCache.shared.plan(forNamed: type), depth: depth + 1)
            } catch let error as SchemaFailure {
                throw failure(.unsupportedType, error.reason)
            } catch let error as KeyedFailure {
                throw error
            } catch {
                throw failure(.codingFailed, "\(error)")
            }
        }
        return try plain(number)
    }

    private func hashable(_ stored: PlistValue, depth: Int) throws(KeyedFailure) -> AnyHashable {
        guard let value = try dynamic(stored, depth: depth) as? AnyHashable else {
            throw failure(.typeMismatch, "A key or an element of a set can't be hashed.")
        }
        return value
    }

    private func checkAllowed(_ type: AnyClass) throws(KeyedFailure) {
        if let allowed {
            guard allowed.allows(type) else { throw failure(allowed.refused(ClassNames.shown(type))) }
            return
        }
        guard coder.requiresSecureCoding, let gate = coder.gates.last, !gate.allows(type) else { return }
        throw failure(
            .classRefused,
            "The class \(ClassNames.shown(type)) is not among the allowed classes [\(gate.names)]. Allow it, if it is meant."
        )
    }

    /// An object of Foundation's or of a class that codes itself, as the Swift value that it bridges to, if any.
    private func plain(_ number: UInt32) throws(KeyedFailure) -> Any {
        let allowed = (coder.gates.last?.classes ?? []) + ClassGate.values
        let object = try coder.allowing(allowed) { () throws(KeyedFailure) -> AnyObject? in
            try coder.object(for: .reference(number))
        }
        switch object {
        case nil: return Any?.none as Any
        case let date as NSDate: return Date(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate)
        case let uuid as NSUUID: return UUID(uuidString: uuid.uuidString) as Any
        case let url as NSURL: return URL(string: url.relativeString, relativeTo: url.baseURL) as Any
        case let number as NSDecimalNumber: return number.decimalValue
        case let set as NSIndexSet: return IndexSet(set.map { $0 })
        case let text as NSString: return text as String
        case let data as NSData: return Data(referencing: data)
        case let value as NSValue where !(value is NSNumber):
            switch FoundationGeometry.typeCode(of: value) {
            case "{CGPoint=dd}": return value.pointValue
            case "{CGSize=dd}": return value.sizeValue
            case "{CGRect={CGPoint=dd}{CGSize=dd}}": return value.rectValue
            default: return value
            }
        case let object?: return object
        }
    }
}
