// Room:   AmberModel / Plan. One model class: how its instances are walked and made.
// Takes:  what PlanBuilder found. Gives: fields with offsets into the instance, and how to make one.
// Touches: nothing.

/// A model class.
package final class ClassPlan: @unchecked Sendable {
    package let type: AnyClass
    package let name: String
    package let formerNames: [String]
    package let version: Int
    package let migrations: Migrations
    package let instanceSize: Int
    package let alignmentMask: Int
    package let model: ModelAccess
    private let lateFields = Late<[FieldPlan]>([])
    /// Superclass first.
    package internal(set) var fields: [FieldPlan] {
        get { lateFields.value }
        set { lateFields.set(newValue) }
    }
    private let lateFlat = Late<FlatPlan>(FlatPlan([]))
    /// The fields flat; made when the plan is published.
    package internal(set) var flat: FlatPlan {
        get { lateFlat.value }
        set { lateFlat.set(newValue) }
    }
    private let lateWalk = Late<WalkSteps>(WalkSteps())
    /// How objects are reached from an instance.
    package internal(set) var walk: WalkSteps {
        get { lateWalk.value }
        set { lateWalk.set(newValue) }
    }
    private let lateOmitted = Late<[OmittedField]>([])
    package internal(set) var omitted: [OmittedField] {
        get { lateOmitted.value }
        set { lateOmitted.set(newValue) }
    }
    private let latePlaces = Late<FieldPlaces>(FieldPlaces())
    /// The fields of all destinations.
    package internal(set) var places: FieldPlaces {
        get { latePlaces.value }
        set { latePlaces.set(newValue) }
    }
    private let lateUnknown = Late<Int?>(nil)
    /// The offset of the property that keeps what the class doesn't know, if it has one.
    package internal(set) var unknownProperties: Int? {
        get { lateUnknown.value }
        set { lateUnknown.set(newValue) }
    }
    /// Whether an instance is made by the type's own `init()`.
    package let hasInitializer: Bool
    /// Whether instances are archived as other objects.
    package let isReplacedWhenEncoded: Bool
    /// Whether decoded instances give way to other objects.
    package let isReplacedWhenDecoded: Bool
    /// Whether instances are set up when they are made.
    let isSetUp: Bool

    init(type: AnyClass, name: String, rules: ModelRules, model: ModelAccess, hasInitializer: Bool) {
        self.type = type
        self.name = name
        formerNames = rules.formerNames
        version = rules.version
        migrations = rules.migrations
        self.model = model
        self.hasInitializer = hasInitializer
        isReplacedWhenEncoded = type is any ReplacedWhenEncoded.Type
        isReplacedWhenDecoded = type is any ReplacedWhenDecoded.Type
        isSetUp = type is any SetUpModel.Type
        (instanceSize, alignmentMask) = instanceLayout(of: type)
    }

    /// Whether objects are reached from instances of the class.
    package var reachesObjects: Bool { !walk.isEmpty }
}

extension ValuePlan {
    /// Whether a value is one word: an object's address, or zero for `nil`.
    package var isReference: Bool {
        switch shape {
        case .reference: true
        case .optional(let optional):
            if case .reference = optional.payload.shape { true } else { false }
        default: false
        }
    }
}
