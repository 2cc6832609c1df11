// Room:   AmberModel / Conveniences. A model of a program's own, seen property by property.
// Takes:  an instance or a struct. Gives: its properties with their values; the plan that tells of them.
// Touches: instances through their plans.

/// A property of a model with the value that it has.
struct ModelPart {
    var field: FieldPlan
    /// The value, of the type of `plan`; `nil` for a weak or unowned reference without an object.
    var value: Any?
    var plan: ValuePlan { field.valuePlan }
}

enum ModelParts {
    /// The properties of a model that go to a destination; all if there is none.
    static func of(
        _ model: Any, to destination: ModelRules.Destinations? = nil
    ) throws -> [ModelPart] {
        let parts: [ModelPart]
        if type(of: model) is AnyClass {
            let object = model as AnyObject
            let plan: ClassPlan = try PlanCache.shared.plan(for: Swift.type(of: object))
            parts = try plan.places.fields.map { ModelPart(field: $0, value: try plan.value(of: $0, in: object)) }
        } else {
            let plan: ValuePlan = try PlanCache.shared.plan(for: type(of: model))
            guard case .structure(let structure) = plan.shape, case .structure(let opened) = try plan.open(model) else {
                throw DecodingFailure(.unsupportedType, "\(codingName(of: type(of: model))) has no stored properties.")
            }
            var found: [ModelPart] = []
            for (field, item) in zip(structure.places.fields, opened) {
                // The value of a weak reference is an Optional of its object.
                let value: Any? = field.ownership.isStrong ? .some(item.part.value) : unwrapped(item.part.value)
                found.append(ModelPart(field: field, value: value))
            }
            parts = found
        }
        guard let destination else { return parts }
        return parts.filter { $0.field.destinations.contains(destination) }
    }

    /// The properties of a type that go to a destination.
    static func fields(of type: Any.Type, to destination: ModelRules.Destinations) throws -> [FieldPlan] {
        if let object = type as? AnyClass {
            let plan: ClassPlan = try PlanCache.shared.plan(for: object)
            return plan.places.fields(for: destination)
        }
        let plan: ValuePlan = try PlanCache.shared.plan(for: type)
        guard case .structure(let structure) = plan.shape else {
            throw DecodingFailure(.unsupportedType, "\(codingName(of: type)) has no stored properties.")
        }
        return structure.places.fields(for: destination)
    }
}

extension [FieldPlan] {
    /// The property of a name: its own first, then that in archives, then older ones.
    func property(_ name: String) -> Int? {
        firstIndex { $0.sourceName == name } ?? firstIndex { $0.name == name }
            ?? firstIndex { $0.formerNames.contains(name) }
    }
}

extension DecodingFailure {
    /// Whatever the model layer throws, as a failure of reading.
    init(any error: any Error) {
        switch error {
        case let failure as DecodingFailure: self = failure
        case let failure as SchemaFailure: self.init(failure)
        case let failure as EncodingFailure: self.init(.rejectedByHook, at: failure.path, failure.reason)
        case let missing as MissingValue:
            self.init(.missingValue, at: CodingPath([.property(missing.name)]), "\(missing)")
        case let invalid as ValidationError: self.init(.invalid, "`validate()` threw: \(invalid.error)")
        default: self.init(.typeMismatch, "\(error)")
        }
    }
}

extension OptionalType {
    /// The value in any number of Optionals; `nil` if one of them is nil.
    fileprivate var innermost: Any? {
        guard let value = wrappedValue else { return nil }
        return unwrapped(value)
    }
}

/// A value without the Optionals that it is in; `nil` if one of them is nil.
func unwrapped(_ value: Any) -> Any? {
    if let optional = value as? any OptionalType { return optional.innermost }
    return value
}
