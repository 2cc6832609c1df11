// Room:   AmberBinary / Decoding. An archive's types against this program's: by layout, by name, by former name.
// Takes:  wire types, definitions and plans. Gives: read plans, or an error that says what doesn't match.
// Touches: plans.

internal import AmberModel
internal import Foundation

/// Makes read plans for the types of one archive.
struct SchemaMatcher {
    let definitions: [Definition]
    private struct Key: Hashable {
        var definition: Int
        var target: ObjectIdentifier
    }
    /// Plans of named types, so that recursive types end.
    private var known: [Key: ReadPlan] = [:]
    private let plainSizes: PlainSizes
    /// The plans of named types: those of recursive types refer to themselves, and are taken apart when they have served.
    var named: some Collection<ReadPlan> { known.values }
    /// How many definitions are being matched with each type.
    private var working: [ObjectIdentifier: Int] = [:]
    /// Hostile definitions can form chains of any length, which a recursive type would follow.
    private static let chainLimit = 8
    /// Whether types of newer versions are read by the names that this program knows.
    private let readsNewer: Bool

    init(_ definitions: [Definition], readsNewer: Bool = false) {
        self.definitions = definitions
        self.readsNewer = readsNewer
        plainSizes = PlainSizes(definitions)
    }

    /// The way from `wire` to the type of `target`.
    mutating func match(_ wire: WireType, _ target: ValuePlan) throws(DecodingFailure) -> ReadPlan {
        if case .named(let number) = wire {
            let key = Key(definition: number, target: ObjectIdentifier(target))
            if let plan = known[key] { return plan }
            working[key.target, default: 0] += 1
            defer { working[key.target, default: 0] -= 1 }
            guard working[key.target, default: 0] <= Self.chainLimit else {
                throw DecodingFailure(
                    .limitExceeded,
                    "The archive has more than \(Self.chainLimit) types, nested in each other, for "
                        + "\(codingName(of: target.type)).")
            }
            let plan = ReadPlan(target)
            known[key] = plan
            plan.resolve(try action(wire, target))
            return plan
        }
        let plan = ReadPlan(target)
        plan.resolve(try action(wire, target))
        return plan
    }

    private mutating func action(_ wire: WireType, _ target: ValuePlan) throws(DecodingFailure) -> ReadPlan.Action {
        switch (wire, target.shape) {
        case (.string, .bridged) where target.type == URL.self: return .made(wire)
        case (_, .bridged(let bridged)):
            return .bridged(try match(wire, bridged.surrogate), bridged)
        case (.scalar(let from), .scalar(let to)) where from == to || from.converts(to: to):
            return .scalar(from, to: to)
        case (.string, .string): return .string
        case (.data, .data): return .data
        case (.reference, .reference(let reference)): return .reference(reference, isOptional: false)
        case (.reference, .optional(let optional)):
            if case .dynamic = optional.payload.shape { return .made(wire) }
            guard case .reference(let reference) = optional.payload.shape else { break }
            return .reference(reference, isOptional: true)
        case (.dynamic, .dynamic(let dynamic)): return .dynamic(dynamic)
        case (_, .dynamic), (.dynamic, _): return .made(wire)
        case (.optional(let payload), .optional(let optional)):
            return .optional(try match(payload, optional.payload), optional)
        case (_, .optional(let optional)):
            return .wrapped(try match(wire, optional.payload), optional)
        case (.optional(let payload), _):
            return .unwrapped(try match(payload, target))
        case (.array(let element), .array(let array)), (.set(let element), .array(let array)):
            return .array(try match(element, array.element), array)
        case (.set(let element), .collection(let collection)), (.array(let element), .collection(let collection)):
            guard collection.value == nil else { break }
            return .collection(try match(element, collection.key), nil, collection)
        case (.dictionary(let key, let value), .collection(let collection)):
            guard let valuePlan = collection.value else { break }
            if key == .string, Self.isWritten(as: key, collection.key, isKey: true) { return .made(wire) }
            return .collection(try match(key, collection.key), try match(value, valuePlan), collection)
        case (.codable, .codable(let access)): return .codable(access)
        case (.tuple(let members), .structure(let structure)):
            guard structure.name == nil else { break }
            return .structure(try fields(members, structure, plainWireSize: plainSize(wire)), structure)
        case (.named(let number), .structure(let structure)):
            guard let definition = definition(number), definition.kind == .structure else { break }
            try checkVersion(definition, structure.version)
            if structure.migrations.apply(to: definition.version, below: structure.version) { return .made(wire) }
            return .structure(
                try fields(definition.members, structure, plainWireSize: plainSize(wire)), structure)
        case (.named(let number), .enumeration(let enumeration)):
            guard let definition = definition(number), definition.kind == .enumeration else { break }
            let plan = try cases(definition, enumeration)
            return carries(definition, enumeration, plan) ? .made(wire) : .enumeration(plan)
        default: break
        }
        if Self.isWritten(as: wire, target, isKey: false) { return .made(wire) }
        throw DecodingFailure(
            .typeMismatch,
            "The archive holds \(describe(wire)) where \(codingName(of: target.type)) is expected. "
                + "Read it as that type, or change the property's type back.")
    }

    /// Whether values of a type may be in the archive in a form that doesn't tell their type: what was made of a document or
    /// of a keyed archive by a program without the type.
    private static func isWritten(as wire: WireType, _ target: ValuePlan, isKey: Bool) -> Bool {
        switch (wire, target.shape) {
        case (.reference, .structure), (.reference, .enumeration), (.reference, .array), (.reference, .collection),
            (.reference, .scalar), (.reference, .string), (.reference, .data), (.reference, .optional),
            (.reference, .codable):
            // Nothing but nil is known of them.
            true
        case (.string, .scalar(let kind)): kind != .bool && (isKey || !kind.isInteger)
        case (.string, .data), (.string, .enumeration), (.dictionary(.string, _), .enumeration): true
        case (.scalar(let from), .enumeration): from.isInteger && from != .bool
        case (.scalar(let from), .scalar(let to)):
            from.converts(to: to) || from == .decimal && to.converts(to: .float64)
                || [.bool, .date, .decimal].contains(to) && from.converts(to: .float64)
        case (.dictionary(.string, _), .structure), (.array, .structure): true
        case (.named, .structure), (.tuple, .structure): false
        case (.array, .optional(let optional)):
            if case .optional = optional.payload.shape { true } else { false }
        case (.scalar, .codable), (.string, .codable), (.data, .codable), (.array, .codable),
            (.dictionary, .codable), (.optional, .codable):
            true
        default: false
        }
    }

    private func definition(_ number: Int) -> Definition? {
        number < definitions.count ? definitions[number] : nil
    }

    private func typeName(_ wire: WireType) -> String? {
        if case .named(let number) = wire { definition(number)?.name } else { nil }
    }

    private func checkVersion(_ definition: Definition, _ known: Int) throws(DecodingFailure) {
        guard definition.version <= known || readsNewer else {
            throw DecodingFailure(newer: definition.version, known, definition.name)
        }
    }

    /// Whether cases that one side doesn't know are kept by the other.
    private func carries(_ definition: Definition, _ enumeration: EnumerationPlan, _ plan: CasesPlan) -> Bool {
        let isCarried = definition.cases.contains { item in
            guard case .named(let number)? = item.payload else { return false }
            return self.definition(number)?.name == DynamicCase.archivedName
        }
        // Where both sides have the same cases, none can have become known since.
        if isCarried { return definition.cases.map(\.name) != enumeration.cases.map(\.name) }
        return plan.cases.contains { $0.tag == nil } && (enumeration.carrier != nil || enumeration.fallback != nil)
    }

    // MARK: Properties

    private mutating func fields(
        _ members: [WireType.Member], _ structure: StructurePlan, plainWireSize: Int?
    ) throws(DecodingFailure) -> FieldsPlan {
        try fields(
            members, structure.fields, structure.omitted, name: structure.name ?? "tuple", model: structure.model,
            plainWireSize: plainWireSize, plainSize: structure.plainSize)
    }

    /// The way from an archive's definition of a class to the class.
    mutating func match(_ definition: Definition, _ plan: ClassPlan) throws(DecodingFailure) -> FieldsPlan {
        try checkVersion(definition, plan.version)
        let keepsUnknown =
            plan.unknownProperties != nil
            && definition.members.contains { member in
                !plan.fields.contains { $0.name == member.name || $0.formerNames.contains(member.name) }
            }
        if keepsUnknown || plan.migrations.apply(to: definition.version, below: plan.version) {
            return slowFields(definition, plan, isUnknown: false)
        }
        return try fields(
            definition.members, plan.fields, plan.omitted, name: plan.name, model: plan.model, plainWireSize: nil,
            plainSize: nil)
    }

    /// The way from an archive's definition of a class to objects that are filled by way of dynamic values.
    func slowFields(
        _ definition: Definition, _ plan: ClassPlan, isUnknown: Bool, isForeign: Bool = false
    ) -> FieldsPlan {
        FieldsPlan(
            typeName: plan.name, steps: [], unfilled: [], model: plan.model, plainWireSize: nil, isPlainCopy: false,
            slow: SlowFields(definition: definition, isUnknown: isUnknown, isForeign: isForeign))
    }

    private mutating func fields(
        _ members: [WireType.Member], _ targets: [FieldPlan], _ omitted: [OmittedField], name: String,
        model: ModelAccess?, plainWireSize: Int?, plainSize: Int?
    ) throws(DecodingFailure) -> FieldsPlan {
        var free = Set(targets.indices)
        func take(_ matches: (FieldPlan) -> Bool) -> Int? {
            guard let index = targets.indices.first(where: { free.contains($0) && matches(targets[$0]) }) else {
                return nil
            }
            free.remove(index)
            return index
        }
        // Names go before former names, whatever the order.
        var chosen: [Int?] = []
        for member in members { chosen.append(take { $0.name == member.name }) }
        for (position, member) in members.enumerated() where chosen[position] == nil {
            chosen[position] = take { $0.formerNames.contains(member.name) }
        }
        var steps: [FieldsPlan.Step] = []
        for (member, index) in zip(members, chosen) {
            var destination: FieldsPlan.Destination?
            if let index {
                let field = targets[index]
                do throws(DecodingFailure) {
                    if let wrapper = field.wrapper, typeName(member.type) == field.wrapperName {
                        destination = .init(
                            offset: field.offset, ownership: .strong, plan: try match(member.type, wrapper))
                    } else {
                        destination = .init(
                            offset: field.offset, ownership: field.ownership,
                            plan: field.ownership.isStrong
                                ? try match(member.type, field.plan) : try matchReference(member.type, field))
                    }
                } catch {
                    throw error.within(.property(field.name))
                }
            }
            steps.append(.init(wire: member.type, destination: destination, name: member.name))
        }
        let missing = targets.indices.filter { free.contains($0) }.map { index in
            FieldsPlan.Unfilled(
                name: targets[index].name, offset: targets[index].offset, ownership: targets[index].ownership,
                witnesses: targets[index].plan.witnesses, fallback: targets[index].fallback)
        }
        let left = omitted.map {
            FieldsPlan.Unfilled(
                name: $0.sourceName, offset: $0.offset, ownership: $0.plan.ownership, witnesses: $0.plan.witnesses,
                fallback: $0.fallback)
        }
        return FieldsPlan(
            typeName: name, steps: steps, unfilled: missing + left, model: model, plainWireSize: plainWireSize,
            isPlainCopy: plainSize != nil && plainWireSize == plainSize && steps.areInPlace)
    }

    /// A weak or unowned property takes references only, and `nil` if it can hold it.
    private func matchReference(_ wire: WireType, _ field: FieldPlan) throws(DecodingFailure) -> ReadPlan {
        guard wire == .reference, case .reference(let reference) = field.plan.shape else {
            throw DecodingFailure(.typeMismatch, "The archive holds \(describe(wire)) where a reference is expected.")
        }
        let plan = ReadPlan(field.plan)
        plan.resolve(.reference(reference, isOptional: field.canBeNil))
        return plan
    }

    // MARK: Enums

    private mutating func cases(
        _ definition: Definition, _ enumeration: EnumerationPlan
    ) throws(DecodingFailure) -> CasesPlan {
        var cases: [CasesPlan.Case] = []
        for item in definition.cases {
            // A case keeps its meaning by its raw value, if both sides have them; else by its name.
            let tag =
                item.rawValue.flatMap { raw in enumeration.cases.firstIndex { $0.rawValue == raw } }
                ?? enumeration.cases.firstIndex {
                    $0.name == item.name && (item.rawValue == nil || $0.rawValue == nil)
                }
            var found = CasesPlan.Case(
                name: item.name, tag: tag.map { UInt32($0) }, isIndirect: false, wirePayload: item.payload, payload: nil
            )
            if let tag {
                let local = enumeration.cases[tag]
                found.isIndirect = local.isIndirect
                switch (item.payload, local.payload) {
                case (nil, nil): break
                case (let wire?, let plan?):
                    do throws(DecodingFailure) {
                        found.payload = try match(wire, plan)
                    } catch {
                        throw error.within(.property(item.name))
                    }
                default: found.tag = nil
                }
            }
            cases.append(found)
        }
        return CasesPlan(typeName: enumeration.name, cases: cases, tagSize: enumeration.tagSize)
    }

    /// The bytes of one value in a block of plain structs; `nil` if the type isn't plain.
    func plainSize(_ wire: WireType) -> Int? { plainSizes.size(ofStructure: wire) }

    // MARK: Words

    func describe(_ wire: WireType) -> String {
        switch wire {
        case .scalar(let kind): "\(kind)"
        case .string: "a String"
        case .data: "Data"
        case .optional(let payload): "an Optional of \(describe(payload))"
        case .array(let element): "an Array of \(describe(element))"
        case .set(let element): "a Set of \(describe(element))"
        case .dictionary(let key, let value): "a Dictionary of \(describe(key)) and \(describe(value))"
        case .tuple(let members): "a tuple of \(members.count)"
        case .named(let number): definition(number)?.name ?? "an undefined type"
        case .reference: "a reference to an object"
        case .dynamic: "a value of any type"
        case .codable: "a Codable value"
        }
    }
}

extension [FieldsPlan.Step] {
    /// Whether every number goes where it stands in a block of plain structs, in its own kind.
    fileprivate var areInPlace: Bool {
        var next = 0
        for step in self {
            guard let destination = step.destination, destination.offset == next else { return false }
            switch destination.plan.action {
            case .scalar(let from, to: let to):
                guard from == to else { return false }
                next += from.size
            case .structure(let fields, _):
                guard fields.isPlainCopy, let size = fields.plainWireSize else { return false }
                next += size
            default: return false
            }
        }
        return true
    }
}

extension ScalarKind {
    /// Whether numbers of this kind are read into a property of another kind, each if it fits.
    func converts(to other: ScalarKind) -> Bool {
        let numbers: Set<ScalarKind> = [.int128, .uint128, .float32, .float64]
        func isNumber(_ kind: ScalarKind) -> Bool { (kind.isInteger && kind != .bool) || numbers.contains(kind) }
        return isNumber(self) && isNumber(other)
    }
}
