// Room:   AmberBinary / Decoding. Columns of many values that are each smaller than an address.
// Takes:  uninitialised memory, as one block or rows, and a read plan. Gives: values in it, without a list of addresses.
// Touches: the rows; ByteReader; a block of memory no larger than the values.
//
// The budget pays for values, not for the addresses of those that are present or of one case. Where those would take
// more memory than the values, what is inside the values is read side by side, and then copied to its place.
//
// Invariants
// 1. Values read here are trivial and wait for nothing: they may be moved by their bytes, and need not be destroyed.
// 2. A block has room for as many payloads as rows are chosen; only the payload's size is copied to a row, which has
//    room for it, for an Optional or an enum is at least as large as its payload.

internal import AmberBytes
internal import AmberModel

extension GraphReader {
    /// How many values a column may have before the memory for its addresses matters.
    private static var manyRows: Int { 1 << 13 }

    /// Whether addresses of so many values would take more memory than the values.
    func areSmall(_ plan: ValuePlan, count: Int) -> Bool {
        unsafe count > Self.manyRows && plan.stride < MemoryLayout<UnsafeMutableRawPointer>.size
            && plan.witnesses.isTrivial
            && !waits(plan)
    }

    /// Reads values side by side, in a block with memory for some bytes more.
    mutating func readSideBySide(
        _ count: Int, _ plan: ReadPlan, size: Int
    ) throws(DecodingFailure) -> TemporaryBytes {
        let block = TemporaryBytes(count * size + ArrayStorage.overlap)
        try readBatch(into: unsafe Rows(base: block.base, stride: size, count: count), 0, plan)
        return block
    }

    /// Reads optionals whose payload is small.
    mutating func readSmallOptionals(
        into rows: Rows, _ offset: Int, _ payload: ReadPlan, _ optional: OptionalPlan
    ) throws(DecodingFailure) {
        var flags = [UInt8](repeating: 0, count: rows.count)
        try lifting { () throws(ByteError) in try IntegerColumn.read(into: &flags, signed: false, from: &input) }
        guard flags.allSatisfy({ $0 <= 1 }) else { throw fault(.inconsistent) }
        let witnesses = payload.target.witnesses
        let present = flags.reduce(0) { $0 + Int($1) }
        let block = try readSideBySide(present, payload, size: witnesses.stride)
        if optional.place(block, in: rows, offset, where: flags) { return }
        optional.storeNil(rows, offset, where: flags)
        var next = unsafe block.base
        unsafe rows.forEach(offset) { address, index in
            guard flags[index] == 1 else { return }
            unsafe address.copyMemory(from: next, byteCount: witnesses.size)
            unsafe optional.storeSome(at: address)
            unsafe next += witnesses.stride
        }
    }

    /// Reads enum values that are small.
    mutating func readSmallEnums(
        into rows: Rows, _ offset: Int, _ cases: CasesPlan, _ target: ValuePlan
    ) throws(DecodingFailure) {
        if cases.cases.count <= 1 << 8 { return try readSmallEnums(into: rows, offset, cases, target, UInt8.self) }
        try readSmallEnums(into: rows, offset, cases, target, UInt32.self)
    }

    private mutating func readSmallEnums<Number: Bits>(
        into rows: Rows, _ offset: Int, _ cases: CasesPlan, _ target: ValuePlan, _ type: Number.Type
    ) throws(DecodingFailure) {
        var numbers = [Number](repeating: 0, count: rows.count)
        try lifting { () throws(ByteError) in try IntegerColumn.read(into: &numbers, signed: false, from: &input) }
        var uses = [Int](repeating: 0, count: cases.cases.count)
        guard let largest = numbers.max(), Int(largest) < uses.count else { throw fault(.inconsistent) }
        for number in numbers { uses[Int(number)] += 1 }
        for (item, count) in zip(cases.cases, uses) where count > 0 && item.tag == nil {
            throw unknownCase(item, cases)
        }
        let witnesses = target.witnesses
        if cases.tagSize == 1, Number.self == UInt8.self {
            // A value is its tag.
            let tags = cases.cases.map { UInt8(truncatingIfNeeded: $0.tag ?? 0) }
            for index in numbers.indices { numbers[index] = Number(truncatingIfNeeded: tags[Int(numbers[index])]) }
            return unsafe numbers.withUnsafeBufferPointer { numbers in
                guard let base = numbers.baseAddress else { return }
                unsafe rows.scatterBytes(1, offset, from: base)
            }
        }
        for (number, item) in cases.cases.enumerated() where uses[number] > 0 {
            guard let tag = item.tag else { continue }
            var block: TemporaryBytes?
            let size = item.payload?.target.witnesses.size ?? 0
            let stride = item.payload?.target.stride ?? 0
            if let payload = item.payload {
                do throws(DecodingFailure) {
                    block = try readSideBySide(uses[number], payload, size: stride)
                } catch {
                    throw error.within(.property(item.name))
                }
            }
            var next = 0
            unsafe rows.forEach(offset) { address, index in
                guard Int(numbers[index]) == number else { return }
                if let block {
                    unsafe address.copyMemory(from: block.base + next, byteCount: size)
                    next += stride
                }
                if witnesses.hasEnumWitnesses { unsafe witnesses.injectEnum(tag, address) }
            }
        }
    }
}
