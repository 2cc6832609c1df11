// Room:   AmberKeyed / Dynamic. Records of Foundation's classes as the values that they are.
// Takes:  a record and the name of its class. Gives: a dynamic value, if nothing of the record is lost by it.
// Touches: nothing; decimals, values of geometry and index sets are read by this module's own coder.

import AmberModel
import Foundation

/// What is known of Foundation's classes by their names.
enum DynamicForms {
    /// Whether objects of a class are written with lists of their elements in the record.
    static func isCollection(_ name: String) -> Bool {
        FoundationForms.lists.contains(name) || FoundationForms.sets.contains(name)
            || FoundationForms.dictionaries.contains(name)
    }

    /// The key of a list of a collection's elements; binary archives have names of their own for them.
    static func listKey(_ name: String) -> String {
        switch name {
        case "elements", "values": "NS.objects"
        case "keys": "NS.keys"
        default: DynamicNames.stored(name)
        }
    }

    /// Whether a class's superclasses can be told from its name.
    static func isUsual(_ chain: [String], for name: String) -> Bool {
        if chain == [name, "NSObject"] || chain.isEmpty { return true }
        guard let type = FoundationClasses.type(named: name) else { return false }
        return chain == self.chain(of: type, name)
    }

    private static func chain(of type: AnyClass, _ name: String) -> [String] {
        var chain: [String] = []
        var current: AnyClass? = type
        while let candidate = current {
            chain.append(ClassNames.name(of: candidate))
            current = _getSuperclass(candidate)
        }
        return name == "NSDecimalNumberPlaceholder" ? [name] + chain : chain
    }
}

extension DynamicReader {
    /// The value of a record that has no identity.
    func leaf(
        _ record: PlistDictionary, _ type: ClassRecord, _ isProperty: Bool, _ depth: Int
    ) throws(KeyedFailure) -> DynamicValue? {
        func only(_ key: String) -> PlistValue? { record.entries.count == 2 ? record[key] : nil }
        switch type.name {
        case "NSNull" where record.entries.count == 1:
            return isProperty ? .any(DynamicAny(typeName: FoundationForms.null, value: .null, origin: nil)) : .null
        case "NSDate":
            if case .double(let seconds)? = only("NS.time"), seconds.isFinite {
                return .value(Date(timeIntervalSinceReferenceDate: seconds))
            }
        case "NSUUID":
            if let bytes = only("NS.uuidbytes")?.data, bytes.count == 16 {
                var digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
                for place in [10, 8, 6, 4] { digits.insert("-", at: place) }
                return UUID(uuidString: digits.joined()).map { .value($0) }
            }
        case "NSString": return only("NS.string")?.string.map { .value($0) }
        case "NSData": return only("NS.data")?.data.map { .value($0) }
        case "NSURL": return try url(record, depth)
        case "NSDecimalNumber", "NSDecimalNumberPlaceholder", "NSValue", "NSIndexSet":
            if let object = try? coded(record) { return .value(object) }
        default: break
        }
        return nil
    }

    private func url(_ record: PlistDictionary, _ depth: Int) throws(KeyedFailure) -> DynamicValue? {
        guard record.entries.count == 3, case .reference(let relative)? = record["NS.relative"],
            case .reference(let base)? = record["NS.base"], Int(relative) < document.objects.count,
            case .string(let text) = document.objects[Int(relative)], depth < 32
        else { return nil }
        var url: URL?
        switch try value(base, isProperty: false, depth: depth + 1) {
        case .null: url = URL(string: text)
        case .value(let base as URL): url = URL(string: text, relativeTo: base)
        default: return nil
        }
        guard let url, url.relativeString == text else { return nil }
        return .value(url)
    }

    /// A value that this module's coder reads, and writes in the same way.
    private func coded(_ record: PlistDictionary) throws -> Any? {
        var archive = ArchiveDocument()
        archive.objects = document.objects
        archive.objects.append(.dictionary(record))
        let coder = UnarchivingCoder(archive, requiringSecureCoding: true, limits: limits)
        let number = UInt32(archive.objects.count - 1)
        let object = try coder.allowing([NSDecimalNumber.self, NSValue.self, NSIndexSet.self]) {
            () throws(KeyedFailure) in try coder.object(number)
        }
        if let failure = coder.failure { throw failure }
        switch object {
        case let number as NSDecimalNumber: return number.decimalValue
        case let set as NSIndexSet: return set is NSMutableIndexSet ? nil : IndexSet(set.map { $0 })
        case is NSNumber: return nil
        case let value as NSValue:
            switch FoundationGeometry.typeCode(of: value) {
            case "{CGPoint=dd}": return value.pointValue
            case "{CGSize=dd}": return value.sizeValue
            case "{CGRect={CGPoint=dd}{CGSize=dd}}": return value.rectValue
            default: return nil
            }
        default: return nil
        }
    }

    /// The value of a collection, or of mutable text or data, that nothing else refers to.
    func collection(
        _ record: PlistDictionary, _ type: ClassRecord, _ depth: Int
    ) throws(KeyedFailure) -> DynamicValue? {
        let name = type.name
        var value: DynamicValue?
        if FoundationForms.lists.contains(name) || FoundationForms.sets.contains(name) {
            guard record.entries.count == 2, let stored = record["NS.objects"]?.array else { return nil }
            value = .array(try elements(stored, depth: depth))
        } else if FoundationForms.dictionaries.contains(name) {
            guard record.entries.count == 3, let keys = record["NS.keys"]?.array,
                let values = record["NS.objects"]?.array
            else { return nil }
            guard keys.count == values.count else {
                throw failure(.malformed, "A dictionary has \(keys.count) keys and \(values.count) values.")
            }
            let made = try elements(keys, depth: depth)
            let pairs = zip(made, try elements(values, depth: depth)).map { (key: $0, value: $1) }
            value = isMigrating ? structure(pairs) : nil
            value = value ?? .dictionary(pairs)
        } else if name == "NSMutableString", record.entries.count == 2 {
            value = record["NS.string"]?.string.map { .value($0) }
        } else if name == "NSMutableData", record.entries.count == 2 {
            value = record["NS.data"]?.data.map { .value($0) }
        }
        guard let value else { return nil }
        return FoundationForms.isMarked(name) ? .any(DynamicAny(typeName: name, value: value, origin: nil)) : value
    }

    /// The struct that a dictionary stands for, if it says of which version it is.
    private func structure(_ pairs: [(key: DynamicValue, value: DynamicValue)]) -> DynamicValue? {
        guard let version = pairs.first(where: { $0.key.string == ArchivingCoder.versionKey })?.value.int else {
            return nil
        }
        let properties = pairs.filter { $0.key.string != ArchivingCoder.versionKey }
        let values = ArchivedValues(properties.map { ($0.key.string ?? "", $0.value) })
        return .structure(DynamicStructure(typeName: "", version: version, values: values))
    }

    /// A struct or enum of a property of unknown type: an object of its name with nothing but a value.
    func namedValue(
        _ record: PlistDictionary, _ type: ClassRecord, _ depth: Int
    ) throws(KeyedFailure) -> DynamicValue? {
        guard record.entries.count == 2, case .reference(let number)? = record["value"], type.hints.isEmpty,
            type.chain == [type.name, "NSObject"], type.name.contains(".")
        else { return nil }
        let inner = try value(number, isProperty: true, depth: depth + 1)
        if case .any(let any) = inner {
            // In a collection a number is always an object; a null needs its mark.
            if any.typeName == FoundationForms.null { return nil }
            if any.typeName == FoundationForms.number {
                return .any(DynamicAny(typeName: type.name, value: any.value, origin: nil))
            }
        }
        return .any(DynamicAny(typeName: type.name, value: inner, origin: nil))
    }
}
