// Room:   AmberReadable / Writing. The walk that finds what a graph holds unconditionally: an iteration from object to object.
// Takes:  the root, then objects. Gives: each object that is reached, once.
// Touches: fields at the offsets that plans give, read only.
//
// Invariants: those of UnsafeValueWriter.

internal import AmberModel

/// A walk over all that is held.
@safe
struct HeldWalk {
    private(set) var objects: [AnyObject] = []
    private var seen: Set<UInt> = []
    private var walked = 0
    private var depth = 0
    private let archived: ArchivedObjects

    init(_ archived: ArchivedObjects) { self.archived = archived }

    /// The next object whose properties weren't visited.
    mutating func next() -> AnyObject? {
        guard walked < objects.count else { return nil }
        walked += 1
        return objects[walked - 1]
    }

    private mutating func meet(_ original: AnyObject) throws(EncodingFailure) {
        var object = original
        if !ForeignClasses.isForeign(type(of: original)) {
            object = try archived.archived(original)
        } else {
            if ForeignShape.shape(of: original)?.isPlain == true { return }
            guard let record = try archived.record(of: original) else { return }
            object = record
        }
        if seen.insert(UInt(bitPattern: unsafe objectAddress(object))).inserted { objects.append(object) }
    }

    /// Visits the properties of an object.
    mutating func visit(_ object: AnyObject, _ plan: ClassPlan) throws(EncodingFailure) {
        if let dynamic = object as? DynamicObject {
            for (_, value) in dynamic.values { try visit(value) }
            return
        }
        let base = unsafe UnsafeRawPointer(objectAddress(object))
        try unsafe visit(base, plan.fields)
        if let unknown = unsafe plan.unknownProperties(of: objectAddress(object)) {
            for (_, value) in unknown.values { try visit(value) }
        }
        withExtendedLifetime(object) {}
    }

    private mutating func visit(_ base: UnsafeRawPointer, _ fields: [FieldPlan]) throws(EncodingFailure) {
        for field in fields where !field.isConditional && field.plan.reachesObjects {
            let address = unsafe base + field.offset
            if field.ownership.isStrong {
                try unsafe visit(address, field.plan)
            } else if let object = unsafe loadReference(at: address, field.ownership) {
                try meet(object)
            }
        }
    }

    /// Visits a value.
    mutating func visit(_ address: UnsafeRawPointer, _ plan: ValuePlan) throws(EncodingFailure) {
        guard plan.reachesObjects else { return }
        depth += 1
        defer { depth -= 1 }
        if depth > DecodingLimits().depth { throw EncodingFailure(.tooDeep, "Values are nested too deeply.") }
        switch plan.shape {
        case .reference:
            if let object = unsafe address.load(as: ObjectAddress?.self) {
                try meet(unsafe AmberModel.object(at: object))
            }
        case .optional(let optional):
            if unsafe !optional.isNil(address) { try unsafe visit(address, optional.payload) }
        case .structure(let structure): try unsafe visit(address, structure.fields)
        case .array(let array):
            let block = unsafe ArrayStorage.hold(at: address)
            let first = unsafe array.storage.elements(at: address)
            for index in 0..<(unsafe array.storage.count(at: address)) {
                try unsafe visit(first + index * array.element.stride, array.element)
            }
            withExtendedLifetime(block) {}
        case .collection(let collection):
            let elements = unsafe CollectionElements(address, collection)
            for index in 0..<elements.count {
                try unsafe visit(elements.keys.address(index), collection.key)
                if let values = elements.values, let plan = collection.value {
                    try unsafe visit(values.address(index), plan)
                }
            }
        case .enumeration(let enumeration):
            let tag = unsafe plan.tag(of: enumeration, at: address)
            guard let payload = enumeration.cases[tag].payload, payload.reachesObjects else { return }
            let copy = unsafe EnumCopy(of: address, plan, case: enumeration.cases[tag], tag)
            try unsafe visit(copy.payload, payload)
            withExtendedLifetime(copy) {}
        case .dynamic(let dynamic): try visit(existential: unsafe dynamic.access.load(from: address))
        case .bridged(let bridged):
            let copy = unsafe TemporaryValues(bridged.surrogate.witnesses, count: 1)
            do { try unsafe bridged.access.makeSurrogate(of: address, at: copy.base) } catch {
                throw EncodingFailure(.codable, "\(error)")
            }
            copy.initialized = 1
            try unsafe visit(copy.base, bridged.surrogate)
            withExtendedLifetime(copy) {}
        default: return
        }
    }

    private mutating func visit(existential value: Any) throws(EncodingFailure) {
        if let object = graphObject(value) { return try meet(object) }
        if let any = value as? DynamicAny { return try visit(any.value) }
        if let dynamic = value as? DynamicValue { return try visit(dynamic) }
        guard let plan = try? PlanCache.shared.plan(for: type(of: value)), plan.reachesObjects,
            let copy = unsafe plan.copy(of: value)
        else { return }
        try unsafe visit(copy.base, plan)
        withExtendedLifetime(copy) {}
    }

    private mutating func visit(_ value: DynamicValue) throws(EncodingFailure) {
        depth += 1
        defer { depth -= 1 }
        if depth > DecodingLimits().depth { throw EncodingFailure(.tooDeep, "Values are nested too deeply.") }
        switch value {
        case .null: return
        case .value(let value): try visit(existential: value)
        case .some(let value): try visit(value)
        case .any(let any): try visit(any.value)
        case .array(let elements): for element in elements { try visit(element) }
        case .dictionary(let pairs):
            for (key, value) in pairs {
                try visit(key)
                try visit(value)
            }
        case .structure(let structure): for (_, value) in structure.values { try visit(value) }
        case .enumeration(let item): if let payload = item.payload { try visit(payload) }
        case .object(let reference): if let object = reference.object, !reference.isConditional { try meet(object) }
        }
    }
}

/// The object in an existential, when it is an instance of a model class.
func modelObject(_ value: Any) -> AnyObject? {
    guard let type = type(of: value) as? AnyClass, type is any ModelProtocol.Type else { return nil }
    return value as AnyObject
}

/// The object in an existential, when documents refer to it: a model, or one that is archived by code of its own.
func graphObject(_ value: Any) -> AnyObject? {
    guard let type = type(of: value) as? AnyClass else { return nil }
    return type is any ModelProtocol.Type || !(type is any Codable.Type) ? value as AnyObject : nil
}

/// Copies of a collection's elements.
@safe
struct CollectionElements {
    let count: Int
    let keys: TemporaryValues
    let values: TemporaryValues?

    @unsafe
    init(_ address: UnsafeRawPointer, _ collection: CollectionPlan) {
        count = unsafe collection.access.count(at: address)
        keys = unsafe TemporaryValues(collection.key.witnesses, count: count)
        let count = count
        values = collection.value.map { unsafe TemporaryValues($0.witnesses, count: count) }
        unsafe collection.access.copyElements(from: address, keys: keys.base, values: values?.base)
        keys.initialized = count
        values?.initialized = count
    }
}

extension ValuePlan {
    /// The value in memory of its own; `nil` if it isn't of the plan's type.
    @unsafe
    func copy(of value: Any) -> TemporaryValues? {
        let copy = unsafe TemporaryValues(witnesses, count: 1)
        guard unsafe erased.store(value, at: copy.base) else { return nil }
        copy.initialized = 1
        return copy
    }

    /// The tag of the enum value at `address`.
    @unsafe
    @inline(__always)
    func tag(of enumeration: EnumerationPlan, at address: UnsafeRawPointer) -> Int {
        switch enumeration.tagSize {
        case 1: unsafe Int(address.load(as: UInt8.self))
        case 2: unsafe Int(address.load(as: UInt16.self))
        default: witnesses.hasEnumWitnesses && enumeration.cases.count > 1 ? unsafe Int(witnesses.enumTag(address)) : 0
        }
    }
}
