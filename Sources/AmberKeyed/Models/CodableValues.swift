// Room:   AmberKeyed / Models. Values of Codable types as property lists.
// Takes:  a Codable value, or the property list that its encode(to:) made. Gives: the other.
// Touches: Foundation's coders of property lists.

import Foundation

enum CodableValues {
    /// The property list of a value. Within a list of one, so that a lone number or text is a list too.
    static func data(for value: Any) throws -> Data {
        guard let encodable = value as? any Encodable else {
            throw BridgeFailure(description: "\(type(of: value)) is not Encodable.")
        }
        func encode<T: Encodable>(_ value: T) throws -> Data {
            let encoder = PropertyListEncoder()
            encoder.outputFormat = .binary
            return try encoder.encode([value])
        }
        return try encode(encodable)
    }

    /// The Foundation object of a property list.
    static func object(for tree: PlistValue) -> AnyObject {
        switch tree {
        case .array(let values): FoundationStorage.array(values.map { object(for: $0) })
        case .dictionary(let dictionary):
            NSDictionary(
                objects: dictionary.entries.map { object(for: $0.value) },
                forKeys: dictionary.entries.map { $0.key as NSString })
        case .string(let text): text as NSString
        case .data(let data): data as NSData
        case .date(let seconds): NSDate(timeIntervalSinceReferenceDate: seconds)
        default: FoundationNumber.number(for: tree) ?? NSNull()
        }
    }

    /// A value of `type` from its property list within a list of one.
    static func value(_ type: Any.Type, from data: Data) throws -> Any {
        guard let decodable = type as? any Decodable.Type else {
            throw BridgeFailure(description: "\(type) is not Decodable.")
        }
        func decode<T: Decodable>(_ type: T.Type) throws -> Any {
            guard let value = try PropertyListDecoder().decode([T].self, from: data).first else {
                throw BridgeFailure(description: "A \(type) has no value.")
            }
            return value
        }
        return try decode(decodable)
    }
}

extension ArchivingCoder {
    /// Writes a Codable value as the Foundation objects that its property list is made of.
    func stored(codable value: Any) -> PlistValue {
        do {
            let tree = try Plist.read(try CodableValues.data(for: value), limits: KeyedLimits())
            guard case .array(let values) = tree, let first = values.first else { return .reference(0) }
            return stored(tree: first)
        } catch {
            fail(.unsupportedType, "\(type(of: value)): \(error)")
            return .reference(0)
        }
    }

    // The tree is no deeper than the reader of property lists allows.
    private func stored(tree: PlistValue) -> PlistValue {
        switch tree {
        case .array(let values): record(values.map { stored(tree: $0) }, NSArray.self)
        case .dictionary(let dictionary):
            record(
                keys: dictionary.entries.map { .reference(number(of: .string($0.key))) },
                values: dictionary.entries.map { stored(tree: $0.value) })
        case .data(let data): .reference(reference(to: data as NSData, key: currentKey))
        case .date(let seconds):
            .reference(reference(to: NSDate(timeIntervalSinceReferenceDate: seconds), key: currentKey))
        case .reference: .reference(0)
        default: .reference(number(of: tree))
        }
    }
}

extension ModelReader {
    /// A value of a Codable type.
    func codable(_ stored: PlistValue, _ type: Any.Type, depth: Int) throws(KeyedFailure) -> Any {
        let tree = PlistValue.array([try self.tree(stored, depth: depth)])
        do {
            return try CodableValues.value(type, from: BinaryPlistWriter.data(for: tree))
        } catch {
            throw failure(.typeMismatch, "\(type): \(error)")
        }
    }

    private func tree(_ stored: PlistValue, depth: Int) throws(KeyedFailure) -> PlistValue {
        try count(depth: depth)
        if let value = try inline(stored) { return value }
        guard let record = try record(stored) else { throw failure(.malformed, "A reference leads nowhere.") }
        switch try kind(of: record) {
        case .array, .mutableArray, .set, .mutableSet, .orderedSet, .mutableOrderedSet:
            var values: [PlistValue] = []
            for element in try elements(stored) { values.append(try tree(element, depth: depth + 1)) }
            return .array(values)
        case .dictionary, .mutableDictionary:
            var entries: [PlistDictionary.Entry] = []
            for pair in try pairs(stored) {
                guard case .string(let key) = try tree(pair.key, depth: depth + 1) else {
                    throw failure(.typeMismatch, "A key is no text.")
                }
                entries.append(.init(key: key, value: try tree(pair.value, depth: depth + 1)))
            }
            return .dictionary(PlistDictionary(entries))
        default: break
        }
        switch try foundation(stored, [NSString.self, NSData.self, NSDate.self]) {
        case let text as NSString: return .string(text as String)
        case let data as NSData: return .data(Data(referencing: data))
        case let date as NSDate: return .date(date.timeIntervalSinceReferenceDate)
        default: throw failure(.typeMismatch, "An object is none that Codable values are made of.")
        }
    }
}
