// Room:   AmberBinary / Parts. Down a path of names, through rows and through columns.
// Takes:  the type of what the reader stands at, and the rest of the path. Gives: the values at its end to PartValues.
// Touches: GraphReader.

internal import AmberBytes
internal import AmberModel

extension GraphReader {
    /// Follows a path through one value. After the last one, the reader may be anywhere.
    mutating func visitRow(
        _ wire: WireType, _ path: ArraySlice<[String]>, _ values: PartValues, _ isLast: Bool
    ) throws(DecodingFailure) {
        if path.isEmpty { return try readRowPart(wire, values) }
        try descend()
        defer { depth -= 1 }
        switch wire {
        case .array(let element), .set(let element):
            let count = try readCount(each: leastMemory(element))
            try visitBatch(element, count, path, 0..<count, values, isLast)
        case .optional(let payload):
            let place = input.position
            switch try lifting({ () throws(ByteError) in try input.readByte() }) {
            case 0: return
            case 1: try visitRow(payload, path, values, isLast)
            case let other: throw DecodingFailure(ByteError(.unknownCode(Int(other)), at: place))
            }
        default:
            let (members, name) = try members(of: wire, path)
            let index = try member(path, members, name)
            try visitMembers(members, index, isLast) { reader, member, isWanted throws(DecodingFailure) in
                if isWanted {
                    try reader.visitRow(member.type, path.dropFirst(), values, isLast)
                } else {
                    try reader.skipRow(member.type)
                }
            }
        }
    }

    /// Follows a path through a column of values, of which some are wanted.
    mutating func visitColumn(
        _ wire: WireType, _ count: Int, _ path: ArraySlice<[String]>, _ selection: Range<Int>, _ values: PartValues,
        _ isLast: Bool
    ) throws(DecodingFailure) {
        if path.isEmpty || plainSizes.size(ofStructure: wire) != nil {
            return try readColumnPart(wire, count, path, selection, values)
        }
        try descend()
        defer { depth -= 1 }
        switch wire {
        case .array(let element), .set(let element):
            let counts = try readCounts(count, each: leastMemory(element), plus: MemoryLayout<UInt64>.size)
            let start = Int(counts[..<selection.lowerBound].reduce(0, +))
            let end = start + Int(counts[selection].reduce(0, +))
            try visitBatch(element, Int(counts.reduce(0, +)), path, start..<end, values, isLast)
        case .optional(let payload):
            let present = try readPresence(count)
            let start = scratch.u8[..<selection.lowerBound].reduce(0) { $0 + Int($1) }
            let end = start + scratch.u8[selection].reduce(0) { $0 + Int($1) }
            try visitBatch(payload, present, path, start..<end, values, isLast)
        default:
            let (members, name) = try members(of: wire, path)
            let index = try member(path, members, name)
            try visitMembers(members, index, isLast) { reader, member, isWanted throws(DecodingFailure) in
                if isWanted {
                    try reader.visitColumn(member.type, count, path.dropFirst(), selection, values, isLast)
                } else {
                    try reader.skipColumns(member.type, count: count)
                }
            }
        }
    }

    /// Reads which of the values of a column are there, 1 or 0 in `scratch.u8`, and counts them.
    private mutating func readPresence(_ count: Int) throws(DecodingFailure) -> Int {
        scratch.u8.resize(to: count)
        try lifting { () throws(ByteError) in try IntegerColumn.read(into: &scratch.u8, signed: false, from: &input) }
        guard scratch.u8.allSatisfy({ $0 <= 1 }) else { throw fault(.inconsistent) }
        return scratch.u8.reduce(0) { $0 + Int($1) }
    }

    private mutating func visitBatch(
        _ wire: WireType, _ count: Int, _ path: ArraySlice<[String]>, _ selection: Range<Int>, _ values: PartValues,
        _ isLast: Bool
    ) throws(DecodingFailure) {
        if count >= version.rowLimit {
            return try visitColumn(wire, count, path, selection, values, isLast)
        }
        for index in 0..<count {
            if selection.contains(index) {
                try visitRow(wire, path, values, isLast && index == count - 1)
            } else {
                try skipRow(wire)
            }
        }
    }

    /// Calls `body` for each property up to the wanted one, and for those behind it if something follows.
    mutating func visitMembers(
        _ members: [WireType.Member], _ wanted: Int, _ isLast: Bool,
        _ body: (inout GraphReader, WireType.Member, _ isWanted: Bool) throws(DecodingFailure) -> Void
    ) throws(DecodingFailure) {
        for (index, member) in members.enumerated() {
            do throws(DecodingFailure) {
                try body(&self, member, index == wanted)
            } catch {
                throw error.within(.property(member.name))
            }
            if isLast, index == wanted { return }
        }
    }

    /// The place of the property that a path goes on with.
    func member(
        _ path: ArraySlice<[String]>, _ members: [WireType.Member], _ typeName: String
    ) throws(DecodingFailure) -> Int {
        let names = path.first ?? []
        for name in names {
            if let index = members.firstIndex(where: { $0.name == name }) { return index }
        }
        throw DecodingFailure(
            .missingValue,
            "\(typeName) has no property `\(names.first ?? "")` in the archive; it has "
                + members.map { "`\($0.name)`" }.joined(separator: ", ") + ".")
    }

    private func members(
        of wire: WireType, _ path: ArraySlice<[String]>
    ) throws(DecodingFailure) -> (members: [WireType.Member], typeName: String) {
        switch wire {
        case .named(let number) where number < definitions.count && definitions[number].kind == .structure:
            return (definitions[number].members, definitions[number].name)
        case .tuple(let members): return (members, "The tuple")
        default: break
        }
        let reason =
            wire == .reference
            ? "A path doesn't go through references. Read the column of the object's class."
            : "A path goes through structs, tuples, arrays, sets and Optionals only."
        throw DecodingFailure(.typeMismatch, "There is no property `\(path.first?.first ?? "")` here. " + reason)
    }

    // MARK: The end of the path

    private mutating func readRowPart(_ wire: WireType, _ values: PartValues) throws(DecodingFailure) {
        let plan = try plan(for: wire, [], values)
        try pay(1, values)
        try values.append(1, keeping: 0..<1) { rows throws(DecodingFailure) in try readBatch(into: rows, 0, plan) }
    }

    private mutating func readColumnPart(
        _ wire: WireType, _ count: Int, _ path: ArraySlice<[String]>, _ selection: Range<Int>, _ values: PartValues
    ) throws(DecodingFailure) {
        let plan = try plan(for: wire, path, values)
        try pay(count, values)
        try values.append(count, keeping: selection) { rows throws(DecodingFailure) in
            try readColumns(into: rows, 0, plan)
        }
    }

    private mutating func pay(_ count: Int, _ values: PartValues) throws(DecodingFailure) {
        try lifting { () throws(ByteError) in
            try input.budget.take(count, each: values.plan.stride, at: input.position)
        }
    }

    private mutating func plan(
        for wire: WireType, _ path: ArraySlice<[String]>, _ values: PartValues
    ) throws(DecodingFailure) -> ReadPlan {
        if path.isEmpty, let known = values.lastPlan, known.wire == wire { return known.plan }
        var matcher = SchemaMatcher(definitions, readsNewer: options.newerModels == .readKnownProperties)
        defer { ownPlans += matcher.named }
        let plan = try plan(for: wire, path, values, &matcher)
        if path.isEmpty { values.lastPlan = (wire, plan) }
        return plan
    }

    /// The way to what a path leads to in a struct of numbers, which may stand in the archive as it lies in memory.
    private func plan(
        for wire: WireType, _ path: ArraySlice<[String]>, _ values: PartValues, _ matcher: inout SchemaMatcher
    ) throws(DecodingFailure) -> ReadPlan {
        if path.isEmpty { return try matcher.match(wire, values.plan) }
        let (members, name) = try members(of: wire, path)
        let index = try member(path, members, name)
        let inner = try plan(for: members[index].type, path.dropFirst(), values, &matcher)
        var steps = members.map { FieldsPlan.Step(wire: $0.type, destination: nil, name: $0.name) }
        steps[index].destination = .init(offset: 0, ownership: .strong, plan: inner)
        let plan = ReadPlan(values.plan)
        plan.resolve(
            .extract(
                FieldsPlan(
                    typeName: name, steps: steps, unfilled: [], model: nil, plainWireSize: matcher.plainSize(wire),
                    isPlainCopy: false)))
        return plan
    }
}
