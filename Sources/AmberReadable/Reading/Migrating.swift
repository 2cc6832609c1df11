// Room:   AmberReadable / Reading. Objects and structs of older versions.
// Takes:  a node and the version of today. Gives: the node as today's type has it.
// Touches: the document, to which new nodes are added.

internal import AmberModel
internal import Foundation

extension ValueReader {
    /// The node of an object or struct as its type's newest version has it.
    mutating func migrated(
        _ node: Int, _ name: String, _ known: Int, _ migrations: Migrations, _ fields: TextFields? = nil
    ) throws(DecodingFailure) -> Int {
        guard document.kind(node) == .object else { return node }
        let version = try version(node)
        if version > known, !rules.readsNewer {
            let error = DecodingFailure(newer: version, known, name)
            throw failure(error.code, node, error.reason)
        }
        guard migrations.apply(to: version, below: known) else { return node }
        if let done = aliases.replaced[node] { return done }
        var values = try archivedValues(node, fields ?? Self.noFields)
        do throws(DecodingFailure) {
            try migrations.migrate(&values, from: version, to: known, name, rules.readsNewer)
        } catch {
            throw failure(error.code, node, error.reason)
        }
        // The place in the source is that of the older object.
        let made = add(values, offset: Int(document[node].offset))
        aliases.replaced[node] = made
        return made
    }

    private static let noFields = TextFields(
        type: Void.self, name: nil, formerNames: [], version: 0, migrations: Migrations(), model: nil, fields: [],
        omitted: [],
        mapping: nil)

    /// Adds the node of an object with these properties. What no migration changed is where it was, for others refer to it.
    private func add(_ values: ArchivedValues, version: Int = 0, offset: Int) -> Int {
        let object = document.add(.object, offset: offset)
        var count = 0
        if version != 0 {
            addText(Marker.version)
            add(swift: version)
            count += 1
        }
        for (name, value) in values {
            addText(Marker.escaped(name))
            if let node = values.source(of: name) {
                _ = document.add(.jump, offset: node)
            } else {
                add(value)
            }
            count += 1
        }
        document.close(object, length: count)
        document.mark(object)
        return object
    }

    @discardableResult
    private func addText(_ text: String) -> Int {
        let (offset, length) = document.append(text: text)
        return document.add(.string, offset: offset, length: length)
    }

    private func addMarked(_ parts: [(String, DynamicValue)]) {
        let object = document.add(.object, offset: Int(UInt32.max))
        for (key, value) in parts {
            addText(key)
            add(value)
        }
        document.close(object, length: parts.count)
        document.mark(object)
    }

    private func add(_ value: DynamicValue) {
        switch value {
        case .null: _ = document.add(.null, offset: Int(UInt32.max))
        case .some(let inner): addMarked([(Marker.some, inner)])
        case .value(let value): add(swift: value)
        case .array(let elements):
            let array = document.add(.array, offset: Int(UInt32.max))
            for element in elements { add(element) }
            document.close(array, length: elements.count)
        case .dictionary(let pairs):
            if pairs.allSatisfy({ $0.key.string != nil }) {
                _ = add(ArchivedValues(pairs.map { ($0.key.string ?? "", $0.value) }), offset: Int(UInt32.max))
            } else {
                addMarked([(Marker.pairs, .array(pairs.map { .array([$0.key, $0.value]) }))])
            }
        case .structure(let structure):
            let object = add(structure.values, version: structure.version, offset: Int(UInt32.max))
            document.mark(object)
        case .enumeration(let item):
            if let payload = item.payload {
                addMarked([(Marker.escaped(item.name), payload)])
            } else {
                addText(item.rawValue ?? item.name)
            }
        case .object(let reference):
            if reference.number > 0 {
                _ = document.add(.jump, offset: reference.number - 1)
            } else {
                add(swift: reference.object as Any)
            }
        case .any(let any): addMarked([(Marker.type, .value(any.typeName)), (Marker.value, any.value)])
        }
    }

    private func add(swift value: Any) {
        func bits(_ kind: NodeKind, _ bits: UInt64, _ size: Int) {
            let bytes = (0..<size).map { UInt8(truncatingIfNeeded: bits >> (UInt64($0) * 8)) }
            let offset = document.append(bytes: bytes)
            _ = document.add(kind, offset: offset, length: size)
        }
        switch value {
        case let value as Bool: _ = document.add(value ? .yes : .no, offset: Int(UInt32.max))
        case let value as Double: bits(.double, value.bitPattern, 8)
        case let value as Float: bits(.float, UInt64(value.bitPattern), 4)
        case let value as Date: bits(.date, value.timeIntervalSinceReferenceDate.bitPattern, 8)
        case let value as String: addText(value)
        case let value as any FixedWidthInteger:
            let (offset, length) = document.append(text: value.description)
            _ = document.add(.integer, offset: offset, length: length)
        default:
            document.values.append(value)
            _ = document.add(.value, offset: document.values.count - 1)
        }
    }
}
