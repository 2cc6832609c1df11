// Room:   AmberModel / Plan. Properties that are archived in a way of their own: transformed, checked, computed.
// Takes:  a stored field or a rule. Gives: the plan of the property, a bridge between what is stored and what is archived.
// Touches: type metadata, through the Memory room.

extension PlanBuilder {
    /// The plan of a property that is archived as another type.
    mutating func transformedPlan(
        _ field: RuntimeField, _ rule: Transformation, _ name: String, allowed: [Any.Type]?
    ) throws(SchemaFailure) -> ValuePlan {
        guard field.ownership.isStrong else {
            throw SchemaFailure(code: .invalidRules, reason: "Weak and unowned references can't be transformed.")
        }
        guard let way = rule.ways.first(where: { $0.value == field.type }) else {
            throw SchemaFailure(
                code: .invalidRules,
                reason: "Its transformer takes a \(rule.words), and the property is a \(codingName(of: field.type)).")
        }
        var surrogate = try plan(for: way.archived)
        if let allowed { surrogate = try checked(surrogate, allowed, name) }
        return ownPlan(
            field.type,
            .bridged(
                BridgedPlan(surrogate: surrogate, access: way.access, reason: .transformed, property: name)))
    }

    /// The plan of a property that takes values of some types only.
    mutating func checked(
        _ plan: ValuePlan, _ allowed: [Any.Type], _ name: String
    ) throws(SchemaFailure) -> ValuePlan {
        ownPlan(
            plan.type,
            .bridged(
                BridgedPlan(
                    surrogate: plan, access: CheckedAccess(plan, AllowedTypes(allowed)), reason: .checked,
                    property: name)))
    }

    /// The plan of a type whose values are archived as those of another.
    mutating func replacedPlan(_ type: any ReplacedValue.Type) throws(SchemaFailure) -> BridgedPlan {
        guard !(type is AnyClass) else {
            throw SchemaFailure(
                code: .invalidRules,
                reason: "\(codingName(of: type)) is a class: let it adopt ReplacedWhenEncoded, which keeps identity.",
                isComplete: true)
        }
        let bridge = type.replacementBridge
        var seen = [type as Any.Type]
        var next: Any.Type = bridge.surrogate
        while let replaced = next as? any ReplacedValue.Type {
            seen.append(next)
            next = replaced.replacementBridge.surrogate
            guard !seen.contains(where: { $0 == next }) else {
                throw SchemaFailure(
                    code: .invalidRules,
                    reason:
                        "\(codingName(of: type)) is replaced by itself in the end. Replace it by a type of its own.",
                    isComplete: true)
            }
        }
        return BridgedPlan(surrogate: try plan(for: bridge.surrogate), access: bridge.access)
    }

    /// The plan of a fixed number of elements side by side: that of a tuple of them.
    mutating func fixedPlan(_ type: any FixedElements.Type) throws(SchemaFailure) -> StructurePlan {
        let (elementType, count) = type.fixedElements
        guard count <= 4096 else {
            throw SchemaFailure(
                code: .unsupportedType,
                reason: "\(codingName(of: type)) can't be archived: it holds more than 4096 elements. Use an Array.")
        }
        let structure = StructurePlan(name: nil, rules: ModelRules(), model: nil)
        let element = try plan(for: elementType)
        structure.fields = (0..<count).map { index in
            FieldPlan(
                name: "\(index)", sourceName: "\(index)", formerNames: [], offset: index * element.stride,
                plan: element,
                ownership: .strong, isConditional: false, fallback: .none)
        }
        structure.places.fields = structure.fields
        return structure
    }

    /// The plan of a weak or unowned reference that takes objects of one class only.
    mutating func narrowed(_ plan: ValuePlan, to allowed: [Any.Type]) throws(SchemaFailure) -> ValuePlan {
        guard allowed.count == 1, let only = allowed[0] as? AnyClass, case .reference(let reference) = plan.shape,
            isSubclass(only, of: reference.base)
        else {
            throw SchemaFailure(
                code: .invalidRules,
                reason: "A weak or unowned reference can be narrowed to one subclass of its class only.")
        }
        return try self.plan(for: only as Any.Type)
    }

    /// The plan of a computed property, which takes no memory.
    mutating func computedProperty(
        _ rule: ComputedRule, of type: Any.Type, rules: ModelRules
    ) throws(SchemaFailure) -> FieldPlan {
        let owner = codingName(of: type)
        let isOwn =
            type == rule.owner
            || (type as? AnyClass).flatMap { own in (rule.owner as? AnyClass).map { isSubclass(own, of: $0) } } ?? false
        guard isOwn else {
            throw SchemaFailure(
                code: .invalidRules,
                reason: "\(owner).\(rule.name): it is computed of a \(codingName(of: rule.owner)), not of a \(owner).",
                isComplete: true)
        }
        var surrogate: ValuePlan
        do throws(SchemaFailure) {
            surrogate = try plan(for: rule.value)
            if let allowed = rules.allowed[rule.name] { surrogate = try checked(surrogate, allowed, rule.name) }
        } catch {
            if error.isComplete { throw error }
            throw SchemaFailure(code: error.code, reason: "\(owner).\(rule.name): \(error.reason)", isComplete: true)
        }
        let plan = ownPlan(
            Void.self,
            .bridged(
                BridgedPlan(surrogate: surrogate, access: rule.access, reason: .computed, property: rule.name)))
        return FieldPlan(
            name: rules.renamed[rule.name] ?? rule.name, sourceName: rule.name,
            formerNames: rules.formerPropertyNames[rule.name] ?? [], offset: 0, plan: plan, ownership: .strong,
            isConditional: false, fallback: makeFallback { () },
            destinations: .all.subtracting(rules.excludedDestinations[rule.name] ?? []),
            allowed: rules.allowed[rule.name].map { AllowedTypes($0) })
    }

    /// The class that declares the stored property at a position among all that a class has.
    func declaringClass(of position: Int, in type: Any.Type) -> String {
        guard var found = type as? AnyClass else { return codingName(of: type) }
        while let parent = runtimeSuperclass(of: found), runtimeFields(of: parent).count > position { found = parent }
        return String(codingName(of: found).split(separator: ".").last ?? "")
    }

    /// Refuses what can't wait for objects: its memory is zero until then.
    func checkWaiting() throws(SchemaFailure) {
        for plan in order {
            guard case .bridged(let bridged) = plan.shape, bridged.waits, !isDestroyedSafely(plan.type) else {
                continue
            }
            if bridged.reason == .type, plan.type is any ReplacedValue.Type {
                throw SchemaFailure(
                    code: .invalidRules,
                    reason:
                        "A \(codingName(of: plan.type)) can't wait for the objects in its replacement. Replace it by a type "
                        + "without objects, or store nothing in it but objects, arrays and Optionals of them, and numbers.",
                    isComplete: true)
            }
            guard bridged.reason == .transformed else { continue }
            throw SchemaFailure(
                code: .invalidRules,
                reason:
                    "`\(bridged.property ?? "")`: a \(codingName(of: plan.type)) can't wait for the objects that it is made of. "
                    + "Make the property a class, or an array or Optional of one, or transform it to a type without objects."
            )
        }
    }
}

/// Whether memory of a type that is all zero can be destroyed as if it held a value.
private func isDestroyedSafely(_ type: Any.Type) -> Bool {
    if ValueWitnesses(type).isTrivial || type == String.self { return true }
    if type is any BlockArray.Type || type is any HashedCollection.Type { return true }
    switch runtimeKind(of: type) {
    case .objectClass, .function: return true
    case .optional: return (type as? any OptionalType.Type).map { isDestroyedSafely($0.wrappedType) } ?? false
    case .structure, .tuple: return runtimeFields(of: type).allSatisfy { isDestroyedSafely($0.type) }
    default: return false
    }
}
