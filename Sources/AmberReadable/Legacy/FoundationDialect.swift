// Room:   AmberReadable / Legacy. Foundation's objects as the older human-readable coder writes them.
// Takes:  nodes with a `$class` of Foundation's. Gives: nodes as this coder writes such values.
// Touches: the document, to which new nodes are added.
//
// That coder hands itself to the `encode(with:)` of Foundation's classes, which then use their generic keys: `NS.bytes`,
// `NS.object.0`, `NS.key.0`; in JSON dates are `NS.time`, data is `$data`.

internal import AmberModel
internal import Foundation

extension ValueReader {
    /// Whether a node is the older coder's null.
    func isOlderNull(_ node: Int) -> Bool {
        guard document.kind(node) == .object, let name = document.child(node, marker: "$class") else { return false }
        return document.string(name) == "NSNull"
    }

    /// The node of a Foundation object in today's form; `nil` if it is none.
    mutating func olderForm(_ node: Int) throws(DecodingFailure) -> Int? {
        if let known = aliases.replaced[node] { return known }
        guard let name = document.child(node, marker: "$class"), isText(name) else { return nil }
        let made: Int
        switch document.string(name) {
        case "NSNull": made = document.add(.null, offset: Int(UInt32.max))
        case "NSDate":
            guard let time = document.child(node, "NS.time"), let seconds = document.double(time) else { return nil }
            made = bits(seconds)
        case "NSData", "NSMutableData":
            let stored =
                document.child(node, marker: "$data") ?? document.child(node, "NS.data")
                ?? document.child(node, "NS.bytes")
            guard let stored else {
                // Empty data has no key at all.
                made = document.add(.data, offset: 0, length: 0)
                break
            }
            made = add(try data(stored))
        case "NSString", "NSMutableString":
            guard let text = try string(node, ["NS.string", "NS.bytes"]) else {
                made = addText("")
                break
            }
            made = addText(text)
        case "NSArray", "NSMutableArray", "NSSet", "NSMutableSet", "NSOrderedSet", "NSMutableOrderedSet",
            "NSCountedSet":
            let elements = numbered(node, "NS.object.") ?? listed(node, "NS.objects") ?? []
            made = document.add(.array, offset: Int(document[node].offset))
            for element in elements { _ = document.add(.jump, offset: element) }
            document.close(made, length: elements.count)
        case "NSDictionary", "NSMutableDictionary":
            let keys = numbered(node, "NS.key.") ?? listed(node, "NS.keys") ?? []
            let values = numbered(node, "NS.object.") ?? listed(node, "NS.objects") ?? []
            guard keys.count == values.count else {
                throw failure(.corrupt, node, "A dictionary has \(keys.count) keys and \(values.count) values.")
            }
            made = dictionary(node, keys, values)
        case "NSURL":
            guard let text = try string(node, ["NS.relative", "NS.string", "NS.bytes"]) else { return nil }
            made = addText(text)
        case "NSUUID":
            guard let stored = document.child(node, "NS.uuidbytes") else { return nil }
            let bytes = [UInt8](try data(stored))
            guard bytes.count == 16 else { return nil }
            let digits = bytes.map {
                String($0 + 0, radix: 16).count == 1 ? "0\(String($0, radix: 16))" : String($0, radix: 16)
            }
            .joined()
            let cuts = [0, 8, 12, 16, 20, 32]
            let characters = Array(digits)
            made = addText(
                zip(cuts, cuts.dropFirst()).map { String(characters[$0..<$1]) }.joined(separator: "-"))
        default: return nil
        }
        aliases.replaced[node] = made
        return made
    }

    /// A value of a Foundation class that has no form of its own here; for existentials.
    mutating func olderValue(_ node: Int, _ name: String) throws(DecodingFailure) -> Any? { nil }

    // MARK: Parts

    private func bits(_ value: Double) -> Int {
        let bytes = (0..<8).map { UInt8(truncatingIfNeeded: value.bitPattern >> (UInt64($0) * 8)) }
        return document.add(.date, offset: document.append(bytes: bytes), length: 8)
    }

    private func add(_ data: Data) -> Int {
        document.add(.data, offset: document.append(bytes: [UInt8](data)), length: data.count)
    }

    private func addText(_ text: String) -> Int {
        let (offset, length) = document.append(text: text)
        return document.add(.string, offset: offset, length: length)
    }

    private mutating func string(_ node: Int, _ keys: [String]) throws(DecodingFailure) -> String? {
        for key in keys {
            guard let child = document.child(node, key) else { continue }
            guard case .node(let found) = try aliased(child) else { continue }
            switch document.kind(found) {
            case .string, .escaped:
                let text = document.string(found)
                if key != "NS.bytes" { return text }
                guard let data = Data(base64Encoded: text), let decoded = String(data: data, encoding: .utf8) else {
                    return text
                }
                return decoded
            default:
                if let older = try olderForm(found), isText(older) { return document.string(older) }
                if let text = String(data: try data(found), encoding: .utf8) { return text }
            }
        }
        return nil
    }

    private func numbered(_ node: Int, _ prefix: String) -> [Int]? {
        var found: [Int: Int] = [:]
        var child = node + 1
        while child < document.end(node) {
            let key = document.string(child)
            if key.hasPrefix(prefix), let index = Int(key.dropFirst(prefix.count)) { found[index] = child + 1 }
            child = document.end(child + 1)
        }
        if found.isEmpty { return nil }
        var result: [Int] = []
        while let value = found[result.count] { result.append(value) }
        return result
    }

    private func listed(_ node: Int, _ key: String) -> [Int]? {
        guard let list = document.child(node, key), document.kind(list) == .array else { return nil }
        var result: [Int] = []
        var child = list + 1
        while child < document.end(list) {
            result.append(child)
            child = document.end(child)
        }
        return result
    }

    private func dictionary(_ node: Int, _ keys: [Int], _ values: [Int]) -> Int {
        if keys.allSatisfy({ isText($0) }) {
            let object = document.add(.object, offset: Int(document[node].offset))
            for (key, value) in zip(keys, values) {
                _ = addText(Marker.escaped(document.string(key)))
                _ = document.add(.jump, offset: value)
            }
            document.close(object, length: keys.count)
            document.mark(object)
            return object
        }
        let object = document.add(.object, offset: Int(document[node].offset))
        _ = addText(Marker.pairs)
        let list = document.add(.array, offset: Int(UInt32.max))
        for (key, value) in zip(keys, values) {
            let pair = document.add(.array, offset: Int(UInt32.max))
            _ = document.add(.jump, offset: key)
            _ = document.add(.jump, offset: value)
            document.close(pair, length: 2)
        }
        document.close(list, length: keys.count)
        document.close(object, length: 1)
        document.mark(object)
        return object
    }
}
