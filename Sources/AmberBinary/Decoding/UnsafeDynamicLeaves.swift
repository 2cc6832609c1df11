// Room:   AmberBinary / Decoding. The leaves of dynamic values: read as values of the Swift type that their kind has.
// Takes:  kinds. Gives: the values, each in an Any.
// Touches: temporaries of the leaf's type.
//
// Invariants
// 1. Temporaries count as initialised when all of their values were read.
// 2. Bytes of a plain block are copied to memory aligned for the kind before they are looked at.

internal import AmberBytes
internal import AmberModel
internal import Foundation

/// The plans of leaf types, and the ways to read them.
struct LeafPlans: Sendable {
    static let shared = LeafPlans()

    private let scalars: [ScalarKind: ReadPlan]
    let string: ReadPlan
    let data: ReadPlan
    let snapshot: ValuePlan

    private init() {
        let types: [(ScalarKind, Any.Type)] = [
            (.bool, Bool.self), (.int8, Int8.self), (.int16, Int16.self), (.int32, Int32.self), (.int64, Int.self),
            (.uint8, UInt8.self), (.uint16, UInt16.self), (.uint32, UInt32.self), (.uint64, UInt.self),
            (.int128, Int128.self), (.uint128, UInt128.self), (.float32, Float.self), (.float64, Double.self),
            (.date, Date.self), (.uuid, UUID.self), (.decimal, Decimal.self),
        ]
        func plan(_ type: Any.Type, _ action: ReadPlan.Action) -> ReadPlan {
            guard let target = try? PlanCache.shared.plan(for: type) else {
                preconditionFailure("Built-in types always have plans.")
            }
            let plan = ReadPlan(target)
            plan.resolve(action)
            return plan
        }
        scalars = Dictionary(uniqueKeysWithValues: types.map { ($0, plan($1, .scalar($0, to: $0))) })
        string = plan(String.self, .string)
        data = plan(Data.self, .data)
        snapshot = plan(CodableSnapshot.self, .pending).target
    }

    func plan(_ wire: WireType) -> ReadPlan? {
        switch wire {
        case .scalar(let kind): scalars[kind]
        case .string: string
        case .data: data
        default: nil
        }
    }
}

extension GraphReader {
    /// Reads leaves: one as a row, many as a column.
    mutating func readLeaves(_ wire: WireType, _ count: Int) throws(DecodingFailure) -> [DynamicValue] {
        guard let plan = LeafPlans.shared.plan(wire) else { throw fault(.inconsistent) }
        let copies = unsafe TemporaryValues(plan.target.witnesses, count: count)
        try readBatch(into: copies.rows, 0, plan)
        copies.initialized = count
        defer { withExtendedLifetime(copies) {} }
        return (0..<count).map { .value(unsafe plan.target.erased.load(from: copies.address($0))) }
    }

    /// Reads Codable values as what they say of themselves.
    mutating func readSnapshots(_ count: Int) throws(DecodingFailure) -> [DynamicValue] {
        let plan = LeafPlans.shared.snapshot
        guard case .codable(let access) = plan.shape else { throw fault(.inconsistent) }
        let copies = unsafe TemporaryValues(plan.witnesses, count: count)
        try readCodables(into: copies.rows, 0, access, plan)
        copies.initialized = count
        defer { withExtendedLifetime(copies) {} }
        return (0..<count).map { .value(unsafe plan.erased.load(from: copies.address($0))) }
    }

    /// The number at a place in a block of plain structs.
    func scalarValue(_ kind: ScalarKind, _ block: [UInt8], _ start: Int) -> Any {
        guard let plan = LeafPlans.shared.plan(.scalar(kind)), start + kind.size <= block.count else { return 0 }
        return unsafe withScratch(for: plan.target.witnesses) { memory in
            unsafe block.withUnsafeBytes { bytes in
                guard let base = bytes.baseAddress else { return 0 }
                unsafe memory.copyMemory(from: base + start, byteCount: kind.size)
                return unsafe plan.target.erased.load(from: memory)
            }
        }
    }

    /// Reads a block of plain structs, if the archive has one here; `nil` if columns follow.
    mutating func readPlainBlock(_ count: Int, _ size: Int) throws(DecodingFailure) -> [UInt8]? {
        try lifting { () throws(ByteError) in
            let place = input.position
            let code = try input.readByte()
            if code == PlainRows.columns { return nil }
            guard code == PlainRows.rows else { throw ByteError(.unknownCode(Int(code)), at: place) }
            let (total, overflow) = count.multipliedReportingOverflow(by: size)
            guard !overflow else { throw ByteError(.truncated(needed: Int.max), at: place) }
            return try input.readArray(total)
        }
    }

    // MARK: Values made of them

    /// Reads values of a type that takes the slow way, by name and by migration, and makes values of them.
    mutating func readMade(
        into rows: Rows, _ offset: Int, _ wire: WireType, _ target: ValuePlan, isColumn: Bool
    ) throws(DecodingFailure) {
        var values: [DynamicValue] = []
        if isColumn { values = try readDynamicColumn(wire, rows.count) } else { values = [try readDynamicRow(wire)] }
        if case .dynamic = target.shape { values = values.map { anyValue($0, wire) } }
        try make(values, into: rows, offset, target)
    }

    /// Puts values made of dynamic ones into rows. What hashes objects, or has a hook that may look at them, waits.
    mutating func make(
        _ values: [DynamicValue], into rows: Rows, _ offset: Int, _ target: ValuePlan
    ) throws(DecodingFailure) {
        var maker = valueMaker()
        let waits = waits(target)
        let hashes = waits && (target.hashesObjects || (foreign != nil && target.mayMeetForeign))
        maker.callsHooks = !waits
        for index in 0..<rows.count {
            do throws(DecodingFailure) {
                let address = unsafe rows.address(index, offset)
                if hashes {
                    try unsafe storePlaceholder(target, at: address)
                } else {
                    let made = try maker.make(values[index], target)
                    guard unsafe target.erased.store(made, at: address) else {
                        throw DecodingFailure(.typeMismatch, "A \(codingName(of: target.type)) was expected.")
                    }
                }
            } catch {
                rows.slice(0..<index).destroy(offset, target.witnesses)
                throw rows.count == 1 ? error : error.within(.index(index))
            }
        }
        guard waits else { return }
        maker.callsHooks = true
        waiting.append { [maker] in
            for index in 0..<rows.count {
                let made = try maker.make(values[index], target)
                let address = unsafe rows.address(index, offset)
                unsafe target.witnesses.destroy(address)
                guard unsafe target.erased.store(made, at: address) else {
                    preconditionFailure("A value of the type was made.")
                }
            }
        }
    }

    /// A value that can be destroyed, until the real one can be made.
    private func storePlaceholder(_ target: ValuePlan, at address: UnsafeMutableRawPointer) throws(DecodingFailure) {
        switch target.shape {
        case .collection: unsafe address.storeBytes(of: 0, as: UInt.self)
        case .optional: unsafe target.witnesses.storeNil(at: address)
        case .array(let array): unsafe _ = array.storage.makeArray(at: address, count: 0)
        case .dynamic(let dynamic): unsafe storePlaceholder(dynamic, at: address)
        case .structure(let structure) where unsafe structure.model?.makeValue(at: address) == true: break
        default:
            throw DecodingFailure(
                .unsupportedType,
                "\(codingName(of: target.type)) holds a set or dictionary of objects and can't be migrated. Give it an `init()`, "
                    + "or make it a class.")
        }
    }

    /// Makes values whose references are the objects of this archive.
    func valueMaker() -> ValueMaker {
        let (found, foreign) = (pools, foreign)
        var maker = ValueMaker { (reference, base) throws(DecodingFailure) in
            if reference.object != nil { return try ValueMaker.wholeObject(reference, base) }
            var pools = found
            if let foreign, pools.isForeign(UInt64(reference.number)) { return try foreign.object(reference, as: base) }
            guard let base else {
                guard let object = pools.whole(reference.number) else {
                    throw DecodingFailure(.corrupt, "The archive refers to an object that is not there.")
                }
                return object
            }
            guard let address = unsafe pools.object(UInt64(reference.number), of: base) else {
                throw Self.wrongObject(base, pools.unknownClass(of: reference.number), nil)
            }
            return unsafe object(at: address)
        }
        maker.readsNewer = options.newerModels == .readKnownProperties
        maker.depthLimit = limits.depth
        return maker
    }
}
