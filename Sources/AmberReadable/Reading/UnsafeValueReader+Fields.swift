// Room:   AmberReadable / Reading. The fields of structs, tuples and objects, found by their names.
// Takes:  an object's or array's node. Gives: fields initialised; which, so that a failure can undo them.
// Touches: uninitialised memory of the fields' type, or memory that an `init()` has filled.
//
// Invariants
// 1. Those of UnsafeValueReader.
// 2. A field in `set` is initialised by this reader; when memory was filled by `init()`, all fields are initialised at any time.

internal import AmberModel

/// Which fields have a value.
struct FieldSet {
    private var low: UInt64 = 0
    private var high: [UInt64] = []

    @inline(__always)
    func contains(_ index: Int) -> Bool {
        if index < 64 { return low & 1 << UInt64(index) != 0 }
        let word = index / 64 - 1
        return word < high.count && high[word] & 1 << UInt64(index % 64) != 0
    }

    @inline(__always)
    mutating func insert(_ index: Int) {
        if index < 64 {
            low |= 1 << UInt64(index)
        } else {
            while high.count < index / 64 { high.append(0) }
            high[index / 64 - 1] |= 1 << UInt64(index % 64)
        }
    }
}

extension ValueReader {
    mutating func readStructure(
        _ node: Int, _ fields: TextFields, _ plan: ValuePlan, at base: UnsafeMutableRawPointer
    ) throws(DecodingFailure) {
        let kind = document.kind(node)
        guard kind == .object || (kind == .array && fields.name == nil) else { throw mismatch(node, plan.type) }
        var node = node
        if rules.isReadable, document[node].hasMarker { try checkName(node, fields, plan) }
        if rules.isReadable, document[node].hasMarker || fields.version != 0 {
            node = try migrated(node, fields.name ?? "tuple", fields.version, fields.migrations)
        }
        let isInitialized = unsafe fields.model?.makeValue(at: base) ?? false
        var set = FieldSet()
        do throws(DecodingFailure) {
            if kind == .array {
                try unsafe readElements(node, fields, at: base, &set)
            } else {
                try unsafe readFields(node, fields, at: base, isInitialized: isInitialized, instance: nil, &set)
            }
            if !isInitialized { try unsafe complete(node, fields, at: base, &set) }
        } catch {
            if isInitialized { unsafe plan.witnesses.destroy(base) } else { unsafe destroy(fields, set, at: base) }
            throw error
        }
        if fields.hasComputed {
            do throws(DecodingFailure) { try unsafe setComputed(node, fields, at: base) } catch {
                unsafe plan.witnesses.destroy(base)
                throw error
            }
        }
        guard let model = fields.model, model.isToldOfDecoding else { return }
        if fields.reachesObjects {
            // The hooks may look at objects, which aren't whole yet, and may give way to others.
            hasUntoldStructs = true
            return
        }
        do { try unsafe model.tellOfDecoding(at: base) } catch {
            unsafe plan.witnesses.destroy(base)
            throw rejected(error, fields.name ?? "", node)
        }
    }

    /// What a model's own code threw.
    func rejected(_ error: any Error, _ name: String, _ node: Int) -> DecodingFailure {
        let error = DecodingFailure(hook: error, of: name)
        return failure(error.code, node, error.reason)
    }

    /// Makes sure that a struct's node names no other type.
    private func checkName(_ node: Int, _ fields: TextFields, _ plan: ValuePlan) throws(DecodingFailure) {
        guard let own = fields.name,
            let name = document.child(node, marker: "$class") ?? document.child(node, marker: "$struct")
        else { return }
        let text = document.string(name)
        // Names of types are slow to ask for.
        if text == own { return }
        let known = [own, codingName(of: plan.type), TypeNames.name(of: plan.type)] + fields.formerNames
        if known.contains(text) || (!text.contains(".") && known.contains { $0.hasSuffix("." + text) }) { return }
        // Its arguments may have been renamed or retyped, as any property.
        if let base = GenericNames.base(of: text), known.contains(where: { GenericNames.base(of: $0) == base }) {
            return
        }
        throw failure(.typeMismatch, name, "A \(text.prefix(60)) was found where \(own) is expected.")
    }

    /// Reads the elements of a tuple.
    private mutating func readElements(
        _ node: Int, _ fields: TextFields, at base: UnsafeMutableRawPointer, _ set: inout FieldSet
    ) throws(DecodingFailure) {
        guard document.length(node) == fields.fields.count else {
            throw failure(
                .typeMismatch, node,
                "\(document.length(node)) elements were found where a tuple of \(fields.fields.count) is expected.")
        }
        var child = node + 1
        for (index, field) in fields.fields.enumerated() {
            do throws(DecodingFailure) { try unsafe read(child, field.text, at: base + field.field.offset) } catch {
                throw error.within(.index(index))
            }
            set.insert(index)
            child = document.end(child)
        }
    }

    /// Reads fields that a document has. `instance` is the number of the object that they are of.
    mutating func readFields(
        _ node: Int, _ fields: TextFields, at base: UnsafeMutableRawPointer, isInitialized: Bool, instance: Int?,
        _ set: inout FieldSet
    ) throws(DecodingFailure) {
        if let mapping = fields.mapping {
            return try unsafe readMapped(node, fields, mapping, at: base, isInitialized: isInitialized, instance, &set)
        }
        var child = node &+ 1
        let end = document.end(node)
        var hint = 0
        var former: [(key: Int, index: Int)] = []
        while child < end {
            let key = child
            let value = child &+ 1
            child = document.end(value)
            guard let index = self.index(key, fields, &hint) else {
                if let index = formerIndex(key, fields) { former.append((key, index)) }
                continue
            }
            try unsafe readField(value, key, fields, index, at: base, isInitialized, instance, &set)
        }
        // Names go before former names, whatever the order.
        for (key, index) in former where !set.contains(index) {
            try unsafe readField(key + 1, key, fields, index, at: base, isInitialized, instance, &set)
        }
    }

    /// The field of a key: most often the one after the last.
    @inline(__always)
    private func index(_ key: Int, _ fields: TextFields, _ hint: inout Int) -> Int? {
        if hint < fields.fields.count, document.equals(key, fields.fields[hint].name) {
            hint &+= 1
            return hint &- 1
        }
        guard let index = slowIndex(key, fields) else { return nil }
        hint = index &+ 1
        return index
    }

    @inline(never)
    private func slowIndex(_ key: Int, _ fields: TextFields) -> Int? {
        guard let name = name(key) else { return nil }
        return fields.indices[name]
    }

    private func formerIndex(_ key: Int, _ fields: TextFields) -> Int? {
        if fields.formerIndices.isEmpty { return nil }
        return name(key).flatMap { fields.formerIndices[$0] }
    }

    /// A key as the user has it; `nil` for a marker.
    func name(_ key: Int) -> String? {
        let text = document.string(key)
        return rules.isReadable ? Marker.unescaped(text) : text
    }

    @inline(__always)
    private mutating func readField(
        _ node: Int, _ key: Int, _ fields: TextFields, _ index: Int, at base: UnsafeMutableRawPointer,
        _ isInitialized: Bool, _ instance: Int?, _ set: inout FieldSet
    ) throws(DecodingFailure) {
        if set.contains(index) {
            throw failure(.corrupt, key, "The key \"\(document.string(key))\" is there twice.")
        }
        do throws(DecodingFailure) {
            if fields.fields[index].text.reachesObjects, let instance,
                try postpone(node, fields.fields[index].text, index, instance)
            {
                return
            }
            try unsafe readField(node, fields.fields[index], index, at: base, isInitialized, instance)
        } catch {
            throw error.within(.property(fields.fields[index].field.name))
        }
        set.insert(index)
    }

    /// Notes a property that a rule makes of objects, which is read again when these are whole; `false` for all others.
    private mutating func postpone(
        _ node: Int, _ text: TextPlan, _ index: Int, _ instance: Int
    ) throws(DecodingFailure) -> Bool {
        if isFinal { return false }
        var bridge = text
        while case .optional(_, let payload) = bridge.kind { bridge = payload }
        guard case .bridged(let bridged, let surrogate) = bridge.kind, bridged.reason == .transformed,
            instances[instance].isWhole
        else { return false }
        // The objects are made now.
        if document.kind(node) != .null { _ = try surrogateValue(node, surrogate) }
        deferred.append((instance, index, node))
        return true
    }

    /// Reads one field.
    @inline(__always)
    mutating func readField(
        _ node: Int, _ field: borrowing TextField, _ index: Int, at base: UnsafeMutableRawPointer,
        _ isInitialized: Bool, _ instance: Int?
    ) throws(DecodingFailure) {
        if field.field.isComputed { return try readComputed(node, field, index, instance) }
        let address = unsafe base + field.field.offset
        guard field.field.ownership.isStrong else {
            return try unsafe readWeak(node, field, index, instance, at: address, isInitialized)
        }
        if !isInitialized || field.text.plan.witnesses.isTrivial {
            if !field.text.reachesObjects { return try unsafe read(node, field.text, at: address) }
            let outer = (sawWaiting, sawHashed)
            (sawWaiting, sawHashed) = (false, false)
            try unsafe read(node, field.text, at: address)
            if sawWaiting, let instance, !isFinal {
                if sawHashed {
                    deferred.append((instance, index, node))
                } else {
                    foreign.fields.append((instance, index, node))
                }
            }
            (sawWaiting, sawHashed) = (
                sawWaiting && instance == nil || outer.0, sawHashed && instance == nil || outer.1
            )
            return
        }
        let fresh = unsafe TemporaryValues(field.text.plan.witnesses, count: 1)
        try unsafe read(node, field.text, at: fresh.base)
        unsafe field.text.plan.witnesses.destroy(address)
        unsafe field.text.plan.witnesses.move(to: address, from: fresh.base)
    }

    private mutating func readWeak(
        _ node: Int, _ field: borrowing TextField, _ index: Int, _ instance: Int?, at address: UnsafeMutableRawPointer,
        _ isInitialized: Bool
    ) throws(DecodingFailure) {
        guard case .reference(let reference) = field.text.kind else { throw mismatch(node, field.text.plan.type) }
        guard case .node(let plain) = try plainNode(node, field.text) else {
            throw mismatch(node, field.text.plan.type)
        }
        if document.kind(plain) == .null || (field.field.canBeNil && rules.isReadable && isOlderNull(plain)) {
            guard field.field.canBeNil else { throw mismatch(plain, field.text.plan.type) }
            if let instance { return instances.setWeak(instance, index, nil) }
            if isInitialized { unsafe destroyReference(at: address, field.field.ownership) }
            return unsafe storeReference(nil, at: address, field.field.ownership)
        }
        let object = try self.instance(plain, reference.base)
        unsafe unowned.note(objectAddress(object), field.field.ownership)
        if let instance { return instances.setWeak(instance, index, object) }
        if isInitialized { unsafe destroyReference(at: address, field.field.ownership) }
        unsafe storeReference(objectAddress(object), at: address, field.field.ownership)
    }

    // MARK: Computed properties

    /// Notes a computed property, which is set when its object is whole; those of structs are read then.
    private mutating func readComputed(
        _ node: Int, _ field: borrowing TextField, _ index: Int, _ instance: Int?
    ) throws(DecodingFailure) {
        guard let instance, case .bridged(_, let surrogate) = field.text.kind else { return }
        // Objects in the value are made now.
        if surrogate.reachesObjects { _ = try surrogateValue(node, surrogate) }
        computed.append((instance, index, node))
    }

    /// The value of a computed property, in memory of its own.
    func makeRoom(_ surrogate: TextPlan) -> TemporaryValues {
        unsafe TemporaryValues(surrogate.plan.witnesses, count: 1)
    }

    mutating func surrogateValue(_ node: Int, _ surrogate: TextPlan) throws(DecodingFailure) -> TemporaryValues {
        let copy = makeRoom(surrogate)
        try unsafe read(node, surrogate, at: copy.base)
        copy.initialized = 1
        return copy
    }

    /// Sets the computed properties of a struct that is whole.
    private mutating func setComputed(
        _ node: Int, _ fields: TextFields, at base: UnsafeMutableRawPointer
    ) throws(DecodingFailure) {
        guard document.kind(node) == .object else { return }
        for field in fields.fields where field.field.isComputed {
            guard case .bridged(let bridged, let surrogate) = field.text.kind,
                let value = document.child(node, field.key.text)
            else { continue }
            do throws(DecodingFailure) {
                let copy = try surrogateValue(value, surrogate)
                if surrogate.reachesObjects, !isFinal {
                    sawWaiting = true
                    continue
                }
                do { try unsafe bridged.access.makeValue(from: copy.base, at: base) } catch {
                    throw (error as? DecodingFailure) ?? failure(.rejectedByHook, value, "The property threw: \(error)")
                }
            } catch {
                throw error.within(.property(field.field.name))
            }
        }
    }

    // MARK: The rest

    /// Gives every field without a value its fallback.
    mutating func complete(
        _ node: Int, _ fields: TextFields, at base: UnsafeMutableRawPointer, _ set: inout FieldSet
    ) throws(DecodingFailure) {
        for (index, field) in fields.fields.enumerated() where !set.contains(index) {
            let stored = unsafe storeFallback(
                field.field.fallback, of: field.text.plan.witnesses, field.field.ownership,
                at: base + field.field.offset)
            guard stored else { throw missing(node, field.field.name, fields) }
            set.insert(index)
        }
        for (number, field) in fields.omitted.enumerated() {
            let stored = unsafe storeFallback(
                field.fallback, of: field.plan.witnesses, field.plan.ownership, at: base + field.offset)
            guard stored else {
                unsafe destroy(omitted: fields.omitted[..<number], at: base)
                throw missing(node, field.sourceName, fields)
            }
        }
    }

    private func missing(_ node: Int, _ name: String, _ fields: TextFields) -> DecodingFailure {
        let error = failure(
            .missingValue, node,
            "`\(name)` has no value, and \(fields.name ?? "the tuple") has no init() that gives one. Write it, make it an "
                + "Optional, or give the type an `init()`.")
        return error.within(.property(name))
    }

    func destroy(_ fields: TextFields, _ set: FieldSet, at base: UnsafeMutableRawPointer) {
        for (index, field) in fields.fields.enumerated() where set.contains(index) {
            if field.field.ownership.isStrong {
                unsafe field.text.plan.witnesses.destroy(base + field.field.offset)
            } else {
                unsafe destroyReference(at: base + field.field.offset, field.field.ownership)
            }
        }
    }

    private func destroy(omitted: ArraySlice<OmittedField>, at base: UnsafeMutableRawPointer) {
        for field in omitted {
            if field.plan.ownership.isStrong {
                unsafe field.plan.witnesses.destroy(base + field.offset)
            } else {
                unsafe destroyReference(at: base + field.offset, field.plan.ownership)
            }
        }
    }
}

extension Document {
    /// Whether a key is this name, `$` escaped where it begins with one.
    @inline(__always)
    func equals(_ key: Int, _ name: borrowing ContiguousArray<UInt8>) -> Bool {
        let node = self[key]
        guard node.kind == .string, Int(node.length) == name.count else { return false }
        let bytes = unsafe bytes(key)
        if unsafe bytes.count > 0 && bytes[0] == UInt8(ascii: "$") { return false }
        return unsafe name.withUnsafeBytes { unsafe equal(UnsafeRawBufferPointer(bytes), $0) }
    }
}

@inline(__always)
private func equal(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
    guard let a = left.baseAddress, let b = right.baseAddress else { return true }
    return unsafe equalMemory(a, b, left.count)
}
