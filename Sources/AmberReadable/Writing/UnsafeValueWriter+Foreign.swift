// Room:   AmberReadable / Writing. Objects that are archived by code of their own, and Foundation's: what each place takes them for.
// Takes:  objects that are no models, and their records. Gives: plain values where those tell the class; else `$class` and properties.
// Touches: copies of values.
//
// Invariants: those of UnsafeValueWriter.

internal import AmberModel
internal import Foundation

extension ValueWriter where Sink: ~Copyable {
    /// Writes the value in a place of an existential type, or of a class that isn't a model's.
    mutating func write(
        existential value: Any, _ dynamic: DynamicPlan, _ type: Any.Type
    ) throws(EncodingFailure) {
        if !rules.isReadable { return try write(existential: value) }
        if modelObject(value) == nil, let object = graphObject(value) {
            // Protocols take no text for an object; what every class inherits from does.
            let isOpen = dynamic.base.map { $0 == NSObject.self } ?? (type == Any.self || type == AnyHashable.self)
            return try write(foreign: object, base: dynamic.base, isOpen: isOpen)
        }
        isRootStructure = isRootStructure && dynamic.base != nil
        try write(existential: value)
    }

    /// Writes an object that is no model. `base` is the class that a reader takes it for; an open place takes plain values.
    mutating func write(foreign object: AnyObject, base: AnyClass?, isOpen: Bool) throws(EncodingFailure) {
        guard rules.isReadable else { return try write(plainly: object) }
        if let shape = ForeignShape.shape(of: object), shape.isPlain, !rules.namesTypes {
            if base == shape.type {
                isRootStructure = false
                return try write(exact: object, shape)
            }
            if isOpen, Self.openNames.contains(shape.name) {
                isRootStructure = false
                if case .null = shape.kind { return writeNull() }
                if let value = ForeignShape.value(of: object) { return try write(natural: value) }
            }
        }
        guard try archived.record(of: object) != nil else { return writeNull() }
        try write(object, expected: base)
    }

    /// Classes whose objects nobody would miss where their values are.
    private static var openNames: Set<String> { ["NSString", "NSNumber", "NSDate", "NSData", "NSNull"] }

    /// Writes an object as JSON for others has it.
    private mutating func write(plainly object: AnyObject) throws(EncodingFailure) {
        guard let plain = FoundationObjects.value(of: object) else {
            throw EncodingFailure(
                .unsupportedType,
                "\(codingName(of: type(of: object))) has no form in other programs' JSON. Archive it with another coder, or in a "
                    + "property of a Swift type.")
        }
        // Foundation's collections may hold themselves.
        depth += 1
        defer { depth -= 1 }
        if depth > rules.depthLimit { throw tooDeep() }
        try write(existential: plain)
    }

    /// Writes an object as the value that it stands for, where the place tells its class.
    private mutating func write(exact object: AnyObject, _ shape: ForeignShape) throws(EncodingFailure) {
        if case .null = shape.kind { return writeNull() }
        guard let value = ForeignShape.value(of: object) else {
            throw EncodingFailure(.unsupportedType, "A \(shape.name) can't be taken apart.")
        }
        try write(value, as: shape)
    }

    /// Writes the value of an object that may be a number beyond Int, for which no other type is in question.
    private mutating func write(natural value: Any) throws(EncodingFailure) {
        if let number = value as? UInt64, type(of: value) == UInt64.self, number > UInt64(Int64.max) {
            return sink.integer(number)
        }
        try write(existential: value)
    }

    private mutating func write(_ value: Any, as shape: ForeignShape) throws(EncodingFailure) {
        guard case .value(let type) = shape.kind else { return try write(natural: value) }
        let text: TextPlan
        do throws(SchemaFailure) { text = try schema.plan(for: type) } catch { throw EncodingFailure(error) }
        guard let copy = unsafe text.plan.copy(of: value) else {
            throw EncodingFailure(.unsupportedType, "A \(shape.name) can't be taken apart.")
        }
        try unsafe write(copy.base, text)
        withExtendedLifetime(copy) {}
    }

    // MARK: Records

    /// Writes an object that a dynamic value refers to.
    mutating func write(referred object: AnyObject) throws(EncodingFailure) {
        if type(of: object) is any ModelProtocol.Type { return try write(object, expected: nil) }
        // Lists and tables in such objects are taken for what they are.
        var base: AnyClass?
        if isInRecord, let shape = ForeignShape.shape(of: object),
            shape.name == "NSArray" || shape.name == "NSDictionary"
        {
            base = shape.type
        }
        try write(foreign: object, base: base, isOpen: true)
    }

    /// Whether a record names its class, in a place where `expected` is taken for granted.
    func isMarked(_ record: DynamicObject, _ expected: AnyClass?) -> Bool {
        guard let expected, rules.isReadable, !rules.namesTypes,
            ForeignClasses.isForeign(expected), ForeignClasses.name(of: expected) == record.className
        else { return true }
        if expected == CodedByHand.self { return false }
        if let shape = ForeignShape.shape(of: expected) {
            if case .properties = shape.kind { return isRootStructure || rules.namesModels }
            return compactShape(of: record) == nil
        }
        return isRootStructure || rules.namesModels
    }

    /// The name of the class that an alias gives an object which is written without it, for its place tells it, but that of
    /// the alias doesn't.
    func nameForAlias(_ number: Int, _ expected: AnyClass?) -> String? {
        guard rules.isReadable, let taken = expectations[number], expected != taken else { return nil }
        let object = objects[number]
        guard let record = object as? DynamicObject else {
            return taken == type(of: object) ? classes[ObjectIdentifier(taken)]?.plan.name : nil
        }
        guard unmarked.contains(ObjectIdentifier(object)) else { return nil }
        if let expected, ForeignClasses.name(of: expected) == record.className { return nil }
        return record.className
    }

    /// The shape of a record that is written as one value.
    func compactShape(of record: DynamicObject) -> ForeignShape? {
        guard rules.isReadable, record.version == 0, let shape = ForeignShape.shape(named: record.className) else {
            return nil
        }
        let values = record.values
        switch shape.kind {
        case .value(let type):
            guard values.count == 1, case .value(let value)? = values["value"], Swift.type(of: value) == type else {
                return nil
            }
        case .number:
            guard values.count == 1, case .value(let value)? = values["value"],
                value is Bool || ArchivedNumber(value) != nil
            else { return nil }
        case .list:
            guard values.count == 1, case .array? = values["elements"] else { return nil }
        case .table:
            guard values.count == 2, case .array(let keys)? = values["keys"],
                case .array(let elements)? = values["values"], keys.count == elements.count
            else { return nil }
        case .null, .properties: return nil
        }
        return shape
    }

    /// Writes a record as one value, with its class or without.
    mutating func write(
        compact record: DynamicObject, _ shape: ForeignShape, _ isMarked: Bool
    ) throws(EncodingFailure) {
        if isMarked {
            try beginTyped(shape.name)
            depth = 0
        }
        let values = record.values
        let wasInRecord = isInRecord
        isInRecord = true
        defer { isInRecord = wasInRecord }
        switch shape.kind {
        case .list: try write(values["elements"] ?? .null)
        case .table: try write(table: values["keys"]?.array ?? [], values["values"]?.array ?? [])
        default:
            guard case .value(let value)? = values["value"] else { break }
            try write(value, as: shape)
        }
        if isMarked { try endMarked() }
    }

    private mutating func write(
        table keys: [DynamicValue], _ values: [DynamicValue]
    ) throws(EncodingFailure) {
        let texts = keys.compactMap { Self.text(of: $0) }
        guard texts.count == keys.count, Set(texts).count == keys.count else {
            beginMarked(Marker.pairsKey, Marker.pairs)
            try write(.array(zip(keys, values).map { .array([$0, $1]) }))
            return try endMarked()
        }
        try write(.dictionary(zip(texts, values).map { (.value($0), $1) }))
    }

    /// The text of a key that is a plain one.
    private static func text(of key: DynamicValue) -> String? {
        if let text = key.string { return text }
        guard case .object(let reference) = key, let object = reference.object,
            ForeignShape.shape(of: object)?.name == "NSString", let text = object as? NSString
        else { return nil }
        return text as String
    }
}
