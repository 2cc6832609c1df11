// Room:   AmberReadable / Writing. Values whose type is known only when they are met: existentials, dynamic and Codable values.
// Takes:  such values. Gives: events to a sink, with the type where a reader couldn't tell it.
// Touches: copies of values.
//
// Invariants: those of UnsafeValueWriter.

internal import AmberModel
internal import Foundation

extension ValueWriter where Sink: ~Copyable {
    /// Writes the value in an existential: as it is where its form tells its type, else with its type.
    mutating func write(existential value: Any) throws(EncodingFailure) {
        if let object = modelObject(value) { return try write(object, expected: nil) }
        if let object = graphObject(value) { return try write(foreign: object, base: nil, isOpen: true) }
        switch value {
        case let value as DynamicValue: return try write(value)
        case let value as DynamicAny: return try write(any: value)
        case let value as CodableSnapshot: return try write(codable: value)
        default: break
        }
        if value is any OptionalType {
            if isNilExistential(value) { return writeNull() }
            if let inner = Mirror(reflecting: value).children.first?.value { return try write(existential: inner) }
        }
        let text: TextPlan
        do throws(SchemaFailure) { text = try schema.plan(for: type(of: value)) } catch { throw EncodingFailure(error) }
        guard let copy = unsafe text.plan.copy(of: value) else {
            throw EncodingFailure(
                .unsupportedType, "\(codingName(of: text.plan.type)) can't be taken out of an existential.")
        }
        defer { withExtendedLifetime(copy) {} }
        if !rules.isReadable { return try unsafe write(copy.base, text) }
        let type = text.plan.type
        if type == Int.self || type == String.self || type == Bool.self || type == [Any].self
            || type == [String: Any].self || type == Data.self
        {
            return try unsafe write(copy.base, text)
        }
        if type == Double.self, unsafe copy.base.load(as: Double.self).isFinite || traits.hasNonFinite {
            return try unsafe write(copy.base, text)
        }
        if type == Date.self { return try write(date: unsafe copy.base.load(as: Double.self), isMarked: true) }
        if case .structure(let fields) = text.kind, !fields.isList, !rules.namesTypes {
            markedStructure = TypeNames.name(of: type)
            return try unsafe write(copy.base, text)
        }
        if rules.namesTypes {
            switch text.kind {
            case .scalar(.uuid), .scalar(.decimal), .scalar(.float32), .url: return try unsafe write(copy.base, text)
            default: break
            }
        }
        try beginTyped(TypeNames.name(of: type))
        try unsafe write(copy.base, text)
        try endMarked()
    }

    /// Begins an object of a type and a value, which follows.
    mutating func beginTyped(_ name: String) throws(EncodingFailure) {
        sink.beginObject()
        nesting += 1
        depth += 1
        defer { depth -= 1 }
        if depth > rules.depthLimit { throw tooDeep() }
        sink.key(Marker.typeKey)
        sink.string(name)
        sink.key(Marker.valueKey)
        paths.push(.key(Marker.value))
    }

    private mutating func write(any value: DynamicAny) throws(EncodingFailure) {
        switch value.value {
        // What a binary archive has for a null that nothing gives a type.
        case .null where value.typeName == "Any?": return writeNull()
        // The form alone tells these.
        case .value(let inner):
            let type = Swift.type(of: inner)
            let isPlain = type == Int.self || type == Bool.self || !(inner is any FixedWidthInteger)
            if isPlain, TypeNames.name(of: type) == value.typeName { return try write(value.value) }
        default: if Self.plainNames.contains(value.typeName) { return try write(value.value) }
        }
        try beginTyped(value.typeName)
        try write(value.value)
        try endMarked()
    }

    private static var plainNames: Set<String> {
        ["", "[Any]", "[String: Any]", "[AnyHashable: Any]"]
    }

    /// Writes an integer where nothing else tells that a text is one.
    private mutating func write<T: FixedWidthInteger>(marked value: T) throws(EncodingFailure) {
        if traits.hasLongNumbers || !rules.isReadable || Int64(exactly: value) != nil || UInt64(exactly: value) != nil {
            return write(long: value)
        }
        try beginTyped(value >= 0 ? "UInt128" : "Int128")
        write(long: value)
        try endMarked()
    }

    // MARK: Dynamic values

    mutating func write(_ value: DynamicValue) throws(EncodingFailure) {
        depth += 1
        defer { depth -= 1 }
        if depth > rules.depthLimit { throw tooDeep() }
        switch value {
        case .null: writeNull()
        case .some(let inner):
            beginMarked(Marker.someKey, Marker.some)
            try write(inner)
            try endMarked()
        case .value(let value):
            // Integers of any width convert where they fit.
            if let number = value as? any FixedWidthInteger { return try write(marked: number) }
            try write(existential: value)
        case .array(let elements):
            sink.beginArray()
            nesting += 1
            for (index, element) in elements.enumerated() {
                sink.element()
                paths.push(.index(index))
                defer { paths.pop() }
                do throws(EncodingFailure) { try write(element) } catch { throw error.within(.index(index)) }
            }
            nesting -= 1
            sink.endArray()
        case .dictionary(let pairs): try write(pairs: pairs)
        case .structure(let structure):
            sink.beginObject()
            nesting += 1
            if structure.typeName != "" {
                sink.key(Marker.structureKey)
                sink.string(structure.typeName ?? "")
            }
            try write(version: structure.version, structure.values)
            nesting -= 1
            if nesting == 0 { try writeWaiting(inObject: true) }
            sink.endObject()
        case .enumeration(let item): try write(dynamicCase: item)
        case .object(let reference):
            guard let object = reference.object else {
                throw EncodingFailure(
                    .unsupportedType, "A reference is written before the archive that it is from was read.")
            }
            let wasConditional = isConditional
            isConditional = isConditional || reference.isConditional
            defer { isConditional = wasConditional }
            try write(referred: object)
        case .any(let any): try write(any: any)
        }
    }

    private mutating func write(version: Int, _ values: ArchivedValues) throws(EncodingFailure) {
        if version != 0 {
            sink.key(Marker.versionKey)
            sink.integer(Int64(version))
        }
        for (name, value) in values { try write(named: name, value) }
    }

    /// Writes an object of a class that this program doesn't have, or one that is archived by code of its own.
    mutating func write(dynamic object: DynamicObject, _ expected: AnyClass?) throws(EncodingFailure) {
        let (outerDepth, wasConditional, wasInRecord) = (depth, isConditional, isInRecord)
        depth = 0
        isConditional = false
        isInRecord =
            ForeignShape.shape(named: object.className) == nil && ForeignClasses.type(named: object.className) != nil
        defer {
            depth = outerDepth
            isConditional = wasConditional
            isInRecord = wasInRecord
        }
        let isMarked = isMarked(object, expected)
        isRootStructure = false
        if !isMarked { unmarked.insert(ObjectIdentifier(object)) }
        if let shape = compactShape(of: object) { return try write(compact: object, shape, isMarked) }
        nesting += 1
        sink.beginObject()
        if !object.className.isEmpty, isMarked {
            sink.key(Marker.typeKey)
            sink.string(object.className)
        }
        try write(version: object.version, object.values)
        nesting -= 1
        if nesting == 0 { try writeWaiting(inObject: true) }
        sink.endObject()
    }

    private mutating func write(
        pairs: [(key: DynamicValue, value: DynamicValue)]
    ) throws(EncodingFailure) {
        if pairs.allSatisfy({ $0.key.string != nil }) {
            sink.beginObject()
            nesting += 1
            for pair in pairs { try write(named: pair.key.string ?? "", pair.value) }
            nesting -= 1
            if nesting == 0 { try writeWaiting(inObject: true) }
            return sink.endObject()
        }
        beginMarked(Marker.pairsKey, Marker.pairs)
        try write(.array(pairs.map { .array([$0.key, $0.value]) }))
        try endMarked()
    }

    mutating func write(dynamicCase item: DynamicCase) throws(EncodingFailure) {
        sink.beginObject()
        nesting += 1
        sink.key(Marker.itemKey)
        sink.string(item.name)
        if !item.typeName.isEmpty {
            sink.key(Marker.typeKey)
            sink.string(item.typeName)
        }
        if let raw = item.rawValue {
            sink.key(Marker.rawKey)
            sink.string(raw)
        }
        if let payload = item.payload {
            sink.key(Marker.valueKey)
            paths.push(.key(Marker.value))
            defer { paths.pop() }
            try write(payload)
        }
        nesting -= 1
        if nesting == 0 { try writeWaiting(inObject: true) }
        sink.endObject()
    }

    /// Writes a case that an enum didn't know as the enum itself would.
    mutating func write(unknownCase item: DynamicCase) throws(EncodingFailure) {
        let item = item.carried ?? item
        if rules.namesTypes { return try write(dynamicCase: item) }
        guard let payload = item.payload else { return sink.string(item.rawValue ?? item.name) }
        let key = Marker.escaped(item.name)
        sink.beginObject()
        nesting += 1
        sink.key(text: key)
        paths.push(.key(key))
        try write(payload)
        try endMarked()
    }

    // MARK: Codable values

    mutating func write(codable value: Any) throws(EncodingFailure) {
        guard let encodable = value as? any Encodable else {
            throw EncodingFailure(.codable, "A Codable value was expected.")
        }
        try write(coded: try CodedValue(of: encodable, userInfo: rules.userInfo))
    }

    private mutating func write(coded value: CodedValue) throws(EncodingFailure) {
        switch value {
        case .null: writeNull()
        case .scalar(let value, let kind): try write(codedScalar: value, kind)
        case .string(let text): sink.string(text)
        case .data(let data): writeData(data)
        case .array(let elements):
            sink.beginArray()
            nesting += 1
            for element in elements {
                sink.element()
                try write(coded: element)
            }
            nesting -= 1
            sink.endArray()
        case .keyed(let pairs):
            sink.beginObject()
            nesting += 1
            for (key, value) in pairs {
                sink.key(text: rules.isReadable ? Marker.escaped(key) : key)
                try write(coded: value)
            }
            nesting -= 1
            sink.endObject()
        }
    }

    private mutating func write(codedScalar value: Any, _ kind: ScalarKind) throws(EncodingFailure) {
        switch value {
        case let value as Bool where kind == .bool: sink.bool(value)
        case let value as Float:
            if value.isFinite || traits.hasNonFinite { sink.float(value) } else { try write(nonFinite: Double(value)) }
        case let value as Double: try write(double: value)
        case let value as CGFloat: try write(double: Double(value))
        case let value as Date: try write(date: value.timeIntervalSinceReferenceDate, isMarked: true)
        case let value as UUID: sink.string(value.uuidString)
        case let value as Decimal:
            if traits.hasLongNumbers || !rules.isReadable { return try write(decimal: value) }
            try beginTyped("Decimal")
            try write(decimal: value)
            try endMarked()
        case let value as any FixedWidthInteger: try write(marked: value)
        default: throw EncodingFailure(.unsupportedType, "\(value) can't be written.")
        }
    }
}
