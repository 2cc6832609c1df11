// Room:   AmberBinary / Decoding. Many values of a type, column by column.
// Takes:  rows of uninitialised memory and a read plan. Gives: values in all of them, or an error and memory as before.
// Touches: the rows; ByteReader; the encodings of Columns.
//
// Invariants
// 1. Rows are uninitialised memory with room for the plan's type. A function that returns has initialised all; one that
//    throws has left nothing initialised in any.
// 2. The number of rows was paid for out of the input's budget before it came here.
// 3. An array counts its elements when all are initialised, not before.

internal import AmberBytes
internal import AmberModel
internal import Foundation

extension GraphReader {
    /// Reads a batch of values: rows if they are few, else columns.
    mutating func readBatch(into rows: Rows, _ offset: Int, _ plan: ReadPlan) throws(DecodingFailure) {
        guard rows.count < version.rowLimit else { return try readColumns(into: rows, offset, plan) }
        if rows.count == 1, let flat = plan.flat, flat.isReady {
            try descend()
            try unsafe readFlat(into: rows.address(0, offset), flat)
            depth -= 1
            return
        }
        for index in 0..<rows.count {
            do throws(DecodingFailure) {
                try unsafe readRow(into: rows.address(index, offset), plan)
            } catch {
                rows.slice(0..<index).destroy(offset, plan.target.witnesses)
                throw rows.count == 1 ? error : error.within(.index(index))
            }
        }
    }

    /// Reads properties, column by column.
    mutating func readColumnFields(
        into rows: Rows, _ offset: Int, _ fields: FieldsPlan, completes: Bool, structure: ValuePlan? = nil
    ) throws(DecodingFailure) {
        var done = 0
        do throws(DecodingFailure) {
            if isShared(rows, fields) {
                try shareColumns(rows, offset, fields)
                done = fields.steps.count
            }
            for step in fields.steps[done...] {
                do throws(DecodingFailure) {
                    try readColumn(into: rows, offset, step)
                } catch {
                    throw error.within(.property(step.name))
                }
                done += 1
            }
            if completes { try complete(rows, offset, fields, structure) }
        } catch {
            fields.destroyFilled(rows, offset, steps: done)
            throw error
        }
    }

    /// Reads one property of all rows, or passes over it.
    mutating func readColumn(into rows: Rows, _ offset: Int, _ step: FieldsPlan.Step) throws(DecodingFailure) {
        guard let destination = step.destination else { return try skipColumns(step.wire, count: rows.count) }
        if destination.ownership.isStrong {
            try readColumns(into: rows, offset + destination.offset, destination.plan)
        } else if case .reference(let reference, let isOptional) = destination.plan.action {
            try readReferences(into: rows, offset + destination.offset, reference, isOptional, destination.ownership)
        }
    }

    mutating func readColumns(into rows: Rows, _ offset: Int, _ plan: ReadPlan) throws(DecodingFailure) {
        switch plan.action {
        case .scalar(let from, let to): return try readScalars(into: rows, offset, from, to)
        case .string:
            return try lifting { () throws(ByteError) in
                try StringColumn.read(into: rows, offset, &scratch.u64, from: &input)
            }
        case .data: return try readData(into: rows, offset)
        case .reference(let reference, let isOptional):
            return try readReferences(into: rows, offset, reference, isOptional, .strong)
        default: break
        }
        try descend()
        defer { depth -= 1 }
        switch plan.action {
        case .optional(let payload, let optional):
            if areSmall(payload.target, count: rows.count) {
                return try readSmallOptionals(into: rows, offset, payload, optional)
            }
            let present = try readPresence(rows, offset, optional)
            try readBatch(into: present, 0, payload)
            optional.storeSome(present, 0)
        case .wrapped(let payload, let optional):
            try readColumns(into: rows, offset, payload)
            optional.storeSome(rows, offset)
        case .unwrapped(let payload):
            scratch.u64.resize(to: rows.count)
            try lifting { () throws(ByteError) in
                try IntegerColumn.read(into: &scratch.u64, signed: false, from: &input)
            }
            guard scratch.u64.allSatisfy({ $0 == 1 }) else { throw missingValue() }
            try readBatch(into: rows.shifted(by: offset), 0, payload)
        case .structure(let fields, _):
            let isPlain = try readPlainRows(into: rows, offset, fields, plan.target)
            if !isPlain {
                try readColumnFields(into: rows, offset, fields, completes: true, structure: plan.target)
            }
            do throws(DecodingFailure) {
                if isPlain { try callInnerHooks(rows, offset, fields) }
                try callHooks(rows, offset, fields, plan.target)
            } catch {
                rows.destroy(offset, plan.target.witnesses)
                throw error
            }
        case .extract(let fields):
            if try !readPlainRows(into: rows, offset, fields, plan.target) {
                try readColumnFields(into: rows, offset, fields, completes: false)
            }
        case .array(let element, let array): try readArrays(into: rows, offset, element, array, plan.target)
        case .collection(let key, let value, let collection):
            let counts = try readCounts(rows.count, each: collection.charge, plus: 48)
            try readCollections(into: rows, offset, counts, key, value, collection)
        case .enumeration(let cases):
            if areSmall(plan.target, count: rows.count) {
                return try readSmallEnums(into: rows, offset, cases, plan.target)
            }
            try readEnums(into: rows, offset, cases, plan.target)
        case .dynamic(let dynamic): try readDynamics(into: rows, offset, dynamic)
        case .codable(let access): try readCodables(into: rows, offset, access, plan.target)
        case .made(let wire): try readMade(into: rows, offset, wire, plan.target, isColumn: true)
        case .bridged(let surrogate, let bridged):
            try lifting { () throws(ByteError) in
                try input.budget.take(rows.count, each: bridged.surrogate.stride, at: input.position)
            }
            let copies = unsafe TemporaryValues(bridged.surrogate.witnesses, count: rows.count)
            try readColumns(into: copies.rows, 0, surrogate)
            copies.initialized = rows.count
            try bridge(copies, into: rows, offset, bridged, plan.target)
        default: preconditionFailure("A read plan is used before it is made.")
        }
    }

    // MARK: Leaves

    private mutating func readScalars(
        into rows: Rows, _ offset: Int, _ from: ScalarKind, _ to: ScalarKind
    ) throws(DecodingFailure) {
        if from.isInteger, from == to {
            return try lifting { () throws(ByteError) in try readIntegers(into: rows, offset, from) }
        }
        if from.isInteger {
            scratch.u64.resize(to: rows.count)
            try lifting { () throws(ByteError) in
                try IntegerColumn.read(into: &scratch.u64, signed: from.isSigned, from: &input)
            }
            for index in 0..<rows.count {
                let number = number(from, scratch.u64[index])
                guard unsafe number.store(as: to, at: rows.address(index, offset)) else {
                    throw doesNotFit(number, to).within(.index(index))
                }
            }
            return
        }
        let size = from.size
        let values = try lifting { () throws(ByteError) in
            try RawColumn.read(count: rows.count, size: size, &scratch.u64, from: &input)
        }
        _ = try unsafe values.withAddress { bytes throws(DecodingFailure) in
            if from != to {
                for index in 0..<rows.count {
                    let number = unsafe rawNumber(from, bytes + index * size)
                    guard unsafe number.store(as: to, at: rows.address(index, offset)) else {
                        throw doesNotFit(number, to).within(.index(index))
                    }
                }
                return
            }
            if from == .decimal {
                for index in 0..<rows.count {
                    guard unsafe DecimalBytes.restore(bytes + index * size, to: rows.address(index, offset)) else {
                        throw fault(.inconsistent)
                    }
                }
                return
            }
            unsafe rows.scatterBytes(size, offset, from: bytes)
        }
    }

    private mutating func readIntegers(into rows: Rows, _ offset: Int, _ kind: ScalarKind) throws(ByteError) {
        switch kind.size {
        case 1:
            scratch.u8.resize(to: rows.count)
            let place = input.position
            try IntegerColumn.read(into: &scratch.u8, signed: kind.isSigned, from: &input)
            if kind == .bool, scratch.u8.contains(where: { $0 > 1 }) { throw ByteError(.inconsistent, at: place) }
            rows.scatter(offset, from: scratch.u8)
        case 2:
            scratch.u16.resize(to: rows.count)
            try IntegerColumn.read(into: &scratch.u16, signed: kind.isSigned, from: &input)
            rows.scatter(offset, from: scratch.u16)
        case 4:
            scratch.u32.resize(to: rows.count)
            try IntegerColumn.read(into: &scratch.u32, signed: kind.isSigned, from: &input)
            rows.scatter(offset, from: scratch.u32)
        default:
            scratch.u64.resize(to: rows.count)
            try IntegerColumn.read(into: &scratch.u64, signed: kind.isSigned, from: &input)
            rows.scatter(offset, from: scratch.u64)
        }
    }

    private func number(_ kind: ScalarKind, _ bits: UInt64) -> ArchivedNumber {
        kind.isSigned ? .signed(Int128(Int64(bitPattern: bits))) : .unsigned(UInt128(bits))
    }

    private func rawNumber(_ kind: ScalarKind, _ address: UnsafeRawPointer) -> ArchivedNumber {
        switch kind {
        case .float32: unsafe .float(address.loadUnaligned(as: Float.self))
        case .int128: unsafe .signed(address.loadUnaligned(as: Int128.self))
        case .uint128: unsafe .unsigned(address.loadUnaligned(as: UInt128.self))
        default: unsafe .double(address.loadUnaligned(as: Double.self))
        }
    }

    private mutating func readData(into rows: Rows, _ offset: Int) throws(DecodingFailure) {
        scratch.u64.resize(to: rows.count)
        let bytes = try unsafe lifting { () throws(ByteError) in
            try unsafe StringColumn.readBlocks(&scratch.u64, from: &input)
        }
        var next = 0
        unsafe rows.forEach(offset) { address, index in
            let size = Int(truncatingIfNeeded: scratch.u64[index])
            let data = unsafe Data(UnsafeRawBufferPointer(rebasing: bytes[next..<next + size]))
            unsafe address.initializeMemory(as: Data.self, to: data)
            next += size
        }
    }

    private mutating func readReferences(
        into rows: Rows, _ offset: Int, _ reference: ReferencePlan, _ isOptional: Bool, _ ownership: Ownership
    ) throws(DecodingFailure) {
        scratch.u64.resize(to: rows.count)
        try lifting { () throws(ByteError) in try IntegerColumn.read(into: &scratch.u64, signed: false, from: &input) }
        if let index = pools.check(scratch.u64, of: reference.base, allowingNil: isOptional) {
            throw (scratch.u64[index] == 0 ? missingValue() : wrongObject(reference.base, scratch.u64[index])).within(
                .index(index))
        }
        pools.store(scratch.u64, in: rows, offset, ownership)
        if ownership == .unowned || ownership == .unmanaged {
            for number in scratch.u64 { unsafe unowned.note(pools.object(number), ownership) }
        }
    }

    /// Reads which of the rows have a value, makes the others `nil`, and gives those that have one.
    private mutating func readPresence(
        _ rows: Rows, _ offset: Int, _ optional: OptionalPlan
    ) throws(DecodingFailure) -> Rows {
        scratch.u8.resize(to: rows.count)
        try lifting { () throws(ByteError) in try IntegerColumn.read(into: &scratch.u8, signed: false, from: &input) }
        guard scratch.u8.allSatisfy({ $0 <= 1 }) else { throw fault(.inconsistent) }
        optional.storeNil(rows, offset, where: scratch.u8)
        return rows.selecting(offset, where: scratch.u8, equal: 1)
    }

    // MARK: Structs

    /// Reads a block of plain structs, if the archive has one here; `false` if columns follow.
    private mutating func readPlainRows(
        into rows: Rows, _ offset: Int, _ fields: FieldsPlan, _ target: ValuePlan
    ) throws(DecodingFailure) -> Bool {
        guard let size = fields.plainWireSize else { return false }
        let place = input.position
        let code = try lifting { () throws(ByteError) in try input.readByte() }
        if code == PlainRows.columns { return false }
        guard code == PlainRows.rows else { throw DecodingFailure(ByteError(.unknownCode(Int(code)), at: place)) }
        let bytes = try unsafe lifting { () throws(ByteError) in
            let (total, overflow) = rows.count.multipliedReportingOverflow(by: size)
            guard !overflow else { throw ByteError(.truncated(needed: Int.max), at: place) }
            return try unsafe input.readBytes(total)
        }
        guard let base = bytes.baseAddress else { return true }
        if fields.isPlainCopy {
            unsafe rows.scatterBytes(size, offset, from: base)
        } else {
            try unsafe readPlainFields(into: rows, offset, fields, target, base, size)
        }
        return true
    }

    /// Takes a block of plain structs apart, number by number.
    private mutating func readPlainFields(
        into rows: Rows, _ offset: Int, _ fields: FieldsPlan, _ target: ValuePlan, _ base: UnsafeRawPointer,
        _ stride: Int
    ) throws(DecodingFailure) {
        var start = 0
        var done = 0
        do throws(DecodingFailure) {
            for step in fields.steps {
                guard let size = plainSizes.sizeOfPlain(step.wire) else { throw fault(.inconsistent) }
                if let destination = step.destination {
                    do throws(DecodingFailure) {
                        try unsafe readPlainField(
                            into: rows, offset + destination.offset, destination.plan, base + start, stride)
                    } catch {
                        throw error.within(.property(step.name))
                    }
                }
                start += size
                done += 1
            }
            try complete(rows, offset, fields, target)
        } catch {
            fields.destroyFilled(rows, offset, steps: done)
            throw error
        }
    }

    private mutating func readPlainField(
        into rows: Rows, _ offset: Int, _ plan: ReadPlan, _ base: UnsafeRawPointer, _ stride: Int
    ) throws(DecodingFailure) {
        switch plan.action {
        case .structure(let fields, _), .extract(let fields):
            try unsafe readPlainFields(into: rows, offset, fields, plan.target, base, stride)
        case .scalar(let from, let to):
            for index in 0..<rows.count {
                let source = unsafe base + index * stride
                let target = unsafe rows.address(index, offset)
                if from == to {
                    unsafe target.copyMemory(from: source, byteCount: from.size)
                    continue
                }
                let number = unsafe from.isInteger ? plainInteger(from, source) : rawNumber(from, source)
                guard unsafe number.store(as: to, at: target) else {
                    throw doesNotFit(number, to).within(.index(index))
                }
            }
        case .wrapped(let payload, let optional):
            try unsafe readPlainField(into: rows, offset, payload, base, stride)
            let flags = optional.payload.witnesses
            unsafe rows.forEach(offset) { address, _ in unsafe flags.storeOptionalTag(0, address) }
        case .bridged(let surrogate, let bridged):
            let copies = unsafe TemporaryValues(bridged.surrogate.witnesses, count: rows.count)
            try unsafe readPlainField(into: copies.rows, 0, surrogate, base, stride)
            copies.initialized = rows.count
            try bridge(copies, into: rows, offset, bridged, plan.target)
        case .made(let wire):
            guard let size = plainSizes.sizeOfPlain(wire) else { throw fault(.inconsistent) }
            var values: [DynamicValue] = []
            for index in 0..<rows.count {
                let bytes = unsafe Array(UnsafeRawBufferPointer(start: base + index * stride, count: size))
                values.append(plainValue(wire, bytes, 0))
            }
            if case .dynamic = plan.target.shape { values = values.map { anyValue($0, wire) } }
            try make(values, into: rows, offset, plan.target)
        default: throw fault(.inconsistent)
        }
    }

    private func plainInteger(_ kind: ScalarKind, _ address: UnsafeRawPointer) -> ArchivedNumber {
        var bits: UInt64 = 0
        unsafe withUnsafeMutableBytes(of: &bits) {
            unsafe $0.copyMemory(from: UnsafeRawBufferPointer(start: address, count: kind.size))
        }
        let unused = UInt64(64 - kind.size * 8)
        return kind.isSigned
            ? .signed(Int128((Int64(bitPattern: bits) << Int64(unused)) >> Int64(unused))) : .unsigned(UInt128(bits))
    }

    // MARK: Arrays, sets, dictionaries

    /// Reads how many elements each row has; all must fit in the budget.
    mutating func readCounts(_ rows: Int, each size: Int, plus fixed: Int) throws(DecodingFailure) -> [UInt64] {
        try lifting { () throws(ByteError) in
            var counts: [UInt64] = []
            counts.resize(to: rows)
            let start = input.position
            try IntegerColumn.read(into: &counts, signed: false, from: &input)
            var total: UInt64 = 0
            for count in counts {
                let (sum, overflow) = total.addingReportingOverflow(count)
                guard !overflow, sum <= UInt64(Int.max) else {
                    throw ByteError(.overBudget(requested: Int.max), at: start)
                }
                total = sum
            }
            try input.budget.take(Int(total), each: size, at: start)
            try input.budget.take(rows, each: fixed, at: start)
            return counts
        }
    }

    private mutating func readArrays(
        into rows: Rows, _ offset: Int, _ element: ReadPlan, _ array: ArrayPlan, _ target: ValuePlan
    ) throws(DecodingFailure) {
        let stride = array.element.stride
        let counts = try readCounts(rows.count, each: stride, plus: 32)
        let total = Int(counts.reduce(0, +))
        var isSideBySide = areSmall(array.element, count: total)
        if case .scalar = array.element.shape { isSideBySide = true }
        if isSideBySide {
            // Numbers are read side by side and copied to their arrays.
            let block = try readSideBySide(total, element, size: stride)
            array.storage.makeArrays(rows, offset, counts, size: stride, from: block)
            return
        }
        let addresses = unsafe array.storage.makeArrays(rows, offset, counts, stride: stride)
        do throws(DecodingFailure) {
            try unsafe readBatch(into: Rows(addresses), 0, element)
        } catch {
            rows.destroy(offset, target.witnesses)
            throw error
        }
        array.storage.setCounts(rows, offset, counts)
    }

    /// Reads the elements of sets or dictionaries, and builds them: at once, or when all objects are filled if their keys
    /// refer to some, which only then can be hashed.
    mutating func readCollections(
        into rows: Rows, _ offset: Int, _ counts: [UInt64], _ key: ReadPlan, _ value: ReadPlan?,
        _ collection: CollectionPlan
    ) throws(DecodingFailure) {
        let total = Int(counts.reduce(0, +))
        let keys = unsafe TemporaryValues(collection.key.witnesses, count: total)
        try waitingInside { reader throws(DecodingFailure) in try reader.readBatch(into: keys.rows, 0, key) }
        keys.initialized = total
        var values: TemporaryValues?
        if let value, let plan = collection.value {
            let copies = unsafe TemporaryValues(plan.witnesses, count: total)
            try waitingInside { reader throws(DecodingFailure) in try reader.readBatch(into: copies.rows, 0, value) }
            copies.initialized = total
            values = copies
        }
        let elements = values
        func build() {
            var next = 0
            unsafe rows.forEach(offset) { address, index in
                unsafe collection.access.build(
                    at: address, keys: keys.address(next), values: elements?.address(next), count: Int(counts[index]))
                next += Int(counts[index])
            }
            keys.initialized = 0
            elements?.initialized = 0
        }
        guard
            collection.key.reachesObjects || collection.key.mayWait
                || (collection.value.map { waits($0) } ?? false)
        else { return build() }
        // Until then the fields hold no storage at all, which is safe to destroy.
        unsafe rows.forEach(offset) { address, _ in unsafe address.storeBytes(of: 0, as: UInt.self) }
        waiting.append { build() }
    }

    // MARK: Enums

    private mutating func readEnums(
        into rows: Rows, _ offset: Int, _ cases: CasesPlan, _ target: ValuePlan
    ) throws(DecodingFailure) {
        var tags: [UInt64] = []
        tags.resize(to: rows.count)
        try lifting { () throws(ByteError) in try IntegerColumn.read(into: &tags, signed: false, from: &input) }
        var local: [UInt32?] = []
        for item in cases.cases { local.append(item.tag) }
        for tag in tags {
            guard tag < UInt64(local.count) else { throw fault(.inconsistent) }
            guard local[Int(tag)] != nil else { throw unknownCase(cases.cases[Int(tag)], cases) }
        }
        let witnesses = target.witnesses
        let groups =
            cases.cases.contains { $0.payload != nil } ? rows.grouped(offset, by: tags, groups: local.count) : []
        var done: [Rows] = []
        do throws(DecodingFailure) {
            for (number, item) in cases.cases.enumerated() {
                guard let payload = item.payload, let tag = item.tag else { continue }
                let chosen = groups[number]
                if chosen.count == 0 { continue }
                let waits = !item.isIndirect && waits(payload.target)
                if waits { waiting.append(projection(chosen, witnesses)) }
                do throws(DecodingFailure) {
                    if item.isIndirect {
                        try readBoxes(into: chosen, payload)
                    } else {
                        try waitingInside { reader throws(DecodingFailure) in
                            try reader.readBatch(into: chosen, 0, payload)
                        }
                    }
                } catch {
                    throw error.within(.property(item.name))
                }
                unsafe chosen.forEach(0) { address, _ in unsafe witnesses.injectEnum(tag, address) }
                if waits { waiting.append(injection(chosen, tag, witnesses)) }
                done.append(chosen)
            }
        } catch {
            for rows in done { rows.destroy(0, witnesses) }
            throw error
        }
        guard witnesses.hasEnumWitnesses else { return }
        let hasPayload = cases.cases.map { $0.payload != nil }
        unsafe rows.forEach(offset) { address, index in
            let number = Int(truncatingIfNeeded: tags[index])
            if !hasPayload[number], let tag = local[number] { unsafe witnesses.injectEnum(tag, address) }
        }
    }

    private mutating func readBoxes(into rows: Rows, _ payload: ReadPlan) throws(DecodingFailure) {
        try lifting { () throws(ByteError) in
            try input.budget.take(rows.count, each: payload.target.stride + 16, at: input.position)
        }
        var boxes = unsafe ContiguousArray<UnsafeMutableRawPointer>()
        var values = unsafe ContiguousArray<UnsafeMutableRawPointer>()
        for _ in 0..<rows.count {
            let box = unsafe makeBox(for: payload.target.type)
            unsafe boxes.append(box.object)
            unsafe values.append(box.value)
        }
        do throws(DecodingFailure) {
            try unsafe readBatch(into: Rows(values), 0, payload)
        } catch {
            for index in unsafe boxes.indices { unsafe discardBox(boxes[index]) }
            throw error
        }
        unsafe rows.forEach(0) { address, index in
            unsafe address.storeBytes(of: boxes[index], as: UnsafeMutableRawPointer.self)
        }
    }
}
