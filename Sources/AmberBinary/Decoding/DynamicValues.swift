// Room:   AmberBinary / Decoding. Values read as their archive says they are, without a Swift type.
// Takes:  wire types. Gives: dynamic values; references that are followed when the whole archive is read.
// Touches: ByteReader; strings, which later ones may refer to.

internal import AmberBytes
internal import AmberModel

extension GraphReader {
    /// Memory that each dynamic value takes.
    private static var valueCharge: Int { MemoryLayout<DynamicValue>.stride }

    private mutating func pay(_ count: Int) throws(DecodingFailure) {
        try lifting { () throws(ByteError) in
            try input.budget.take(count, each: Self.valueCharge, at: input.position)
        }
    }

    /// Reads values that were written as a batch.
    mutating func readDynamicBatch(_ wire: WireType, _ count: Int) throws(DecodingFailure) -> [DynamicValue] {
        guard count < version.rowLimit else { return try readDynamicColumn(wire, count) }
        var values: [DynamicValue] = []
        for index in 0..<count {
            do throws(DecodingFailure) { values.append(try readDynamicRow(wire)) } catch {
                throw count == 1 ? error : error.within(.index(index))
            }
        }
        return values
    }

    /// Reads one value.
    mutating func readDynamicRow(_ wire: WireType) throws(DecodingFailure) -> DynamicValue {
        try pay(1)
        switch wire {
        case .scalar, .string, .data: return try readLeaves(wire, 1)[0]
        case .reference: return try reference(try lifting { () throws(ByteError) in try input.readVarint() })
        default: break
        }
        try descend()
        defer { depth -= 1 }
        switch wire {
        case .optional(let payload):
            let place = input.position
            switch try lifting({ () throws(ByteError) in try input.readByte() }) {
            case 0: return .null
            case 1: return payload.wrapping(try readDynamicRow(payload))
            case let other: throw DecodingFailure(ByteError(.unknownCode(Int(other)), at: place))
            }
        case .array(let element), .set(let element):
            return .array(try readDynamicBatch(element, try readCount(each: Self.valueCharge)))
        case .dictionary(let key, let value):
            let count = try readCount(each: Self.valueCharge * 2)
            let keys = try readDynamicBatch(key, count)
            return .dictionary(pairs(keys, try readDynamicBatch(value, count)))
        case .tuple(let members): return .structure(.init(typeName: nil, values: try readDynamicMembers(members)))
        case .named(let number):
            let definition = try valueDefinition(number)
            guard definition.kind == .enumeration else {
                return .structure(
                    .init(
                        typeName: definition.name, version: definition.version,
                        values: try readDynamicMembers(definition.members)))
            }
            let tag = try lifting { () throws(ByteError) in try input.readCount() }
            guard tag < definition.cases.count else { throw fault(.inconsistent) }
            var payload: DynamicValue?
            if let wire = definition.cases[tag].payload { payload = try readDynamicRow(wire) }
            return .enumeration(try item(number, tag, payload))
        case .dynamic:
            let type = try lifting { () throws(ByteError) in try input.readCount() }
            if type == 0 { return try readDynamicRow(.reference) }
            guard type <= dynamicTypes.count else { throw fault(.inconsistent) }
            return try anyExistential(type - 1, try readDynamicRow(dynamicTypes[type - 1].wire))
        case .codable: return try readSnapshots(1)[0]
        default: throw fault(.inconsistent)
        }
    }

    /// Reads properties, one after the other.
    mutating func readDynamicMembers(_ members: [WireType.Member]) throws(DecodingFailure) -> ArchivedValues {
        var values: [(name: String, value: DynamicValue)] = []
        for member in members {
            do throws(DecodingFailure) {
                values.append((member.name, try readDynamicRow(member.type)))
            } catch {
                throw error.within(.property(member.name))
            }
        }
        return ArchivedValues(values)
    }

    /// Reads a column of values.
    mutating func readDynamicColumn(_ wire: WireType, _ count: Int) throws(DecodingFailure) -> [DynamicValue] {
        try pay(count)
        switch wire {
        case .scalar, .string, .data: return try readLeaves(wire, count)
        case .reference:
            var values: [DynamicValue] = []
            for number in try readNumbers(count) { values.append(try reference(number)) }
            return values
        default: break
        }
        try descend()
        defer { depth -= 1 }
        switch wire {
        case .optional(let payload):
            let flags = try readNumbers(count)
            guard flags.allSatisfy({ $0 <= 1 }) else { throw fault(.inconsistent) }
            var present = try readDynamicBatch(payload, flags.count { $0 == 1 }).makeIterator()
            return flags.map { $0 == 1 ? present.next().map { payload.wrapping($0) } ?? .null : .null }
        case .array(let element), .set(let element):
            let counts = try readCounts(count, each: Self.valueCharge, plus: 32)
            return split(try readDynamicBatch(element, Int(counts.reduce(0, +))), counts).map { .array(Array($0)) }
        case .dictionary(let key, let value):
            let counts = try readCounts(count, each: Self.valueCharge * 2, plus: 32)
            let total = Int(counts.reduce(0, +))
            let keys = split(try readDynamicBatch(key, total), counts)
            let values = split(try readDynamicBatch(value, total), counts)
            return zip(keys, values).map { .dictionary(pairs(Array($0), Array($1))) }
        case .tuple(let members):
            return try readDynamicStructures(members, wire, count).map { .structure(.init(typeName: nil, values: $0)) }
        case .named(let number):
            let definition = try valueDefinition(number)
            if definition.kind == .enumeration { return try readDynamicCases(number, definition, count) }
            return try readDynamicStructures(definition.members, wire, count).map {
                .structure(.init(typeName: definition.name, version: definition.version, values: $0))
            }
        case .dynamic: return try readDynamicExistentials(count)
        case .codable: return try readSnapshots(count)
        default: throw fault(.inconsistent)
        }
    }

    private mutating func readDynamicStructures(
        _ members: [WireType.Member], _ wire: WireType, _ count: Int
    ) throws(DecodingFailure) -> [ArchivedValues] {
        if let size = plainSizes.size(ofStructure: wire), let block = try readPlainBlock(count, size) {
            var rows: [ArchivedValues] = []
            for index in 0..<count {
                guard case .structure(let row) = plainValue(wire, block, index * size) else {
                    throw fault(.inconsistent)
                }
                rows.append(row.values)
            }
            return rows
        }
        return try readDynamicColumns(members, count)
    }

    /// Reads properties, column by column.
    mutating func readDynamicColumns(
        _ members: [WireType.Member], _ count: Int
    ) throws(DecodingFailure) -> [ArchivedValues] {
        var rows: [[(name: String, value: DynamicValue)]] = Array(repeating: [], count: count)
        for member in members {
            do throws(DecodingFailure) {
                for (row, value) in try readDynamicColumn(member.type, count).enumerated() {
                    rows[row].append((member.name, value))
                }
            } catch {
                throw error.within(.property(member.name))
            }
        }
        return rows.map { ArchivedValues($0) }
    }

    /// A number, or a struct of numbers, in a block of plain structs.
    func plainValue(_ wire: WireType, _ block: [UInt8], _ start: Int) -> DynamicValue {
        var next = start
        func value(_ wire: WireType) -> DynamicValue {
            switch wire {
            case .scalar(let kind):
                defer { next += kind.size }
                return .value(scalarValue(kind, block, next))
            case .tuple(let members):
                return .structure(
                    .init(typeName: nil, values: ArchivedValues(members.map { ($0.name, value($0.type)) })))
            case .named(let number):
                let definition = definitions[number]
                return .structure(
                    .init(
                        typeName: definition.name, version: definition.version,
                        values: ArchivedValues(definition.members.map { ($0.name, value($0.type)) })))
            default: return .null
            }
        }
        return value(wire)
    }

    private mutating func readDynamicCases(
        _ number: Int, _ definition: Definition, _ count: Int
    ) throws(DecodingFailure) -> [DynamicValue] {
        let tags = try readNumbers(count)
        var payloads: [Int: IndexingIterator<[DynamicValue]>] = [:]
        guard tags.allSatisfy({ $0 < UInt64(definition.cases.count) }) else { throw fault(.inconsistent) }
        var tally = [Int](repeating: 0, count: definition.cases.count)
        for tag in tags { tally[Int(tag)] += 1 }
        for (tag, found) in definition.cases.enumerated() {
            guard let payload = found.payload else { continue }
            let uses = tally[tag]
            if uses == 0 { continue }
            payloads[tag] = try readDynamicBatch(payload, uses).makeIterator()
        }
        var values: [DynamicValue] = []
        for tag in tags { values.append(.enumeration(try item(number, Int(tag), payloads[Int(tag)]?.next()))) }
        return values
    }

    private mutating func readDynamicExistentials(_ count: Int) throws(DecodingFailure) -> [DynamicValue] {
        let types = try readNumbers(count)
        guard types.allSatisfy({ $0 <= UInt64(dynamicTypes.count) }) else { throw fault(.inconsistent) }
        var groups: [UInt64: IndexingIterator<[DynamicValue]>] = [:]
        var tally: [UInt64: Int] = [:]
        for type in types { tally[type, default: 0] += 1 }
        for (type, uses) in tally.sorted(by: { $0.key < $1.key }) {
            if type == 0 {
                groups[0] = try readDynamicColumnOrBlock(uses).makeIterator()
            } else {
                let values = try readDynamicBatch(dynamicTypes[Int(type) - 1].wire, uses)
                var wrapped: [DynamicValue] = []
                for value in values { wrapped.append(try anyExistential(Int(type) - 1, value)) }
                groups[type] = wrapped.makeIterator()
            }
        }
        return types.map { groups[$0]?.next() ?? .null }
    }

    /// References in a column of existentials are a column even if they are few.
    private mutating func readDynamicColumnOrBlock(_ count: Int) throws(DecodingFailure) -> [DynamicValue] {
        var values: [DynamicValue] = []
        for number in try readNumbers(count) { values.append(try reference(number)) }
        return values
    }

    // MARK: Parts

    private mutating func readNumbers(_ count: Int) throws(DecodingFailure) -> [UInt64] {
        var numbers: [UInt64] = []
        numbers.resize(to: count)
        try lifting { () throws(ByteError) in try IntegerColumn.read(into: &numbers, signed: false, from: &input) }
        return numbers
    }

    private func split(_ values: [DynamicValue], _ counts: [UInt64]) -> [ArraySlice<DynamicValue>] {
        var next = 0
        return counts.map { count in
            defer { next += Int(count) }
            return values[next..<next + Int(count)]
        }
    }

    private func pairs(_ keys: [DynamicValue], _ values: [DynamicValue]) -> [(key: DynamicValue, value: DynamicValue)] {
        zip(keys, values).map { (key: $0, value: $1) }
    }

    private func valueDefinition(_ number: Int) throws(DecodingFailure) -> Definition {
        guard number < definitions.count, definitions[number].kind != .object else { throw fault(.inconsistent) }
        return definitions[number]
    }

    /// A reference by the number of its object; zero is `nil`.
    mutating func reference(_ number: UInt64) throws(DecodingFailure) -> DynamicValue {
        if number == 0 { return .null }
        guard unsafe pools.object(number) != nil else { throw fault(.inconsistent) }
        if let known = references[Int(number)] { return .object(known) }
        let made = DynamicReference(number: Int(number))
        references[Int(number)] = made
        return .object(made)
    }

    private mutating func item(_ number: Int, _ tag: Int, _ payload: DynamicValue?) throws(DecodingFailure)
        -> DynamicCase
    {
        let definition = definitions[number]
        var item = DynamicCase(
            name: definition.cases[tag].name, rawValue: definition.cases[tag].rawValue, payload: payload,
            typeName: definition.name)
        if let wire = definition.cases[tag].payload { item.origin = origin(.payload(number, tag), item.name, wire) }
        return item
    }

    /// A value of one of the archive's dynamic types.
    mutating func anyExistential(_ number: Int, _ value: DynamicValue) throws(DecodingFailure) -> DynamicValue {
        let found = dynamicTypes[number]
        let name = found.readable ?? TypeName.readable(found.name)
        dynamicTypes[number].readable = name
        let known =
            origins[.existential(number)]
            ?? origin(.existential(number), found.name, found.wire, TypeResolver.type(named: found.name))
        return .any(DynamicAny(typeName: name, value: value, origin: known))
    }

    /// A struct or enum where an existential is wanted, with what it takes to archive it again.
    mutating func anyValue(_ value: DynamicValue, _ wire: WireType) -> DynamicValue {
        guard case .named(let number) = wire, number < definitions.count else { return value }
        let name = definitions[number].name
        return .any(
            DynamicAny(
                typeName: name, value: value,
                origin: origin(.named(number), name, wire, TypeResolver.type(named: name))))
    }

    mutating func origin(
        _ key: OriginKey, _ name: String, _ wire: WireType, _ type: Any.Type? = nil
    ) -> BinaryOrigin {
        if let known = origins[key] { return known }
        let made = BinaryOrigin(archivedTypes, name: name, members: [.init(name: name, type: wire)], type: type)
        origins[key] = made
        return made
    }

    /// The types of this archive as dynamic values keep them.
    var archivedTypes: ArchivedTypes {
        mutating get {
            if let known = knownTypes { return known }
            let made = ArchivedTypes(definitions, dynamicTypes.map { ($0.name, $0.wire) })
            knownTypes = made
            return made
        }
    }
}

/// What an origin is of.
enum OriginKey: Hashable {
    case payload(Int, Int)
    case existential(Int)
    case named(Int)
}

extension WireType {
    /// A value in an Optional of this type: only Optionals of Optionals need to tell their levels apart.
    func wrapping(_ value: DynamicValue) -> DynamicValue {
        switch self {
        case .optional, .reference: .some(value)
        default: value
        }
    }
}
