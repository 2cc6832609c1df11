// Room:   AmberKeyedTests. Archives made by other programs, where a checkout has them beside it.
// Takes:  the folder's place. Gives: its files, and what an independent reader found in each.
// Touches: the file system, reading.

import AmberModel
import AmberTestSupport
import Foundation

@testable import AmberKeyed

enum Corpus {
    static let root = corpusFolder

    static func files(_ folder: String) -> [URL] {
        guard let root else { return [] }
        let folder = root.appendingPathComponent(folder)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.sorted().map { folder.appendingPathComponent($0) }
    }

    /// What an independent reader found in the file, canonically written.
    static func expected(_ folder: String, _ file: URL) -> String? {
        guard let root else { return nil }
        let name = "\(folder)--\(file.lastPathComponent).json"
        guard let data = try? Data(contentsOf: root.appendingPathComponent("expected/\(name)")),
            let json = try? JSONSerialization.jsonObject(with: data)
        else { return nil }
        return Canonical.text(json)
    }
}

/// JSON-like values as text that is equal when they are: keys, sets and pairs sorted, numbers by value.
enum Canonical {
    static func text(_ value: Any?) -> String {
        guard let value, !(value is NSNull) else { return "null" }
        if let number = value as? NSNumber {
            if type(of: number) == type(of: NSNumber(value: true)) { return number.boolValue ? "true" : "false" }
            if let whole = Int64(exactly: number.doubleValue), Double(whole) == number.doubleValue { return "\(whole)" }
            // The expectation went through a parser that is not exact in the last digits.
            return String(format: "%.12g", number.doubleValue)
        }
        if let string = value as? String { return "\"\(string)\"" }
        if let list = value as? [Any?] { return "[" + list.map(text).joined(separator: ",") + "]" }
        if let dictionary = value as? [String: Any?] {
            let parts = dictionary.map { key, value -> String in
                if key == "set" || key == "dict" || key == "countedset", let list = value as? [Any?] {
                    return "\(key):[" + list.map(text).sorted().joined(separator: ",") + "]"
                }
                return "\(key):\(text(value))"
            }
            return "{" + parts.sorted().joined(separator: ",") + "}"
        }
        return "?\(value)"
    }

    /// An inspected archive in the words of the independent reader.
    static func describe(_ archive: [(key: String, value: ArchivedObject.Value)]) -> String {
        var open: [ObjectIdentifier] = []
        var result: [String: Any?] = [:]
        for (key, value) in archive { result[key] = describe(value, &open) }
        return text(result)
    }

    private static func describe(_ value: ArchivedObject.Value, _ open: inout [ObjectIdentifier]) -> Any? {
        switch value {
        case .object(let object): return describe(object, &open)
        case .bool(let value): return NSNumber(value: value)
        case .integer(let value): return NSNumber(value: value)
        case .unsigned(let value): return NSNumber(value: value)
        case .float(let value): return NSNumber(value: value)
        case .double(let value): return NSNumber(value: value)
        case .string(let value): return value
        case .data(let value): return ["data": value.base64EncodedString()]
        case .date(let value): return ["date": value.timeIntervalSinceReferenceDate]
        case .list(let values): return values.map { describe($0, &open) }
        case .dictionary(let pairs):
            return ["inlinedict": Dictionary(pairs.map { ($0.key, describe($0.value, &open)) }) { $1 }]
        }
    }

    private static func describe(_ object: Any?, _ open: inout [ObjectIdentifier]) -> Any? {
        guard let object = object as? NSObject else { return nil }
        if open.contains(ObjectIdentifier(object)) { return ["cycle": 1] }
        open.append(ObjectIdentifier(object))
        defer { open.removeLast() }
        switch object {
        case is NSNull: return ["nsnull": 1]
        case let string as NSString: return string as String
        case let number as NSNumber: return number
        case let data as NSData: return ["data": (data as Data).base64EncodedString()]
        case let date as NSDate: return ["date": date.timeIntervalSinceReferenceDate]
        case let uuid as NSUUID: return ["uuid": uuid.uuidString]
        case let url as NSURL: return ["url": [url.relativeString, url.baseURL?.absoluteString] as [Any?]]
        case let path as NSIndexPath:
            return ["indexpath": (0..<path.length).map { path.index(atPosition: $0) }]
        case let set as NSIndexSet:
            return ["indexset": (set as IndexSet).rangeView.map { [$0.lowerBound, $0.count] }]
        case let set as NSCountedSet:
            return ["countedset": FoundationStorage.counts(of: set).map { [describe($0.object, &open), $0.count] }]
        case let set as NSSet: return ["set": FoundationStorage.objects(of: set).map { describe($0, &open) }]
        case let set as NSOrderedSet:
            return ["orderedset": FoundationStorage.objects(of: set).map { describe($0, &open) }]
        case let array as NSArray: return FoundationStorage.objects(of: array).map { describe($0, &open) }
        case let dictionary as NSDictionary:
            let pairs = FoundationStorage.pairs(of: dictionary)
            return ["dict": zip(pairs.keys, pairs.values).map { [describe($0, &open), describe($1, &open)] }]
        case let object as ArchivedObject:
            var keys: [String: Any?] = [:]
            for (key, value) in object.values { keys[key] = .some(describe(value, &open)) }
            if object.className.hasSuffix("AttributedString") {
                let text = keys.removeValue(forKey: "NSString") ?? nil
                return ["attributed": text, "keys": keys]
            }
            return ["obj": object.className, "keys": keys]
        default: return "?\(type(of: object))"
        }
    }
}
