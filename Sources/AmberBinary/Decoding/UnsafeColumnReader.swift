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

    /// Reads which of the rows have a value, makes the others `nil`, and gives those that have one.
    mutating func readPresence(
        _ rows: Rows, _ offset: Int, _ optional: OptionalPlan
    ) throws(DecodingFailure) -> Rows {
        scratch.u8.resize(to: rows.count)
        try lifting { () throws(ByteError) in try IntegerColumn.read(into: &scratch.u8, signed: false, from: &input) }
        guard scratch.u8.allSatisfy({ $0 <= 1 }) else { throw fault(.inconsistent) }
        optional.storeNil(rows, offset, where: scratch.u8)
        return rows.selecting(offset, where: scratch.u8, equal: 1)
    }
}
