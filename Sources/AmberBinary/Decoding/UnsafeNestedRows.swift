// Room:   AmberBinary / Decoding. Values that are made of others, as rows.
// Takes:  uninitialised memory and a read plan. Gives: a value in it, or an error and memory as before.
// Touches: the memory given; ByteReader.
//
// Values nest, so that these functions are on the stack once for each level: each kind has a function of its own, for a
// frame has room for everything in its function, whether that is run or not.
//
// Invariants
// 1. Memory given is uninitialised, with room for the plan's type. A function that returns has initialised it; one that
//    throws has left nothing initialised in it.
// 2. An array counts its elements when all are initialised, not before.

internal import AmberBytes
internal import AmberModel

extension GraphReader {
    /// Reads one value that is made of others.
    mutating func readNested(into address: UnsafeMutableRawPointer, _ plan: ReadPlan) throws(DecodingFailure) {
        switch plan.action {
        case .optional(let payload, let optional): try unsafe readOptional(into: address, payload, optional)
        case .wrapped(let payload, let optional):
            try unsafe readRow(into: address, payload)
            unsafe optional.payload.witnesses.storeOptionalTag(0, address)
        case .unwrapped(let payload):
            guard try lifting({ () throws(ByteError) in try input.readByte() }) == 1 else { throw missingValue() }
            try unsafe readRow(into: address, payload)
        case .structure(let fields, _): try unsafe readStructure(into: address, fields, plan.target)
        case .array(let element, let array): try unsafe readArray(into: address, element, array, plan.target)
        case .enumeration(let cases): try unsafe readEnum(into: address, cases, plan.target)
        default: try readOtherNested(into: unsafe Rows(base: address, stride: 0, count: 1), plan)
        }
    }

    private mutating func readOtherNested(into row: Rows, _ plan: ReadPlan) throws(DecodingFailure) {
        switch plan.action {
        case .collection(let key, let value, let collection):
            let count = try readCount(each: collection.charge)
            try readCollections(into: row, 0, [UInt64(count)], key, value, collection)
        case .dynamic(let dynamic):
            let type = try lifting { () throws(ByteError) in try input.readCount() }
            if type == 0 {
                let number = try lifting { () throws(ByteError) in try input.readVarint() }
                try storeDynamic(references: [number], into: row, 0, dynamic)
            } else {
                try readDynamic(number: type - 1, into: row, dynamic)
            }
        case .codable(let access): try readCodables(into: row, 0, access, plan.target)
        case .made(let wire): try readMade(into: row, 0, wire, plan.target, isColumn: false)
        case .bridged(let surrogate, let bridged):
            let copy = unsafe TemporaryValues(bridged.surrogate.witnesses, count: 1)
            try unsafe readRow(into: copy.base, surrogate)
            copy.initialized = 1
            try bridge(copy, into: row, 0, bridged, plan.target)
        default: preconditionFailure("A read plan is used before it is made.")
        }
    }

    private mutating func readOptional(
        into address: UnsafeMutableRawPointer, _ payload: ReadPlan, _ optional: OptionalPlan
    ) throws(DecodingFailure) {
        if try readPresence() {
            try unsafe readRow(into: address, payload)
            unsafe optional.payload.witnesses.storeOptionalTag(0, address)
        } else {
            unsafe optional.payload.witnesses.storeOptionalTag(1, address)
        }
    }

    private mutating func readPresence() throws(DecodingFailure) -> Bool {
        let place = input.position
        switch try lifting({ () throws(ByteError) in try input.readByte() }) {
        case 0: return false
        case 1: return true
        case let other: throw DecodingFailure(ByteError(.unknownCode(Int(other)), at: place))
        }
    }

    private mutating func readStructure(
        into address: UnsafeMutableRawPointer, _ fields: FieldsPlan, _ target: ValuePlan
    ) throws(DecodingFailure) {
        let row = unsafe Rows(base: address, stride: 0, count: 1)
        try readRowFields(into: row, 0, fields, completes: true, structure: target)
        do throws(DecodingFailure) {
            try callHooks(row, 0, fields, target)
        } catch {
            unsafe target.witnesses.destroy(address)
            throw error
        }
    }

    private mutating func readArray(
        into address: UnsafeMutableRawPointer, _ element: ReadPlan, _ array: ArrayPlan, _ target: ValuePlan
    ) throws(DecodingFailure) {
        let count = try readCount(each: array.element.stride)
        let base = unsafe array.storage.makeArray(at: address, count: count)
        do throws(DecodingFailure) {
            try unsafe readBatch(into: Rows(base: base, stride: array.element.stride, count: count), 0, element)
        } catch {
            unsafe target.witnesses.destroy(address)
            throw error
        }
        unsafe array.storage.setCount(count, at: address)
    }

    // MARK: Enums

    private mutating func readEnum(
        into address: UnsafeMutableRawPointer, _ cases: CasesPlan, _ target: ValuePlan
    ) throws(DecodingFailure) {
        let number = try readCase(of: cases)
        guard let payload = cases.payload(number) else { return unsafe cases.inject(number, target, address) }
        if cases.isIndirect(number) {
            try unsafe readBox(into: address, payload, cases, number)
            return unsafe cases.inject(number, target, address)
        }
        let waits = waits(payload.target)
        if waits { unsafe waitForProjection(address, target) }
        waitDepth += 1
        do throws(DecodingFailure) {
            try unsafe readRow(into: address, payload)
        } catch {
            waitDepth -= 1
            throw error.within(.property(cases.name(number)))
        }
        waitDepth -= 1
        unsafe cases.inject(number, target, address)
        if waits { unsafe waitForInjection(address, cases, number, target) }
    }

    /// Reads which case a value has; this program has it too.
    private mutating func readCase(of cases: CasesPlan) throws(DecodingFailure) -> Int {
        let number = try lifting { () throws(ByteError) in try input.readCount() }
        guard number < cases.cases.count else { throw fault(.inconsistent) }
        guard cases.cases[number].tag != nil else { throw unknownCase(cases.cases[number], cases) }
        return number
    }

    private mutating func readBox(
        into address: UnsafeMutableRawPointer, _ payload: ReadPlan, _ cases: CasesPlan, _ number: Int
    ) throws(DecodingFailure) {
        let box = unsafe makeBox(for: payload.target.type)
        do throws(DecodingFailure) {
            try unsafe readRow(into: box.value, payload)
        } catch {
            unsafe discardBox(box.object)
            throw error.within(.property(cases.name(number)))
        }
        unsafe address.storeBytes(of: box.object, as: UnsafeMutableRawPointer.self)
    }

    private mutating func waitForProjection(_ address: UnsafeMutableRawPointer, _ target: ValuePlan) {
        waiting.append(projection(unsafe Rows(base: address, stride: 0, count: 1), target.witnesses))
    }

    private mutating func waitForInjection(
        _ address: UnsafeMutableRawPointer, _ cases: CasesPlan, _ number: Int, _ target: ValuePlan
    ) {
        guard let tag = cases.cases[number].tag else { return }
        waiting.append(injection(unsafe Rows(base: address, stride: 0, count: 1), tag, target.witnesses))
    }
}

extension CasesPlan {
    fileprivate func name(_ number: Int) -> String { cases[number].name }
    fileprivate func payload(_ number: Int) -> ReadPlan? { cases[number].payload }
    fileprivate func isIndirect(_ number: Int) -> Bool { cases[number].isIndirect }

    /// Makes an enum value of the payload at an address.
    fileprivate func inject(_ number: Int, _ target: ValuePlan, _ address: UnsafeMutableRawPointer) {
        guard let tag = cases[number].tag, target.witnesses.hasEnumWitnesses else { return }
        unsafe target.witnesses.injectEnum(tag, address)
    }
}
