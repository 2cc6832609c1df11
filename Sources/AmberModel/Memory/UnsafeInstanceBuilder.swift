// Room:   AmberModel / Memory. One instance of a model class, filled property by property.
// Takes:  a class plan, then values. Gives: the instance when it is whole.
// Touches: an instance that nobody uses before it is whole.
//
// Invariants
// 1. Until `finish` the instance is this builder's. `unfinished` may be stored in other objects' fields, which must not
//    be used before every builder is finished; if one fails, all are discarded together by `abandon`.
// 2. An instance made without an initializer that is abandoned is freed without its deinit, and only when nothing else
//    refers to it; else its memory stays. One made by `init()` is released with what init() left in it.
// 3. Of instances that refer to each other, all are emptied before one is freed.

/// Makes one instance of a model class.
@safe
package final class InstanceBuilder {
    package let plan: ClassPlan
    private let address: ObjectAddress
    private let builder: FieldBuilder
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
            isInitialized: plan.hasInitializer)
        builder.keepsDefaults = plan.hasInitializer
    }

    deinit {
        if !isDone { abandon() }
    }

    /// The instance, whose properties may not be initialised yet: to be stored, not used.
    package var unfinished: AnyObject { unsafe object(at: address) }

    /// The properties, whichever destinations they go to.
    package var fields: [FieldPlan] { builder.fields }

    /// The index of the property that archives hold under `name`, or held formerly.
    package func index(of name: String) -> Int? { builder.index(of: name) }

    /// Gives a property a value of its own type; for a weak or unowned one, an object or nil.
    package func set(_ index: Int, _ value: Any) throws { try builder.set(index, value) }

    /// Fills what has no value yet: the instance is whole then, and still the builder's.
    package func complete() throws { try builder.complete() }

    /// Lets go of the instance, which is whole and held by others now, or by the result.
    @discardableResult
    package func handOver() -> AnyObject {
        let result = unsafe object(at: address)
        guard !isDone else { return result }
        isDone = true
        unsafe releaseObject(address)
        return result
    }

    /// Sets the computed properties of the finished instance, which may look at the whole graph.
    package func setComputed() throws { try builder.setComputed() }

    /// Calls the instance's `didDecode()`.
    package func didDecode() throws {
        if plan.model.hasDidDecode { try unsafe plan.model.didDecode(object: address) }
    }

    /// Calls the instance's `validate()`.
    package func validate() throws { try unsafe plan.model.validate(object: address) }

    /// Destroys what was set, and frees the instance when nothing refers to it any more.
    package func abandon() { Self.abandon([self]) }

    /// Abandons instances that may refer to each other.
    package static func abandon(_ builders: [InstanceBuilder]) {
        let builders = builders.filter { !$0.isDone }
        for item in builders {
            item.isDone = true
            if item.plan.hasInitializer { item.builder.restoreDefaults() } else { item.builder.discard() }
        }
        for item in builders {
            if item.plan.hasInitializer {
                unsafe releaseObject(item.address)
            } else if unsafe ReferenceCounts(of: item.address).strong == ReferenceCounts.lone {
                unsafe item.plan.discard(item.address)
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
