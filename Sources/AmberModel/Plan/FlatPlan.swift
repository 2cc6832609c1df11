// Room:   AmberModel / Plan. The fields of a struct or class as one flat list of steps, nested structs included.
// Takes:  field plans. Gives: plain data that a coder runs through without touching a reference count.
// Touches: nothing.

/// What a step finds at its offset.
@usableFromInline
package enum FlatCode: UInt8, BitwiseCopyable, Sendable {
    case bool = 1
    case int8, int16, int32, int64
    case uint8, uint16, uint32, uint64
    case int128, uint128
    case float32, float64, date, uuid, decimal
    /// A String.
    case string
    /// A strong reference, or nil.
    case reference
    /// Anything else: see the step's field.
    case other

    package init(_ kind: ScalarKind) {
        // The scalars have the same numbers.
        self = FlatCode(rawValue: kind.rawValue) ?? .other
    }
}

/// One step: a code and an offset, and which field it is of.
@usableFromInline
package struct FlatStep: BitwiseCopyable, Sendable {
    @usableFromInline package var code: FlatCode
    @usableFromInline package var offset: Int32
    @usableFromInline package var field: Int32

    package init(code: FlatCode, offset: Int, field: Int) {
        self.code = code
        self.offset = Int32(truncatingIfNeeded: offset)
        self.field = Int32(truncatingIfNeeded: field)
    }
}

/// The fields of a struct or class, flat.
package final class FlatPlan: @unchecked Sendable {
    /// A field by its step, with the names on the way to it.
    package struct Field: Sendable {
        package var path: [String]
        package var plan: ValuePlan
        package var ownership: Ownership
        /// Whether objects are archived only if something else holds them unconditionally.
        package var isConditional: Bool
        package var canBeNil: Bool
    }

    package let steps: ContiguousArray<FlatStep>
    package let fields: [Field]
    /// The structs whose hooks a run would pass by.
    private let models: [ModelAccess]

    /// Whether no struct has a `willEncode()`, so that a run passes nothing by.
    package var isReady: Bool {
        for model in models where model.hasWillEncode { return false }
        return true
    }

    init(_ fields: [FieldPlan], _ model: ModelAccess? = nil) {
        var steps: ContiguousArray<FlatStep> = []
        var flat: [Field] = []
        var models = model.map { [$0] } ?? []
        func add(_ fields: [FieldPlan], _ offset: Int, _ path: [String], _ outerIsConditional: Bool) {
            for field in fields {
                let (place, name) = (offset + field.offset, path + [field.name])
                let isConditional = outerIsConditional || field.isConditional
                var code = FlatCode.other
                if field.ownership.isStrong {
                    switch field.plan.shape {
                    case .scalar(let kind): code = FlatCode(kind)
                    case .string: code = .string
                    case .reference, .optional:
                        if field.plan.isReference, !isConditional { code = .reference }
                    case .structure(let structure):
                        if let model = structure.model { models.append(model) }
                        add(structure.fields, place, name, isConditional)
                        continue
                    default: break
                    }
                }
                steps.append(FlatStep(code: code, offset: place, field: flat.count))
                flat.append(
                    Field(
                        path: name, plan: field.plan, ownership: field.ownership, isConditional: isConditional,
                        canBeNil: field.canBeNil))
            }
        }
        add(fields, 0, [], false)
        self.steps = steps
        self.fields = flat
        self.models = models
    }
}
