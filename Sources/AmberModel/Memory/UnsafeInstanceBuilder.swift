// Room:   AmberModel / Memory. One instance of a model class, filled property by property.
// Takes:  a class plan, then values. Gives: the instance when it is whole.
// Touches: an instance that nobody uses before it is whole.
//
// Invariants
// 1. The builder holds the instance by one reference until `commit`, `abandonAll` or its own end. `unfinished` may be
//    stored in other instances' fields, which must not be used before every builder is finished; if one fails, all are
//    abandoned together: all fields are emptied, or get back what `init()` left in them, before any instance is let go,
//    so that no deinit meets an instance that is not whole.
// 2. An instance made without an initializer that is abandoned is freed without its deinit; but not by force if the
//    models' own code may have kept it.

/// Makes one instance of a model class.
@safe
package final class InstanceBuilder {
    package let plan: ClassPlan
    private let address: ObjectAddress
    private let builder: FieldBuilder
    /// Whether every property has a value.
    package private(set) var isFinished = false
    private var isDone = false

    /// Makes the instance: by its class's `init()` if it has one, else without any initializer.
    package init(_ plan: ClassPlan) throws {
        self.plan = plan
        if plan.hasInitializer {
            guard let made = unsafe plan.makeByInitializer() else {
                throw ClosingError("`init()` of \(plan.name) gave an object of another class.")
            }
            unsafe address = made
        } else {
            unsafe address = plan.allocate()
        }
        unsafe builder = FieldBuilder(
            fields: plan.places.fields, omitted: plan.places.hidden, base: address, typeName: plan.name,
            isInitialized: plan.hasInitializer, keepsDefaults: true)
    }

    deinit {
        if isDone { return }
        if isFinished { commit() } else { Self.abandonAll([self]) }
    }

    /// The instance, whose properties may not be initialised yet: to be stored, not used.
    package var unfinished: AnyObject { unsafe object(at: address) }

    /// The properties, whichever destinations they go to.
    package var fields: [FieldPlan] { builder.fields }

    /// The index of the property that archives hold under `name`, or held formerly.
    package func index(of name: String) -> Int? { builder.index(of: name) }

    /// Gives a property a value of its own type; for a weak or unowned one, an object or nil.
    package func set(_ index: Int, _ value: Any) throws { try builder.set(index, value) }

    /// Fills what has no value yet, and gives the instance.
    package func finish() throws -> AnyObject {
        try builder.complete()
        isFinished = true
        return unsafe object(at: address)
    }

    /// Gives the finished instance out for good.
    package func commit() {
        if isDone { return }
        precondition(isFinished, "Only finished instances are given out.")
        isDone = true
        builder.commit()
        unsafe releaseObject(address)
    }

    /// Sets the computed properties of the finished instance, which may look at the whole graph.
    package func setComputed() throws { try builder.setComputed() }

    /// Calls the instance's `didDecode()`.
    package func didDecode() throws {
        if plan.model.hasDidDecode { try unsafe plan.model.didDecode(object: address) }
    }

    /// Calls the instance's `validate()`.
    package func validate() throws { try unsafe plan.model.validate(object: address) }

    /// Lets go of instances that may refer to each other, after something failed.
    ///
    /// - Parameters:
    ///   - builders: The builders of all of them.
    ///   - areSeen: Whether the models' own code may hold some of those that are finished.
    package static func abandonAll(_ builders: [InstanceBuilder], areSeen: Bool = false) {
        let open = builders.filter { !$0.isDone }
        for builder in open {
            builder.isDone = true
            if builder.plan.hasInitializer {
                builder.builder.restore()
            } else if !(areSeen && builder.isFinished) {
                builder.builder.discard()
            }
        }
        for builder in open {
            if builder.plan.hasInitializer || (areSeen && builder.isFinished) {
                unsafe releaseObject(builder.address)
            } else if !areSeen {
                unsafe builder.plan.discard(builder.address)
            }
        }
    }
}

extension ClassPlan {
    /// The value of one of an instance's properties, of the field's `valuePlan`; `nil` for a weak or unowned one without
    /// an object.
    ///
    /// Only what a computed property throws is thrown.
    package func value(of field: FieldPlan, in object: AnyObject) throws -> Any? {
        let address = unsafe objectAddress(object) + field.offset
        defer { withExtendedLifetime(object) {} }
        if case .bridged(let bridge) = field.plan.shape, bridge.reason == .computed {
            return try unsafe bridge.surrogateValue(of: address)
        }
        if !field.ownership.isStrong { return unsafe loadReference(at: address, field.ownership) }
        return unsafe field.plan.erased.load(from: address)
    }

    /// Gives one of an instance's properties another value of its own type.
    package func set(_ field: FieldPlan, in object: AnyObject, to value: Any) throws {
        let builder = unsafe FieldBuilder(
            fields: [field], omitted: [], base: objectAddress(object), typeName: name, isInitialized: true)
        try builder.set(0, value)
        try builder.setComputed()
        withExtendedLifetime(object) {}
    }

    /// Calls an instance's `willEncode()`.
    package func willEncode(_ object: AnyObject) throws {
        if model.hasWillEncode { try unsafe model.willEncode(object: objectAddress(object)) }
    }

    /// Calls an instance's `didDecode()`.
    package func didDecode(_ object: AnyObject) throws {
        if model.hasDidDecode { try unsafe model.didDecode(object: objectAddress(object)) }
    }

    /// Calls an instance's `validate()`.
    package func validate(_ object: AnyObject) throws {
        try unsafe model.validate(object: objectAddress(object))
    }
}
