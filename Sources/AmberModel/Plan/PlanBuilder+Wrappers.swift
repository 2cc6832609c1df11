// Room:   AmberModel / Plan. Property wrappers: types that nobody made models, archived by what they store.
// Takes:  the type of a stored property. Gives: its plan; and the one property in it that stands for all of it.
// Touches: type metadata, through the Memory room.

internal import Foundation

extension PlanBuilder {
    /// A property wrapper is archived by its stored properties, model or not.
    mutating func wrapperPlan(_ type: Any.Type) throws(SchemaFailure) -> ValuePlan {
        if type is any ModelProtocol.Type || type is any RawRepresentable.Type || makeCodableAccess(type) != nil {
            return try plan(for: type)
        }
        let id = ObjectIdentifier(type)
        if let known = wrappers[id] ?? PlanCache.shared.publishedWrapper(id) { return known }
        let plan = ValuePlan(type)
        wrappers[id] = plan
        order.append(plan)
        wrapperDepth += 1
        defer { wrapperDepth -= 1 }
        switch type {
        case let object as AnyClass:
            plan.shape = .reference(ReferencePlan(base: object))
            try wrapperClassPlan(object)
        default:
            plan.shape =
                runtimeKind(of: type) == .enumeration
                ? .enumeration(try enumerationPlan(plan)) : .structure(try structurePlan(plan))
        }
        return plan
    }

    /// The plan of a class that property wrappers keep their values in: by its stored properties, model or not.
    mutating func wrapperClassPlan(_ type: AnyClass) throws(SchemaFailure) {
        let id = ObjectIdentifier(type)
        if classes[id] ?? PlanCache.shared.publishedClass(id) != nil { return }
        let plan = ClassPlan(
            type: type, name: codingName(of: type), rules: ModelRules(), model: PlainAccess(), hasInitializer: false)
        classes[id] = plan
        (plan.places, plan.omitted) = try fields(of: type, rules: ModelRules(), hasInitializer: false)
        plan.fields = plan.places.fields(for: .binary)
    }

    /// Whether a type is a struct that nothing but its own module knows: a property wrapper, if its storage has an
    /// underscore.
    func isWrapper(_ type: Any.Type) -> Bool {
        switch runtimeKind(of: type) {
        case .objectClass:
            guard let object = type as? AnyClass, !ForeignClasses.isDeclarable(object) else { return false }
            return !(type is any ModelProtocol.Type) && !(type is any Actor.Type) && makeCodableAccess(type) == nil
        // What a wrapper keeps its value in may have cases that only the wrapper knows.
        case .enumeration:
            guard wrapperDepth > 0, !(type is any ModelProtocol.Type), makeCodableAccess(type) == nil else {
                return false
            }
            var copy = self
            return (try? copy.plan(for: type)) == nil
        case .structure: break
        default: return false
        }
        return BuiltInTypes.scalars[ObjectIdentifier(type)] == nil && type != String.self && type != Data.self
            && type != AnyHashable.self && BuiltInTypes.bridge(for: type) == nil && !(type is any BlockArray.Type)
            && !(type is any HashedCollection.Type) && !BuiltInTypes.isTransparent(type)
    }
}

extension ValuePlan {
    /// The property of a wrapper that stores nothing else, and so is all of its memory.
    ///
    /// Such a wrapper is archived as what it wraps: a property is read and written as before when it gains or loses one.
    var onlyField: FieldPlan? {
        guard case .structure(let structure) = shape, structure.model == nil, structure.places.hidden.isEmpty,
            structure.places.fields.count == 1, let field = structure.places.fields.first, field.offset == 0
        else { return nil }
        return field
    }
}

extension RuntimeField {
    /// The type of the value, or of the object that a weak or unowned property may refer to.
    var referredType: Any.Type {
        guard !ownership.isStrong, let optional = type as? any OptionalType.Type else { return type }
        return optional.wrappedType
    }
}
