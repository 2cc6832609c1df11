// Room:   AmberModel / Plan. One plan per type, for the whole process.
// Takes:  a type. Gives: its plan, made on first use.
// Touches: a lock.

internal import Synchronization

/// The plans of all types met so far.
///
/// The lock is never held while user code (rules, `init()`) runs. Two threads may build the same type at the same time;
/// the plans are alike, and the first published is kept.
package final class PlanCache: Sendable {
    package static let shared = PlanCache()

    private struct Published: Sendable {
        var values: [ObjectIdentifier: ValuePlan] = [:]
        var classes: [ObjectIdentifier: ClassPlan] = [:]
        /// Classes by their names in archives, former ones included.
        var names: [String: ClassPlan] = [:]
        /// Types by their names in archives, for those that can't be found by a mangled one.
        var types: [String: ValuePlan] = [:]
    }

    private let published = Mutex(Published())

    /// The plan of a type.
    package func plan(for type: Any.Type) throws(SchemaFailure) -> ValuePlan {
        if let known = publishedValue(ObjectIdentifier(type)) { return known }
        var builder = PlanBuilder()
        let plan = try builder.plan(for: type)
        publish(builder)
        return publishedValue(ObjectIdentifier(type)) ?? plan
    }

    /// The plan of a model class.
    package func plan(for type: AnyClass) throws(SchemaFailure) -> ClassPlan {
        if let known = publishedClass(ObjectIdentifier(type)) { return known }
        var builder = PlanBuilder()
        let plan = try builder.classPlan(for: type)
        publish(builder)
        return publishedClass(ObjectIdentifier(type)) ?? plan
    }

    /// The class whose instances archives hold under `name`, if it has been met.
    package func classPlan(named name: String) -> ClassPlan? {
        published.withLock { $0.names[name] }
    }

    /// The type that archives hold under `name`, if it has been met.
    package func type(named name: String) -> Any.Type? {
        published.withLock { $0.types[name]?.type }
    }

    func publishedValue(_ id: ObjectIdentifier) -> ValuePlan? {
        published.withLock { $0.values[id] }
    }

    func publishedClass(_ id: ObjectIdentifier) -> ClassPlan? {
        published.withLock { $0.classes[id] }
    }

    private func publish(_ builder: PlanBuilder) {
        builder.finish()
        let (values, classes) = (builder.values, builder.classes)
        published.withLock { state in
            for (id, plan) in values where state.values[id] == nil {
                state.values[id] = plan
                state.types[codingName(of: plan.type)] = plan
            }
            for (id, plan) in classes where state.classes[id] == nil {
                state.classes[id] = plan
                for name in [plan.name] + plan.formerNames where state.names[name] == nil { state.names[name] = plan }
            }
        }
    }
}
