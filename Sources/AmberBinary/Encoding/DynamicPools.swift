// Room:   AmberBinary / Encoding. Objects that carry properties without a Swift type: which they are, and what types those have.
// Takes:  dynamic objects, unknown properties. Gives: pools of alike ones; wire types; the objects that they refer to.
// Touches: TypeTable; the collector.

internal import AmberModel

/// The properties without a Swift type that all objects of a pool have.
final class PoolDynamics {
    /// The class as archives know it; `nil` for a class of this program that keeps unknown properties.
    let className: String?
    let version: Int
    let names: [String]
    /// Where the properties come from; `nil` for objects made in this program.
    let origin: BinaryOrigin?
    /// The properties by the types that they have in the archive in the making.
    var members: [WireType.Member] = []

    init(className: String?, version: Int, names: [String], origin: BinaryOrigin?) {
        self.className = className
        self.version = version
        self.names = names
        self.origin = origin
    }
}

/// What tells pools of such objects apart.
struct DynamicPoolKey: Hashable {
    var type: ObjectIdentifier
    var className: String?
    var version: Int
    var names: [String]
    var origin: ObjectIdentifier?
}

extension ObjectPool {
    /// The properties of an object that have no Swift type.
    func values(of object: ObjectAddress) -> ArchivedValues {
        if let dynamic = unsafe AmberModel.object(at: object) as? DynamicObject { return dynamic.values }
        return unsafe plan.unknownProperties(of: object)?.values ?? ArchivedValues()
    }

    /// The properties of all objects that have no Swift type.
    var dynamicValues: [ArchivedValues] { unsafe objects.map { unsafe values(of: $0) } }
}

extension TypeTable {
    /// A type of another archive, by the numbers of this one.
    mutating func imported(_ wire: WireType, from types: ArchivedTypes) -> WireType {
        switch wire {
        case .scalar, .string, .data, .reference, .dynamic, .codable: return wire
        case .optional(let payload): return .optional(imported(payload, from: types))
        case .array(let element): return .array(imported(element, from: types))
        case .set(let element): return .set(imported(element, from: types))
        case .dictionary(let key, let value):
            let key = imported(key, from: types)
            return .dictionary(key, imported(value, from: types))
        case .tuple(let members): return .tuple(imported(members, from: types))
        case .named(let number):
            let key = ImportKey(types: ObjectIdentifier(types), number: number)
            if let known = imports[key] { return .named(known) }
            let place = reserve()
            imports[key] = place
            var definition = types.definitions[number]
            definition.members = imported(definition.members, from: types)
            for index in definition.cases.indices {
                if let payload = definition.cases[index].payload {
                    definition.cases[index].payload = imported(payload, from: types)
                }
            }
            define(place, definition)
            return .named(place)
        }
    }

    mutating func imported(_ members: [WireType.Member], from types: ArchivedTypes) -> [WireType.Member] {
        var result: [WireType.Member] = []
        for member in members { result.append(.init(name: member.name, type: imported(member.type, from: types))) }
        return result
    }

    /// Adds a class whose objects have more properties than a Swift class gives them.
    mutating func number(of pool: ObjectPool, _ dynamics: PoolDynamics) -> Int {
        var definition = Definition(
            kind: .object, name: dynamics.className ?? pool.plan.name, version: dynamics.version, members: [], cases: []
        )
        if dynamics.className == nil { definition.members = definitions[number(of: pool.plan)].members }
        let values = pool.dynamicValues
        for name in dynamics.names {
            if let origin = dynamics.origin, let member = origin.members.first(where: { $0.name == name }) {
                dynamics.members.append(.init(name: name, type: imported(member.type, from: origin.types)))
            } else {
                dynamics.members.append(.init(name: name, type: type(of: values.map { $0[name] ?? .null })))
            }
        }
        definition.members += dynamics.members
        let place = reserve()
        define(place, definition)
        return place
    }
}

struct ImportKey: Hashable, Sendable {
    var types: ObjectIdentifier
    var number: Int
}

extension TypeTable {
    /// A type that takes all of the values, which were made in this program.
    mutating func type(of values: [DynamicValue]) -> WireType {
        let present = values.filter { !$0.isNull }
        // Every property that can be nil takes a reference to nothing.
        guard let first = present.first else { return values.isEmpty ? .dynamic : .reference }
        func all<T>(_ pick: (DynamicValue) -> T?) -> [T]? {
            let picked = present.compactMap(pick)
            return picked.count == present.count ? picked : nil
        }
        var type = WireType.dynamic
        switch first {
        case .object:
            if all({ if case .object = $0 { $0 } else { nil } }) != nil { return .reference }
        case .array:
            if let arrays = all({ if case .array(let elements) = $0 { elements } else { nil } }) {
                type = .array(self.type(of: arrays.flatMap { $0 }))
            }
        case .dictionary:
            if let pairs = all({ if case .dictionary(let pairs) = $0 { pairs } else { nil } }) {
                let joined = pairs.flatMap { $0 }
                let key = self.type(of: joined.map(\.key))
                type = .dictionary(key, self.type(of: joined.map(\.value)))
            }
        case .structure(let one):
            if let structures = all({ if case .structure(let structure) = $0 { structure } else { nil } }),
                structures.allSatisfy({ $0.typeName == one.typeName && $0.version == one.version })
            {
                type = self.type(of: structures)
            }
        case .enumeration(let one):
            if let items = all({ if case .enumeration(let item) = $0 { item } else { nil } }),
                items.allSatisfy({ $0.typeName == one.typeName })
            {
                type = self.type(of: items)
            }
        case .value(let value):
            if let leaf = WireType.leaf(of: value),
                all({ if case .value(let other) = $0, WireType.leaf(of: other) == leaf { leaf } else { nil } }) != nil
            {
                type = leaf
            } else if let kind = Self.integer(present) {
                type = .scalar(kind)
            }
        case .some:
            let inner = present.map { if case .some(let value) = $0 { value } else { $0 } }
            let payload = self.type(of: inner)
            if case .optional = payload { type = payload } else { type = .optional(payload) }
        default: break
        }
        // What an existential holds says itself whether it is nil.
        if case .dynamic = type { return type }
        return present.count == values.count ? type : .optional(type)
    }

    /// The integer that takes all of the values, if all are integers.
    private static func integer(_ values: [DynamicValue]) -> ScalarKind? {
        var isSmall = true
        var isPositive = true
        var isLarge = false
        for value in values {
            guard case .value(let given) = value, given is any FixedWidthInteger, let number = ArchivedNumber(given)
            else { return nil }
            if number.integer(Int64.self) == nil { isSmall = false }
            if number.integer(UInt128.self) == nil { isPositive = false }
            if number.integer(UInt64.self) == nil { isLarge = true }
        }
        if isSmall { return .int64 }
        if isPositive { return isLarge ? .uint128 : .uint64 }
        return .int128
    }

    /// The type of structs of one name, or of tuples: it has the properties of all of them.
    private mutating func type(of structures: [DynamicStructure]) -> WireType {
        var names: [String] = []
        for structure in structures {
            for name in structure.values.names where !names.contains(name) { names.append(name) }
        }
        var members: [WireType.Member] = []
        for name in names {
            members.append(.init(name: name, type: type(of: structures.map { $0.values[name] ?? .null })))
        }
        guard let first = structures.first, let name = first.typeName else { return .tuple(members) }
        let place = reserve()
        define(place, Definition(kind: .structure, name: name, version: first.version, members: members, cases: []))
        return .named(place)
    }

    /// The type of cases of one enum: it has those that occur.
    private mutating func type(of items: [DynamicCase]) -> WireType {
        var cases: [Definition.Case] = []
        for item in items where !cases.contains(where: { $0.name == item.name }) {
            var payload: WireType?
            let payloads = items.filter { $0.name == item.name }.compactMap(\.payload)
            if !payloads.isEmpty { payload = type(of: payloads) }
            cases.append(.init(name: item.name, rawValue: item.rawValue, payload: payload))
        }
        let place = reserve()
        define(
            place,
            Definition(kind: .enumeration, name: items.first?.typeName ?? "", version: 0, members: [], cases: cases))
        return .named(place)
    }
}

extension WireType {
    fileprivate static func leaf(of value: Any) -> WireType? {
        if value is CodableSnapshot { return .codable }
        guard let plan = try? PlanCache.shared.plan(for: Swift.type(of: value)) else { return nil }
        switch plan.shape {
        case .scalar(let kind): return .scalar(kind)
        case .string: return .string
        case .data: return .data
        default: return nil
        }
    }
}

extension GraphWriter {
    /// Meets the objects that a value without a Swift type refers to.
    mutating func walk(_ value: DynamicValue) throws(EncodingFailure) {
        try descend()
        defer { depth -= 1 }
        switch value {
        case .null: return
        case .value(let value):
            if let object = try referenced(value) {
                try collector.meet(keeping: object)
            } else if !(value is CodableSnapshot) {
                try walkExistential(value)
            }
        case .some(let value): try walk(value)
        case .array(let elements): for element in elements { try walk(element) }
        case .dictionary(let pairs):
            for (key, value) in pairs {
                try walk(key)
                try walk(value)
            }
        case .structure(let structure): for (_, value) in structure.values { try walk(value) }
        case .enumeration(let item): if let payload = item.payload { try walk(payload) }
        case .object(let reference):
            guard let object = reference.object else {
                throw EncodingFailure(
                    .unsupportedType, "A reference is archived before the archive that it is from was read.")
            }
            if reference.isConditional { return }
            if let object = try archived(object) { try collector.meet(keeping: object) }
        case .any(let any):
            _ = try collector.dynamicNumber(of: any)
            try walk(any.value)
        }
    }
}
