// Room:   AmberReadable / Reading. Values whose type the document must tell: for existentials, unknown classes, migrations.
// Takes:  nodes. Gives: values in the types that their forms or markers name.
// Touches: nothing; typed values are made by the reader.

internal import AmberModel
internal import Foundation

extension ValueReader {
    /// Goes one level deeper into values without a plan.
    private mutating func descend(_ node: Int) throws(DecodingFailure) {
        depth += 1
        budget -= 1
        if depth > rules.limits.depth {
            throw failure(.limitExceeded, node, "Values are nested more than \(rules.limits.depth) deep.")
        }
        if budget < 0 {
            throw failure(.limitExceeded, node, "The document expands to more values than the limits allow.")
        }
    }

    /// The value of a number by its form: an Int where it has neither fraction nor exponent.
    func naturalNumber(_ node: Int) throws(DecodingFailure) -> Any {
        switch document.kind(node) {
        case .integer:
            let text = document.string(node)
            if let value = Int(text) { return value }
            if let value = UInt(text) { return value }
            if let value = Int128(text) { return value }
            if let value = UInt128(text) { return value }
            if let value = document.double(node) { return value }
        case .float: return Float(bitPattern: UInt32(truncatingIfNeeded: document.bits(node)))
        default: if let value = document.double(node) { return value }
        }
        throw failure(.doesNotFit, node, "\(document.string(node).prefix(60)) is beyond the range of a Double.")
    }

    /// The value of a node as one would have it in an `Any`.
    mutating func natural(_ given: Int, isAlias: Bool = false) throws(DecodingFailure) -> Any {
        let node: Int
        switch try aliased(given) {
        case .value(let value): return value
        case .node(let plain): node = plain
        }
        try descend(node)
        defer { depth -= 1 }
        let isAlias = isAlias || node != document.landing(given)
        if let made = try referredObject(node, isAlias: isAlias) { return made }
        switch document.kind(node) {
        case .null: return Optional<Any>.none as Any
        case .yes: return true
        case .no: return false
        case .integer, .real, .double, .float: return try naturalNumber(node)
        case .string, .escaped: return document.string(node)
        case .date: return Date(timeIntervalSinceReferenceDate: Double(bitPattern: document.bits(node)))
        case .data: return try data(node)
        case .array:
            var elements: [Any] = []
            elements.reserveCapacity(document.length(node))
            var child = node + 1
            while child < document.end(node) {
                do throws(DecodingFailure) { elements.append(try natural(child)) } catch {
                    throw error.within(.index(elements.count))
                }
                child = document.end(child)
            }
            return elements
        case .object: return try naturalObject(node)
        case .jump, .value: throw mismatch(node, Any.self)
        }
    }

    private mutating func naturalObject(_ node: Int) throws(DecodingFailure) -> Any {
        if rules.isReadable, document[node].hasMarker {
            if let inner = document.child(node, marker: "$date") {
                return Date(timeIntervalSinceReferenceDate: try date(inner))
            }
            if let inner = document.child(node, marker: "$text") { return document.string(try plainText(inner)) }
            if let name = document.child(node, marker: "$class") { return try typed(node, document.string(name)) }
            if let inner = document.child(node, marker: "$data") { return try data(inner) }
            if let inner = document.child(node, marker: "$some") { return Optional(try natural(inner)) as Any }
            if let name = document.child(node, marker: "$struct") {
                if let made = try value(node, ofTypeNamed: document.string(name)) { return made }
                return try unknown(node)
            }
            if document.child(node, marker: "$case") != nil { return try unknown(node) }
            if let pairs = document.child(node, marker: "$pairs") { return try naturalPairs(pairs) }
        }
        if rules.makesDynamicObjects, try isReferred(node) { return try instance(node, nil) }
        var result: [String: Any] = [:]
        var child = node + 1
        while child < document.end(node) {
            let (key, value) = (child, child + 1)
            child = document.end(value)
            guard let name = userKey(key, node) else { continue }
            let made: Any
            do throws(DecodingFailure) { made = try natural(value) } catch { throw error.within(.property(name)) }
            guard result.updateValue(made, forKey: name) == nil else { throw twice(key) }
        }
        return result
    }

    func twice(_ key: Int) -> DecodingFailure {
        failure(.corrupt, key, "The key \"\(document.string(key).prefix(60))\" is there twice.")
    }

    /// The key of a dictionary's pair as the user has it; `nil` for what the root holds besides.
    func userKey(_ key: Int, _ object: Int) -> String? {
        let text = document.string(key)
        guard rules.isReadable, text.utf8.first == UInt8(ascii: "$") else { return text }
        if let plain = Marker.unescaped(text) { return plain }
        if object == rootNode, text == Marker.objects { return nil }
        // A key that no marker has is a key, as other programs write it.
        return Marker.all.contains(text) ? nil : text
    }

    private mutating func naturalPairs(_ node: Int) throws(DecodingFailure) -> Any {
        var result: [AnyHashable: Any] = [:]
        for (key, value) in try pairs(node) {
            guard let made = try natural(key) as? AnyHashable else {
                throw failure(.typeMismatch, key, "A key can't be hashed.")
            }
            result[made] = try natural(value)
        }
        return result
    }

    /// The keys and values of a list of pairs.
    func pairs(_ node: Int) throws(DecodingFailure) -> [(key: Int, value: Int)] {
        let node = document.landing(node)
        guard document.kind(node) == .array else { throw failure(.typeMismatch, node, "`$pairs` is no array.") }
        var result: [(key: Int, value: Int)] = []
        var child = node + 1
        while child < document.end(node) {
            let pair = document.landing(child)
            guard document.kind(pair) == .array, document.length(pair) == 2 else {
                throw failure(.typeMismatch, child, "A pair is an array of a key and a value.")
            }
            result.append((pair + 1, document.end(pair + 1)))
            child = document.end(child)
        }
        return result
    }

    /// The value of an object with `$class`.
    private mutating func typed(_ node: Int, _ name: String) throws(DecodingFailure) -> Any {
        if document.child(node, marker: "$case") != nil {
            if !rules.makesDynamicObjects, let type = TypeNames.type(named: name) { return try value(node, type) }
            return try unknown(node)
        }
        if isRecord(node, name) {
            if rules.makesDynamicObjects { return try instances[record(node, nil)].object }
            return try foreignObject(node, nil) ?? ForeignPlaceholder()
        }
        if let inner = document.child(node, marker: "$value") {
            if FoundationForms.isTransparent(name), !rules.makesDynamicObjects { return try transparent(inner, name) }
            guard let type = TypeNames.type(named: name) else { return try unknown(node) }
            return try value(inner, type)
        }
        if let older = try olderForm(node) { return try natural(older) }
        if let other = try olderValue(node, name) { return other }
        if !rules.makesDynamicObjects, ClassLookup.type(named: name, expected: nil, rules) == nil,
            let made = try value(node, ofTypeNamed: name)
        {
            return made
        }
        return try instance(node, nil)
    }

    /// The value of one of Foundation's classes, where only a keyed archive needs to know which.
    private mutating func transparent(_ node: Int, _ name: String) throws(DecodingFailure) -> Any {
        let value = try natural(node)
        guard FoundationForms.sets.contains(name), let elements = value as? [Any] else { return value }
        var set: Set<AnyHashable> = []
        for element in elements {
            guard let element = element as? AnyHashable else { return value }
            set.insert(element)
        }
        return set
    }

    /// The value of a struct that this program has.
    private mutating func value(_ node: Int, ofTypeNamed name: String) throws(DecodingFailure) -> Any? {
        guard !rules.makesDynamicObjects, let type = TypeNames.type(named: name), !(type is AnyClass) else {
            return nil
        }
        return try value(node, type)
    }

    /// The value of a type that the document names.
    private mutating func value(_ node: Int, _ type: Any.Type) throws(DecodingFailure) -> Any {
        let text: TextPlan
        do throws(SchemaFailure) { text = try schema.plan(for: PlanCache.shared.plan(forNamed: type)) } catch {
            throw DecodingFailure(error)
        }
        return try value(node, text)
    }

    /// A value of a type that this program doesn't have.
    private mutating func unknown(_ node: Int) throws(DecodingFailure) -> Any {
        switch try dynamicValue(node) {
        case .any(let any): any
        case let other: other
        }
    }

    // MARK: Dynamic values

    /// The properties of an object or struct. With `fields`, objects that they refer to are references though nothing names their class.
    mutating func archivedValues(_ node: Int, _ fields: TextFields?) throws(DecodingFailure) -> ArchivedValues {
        var entries: [(name: String, value: DynamicValue)] = []
        var nodes: [Int] = []
        var names: Set<String> = []
        var child = node + 1
        while child < document.end(node) {
            let (key, value) = (child, child + 1)
            child = document.end(value)
            let text = document.string(key)
            guard
                let name = rules.isReadable ? Marker.unescaped(text) ?? (Marker.all.contains(text) ? nil : text) : text
            else { continue }
            guard names.insert(name).inserted else { throw twice(key) }
            do throws(DecodingFailure) {
                let index = fields.flatMap { $0.indices[name] ?? $0.formerIndices[name] }
                entries.append(
                    (name, try dynamicValue(value, index.flatMap { fields?.fields[$0].text }, fields != nil)))
                nodes.append(value)
            } catch {
                throw error.within(.property(name))
            }
        }
        return fields == nil ? ArchivedValues(entries) : ArchivedValues(entries, sources: nodes)
    }

    /// The properties that a class doesn't have.
    mutating func unknownValues(_ node: Int, _ fields: TextFields) throws(DecodingFailure) -> ArchivedValues {
        var entries: [(name: String, value: DynamicValue)] = []
        var child = node + 1
        while child < document.end(node) {
            let (key, value) = (child, child + 1)
            child = document.end(value)
            guard let name = userKey(key, node), fields.mapping != nil || fields.indices[name] == nil,
                fields.formerIndices[name] == nil, fields.mapping?.knownKeys.contains(name) != true
            else { continue }
            do throws(DecodingFailure) { entries.append((name, try dynamicValue(value))) } catch {
                throw error.within(.property(name))
            }
        }
        return ArchivedValues(entries)
    }

    /// A node without a Swift type. `text` is what the node is likely to become; `isMigrating` makes no instances.
    mutating func dynamicValue(
        _ given: Int, _ text: TextPlan? = nil, _ isMigrating: Bool = false
    ) throws(DecodingFailure) -> DynamicValue {
        let node: Int
        switch try aliased(given) {
        case .value(let value): return DynamicValue(value)
        case .node(let plain): node = plain
        }
        try descend(node)
        defer { depth -= 1 }
        if node != document.landing(given) {
            if !isMigrating, let late = lateReference(node) { return late }
            // What other places refer to stays where it is, and may be what is being read.
            if isMigrating, document.kind(node) == .object || document.kind(node) == .array {
                return reference(to: node)
            }
        }
        switch document.kind(node) {
        case .null: return .null
        case .array where foreign.mode == .everything || foreign.names[node] != nil:
            return try recordReference(node, "NSArray")
        case .array:
            var inner: TextPlan?
            if case .array(_, let element)? = text?.kind { inner = element }
            if case .collection(let collection)? = text?.kind, collection.value == nil { inner = collection.key }
            var elements: [DynamicValue] = []
            var child = node + 1
            while child < document.end(node) {
                elements.append(try dynamicValue(child, inner, isMigrating))
                child = document.end(child)
            }
            return .array(elements)
        case .object: return try dynamicObject(node, text, isMigrating)
        case .real:
            // All digits that were written, where a Double doesn't have them.
            if let double = document.double(node), DecimalText.equal(double.description, document.string(node)) {
                return .value(double)
            }
            if let decimal = DecimalText.decimal(document.string(node)) { return .value(decimal) }
            return .value(try natural(node))
        default: return .value(try natural(node))
        }
    }

    /// Whether an object is one of Foundation's collections as a keyed archive has it, and has an identity.
    private mutating func isCollectionRecord(_ node: Int) throws(DecodingFailure) -> Bool {
        if document.child(node, "NS.count") != nil { return true }
        guard
            document.child(node, "NS.objects") ?? document.child(node, "NS.string") ?? document.child(node, "NS.data")
                != nil
        else { return false }
        return try isReferred(node)
    }

    private mutating func reference(to node: Int) -> DynamicValue {
        let reference = DynamicReference(number: node + 1)
        references.append((reference, node))
        return .object(reference)
    }

    private mutating func dynamicObject(
        _ node: Int, _ text: TextPlan?, _ isMigrating: Bool
    ) throws(DecodingFailure) -> DynamicValue {
        func reference() -> DynamicValue { self.reference(to: node) }
        let name = rules.isReadable ? document.child(node, marker: "$class").map { document.string($0) } : nil
        if let noted = foreign.names.isEmpty ? nil : foreign.names[node], name == nil, !isMigrating {
            if isForeignName(noted) { _ = try record(node, nil) } else { _ = try instance(node, nil) }
            return reference()
        }
        if rules.isReadable, document[node].hasMarker {
            if document.child(node, marker: "$date") != nil
                || (name == nil && document.child(node, marker: "$data") != nil)
            {
                return .value(try natural(node))
            }
            if let inner = document.child(node, marker: "$some") {
                return .some(try dynamicValue(inner, nil, isMigrating))
            }
            if let item = document.child(node, marker: "$case") {
                var payload: DynamicValue?
                if let value = document.child(node, marker: "$value") {
                    payload = try dynamicValue(value, nil, isMigrating)
                }
                return .enumeration(
                    DynamicCase(
                        name: document.string(item),
                        rawValue: document.child(node, marker: "$raw").map { document.string($0) }, payload: payload,
                        typeName: name ?? ""))
            }
            if let type = document.child(node, marker: "$struct") {
                if foreign.mode != .nothing, TypeNames.type(named: document.string(type)) != nil {
                    return .value(try swiftValue(node))
                }
                let typeName = document.string(type)
                return .structure(
                    DynamicStructure(
                        typeName: typeName.isEmpty ? nil : typeName, version: try version(node),
                        values: try archivedValues(node, nil)))
            }
            if let list = document.child(node, marker: "$pairs") {
                if foreign.mode != .nothing { return try recordReference(node, "NSDictionary") }
                var result: [(key: DynamicValue, value: DynamicValue)] = []
                for (key, value) in try pairs(list) {
                    result.append((try dynamicValue(key, nil, isMigrating), try dynamicValue(value, nil, isMigrating)))
                }
                return .dictionary(result)
            }
            if let name {
                if isRecord(node, name) {
                    if !isMigrating { _ = try record(node, nil) }
                    return reference()
                }
                if foreign.mode != .nothing {
                    if isOlderNull(node) { return .null }
                    if isSwiftValue(node, name) { return .value(try swiftValue(node)) }
                }
                if let inner = document.child(node, marker: "$value") {
                    if let type = TypeNames.builtInType(named: name) ?? TypeNames.type(named: name), isLeaf(type) {
                        return .value(try value(inner, type))
                    }
                    return .any(
                        DynamicAny(typeName: name, value: try dynamicValue(inner, nil, isMigrating), origin: nil))
                }
                if !isMigrating, rules.makesDynamicObjects, try isCollectionRecord(node) {
                    _ = try instance(node, nil)
                    return reference()
                }
                if let older = try olderForm(node) {
                    let value = try dynamicValue(older, text, isMigrating)
                    guard rules.makesDynamicObjects, FoundationForms.isMarked(name) else { return value }
                    return .any(DynamicAny(typeName: name, value: value, origin: nil))
                }
                if let other = try olderValue(node, name) { return .value(other) }
                if let type = TypeNames.builtInType(named: name) { return .value(try value(node, type)) }
                if !isMigrating { _ = try instance(node, nil) }
                return reference()
            }
        }
        if isMigrating {
            if text?.isReference == true { return reference() }
        } else if rules.isReadable, try isReferred(node) {
            _ = try instance(node, nil)
            return reference()
        }
        if rules.isReadable, document[node].hasMarker, try version(node) != 0 {
            return .structure(
                DynamicStructure(typeName: "", version: try version(node), values: try archivedValues(node, nil)))
        }
        if foreign.mode != .nothing { return try recordReference(node, "NSDictionary") }
        var inner: TextPlan?
        if case .collection(let collection)? = text?.kind { inner = collection.value }
        var result: [(key: DynamicValue, value: DynamicValue)] = []
        var names: Set<String> = []
        var child = node + 1
        while child < document.end(node) {
            let (key, value) = (child, child + 1)
            child = document.end(value)
            guard let name = userKey(key, node) else { continue }
            guard names.insert(name).inserted else { throw twice(key) }
            do throws(DecodingFailure) {
                result.append((.value(name), try dynamicValue(value, inner, isMigrating)))
            } catch {
                throw error.within(.property(name))
            }
        }
        return .dictionary(result)
    }

    private func isLeaf(_ type: Any.Type) -> Bool {
        let others: [Any.Type] = [URL.self, IndexSet.self, CGPoint.self, CGSize.self, CGRect.self]
        if others.contains(where: { $0 == type }) { return true }
        guard let plan = try? PlanCache.shared.plan(for: type) else { return false }
        switch plan.shape {
        case .scalar, .string, .data: return true
        default: return false
        }
    }

    /// The version that an object's node names.
    func version(_ node: Int) throws(DecodingFailure) -> Int {
        guard let number = document.child(node, marker: "$version") else { return 0 }
        guard document.kind(number) == .integer, let value = Int(document.string(number)) else {
            throw failure(.corrupt, number, "`$version` is no integer.")
        }
        return value
    }
}

extension TextPlan {
    /// Whether a value is a reference to an object.
    fileprivate var isReference: Bool {
        switch kind {
        case .reference: true
        case .optional(_, let payload): payload.isReference
        default: false
        }
    }
}
