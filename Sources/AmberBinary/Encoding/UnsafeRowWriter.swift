// Room:   AmberBinary / Encoding. Few values of a type, one after the other.
// Takes:  the address of a value and its plan. Gives: its bytes, without tags.
// Touches: fields at the offsets that plans give; ByteWriter.
//
// Invariants
// 1. Addresses hold initialised values of the plan's type for the whole call.
// 2. Copies of elements and payloads live until they are written.

internal import AmberBytes
internal import AmberModel

extension GraphWriter {
    /// Writes one value of `rows` as a row.
    mutating func writeRow(_ rows: Rows, _ index: Int, _ plan: ValuePlan) throws(EncodingFailure) {
        try unsafe writeRow(rows.address(index, 0), plan)
    }

    /// Writes the value at `address` as a row.
    mutating func writeRow(_ address: UnsafeMutableRawPointer, _ plan: ValuePlan) throws(EncodingFailure) {
        switch plan.shape {
        case .scalar(let kind):
            unsafe LeafRows.write(address, FlatCode(kind), to: &out, &strings)
            return
        case .string:
            unsafe writeString(address)
            return
        case .data:
            unsafe withDataBytes(address) { bytes in
                out.write(count: bytes.count)
                unsafe out.write(bytes: bytes)
            }
            return
        case .reference:
            try unsafe writeReference(address.load(as: ObjectAddress?.self))
            return
        default: break
        }
        try descend()
        switch plan.shape {
        case .optional(let optional):
            if case .reference = optional.payload.shape {
                try unsafe writeReference(address.load(as: ObjectAddress?.self))
            } else if unsafe optional.isNil(address) {
                out.write(byte: 0)
            } else {
                out.write(byte: 1)
                try unsafe writeRow(address, optional.payload)
            }
        case .structure(let structure):
            if let model = structure.model { try unsafe callHook(model, address, structure.name) }
            try unsafe writeRow(address, structure.flat, structure.fields)
        case .array(let array):
            let count = unsafe array.storage.count(at: address)
            out.write(count: count)
            let rows = unsafe Rows(
                base: array.storage.elements(at: address), stride: array.element.stride, count: count)
            charge += count * array.element.stride
            let block = array.element.mayRunCode ? unsafe ArrayStorage.hold(at: address) : nil
            try writeBatch(rows, 0, array.element)
            withExtendedLifetime(block) {}
        case .collection(let collection):
            let (keys, values) = try unsafe elements(of: collection, at: address)
            out.write(count: keys.count)
            charge += keys.count * collection.charge
            try writeBatch(keys.rows, 0, collection.key)
            if let values, let value = collection.value { try writeBatch(values.rows, 0, value) }
        case .enumeration(let enumeration):
            let tag = unsafe Int(enumeration.tag(address, plan.witnesses))
            out.write(count: tag)
            guard let payload = enumeration.cases[tag].payload else { break }
            let copy = unsafe EnumCopy(of: address, plan, case: enumeration.cases[tag], tag)
            do throws(EncodingFailure) {
                try unsafe writeRow(copy.payload, payload)
            } catch {
                throw error.within(.property(enumeration.cases[tag].name))
            }
            withExtendedLifetime(copy) {}
        case .dynamic(let dynamic):
            let value = unsafe dynamic.access.load(from: address)
            if let object = try referenced(value) {
                out.write(count: 0)
                try unsafe writeReference(objectAddress(object))
                if !isSorting, unsafe collector.number(of: objectAddress(object)) == 0 { throw Self.unknownObject() }
            } else if let any = value as? DynamicAny {
                let (number, wire) = try dynamicType(of: any)
                if isSorting { out.write(text: any.typeName) } else { out.write(count: number + 1) }
                try writeDynamicRow(any.value, wire)
            } else {
                let (copy, plan) = try dynamicCopy(value)
                if isSorting {
                    // The numbers of types depend on the order in which they are met.
                    out.write(byte: 1)
                    out.write(text: codingName(of: plan.type))
                } else {
                    out.write(count: try dynamicNumber(of: plan) + 1)
                    charge += plan.stride
                }
                try unsafe writeRow(copy.base, plan)
                withExtendedLifetime(copy) {}
            }
        case .codable(let access):
            try writeCodables(unsafe Rows(base: address, stride: 0, count: 1), 0, access)
        case .bridged(let bridged):
            let copy = try unsafe surrogate(of: address, bridged)
            try unsafe writeRow(copy.base, bridged.surrogate)
            withExtendedLifetime(copy) {}
        default: preconditionFailure("A plan is used before it is built.")
        }
        depth -= 1
    }

    /// Writes properties, one after the other, by their flat plan if that passes no hook by.
    mutating func writeRow(
        _ base: UnsafeMutableRawPointer, _ flat: FlatPlan, _ fields: [FieldPlan]
    ) throws(EncodingFailure) {
        guard flat.isReady else { return try unsafe writeRow(base, fields) }
        try unsafe writeFlat(base, flat)
    }

    /// Writes a few structs by their flat plan.
    mutating func writeRows(_ rows: Rows, _ offset: Int, _ flat: FlatPlan) throws(EncodingFailure) {
        try descend()
        for index in 0..<rows.count {
            do throws(EncodingFailure) {
                try unsafe writeFlat(rows.address(index, offset), flat)
            } catch {
                throw rows.count == 1 ? error : error.within(.index(index))
            }
        }
        depth -= 1
    }

    private mutating func writeFlat(_ base: UnsafeMutableRawPointer, _ flat: FlatPlan) throws(EncodingFailure) {
        let steps = unsafe UnsafeSteps(flat)
        var index = 0
        while let step = steps[index] {
            let address = unsafe base + Int(step.offset)
            switch step.code {
            case .reference: try unsafe writeReference(address.load(as: ObjectAddress?.self))
            case .other: try unsafe writeOther(address, flat.fields[Int(step.field)])
            default: unsafe LeafRows.write(address, step.code, to: &out, &strings)
            }
            index &+= 1
        }
    }

    private mutating func writeOther(
        _ address: UnsafeMutableRawPointer, _ field: FlatPlan.Field
    ) throws(EncodingFailure) {
        do throws(EncodingFailure) {
            if field.ownership.isStrong {
                let outer = isConditional
                defer { isConditional = outer }
                isConditional = field.isConditional || outer
                return try unsafe writeRow(address, field.plan)
            }
            let object = unsafe loadReference(at: address, field.ownership)
            try writeHeldReference(object, canBeNil: field.canBeNil)
        } catch {
            throw field.path.reversed().reduce(error) { $0.within(.property($1)) }
        }
    }

    /// Writes properties, one after the other.
    mutating func writeRow(_ base: UnsafeMutableRawPointer, _ fields: [FieldPlan]) throws(EncodingFailure) {
        let outer = isConditional
        defer { isConditional = outer }
        for index in fields.indices {
            let address = unsafe base + fields[index].offset
            isConditional = fields[index].isConditional || outer
            do throws(EncodingFailure) {
                if fields[index].ownership.isStrong {
                    try unsafe writeRow(address, fields[index].plan)
                } else {
                    let object = unsafe loadReference(at: address, fields[index].ownership)
                    try writeHeldReference(object, canBeNil: fields[index].canBeNil)
                }
            } catch {
                throw error.within(.property(fields[index].name))
            }
        }
    }

    /// Writes a weak or unowned reference.
    private mutating func writeHeldReference(_ object: AnyObject?, canBeNil: Bool) throws(EncodingFailure) {
        if isSorting { return try unsafe writeSortKey(of: object.map { unsafe objectAddress($0) }) }
        let number = heldNumber(object)
        if number == 0, !canBeNil { throw Self.unheldObject() }
        out.write(count: number)
    }

    private mutating func writeReference(_ object: ObjectAddress?) throws(EncodingFailure) {
        if isSorting {
            try unsafe writeSortKey(of: object)
        } else {
            let number = unsafe collector.number(of: object)
            if unsafe number == 0 && object != nil && !isConditional { throw Self.unknownObject() }
            out.write(count: number)
        }
    }

    /// Writes what an object is ordered by: its class and those properties that refer to nothing.
    private mutating func writeSortKey(of object: ObjectAddress?) throws(EncodingFailure) {
        guard let object = unsafe object else { return out.write(byte: 0) }
        let plan: ClassPlan
        do throws(SchemaFailure) {
            plan = try unsafe PlanCache.shared.plan(for: classOfObject(at: object))
        } catch {
            throw EncodingFailure(error)
        }
        out.write(byte: 1)
        if let record = unsafe AmberModel.object(at: object) as? DynamicObject {
            out.write(text: record.className)
            for (name, value) in record.values {
                if let leaf = value.value { out.write(text: "\(name) \(leaf)") }
            }
            return
        }
        out.write(text: plan.name)
        try unsafe writeRow(object, plan.fields.filter { !$0.plan.reachesObjects })
    }

    private func dynamicNumber(of plan: ValuePlan) throws(EncodingFailure) -> Int {
        guard let number = collector.knownDynamicNumber(of: plan.type) else {
            throw EncodingFailure(
                .unsupportedType,
                "A value in an existential changed while it was encoded. Don't mutate what is encoded.")
        }
        return number
    }

    /// Calls the `willEncode()` of a struct.
    func callHook(
        _ model: ModelAccess, _ address: UnsafeRawPointer, _ name: String?
    ) throws(EncodingFailure) {
        guard model.hasWillEncode else { return }
        do { try unsafe model.willEncode(at: address) } catch {
            throw EncodingFailure(.rejectedByHook, "`willEncode()` of \(name ?? "") threw: \(error)")
        }
    }

    mutating func writeString(_ address: UnsafeRawPointer) {
        unsafe LeafRows.writeString(address, to: &out, &strings)
    }
}

extension CollectionPlan {
    /// The memory that an element takes in its reader's eyes: itself, and its place in a hash table.
    var charge: Int { key.stride + (value?.stride ?? 0) + 16 }
}
