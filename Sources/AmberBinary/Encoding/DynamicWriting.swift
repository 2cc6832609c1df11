// Room:   AmberBinary / Encoding. Values without a Swift type, written as the archive that they are from had them.
// Takes:  dynamic values and wire types. Gives: the bytes that typed values of these types have.
// Touches: ByteWriter; the row and column writers for leaves.

internal import AmberBytes
internal import AmberModel

extension GraphWriter {
    /// Writes a batch of values.
    mutating func writeDynamicBatch(_ values: [DynamicValue], _ wire: WireType) throws(EncodingFailure) {
        guard values.count < version.rowLimit else { return try writeDynamicColumn(values, wire) }
        for (index, value) in values.enumerated() {
            do throws(EncodingFailure) { try writeDynamicRow(value, wire) } catch {
                throw values.count == 1 ? error : error.within(.index(index))
            }
        }
    }

    private mutating func chargeDynamics(_ count: Int) { charge += count * MemoryLayout<DynamicValue>.stride }

    private func mismatch(_ value: DynamicValue, _ wire: WireType) -> EncodingFailure {
        EncodingFailure(
            .unsupportedType,
            "\(value.words) stands where the archive has \(SchemaMatcher(types.definitions).describe(wire)). Put a value of that "
                + "type there.")
    }

    /// Writes one value.
    mutating func writeDynamicRow(_ value: DynamicValue, _ wire: WireType) throws(EncodingFailure) {
        chargeDynamics(1)
        switch (wire, value) {
        case (.scalar, _), (.string, _), (.data, _), (.codable, _): return try writeLeaves([value], wire)
        case (.reference, _): return out.write(count: try number(of: value))
        default: break
        }
        try descend()
        defer { depth -= 1 }
        switch wire {
        case .optional(let payload):
            if value.isNull { return out.write(byte: 0) }
            out.write(byte: 1)
            try writeDynamicRow(payload.unwrapping(value), payload)
        case .array(let element), .set(let element):
            guard let elements = value.array else { throw mismatch(value, wire) }
            out.write(count: elements.count)
            try writeDynamicBatch(elements, element)
        case .dictionary(let keyType, let valueType):
            guard case .dictionary(let pairs) = value else { throw mismatch(value, wire) }
            out.write(count: pairs.count)
            try writeDynamicBatch(pairs.map(\.key), keyType)
            try writeDynamicBatch(pairs.map(\.value), valueType)
        case .tuple(let members):
            guard case .structure(let structure) = value else { throw mismatch(value, wire) }
            try writeDynamicMembers(structure.values, members)
        case .named(let number):
            let definition = types.definitions[number]
            if definition.kind == .enumeration {
                guard case .enumeration(let item) = value, let tag = definition.tag(of: item) else {
                    throw mismatch(value, wire)
                }
                out.write(count: tag)
                if let wire = definition.cases[tag].payload { try writeDynamicRow(item.payload ?? .null, wire) }
            } else {
                guard case .structure(let structure) = value else { throw mismatch(value, wire) }
                try writeDynamicMembers(structure.values, definition.members)
            }
        case .dynamic: try writeExistential(value)
        default: throw mismatch(value, wire)
        }
    }

    /// Writes properties, one after the other.
    mutating func writeDynamicMembers(
        _ values: ArchivedValues, _ members: [WireType.Member]
    ) throws(EncodingFailure) {
        for member in members {
            do throws(EncodingFailure) { try writeDynamicRow(values[member.name] ?? .null, member.type) } catch {
                throw error.within(.property(member.name))
            }
        }
    }

    /// Writes properties, column by column.
    mutating func writeDynamicColumns(
        _ values: [ArchivedValues], _ members: [WireType.Member]
    ) throws(EncodingFailure) {
        for member in members {
            do throws(EncodingFailure) {
                try writeDynamicColumn(values.map { $0[member.name] ?? .null }, member.type)
            } catch {
                throw error.within(.property(member.name))
            }
        }
    }

    /// Writes a column of values.
    private mutating func writeDynamicColumn(_ values: [DynamicValue], _ wire: WireType) throws(EncodingFailure) {
        chargeDynamics(values.count)
        switch wire {
        case .scalar, .string, .data, .codable: return try writeLeaves(values, wire)
        case .reference:
            var numbers: [UInt64] = []
            for value in values { numbers.append(UInt64(try number(of: value))) }
            return IntegerColumn.write(numbers, signed: false, to: &out)
        default: break
        }
        try descend()
        defer { depth -= 1 }
        switch wire {
        case .optional(let payload):
            IntegerColumn.write(values.map { $0.isNull ? 0 : 1 } as [UInt8], signed: false, to: &out)
            try writeDynamicBatch(values.filter { !$0.isNull }.map { payload.unwrapping($0) }, payload)
        case .array(let element), .set(let element):
            var arrays: [[DynamicValue]] = []
            for value in values {
                guard let elements = value.array else { throw mismatch(value, wire) }
                arrays.append(elements)
            }
            IntegerColumn.write(arrays.map { UInt64($0.count) }, signed: false, to: &out)
            charge += arrays.count * 32
            try writeDynamicBatch(arrays.flatMap { $0 }, element)
        case .dictionary(let keyType, let valueType):
            var pairs: [(key: DynamicValue, value: DynamicValue)] = []
            var counts: [UInt64] = []
            for value in values {
                guard case .dictionary(let more) = value else { throw mismatch(value, wire) }
                counts.append(UInt64(more.count))
                pairs += more
            }
            IntegerColumn.write(counts, signed: false, to: &out)
            charge += counts.count * 32
            try writeDynamicBatch(pairs.map(\.key), keyType)
            try writeDynamicBatch(pairs.map(\.value), valueType)
        case .tuple(let members): try writeDynamicStructures(values, members, wire)
        case .named(let number):
            let definition = types.definitions[number]
            if definition.kind == .enumeration { return try writeDynamicCases(values, definition, wire) }
            try writeDynamicStructures(values, definition.members, wire)
        case .dynamic: try writeExistentials(values)
        default: throw mismatch(values.first ?? .null, wire)
        }
    }

    private mutating func writeDynamicStructures(
        _ values: [DynamicValue], _ members: [WireType.Member], _ wire: WireType
    ) throws(EncodingFailure) {
        if PlainSizes(types.definitions).size(ofStructure: wire) != nil { out.write(byte: PlainRows.columns) }
        var rows: [ArchivedValues] = []
        for value in values {
            guard case .structure(let structure) = value else { throw mismatch(value, wire) }
            rows.append(structure.values)
        }
        try writeDynamicColumns(rows, members)
    }

    private mutating func writeDynamicCases(
        _ values: [DynamicValue], _ definition: Definition, _ wire: WireType
    ) throws(EncodingFailure) {
        var tags: [UInt64] = []
        var payloads: [Int: [DynamicValue]] = [:]
        for value in values {
            guard case .enumeration(let item) = value, let tag = definition.tag(of: item) else {
                throw mismatch(value, wire)
            }
            tags.append(UInt64(tag))
            if definition.cases[tag].payload != nil { payloads[tag, default: []].append(item.payload ?? .null) }
        }
        IntegerColumn.write(tags, signed: false, to: &out)
        for (tag, item) in definition.cases.enumerated() {
            if let wire = item.payload, let chosen = payloads[tag] { try writeDynamicBatch(chosen, wire) }
        }
    }

    // MARK: Existentials

    /// Gives the types of values in existentials their numbers, before the archive's types are written.
    mutating func number(_ value: DynamicValue, _ wire: WireType) throws(EncodingFailure) {
        switch (wire, value) {
        case (.dynamic, .object), (.dynamic, .any): return
        case (.dynamic, _): try walkExistential(value.swiftValue)
        case (.optional(let payload), _): if !value.isNull { try number(value, payload) }
        case (.array(let element), .array(let elements)): for value in elements { try number(value, element) }
        case (.dictionary(let keyType, let valueType), .dictionary(let pairs)):
            for pair in pairs {
                try number(pair.key, keyType)
                try number(pair.value, valueType)
            }
        case (.tuple(let members), .structure(let structure)): try number(structure.values, members)
        case (.named(let place), .structure(let structure)):
            try number(structure.values, types.definitions[place].members)
        case (.named(let place), .enumeration(let item)):
            let wire = types.definitions[place].cases.first { $0.name == item.name }?.payload
            if let wire, let payload = item.payload { try number(payload, wire) }
        default: return
        }
    }

    private mutating func number(_ values: ArchivedValues, _ members: [WireType.Member]) throws(EncodingFailure) {
        for member in members { try number(values[member.name] ?? .null, member.type) }
    }

    private mutating func writeExistential(_ value: DynamicValue) throws(EncodingFailure) {
        switch value {
        case .object:
            out.write(count: 0)
            out.write(count: try number(of: value))
        case .any(let any):
            let (number, wire) = try dynamicType(of: any)
            out.write(count: number + 1)
            try writeDynamicRow(any.value, wire)
        default: try writeValueExistential(value.swiftValue)
        }
    }

    private mutating func writeExistentials(_ values: [DynamicValue]) throws(EncodingFailure) {
        var numbers: [UInt64] = []
        var references: [UInt64] = []
        var groups: [UInt64: (wire: WireType, values: [DynamicValue])] = [:]
        for value in values {
            switch value {
            case .object:
                numbers.append(0)
                references.append(UInt64(try number(of: value)))
            case .any(let any):
                let (number, wire) = try dynamicType(of: any)
                numbers.append(UInt64(number + 1))
                groups[UInt64(number + 1), default: (wire, [])].values.append(any.value)
            default:
                let (number, wire) = try dynamicType(ofValue: value.swiftValue)
                numbers.append(UInt64(number + 1))
                groups[UInt64(number + 1), default: (wire, [])].values.append(value)
            }
        }
        IntegerColumn.write(numbers, signed: false, to: &out)
        if !references.isEmpty { IntegerColumn.write(references, signed: false, to: &out) }
        for (_, group) in groups.sorted(by: { $0.key < $1.key }) { try writeDynamicBatch(group.values, group.wire) }
    }

    /// The number and the type of a value of a type that this program doesn't have.
    mutating func dynamicType(of any: DynamicAny) throws(EncodingFailure) -> (Int, WireType) {
        let number = try collector.dynamicNumber(of: any)
        guard let origin = any.origin as? BinaryOrigin else {
            guard case .inferred(let type) = collector.dynamicTypes[number], let wire = type.wire else {
                throw EncodingFailure(
                    .changedMeanwhile, "A value changed while it was encoded. Don't mutate what is encoded.")
            }
            return (number, wire)
        }
        return (number, types.imported(origin.members[0].type, from: origin.types))
    }

    private mutating func dynamicType(ofValue value: Any) throws(EncodingFailure) -> (Int, WireType) {
        let number = try collector.dynamicNumber(of: Swift.type(of: value))
        guard let plan = collector.plan(ofDynamic: number) else { throw mismatch(DynamicValue(value), .dynamic) }
        return (number, types.wireType(of: plan))
    }

    private func number(of value: DynamicValue) throws(EncodingFailure) -> Int {
        switch value {
        case .null: return 0
        case .some(let value): return try number(of: value)
        case .object(let reference):
            guard let object = reference.object.flatMap({ knownArchived($0) }) else { return 0 }
            return unsafe collector.number(of: objectAddress(object))
        case .value(let value):
            guard Swift.type(of: value) is AnyClass else { break }
            guard let object = knownArchived(value as AnyObject) else { return 0 }
            return unsafe collector.number(of: objectAddress(object))
        default: break
        }
        throw mismatch(value, .reference)
    }
}

extension Definition {
    /// The tag of a case, by its name.
    fileprivate func tag(of item: DynamicCase) -> Int? { cases.firstIndex { $0.name == item.name } }
}

extension WireType {
    /// The value in an Optional of this type.
    fileprivate func unwrapping(_ value: DynamicValue) -> DynamicValue {
        switch self {
        case .optional, .reference: if case .some(let inner) = value { inner } else { value }
        default: value
        }
    }
}

extension DynamicValue {
    /// The value as one would put it in an `Any`.
    fileprivate var swiftValue: Any {
        switch self {
        case .null: Optional<Any>.none as Any
        case .value(let value): value
        case .some(let value): value.swiftValue
        case .array(let elements): elements.map(\.swiftValue)
        case .dictionary(let pairs): Self.swiftDictionary(pairs) ?? DynamicAny(typeName: "", value: self, origin: nil)
        case .object(let reference): reference.object as Any
        case .any(let any): any
        case .structure(let structure):
            DynamicAny(typeName: structure.typeName ?? "", value: self, origin: nil)
        case .enumeration(let item): DynamicAny(typeName: item.typeName, value: self, origin: nil)
        }
    }

    /// A dictionary as one would put it in an `Any`; `nil` if a key is none there.
    private static func swiftDictionary(_ pairs: [(key: DynamicValue, value: DynamicValue)]) -> Any? {
        var texts: [String: Any] = [:]
        var others: [AnyHashable: Any] = [:]
        for pair in pairs {
            guard let key = pair.key.swiftValue as? AnyHashable else { return nil }
            let value = pair.value.swiftValue
            if let text = pair.key.string { texts[text] = value }
            others[key] = value
        }
        guard others.count == pairs.count else { return nil }
        return texts.count == pairs.count ? texts as Any : others as Any
    }
}
