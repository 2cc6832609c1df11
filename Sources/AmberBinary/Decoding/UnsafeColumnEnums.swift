// Room:   AmberBinary / Decoding. Columns of enums.
// Takes:  rows of uninitialised memory and the way of the cases. Gives: values in all of them, or an error.
// Touches: the rows; ByteReader; the encodings of Columns.
//
// Invariants: those of UnsafeColumnReader.

internal import AmberBytes
internal import AmberModel

extension GraphReader {
    mutating func readEnums(
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

    mutating func readBoxes(into rows: Rows, _ payload: ReadPlan) throws(DecodingFailure) {
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
