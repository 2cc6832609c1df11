// Room:   AmberModel / Memory. The fields of one struct or instance, filled in any order.
// Takes:  values by the index of a property. Gives: memory of which every field is initialised, or none.
// Touches: the memory given.
//
// Invariants
// 1. `base` is memory for a value of the fields' type. `isSet` tells for each field whether it is initialised.
// 2. `discard` destroys exactly what is initialised.
// 3. A value that was set aside is in `defaults` or back in its field, never in both.

/// Fills the fields of one value.
@safe
package final class FieldBuilder {
    package let fields: [FieldPlan]
    private let omitted: [OmittedField]
    private let base: UnsafeMutableRawPointer
    private let typeName: String
    private var isSet: [Bool]
    private var completedOmitted = 0
    /// Values of computed properties, until there is a whole value to set them on.
    private var computed: [(bridge: BridgedPlan, value: TemporaryValues)] = []
    /// Whether what an initializer left in properties that may refer to objects is kept, to be put back.
    var keepsDefaults = false
    private var defaults: [Int: TemporaryValues] = [:]

    /// `isInitialized` says whether all fields hold values already, as after `init()`.
    init(
        fields: [FieldPlan], omitted: [OmittedField], base: UnsafeMutableRawPointer, typeName: String,
        isInitialized: Bool = false
    ) {
        self.fields = fields
        self.omitted = omitted
        unsafe self.base = base
        self.typeName = typeName
        isSet = Array(repeating: isInitialized, count: fields.count)
        completedOmitted = isInitialized ? omitted.count : 0
    }

    /// The index of the property that archives hold under `name`, or held formerly.
    package func index(of name: String) -> Int? {
        fields.firstIndex { $0.name == name } ?? fields.firstIndex { $0.formerNames.contains(name) }
    }

    /// Gives a property a value of its own type; for a weak or unowned one, an object or nil.
    package func set(_ index: Int, _ value: Any) throws {
        let field = fields[index]
        let address = unsafe base + field.offset
        if case .bridged(let bridge) = field.plan.shape, bridge.reason == .computed {
            let given = unsafe TemporaryValues(bridge.surrogate.witnesses, count: 1)
            try unsafe bridge.surrogate.put(value, at: given.base)
            given.initialized = 1
            computed.append((bridge, given))
            return
        }
        if !field.ownership.isStrong {
            var object: AnyObject?
            if let optional = value as? any OptionalType {
                object = optional.object
            } else {
                object = value as AnyObject
            }
            if let found = object, case .reference(let reference) = field.plan.shape,
                !isInstance(found, of: reference.base)
            {
                throw ClosingError("A \(codingName(of: reference.base)) was expected.")
            }
            if isSet[index] { unsafe destroyReference(at: address, field.ownership) }
            unsafe storeReference(object.map { unsafe objectAddress($0) }, at: address, field.ownership)
            isSet[index] = true
            return
        }
        let fresh = unsafe TemporaryValues(field.plan.witnesses, count: 1)
        try unsafe field.plan.put(value, at: fresh.base)
        if isSet[index] { unsafe setAside(index, at: address) }
        unsafe field.plan.witnesses.move(to: address, from: fresh.base)
        isSet[index] = true
    }

    private func setAside(_ index: Int, at address: UnsafeMutableRawPointer) {
        let plan = fields[index].plan
        guard keepsDefaults, plan.reachesObjects || plan.mayWait, defaults[index] == nil else {
            return unsafe plan.witnesses.destroy(address)
        }
        let kept = unsafe TemporaryValues(plan.witnesses, count: 1)
        unsafe plan.witnesses.move(to: kept.base, from: address)
        kept.initialized = 1
        defaults[index] = kept
    }

    /// Puts what an initializer left back into properties that may refer to objects.
    func restoreDefaults() {
        for (index, kept) in defaults {
            let address = unsafe base + fields[index].offset
            unsafe fields[index].plan.witnesses.destroy(address)
            unsafe fields[index].plan.witnesses.move(to: address, from: kept.base)
            kept.initialized = 0
        }
        defaults = [:]
        computed = []
    }

    /// Fills every property that has no value yet: by its fallback.
    func complete() throws {
        for (index, field) in fields.enumerated() where !isSet[index] {
            let stored = unsafe storeFallback(
                field.fallback, of: field.plan.witnesses, field.ownership, at: base + field.offset)
            guard stored else { throw missing(field.name) }
            isSet[index] = true
        }
        while completedOmitted < omitted.count {
            let field = omitted[completedOmitted]
            let stored = unsafe storeFallback(
                field.fallback, of: field.plan.witnesses, field.plan.ownership, at: base + field.offset)
            guard stored else { throw missing(field.sourceName) }
            completedOmitted += 1
        }
    }

    /// Sets the computed properties; to be called when all others are filled.
    func setComputed() throws {
        let given = computed
        computed = []
        for (bridge, value) in given {
            do {
                try unsafe bridge.access.makeValue(from: value.base, at: base)
            } catch {
                throw DecodingFailure(rejectedBy: "`set`", error).within(.property(bridge.property ?? ""))
            }
            withExtendedLifetime(value) {}
        }
    }

    private func missing(_ name: String) -> MissingValue { MissingValue(name: name, typeName: typeName) }

    /// Destroys what is initialised.
    func discard() {
        computed = []
        for (index, field) in fields.enumerated() where isSet[index] { unsafe field.destroy(at: base + field.offset) }
        for field in omitted[..<completedOmitted] {
            if field.plan.ownership.isStrong {
                unsafe field.plan.witnesses.destroy(base + field.offset)
            } else {
                unsafe destroyReference(at: base + field.offset, field.plan.ownership)
            }
        }
        isSet = Array(repeating: false, count: fields.count)
        completedOmitted = 0
    }
}

/// A property without a value.
struct MissingValue: Error, CustomStringConvertible {
    let name: String
    let typeName: String

    var description: String {
        "`\(name)` has no value, and \(typeName) has no init() that gives one. Make it an Optional, or give the type an "
            + "`init()`."
    }
}

extension OptionalType {
    /// The object in an Optional of a class.
    fileprivate var object: AnyObject? {
        guard let wrapped = Mirror(reflecting: self).children.first?.value else { return nil }
        return wrapped as AnyObject
    }
}
