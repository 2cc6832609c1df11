// Room:   AmberModel / Plan. How the values of one Swift type lie in memory and how they are walked.
// Takes:  what PlanBuilder found. Gives: plain data that coders read directly.
// Touches: nothing; addresses are the business of the Memory room.

/// A Swift type, compiled for walking: its size, and the shape of its values.
///
/// Made once per type by ``PlanCache`` and never changed after it is published, hence safe to share, and to read without
/// the checks for exclusive access.
package final class ValuePlan: @unchecked Sendable {
    package let type: Any.Type
    package let witnesses: ValueWitnesses
    /// Boxes and unboxes values of the type.
    package let erased: ErasedAccess
    private let lateShape = Late<Shape>(.pending)
    /// Set by the builder before the plan is published; plans of recursive types refer to each other.
    package internal(set) var shape: Shape {
        get { lateShape.value }
        set { lateShape.set(newValue) }
    }
    private let lateFlat = Late<FlatPlan?>(nil)
    /// The fields of a struct, flat; `nil` for any other type.
    package internal(set) var flat: FlatPlan? {
        get { lateFlat.value }
        set { lateFlat.set(newValue) }
    }
    private let lateReachesObjects = Late<Bool>(false)
    /// Whether a value can hold a reference to a model object, or a value whose type is known only when it is met.
    package internal(set) var reachesObjects: Bool {
        get { lateReachesObjects.value }
        set { lateReachesObjects.set(newValue) }
    }
    private let lateMayMeetForeign = Late<Bool>(false)
    /// Whether a value can hold an object that is archived by code of its own, which is made when all models are filled.
    package internal(set) var mayMeetForeign: Bool {
        get { lateMayMeetForeign.value }
        set { lateMayMeetForeign.set(newValue) }
    }
    private let lateMayRunCode = Late<Bool>(false)
    /// Whether archiving a value may run code of its own, which could change what holds it.
    package internal(set) var mayRunCode: Bool {
        get { lateMayRunCode.value }
        set { lateMayRunCode.set(newValue) }
    }
    private let lateMayWait = Late<Bool>(false)
    /// Whether a value may have to wait, when it is decoded, until all objects are filled: what hashes or converts it
    /// is code that must not see them before.
    package internal(set) var mayWait: Bool {
        get { lateMayWait.value }
        set { lateMayWait.set(newValue) }
    }

    @inlinable package var size: Int { witnesses.size }
    @inlinable package var stride: Int { witnesses.stride }

    init(_ type: Any.Type) {
        self.type = type
        witnesses = ValueWitnesses(type)
        erased = makeErasedAccess(type)
    }
}

/// The shape of a type's values.
package enum Shape {
    /// Not built yet.
    case pending
    /// A number or another value of fixed width.
    case scalar(ScalarKind)
    /// A String.
    case string
    /// A Foundation Data.
    case data
    /// An Optional.
    case optional(OptionalPlan)
    /// A struct or tuple: fields side by side.
    case structure(StructurePlan)
    /// An enum.
    case enumeration(EnumerationPlan)
    /// An Array or ContiguousArray: elements in one block of memory.
    case array(ArrayPlan)
    /// A Set or Dictionary: elements that are copied out and put back by their own type.
    case collection(CollectionPlan)
    /// A reference to an instance of a model class.
    case reference(ReferencePlan)
    /// An existential: `Any`, `AnyHashable`, `any P`. The type of each value is known only when it is met. So is the class
    /// of an object that is archived by code of its own: one of Foundation's, or of an NSCoding class.
    case dynamic(DynamicPlan)
    /// A type that is archived as a value of another type.
    case bridged(BridgedPlan)
    /// A Codable type that has no other way into archives: what its `encode(to:)` says is archived.
    case codable(CodableAccess)
}

/// The values of fixed width that every coder knows.
@usableFromInline
package enum ScalarKind: UInt8, Sendable, CaseIterable {
    case bool = 1
    case int8, int16, int32, int64
    case uint8, uint16, uint32, uint64
    case int128, uint128
    case float32, float64
    /// Seconds since 2001-01-01T00:00:00Z as Float64.
    case date
    /// Sixteen bytes, in the order in which they are printed.
    case uuid
    /// Foundation's Decimal: twenty bytes, in archives as they lie on Apple systems.
    case decimal

    /// Bytes of a value in memory and in an archive.
    @inlinable package var size: Int {
        switch self {
        case .bool, .int8, .uint8: 1
        case .int16, .uint16: 2
        case .int32, .uint32, .float32: 4
        case .int64, .uint64, .float64, .date: 8
        case .int128, .uint128, .uuid: 16
        case .decimal: 20
        }
    }

    /// Whether the value is an integer of at most 64 bits.
    @inlinable package var isInteger: Bool { rawValue <= ScalarKind.uint64.rawValue }

    /// Whether the value is an integer with a sign.
    @inlinable package var isSigned: Bool {
        rawValue >= ScalarKind.int8.rawValue && rawValue <= ScalarKind.int64.rawValue
    }

    /// Whether every pattern of bits is a value.
    package var takesAnyBits: Bool { self != .bool && self != .decimal }
}

/// An Optional: how `nil` shows in memory.
package final class OptionalPlan: @unchecked Sendable {
    /// Where a look suffices to tell `nil` from a value.
    package enum Test: Sendable {
        /// A word at this offset is zero for `nil`.
        case zeroWord(offset: Int)
        /// A byte at this offset equals `none` for `nil`.
        case byte(offset: Int, none: UInt8)
        /// The value witness tells.
        case witness
    }

    package let payload: ValuePlan
    package let test: Test

    init(payload: ValuePlan, test: Test) {
        self.payload = payload
        self.test = test
    }
}

/// A struct or tuple.
package final class StructurePlan: @unchecked Sendable {
    /// The name in archives; a tuple has none.
    package let name: String?
    package let formerNames: [String]
    package let version: Int
    package let migrations: Migrations
    private let lateFields = Late<[FieldPlan]>([])
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
    /// How objects are reached from a value.
    package internal(set) var walk: WalkSteps {
        get { lateWalk.value }
        set { lateWalk.set(newValue) }
    }
    private let lateOmitted = Late<[OmittedField]>([])
    /// Fields that no binary archive holds, and which therefore come from `init()` or have a default of their own.
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
    package let model: ModelAccess?
    /// A struct whose numbers take more bytes than this in archives is never plain.
    package static let plainSizeLimit = 1 << 16
    private let lateIsPlain = Late<Bool>(false)
    /// Whether all leaves are numbers that take any bits: archives may then hold the values as they lie in memory.
    package internal(set) var isPlain: Bool {
        get { lateIsPlain.value }
        set { lateIsPlain.set(newValue) }
    }
    private let latePlainSize = Late<Int?>(nil)
    /// Bytes of a plain value that has no gaps between its numbers, so that memory and archive agree.
    package internal(set) var plainSize: Int? {
        get { latePlainSize.value }
        set { latePlainSize.set(newValue) }
    }

    init(name: String?, rules: ModelRules, model: ModelAccess?) {
        self.name = name
        formerNames = rules.formerNames
        version = rules.version
        migrations = rules.migrations
        self.model = model
        fields = []
        flat = FlatPlan([])
        omitted = []
    }
}

/// A stored property.
package struct FieldPlan: Sendable {
    /// The name in archives.
    package var name: String
    /// The name in the source.
    package var sourceName: String
    package var formerNames: [String]
    package var offset: Int
    /// The plan of the property's type; that of a weak property is the plan of its class.
    package var plan: ValuePlan
    package var ownership: Ownership
    /// Whether the object is archived only if something else holds it unconditionally.
    package var isConditional: Bool
    /// What the property gets when an archive doesn't have it and there is no `init()`.
    package var fallback: Fallback
    /// Where the property goes.
    package var destinations: ModelRules.Destinations = .all
    /// The types of the values that the property takes; `nil` if its own type alone says so.
    package var allowed: AllowedTypes?
    /// The plan of the wrapper around a property that is archived as what it wraps: of the same memory.
    package var wrapper: ValuePlan?

    /// The name of that wrapper's type.
    package var wrapperName: String? {
        guard case .structure(let structure)? = wrapper?.shape else { return nil }
        return structure.name
    }

    /// Whether the property is not stored but computed from the whole value.
    package var isComputed: Bool {
        if case .bridged(let bridged) = plan.shape { return bridged.reason == .computed }
        return false
    }

    /// The plan of the property's value, for coders that work value by value.
    package var valuePlan: ValuePlan {
        if case .bridged(let bridged) = plan.shape, bridged.reason == .computed { return bridged.surrogate }
        return plan
    }

    /// Whether a weak or unowned property can be `nil`.
    package var canBeNil: Bool {
        if case .empty = fallback { return true }
        return false
    }
}

/// The fields of a struct or class that go anywhere, and those that go nowhere.
package struct FieldPlaces: Sendable {
    /// In the order of their declaration, superclass first; computed ones last.
    package var fields: [FieldPlan] = []
    /// Fields that go nowhere.
    package var hidden: [OmittedField] = []

    /// The fields of one destination.
    package func fields(for destination: ModelRules.Destinations) -> [FieldPlan] {
        if fields.allSatisfy({ $0.destinations.contains(destination) }) { return fields }
        return fields.filter { $0.destinations.contains(destination) }
    }
}

extension ModelRules.Destinations {
    static let all = ModelRules.Destinations(rawValue: -1)
}

/// A stored property that archives don't hold.
package struct OmittedField: Sendable {
    package var sourceName: String
    package var offset: Int
    package var plan: WitnessedType
    package var fallback: Fallback
    /// Whether values can be copied; one that can't is what `init()` makes it.
    var isCopyable = true

    package init(sourceName: String, offset: Int, plan: WitnessedType, fallback: Fallback) {
        self.sourceName = sourceName
        self.offset = offset
        self.plan = plan
        self.fallback = fallback
    }
}

/// A type of which only copying and destroying is known.
package struct WitnessedType: @unchecked Sendable {
    package let type: Any.Type
    package let witnesses: ValueWitnesses
    package let ownership: Ownership

    package init(_ type: Any.Type, ownership: Ownership) {
        self.type = type
        self.ownership = ownership
        witnesses = ValueWitnesses(type)
    }
}

/// What a property gets that has no value.
package enum Fallback: Sendable {
    /// Nothing: it is an error.
    case none
    /// `nil`.
    case empty
    /// A value made anew each time.
    case make(FallbackValue)
}

/// An enum.
package final class EnumerationPlan: @unchecked Sendable {
    package struct Case: Sendable {
        package var name: String
        /// The raw value as text, for the archive's readers; the case is matched by it before the name.
        package var rawValue: String?
        package var payload: ValuePlan?
        package var isIndirect: Bool
    }

    package let name: String
    package let formerNames: [String]
    /// The case without payload that stands for cases which the enum doesn't know.
    package let fallback: String?
    private let lateCases = Late<[Case]>([])
    /// The cases by tag.
    package internal(set) var cases: [Case] {
        get { lateCases.value }
        set { lateCases.set(newValue) }
    }
    private let lateTagSize = Late<Int?>(nil)
    /// Bytes of the tag when a value is nothing but its tag; `nil` when the value witness must be asked.
    package internal(set) var tagSize: Int? {
        get { lateTagSize.value }
        set { lateTagSize.set(newValue) }
    }

    init(name: String, rules: ModelRules) {
        self.name = name
        formerNames = rules.formerNames
        fallback = rules.unknownCase
    }
}

/// An Array or ContiguousArray.
package final class ArrayPlan: @unchecked Sendable {
    package let element: ValuePlan
    package let storage: ArrayStorage

    init(element: ValuePlan, storage: ArrayStorage) {
        self.element = element
        self.storage = storage
    }
}

/// A Set or Dictionary.
package final class CollectionPlan: @unchecked Sendable {
    package let key: ValuePlan
    /// `nil` for a Set.
    package let value: ValuePlan?
    package let access: CollectionAccess

    init(key: ValuePlan, value: ValuePlan?, access: CollectionAccess) {
        self.key = key
        self.value = value
        self.access = access
    }
}

/// A reference to an instance of a class or of its subclasses.
package final class ReferencePlan: @unchecked Sendable {
    package let base: AnyClass

    init(base: AnyClass) {
        self.base = base
    }
}

/// An existential.
package final class DynamicPlan: @unchecked Sendable {
    package let access: ErasedAccess
    package let witnesses: ValueWitnesses
    /// The class of a reference to objects that are archived by code of their own; `nil` for an existential.
    package let base: AnyClass?

    init(access: ErasedAccess, witnesses: ValueWitnesses, base: AnyClass? = nil) {
        self.access = access
        self.witnesses = witnesses
        self.base = base
    }
}

/// A type that is archived as a value of another type.
package final class BridgedPlan: @unchecked Sendable {
    /// Why a value is archived as another one.
    package enum Reason: Sendable {
        /// Its type is archived so wherever it occurs.
        case type
        /// A rule of the property transforms it.
        case transformed
        /// A rule of the property says which types it takes; the surrogate is the value itself.
        case checked
        /// The property is computed: the surrogate is got from, and set on, the value that has the property.
        case computed
    }

    package let surrogate: ValuePlan
    package let access: BridgeAccess
    package let reason: Reason
    /// The property that a rule is of.
    package let property: String?

    init(surrogate: ValuePlan, access: BridgeAccess, reason: Reason = .type, property: String? = nil) {
        self.surrogate = surrogate
        self.access = access
        self.reason = reason
        self.property = property
    }

    /// Whether the value is made when all objects are filled: what makes it must not see them before.
    package var waits: Bool {
        switch reason {
        case .type, .transformed: surrogate.reachesObjects || surrogate.mayWait
        case .checked: surrogate.mayWait
        case .computed: true
        }
    }
}

extension ValuePlan {
    /// Whether the plan is that of one property, by a rule of its own, and not that of its type.
    package var isOfProperty: Bool {
        if case .bridged(let bridged) = shape { return bridged.reason != .type }
        return false
    }
}
