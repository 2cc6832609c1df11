// Room:   AmberKeyed / Models. Values of Codable types: what their encode(to:) says, as Foundation's objects.
// Takes:  a coded value, or what an archive holds for it. Gives: the other.
// Touches: nothing.

import AmberModel
import Foundation

enum CodableValues {
    /// The Foundation object of a coded value.
    static func object(for value: CodedValue) -> AnyObject {
        switch value {
        case .null: return NSNull()
        case .scalar(let value, let kind):
            let number = ModelScalars.plistValue(value, kind).flatMap { FoundationNumber.number(for: $0) }
            return number ?? ModelScalars.object(value, kind) ?? NSNull()
        case .string(let text): return text as NSString
        case .data(let data): return data as NSData
        case .array(let values): return FoundationStorage.array(values.map { object(for: $0) })
        case .keyed(let pairs):
            return NSDictionary(
                objects: pairs.map { object(for: $0.value) }, forKeys: pairs.map { $0.key as NSString })
        }
    }

    /// The coded value of an object.
    ///
    /// - Throws: `.limitExceeded` for values nested deeper than the limit, `.typeMismatch` for what is no value.
    static func value(of object: AnyObject?, depth: Int = 0) throws(KeyedFailure) -> CodedValue {
        guard depth < ArchivingCoder.depthLimit else {
            throw KeyedFailure(.limitExceeded, "Values are nested deeper than \(ArchivingCoder.depthLimit).")
        }
        switch object {
        case nil, is NSNull: return .null
        case let text as NSString: return .string(text as String)
        case let data as NSData: return .data(Data(referencing: data))
        case let date as NSDate:
            return .scalar(Date(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate), .date)
        case let uuid as NSUUID: return .scalar(uuid as UUID, .uuid)
        case let number as NSDecimalNumber: return .scalar(number.decimalValue, .decimal)
        case let number as NSNumber:
            guard let value = value(of: FoundationNumber.value(of: number)) else { break }
            return value
        case let array as NSArray: return try list(FoundationStorage.objects(of: array), depth)
        case let set as NSSet: return try list(FoundationStorage.objects(of: set), depth)
        case let set as NSOrderedSet: return try list(FoundationStorage.objects(of: set), depth)
        case let dictionary as NSDictionary:
            let pairs = FoundationStorage.pairs(of: dictionary)
            var result: [(key: String, value: CodedValue)] = []
            for (key, object) in zip(pairs.keys, pairs.values) {
                guard let key = key as? NSString else {
                    throw KeyedFailure(.typeMismatch, "A key of a Codable value is a \(type(of: key)), not text.")
                }
                result.append((key as String, try value(of: object, depth: depth + 1)))
            }
            return .keyed(result)
        default: break
        }
        throw KeyedFailure(
            .typeMismatch, "A \(object.map { "\(type(of: $0))" } ?? "nil") is no value that Codable types are made of.")
    }

    private static func list(_ objects: [AnyObject], _ depth: Int) throws(KeyedFailure) -> CodedValue {
        var values: [CodedValue] = []
        for object in objects { values.append(try value(of: object, depth: depth + 1)) }
        return .array(values)
    }

    /// The coded value of a number or text.
    static func value(of stored: PlistValue) -> CodedValue? {
        switch stored {
        case .bool(let value): .scalar(value, .bool)
        case .integer(let value): .scalar(value, .int64)
        case .unsigned(let value): .scalar(value, .uint64)
        case .float(let value): .scalar(value, .float32)
        case .double(let value): .scalar(value, .float64)
        case .date(let seconds): .scalar(Date(timeIntervalSinceReferenceDate: seconds), .date)
        case .string(let text): .string(text)
        case .data(let data): .data(data)
        case .reference, .array, .dictionary: nil
        }
    }
}

extension ArchivingCoder {
    /// Writes a coded value as Foundation's objects.
    func stored(codable value: CodedValue) -> PlistValue {
        .reference(reference(to: CodableValues.object(for: value), key: currentKey))
    }
}

extension ModelReader {
    /// What an archive holds for a value of a Codable type.
    func codable(_ stored: PlistValue, depth: Int) throws(KeyedFailure) -> CodedValue {
        try count(depth: depth)
        if try isNil(stored) { return .null }
        if let value = try inline(stored), let coded = CodableValues.value(of: value) { return coded }
        guard let record = try record(stored) else { throw failure(.malformed, "A reference leads nowhere.") }
        switch try kind(of: record) {
        case .array, .mutableArray, .set, .mutableSet, .orderedSet, .mutableOrderedSet:
            var values: [CodedValue] = []
            for element in try elements(stored) { values.append(try codable(element, depth: depth + 1)) }
            return .array(values)
        case .dictionary, .mutableDictionary:
            var keys: Set<String> = []
            var result: [(key: String, value: CodedValue)] = []
            for pair in try pairs(stored) {
                guard case .string(let key) = try codable(pair.key, depth: depth + 1), keys.insert(key).inserted else {
                    throw failure(.typeMismatch, "A key is no text, or is there twice.")
                }
                result.append((key, try codable(pair.value, depth: depth + 1)))
            }
            return .keyed(result)
        default: break
        }
        let allowed: [AnyClass] = [NSString.self, NSData.self, NSDate.self, NSNumber.self, NSUUID.self]
        let object = try foundation(stored, allowed)
        do throws(KeyedFailure) {
            return try CodableValues.value(of: object)
        } catch {
            throw failure(error.code, error.message)
        }
    }
}
