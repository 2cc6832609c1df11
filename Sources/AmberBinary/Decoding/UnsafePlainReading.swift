// Room:   AmberBinary / Decoding. Blocks of plain structs.
// Takes:  rows of uninitialised memory and the way of a struct. Gives: structs in all of them, or an error and memory as before.
// Touches: the rows; ByteReader; the encodings of Columns.
//
// Invariants: those of UnsafeColumnReader.

internal import AmberBytes
internal import AmberModel

extension GraphReader {
    /// Reads a block of plain structs, if the archive has one here; `false` if columns follow.
    mutating func readPlainRows(
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
    mutating func readPlainFields(
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

    mutating func readPlainField(
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

    func plainInteger(_ kind: ScalarKind, _ address: UnsafeRawPointer) -> ArchivedNumber {
        var bits: UInt64 = 0
        unsafe withUnsafeMutableBytes(of: &bits) {
            unsafe $0.copyMemory(from: UnsafeRawBufferPointer(start: address, count: kind.size))
        }
        let unused = UInt64(64 - kind.size * 8)
        return kind.isSigned
            ? .signed(Int128((Int64(bitPattern: bits) << Int64(unused)) >> Int64(unused))) : .unsigned(UInt128(bits))
    }
}
