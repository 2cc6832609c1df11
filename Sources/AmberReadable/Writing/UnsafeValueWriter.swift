// Room:   AmberReadable / Writing. Values to documents, straight from memory.
// Takes:  addresses of values and their text plans. Gives: events to a sink.
// Touches: fields at the offsets that plans give.
//
// Invariants
// 1. Addresses hold initialised values of the plan's type while they are written; arrays are held by their blocks, since a
//    hook may replace them.
// 2. Objects that were met are held until the end, so that no address is used twice.
// 3. Copies of elements, payloads and surrogates live until they are written.

internal import AmberModel
internal import Foundation

/// What a writer does beyond the plan.
struct WritingRules: Sendable {
    /// Whether objects are written once and referred to by `$alias`, and types named by `$class`.
    var isReadable = true
    var usesAliases = true
    var sortsKeys = false
    var nonFinite = NonFiniteStrategy.refuse
    var omitsNil = false
    /// Whether what a new instance would have a value for is written when it is nil all the same.
    var keepsNilOverDefaults = false
    /// Whether objects and structs name their types where a reader could tell them.
    var namesModels = false
    /// Whether everything names its type: a reader without the types can make of it what they would.
    var namesTypes = false
    /// How many containers may stand in each other before an object is written elsewhere.
    var nestingLimit = 40
    var depthLimit = DecodingLimits().depth
    var userInfo: [CodingUserInfoKey: any Sendable] = [:]
    var dates = MappedDateStrategy.iso8601
    /// What stands for cases of an enum.
    var cases: CaseMap?
    /// Whether the text is only to tell elements of a set apart: without what they refer to, and without hooks.
    var isRank = false
}

/// What is done with NaN and the infinities where a document has no number for them.
public enum NonFiniteStrategy: Sendable, Equatable {
    /// They are an error.
    case refuse
    /// They are written, and read, as the texts `NaN`, `Infinity` and `-Infinity`.
    case text
}

/// Writes one graph.
@safe
struct ValueWriter<Sink: ReadableSink & ~Copyable>: ~Copyable {
    var sink: Sink
    let schema: TextSchema
    let rules: WritingRules
    let traits: SinkTraits
    var table = ObjectTable()
    /// What is written for objects.
    var archived = ArchivedObjects()
    /// The objects met, by their numbers.
    var objects: [AnyObject] = []
    /// Where they are.
    var places: ContiguousArray<Int32> = []
    /// The classes that readers take them for in these places.
    var expectations: ContiguousArray<AnyClass?> = []
    var paths = PathTree()
    /// Objects that are written after the root.
    var waiting: [AnyObject] = []
    var classes: [ObjectIdentifier: TextClass] = [:]
    var lastClass: TextClass?
    /// Objects that something holds unconditionally; found when the first conditional reference is met.
    var held: HeldObjects?
    var root: UnsafeRawPointer?
    var rootPlan: TextPlan?
    /// How deep values are nested in each other, within one object.
    var depth = 0
    /// How many containers are open.
    var nesting = 0
    /// Whether references met now count only if something else holds the object.
    var isConditional = false
    /// The class of the object that is being written.
    var writtenType: (any ModelProtocol.Type)?
    /// Objects that are written without their class, for it is that of their place.
    var unmarked: Set<ObjectIdentifier> = []
    /// Whether the values at hand are those of an object that is archived by code of its own.
    var isInRecord = false
    /// The objects being written, when there are no aliases.
    var active: Set<UInt> = []

    init(_ sink: consuming Sink, _ schema: TextSchema, _ rules: WritingRules) {
        traits = sink.traits
        self.sink = sink
        self.schema = schema
        self.rules = rules
    }

    /// Writes the value at `address`.
    mutating func write(_ address: UnsafeRawPointer, _ text: TextPlan) throws(EncodingFailure) {
        switch text.kind {
        case .scalar(let kind): return try unsafe write(scalar: address, kind)
        case .string: return sink.string(unsafe address.assumingMemoryBound(to: String.self).pointee)
        case .reference(let reference):
            guard let object = unsafe address.load(as: ObjectAddress?.self) else { return sink.null() }
            return try unsafe write(AmberModel.object(at: object), expected: reference.base)
        case .optional(let optional, let payload):
            if unsafe optional.isNil(address) { return writeNull() }
            switch payload.kind {
            case .optional, .dynamic, .codable:
                if rules.isReadable, try unsafe endsInNull(address, payload) {
                    return try unsafe writeSome(address, payload)
                }
            default: break
            }
            return try unsafe write(address, payload)
        default: break
        }
        depth += 1
        defer { depth -= 1 }
        if depth > rules.depthLimit { throw tooDeep() }
        switch text.kind {
        case .structure(let fields): try unsafe writeStructure(address, fields)
        case .array(let array, let element): try unsafe write(array: address, array, element)
        case .data: writeData(unsafe address.assumingMemoryBound(to: Data.self).pointee)
        case .collection(let collection): try unsafe write(collection: address, collection)
        case .enumeration(let enumeration): try unsafe write(enumeration: address, enumeration, text.plan)
        case .dynamic(let dynamic):
            try write(existential: unsafe dynamic.access.load(from: address), dynamic, text.plan.type)
        case .bridged(let bridged, let surrogate):
            let copy = try unsafe self.surrogate(of: address, bridged)
            try unsafe write(copy.base, surrogate)
            withExtendedLifetime(copy) {}
        case .url(let bridged, let surrogate):
            let url = unsafe address.assumingMemoryBound(to: URL.self).pointee
            if url.baseURL == nil {
                guard rules.namesTypes else { return sink.string(url.relativeString) }
                try beginTyped("URL")
                sink.string(url.relativeString)
                return try endMarked()
            }
            let copy = try unsafe self.surrogate(of: address, bridged)
            try unsafe write(copy.base, surrogate)
            withExtendedLifetime(copy) {}
        case .codable: try write(codable: unsafe text.plan.erased.load(from: address))
        default: break
        }
    }

    func tooDeep() -> EncodingFailure {
        EncodingFailure(
            .tooDeep,
            "Values are nested more than \(rules.depthLimit) deep, so that the document could not be read back. Make one of "
                + "them a class.")
    }

    // MARK: Leaves

    mutating func writeNull() {
        if traits.hasNull { return sink.null() }
        // What the older coder writes where a property list needs a null.
        sink.beginObject()
        sink.key(Marker.typeKey)
        sink.string("NSNull")
        sink.endObject()
    }

    @inline(__always)
    private mutating func write(scalar address: UnsafeRawPointer, _ kind: ScalarKind) throws(EncodingFailure) {
        switch kind {
        case .bool: sink.bool(unsafe address.load(as: Bool.self))
        case .int8: sink.integer(Int64(unsafe address.load(as: Int8.self)))
        case .int16: sink.integer(Int64(unsafe address.load(as: Int16.self)))
        case .int32: sink.integer(Int64(unsafe address.load(as: Int32.self)))
        case .int64: sink.integer(unsafe address.load(as: Int64.self))
        case .uint8: sink.integer(UInt64(unsafe address.load(as: UInt8.self)))
        case .uint16: sink.integer(UInt64(unsafe address.load(as: UInt16.self)))
        case .uint32: sink.integer(UInt64(unsafe address.load(as: UInt32.self)))
        case .uint64: sink.integer(unsafe address.load(as: UInt64.self))
        case .float64: try write(double: unsafe address.load(as: Double.self))
        case .float32:
            let value = unsafe address.load(as: Float.self)
            if rules.namesTypes { return try write(named: value) }
            if value.isFinite || traits.hasNonFinite { sink.float(value) } else { try write(nonFinite: Double(value)) }
        case .int128: write(long: unsafe address.loadUnaligned(as: Int128.self))
        case .uint128: write(long: unsafe address.loadUnaligned(as: UInt128.self))
        case .date: try write(date: unsafe address.load(as: Double.self), isMarked: rules.namesTypes)
        case .uuid: try write(uuid: unsafe address.assumingMemoryBound(to: UUID.self).pointee)
        case .decimal:
            let value = unsafe address.assumingMemoryBound(to: Decimal.self).pointee
            if rules.namesTypes { try write(named: value) } else { try write(decimal: value) }
        }
    }

    // MARK: Arrays and structs

    private mutating func write(
        array address: UnsafeRawPointer, _ array: ArrayPlan, _ element: TextPlan
    ) throws(EncodingFailure) {
        // A hook of an element may change the array: this keeps the elements that are written.
        let block = unsafe ArrayStorage.hold(at: address)
        defer { withExtendedLifetime(block) {} }
        let count = unsafe array.storage.count(at: address)
        let first = unsafe array.storage.elements(at: address)
        try unsafe writeElements(first, count, array.element.stride, element)
    }

    /// Writes values that lie side by side as an array.
    mutating func writeElements(
        _ first: UnsafeRawPointer, _ count: Int, _ stride: Int, _ element: TextPlan
    ) throws(EncodingFailure) {
        sink.beginArray()
        nesting += 1
        defer { nesting -= 1 }
        let tracks = element.reachesObjects
        if tracks { paths.push(.index(0)) }
        defer { if tracks { paths.pop() } }
        for index in 0..<count {
            if tracks, index > 0 { paths.next(index) }
            sink.element()
            do throws(EncodingFailure) { try unsafe write(first + index * stride, element) } catch {
                throw error.within(.index(index))
            }
        }
        sink.endArray()
    }

    private mutating func writeStructure(
        _ address: UnsafeRawPointer, _ fields: TextFields
    ) throws(EncodingFailure) {
        if let model = fields.model, model.hasWillEncode, !rules.isRank {
            do { try unsafe model.willEncode(at: address) } catch {
                throw EncodingFailure(.rejectedByHook, "`willEncode()` of \(fields.name ?? "") threw: \(error)")
            }
        }
        if fields.isList {
            sink.beginArray()
            nesting += 1
            defer { nesting -= 1 }
            for (index, field) in fields.fields.enumerated() {
                sink.element()
                let tracks = field.text.reachesObjects
                if tracks { paths.push(.index(index)) }
                defer { if tracks { paths.pop() } }
                do throws(EncodingFailure) { try unsafe write(address + field.field.offset, field.text) } catch {
                    throw error.within(.index(index))
                }
            }
            return sink.endArray()
        }
        sink.beginObject()
        nesting += 1
        let isNamed = isRootStructure || markedStructure != nil || rules.namesTypes
        if rules.namesTypes {
            sink.key(Marker.structureKey)
            sink.string(markedStructure ?? fields.name ?? "")
            (isRootStructure, markedStructure) = (false, nil)
        }
        if isRootStructure {
            isRootStructure = false
            if let name = fields.name {
                sink.key(Marker.typeKey)
                sink.string(name)
            }
        }
        if let name = markedStructure {
            markedStructure = nil
            sink.key(Marker.typeKey)
            sink.string(name)
        }
        if rules.namesModels, fields.model != nil, let name = fields.name, !isNamed {
            sink.key(Marker.typeKey)
            sink.string(name)
        }
        if fields.version != 0, rules.isReadable {
            sink.key(Marker.versionKey)
            sink.integer(Int64(fields.version))
        }
        try unsafe writeFields(address, fields, omitsNil: rules.omitsNil)
        nesting -= 1
        if nesting == 0 { try writeWaiting(inObject: true) }
        sink.endObject()
    }

    /// Whether the value that is written next is the root, so that a struct's type is named.
    var isRootStructure = false
    /// The type that the struct that is written next is of, where nothing else tells.
    var markedStructure: String?

    /// Writes the fields of a struct or object.
    mutating func writeFields(
        _ base: UnsafeRawPointer, _ fields: TextFields, omitsNil: Bool
    ) throws(EncodingFailure) {
        if let mapping = fields.mapping { return try unsafe write(mapped: base, fields, mapping) }
        if rules.keepsNilOverDefaults {
            for index in rules.sortsKeys ? fields.sorted : Array(fields.fields.indices) {
                let omitsNil = omitsNil && fields.defaults.isNil(fields.fields[index].field.name)
                try unsafe write(base, fields.fields[index], omitsNil)
            }
        } else if rules.sortsKeys {
            for index in fields.sorted { try unsafe write(base, fields.fields[index], omitsNil) }
        } else {
            for index in 0..<fields.fields.count { try unsafe write(base, fields.fields[index], omitsNil) }
        }
    }

    @inline(__always)
    private mutating func write(
        _ base: UnsafeRawPointer, _ field: borrowing TextField, _ omitsNil: Bool
    ) throws(EncodingFailure) {
        let address = unsafe base + field.field.offset
        if !field.text.reachesObjects, field.field.ownership.isStrong {
            if omitsNil, unsafe isOmitted(address, field) { return }
            sink.key(field.key)
            do throws(EncodingFailure) { try unsafe write(address, field.text) } catch {
                throw error.within(.property(field.field.name))
            }
            return
        }
        try unsafe writeTracked(address, field, omitsNil)
    }

    /// Whether a property is `nil`, and a reader gives it `nil` when it is absent.
    private func isOmitted(_ address: UnsafeRawPointer, _ field: borrowing TextField) -> Bool {
        guard case .optional(let optional, _) = field.text.kind, unsafe optional.isNil(address) else { return false }
        if case .make = field.field.fallback { return rules.omitsNil }
        return true
    }

    private mutating func writeTracked(
        _ address: UnsafeRawPointer, _ field: borrowing TextField, _ omitsNil: Bool
    ) throws(EncodingFailure) {
        let wasConditional = isConditional
        isConditional = isConditional || field.field.isConditional
        paths.push(.key(field.key.text))
        defer {
            paths.pop()
            isConditional = wasConditional
        }
        do throws(EncodingFailure) {
            guard field.field.ownership.isStrong else {
                return try write(
                    weak: unsafe loadReference(at: address, field.field.ownership), field, omitsNil)
            }
            if omitsNil, unsafe isOmitted(address, field) { return }
            sink.key(field.key)
            try unsafe write(address, field.text)
        } catch {
            throw error.within(.property(field.field.name))
        }
    }
}
