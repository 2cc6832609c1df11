// Room:   AmberModel / Plan. From a Swift type to its plan.
// Takes:  a type. Gives: the plans of the type and of every type in it, or an error that names the property.
// Touches: type metadata, through the Memory room.

internal import Foundation

/// Why a type can't be archived.
package struct SchemaFailure: Error {
    package enum Code { case unsupportedType, invalidRules }
    package var code: Code
    package var reason: String
}

/// Builds the plans of a type and of all types that it is made of.
///
/// Plans of types that are already published are taken from the cache. What a builder made is published at once, when
/// the whole is known to be sound; a failure publishes nothing.
struct PlanBuilder {
    private(set) var values: [ObjectIdentifier: ValuePlan] = [:]
    private(set) var classes: [ObjectIdentifier: ClassPlan] = [:]
    /// Property wrappers by their stored properties: apart from `values`, for elsewhere such a type can't be archived.
    private(set) var wrappers: [ObjectIdentifier: ValuePlan] = [:]
    /// Plans in the order in which they were begun, for what is computed at the end.
    private var order: [ValuePlan] = []

    // MARK: Values

    mutating func plan(for type: Any.Type) throws(SchemaFailure) -> ValuePlan {
        let id = ObjectIdentifier(type)
        if let known = values[id] ?? PlanCache.shared.publishedValue(id) { return known }
        let plan = ValuePlan(type)
        values[id] = plan
        order.append(plan)
        plan.shape = try shape(of: plan)
        return plan
    }

    private mutating func shape(of plan: ValuePlan) throws(SchemaFailure) -> Shape {
        let type = plan.type
        if let kind = BuiltInTypes.scalars[ObjectIdentifier(type)] { return .scalar(kind) }
        if type == String.self { return .string }
        if type == Data.self { return .data }
        if type == CodableSnapshot.self, let access = makeCodableAccess(type) { return .codable(access) }
        if type == AnyHashable.self {
            return .dynamic(DynamicPlan(access: HashableErasedAccess(), witnesses: plan.witnesses))
        }
        if let bridge = BuiltInTypes.bridge(for: type) {
            return .bridged(BridgedPlan(surrogate: try self.plan(for: bridge.surrogate), access: bridge.access))
        }
        if let array = type as? any BlockArray.Type {
            guard ArrayStorage.isVerified else {
                throw SchemaFailure(
                    code: .unsupportedType,
                    reason: "\(codingName(of: type)) can't be archived: this Swift runtime lays arrays out in a way "
                        + "that this version of Amber doesn't know. Update Amber.")
            }
            return .array(ArrayPlan(element: try self.plan(for: array.elementType), storage: array.makeStorage()))
        }
        if let collection = type as? any HashedCollection.Type {
            var value: ValuePlan?
            if let valueType = collection.valueType { value = try self.plan(for: valueType) }
            return .collection(
                CollectionPlan(
                    key: try self.plan(for: collection.keyType), value: value, access: collection.makeAccess()))
        }
        switch runtimeKind(of: type) {
        case .optional:
            guard let optional = type as? any OptionalType.Type else { throw unsupported(type) }
            let payload = try self.plan(for: optional.wrappedType)
            return .optional(OptionalPlan(payload: payload, test: optionalTest(payload)))
        case .tuple: return .structure(try tuplePlan(type))
        case .existential: return .dynamic(DynamicPlan(access: makeErasedAccess(type), witnesses: plan.witnesses))
        case .enumeration: return try enumerationShape(plan)
        case .objectClass:
            guard let object = type as? AnyClass, type is any ModelProtocol.Type else {
                if let access = makeCodableAccess(type) { return .codable(access) }
                throw unsupported(type)
            }
            return .reference(ReferencePlan(base: object))
        case .structure:
            if type is any ModelProtocol.Type || BuiltInTypes.isTransparent(type) {
                return .structure(try structurePlan(plan))
            }
            if let access = makeCodableAccess(type) { return .codable(access) }
            if type is any RawRepresentable.Type { return .structure(try structurePlan(plan)) }
            throw unsupported(type)
        case .function, .metatype, .other: throw unsupported(type)
        }
    }

    /// An enum is archived by its cases; one whose payloads can't be archived may still be Codable.
    private mutating func enumerationShape(_ plan: ValuePlan) throws(SchemaFailure) -> Shape {
        let before = self
        do throws(SchemaFailure) {
            return .enumeration(try enumerationPlan(plan))
        } catch {
            guard let access = makeCodableAccess(plan.type) else { throw error }
            // What was begun for the payloads is not whole.
            self = before
            return .codable(access)
        }
    }

    private func unsupported(_ type: Any.Type) -> SchemaFailure {
        SchemaFailure(
            code: .unsupportedType,
            reason: "\(codingName(of: type)) can't be archived. Make it a Model or Codable.")
    }

    private func optionalTest(_ payload: ValuePlan) -> OptionalPlan.Test {
        switch payload.shape {
        case .reference, .array: return .zeroWord(offset: 0)
        case .string: return .zeroWord(offset: 8)
        case .scalar(.bool): return .byte(offset: 0, none: 2)
        case .scalar: return .byte(offset: payload.size, none: 1)
        default: return .witness
        }
    }

    // MARK: Structs, tuples, enums

    private mutating func tuplePlan(_ type: Any.Type) throws(SchemaFailure) -> StructurePlan {
        let structure = StructurePlan(name: nil, rules: ModelRules(), model: nil)
        for (index, field) in runtimeFields(of: type).enumerated() {
            let name = field.name.isEmpty || field.name == ".\(index)" ? "\(index)" : field.name
            structure.fields.append(
                FieldPlan(
                    name: name, sourceName: name, formerNames: [], offset: field.offset,
                    plan: try plan(for: field.type), ownership: .strong, isConditional: false, fallback: .none))
        }
        return structure
    }

    private mutating func structurePlan(_ plan: ValuePlan) throws(SchemaFailure) -> StructurePlan {
        let rules = (plan.type as? any ModelProtocol.Type)?.rules ?? ModelRules()
        let model = (plan.type as? any ModelProtocol.Type).map { makeModelAccess($0) }
        let structure = StructurePlan(
            name: rules.name ?? codingName(of: plan.type), rules: rules, model: model)
        let hasInitializer = model.map { $0.canMakeValue(of: plan) } ?? false
        (structure.fields, structure.omitted) = try fields(
            of: plan.type, rules: rules, hasInitializer: hasInitializer)
        return structure
    }

    private mutating func enumerationPlan(_ plan: ValuePlan) throws(SchemaFailure) -> EnumerationPlan {
        let rules = (plan.type as? any ModelProtocol.Type)?.rules ?? ModelRules()
        let enumeration = EnumerationPlan(name: rules.name ?? codingName(of: plan.type), rules: rules)
        guard let cases = runtimeCases(of: plan.type) else { throw unsupported(plan.type) }
        // A single case without payload takes no memory, and has no witnesses to ask.
        for found in cases {
            var payload: ValuePlan?
            if let payloadType = found.payload {
                do throws(SchemaFailure) {
                    payload = try self.plan(for: payloadType)
                } catch {
                    throw SchemaFailure(
                        code: error.code, reason: "\(codingName(of: plan.type)).\(found.name): \(error.reason)")
                }
            }
            enumeration.cases.append(
                .init(name: found.name, rawValue: nil, payload: payload, isIndirect: found.isIndirect))
        }
        if cases.allSatisfy({ $0.payload == nil }) {
            describePlainCases(of: plan, in: enumeration)
        }
        if let fallback = rules.unknownCase, !cases.contains(where: { $0.name == fallback && $0.payload == nil }) {
            throw SchemaFailure(
                code: .invalidRules,
                reason: "The rules of \(codingName(of: plan.type)) name a case `\(fallback)` that it doesn't have, or that "
                    + "has a payload.")
        }
        return enumeration
    }

    // MARK: Properties

    mutating func fields(
        of type: Any.Type, rules: ModelRules, hasInitializer: Bool
    ) throws(SchemaFailure) -> ([FieldPlan], [OmittedField]) {
        let owner = codingName(of: type)
        let stored = runtimeFields(of: type)
        let isObserved = stored.contains { $0.name == "_$observationRegistrar" }
        var kept: [FieldPlan] = []
        var omitted: [OmittedField] = []
        var known: Set<String> = []
        for field in stored {
            let isSynthesized = field.name.hasPrefix("_") && (isObserved || isWrapper(field.type))
            var fallback: Fallback = runtimeKind(of: field.type) == .optional ? .empty : .none
            var isOmitted = false
            var sourceName: String
            switch SourceName(stored: field.name, isSynthesized: isSynthesized) {
            case .lazy(let name): (sourceName, isOmitted, fallback) = (name, true, .empty)
            case .registrar:
                (sourceName, isOmitted, fallback) = (field.name, true, BuiltInTypes.makeRegistrar)
            case .property(let name): sourceName = name
            }
            // Two properties can't share a name: `_x` beside `x` stays `_x`.
            if !known.insert(sourceName).inserted {
                sourceName = field.name
                known.insert(sourceName)
            }
            if rules.excluded.contains(sourceName) || isFunction(field.type) { isOmitted = true }
            if field.type == UnknownProperties.self, !isOmitted {
                guard type is AnyClass else {
                    throw SchemaFailure(
                        code: .unsupportedType,
                        reason: "\(owner).\(sourceName): only classes keep unknown properties. Make \(owner) a class.")
                }
                (isOmitted, fallback) = (true, makeFallback { UnknownProperties() })
            }
            // The optimiser may have put a constant's initial value wherever it is read: `init()` has the last word.
            if hasInitializer, !field.isVariable, field.ownership == .strong { isOmitted = true }
            if isOmitted {
                omitted.append(
                    OmittedField(
                        sourceName: sourceName, offset: field.offset,
                        plan: WitnessedType(field.type, ownership: field.ownership), fallback: fallback))
                continue
            }
            kept.append(
                try property(field, named: sourceName, owner: owner, rules: rules, fallback: fallback,
                    isWrapped: isSynthesized))
        }
        if let unknown = rules.namedProperties.subtracting(known).sorted().first {
            throw SchemaFailure(
                code: .invalidRules,
                reason: "The rules of \(owner) name a property `\(unknown)` that it doesn't store. "
                    + "It has: \(known.sorted().joined(separator: ", ")).")
        }
        if let twice = firstDuplicate(kept.map(\.name)) {
            throw SchemaFailure(
                code: .invalidRules, reason: "Two properties of \(owner) are stored as `\(twice)`. Rename one of them.")
        }
        return (kept, omitted)
    }

    private mutating func property(
        _ field: RuntimeField, named name: String, owner: String, rules: ModelRules, fallback: Fallback,
        isWrapped: Bool
    ) throws(SchemaFailure) -> FieldPlan {
        func failure(_ reason: String, _ code: SchemaFailure.Code = .unsupportedType) -> SchemaFailure {
            SchemaFailure(
                code: code,
                reason: "\(owner).\(name): \(reason) Or leave the property out: "
                    + "`static var rules: ModelRules { ModelRules().excluding(\"\(name)\") }`.")
        }
        if field.ownership == .unknown {
            throw failure("The runtime doesn't tell how this reference is held. Make it strong, weak or unowned.")
        }
        let isReference = field.ownership != .strong
        var type = field.type
        if isReference, let optional = type as? any OptionalType.Type { type = optional.wrappedType }
        let plan: ValuePlan
        do throws(SchemaFailure) {
            plan = isWrapped && isWrapper(type) ? try wrapperPlan(type) : try self.plan(for: type)
        } catch {
            throw failure(error.reason, error.code)
        }
        if isReference {
            guard case .reference = plan.shape else {
                throw failure("A weak or unowned reference to \(codingName(of: type)) can't be archived.")
            }
        }
        let rule = rules.references[name]
        if rule == .conditional, !isReference, !plan.shape.canLoseObjects {
            throw failure("Only Optional references, and arrays of them, can be conditional.", .invalidRules)
        }
        return FieldPlan(
            name: rules.renamed[name] ?? name, sourceName: name, formerNames: rules.formerPropertyNames[name] ?? [],
            offset: field.offset, plan: plan, ownership: field.ownership,
            isConditional: rule.map { $0 == .conditional } ?? isReference,
            fallback: isReference ? (fallback.isEmpty ? .empty : .none) : fallback)
    }

    /// A property wrapper is archived by its stored properties, model or not.
    private mutating func wrapperPlan(_ type: Any.Type) throws(SchemaFailure) -> ValuePlan {
        if type is any ModelProtocol.Type || type is any RawRepresentable.Type || makeCodableAccess(type) != nil {
            return try plan(for: type)
        }
        let id = ObjectIdentifier(type)
        if let known = wrappers[id] ?? PlanCache.shared.publishedWrapper(id) { return known }
        let plan = ValuePlan(type)
        wrappers[id] = plan
        order.append(plan)
        plan.shape = .structure(try structurePlan(plan))
        return plan
    }

    /// Whether a type is a struct that nothing but its own module knows: a property wrapper, if its storage has an
    /// underscore.
    private func isWrapper(_ type: Any.Type) -> Bool {
        guard runtimeKind(of: type) == .structure else { return false }
        return BuiltInTypes.scalars[ObjectIdentifier(type)] == nil && type != String.self && type != Data.self
            && type != AnyHashable.self && BuiltInTypes.bridge(for: type) == nil && !(type is any BlockArray.Type)
            && !(type is any HashedCollection.Type) && !BuiltInTypes.isTransparent(type)
    }

    private func isFunction(_ type: Any.Type) -> Bool {
        if let optional = type as? any OptionalType.Type { return isFunction(optional.wrappedType) }
        return runtimeKind(of: type) == .function
    }

    private func firstDuplicate(_ names: [String]) -> String? {
        var seen: Set<String> = []
        return names.first { !seen.insert($0).inserted }
    }

    // MARK: Classes

    mutating func classPlan(for type: AnyClass) throws(SchemaFailure) -> ClassPlan {
        let id = ObjectIdentifier(type)
        if let known = classes[id] ?? PlanCache.shared.publishedClass(id) { return known }
        guard let model = type as? any ModelProtocol.Type else { throw unsupported(type) }
        let access = makeModelAccess(model)
        // A subclass inherits its parent's rules; names given there are the parent's own.
        var rules = model.rules
        if let parent = (runtimeSuperclass(of: type) as? any ModelProtocol.Type)?.rules {
            if parent.name == rules.name { rules.name = nil }
            rules.formerNames.removeAll { parent.formerNames.contains($0) }
        }
        let plan = ClassPlan(
            type: type, name: rules.name ?? codingName(of: type), rules: rules, model: access,
            hasInitializer: access.canMakeInstance(of: type))
        classes[id] = plan
        (plan.fields, plan.omitted) = try fields(of: type, rules: rules, hasInitializer: plan.hasInitializer)
        plan.unknownProperties = plan.omitted.first {
            $0.plan.type == UnknownProperties.self && !rules.excluded.contains($0.sourceName)
        }?.offset
        return plan
    }

    // MARK: What depends on the whole

    /// Computes what needs all plans: who reaches objects, which structs are plain memory.
    func finish() {
        var changed = true
        while changed {
            changed = false
            for plan in order where !plan.reachesObjects && plan.shape.reachesObjects {
                plan.reachesObjects = true
                changed = true
            }
            for plan in order where !plan.mayWait && plan.shape.mayWait {
                plan.mayWait = true
                changed = true
            }
        }
        for plan in classes.values {
            plan.setReferences()
            plan.flat = FlatPlan(plan.fields)
        }
        for plan in order {
            guard case .structure(let structure) = plan.shape else { continue }
            structure.references = structure.fields.references
            structure.flat = FlatPlan(structure.fields)
            structure.isPlain = plan.isPlain && plan.size <= 1 << 16
            structure.plainSize = plan.plainSize
        }
    }
}

extension Fallback {
    fileprivate var isEmpty: Bool {
        if case .empty = self { return true }
        return false
    }
}

extension Shape {
    /// Whether every object in a value can be replaced by `nil`.
    fileprivate var canLoseObjects: Bool {
        switch self {
        case .optional(let optional):
            if case .reference = optional.payload.shape { return true }
            return optional.payload.shape.canLoseObjects
        case .array(let array): return array.element.shape.canLoseObjects
        default: return false
        }
    }

    fileprivate var reachesObjects: Bool {
        switch self {
        case .pending, .scalar, .string, .data, .codable: false
        case .reference, .dynamic: true
        case .optional(let optional): optional.payload.reachesObjects
        case .structure(let structure): structure.fields.contains { $0.plan.reachesObjects }
        case .enumeration(let enumeration): enumeration.cases.contains { $0.payload?.reachesObjects ?? false }
        case .array(let array): array.element.reachesObjects
        case .collection(let collection):
            collection.key.reachesObjects || (collection.value?.reachesObjects ?? false)
        case .bridged(let bridged): bridged.surrogate.reachesObjects
        }
    }
}

extension Shape {
    fileprivate var mayWait: Bool {
        switch self {
        case .pending, .scalar, .string, .data, .codable, .reference, .dynamic: false
        case .optional(let optional): optional.payload.mayWait
        case .structure(let structure):
            structure.fields.contains { $0.plan.mayWait }
                || (structure.model != nil && structure.fields.contains { $0.plan.reachesObjects })
        case .enumeration(let enumeration): enumeration.cases.contains { $0.payload?.mayWait ?? false }
        case .array(let array): array.element.mayWait
        case .collection(let collection):
            collection.key.reachesObjects || (collection.value?.mayWait ?? false)
        case .bridged(let bridged): bridged.surrogate.reachesObjects
        }
    }
}

extension ValuePlan {
    /// Whether a value can hold a set of objects, a dictionary with objects as keys, or a value made of objects.
    package var hashesObjects: Bool {
        var seen: Set<ObjectIdentifier> = []
        func look(_ plan: ValuePlan) -> Bool {
            guard plan.mayWait, seen.insert(ObjectIdentifier(plan)).inserted else { return false }
            switch plan.shape {
            case .optional(let optional): return look(optional.payload)
            case .structure(let structure): return structure.fields.contains { look($0.plan) }
            case .enumeration(let enumeration): return enumeration.cases.contains { $0.payload.map(look) ?? false }
            case .array(let array): return look(array.element)
            case .collection(let collection):
                return collection.key.reachesObjects || (collection.value.map(look) ?? false)
            case .bridged(let bridged): return bridged.surrogate.reachesObjects && plan.type != DynamicCase.self
            case .pending, .scalar, .string, .data, .codable, .reference, .dynamic: return false
            }
        }
        return look(self)
    }

    /// Whether all leaves of values in archives are numbers that take any bits.
    fileprivate var isPlain: Bool {
        switch shape {
        case .scalar(let kind): kind.takesAnyBits
        case .structure(let structure):
            !structure.fields.isEmpty && structure.fields.allSatisfy { $0.ownership == .strong && $0.plan.isPlain }
        case .bridged(let bridged): bridged.surrogate.isPlain
        default: false
        }
    }

    /// Bytes of a value whose leaves are all plain numbers side by side, or `nil`.
    fileprivate var plainSize: Int? {
        switch shape {
        case .scalar(let kind): return kind.takesAnyBits ? kind.size : nil
        case .structure(let structure):
            guard structure.omitted.isEmpty, !structure.fields.isEmpty else { return nil }
            var end = 0
            for field in structure.fields {
                guard field.offset == end, let size = field.plan.plainSize else { return nil }
                end += size
            }
            return end == size ? end : nil
        default: return nil
        }
    }
}

/// Optional, without its generic parameter.
package protocol OptionalType {
    static var wrappedType: Any.Type { get }
}

extension Optional: OptionalType {
    package static var wrappedType: Any.Type { Wrapped.self }
}
