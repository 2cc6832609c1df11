// Room:   AmberModel / Plan. From a Swift type to its plan.
// Takes:  a type. Gives: the plans of the type and of every type in it, or an error that names the property.
// Touches: type metadata, through the Memory room.

internal import Foundation

/// Why a type can't be archived.
package struct SchemaFailure: Error {
    package enum Code { case unsupportedType, invalidRules }
    package var code: Code
    package var reason: String
    /// Whether the reason already names a property and what to do about it: those further out then add nothing.
    var isComplete = false

    package init(code: Code, reason: String, isComplete: Bool = false) {
        self.code = code
        self.reason = reason
        self.isComplete = isComplete
    }
}

/// Builds the plans of a type and of all types that it is made of.
///
/// Plans of types that are already published are taken from the cache. What a builder made is published at once, when
/// the whole is known to be sound; a failure publishes nothing.
struct PlanBuilder {
    private(set) var values: [ObjectIdentifier: ValuePlan] = [:]
    var classes: [ObjectIdentifier: ClassPlan] = [:]
    /// Property wrappers by their stored properties: apart from `values`, for elsewhere such a type can't be archived.
    var wrappers: [ObjectIdentifier: ValuePlan] = [:]
    /// Plans in the order in which they were begun, for what is computed at the end.
    var order: [ValuePlan] = []
    private var depth = 0
    /// How deep types may be nested in each other: archives name types, and could name one that overflows the stack.
    private let depthLimit: Int
    /// How many property wrappers, and what they keep their values in, are around the type at hand.
    var wrapperDepth = 0

    init(depthLimit: Int = 512) { self.depthLimit = depthLimit }

    // MARK: Values

    mutating func plan(for type: Any.Type) throws(SchemaFailure) -> ValuePlan {
        let id = ObjectIdentifier(type)
        if let known = values[id] ?? PlanCache.shared.publishedValue(id) { return known }
        depth += 1
        defer { depth -= 1 }
        guard depth <= depthLimit else {
            throw SchemaFailure(
                code: .unsupportedType,
                reason: "A type can't be archived whose parts are nested more than \(depthLimit) deep. "
                    + "Make one of them a class.")
        }
        if isEndless(type) { throw endless(type) }
        let outer = wrapperDepth
        wrapperDepth = 0
        defer { wrapperDepth = outer }
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
        if let replaced = type as? any ReplacedValue.Type { return .bridged(try replacedPlan(replaced)) }
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
        if let fixed = type as? any FixedElements.Type { return .structure(try fixedPlan(fixed)) }
        switch runtimeKind(of: type) {
        case .optional:
            guard let optional = type as? any OptionalType.Type else { throw unsupported(type) }
            let payload = try self.plan(for: optional.wrappedType)
            return .optional(OptionalPlan(payload: payload, test: optionalTest(payload, type)))
        case .tuple: return .structure(try tuplePlan(type))
        case .existential: return .dynamic(DynamicPlan(access: makeErasedAccess(type), witnesses: plan.witnesses))
        case .enumeration: return try enumerationShape(plan)
        case .objectClass:
            guard let object = type as? AnyClass, type is any ModelProtocol.Type else {
                if let access = makeCodableAccess(type) { return .codable(access) }
                if let object = type as? AnyClass, ForeignClasses.isDeclarable(object) {
                    ForeignClasses.declare(object)
                    return .dynamic(DynamicPlan(access: plan.erased, witnesses: plan.witnesses, base: object))
                }
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

    /// Whether a type is nested in others so deeply that it must come from a generic type that holds a larger one of
    /// its kind, as `Nest<T>` with a property of type `Nest<[T]>?` does: such a type is made of types without end.
    private func isEndless(_ type: Any.Type) -> Bool {
        let name = codingName(of: type).utf8
        var depth = 0
        var deepest = 0
        for byte in name {
            if byte == UInt8(ascii: "<") || byte == UInt8(ascii: "(") { depth += 1 }
            if byte == UInt8(ascii: ">") || byte == UInt8(ascii: ")") { depth -= 1 }
            deepest = max(deepest, depth)
        }
        return deepest > 48 || name.count > 1 << 14
    }

    private func endless(_ type: Any.Type) -> SchemaFailure {
        let name = codingName(of: type)
        return SchemaFailure(
            code: .unsupportedType,
            reason: "\(name.prefix(80))\(name.count > 80 ? "…" : "") can't be archived: it is nested too deeply in "
                + "generic types. Does a generic type hold a larger one of its kind?")
    }

    private func optionalTest(_ payload: ValuePlan, _ type: Any.Type) -> OptionalPlan.Test {
        if runtimeKind(of: payload.type) == .enumeration, let none = payload.witnesses.byteOfNone(in: type) {
            return .byte(offset: 0, none: none)
        }
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
        structure.places.fields = structure.fields
        return structure
    }

    mutating func structurePlan(_ plan: ValuePlan) throws(SchemaFailure) -> StructurePlan {
        let rules = (plan.type as? any ModelProtocol.Type)?.rules ?? ModelRules()
        let model = (plan.type as? any ModelProtocol.Type).map { makeModelAccess($0) }
        let structure = StructurePlan(
            name: rules.name ?? codingName(of: plan.type), rules: rules, model: model)
        let hasInitializer = model.map { $0.canMakeValue(of: plan) } ?? false
        (structure.places, structure.omitted) = try fields(
            of: plan.type, rules: rules, hasInitializer: hasInitializer)
        structure.fields = structure.places.fields(for: .binary)
        return structure
    }

    mutating func enumerationPlan(_ plan: ValuePlan) throws(SchemaFailure) -> EnumerationPlan {
        let rules = (plan.type as? any ModelProtocol.Type)?.rules ?? ModelRules()
        let enumeration = EnumerationPlan(name: rules.name ?? codingName(of: plan.type), rules: rules)
        guard let cases = runtimeCases(of: plan.type) else { throw unsupported(plan.type) }
        // A single case without payload takes no memory, and has no witnesses to ask.
        for found in cases {
            var payload: ValuePlan?
            if let payloadType = found.payload {
                do throws(SchemaFailure) {
                    payload =
                        wrapperDepth > 0 && isWrapper(payloadType)
                        ? try wrapperPlan(payloadType) : try self.plan(for: payloadType)
                } catch {
                    if error.isComplete { throw error }
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
                reason:
                    "The rules of \(codingName(of: plan.type)) name a case `\(fallback)` that it doesn't have, or that "
                    + "has a payload.")
        }
        return enumeration
    }

    // MARK: Properties

    mutating func fields(
        of type: Any.Type, rules: ModelRules, hasInitializer: Bool
    ) throws(SchemaFailure) -> (FieldPlaces, [OmittedField]) {
        let owner = codingName(of: type)
        let stored = runtimeFields(of: type)
        let isObserved = stored.contains { $0.name == "_$observationRegistrar" }
        var places = FieldPlaces()
        var omitted: [OmittedField] = []
        var known: Set<String> = []
        for (position, field) in stored.enumerated() {
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
                // A private property may have the name of one of a superclass, which keeps it.
                if !known.insert(sourceName).inserted {
                    sourceName = "\(declaringClass(of: position, in: type)).\(field.name)"
                    known.insert(sourceName)
                }
            }
            if let rule = rules.made[sourceName] {
                guard let way = rule.ways.first(where: { $0.type == field.type }), field.ownership.isStrong else {
                    throw SchemaFailure(
                        code: .invalidRules,
                        reason:
                            "\(owner).\(sourceName): `making` gives a \(codingName(of: rule.ways[0].type)); the property "
                            + "is a \(codingName(of: field.type)).")
                }
                fallback = way.fallback
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
            if field.type == ModelLife.self { (isOmitted, fallback) = (true, makeFallback { ModelLife() }) }
            // The optimiser may have put a constant's initial value wherever it is read: `init()` has the last word.
            if hasInitializer, !field.isVariable, field.ownership.isStrong { isOmitted = true }
            let destinations = ModelRules.Destinations.all.subtracting(rules.excludedDestinations[sourceName] ?? [])
            if isOmitted || destinations != .all, !hasInitializer, case .none = fallback {
                throw SchemaFailure(
                    code: .unsupportedType,
                    reason:
                        "\(owner).\(sourceName) is left out of archives, and \(owner) has no `init()` that could give it "
                        + "a value when it is read. Make it an Optional, give it a value by `making` in the type's rules, or "
                        + "give the type an `init()`.",
                    isComplete: true)
            }
            if !field.isCopyable, !isOmitted || !hasInitializer {
                let reason =
                    hasInitializer
                    ? "Leave it out: `static var rules: ModelRules { ModelRules().excluding(\"\(sourceName)\") }`."
                    : "Give \(owner) an `init()` that makes it, or keep it in a class of its own in an Optional that is left out."
                throw SchemaFailure(
                    code: .unsupportedType,
                    reason:
                        "\(owner).\(sourceName): values of its type can't be copied, and so not archived. \(reason)",
                    isComplete: true)
            }
            var left = OmittedField(
                sourceName: sourceName, offset: field.offset,
                plan: WitnessedType(field.type, ownership: field.ownership), fallback: fallback)
            left.isCopyable = field.isCopyable
            if isOmitted || !destinations.contains(.binary) { omitted.append(left) }
            if isOmitted {
                places.hidden.append(left)
                continue
            }
            var plan = try property(
                field, named: sourceName, owner: owner, rules: rules, fallback: fallback, isWrapped: isSynthesized)
            plan.destinations = destinations
            places.fields.append(plan)
        }
        for rule in rules.computed {
            guard known.insert(rule.name).inserted else {
                throw SchemaFailure(
                    code: .invalidRules,
                    reason: "The rules of \(owner) compute a property `\(rule.name)`, which it stores.")
            }
            places.fields.append(try computedProperty(rule, of: type, rules: rules))
        }
        if let unknown = rules.namedProperties.subtracting(known).sorted().first {
            throw SchemaFailure(
                code: .invalidRules,
                reason: "The rules of \(owner) name a property `\(unknown)` that it doesn't store. "
                    + "It has: \(known.sorted().joined(separator: ", ")).")
        }
        if let twice = firstDuplicate(places.fields.map(\.name)) {
            throw SchemaFailure(
                code: .invalidRules, reason: "Two properties of \(owner) are stored as `\(twice)`. Rename one of them.")
        }
        return (places, omitted)
    }

    private mutating func property(
        _ field: RuntimeField, named name: String, owner: String, rules: ModelRules, fallback: Fallback,
        isWrapped: Bool
    ) throws(SchemaFailure) -> FieldPlan {
        func failure(_ reason: String, _ code: SchemaFailure.Code = .unsupportedType) -> SchemaFailure {
            SchemaFailure(
                code: code,
                reason: "\(owner).\(name): \(reason) Or leave the property out: "
                    + "`static var rules: ModelRules { ModelRules().excluding(\"\(name)\") }`.",
                isComplete: true)
        }
        if field.ownership == .unknown {
            throw failure("The runtime doesn't tell how this reference is held. Make it strong, weak or unowned.")
        }
        var (field, fallback) = (field, fallback)
        var whole: ValuePlan?
        var only: FieldPlan?
        var plan: ValuePlan
        do throws(SchemaFailure) {
            if field.ownership.isStrong, isWrapped || wrapperDepth > 0, isWrapper(field.type) {
                whole = try wrapperPlan(field.type)
                only = whole?.onlyField
                // A rule may speak of the wrapper.
                if let rule = rules.transformed[name],
                    rule.ways.contains(where: { [type = field.type] in $0.value == type })
                {
                    only = nil
                }
                if let only {
                    (field.type, field.ownership) = (only.plan.type, only.ownership)
                    if case .none = fallback { fallback = only.fallback }
                }
            }
            if let rule = rules.transformed[name] {
                plan = try transformedPlan(field, rule, name, allowed: rules.allowed[name])
            } else {
                if let known = only?.plan ?? whole {
                    plan = known
                } else if field.ownership == .weak, let held = HeldExistential(field.referredType) {
                    field.ownership = .weakExistential(held)
                    plan = ownPlan(field.referredType, .reference(ReferencePlan(base: AnyModelClass.self)))
                } else {
                    plan = try self.plan(for: field.referredType)
                }
                if let allowed = rules.allowed[name] {
                    plan =
                        try field.ownership.isStrong ? checked(plan, allowed, name) : narrowed(plan, to: allowed)
                }
            }
        } catch {
            if error.isComplete { throw error }
            throw failure(error.reason, error.code)
        }
        let isReference = !field.ownership.isStrong
        if isReference {
            guard case .reference = plan.shape else {
                throw failure(
                    "A weak or unowned reference to \(codingName(of: field.referredType)) can't be archived. Refer to a Model "
                        + "class.")
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
            fallback: isReference ? (fallback.isEmpty ? .empty : .none) : fallback,
            allowed: rules.allowed[name].map { AllowedTypes($0) }, wrapper: only == nil ? nil : whole)
    }

    /// A plan that is not shared by other values of its type.
    mutating func ownPlan(_ type: Any.Type, _ shape: Shape) -> ValuePlan {
        let plan = ValuePlan(type)
        plan.shape = shape
        order.append(plan)
        return plan
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
        if type is any Actor.Type {
            throw SchemaFailure(
                code: .unsupportedType,
                reason: "\(codingName(of: type)) is an actor, whose properties can't be read from outside. Archive a "
                    + "struct that it makes of its state.")
        }
        let access = makeModelAccess(model)
        let rules = ModelRules.combined(of: model)
        let plan = ClassPlan(
            type: type, name: rules.name ?? codingName(of: type), rules: rules, model: access,
            hasInitializer: access.canMakeInstance(of: type))
        classes[id] = plan
        if plan.isSetUp, !plan.hasInitializer {
            throw SchemaFailure(
                code: .invalidRules,
                reason:
                    "\(codingName(of: type)) is set up when it is made, and has no `init()` to be made by. Give it one.",
                isComplete: true)
        }
        (plan.places, plan.omitted) = try fields(of: type, rules: rules, hasInitializer: plan.hasInitializer)
        plan.fields = plan.places.fields(for: .binary)
        plan.unknownProperties =
            plan.omitted.first {
                $0.plan.type == UnknownProperties.self && !rules.excluded.contains($0.sourceName)
            }?.offset
        return plan
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
        case .bridged(let bridged): return bridged.reason == .checked && bridged.surrogate.shape.canLoseObjects
        default: return false
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
