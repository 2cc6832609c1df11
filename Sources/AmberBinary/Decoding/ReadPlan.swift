// Room:   AmberBinary / Decoding. How values of an archive's type become values of a Swift type.
// Takes:  what SchemaMatcher decided. Gives: plain data that the readers follow.
// Touches: nothing.

internal import AmberModel

/// The way from a type in an archive to a Swift type. Never changed after it is made.
final class ReadPlan: @unchecked Sendable {
    let target: ValuePlan
    /// Set once by the matcher; plans of recursive types refer to each other.
    private(set) var action: Action = .pending
    /// The steps of a struct whose every property the archive has, as one flat list.
    private(set) var flat: FlatReadPlan?

    init(_ target: ValuePlan) { self.target = target }

    /// Finishes the plan.
    func resolve(_ action: Action) {
        self.action = action
        if case .structure(let fields, _) = action, fields.unfilled.isEmpty {
            flat = FlatReadPlan(fields.steps, fields.model)
        }
    }

    enum Action {
        case pending
        /// A number, converted if it fits.
        case scalar(ScalarKind, to: ScalarKind)
        case string
        case data
        case optional(ReadPlan, OptionalPlan)
        /// A value where an Optional is expected.
        case wrapped(ReadPlan, OptionalPlan)
        /// An Optional where a value is expected: `nil` is an error.
        case unwrapped(ReadPlan)
        case structure(FieldsPlan, StructurePlan)
        case enumeration(CasesPlan)
        case array(ReadPlan, ArrayPlan)
        case collection(ReadPlan, ReadPlan?, CollectionPlan)
        /// The number of an object; zero is `nil` where the property is an Optional, else an error.
        case reference(ReferencePlan, isOptional: Bool)
        case dynamic(DynamicPlan)
        case bridged(ReadPlan, BridgedPlan)
        case codable(CodableAccess)
        /// One property of a struct, whose others nobody wants.
        case extract(FieldsPlan)
        /// Read as the archive says, then made by name: what needs a migration, or a place for the unknown.
        case made(WireType)
    }
}

/// The properties of a struct or class, in the order in which an archive holds them.
final class FieldsPlan: @unchecked Sendable {
    struct Step {
        /// The type in the archive, for passing over what nobody wants.
        var wire: WireType
        /// Where the value goes; `nil` to pass over it.
        var destination: Destination?
        var name: String
    }

    struct Destination {
        var offset: Int
        var ownership: Ownership
        var plan: ReadPlan
    }

    /// A stored property that the archive doesn't fill.
    struct Unfilled {
        var name: String
        var offset: Int
        var ownership: Ownership
        var witnesses: ValueWitnesses
        var fallback: Fallback
    }

    let typeName: String
    let steps: [Step]
    let unfilled: [Unfilled]
    let model: ModelAccess?
    /// Bytes of a value in a block of plain structs; `nil` if the archive's type isn't plain.
    let plainWireSize: Int?
    /// Whether such a block is the memory of the Swift values.
    let isPlainCopy: Bool
    /// The steps as one flat list, nested structs included; `nil` if some need more than a place to put a value in.
    let flat: FlatReadPlan?
    /// The bytes of a value that the archive fills, without the gaps between properties.
    let filledBytes: [Range<Int>]
    /// The archive's definition, if objects are read by way of dynamic values; there are no steps then.
    let slow: SlowFields?

    init(
        typeName: String, steps: [Step], unfilled: [Unfilled], model: ModelAccess?, plainWireSize: Int?,
        isPlainCopy: Bool, slow: SlowFields? = nil
    ) {
        self.slow = slow
        self.typeName = typeName
        self.steps = steps
        self.unfilled = unfilled
        self.model = model
        self.plainWireSize = plainWireSize
        self.isPlainCopy = isPlainCopy
        flat = FlatReadPlan(steps)
        var ranges: [Range<Int>] = []
        for field in steps.compactMap(\.destination).sorted(by: { $0.offset < $1.offset }) {
            if let last = ranges.last, last.upperBound == field.offset {
                ranges[ranges.count - 1] = last.lowerBound..<field.offset + field.size
            } else {
                ranges.append(field.offset..<field.offset + field.size)
            }
        }
        filledBytes = ranges
    }
}

/// The objects of a class whose properties are read by way of dynamic values.
struct SlowFields: Sendable {
    /// The class as the archive has it.
    var definition: Definition
    /// Whether this program doesn't have the class.
    var isUnknown: Bool
    /// Whether the objects stand for others, which code of their own makes of them.
    var isForeign = false
}

/// The cases of an enum, by the tag that an archive has for them.
final class CasesPlan: @unchecked Sendable {
    struct Case {
        var name: String
        /// The tag in this program; `nil` if it has no such case.
        var tag: UInt32?
        var isIndirect: Bool
        /// The type of the payload in the archive.
        var wirePayload: WireType?
        var payload: ReadPlan?
    }

    let typeName: String
    let cases: [Case]
    let tagSize: Int?

    init(typeName: String, cases: [Case], tagSize: Int?) {
        self.typeName = typeName
        self.cases = cases
        self.tagSize = tagSize
    }
}

/// The steps of a struct or class as one flat list.
final class FlatReadPlan: @unchecked Sendable {
    let steps: ContiguousArray<FlatStep>
    /// A destination by its step, with the names on the way to it.
    let fields: [(path: [String], destination: FieldsPlan.Destination)]
    /// The structs whose hooks a run would pass by.
    private let models: [ModelAccess]

    /// Whether no struct has a `didDecode()`, so that a run passes nothing by.
    var isReady: Bool {
        for model in models where model.isToldOfDecoding { return false }
        return true
    }

    init?(_ steps: [FieldsPlan.Step], _ model: ModelAccess? = nil) {
        var flat: ContiguousArray<FlatStep> = []
        var fields: [(path: [String], destination: FieldsPlan.Destination)] = []
        var models = model.map { [$0] } ?? []
        func add(_ steps: [FieldsPlan.Step], _ offset: Int, _ path: [String]) -> Bool {
            for step in steps {
                guard var destination = step.destination else { return false }
                destination.offset += offset
                let name = path + [step.name]
                var code = FlatCode.other
                if destination.ownership.isStrong {
                    switch destination.plan.action {
                    case .pending: return false
                    case .scalar(let from, to: let to) where from == to: code = FlatCode(from)
                    case .string: code = .string
                    case .structure(let nested, _) where nested.unfilled.isEmpty:
                        if let model = nested.model { models.append(model) }
                        guard add(nested.steps, destination.offset, name) else { return false }
                        continue
                    default: break
                    }
                }
                flat.append(FlatStep(code: code, offset: destination.offset, field: fields.count))
                fields.append((name, destination))
            }
            return true
        }
        guard add(steps, 0, []) else { return nil }
        self.steps = flat
        self.fields = fields
        self.models = models
    }
}
