// Room:   AmberReadable / Reading. Sets, dictionaries, enums, surrogates, Codable values.
// Takes:  nodes. Gives: memory of such types.
// Touches: uninitialised memory; temporaries for elements.
//
// Invariants: those of UnsafeValueReader.

internal import AmberModel
internal import Foundation

extension ValueReader {
    /// A value of a plan's type in an `Any`.
    mutating func value(_ node: Int, _ text: TextPlan) throws(DecodingFailure) -> Any {
        let memory = unsafe TemporaryValues(text.plan.witnesses, count: 1)
        try unsafe read(node, text, at: memory.base)
        memory.initialized = 1
        defer { withExtendedLifetime(memory) {} }
        return unsafe text.plan.erased.load(from: memory.base)
    }

    mutating func readCollection(
        _ node: Int, _ collection: TextCollection, _ plan: ValuePlan, at address: UnsafeMutableRawPointer
    ) throws(DecodingFailure) {
        guard let value = collection.value else {
            return try unsafe readSet(node, collection, plan, at: address)
        }
        var keyNodes: [(key: Int, value: Int)] = []
        var areTexts = false
        if document.kind(node) == .object {
            if let list = marked(node, Marker.pairs), rules.isReadable {
                keyNodes = try pairs(list)
            } else {
                areTexts = true
                keyNodes.reserveCapacity(document.length(node))
                var child = node + 1
                while child < document.end(node) {
                    if userKey(child, node) != nil { keyNodes.append((child, child + 1)) }
                    child = document.end(child + 1)
                }
            }
        } else if !rules.isReadable, document.kind(node) == .array, collection.keyForm == .pairs {
            keyNodes = try pairs(node)
        } else {
            throw mismatch(node, plan.type)
        }
        let count = keyNodes.count
        try pay(count, collection.plan.key.stride + value.plan.stride, node)
        let keys = unsafe TemporaryValues(collection.plan.key.witnesses, count: count)
        let values = unsafe TemporaryValues(value.plan.witnesses, count: count)
        for (index, item) in keyNodes.enumerated() {
            do throws(DecodingFailure) {
                if areTexts {
                    try unsafe readKey(item.key, node, collection.key, at: keys.address(index))
                } else {
                    try unsafe read(item.key, collection.key, at: keys.address(index))
                }
                keys.initialized = index + 1
                try unsafe read(item.value, value, at: values.address(index))
                values.initialized = index + 1
            } catch {
                throw error.within(areTexts ? .property(document.string(item.key)) : .index(index))
            }
        }
        if collection.key.reachesObjects, !isFinal {
            (sawWaiting, sawHashed) = (true, true)
            return unsafe buildEmpty(collection, at: address)
        }
        (keys.initialized, values.initialized) = (0, 0)
        unsafe collection.plan.access.build(at: address, keys: keys.base, values: values.base, count: count)
        if unsafe collection.plan.access.count(at: address) != count {
            unsafe plan.witnesses.destroy(address)
            throw failure(.corrupt, node, "A key of the dictionary is there twice.")
        }
    }

    private mutating func readSet(
        _ node: Int, _ collection: TextCollection, _ plan: ValuePlan, at address: UnsafeMutableRawPointer
    ) throws(DecodingFailure) {
        guard document.kind(node) == .array else { throw mismatch(node, plan.type) }
        let count = document.length(node)
        try pay(count, collection.plan.key.stride, node)
        let keys = unsafe TemporaryValues(collection.plan.key.witnesses, count: count)
        var child = node + 1
        for index in 0..<count {
            do throws(DecodingFailure) { try unsafe read(child, collection.key, at: keys.address(index)) } catch {
                throw error.within(.index(index))
            }
            keys.initialized = index + 1
            child = document.end(child)
        }
        if collection.key.reachesObjects, !isFinal {
            // What hashes objects must not see them before they are whole.
            (sawWaiting, sawHashed) = (true, true)
            return unsafe buildEmpty(collection, at: address)
        }
        keys.initialized = 0
        unsafe collection.plan.access.build(at: address, keys: keys.base, values: nil, count: count)
    }

    private func buildEmpty(_ collection: TextCollection, at address: UnsafeMutableRawPointer) {
        let none = unsafe TemporaryValues(collection.plan.key.witnesses, count: 0)
        let values = collection.value.map { unsafe TemporaryValues($0.plan.witnesses, count: 0) }
        unsafe collection.plan.access.build(at: address, keys: none.base, values: values?.base, count: 0)
        withExtendedLifetime((none, values)) {}
    }

    /// A dictionary's key from the text that stands for it.
    private mutating func readKey(
        _ key: Int, _ object: Int, _ text: TextPlan, at address: UnsafeMutableRawPointer
    ) throws(DecodingFailure) {
        let name = userKey(key, object) ?? ""
        switch text.kind {
        case .string: unsafe address.initializeMemory(as: String.self, to: name)
        case .scalar(.uuid):
            guard let uuid = UUID(uuidString: name) else { throw wrongKey(key, text) }
            unsafe address.initializeMemory(as: UUID.self, to: uuid)
        case .scalar(let kind) where kind != .date && kind != .decimal && kind != .bool:
            let number: ArchivedNumber?
            if kind == .float32 || kind == .float64 {
                number = Double(name).map { .double($0) }
            } else {
                number = Int128(name).map { .signed($0) } ?? UInt128(name).map { .unsigned($0) }
            }
            guard let number, unsafe number.store(as: kind, at: address) else { throw wrongKey(key, text) }
        case .enumeration(let enumeration):
            guard let tag = enumeration.tag(name), enumeration.payloads[tag] == nil else {
                throw failure(
                    .unknownCase, key, "The key \"\(name.prefix(60))\" is no case of \(enumeration.plan.name).")
            }
            unsafe storeCase(tag, text.plan, at: address)
        case .bridged(let bridged, let surrogate):
            guard case .string = surrogate.kind else { throw wrongKey(key, text) }
            let copy = unsafe TemporaryValues(surrogate.plan.witnesses, count: 1)
            unsafe copy.base.initializeMemory(as: String.self, to: name)
            copy.initialized = 1
            do { try unsafe bridged.access.makeValue(from: copy.base, at: address) } catch {
                throw failure(.corrupt, key, "\(error)")
            }
        case .dynamic(let dynamic):
            guard unsafe dynamic.access.store(name, at: address) else { throw wrongKey(key, text) }
        default: throw wrongKey(key, text)
        }
    }

    private func wrongKey(_ key: Int, _ text: TextPlan) -> DecodingFailure {
        failure(
            .typeMismatch, key,
            "The key \"\(document.string(key).prefix(60))\" is no \(TypeNames.name(of: text.plan.type)). Other keys than texts and "
                + "integers stand in `$pairs`.")
    }

    // MARK: Enums

    mutating func readEnumeration(
        _ node: Int, _ enumeration: TextEnumeration, _ plan: ValuePlan, at address: UnsafeMutableRawPointer
    ) throws(DecodingFailure) {
        guard let (tag, payload) = try choice(node, enumeration, plan) else {
            return try unsafe readUnknownCase(node, enumeration, plan, at: address)
        }
        guard let payload, let text = enumeration.payloads[tag] else {
            return unsafe storeCase(tag, plan, at: address)
        }
        do throws(DecodingFailure) {
            try unsafe readPayload(payload, text, tag, enumeration, plan, at: address)
        } catch {
            throw error.within(.property(enumeration.plan.cases[tag].name))
        }
    }

    /// What a node says of a case: its text, and the node of its payload.
    private func item(_ node: Int) -> (name: String, payload: Int?)? {
        let kind = document.kind(node)
        var name: String?
        var payload: Int?
        switch kind {
        case .string, .escaped, .integer: name = document.string(node)
        case .real, .double, .float: name = document.double(node).map { "\($0)" }
        case .yes, .no: name = "\(kind == .yes)"
        case .object:
            if let item = marked(node, Marker.item), rules.isReadable {
                name = marked(node, Marker.raw).map { document.string($0) } ?? document.string(item)
                payload = marked(node, Marker.value)
            } else if document.length(node) == 1 {
                name = self.name(node + 1)
                payload = node + 2
            }
        default: break
        }
        if let known = name, let mapped = cases?.names[known] { name = mapped }
        return name.map { ($0, payload) }
    }

    /// The case of a node and the node of its payload; `nil` if the enum doesn't have it.
    private func choice(
        _ node: Int, _ enumeration: TextEnumeration, _ plan: ValuePlan
    ) throws(DecodingFailure) -> (tag: Int, payload: Int?)? {
        guard let (name, payload) = item(node) else { throw mismatch(node, plan.type) }
        guard let tag = enumeration.tag(name) else { return nil }
        if (enumeration.payloads[tag] == nil) == (payload == nil) { return (tag, payload) }
        if enumeration.plan.carrier != nil { return nil }
        if payload != nil {
            throw failure(.typeMismatch, node, "The case `\(name)` of \(enumeration.plan.name) has no payload.")
        }
        throw failure(
            .missingValue, node,
            "The case `\(name)` of \(enumeration.plan.name) has a payload. Write it as {\"\(name)\": …}.")
    }

    private func storeCase(_ tag: Int, _ plan: ValuePlan, at address: UnsafeMutableRawPointer) {
        if plan.witnesses.hasEnumWitnesses { unsafe plan.witnesses.injectEnum(UInt32(tag), address) }
    }

    private mutating func readPayload(
        _ node: Int, _ text: TextPlan, _ tag: Int, _ enumeration: TextEnumeration, _ plan: ValuePlan,
        at address: UnsafeMutableRawPointer
    ) throws(DecodingFailure) {
        if enumeration.plan.cases[tag].isIndirect {
            let box = unsafe makeBox(for: text.plan.type)
            do throws(DecodingFailure) { try unsafe read(node, text, at: box.value) } catch {
                unsafe discardBox(box.object)
                throw error
            }
            unsafe address.storeBytes(of: box.object, as: UnsafeMutableRawPointer.self)
        } else {
            try unsafe read(node, text, at: address)
        }
        unsafe storeCase(tag, plan, at: address)
    }

    private mutating func readUnknownCase(
        _ node: Int, _ enumeration: TextEnumeration, _ plan: ValuePlan, at address: UnsafeMutableRawPointer
    ) throws(DecodingFailure) {
        guard let (name, payload) = item(node) else { throw mismatch(node, plan.type) }
        if let carrier = enumeration.plan.carrier {
            var value: DynamicValue?
            if let payload { value = try dynamicValue(payload) }
            let item = DynamicCase(name: name, rawValue: nil, payload: value, typeName: enumeration.plan.name)
            if enumeration.plan.cases[carrier].isIndirect {
                let box = unsafe makeBox(for: DynamicCase.self)
                unsafe box.value.initializeMemory(as: DynamicCase.self, to: item)
                unsafe address.storeBytes(of: box.object, as: UnsafeMutableRawPointer.self)
            } else {
                unsafe address.initializeMemory(as: DynamicCase.self, to: item)
            }
            return unsafe storeCase(carrier, plan, at: address)
        }
        if let fallback = enumeration.plan.fallback, let tag = enumeration.tag(fallback) {
            return unsafe storeCase(tag, plan, at: address)
        }
        let known = enumeration.texts.prefix(8).joined(separator: ", ")
        throw failure(
            .unknownCase, node,
            "\"\(name.prefix(60))\" is no case of \(enumeration.plan.name), which has: \(known). Add it, or a case with a "
                + "`DynamicCase`.")
    }

    // MARK: Surrogates

    mutating func readBridged(
        _ node: Int, _ bridged: BridgedPlan, _ surrogate: TextPlan, _ text: TextPlan,
        at address: UnsafeMutableRawPointer
    ) throws(DecodingFailure) {
        let copy = unsafe TemporaryValues(surrogate.plan.witnesses, count: 1)
        try unsafe read(node, surrogate, at: copy.base)
        copy.initialized = 1
        if surrogate.reachesObjects, !isFinal, bridged.reason != .checked, text.plan.type != DynamicCase.self {
            if text.plan.type is any ReplacedValue.Type {
                // Memory that is all zero can be destroyed: the plan is made of such types only.
                sawWaiting = true
                unsafe UnsafeMutableRawBufferPointer(start: address, count: text.plan.size)
                    .initializeMemory(as: UInt8.self, repeating: 0)
                return
            }
            guard case .array = surrogate.kind, bridged.reason == .type else {
                throw failure(
                    .unsupportedType, node, "A \(TypeNames.name(of: text.plan.type)) can't be made of objects yet.")
            }
        }
        do { try unsafe bridged.access.makeValue(from: copy.base, at: address) } catch {
            throw (error as? DecodingFailure)
                ?? failure(error is BridgeError ? .corrupt : .rejectedByHook, node, "\(error)")
        }
        withExtendedLifetime(copy) {}
    }

    // MARK: Codable values

    mutating func readCodable(
        _ node: Int, _ access: CodableAccess, _ plan: ValuePlan, at address: UnsafeMutableRawPointer
    ) throws(DecodingFailure) {
        guard let type = plan.type as? any Decodable.Type else { throw mismatch(node, plan.type) }
        let value = try coded(node)
        func make<T: Decodable>(_ type: T.Type) throws(DecodingFailure) {
            unsafe address.initializeMemory(as: T.self, to: try value.value(T.self, userInfo: rules.userInfo))
        }
        do throws(DecodingFailure) { try make(type) } catch {
            let offset = document.sourceOffset(node)
            throw DecodingFailure(
                error.code, at: error.path, offset: offset, position: offset.flatMap { document.position(of: $0) },
                error.reason)
        }
    }

    private mutating func coded(_ given: Int) throws(DecodingFailure) -> CodedValue {
        guard case .node(let node) = try aliased(given) else { throw mismatch(given, Any.self) }
        depth += 1
        budget -= 4
        defer { depth -= 1 }
        if depth > rules.limits.depth || budget < 0 {
            throw failure(.limitExceeded, node, "Values are nested too deeply, or are too many.")
        }
        switch document.kind(node) {
        case .null: return .null
        case .yes, .no: return .scalar(document.kind(node) == .yes, .bool)
        case .integer, .real, .double, .float: return try codedNumber(node)
        case .string, .escaped: return .string(document.string(node))
        case .date: return .scalar(Date(timeIntervalSinceReferenceDate: try date(node)), .date)
        case .data: return .data(try data(node))
        case .array:
            var elements: [CodedValue] = []
            var child = node + 1
            while child < document.end(node) {
                elements.append(try coded(child))
                child = document.end(child)
            }
            return .array(elements)
        default:
            if rules.isReadable, document[node].hasMarker {
                if isOlderNull(node), document.length(node) == 1 { return .null }
                if let inner = marked(node, Marker.date) {
                    return .scalar(Date(timeIntervalSinceReferenceDate: try date(inner)), .date)
                }
                if let inner = marked(node, Marker.data) { return .data(try data(inner)) }
                if let inner = marked(node, Marker.value), let name = marked(node, Marker.type) {
                    return try codedScalar(inner, document.string(name), node)
                }
            }
            var pairs: [(key: String, value: CodedValue)] = []
            var names: Set<String> = []
            var child = node + 1
            while child < document.end(node) {
                if let name = userKey(child, node) {
                    guard names.insert(name).inserted else { throw twice(child) }
                    pairs.append((name, try coded(child + 1)))
                }
                child = document.end(child + 1)
            }
            return .keyed(pairs)
        }
    }

    /// A number that a property list holds as text, by its type.
    private mutating func codedScalar(
        _ node: Int, _ name: String, _ whole: Int
    ) throws(DecodingFailure) -> CodedValue {
        switch name {
        case "Decimal": return .scalar(try decimal(node), .decimal)
        case "Int128": if let value = Int128(document.string(node)) { return .scalar(value, .int128) }
        case "UInt128": if let value = UInt128(document.string(node)) { return .scalar(value, .uint128) }
        default:
            // As it came from an archive of another kind.
            if TypeNames.builtInType(named: name) != nil || FoundationForms.isTransparent(name) {
                return try coded(node)
            }
        }
        throw failure(.typeMismatch, whole, "\(name) is no type of numbers in Codable values.")
    }

    /// A number with all its digits.
    private func codedNumber(_ node: Int) throws(DecodingFailure) -> CodedValue {
        switch try naturalNumber(node) {
        case let value as Int: return .scalar(value, .int64)
        case let value as UInt: return .scalar(value, .uint64)
        case let value as Int128: return .scalar(value, .int128)
        case let value as UInt128: return .scalar(value, .uint128)
        case let value as Float: return .scalar(value, .float32)
        case let value as Double:
            if document.kind(node) == .real, document.length(node) > 17,
                let exact = DecimalText.decimal(document.string(node)), exact.description != value.description
            {
                return .scalar(exact, .decimal)
            }
            return .scalar(value, .float64)
        default: return .null
        }
    }
}
