// Room:   AmberModel / Memory. Where a type's values hold references, as flat steps that are run without touching a reference
//         count.
// Takes:  field plans. Gives: steps with offsets; those of structs in arrays, which steps lead to.
// Touches: memory of its own, which lives as long as the process, as plans do.
//
// Invariants
// 1. Steps are filled in once, while plans are built, before these are published; they are only read afterwards.
// 2. A step's plan is held by the plan of the type that the step belongs to, which lives as long.
// 3. An inner run may belong to a type that is still being built, so it is reached by the address of its `WalkSteps.Run`.

/// One step of the walk over a value.
@safe
package struct WalkStep {
    package enum Code: UInt8 {
        /// A strong reference, or nil.
        case reference
        /// An array of strong references.
        case references
        /// An array of values that have steps of their own.
        case elements
        /// Anything else: see the plan.
        case other
    }

    package let code: Code
    package let ownership: Ownership
    package let offset: Int
    /// How many values deeper than the walk's own the step goes: structs, and an array.
    package let levels: Int
    /// Bytes from an element to the next, and from the array's block to the first.
    package let (stride, elementOffset): (Int, Int)
    fileprivate let innerRun: UnsafePointer<WalkSteps.Run>?
    private let unmanagedPlan: Unmanaged<ValuePlan>

    /// The plan of the value at the offset.
    package var plan: ValuePlan { unsafe unmanagedPlan.takeUnretainedValue() }
    /// The steps of an array's elements.
    @inline(__always)
    package var inner: WalkSteps { unsafe WalkSteps(innerRun) }

    fileprivate init(
        _ code: Code, _ place: Place, _ plan: ValuePlan, _ ownership: Ownership = .strong, stride: Int = 0,
        elementOffset: Int = 0, inner: WalkSteps = WalkSteps()
    ) {
        self.code = code
        offset = place.offset
        levels = place.levels
        self.ownership = ownership
        (self.stride, self.elementOffset) = (stride, elementOffset)
        unsafe innerRun = inner.run
        unsafe unmanagedPlan = Unmanaged.passUnretained(plan)
    }
}

/// The steps by which objects are reached from a value of one type.
@safe
package struct WalkSteps: @unchecked Sendable {
    @safe
    fileprivate struct Run {
        var steps: UnsafePointer<WalkStep>?
        var count: Int
    }

    fileprivate let run: UnsafePointer<Run>?

    /// No steps.
    package init() { unsafe run = nil }

    @inline(__always)
    fileprivate init(_ run: UnsafePointer<Run>?) { unsafe self.run = run }

    @inline(__always)
    package var count: Int { unsafe run?.pointee.count ?? 0 }

    package var isEmpty: Bool { count == 0 }

    @inline(__always)
    package subscript(_ index: Int) -> WalkStep {
        precondition(index < count, "A walk has no such step.")
        return unsafe run.unsafelyUnwrapped.pointee.steps.unsafelyUnwrapped[index]
    }
}

/// Where a value stands in the one that the walk began with.
private struct Place {
    var offset = 0
    var levels = 0
}

/// Makes the steps of all plans of a builder.
@safe
struct WalkBuilder {
    private var runs: [ObjectIdentifier: UnsafeMutablePointer<WalkSteps.Run>] = unsafe [:]

    /// The steps of fields that stand at `offset`.
    mutating func steps(of fields: [FieldPlan]) -> WalkSteps {
        let run = unsafe Self.makeRun()
        unsafe fill(run, fields)
        return unsafe WalkSteps(run)
    }

    /// The steps of a value of a type that reaches objects.
    private mutating func steps(of plan: ValuePlan) -> WalkSteps {
        if let known = unsafe runs[ObjectIdentifier(plan)] { return unsafe WalkSteps(known) }
        let run = unsafe Self.makeRun()
        unsafe runs[ObjectIdentifier(plan)] = run
        var steps: [WalkStep] = []
        add(plan, Place(), to: &steps)
        unsafe Self.fill(run, steps)
        return unsafe WalkSteps(run)
    }

    private mutating func fill(_ run: UnsafeMutablePointer<WalkSteps.Run>, _ fields: [FieldPlan]) {
        var steps: [WalkStep] = []
        add(fields, Place(), to: &steps)
        unsafe Self.fill(run, steps)
    }

    private mutating func add(_ fields: [FieldPlan], _ outer: Place, to steps: inout [WalkStep]) {
        for field in fields where field.plan.reachesObjects && !field.isConditional {
            let place = Place(offset: outer.offset + field.offset, levels: outer.levels)
            if field.ownership.isStrong {
                add(field.plan, place, to: &steps)
            } else {
                steps.append(WalkStep(.other, place, field.plan, field.ownership))
            }
        }
    }

    private mutating func add(_ plan: ValuePlan, _ place: Place, to steps: inout [WalkStep]) {
        if plan.isReference { return steps.append(WalkStep(.reference, place, plan)) }
        let inside = Place(offset: place.offset, levels: place.levels + 1)
        switch plan.shape {
        case .structure(let structure): add(structure.fields, inside, to: &steps)
        case .array(let array) where array.element.isReference:
            steps.append(WalkStep(.references, inside, plan))
        case .array(let array) where array.element.isWalkedPlainly:
            steps.append(
                WalkStep(
                    .elements, inside, plan, stride: array.element.stride,
                    elementOffset: array.storage.elementOffset, inner: self.steps(of: array.element)))
        default: steps.append(WalkStep(.other, place, plan))
        }
    }

    private static func makeRun() -> UnsafeMutablePointer<WalkSteps.Run> {
        let run = UnsafeMutablePointer<WalkSteps.Run>.allocate(capacity: 1)
        unsafe run.initialize(to: WalkSteps.Run(steps: nil, count: 0))
        return unsafe run
    }

    private static func fill(_ run: UnsafeMutablePointer<WalkSteps.Run>, _ steps: [WalkStep]) {
        if steps.isEmpty { return }
        let memory = UnsafeMutableBufferPointer<WalkStep>.allocate(capacity: steps.count)
        _ = unsafe memory.initialize(from: steps)
        unsafe run.pointee = WalkSteps.Run(steps: memory.baseAddress, count: steps.count)
    }
}

extension ValuePlan {
    /// Whether the walk over a value meets nothing but references, and arrays and structs of such: no code of a type runs
    /// meanwhile that could change what is walked.
    fileprivate var isWalkedPlainly: Bool {
        var seen: Set<ObjectIdentifier> = []
        func look(_ plan: ValuePlan) -> Bool {
            guard plan.reachesObjects, !plan.isReference, seen.insert(ObjectIdentifier(plan)).inserted else {
                return true
            }
            switch plan.shape {
            case .structure(let structure):
                return structure.fields.allSatisfy { $0.isConditional || ($0.ownership.isStrong && look($0.plan)) }
            case .array(let array): return look(array.element)
            default: return false
            }
        }
        return look(self)
    }
}
