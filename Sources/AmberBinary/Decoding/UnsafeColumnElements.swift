// Room:   AmberBinary / Decoding. Columns of arrays, sets and dictionaries.
// Takes:  rows of uninitialised memory and the way of the elements. Gives: values in all of them, or an error.
// Touches: the rows; ByteReader; the encodings of Columns.
//
// Invariants: those of UnsafeColumnReader.

internal import AmberBytes
internal import AmberModel

extension GraphReader {
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

    mutating func readArrays(
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
}
