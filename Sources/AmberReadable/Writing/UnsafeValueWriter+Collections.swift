// Room:   AmberReadable / Writing. Sets, dictionaries, enums, surrogates.
// Takes:  addresses of such values. Gives: events to a sink, in an order that depends on the values alone.
// Touches: copies of elements and payloads.
//
// Invariants: those of UnsafeValueWriter.

internal import AmberModel
internal import Foundation

extension ValueWriter where Sink: ~Copyable {
    /// The value that stands for the one at `address`.
    func surrogate(of address: UnsafeRawPointer, _ bridged: BridgedPlan) throws(EncodingFailure) -> TemporaryValues {
        let copy = unsafe TemporaryValues(bridged.surrogate.witnesses, count: 1)
        do { try unsafe bridged.access.makeSurrogate(of: address, at: copy.base) } catch {
            throw (error as? EncodingFailure) ?? EncodingFailure(.codable, "\(error)")
        }
        copy.initialized = 1
        return copy
    }

    mutating func write(collection address: UnsafeRawPointer, _ collection: TextCollection) throws(EncodingFailure) {
        let elements = unsafe CollectionElements(address, collection.plan)
        defer { withExtendedLifetime(elements) {} }
        guard let valuePlan = collection.value, let values = elements.values else {
            let order = try self.order(elements.keys, elements.count, collection.key)
            guard let order else {
                return try unsafe writeElements(
                    elements.keys.base, elements.count, collection.plan.key.stride, collection.key)
            }
            let sorted = elements.keys.reordered(order, collection.plan.key.witnesses)
            defer { withExtendedLifetime(sorted) {} }
            return try unsafe writeElements(sorted.base, elements.count, collection.plan.key.stride, collection.key)
        }
        if collection.keyForm == .pairs {
            let order = try self.order(elements.keys, elements.count, collection.key) ?? Array(0..<elements.count)
            return try write(pairs: elements, order, collection.key, valuePlan)
        }
        var keys: [(text: String, index: Int)] = []
        keys.reserveCapacity(elements.count)
        for index in 0..<elements.count {
            keys.append((try unsafe keyText(elements.keys.address(index), collection.key), index))
        }
        if keys.count > 1 { sort(&keys, collection.key.plan) }
        sink.beginObject()
        nesting += 1
        let tracks = valuePlan.reachesObjects
        for (text, index) in keys {
            let key = rules.isReadable ? Marker.escaped(text) : text
            sink.key(text: key)
            if tracks { paths.push(.key(key)) }
            defer { if tracks { paths.pop() } }
            do throws(EncodingFailure) { try unsafe write(values.address(index), valuePlan) } catch {
                throw error.within(.property(text))
            }
        }
        nesting -= 1
        if nesting == 0 { try writeWaiting(inObject: true) }
        sink.endObject()
    }

    private func sort(_ keys: inout [(text: String, index: Int)], _ plan: ValuePlan) {
        if case .scalar(let kind) = plan.shape, kind.isInteger {
            let numbers = keys.map { (Int128($0.text) ?? 0, $0) }
            keys = numbers.sorted { $0.0 < $1.0 }.map(\.1)
        } else {
            keys.sort { precedes($0.text, $1.text) }
        }
    }

    private mutating func write(
        pairs elements: CollectionElements, _ order: [Int], _ key: TextPlan, _ value: TextPlan
    ) throws(EncodingFailure) {
        guard let values = elements.values else { return }
        if rules.isReadable { beginMarked(Marker.pairsKey, Marker.pairs) }
        sink.beginArray()
        nesting += 1
        for (number, index) in order.enumerated() {
            sink.element()
            sink.beginArray()
            nesting += 1
            paths.push(.index(number))
            do throws(EncodingFailure) {
                for (place, part) in [(0, key), (1, value)] {
                    sink.element()
                    paths.push(.index(place))
                    defer { paths.pop() }
                    try unsafe write(place == 0 ? elements.keys.address(index) : values.address(index), part)
                }
            } catch {
                throw error.within(.index(number))
            }
            paths.pop()
            nesting -= 1
            sink.endArray()
        }
        nesting -= 1
        sink.endArray()
        if rules.isReadable { try endMarked() }
    }

    /// Begins an object with one marker, whose value follows.
    mutating func beginMarked(_ key: EncodedKey, _ step: String) {
        sink.beginObject()
        nesting += 1
        sink.key(key)
        paths.push(.key(step))
    }

    mutating func endMarked() throws(EncodingFailure) {
        paths.pop()
        nesting -= 1
        if nesting == 0 { try writeWaiting(inObject: true) }
        sink.endObject()
    }

    /// The text of a dictionary's key.
    func keyText(_ address: UnsafeRawPointer, _ text: TextPlan) throws(EncodingFailure) -> String {
        switch text.kind {
        case .string: return unsafe address.assumingMemoryBound(to: String.self).pointee
        case .scalar(.uuid): return unsafe address.assumingMemoryBound(to: UUID.self).pointee.uuidString
        case .scalar: return "\(unsafe text.plan.erased.load(from: address))"
        case .enumeration(let enumeration):
            return enumeration.texts[unsafe text.plan.tag(of: enumeration.plan, at: address)]
        case .bridged(let bridged, _), .url(let bridged, _):
            let copy = try unsafe surrogate(of: address, bridged)
            defer { withExtendedLifetime(copy) {} }
            return unsafe copy.base.assumingMemoryBound(to: String.self).pointee
        default: throw EncodingFailure(.unsupportedType, "A \(codingName(of: text.plan.type)) is no key.")
        }
    }

    /// The order of a set's elements or a dictionary's keys; `nil` if there is but one. Objects that differ only in what they
    /// refer to may come in any.
    private mutating func order(
        _ values: TemporaryValues, _ count: Int, _ text: TextPlan
    ) throws(EncodingFailure) -> [Int]? {
        guard count > 1, !(rules.isRank && text.reachesObjects) else { return nil }
        if case .scalar(let kind) = text.kind, kind.isInteger, kind != .bool {
            let numbers = (0..<count).map { index in
                (Int128("\(unsafe text.plan.erased.load(from: values.address(index)))") ?? 0, index)
            }
            return numbers.sorted { $0.0 < $1.0 }.map(\.1)
        }
        var ranks: [(text: [UInt8], index: Int)] = []
        for index in 0..<count {
            var inner = rules
            inner.nonFinite = .text
            inner.isRank = true
            var writer = ValueWriter<JSONSink>(JSONSink(isPretty: false), schema, inner)
            writer.archived = archived
            try unsafe writer.write(values.address(index), text)
            ranks.append((writer.sink.bytes, index))
        }
        return ranks.sorted { $0.text.lexicographicallyPrecedes($1.text) }.map(\.index)
    }

    // MARK: Enums

    mutating func write(
        enumeration address: UnsafeRawPointer, _ enumeration: TextEnumeration, _ plan: ValuePlan
    ) throws(EncodingFailure) {
        let tag = unsafe plan.tag(of: enumeration.plan, at: address)
        let item = enumeration.plan.cases[tag]
        if let text = rules.cases?.texts[item.name], item.payload == nil { return sink.string(text) }
        if rules.namesTypes, enumeration.payloads[tag]?.plan.type != DynamicCase.self {
            beginCase(item, enumeration.plan.name)
        }
        guard let payload = enumeration.payloads[tag] else {
            if rules.namesTypes { return try endCase() }
            if !rules.isReadable, let raw = item.rawValue, let number = Int128(raw), plan.hasIntegerRawValues {
                return write(long: number)
            }
            return sink.string(enumeration.texts[tag])
        }
        let copy = unsafe EnumCopy(of: address, plan, case: item, tag)
        defer { withExtendedLifetime(copy) {} }
        if payload.plan.type == DynamicCase.self {
            let unknown = unsafe copy.payload.assumingMemoryBound(to: DynamicCase.self).pointee
            return try write(unknownCase: unknown)
        }
        if rules.namesTypes {
            sink.key(Marker.valueKey)
            paths.push(.key(Marker.value))
            defer { paths.pop() }
            do throws(EncodingFailure) { try unsafe write(copy.payload, payload) } catch {
                throw error.within(.property(item.name))
            }
            return try endCase()
        }
        beginMarked(enumeration.keys[tag], enumeration.keys[tag].text)
        do throws(EncodingFailure) { try unsafe write(copy.payload, payload) } catch {
            throw error.within(.property(item.name))
        }
        try endMarked()
    }

    /// Begins a case that names its type; the payload may follow.
    private mutating func beginCase(_ item: EnumerationPlan.Case, _ typeName: String) {
        sink.beginObject()
        nesting += 1
        sink.key(Marker.itemKey)
        sink.string(item.name)
        sink.key(Marker.typeKey)
        sink.string(typeName)
        if let raw = item.rawValue {
            sink.key(Marker.rawKey)
            sink.string(raw)
        }
    }

    private mutating func endCase() throws(EncodingFailure) {
        nesting -= 1
        if nesting == 0 { try writeWaiting(inObject: true) }
        sink.endObject()
    }

    // MARK: Optionals in Optionals

    mutating func writeSome(_ address: UnsafeRawPointer, _ payload: TextPlan) throws(EncodingFailure) {
        beginMarked(Marker.someKey, Marker.some)
        try unsafe write(address, payload)
        try endMarked()
    }

    /// Whether a value would be written as null, or is an Optional that holds such a one.
    func endsInNull(_ address: UnsafeRawPointer, _ text: TextPlan) throws(EncodingFailure) -> Bool {
        if case .optional(let optional, let payload) = text.kind, unsafe !optional.isNil(address) {
            return try unsafe endsInNull(address, payload)
        }
        return try unsafe isNull(address, text)
    }

    /// Whether a value would be written as null.
    func isNull(_ address: UnsafeRawPointer, _ text: TextPlan) throws(EncodingFailure) -> Bool {
        switch text.kind {
        case .optional(let optional, _): return unsafe optional.isNil(address)
        case .dynamic(let dynamic):
            return isNilExistential(unsafe dynamic.access.load(from: address))
        case .codable:
            guard let value = unsafe text.plan.erased.load(from: address) as? any Encodable else { return false }
            if case .null = try CodedValue(of: value, userInfo: rules.userInfo) { return true }
            return false
        default: return false
        }
    }
}

/// The order of texts by their bytes: `<` is no total order of texts that aren't normalized.
func precedes(_ left: String, _ right: String) -> Bool {
    left.utf8.lexicographicallyPrecedes(right.utf8)
}

/// Whether an existential holds an empty Optional.
func isNilExistential(_ value: Any) -> Bool {
    guard value is any OptionalType else {
        if case .null? = value as? DynamicValue { return true }
        return false
    }
    guard let inner = Mirror(reflecting: value).children.first?.value else { return true }
    return isNilExistential(inner)
}

extension ValuePlan {
    /// Whether an enum's raw values are integers.
    var hasIntegerRawValues: Bool {
        func open<T: RawRepresentable>(_ type: T.Type) -> Bool { T.RawValue.self is any FixedWidthInteger.Type }
        return (type as? any RawRepresentable.Type).map { open($0) } ?? false
    }
}
