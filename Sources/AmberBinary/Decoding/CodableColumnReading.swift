// Room:   AmberBinary / Decoding. Codable values: their slots, read and checked, before any `init(from:)` runs.
// Takes:  how many values there are. Gives: slots in which every place is what it says; see CodableColumns.
// Touches: ByteReader; the encodings of Columns.

internal import AmberBytes
internal import AmberModel

extension GraphReader {
    /// Reads the slot of `count` Codable values.
    mutating func readCodables(_ count: Int) throws(DecodingFailure) -> CodableReader {
        let slot = CodableSlot(key: "", in: nil)
        try readSlot(slot, count)
        return CodableReader(slot, userInfo: options.userInfo)
    }

    private mutating func pay(_ count: Int, each size: Int) throws(DecodingFailure) {
        try lifting { () throws(ByteError) in try input.budget.take(count, each: size, at: input.position) }
    }

    private mutating func readSlot(_ slot: CodableSlot, _ count: Int) throws(DecodingFailure) {
        try descend()
        defer { depth -= 1 }
        try pay(1, each: CodableColumns.slotCharge)
        slot.count = count
        let place = input.position
        let code = try lifting { () throws(ByteError) in try input.readByte() }
        guard (code == 0) == (count == 0) else { throw fault(.inconsistent) }
        if count == 0 { return }
        if code <= CodableColumns.several {
            let variant = try makeVariant(code, in: slot, at: place)
            return try readVariant(variant, count)
        }
        for _ in 0..<code - CodableColumns.several {
            let place = input.position
            _ = try makeVariant(try lifting { () throws(ByteError) in try input.readByte() }, in: slot, at: place)
        }
        try pay(count, each: 16)
        slot.tags = try readIntegers(count, signed: false)
        var tally = [Int](repeating: 0, count: slot.variants.count)
        for tag in slot.tags {
            guard tag < UInt64(tally.count) else { throw fault(.inconsistent) }
            tally[Int(tag)] += 1
        }
        guard tally.allSatisfy({ $0 > 0 }) else { throw fault(.inconsistent) }
        for (variant, count) in zip(slot.variants, tally) { try readVariant(variant, count) }
        slot.index()
    }

    private func makeVariant(_ code: UInt8, in slot: CodableSlot, at place: Int) throws(DecodingFailure)
        -> CodableVariant
    {
        guard let kind = CodableKind(rawValue: code) else {
            throw DecodingFailure(ByteError(.unknownCode(Int(code)), at: place))
        }
        return slot.add(kind)
    }

    private mutating func readVariant(_ variant: CodableVariant, _ count: Int) throws(DecodingFailure) {
        try pay(count, each: variant.kind.charge)
        variant.count = count
        switch variant.kind {
        case .null: return
        case .string: variant.strings = try readStrings(count)
        case .data: variant.data = try readData(count)
        case .array, .map:
            let counts = try readIntegers(count, signed: false)
            var total: UInt64 = 0
            for count in counts {
                let (sum, overflow) = total.addingReportingOverflow(count)
                guard !overflow, sum <= UInt64(Int.max) else { throw fault(.inconsistent) }
                total = sum
            }
            if variant.kind == .map {
                try pay(Int(total), each: CodableKind.string.charge)
                variant.strings = try readStrings(Int(total))
            }
            variant.words = counts
            try readSlot(variant.addElement(), Int(total))
            variant.index()
        case .record: try readFields(of: variant)
        default: try readNumbers(variant, count)
        }
    }

    private mutating func readFields(of variant: CodableVariant) throws(DecodingFailure) {
        let count = try lifting { () throws(ByteError) in
            let start = input.position
            let count = try input.readCount()
            // A key takes three bytes at least.
            guard count <= input.remaining / 3 else { throw ByteError(.truncated(needed: count), at: start) }
            return count
        }
        for _ in 0..<count {
            let field = variant.addField(try readRowString())
            let place = input.position
            var present = variant.count
            switch try lifting({ () throws(ByteError) in try input.readByte() }) {
            case 0: break
            case 1:
                try pay(variant.count, each: 8)
                let flags = try readIntegers(variant.count, signed: false)
                guard flags.allSatisfy({ $0 <= 1 }) else { throw fault(.inconsistent) }
                let records = flags.indices.filter { flags[$0] == 1 }.map { UInt64($0) }
                present = records.count
                field.setRecords(records)
            case let other: throw DecodingFailure(ByteError(.unknownCode(Int(other)), at: place))
            }
            do throws(DecodingFailure) {
                try readSlot(field, present)
            } catch {
                throw error.within(.property(field.key))
            }
        }
    }

    private mutating func readNumbers(_ variant: CodableVariant, _ count: Int) throws(DecodingFailure) {
        if variant.kind.isInteger {
            let words = try readIntegers(count, signed: variant.kind.isSigned)
            variant.words = words
            if variant.kind == .bool, !words.allSatisfy({ $0 <= 1 }) { throw fault(.inconsistent) }
            return
        }
        let size = variant.kind.scalar?.size ?? 8
        if variant.kind.isWord {
            variant.words = try readWords(count, size)
        } else {
            variant.bytes = try readWide(count, size, isDecimal: variant.kind == .decimal)
        }
    }

    private mutating func readIntegers(_ count: Int, signed: Bool) throws(DecodingFailure) -> [UInt64] {
        try lifting { () throws(ByteError) in
            var values: [UInt64] = []
            guard count < version.rowLimit else {
                values.resize(to: count)
                try IntegerColumn.read(into: &values, signed: signed, from: &input)
                return values
            }
            for _ in 0..<count {
                values.append(signed ? UInt64(bitPattern: try input.readZigzag()) : try input.readVarint())
            }
            return values
        }
    }

    // MARK: Passing over

    /// Passes over `count` Codable values.
    mutating func skipCodables(_ count: Int) throws(DecodingFailure) {
        try readSlot(CodableSlot(key: "", in: nil), count)
    }
}
