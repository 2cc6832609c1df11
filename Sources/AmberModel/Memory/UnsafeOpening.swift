// Room:   AmberModel / Memory. Values of any type opened into their parts, and closed again.
// Takes:  a value and its plan; or parts. Gives: parts; or a value.
// Touches: copies of values in temporary memory.
//
// Invariants
// 1. A value is copied into memory of its own type before it is looked at, and the copy outlives the look.
// 2. A value under construction counts as initialised only when all of its parts are; what a failure leaves behind is
//    destroyed part by part.

extension ValuePlan {
    /// What `value`, which must be of this plan's type, is made of.
    package func open(_ value: Any) throws -> OpenedValue {
        let copy = unsafe TemporaryValues(witnesses, count: 1)
        guard unsafe erased.store(value, at: copy.base) else {
            throw ClosingError(
                "A \(codingName(of: type)) was expected, not a \(codingName(of: Swift.type(of: value))).")
        }
        copy.initialized = 1
        defer { withExtendedLifetime(copy) {} }
        return try unsafe open(at: copy.base, value)
    }

    private func open(at address: UnsafeMutableRawPointer, _ value: Any) throws -> OpenedValue {
        switch shape {
        case .pending: throw ClosingError("The plan of \(codingName(of: type)) is not finished.")
        case .scalar(let kind): return .scalar(value, kind)
        case .string: return .string(value as? String ?? "")
        case .data: return .data(value)
        case .optional(let optional):
            if unsafe witnesses.enumTag(address) != 0 { return .none }
            return .some(unsafe optional.payload.part(at: address))
        case .structure(let structure):
            return .structure(
                try structure.places.fields.map { field in
                    if case .bridged(let bridge) = field.plan.shape, bridge.reason == .computed {
                        return (field.name, .init(try unsafe bridge.surrogateValue(of: address), bridge.surrogate))
                    }
                    guard field.ownership.isStrong else {
                        let object = unsafe loadReference(at: address + field.offset, field.ownership)
                        return (field.name, .init(object as Any, field.plan))
                    }
                    return unsafe (field.name, field.plan.part(at: address + field.offset))
                })
        case .enumeration(let enumeration):
            let tag = unsafe witnesses.hasEnumWitnesses ? Int(witnesses.enumTag(address)) : 0
            let item = enumeration.cases[tag]
            guard let payload = item.payload else {
                return .enumeration(name: item.name, rawValue: item.rawValue, payload: nil)
            }
            let copy = unsafe EnumCopy(of: address, self, case: item, tag)
            defer { withExtendedLifetime(copy) {} }
            return .enumeration(name: item.name, rawValue: nil, payload: unsafe payload.part(at: copy.payload))
        case .array(let array):
            let count = unsafe array.storage.count(at: address)
            let first = unsafe array.storage.elements(at: address)
            return .array(
                (0..<count).map { unsafe array.element.part(at: first + $0 * array.element.stride) })
        case .collection(let collection):
            let count = unsafe collection.access.count(at: address)
            let keys = unsafe TemporaryValues(collection.key.witnesses, count: count)
            let values = collection.value.map { unsafe TemporaryValues($0.witnesses, count: count) }
            unsafe collection.access.copyElements(from: address, keys: keys.base, values: values?.base)
            keys.initialized = count
            values?.initialized = count
            let keyParts = (0..<count).map { unsafe collection.key.part(at: keys.address($0)) }
            guard let values, let plan = collection.value else { return .set(keyParts) }
            let valueParts = (0..<count).map { unsafe plan.part(at: values.address($0)) }
            return .dictionary(zip(keyParts, valueParts).map { (key: $0, value: $1) })
        case .reference: return .object(value as AnyObject)
        case .dynamic(let dynamic):
            if dynamic.base != nil { return .object(value as AnyObject) }
            if let object = value as? AnyClass { throw ClosingError("The type \(object) can't be archived.") }
            // An AnyHashable is an existential too, which boxes as itself.
            let held = unsafe dynamic.access.load(from: address)
            let inner = try PlanCache.shared.plan(for: Swift.type(of: held))
            return .dynamic(.init(held, inner))
        case .bridged(let bridged):
            let surrogate = unsafe TemporaryValues(bridged.surrogate.witnesses, count: 1)
            try unsafe bridged.access.makeSurrogate(of: address, at: surrogate.base)
            surrogate.initialized = 1
            return .bridged(unsafe bridged.surrogate.part(at: surrogate.base))
        case .codable:
            guard let encodable = value as? any Encodable else { throw ClosingError("A Codable value was expected.") }
            return .codable(try CodedValue(of: encodable))
        }
    }

    private func part(at address: UnsafeMutableRawPointer) -> OpenedValue.Part {
        .init(unsafe erased.load(from: address), self)
    }

    /// The value of this plan's type that is made of `parts`.
    ///
    /// Scalars are taken as they are: they must be of the very type.
    package func close(_ parts: OpenedValue) throws -> Any {
        let made = unsafe TemporaryValues(witnesses, count: 1)
        try unsafe close(parts, at: made.base)
        made.initialized = 1
        defer { withExtendedLifetime(made) {} }
        return unsafe erased.load(from: made.base)
    }

    private func close(_ parts: OpenedValue, at address: UnsafeMutableRawPointer) throws {
        switch (shape, parts) {
        case (.scalar, .scalar(let value, _)), (.data, .data(let value)):
            try unsafe put(value, at: address)
        case (.string, .string(let value)): try unsafe put(value, at: address)
        case (.reference, .object(let value)): try unsafe put(value, at: address)
        case (.dynamic, .dynamic(let part)): try unsafe put(part.value, at: address)
        case (.dynamic, .object(let value)): try unsafe put(value, at: address)
        case (.optional, .none): unsafe witnesses.storeNil(at: address)
        case (.optional(let optional), .some(let part)):
            try unsafe optional.payload.put(part.value, at: address)
            unsafe witnesses.injectEnum(0, address)
        case (.structure(let structure), .structure(let given)):
            try unsafe close(structure, given, at: address)
        case (.enumeration(let enumeration), .enumeration(let name, let rawValue, let payload)):
            let byRawValue = rawValue.flatMap { raw in enumeration.cases.firstIndex { $0.rawValue == raw } }
            guard let tag = byRawValue ?? enumeration.cases.firstIndex(where: { $0.name == name }) else {
                throw ClosingError("\(enumeration.name) has no case `\(name)`.")
            }
            let item = enumeration.cases[tag]
            switch (item.payload, payload) {
            case (nil, _): break
            case (let plan?, let part?):
                if item.isIndirect {
                    let box = unsafe makeBox(for: plan.type)
                    do { try unsafe plan.put(part.value, at: box.value) } catch {
                        unsafe discardBox(box.object)
                        throw error
                    }
                    unsafe address.storeBytes(of: box.object, as: UnsafeMutableRawPointer.self)
                } else {
                    try unsafe plan.put(part.value, at: address)
                }
            case (_?, nil): throw ClosingError("The case `\(item.name)` of \(enumeration.name) needs a payload.")
            }
            if witnesses.hasEnumWitnesses { unsafe witnesses.injectEnum(UInt32(tag), address) }
        case (.array(let array), .array(let given)), (.array(let array), .set(let given)):
            let elements = try temporaries(given, array.element)
            let first = unsafe array.storage.makeArray(at: address, count: given.count)
            for index in given.indices {
                unsafe array.element.witnesses.move(
                    to: first + index * array.element.stride, from: elements.address(index))
            }
            elements.initialized = 0
            unsafe array.storage.setCount(given.count, at: address)
        case (.collection(let collection), .set(let given)) where collection.value == nil,
            (.collection(let collection), .array(let given)) where collection.value == nil:
            let keys = try temporaries(given, collection.key)
            unsafe collection.access.build(at: address, keys: keys.base, values: nil, count: given.count)
            keys.initialized = 0
        case (.collection(let collection), .dictionary(let given)):
            guard let plan = collection.value else { throw ClosingError("A set was expected, not a dictionary.") }
            let keys = try temporaries(given.map(\.key), collection.key)
            let values = try temporaries(given.map(\.value), plan)
            unsafe collection.access.build(at: address, keys: keys.base, values: values.base, count: given.count)
            keys.initialized = 0
            values.initialized = 0
        case (.bridged(let bridged), .bridged(let part)):
            let surrogate = unsafe TemporaryValues(bridged.surrogate.witnesses, count: 1)
            try unsafe bridged.surrogate.put(part.value, at: surrogate.base)
            surrogate.initialized = 1
            try unsafe bridged.access.makeValue(from: surrogate.base, at: address)
            withExtendedLifetime(surrogate) {}
        case (.codable, .codable(let coded)):
            guard let decodable = type as? any Decodable.Type else {
                throw ClosingError("A Codable type was expected.")
            }
            func make<T: Decodable>(_ type: T.Type) throws {
                unsafe address.initializeMemory(as: T.self, to: try coded.value(T.self))
            }
            try make(decodable)
        default: throw ClosingError("The parts given don't make a \(codingName(of: type)).")
        }
    }

    private func close(
        _ structure: StructurePlan, _ given: [(name: String, part: OpenedValue.Part)],
        at address: UnsafeMutableRawPointer
    ) throws {
        // A struct with an `init()` starts from what that gives; any other must be filled wholly.
        let isInitialized = unsafe structure.model?.makeValue(at: address) ?? false
        let builder = unsafe FieldBuilder(
            fields: structure.places.fields, omitted: structure.places.hidden, base: address,
            typeName: structure.name ?? "tuple", isInitialized: isInitialized)
        do {
            for (name, part) in given {
                guard let index = builder.index(of: name) else { continue }
                try builder.set(index, part.value)
            }
            try builder.complete()
            try builder.setComputed()
        } catch {
            builder.discard()
            throw error
        }
    }
}
