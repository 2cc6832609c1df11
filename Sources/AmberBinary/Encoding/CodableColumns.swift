// Room:   AmberBinary / Encoding. Codable values: a slot for each place in their type, the values of each as a column.
// Takes:  rows of a Codable type. Gives: slots, which say themselves which keys and kinds of values there are.
// Touches: CodableWriter; ByteWriter; the encodings of Columns.

internal import AmberBytes
internal import AmberModel

/// How slots stand in an archive.
///
/// | part | what follows |
/// |---|---|
/// | slot of n values | 0 if n is 0; the kind (byte) and a column of n; or 0x40 + the number of kinds, these, n indexes of them, a column for each |
/// | null | nothing |
/// | integers | n zigzag varints or varints if n is less than the row limit, else an integer column |
/// | other numbers | n values if n is less than the row limit, else a raw column |
/// | string, data | n rows if n is less than the row limit, else a column |
/// | array | n counts as unsigned integers, a slot of as many values as they add up to |
/// | map | n counts, as many strings as keys, a slot of as many values |
/// | record | number of keys; for each: the key (a string in a row), 0 and a slot of n, or 1, n flags as unsigned integers, and a slot of as many values as flags are 1 |
enum CodableColumns {
    static let several: UInt8 = 0x40

    /// The memory that a reader needs for a slot, whatever is in it.
    static let slotCharge = 512
}

extension CodableKind {
    /// The memory that a reader needs for a value of this kind, without what is in it.
    var charge: Int {
        switch self {
        case .null, .string, .data: 16
        case .array, .map, .record: 32
        default: max(8, scalar?.size ?? 8)
        }
    }
}

extension GraphWriter {
    /// Writes rows of a Codable type, which stand together whether they are few or many.
    mutating func writeCodables(_ rows: Rows, _ offset: Int, _ access: CodableAccess) throws(EncodingFailure) {
        let writer = access.makeWriter(
            userInfo: options.userInfo, isDeterministic: options.isDeterministic || isSorting,
            // What is in the deepest container is one level deeper.
            depthLimit: DecodingLimits().depth - depth - 1)
        try access.encode(rows, offset, writer)
        writeSlot(writer.root, rows.count)
        access.keep(writer)
    }

    private mutating func writeSlot(_ slot: CodableSlot?, _ count: Int) {
        charge += CodableColumns.slotCharge
        guard let slot, count > 0 else { return out.write(byte: 0) }
        if slot.variants.count == 1 {
            out.write(byte: slot.variants[0].kind.rawValue)
        } else {
            out.write(byte: CodableColumns.several + UInt8(truncatingIfNeeded: slot.variants.count))
            for variant in slot.variants { out.write(byte: variant.kind.rawValue) }
            writeIntegers(slot.tags, signed: false)
            charge += count * 16
        }
        for variant in slot.variants { writeVariant(variant) }
    }

    private mutating func writeVariant(_ variant: CodableVariant) {
        charge += variant.valueCount * variant.kind.charge
        switch variant.kind {
        case .null: return
        case .string: writeStrings(variant.strings)
        case .data: writeData(variant.data)
        case .array, .map:
            let counts = variant.words
            let total = counts.reduce(0) { $0 + Int($1) }
            writeIntegers(counts, signed: false)
            if variant.kind == .map {
                charge += total * CodableKind.string.charge
                writeStrings(variant.strings)
            }
            writeSlot(variant.element, total)
        case .record:
            let fields = variant.fields.filter { $0.count > 0 }
            out.write(count: fields.count)
            for field in fields { writeField(field, of: variant.count) }
        default:
            if variant.kind.isInteger {
                writeIntegers(variant.words, signed: variant.kind.isSigned)
            } else {
                writeRaw(variant)
            }
        }
    }

    private mutating func writeField(_ field: CodableSlot, of records: Int) {
        writeKey(field.key)
        if field.count == records {
            out.write(byte: 0)
        } else {
            out.write(byte: 1)
            charge += records * 8
            var flags = [UInt64](repeating: 0, count: records)
            if let present = field.records {
                for record in present { flags[Int(record)] = 1 }
            } else {
                for record in 0..<field.count { flags[record] = 1 }
            }
            writeIntegers(flags, signed: false)
        }
        writeSlot(field, field.count)
    }

    private mutating func writeIntegers(_ values: [UInt64], signed: Bool) {
        guard values.count < version.rowLimit else {
            return IntegerColumn.write(values, signed: signed, to: &out)
        }
        for value in values {
            if signed { out.write(zigzag: Int64(bitPattern: value)) } else { out.write(varint: value) }
        }
    }
}
