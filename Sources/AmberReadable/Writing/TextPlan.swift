// Room:   AmberReadable / Writing. Plans compiled once more, for texts: keys encoded, orders sorted, fields found by name.
// Takes:  plans of AmberModel. Gives: the same as a tree that writer and reader walk.
// Touches: nothing.

internal import AmberModel
internal import Foundation
internal import Synchronization

/// How values of one type are written to and read from documents.
///
/// Made by a ``TextSchema`` and never changed after it is published.
final class TextPlan: @unchecked Sendable {
    enum Kind {
        case scalar(ScalarKind)
        case string
        case data
        case optional(OptionalPlan, TextPlan)
        case structure(TextFields)
        case array(ArrayPlan, TextPlan)
        case collection(TextCollection)
        case enumeration(TextEnumeration)
        case reference(ReferencePlan)
        case dynamic(DynamicPlan)
        case bridged(BridgedPlan, TextPlan)
        /// A URL, which is its text where it has no base.
        case url(BridgedPlan, TextPlan)
        case codable(CodableAccess)
    }

    let plan: ValuePlan
    private let lateKind = Late<Kind>(.string)
    fileprivate(set) var kind: Kind {
        get { lateKind.value }
        set { lateKind.set(newValue) }
    }
    /// Whether objects can be met in a value.
    let reachesObjects: Bool

    fileprivate init(_ plan: ValuePlan) {
        self.plan = plan
        reachesObjects = plan.reachesObjects
    }
}

/// A stored property.
struct TextField: Sendable {
    var key: EncodedKey
    var field: FieldPlan
    var text: TextPlan
    /// The key's bytes without escapes, to be compared with a document's.
    var name: ContiguousArray<UInt8>
}

/// The fields of a struct, tuple or class.
final class TextFields: @unchecked Sendable {
    /// The name of the type in archives; a tuple has none.
    let name: String?
    let formerNames: [String]
    let version: Int
    let migrations: Migrations
    let model: ModelAccess?
    let fields: ContiguousArray<TextField>
    let omitted: [OmittedField]
    /// The fields in the order of their keys' bytes.
    let sorted: [Int]
    /// Fields by their names, and by former names that no field has now.
    let indices: [String: Int]
    let formerIndices: [String: Int]
    /// Whether it is a tuple without labels, which is written as an array.
    let isList: Bool
    /// What a type's own mapping makes of its fields.
    let mapping: CompiledMapping?
    let reachesObjects: Bool
    /// Whether some of them are computed of the whole value.
    let hasComputed: Bool
    /// What they are in a new instance.
    let defaults: DefaultValues

    init(
        type: Any.Type, name: String?, formerNames: [String], version: Int, migrations: Migrations, model: ModelAccess?,
        fields: [TextField], omitted: [OmittedField], mapping: CompiledMapping?
    ) {
        defaults = DefaultValues(of: type)
        self.name = name
        self.formerNames = formerNames
        self.version = version
        self.migrations = migrations
        self.model = model
        self.fields = ContiguousArray(fields)
        self.omitted = omitted
        self.mapping = mapping
        sorted = fields.indices.sorted { fields[$0].name.lexicographicallyPrecedes(fields[$1].name) }
        var indices: [String: Int] = [:]
        var former: [String: Int] = [:]
        for (index, field) in fields.enumerated() {
            indices[String(decoding: field.name, as: UTF8.self)] = index
            for name in field.field.formerNames where former[name] == nil { former[name] = index }
        }
        self.indices = indices
        formerIndices = former
        isList = name == nil && fields.enumerated().allSatisfy { $1.field.name == "\($0)" }
        hasComputed = fields.contains { $0.field.isComputed }
        reachesObjects = fields.contains { $0.text.reachesObjects || !$0.field.ownership.isStrong }
    }
}

/// A Set or Dictionary.
final class TextCollection: @unchecked Sendable {
    /// How keys of a dictionary are written.
    enum KeyForm {
        /// As they are.
        case string
        /// As the text of an integer, UUID, raw value or case.
        case text
        /// As pairs.
        case pairs
    }

    let plan: CollectionPlan
    let key: TextPlan
    let value: TextPlan?
    let keyForm: KeyForm

    init(_ plan: CollectionPlan, key: TextPlan, value: TextPlan?) {
        self.plan = plan
        self.key = key
        self.value = value
        keyForm = Self.form(key.plan)
    }

    private static func form(_ plan: ValuePlan) -> KeyForm {
        switch plan.shape {
        case .string: .string
        case .scalar(let kind): kind.isInteger && kind != .bool || kind == .uuid ? .text : .pairs
        case .enumeration(let enumeration): enumeration.cases.allSatisfy { $0.payload == nil } ? .text : .pairs
        case .bridged(let bridged): if case .string = bridged.surrogate.shape { .text } else { .pairs }
        default: .pairs
        }
    }
}

/// An enum.
final class TextEnumeration: @unchecked Sendable {
    let plan: EnumerationPlan
    let payloads: [TextPlan?]
    /// How each case is written: by its raw value, or by its name where raw values are numbers.
    let texts: [String]
    let keys: [EncodedKey]

    init(_ plan: EnumerationPlan, payloads: [TextPlan?], isMapped: Bool) {
        self.plan = plan
        self.payloads = payloads
        let areNumbers = plan.cases.allSatisfy { $0.rawValue.map { Int128($0) != nil } ?? true }
        let names = Set(plan.cases.map(\.name))
        let areApart = plan.cases.allSatisfy { item in item.rawValue.map { !names.contains($0) } ?? true }
        texts = plan.cases.map { item in
            areNumbers && areApart && !isMapped ? item.name : item.rawValue ?? item.name
        }
        keys = texts.map { isMapped ? EncodedKey(marker: $0) : EncodedKey($0) }
    }

    /// The case of a text: by raw value before name.
    func tag(_ text: String) -> Int? {
        plan.cases.firstIndex { $0.rawValue == text } ?? plan.cases.firstIndex { $0.name == text }
    }
}

/// A model class.
final class TextClass: @unchecked Sendable {
    let plan: ClassPlan
    let fields: TextFields
    let typeKey: String

    init(_ plan: ClassPlan, _ fields: TextFields) {
        self.plan = plan
        self.fields = fields
        typeKey = plan.name
    }
}

/// The text plans of one way of naming keys, for the whole process.
///
/// As in ``PlanCache`` the lock is not held while plans are made: mappings are users' code.
final class TextSchema: Sendable {
    private struct Published: Sendable {
        var values: [ObjectIdentifier: TextPlan] = [:]
        var classes: [ObjectIdentifier: TextClass] = [:]
    }

    static let plain = TextSchema(nil)
    private static let mapped = Mutex<[JSONNaming: TextSchema]>([:])

    /// The schema of mapped JSON.
    static func mapped(_ naming: JSONNaming) -> TextSchema {
        mapped.withLock { known in
            if let schema = known[naming] { return schema }
            let made = TextSchema(naming)
            known[naming] = made
            return made
        }
    }

    /// How keys are named in mapped JSON; `nil` for the readable coder, which takes the names of archives.
    let naming: JSONNaming?
    private let published = Mutex(Published())

    init(_ naming: JSONNaming?) { self.naming = naming }

    func plan(for type: Any.Type) throws(SchemaFailure) -> TextPlan {
        try plan(for: PlanCache.shared.plan(for: type))
    }

    func plan(for plan: ValuePlan) throws(SchemaFailure) -> TextPlan {
        if let known = published.withLock({ $0.values[ObjectIdentifier(plan)] }) { return known }
        var builder = Builder(schema: self)
        let made = try builder.text(plan)
        let all = builder.values
        published.withLock { $0.values.merge(all) { known, _ in known } }
        return made
    }

    func plan(for type: AnyClass) throws(SchemaFailure) -> TextClass {
        if let known = published.withLock({ $0.classes[ObjectIdentifier(type)] }) { return known }
        var builder = Builder(schema: self)
        let plan: ClassPlan = try PlanCache.shared.plan(for: type)
        let fields = try builder.fields(
            plan.places, name: plan.name, formerNames: plan.formerNames, version: plan.version,
            migrations: plan.migrations, model: plan.model, type: type)
        let made = TextClass(plan, fields)
        let all = builder.values
        published.withLock {
            $0.values.merge(all) { known, _ in known }
            if $0.classes[ObjectIdentifier(type)] == nil { $0.classes[ObjectIdentifier(type)] = made }
        }
        return made
    }

    /// Makes the plans of a type and of all that it is made of; classes come when their objects do.
    private struct Builder {
        let schema: TextSchema
        var values: [ObjectIdentifier: TextPlan] = [:]

        mutating func text(_ plan: ValuePlan) throws(SchemaFailure) -> TextPlan {
            let id = ObjectIdentifier(plan)
            if let known = values[id] ?? schema.published.withLock({ $0.values[id] }) { return known }
            let made = TextPlan(plan)
            values[id] = made
            made.kind = try kind(plan)
            return made
        }

        private mutating func kind(_ plan: ValuePlan) throws(SchemaFailure) -> TextPlan.Kind {
            switch plan.shape {
            case .pending: return .string
            case .scalar(let kind): return .scalar(kind)
            case .string: return .string
            case .data: return .data
            case .optional(let optional): return .optional(optional, try text(optional.payload))
            case .structure(let structure):
                return .structure(
                    try fields(
                        structure.places, name: structure.name, formerNames: structure.formerNames,
                        version: structure.version, migrations: structure.migrations, model: structure.model,
                        type: plan.type))
            case .enumeration(let enumeration):
                var payloads: [TextPlan?] = []
                for item in enumeration.cases {
                    if let payload = item.payload { payloads.append(try text(payload)) } else { payloads.append(nil) }
                }
                return .enumeration(
                    TextEnumeration(enumeration, payloads: payloads, isMapped: schema.naming != nil))
            case .array(let array): return .array(array, try text(array.element))
            case .collection(let collection):
                let key = try text(collection.key)
                var value: TextPlan?
                if let plan = collection.value { value = try text(plan) }
                return .collection(TextCollection(collection, key: key, value: value))
            case .reference(let reference): return .reference(reference)
            case .dynamic(let dynamic): return .dynamic(dynamic)
            case .bridged(let bridged):
                let surrogate = try text(bridged.surrogate)
                return plan.type == URL.self && bridged.reason == .type
                    ? .url(bridged, surrogate) : .bridged(bridged, surrogate)
            case .codable(let access): return .codable(access)
            }
        }

        mutating func fields(
            _ places: FieldPlaces, name: String?, formerNames: [String], version: Int, migrations: Migrations,
            model: ModelAccess?, type: Any.Type
        ) throws(SchemaFailure) -> TextFields {
            var fields: [TextField] = []
            let own = schema.naming == nil ? nil : JSONMapping.whole(of: type)
            let destination: ModelRules.Destinations = schema.naming == nil ? .readable : .json
            // What is stored and goes elsewhere has no value here.
            var omitted = places.hidden
            for plan in places.fields where !plan.destinations.contains(destination) && !plan.isComputed {
                omitted.append(
                    OmittedField(
                        sourceName: plan.sourceName, offset: plan.offset,
                        plan: WitnessedType(plan.plan.type, ownership: plan.ownership), fallback: plan.fallback))
            }
            for plan in places.fields(for: destination) {
                let simple = own?.rules[plan.sourceName]?.simpleKey
                let name = simple ?? schema.naming?.key(for: plan.sourceName) ?? plan.name
                fields.append(
                    TextField(
                        key: schema.naming == nil ? EncodedKey(name) : EncodedKey(marker: name), field: plan,
                        text: try text(plan.plan),
                        name: ContiguousArray(name.utf8)))
            }
            let mapping = try own.flatMap { mapping throws(SchemaFailure) in
                try CompiledMapping(mapping, fields, type: type)
            }
            return TextFields(
                type: type, name: name, formerNames: formerNames, version: version, migrations: migrations,
                model: model,
                fields: fields, omitted: omitted, mapping: mapping)
        }
    }
}
