// Room:   AmberReadable / Writing. What a type's own `init()` leaves in its properties.
// Takes:  a model type. Gives: which properties are nil then, so that they may be left out when they are nil.
// Touches: one instance of the type, made by its `init()` when it is first asked.

internal import AmberModel
internal import Synchronization

/// The properties of one type that are nil unless somebody sets them.
final class DefaultValues: Sendable {
    private let type: Any.Type
    private let found = Mutex<Set<String>?>(nil)

    init(of type: Any.Type) { self.type = type }

    /// Whether a property is nil in a new instance, or if nothing gives it a value.
    func isNil(_ property: String) -> Bool {
        if let known = found.withLock({ $0 }) { return !known.contains(property) }
        let filled = filled()
        found.withLock { $0 = filled }
        return !filled.contains(property)
    }

    /// The properties that have a value in a new instance.
    private func filled() -> Set<String> {
        var names: Set<String> = []
        if let type = type as? AnyClass {
            guard let plan: ClassPlan = try? PlanCache.shared.plan(for: type), plan.hasInitializer,
                let builder = try? InstanceBuilder(plan)
            else { return [] }
            defer { builder.abandon() }
            for field in plan.places.fields {
                if let value = (try? plan.value(of: field, in: builder.unfinished)) ?? nil, !isNone(value) {
                    names.insert(field.name)
                }
            }
        } else if let plan: ValuePlan = try? PlanCache.shared.plan(for: type),
            let made = try? plan.close(.structure([])),
            case .structure(let fields)? = try? plan.open(made)
        {
            for field in fields where !isNone(field.part.value) { names.insert(field.name) }
        }
        return names
    }

    private func isNone(_ value: Any) -> Bool { DynamicValue(value).isNull }
}
