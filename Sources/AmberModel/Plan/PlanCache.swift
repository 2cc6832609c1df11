// Room:   AmberModel / Plan. One plan per type, for the whole process.
// Takes:  a type. Gives: its plan, made on first use.
// Touches: a lock.

internal import Synchronization

/// The plans of all types met so far.
///
/// The lock is never held while user code (rules, `init()`) runs. Two threads may build the same type at the same time;
/// the first published is kept, and the other thread builds again on top of it.
package final class PlanCache: Sendable {
    package static let shared = PlanCache()

    private struct Published: Sendable {
        var values: [ObjectIdentifier: ValuePlan] = [:]
        var wrappers: [ObjectIdentifier: ValuePlan] = [:]
        var classes: [ObjectIdentifier: ClassPlan] = [:]
        /// Classes by their names in archives. Private and local classes of different places share names.
        var names: [String: [ClassPlan]] = [:]
        var formerNames: [String: [ClassPlan]] = [:]
        /// Types by their names in archives, for those that can't be found by a mangled one.
        var types: [String: [ValuePlan]] = [:]
    }

    private let published = Mutex(Published())

    /// The plan of a type.
    package func plan(for type: Any.Type) throws(SchemaFailure) -> ValuePlan {
        try plan(for: type, PlanBuilder())
    }

    /// The plan of a type that an archive names, which may be nested for the purpose of overflowing the stack.
    package func plan(forNamed type: Any.Type) throws(SchemaFailure) -> ValuePlan {
        try plan(for: type, PlanBuilder(depthLimit: 32))
    }

    private func plan(for type: Any.Type, _ empty: PlanBuilder) throws(SchemaFailure) -> ValuePlan {
        if let known = publishedValue(ObjectIdentifier(type)) { return known }
        while true {
            var builder = empty
            _ = try builder.plan(for: type)
            try publish(builder)
            if let plan = publishedValue(ObjectIdentifier(type)) { return plan }
        }
    }

    /// The plan of a model class.
    package func plan(for type: AnyClass) throws(SchemaFailure) -> ClassPlan {
        if let known = publishedClass(ObjectIdentifier(type)) { return known }
        while true {
            var builder = PlanBuilder()
            _ = try builder.classPlan(for: type)
            try publish(builder)
            if let plan = publishedClass(ObjectIdentifier(type)) { return plan }
        }
    }

    /// The classes met so far whose instances archives hold under `name`.
    package func classPlans(named name: String) -> [ClassPlan] {
        published.withLock { $0.names[name] ?? [] }
    }

    /// The classes met so far whose instances older archives hold under `name`.
    package func classPlans(formerlyNamed name: String) -> [ClassPlan] {
        published.withLock { $0.formerNames[name] ?? [] }
    }

    /// The type that archives hold under `name`, if it has been met.
    package func type(named name: String) -> Any.Type? {
        published.withLock { state in
            guard let found = state.types[name], found.count == 1 else { return nil }
            return found[0].type
        }
    }

    /// Whether more than one type, private ones of different places, goes by a name: none of them is found by it.
    package func isAmbiguous(_ name: String) -> Bool {
        published.withLock { ($0.types[name]?.count ?? 0) > 1 }
    }

    func publishedValue(_ id: ObjectIdentifier) -> ValuePlan? {
        published.withLock { $0.values[id] }
    }

    func publishedWrapper(_ id: ObjectIdentifier) -> ValuePlan? {
        published.withLock { $0.wrappers[id] }
    }

    /// Whether instances of a class are archived by their stored properties, though it may be no model: one that a
    /// property wrapper keeps its value in.
    package func archivesByProperties(_ type: AnyClass) -> Bool { publishedClass(ObjectIdentifier(type)) != nil }

    func publishedClass(_ id: ObjectIdentifier) -> ClassPlan? {
        published.withLock { $0.classes[id] }
    }

    /// Publishes all plans of a builder, or none if another thread has published one of them meanwhile: plans refer to
    /// each other, and each type must have but one.
    private func publish(_ builder: PlanBuilder) throws(SchemaFailure) {
        try builder.finish()
        let (values, wrappers, classes) = (builder.values, builder.wrappers, builder.classes)
        published.withLock { state in
            guard values.keys.allSatisfy({ state.values[$0] == nil }),
                wrappers.keys.allSatisfy({ state.wrappers[$0] == nil }),
                classes.keys.allSatisfy({ state.classes[$0] == nil })
            else { return }
            state.values.merge(values) { known, _ in known }
            state.wrappers.merge(wrappers) { known, _ in known }
            state.classes.merge(classes) { known, _ in known }
            for plan in values.values { state.types[codingName(of: plan.type), default: []].append(plan) }
            for plan in values.values {
                for name in plan.ownNames where state.types[name] == nil { state.types[name] = [plan] }
            }
            for plan in classes.values {
                state.names[plan.name, default: []].append(plan)
                for name in plan.formerNames { state.formerNames[name, default: []].append(plan) }
            }
        }
    }
}

extension ValuePlan {
    /// The names that the rules of a struct or enum give it.
    fileprivate var ownNames: [String] {
        switch shape {
        // Names without a module are those of types that every program has.
        case .structure(let structure):
            ([structure.name].compactMap(\.self) + structure.formerNames).filter { $0.contains(".") }
        case .enumeration(let enumeration): ([enumeration.name] + enumeration.formerNames).filter { $0.contains(".") }
        default: []
        }
    }
}
