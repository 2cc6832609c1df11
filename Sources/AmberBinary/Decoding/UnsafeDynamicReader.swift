// Room:   AmberBinary / Decoding. Existentials, and what waits until all objects are filled.
// Takes:  values of types that the archive names. Gives: existentials.
// Touches: rows of uninitialised memory; temporaries.
//
// Invariants
// 1. Rows are uninitialised before; a function that throws has left nothing initialised in them.
// 2. What waits holds a value that is safe to destroy until then: no storage, or a placeholder.
// 3. Work that waits is done in the order in which it was put off: the inner before the outer.

internal import AmberBytes
internal import AmberModel

extension GraphReader {
    /// Does what was put off. All of it is done even if some fails, so that every value is whole and can be destroyed.
    mutating func finishWaiting() throws(DecodingFailure) {
        var first: DecodingFailure?
        let works = waiting
        waiting = []
        for work in works {
            do { try work() } catch {
                first = first ?? (error as? DecodingFailure) ?? DecodingFailure(.corrupt, "\(error)")
            }
        }
        if let first { throw first }
    }

    // MARK: Enums

    /// Opens payloads, in which something is about to be put off, when the time for it has come.
    func projection(_ rows: Rows, _ witnesses: ValueWitnesses) -> () throws -> Void {
        { unsafe rows.forEach(0) { address, _ in unsafe witnesses.projectEnum(address) } }
    }

    /// Closes payloads again.
    func injection(
        _ rows: Rows, _ tag: UInt32, _ witnesses: ValueWitnesses
    ) -> () throws -> Void {
        { unsafe rows.forEach(0) { address, _ in unsafe witnesses.injectEnum(tag, address) } }
    }

    // MARK: Existentials

    mutating func readDynamics(into rows: Rows, _ offset: Int, _ dynamic: DynamicPlan) throws(DecodingFailure) {
        var types: [UInt64] = []
        types.resize(to: rows.count)
        try lifting { () throws(ByteError) in try IntegerColumn.read(into: &types, signed: false, from: &input) }
        guard types.allSatisfy({ $0 <= UInt64(dynamicTypes.count) }) else { throw fault(.inconsistent) }
        var done: [Rows] = []
        do throws(DecodingFailure) {
            let groups = rows.grouped(offset, by: types, groups: dynamicTypes.count + 1)
            for (type, chosen) in groups.enumerated() where chosen.count > 0 {
                if type == 0 {
                    var references: [UInt64] = []
                    references.resize(to: chosen.count)
                    try lifting { () throws(ByteError) in
                        try IntegerColumn.read(into: &references, signed: false, from: &input)
                    }
                    try storeDynamic(references: references, into: chosen, 0, dynamic)
                } else {
                    try readDynamic(number: type - 1, into: chosen, dynamic)
                }
                done.append(chosen)
            }
        } catch {
            for rows in done { rows.destroy(0, dynamic.witnesses) }
            throw error
        }
    }

    /// Stores objects in existentials.
    mutating func storeDynamic(
        references: [UInt64], into rows: Rows, _ offset: Int, _ dynamic: DynamicPlan
    ) throws(DecodingFailure) {
        for (index, number) in references.enumerated() {
            let address = unsafe rows.address(index, offset)
            if pools.isForeign(number) {
                unsafe storePlaceholder(dynamic, at: address)
                unsafe wait(for: number, at: address, dynamic)
                continue
            }
            guard let found = unsafe pools.object(number), unsafe dynamic.access.store(object(at: found), at: address)
            else {
                rows.slice(0..<index).destroy(offset, dynamic.witnesses)
                throw DecodingFailure(
                    .typeMismatch, offset: input.position,
                    "The archive refers to an object that is not there, or not of the existential's type.")
            }
        }
    }

    /// Reads values of a type that this program doesn't have into existentials, which keep them as they are.
    private mutating func readUnknown(_ number: Int, into rows: Rows, _ dynamic: DynamicPlan) throws(DecodingFailure) {
        let (place, found) = (input.position, dynamicTypes[number])
        var values: [DynamicValue] = []
        for value in try readDynamicBatch(found.wire, rows.count) { values.append(try anyExistential(number, value)) }
        for (index, value) in values.enumerated() {
            guard case .any(let any) = value, unsafe dynamic.access.store(any, at: rows.address(index, 0)) else {
                rows.slice(0..<index).destroy(0, dynamic.witnesses)
                throw DecodingFailure(
                    .unknownType, offset: place,
                    "This program has no \(found.name), or it must be registered: see `BinaryDecoder.register`.")
            }
        }
    }

    /// Reads values of one of the archive's dynamic types into existentials.
    mutating func readDynamic(number: Int, into rows: Rows, _ dynamic: DynamicPlan) throws(DecodingFailure) {
        guard let plan = try dynamicPlan(number) else { return try readUnknown(number, into: rows, dynamic) }
        let target = plan.target
        try lifting { () throws(ByteError) in
            try input.budget.take(rows.count, each: target.stride, at: input.position)
        }
        let copies = unsafe TemporaryValues(target.witnesses, count: rows.count)
        try waitingInside { reader throws(DecodingFailure) in try reader.readBatch(into: copies.rows, 0, plan) }
        copies.initialized = rows.count
        let access = makeErasedAccess(target.type)
        let mismatch = DecodingFailure(
            .typeMismatch, offset: input.position,
            "The archive holds a \(codingName(of: target.type)) where the existential doesn't take one.")
        if !waits(target) {
            for index in 0..<rows.count {
                let value = unsafe access.load(from: copies.address(index))
                if unsafe !dynamic.access.store(value, at: rows.address(index, 0)) {
                    rows.slice(0..<index).destroy(0, dynamic.witnesses)
                    throw mismatch
                }
            }
            return
        }
        // A placeholder waits with the value. Where the existential takes no Int, it is the value as it is so far.
        for index in 0..<rows.count {
            let address = unsafe rows.address(index, 0)
            if unsafe dynamic.access.store(0, at: address) { continue }
            // What is in the value so far may be no object yet.
            if foreign != nil {
                unsafe storePlaceholder(dynamic, at: address)
                continue
            }
            guard unsafe dynamic.access.store(access.load(from: copies.address(index)), at: address) else {
                rows.slice(0..<index).destroy(0, dynamic.witnesses)
                throw mismatch
            }
        }
        waiting.append {
            for index in 0..<rows.count {
                let address = unsafe rows.address(index, 0)
                let value = unsafe access.load(from: copies.address(index))
                try unsafe withScratch(for: dynamic.witnesses) { scratch -> Result<Void, DecodingFailure> in
                    guard unsafe dynamic.access.store(value, at: scratch) else { return .failure(mismatch) }
                    unsafe dynamic.witnesses.destroy(address)
                    unsafe dynamic.witnesses.move(to: address, from: scratch)
                    return .success(())
                }.get()
            }
        }
    }
}
