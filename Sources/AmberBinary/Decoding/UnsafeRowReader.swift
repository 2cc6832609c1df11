// Room:   AmberBinary / Decoding. Few values of a type, one after the other.
// Takes:  uninitialised memory and a read plan. Gives: a value in it, or an error and memory as before.
// Touches: the memory given; ByteReader.
//
// Invariants
// 1. Memory given is uninitialised, with room for the plan's type. A function that returns has initialised it; one that
//    throws has left nothing initialised in it.

internal import AmberBytes
internal import AmberModel
internal import Foundation

extension GraphReader {
    /// Reads one value as a row.
    mutating func readRow(into address: UnsafeMutableRawPointer, _ plan: ReadPlan) throws(DecodingFailure) {
        switch plan.action {
        case .scalar(let from, let to): try unsafe readScalar(into: address, from, to)
        case .string: try unsafe readString(into: address)
        case .data: try unsafe readData(into: address)
        case .reference(let reference, let isOptional):
            let object = try unsafe readReference(reference, isOptional)
            unsafe storeReference(object, at: address, .strong)
        default:
            try descend()
            defer { depth -= 1 }
            try unsafe readNested(into: address, plan)
        }
    }

    private mutating func readString(into address: UnsafeMutableRawPointer) throws(DecodingFailure) {
        let string = try readRowString()
        unsafe address.initializeMemory(as: String.self, to: string)
    }

    private mutating func readData(into address: UnsafeMutableRawPointer) throws(DecodingFailure) {
        let data = try lifting { () throws(ByteError) in
            let size = try input.readCount()
            return try unsafe Data(input.readBytes(size))
        }
        unsafe address.initializeMemory(as: Data.self, to: data)
    }

    /// Reads the properties of the one row of `rows`.
    ///
    /// `completes` says whether properties that the archive doesn't have must be filled too.
    mutating func readRowFields(
        into rows: Rows, _ offset: Int, _ fields: FieldsPlan, completes: Bool, structure: ValuePlan? = nil
    ) throws(DecodingFailure) {
        let base = unsafe rows.address(0, offset)
        if let flat = fields.flat, flat.isReady {
            try unsafe readFlat(into: base, flat)
            guard completes, !fields.unfilled.isEmpty else { return }
            do throws(DecodingFailure) {
                try complete(rows, offset, fields, structure)
            } catch {
                fields.destroyFilled(rows, offset)
                throw error
            }
            return
        }
        var done = 0
        do throws(DecodingFailure) {
            for step in fields.steps {
                do throws(DecodingFailure) {
                    if let destination = step.destination {
                        let address = unsafe base + destination.offset
                        if destination.ownership.isStrong {
                            try unsafe readRow(into: address, destination.plan)
                        } else if case .reference(let reference, let isOptional) = destination.plan.action {
                            let object = try unsafe readReference(reference, isOptional)
                            unsafe storeReference(object, at: address, destination.ownership)
                            unsafe unowned.note(object, destination.ownership)
                        }
                    } else {
                        try skipRow(step.wire)
                    }
                } catch {
                    throw error.within(.property(step.name))
                }
                done += 1
            }
            if completes { try complete(rows, offset, fields, structure) }
        } catch {
            fields.destroyFilled(rows, offset, steps: done)
            throw error
        }
    }

    /// Reads properties by their flat plan.
    mutating func readFlat(
        into base: UnsafeMutableRawPointer, _ flat: FlatReadPlan
    ) throws(DecodingFailure) {
        let steps = unsafe UnsafeSteps(flat.steps)
        var index = 0
        do throws(DecodingFailure) {
            while let step = steps[index] {
                let address = unsafe base + Int(step.offset)
                switch step.code {
                case .reference, .other: try unsafe readOther(into: address, flat.fields[Int(step.field)].destination)
                default:
                    do throws(ByteError) {
                        try unsafe LeafRows.read(into: address, step.code, from: &input, &strings)
                    } catch {
                        throw DecodingFailure(error)
                    }
                }
                index &+= 1
            }
        } catch {
            for step in flat.steps[..<index] where step.code == .string || step.code == .other {
                unsafe flat.fields[Int(step.field)].destination.destroy(base + Int(step.offset))
            }
            throw flat.fields[index].path.reversed().reduce(error) { $0.within(.property($1)) }
        }
    }

    private mutating func readOther(
        into address: UnsafeMutableRawPointer, _ destination: FieldsPlan.Destination
    ) throws(DecodingFailure) {
        if destination.ownership.isStrong { return try unsafe readRow(into: address, destination.plan) }
        guard case .reference(let reference, let isOptional) = destination.plan.action else { return }
        let object = try unsafe readReference(reference, isOptional)
        unsafe storeReference(object, at: address, destination.ownership)
        unsafe unowned.note(object, destination.ownership)
    }

    func unknownCase(_ item: CasesPlan.Case, _ cases: CasesPlan) -> DecodingFailure {
        DecodingFailure(
            .unknownCase, offset: input.position,
            "The archive holds the case `\(item.name)`, which \(cases.typeName) doesn't have. Add it, or read the "
                + "archive with a program that has it.")
    }

    func missingValue() -> DecodingFailure {
        DecodingFailure(
            .missingValue, offset: input.position,
            "The archive holds nil where a value is expected. Make the property an Optional.")
    }

    /// Reads the number of an object and gives the object.
    mutating func readReference(
        _ reference: ReferencePlan, _ isOptional: Bool
    ) throws(DecodingFailure) -> ObjectAddress? {
        let number = try lifting { () throws(ByteError) in try input.readVarint() }
        if number == 0 {
            guard isOptional else { throw missingValue() }
            return nil
        }
        guard let object = unsafe pools.object(number, of: reference.base) else {
            throw wrongObject(reference.base, number)
        }
        return unsafe object
    }

    func wrongObject(_ base: AnyClass, _ number: UInt64) -> DecodingFailure {
        Self.wrongObject(base, pools.unknownClass(of: Int(clamping: number)), input.position)
    }

    /// What is wrong with an object that a property doesn't take.
    static func wrongObject(_ base: AnyClass, _ unknown: String?, _ place: Int?) -> DecodingFailure {
        if let unknown {
            return DecodingFailure(
                .unknownType, offset: place,
                "The archive holds objects of class \(unknown), which this program doesn't have. If it was renamed, give the "
                    + "class the old name: `ModelRules(formerNames: [\"\(unknown)\"])`, and use it once before decoding, "
                    + "for example by `BinaryDecoder.register`.")
        }
        return DecodingFailure(
            .typeMismatch, offset: place,
            "The archive refers to an object that is not there, or not a \(codingName(of: base)).")
    }

    /// Reads how many elements follow, each of which takes `size` bytes of memory.
    mutating func readCount(each size: Int) throws(DecodingFailure) -> Int {
        try lifting { () throws(ByteError) in
            let start = input.position
            let count = try input.readCount()
            try input.budget.take(count, each: size, at: start)
            return count
        }
    }

    /// Reads a string, or the number of an earlier one.
    mutating func readRowString() throws(DecodingFailure) -> String {
        try lifting { () throws(ByteError) in try LeafRows.readString(from: &input, &strings) }
    }

    private mutating func readScalar(
        into address: UnsafeMutableRawPointer, _ kind: ScalarKind, _ target: ScalarKind
    ) throws(DecodingFailure) {
        if kind != target {
            let number = try lifting { () throws(ByteError) in try readNumber(kind) }
            guard unsafe number.store(as: target, at: address) else { throw doesNotFit(number, target) }
            return
        }
        try lifting { () throws(ByteError) in
            try unsafe LeafRows.readNumber(into: address, FlatCode(kind), from: &input)
        }
    }

    private mutating func readNumber(_ kind: ScalarKind) throws(ByteError) -> ArchivedNumber {
        switch kind {
        case .bool, .uint8: return .unsigned(UInt128(try input.readByte()))
        case .int8: return .signed(Int128(Int8(bitPattern: try input.readByte())))
        case .int16, .int32, .int64: return .signed(Int128(try input.readZigzag()))
        case .uint16, .uint32, .uint64: return .unsigned(UInt128(try input.readVarint()))
        case .int128: return .signed(Int128(truncatingIfNeeded: try input.read(UInt128.self)))
        case .uint128: return .unsigned(try input.read(UInt128.self))
        case .float32: return .float(Float(bitPattern: try input.read(UInt32.self)))
        case .float64: return .double(Double(bitPattern: try input.read(UInt64.self)))
        case .date, .uuid, .decimal: throw ByteError(.inconsistent, at: input.position)
        }
    }

    func doesNotFit(_ number: ArchivedNumber, _ target: ScalarKind) -> DecodingFailure {
        DecodingFailure(
            .doesNotFit, offset: input.position,
            "\(number) does not fit in \(target.swiftName). Widen the property, or give it the archive's type.")
    }
}
