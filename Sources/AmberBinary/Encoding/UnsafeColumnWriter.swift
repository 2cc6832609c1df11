// Room:   AmberBinary / Encoding. Many values of a type, column by column.
// Takes:  rows and their plan. Gives: a column for each leaf of the type, in the order of its properties.
// Touches: fields at the offsets that plans give; ByteWriter; the encodings of Columns.
//
// Invariants
// 1. Rows hold initialised values of the plan's type for the whole call.
// 2. Copies of elements and payloads live until their columns are written.

internal import AmberBytes
internal import AmberModel

extension GraphWriter {
    /// Writes a batch of values, whose number the reader knows: as rows if they are few, else as columns.
    mutating func writeBatch(_ rows: Rows, _ offset: Int, _ plan: ValuePlan) throws(EncodingFailure) {
        if rows.count < version.rowLimit || isSorting {
            if let flat = plan.flat, flat.isReady { return try writeRows(rows, offset, flat) }
            for index in 0..<rows.count {
                do throws(EncodingFailure) {
                    try unsafe writeRow(rows.address(index, offset), plan)
                } catch {
                    throw rows.count == 1 ? error : error.within(.index(index))
                }
            }
        } else {
            try writeColumns(rows, offset, plan)
        }
    }

    /// Writes the properties of all objects of one class.
    mutating func writeObjects(_ pool: ObjectPool) throws(EncodingFailure) {
        let rows = unsafe Rows(pool.objects)
        let name = pool.plan.name
        if rows.count < version.rowLimit {
            for index in 0..<rows.count {
                do throws(EncodingFailure) {
                    try unsafe writeRow(rows.address(index, 0), pool.plan.flat, pool.plan.fields)
                    if let dynamics = pool.dynamics {
                        try writeDynamicMembers(unsafe pool.values(of: pool.objects[index]), dynamics.members)
                    }
                } catch {
                    throw error.within(.object(type: name, number: pool.firstNumber + index))
                }
            }
        } else {
            do throws(EncodingFailure) {
                try writeColumns(rows, 0, pool.plan.fields)
                if let dynamics = pool.dynamics { try writeDynamicColumns(pool.dynamicValues, dynamics.members) }
            } catch {
                throw error.within(.property(name))
            }
        }
    }

    private mutating func writeColumns(_ rows: Rows, _ offset: Int, _ fields: [FieldPlan]) throws(EncodingFailure) {
        if isShared(rows, fields) { return try shareColumns(rows, offset, fields) }
        for index in fields.indices { try writeColumn(rows, offset, fields[index]) }
    }

    /// Writes one property of all rows.
    mutating func writeColumn(_ rows: Rows, _ offset: Int, _ field: FieldPlan) throws(EncodingFailure) {
        let outer = isConditional
        defer { isConditional = outer }
        isConditional = field.isConditional || outer
        do throws(EncodingFailure) {
            if field.ownership.isStrong {
                try writeColumns(rows, offset + field.offset, field.plan)
            } else {
                try writeHeldReferences(rows, offset + field.offset, field)
            }
        } catch {
            throw error.within(.property(field.name))
        }
    }

    private mutating func writeColumns(_ rows: Rows, _ offset: Int, _ plan: ValuePlan) throws(EncodingFailure) {
        switch plan.shape {
        case .scalar(let kind): return writeScalars(rows, offset, kind)
        case .string: return StringColumn.write(rows, offset, &scratch, to: &out)
        case .data: return DataColumn.write(rows, offset, &scratch.u64, to: &out)
        case .reference: return try writeReferences(rows, offset)
        default: break
        }
        try descend()
        defer { depth -= 1 }
        switch plan.shape {
        case .optional(let optional):
            if case .reference = optional.payload.shape { return try writeReferences(rows, offset) }
            scratch.u8.resize(to: rows.count)
            optional.gatherPresence(rows, offset, into: &scratch.u8)
            let present = rows.selecting(offset, where: scratch.u8, equal: 1)
            IntegerColumn.write(scratch.u8, signed: false, to: &out)
            try writeBatch(present, 0, optional.payload)
        case .structure(let structure):
            if let model = structure.model, model.hasWillEncode {
                for index in 0..<rows.count where model.hasWillEncode {
                    try unsafe callHook(model, rows.address(index, offset), structure.name)
                }
            }
            if structure.isPlain, PlainRows.write(rows, offset, structure, to: &out) {
                return try callInnerHooks(rows, offset, structure.fields)
            }
            try writeColumns(rows, offset, structure.fields)
        case .array(let array):
            if case .scalar(let kind) = array.element.shape {
                let block = writeCounts(of: array, rows, offset, scalars: kind)
                try writeBatch(
                    unsafe Rows(base: block.base, stride: kind.size, count: block.size / kind.size), 0, array.element)
                withExtendedLifetime(block) {}
            } else {
                let blocks = ArrayStorage.hold(rows, offset, of: array.element)
                try writeBatch(writeCounts(of: array, rows, offset), 0, array.element)
                withExtendedLifetime(blocks) {}
            }
        case .collection(let collection):
            try writeCollections(rows, offset, collection)
        case .enumeration(let enumeration):
            try writeEnumerations(rows, offset, plan, enumeration)
        case .dynamic(let dynamic):
            try writeDynamic(rows, offset, dynamic)
        case .codable(let access): try writeCodables(rows, offset, access)
        case .bridged(let bridged):
            let copies = unsafe TemporaryValues(bridged.surrogate.witnesses, count: rows.count)
            charge += rows.count * bridged.surrogate.stride
            for index in 0..<rows.count {
                do {
                    try unsafe bridged.access.makeSurrogate(
                        of: rows.address(index, offset), at: copies.address(index))
                } catch let failure as EncodingFailure {
                    throw failure
                } catch {
                    throw EncodingFailure(.codable, "\(error)")
                }
                copies.initialized = index + 1
            }
            try writeColumns(copies.rows, 0, bridged.surrogate)
            withExtendedLifetime(copies) {}
        default: preconditionFailure("A plan is used before it is built.")
        }
    }

    /// Calls `willEncode()` on the structs inside plain structs, which are not written one by one.
    private func callInnerHooks(_ rows: Rows, _ offset: Int, _ fields: [FieldPlan]) throws(EncodingFailure) {
        for field in fields {
            guard case .structure(let structure) = field.plan.shape else { continue }
            do throws(EncodingFailure) {
                try callInnerHooks(rows, offset + field.offset, structure.fields)
                guard let model = structure.model, model.hasWillEncode else { continue }
                for index in 0..<rows.count where model.hasWillEncode {
                    try unsafe callHook(model, rows.address(index, offset + field.offset), structure.name)
                }
            } catch {
                throw error.within(.property(field.name))
            }
        }
    }

    private mutating func writeScalars(_ rows: Rows, _ offset: Int, _ kind: ScalarKind) {
        if kind.isInteger {
            switch kind.size {
            case 1:
                scratch.u8.resize(to: rows.count)
                rows.gather(offset, into: &scratch.u8)
                IntegerColumn.write(scratch.u8, signed: kind.isSigned, to: &out)
            case 2:
                scratch.u16.resize(to: rows.count)
                rows.gather(offset, into: &scratch.u16)
                IntegerColumn.write(scratch.u16, signed: kind.isSigned, to: &out)
            case 4:
                scratch.u32.resize(to: rows.count)
                rows.gather(offset, into: &scratch.u32)
                IntegerColumn.write(scratch.u32, signed: kind.isSigned, to: &out)
            default:
                scratch.u64.resize(to: rows.count)
                rows.gather(offset, into: &scratch.u64)
                IntegerColumn.write(scratch.u64, signed: kind.isSigned, to: &out)
            }
        } else if kind == .decimal {
            let archived = TemporaryBytes(rows.count * kind.size)
            unsafe rows.forEach(offset) { address, index in
                unsafe DecimalBytes.archive(address, to: archived.base + index * kind.size)
            }
            let block = unsafe Rows(base: archived.base, stride: kind.size, count: rows.count)
            RawColumn.write(block, 0, size: kind.size, &scratch.u64, to: &out)
            withExtendedLifetime(archived) {}
        } else {
            RawColumn.write(rows, offset, size: kind.size, &scratch.u64, to: &out)
        }
    }

    private mutating func writeReferences(_ rows: Rows, _ offset: Int) throws(EncodingFailure) {
        scratch.u64.resize(to: rows.count)
        let areKnown = collector.gatherNumbers(rows, offset, into: &scratch.u64)
        if !areKnown, !isConditional { throw Self.unknownObject() }
        IntegerColumn.write(scratch.u64, signed: false, to: &out)
    }

    /// Writes weak or unowned references.
    private mutating func writeHeldReferences(
        _ rows: Rows, _ offset: Int, _ field: FieldPlan
    ) throws(EncodingFailure) {
        scratch.u64.resize(to: rows.count)
        var isUnheld = false
        unsafe rows.forEach(offset) { address, index in
            let number = heldNumber(unsafe loadReference(at: address, field.ownership))
            isUnheld = isUnheld || (number == 0 && !field.canBeNil)
            scratch.u64[index] = UInt64(number)
        }
        if isUnheld { throw Self.unheldObject() }
        IntegerColumn.write(scratch.u64, signed: false, to: &out)
    }

    /// The number of an object that a weak or unowned property refers to.
    func heldNumber(_ object: AnyObject?) -> Int {
        object.map { unsafe collector.number(of: objectAddress($0)) } ?? 0
    }

    /// Writes how many elements each array has, and gives the elements of all of them.
    private mutating func writeCounts(of array: ArrayPlan, _ rows: Rows, _ offset: Int) -> Rows {
        scratch.u32.resize(to: rows.count)
        let total = ArrayStorage.gatherCounts(rows, offset, into: &scratch.u32)
        charge += total * array.element.stride + rows.count * 32
        let elements = unsafe ArrayStorage.elementAddresses(
            rows, offset, array.storage, stride: array.element.stride, total: total)
        IntegerColumn.write(scratch.u32, signed: false, to: &out)
        return unsafe Rows(elements)
    }

    /// Writes how many numbers each array has, and gives the numbers of all of them, side by side.
    private mutating func writeCounts(
        of array: ArrayPlan, _ rows: Rows, _ offset: Int, scalars kind: ScalarKind
    ) -> TemporaryBytes {
        scratch.u32.resize(to: rows.count)
        let block = ArrayStorage.gatherNumbers(rows, offset, array.storage, size: kind.size, counts: &scratch.u32)
        charge += block.size + rows.count * 32
        IntegerColumn.write(scratch.u32, signed: false, to: &out)
        return block
    }

    private mutating func writeCollections(
        _ rows: Rows, _ offset: Int, _ collection: CollectionPlan
    ) throws(EncodingFailure) {
        scratch.u64.resize(to: rows.count)
        var total = 0
        unsafe rows.forEach(offset) { address, index in
            let count = unsafe collection.access.count(at: address)
            scratch.u64[index] = UInt64(count)
            total += count
        }
        charge += total * collection.charge + rows.count * 48
        let counts = options.isDeterministic ? scratch.u64 : []
        IntegerColumn.write(scratch.u64, signed: false, to: &out)
        var (keys, values) = copyElements(of: collection, rows, offset, total: total)
        if options.isDeterministic { (keys, values) = try sorted(keys, values, counts, collection) }
        try writeBatch(keys.rows, 0, collection.key)
        if let values, let value = collection.value { try writeBatch(values.rows, 0, value) }
        withExtendedLifetime((keys, values)) {}
    }

    /// Copies of the elements of all collections, one after the other.
    private func copyElements(
        of collection: CollectionPlan, _ rows: Rows, _ offset: Int, total: Int
    ) -> (TemporaryValues, TemporaryValues?) {
        let keys = unsafe TemporaryValues(collection.key.witnesses, count: total)
        let values = collection.value.map { unsafe TemporaryValues($0.witnesses, count: total) }
        var next = 0
        unsafe rows.forEach(offset) { address, _ in
            let count = unsafe collection.access.count(at: address)
            // A collection that another thread enlarged meanwhile must not be copied past the end.
            guard count <= total - next else { return }
            unsafe collection.access.copyElements(
                from: address, keys: keys.address(next), values: values?.address(next))
            next += count
        }
        keys.initialized = next
        values?.initialized = next
        return (keys, values)
    }

    private mutating func writeEnumerations(
        _ rows: Rows, _ offset: Int, _ plan: ValuePlan, _ enumeration: EnumerationPlan
    ) throws(EncodingFailure) {
        if enumeration.tagSize == 1 {
            scratch.u8.resize(to: rows.count)
            rows.gather(offset, into: &scratch.u8)
            return IntegerColumn.write(scratch.u8, signed: false, to: &out)
        }
        var tags: [UInt64] = []
        tags.resize(to: rows.count)
        let witnesses = plan.witnesses
        unsafe rows.forEach(offset) { address, index in tags[index] = unsafe UInt64(enumeration.tag(address, witnesses))
        }
        IntegerColumn.write(tags, signed: false, to: &out)
        for (tag, item) in enumeration.cases.enumerated() {
            guard let payload = item.payload else { continue }
            let chosen = rows.selecting(offset, where: tags, equal: UInt64(tag))
            if chosen.count == 0 { continue }
            if item.isIndirect { charge += chosen.count * (payload.stride + 16) }
            var copies: [EnumCopy] = []
            copies.reserveCapacity(chosen.count)
            var addresses = unsafe ContiguousArray<UnsafeMutableRawPointer>()
            for index in 0..<chosen.count {
                let copy = unsafe EnumCopy(of: chosen.address(index, 0), plan, case: item, tag)
                unsafe addresses.append(copy.payload)
                copies.append(copy)
            }
            do throws(EncodingFailure) {
                try unsafe writeBatch(Rows(addresses), 0, payload)
            } catch {
                throw error.within(.property(item.name))
            }
            withExtendedLifetime(copies) {}
        }
    }

    /// Writes existentials: the number of each value's type, then the values of each type together.
    private mutating func writeDynamic(_ rows: Rows, _ offset: Int, _ dynamic: DynamicPlan) throws(EncodingFailure) {
        var types: [UInt64] = []
        var references: [UInt64] = []
        var groups: [Int: (plan: ValuePlan, copies: [TemporaryValues])] = [:]
        var unknown: [Int: (wire: WireType, values: [DynamicValue])] = [:]
        for index in 0..<rows.count {
            let value = unsafe dynamic.access.load(from: rows.address(index, offset))
            if let object = try referenced(value) {
                types.append(0)
                let number = unsafe collector.number(of: objectAddress(object))
                if number == 0 { throw Self.unknownObject() }
                references.append(UInt64(number))
            } else if let any = value as? DynamicAny {
                let (number, wire) = try dynamicType(of: any)
                types.append(UInt64(number + 1))
                unknown[number, default: (wire, [])].values.append(any.value)
            } else {
                let (copy, plan) = try dynamicCopy(value)
                guard let number = collector.knownDynamicNumber(of: plan.type) else {
                    throw EncodingFailure(
                        .unsupportedType,
                        "A value in an existential changed while it was encoded. Don't mutate what is encoded.")
                }
                charge += plan.stride
                types.append(UInt64(number + 1))
                groups[number, default: (plan, [])].copies.append(copy)
            }
        }
        IntegerColumn.write(types, signed: false, to: &out)
        if !references.isEmpty { IntegerColumn.write(references, signed: false, to: &out) }
        for number in (Array(groups.keys) + Array(unknown.keys)).sorted() {
            if let group = unknown[number] { try writeDynamicBatch(group.values, group.wire) }
            guard let group = groups[number] else { continue }
            try writeBatch(Rows(joining: group.copies), 0, group.plan)
            withExtendedLifetime(group.copies) {}
        }
    }
}

extension Rows {
    /// The values of several temporaries, one after the other.
    init(joining values: [TemporaryValues]) {
        var addresses = unsafe ContiguousArray<UnsafeMutableRawPointer>()
        unsafe addresses.reserveCapacity(values.reduce(0) { $0 + $1.count })
        for value in values {
            for index in 0..<value.count { unsafe addresses.append(value.address(index)) }
        }
        unsafe self.init(addresses)
    }
}
