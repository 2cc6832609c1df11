// Room:   AmberBinary / Decoding. Values that nobody wants: read as their types say, and dropped.
// Takes:  a wire type. Gives: the reader's place after a value, or a column, of that type.
// Touches: ByteReader; strings, which later ones may refer to.

internal import AmberBytes
internal import AmberModel

extension GraphReader {
    /// Passes over values that were written as a batch.
    mutating func skipBatch(_ wire: WireType, count: Int) throws(DecodingFailure) {
        guard count < version.rowLimit else { return try skipColumns(wire, count: count) }
        for _ in 0..<count { try skipRow(wire) }
    }

    /// Passes over one value.
    mutating func skipRow(_ wire: WireType) throws(DecodingFailure) {
        switch wire {
        case .scalar(let kind):
            return try lifting { () throws(ByteError) in
                if kind.isInteger, kind.size > 1 { _ = try input.readVarint() } else { try input.skip(kind.size) }
            }
        case .string:
            _ = try readRowString()
            return
        case .data: return try lifting { () throws(ByteError) in try input.skip(try input.readCount()) }
        case .reference: return try lifting { () throws(ByteError) in _ = try input.readVarint() }
        default: break
        }
        try descend()
        defer { depth -= 1 }
        try payForSkipping()
        switch wire {
        case .optional(let payload):
            let place = input.position
            switch try lifting({ () throws(ByteError) in try input.readByte() }) {
            case 0: return
            case 1: try skipRow(payload)
            case let other: throw DecodingFailure(ByteError(.unknownCode(Int(other)), at: place))
            }
        case .array(let element), .set(let element):
            try skipBatch(element, count: try readCount(each: leastMemory(element)))
        case .dictionary(let key, let value):
            let count = try readCount(each: leastMemory(key) + leastMemory(value))
            try skipBatch(key, count: count)
            try skipBatch(value, count: count)
        case .tuple(let members): for member in members { try skipRow(member.type) }
        case .named(let number):
            let definition = try definition(number)
            if definition.kind == .enumeration {
                let tag = try lifting { () throws(ByteError) in try input.readCount() }
                guard tag < definition.cases.count else { throw fault(.inconsistent) }
                if let payload = definition.cases[tag].payload { try skipRow(payload) }
            } else {
                for member in definition.members { try skipRow(member.type) }
            }
        case .dynamic:
            let type = try lifting { () throws(ByteError) in try input.readCount() }
            if type == 0 { return try skipRow(.reference) }
            guard type <= dynamicTypes.count else { throw fault(.inconsistent) }
            try skipRow(dynamicTypes[type - 1].wire)
        case .codable: try skipCodables(1)
        default: return
        }
    }

    /// Passes over a column of values.
    mutating func skipColumns(_ wire: WireType, count: Int) throws(DecodingFailure) {
        switch wire {
        case .scalar, .string, .data, .reference:
            return try lifting { () throws(ByteError) in
                if checksSkipped { try skipLeaves(wire, count) } else { try passLeaves(wire, count) }
            }
        default: break
        }
        try descend()
        defer { depth -= 1 }
        try payForSkipping()
        switch wire {
        case .optional(let payload): try skipBatch(payload, count: try skipTally(count, of: 2)[1])
        case .array(let element), .set(let element):
            try skipBatch(
                element, count: Int(try readCounts(count, each: leastMemory(element), plus: 0).reduce(0, +)))
        case .dictionary(let key, let value):
            let total = Int(try readCounts(count, each: leastMemory(key) + leastMemory(value), plus: 0).reduce(0, +))
            try skipBatch(key, count: total)
            try skipBatch(value, count: total)
        case .tuple(let members): try skipMembers(members, wire, count: count)
        case .named(let number):
            let definition = try definition(number)
            guard definition.kind == .enumeration else {
                return try skipMembers(definition.members, wire, count: count)
            }
            let tally = try skipTally(count, of: definition.cases.count)
            for (item, uses) in zip(definition.cases, tally) {
                if let payload = item.payload, uses > 0 { try skipBatch(payload, count: uses) }
            }
        case .dynamic:
            let tally = try readTally(count, of: dynamicTypes.count + 1)
            if tally[0] > 0 { try skipColumns(.reference, count: tally[0]) }
            for (type, uses) in zip(dynamicTypes, tally.dropFirst()) where uses > 0 {
                try skipBatch(type.wire, count: uses)
            }
        case .codable: try skipCodables(count)
        default: return
        }
    }

    /// Reads and drops a column of leaves, so that damage in it is noticed.
    private mutating func skipLeaves(_ wire: WireType, _ count: Int) throws(ByteError) {
        switch wire {
        case .scalar(let kind) where !kind.isInteger:
            _ = try RawColumn.read(count: count, size: kind.size, &scratch.u64, from: &input)
        case .string: try StringColumn.skip(count, &scratch.u64, from: &input)
        case .data: try StringColumn.passBlocks(count, &scratch.u64, from: &input)
        case .scalar(let kind) where kind.size == 1:
            scratch.u8.resize(to: count)
            try IntegerColumn.read(into: &scratch.u8, signed: kind.isSigned, from: &input)
        case .scalar(let kind) where kind.size == 2:
            scratch.u16.resize(to: count)
            try IntegerColumn.read(into: &scratch.u16, signed: kind.isSigned, from: &input)
        case .scalar(let kind) where kind.size == 4:
            scratch.u32.resize(to: count)
            try IntegerColumn.read(into: &scratch.u32, signed: kind.isSigned, from: &input)
        default:
            scratch.u64.resize(to: count)
            try IntegerColumn.read(into: &scratch.u64, signed: false, from: &input)
        }
    }

    /// Goes to the end of a column of leaves.
    private mutating func passLeaves(_ wire: WireType, _ count: Int) throws(ByteError) {
        switch wire {
        case .scalar(let kind) where !kind.isInteger: try RawColumn.pass(count, size: kind.size, from: &input)
        case .string: try StringColumn.pass(count, &scratch.u64, from: &input)
        case .data: try StringColumn.passBlocks(count, &scratch.u64, from: &input)
        default: try IntegerColumn.pass(count, from: &input)
        }
    }

    private mutating func skipMembers(
        _ members: [WireType.Member], _ wire: WireType, count: Int
    ) throws(DecodingFailure) {
        if let size = plainSizes.size(ofStructure: wire) {
            let isBlock = try lifting { () throws(ByteError) in
                let place = input.position
                let code = try input.readByte()
                guard code <= PlainRows.rows else { throw ByteError(.unknownCode(Int(code)), at: place) }
                return code == PlainRows.rows
            }
            if isBlock {
                let (bytes, overflow) = size.multipliedReportingOverflow(by: count)
                guard !overflow else { throw fault(.truncated(needed: Int.max)) }
                return try lifting { () throws(ByteError) in try input.skip(bytes) }
            }
        }
        for member in members { try skipColumns(member.type, count: count) }
    }

    private mutating func skipIntegers(_ count: Int) throws(DecodingFailure) {
        scratch.u64.resize(to: count)
        try lifting { () throws(ByteError) in try IntegerColumn.read(into: &scratch.u64, signed: false, from: &input) }
    }

    /// Counts how often each number of a column occurs, in a byte for each where that will do.
    private mutating func skipTally(_ count: Int, of choices: Int) throws(DecodingFailure) -> [Int] {
        if choices > 1 << 16 { return try readTally(count, of: choices) }
        if choices > 1 << 8 {
            scratch.u16.resize(to: count)
            try lifting { () throws(ByteError) in
                try IntegerColumn.read(into: &scratch.u16, signed: false, from: &input)
            }
            return try tally(scratch.u16, of: choices)
        }
        scratch.u8.resize(to: count)
        try lifting { () throws(ByteError) in try IntegerColumn.read(into: &scratch.u8, signed: false, from: &input) }
        return try tally(scratch.u8, of: choices)
    }

    /// Reads a column of small numbers, which stay in `scratch.u64`, and counts how often each occurs.
    mutating func readTally(_ count: Int, of choices: Int) throws(DecodingFailure) -> [Int] {
        try skipIntegers(count)
        return try tally(scratch.u64, of: choices)
    }

    private func tally<T: Bits>(_ numbers: [T], of choices: Int) throws(DecodingFailure) -> [Int] {
        var tally = [Int](repeating: 0, count: choices)
        for number in numbers {
            guard UInt64(number) < UInt64(choices) else { throw fault(.inconsistent) }
            tally[Int(number)] += 1
        }
        return tally
    }

    /// Bytes that a value takes at least in the memory of the writer, which has paid for them.
    mutating func leastMemory(_ wire: WireType) -> Int { plainSizes.leastMemory(wire) }

    private func definition(_ number: Int) throws(DecodingFailure) -> Definition {
        guard number < definitions.count, definitions[number].kind != .object else { throw fault(.inconsistent) }
        return definitions[number]
    }

    /// Types can be nested so that a few bytes stand for endless values of no size; each step has a price.
    private mutating func payForSkipping() throws(DecodingFailure) {
        try lifting { () throws(ByteError) in try input.budget.take(1, each: 16, at: input.position) }
    }
}
