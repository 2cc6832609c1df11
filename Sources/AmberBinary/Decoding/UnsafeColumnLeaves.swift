// Room:   AmberBinary / Decoding. Columns of numbers, data and references.
// Takes:  rows of uninitialised memory. Gives: values in all of them, or an error and memory as before.
// Touches: the rows; ByteReader; the encodings of Columns.
//
// Invariants: those of UnsafeColumnReader.

internal import AmberBytes
internal import AmberModel
internal import Foundation

extension GraphReader {
    mutating func readScalars(
        into rows: Rows, _ offset: Int, _ from: ScalarKind, _ to: ScalarKind
    ) throws(DecodingFailure) {
        if from.isInteger, from == to {
            return try lifting { () throws(ByteError) in try readIntegers(into: rows, offset, from) }
        }
        if from.isInteger {
            // Those that are read may be larger than what they become, which is paid for.
            let more = max(from.size - to.size, 0)
            let lent = try lifting { () throws(ByteError) in
                try input.budget.borrow(rows.count, each: more, at: input.position)
            }
            defer { input.budget.giveBack(lent) }
            switch from.size {
            case 1: return try convert(UInt8.self, rows, offset, from, to)
            case 2: return try convert(UInt16.self, rows, offset, from, to)
            case 4: return try convert(UInt32.self, rows, offset, from, to)
            default: return try convert(UInt64.self, rows, offset, from, to)
            }
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

    /// Reads integers that become numbers of another type.
    private mutating func convert<T: Bits>(
        _ type: T.Type, _ rows: Rows, _ offset: Int, _ from: ScalarKind, _ to: ScalarKind
    ) throws(DecodingFailure) {
        var numbers = [T](repeating: 0, count: rows.count)
        try lifting { () throws(ByteError) in
            try IntegerColumn.read(into: &numbers, signed: from.isSigned, from: &input)
        }
        for index in 0..<rows.count {
            let number = number(from, numbers[index].extended(signed: from.isSigned))
            guard unsafe number.store(as: to, at: rows.address(index, offset)) else {
                throw doesNotFit(number, to).within(.index(index))
            }
        }
    }

    mutating func readIntegers(into rows: Rows, _ offset: Int, _ kind: ScalarKind) throws(ByteError) {
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

    func number(_ kind: ScalarKind, _ bits: UInt64) -> ArchivedNumber {
        kind.isSigned ? .signed(Int128(Int64(bitPattern: bits))) : .unsigned(UInt128(bits))
    }

    func rawNumber(_ kind: ScalarKind, _ address: UnsafeRawPointer) -> ArchivedNumber {
        switch kind {
        case .float32: unsafe .float(address.loadUnaligned(as: Float.self))
        case .int128: unsafe .signed(address.loadUnaligned(as: Int128.self))
        case .uint128: unsafe .unsigned(address.loadUnaligned(as: UInt128.self))
        default: unsafe .double(address.loadUnaligned(as: Double.self))
        }
    }

    mutating func readData(into rows: Rows, _ offset: Int) throws(DecodingFailure) {
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

    mutating func readReferences(
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
}
