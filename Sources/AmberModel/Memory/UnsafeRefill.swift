// Room:   AmberModel / Memory. An instance filled property by property in the slow way, and emptied again on failure.
// Takes:  an instance that a decoder made. Gives: the instance filled, or as it was.
// Touches: fields of an instance that nobody uses yet.
//
// Invariants
// 1. The caller holds the instance until `commit` or `undo`. Its fields are those of the plan: initialised if it was made by
//    `init()`, else not.
// 2. What a field held before is kept until `commit`, and put back by `undo`; a field that held nothing is destroyed. After
//    `undo` the instance is as it was made, so that the decoder's own way of discarding instances fits.

/// The filling of one instance.
@safe
package final class Refill {
    package let plan: ClassPlan
    private let object: ObjectAddress
    private enum State {
        case empty, filled
        /// Filled, and this was there before.
        case replaced(TemporaryValues)
    }
    private var states: [State]
    private var omittedDone = 0

    @unsafe
    package init(_ plan: ClassPlan, _ object: ObjectAddress) {
        self.plan = plan
        unsafe self.object = object
        states = Array(repeating: .empty, count: plan.fields.count)
    }

    /// Gives a property a value of its own type; for a weak or unowned one, an object or nil.
    package func set(_ index: Int, _ value: Any) throws {
        let field = plan.fields[index]
        let address = unsafe object + field.offset
        guard case .empty = states[index] else { throw ClosingError("`\(field.name)` is set twice.") }
        var old: TemporaryValues?
        if plan.hasInitializer { old = unsafe TemporaryValues(aside: field, from: address) }
        let builder = unsafe FieldBuilder(fields: [field], omitted: [], base: object, typeName: plan.name)
        do {
            try builder.set(0, value)
            try builder.setComputed()
        } catch {
            if let old {
                unsafe field.move(to: address, from: old.base)
                old.initialized = 0
            }
            throw error
        }
        states[index] = old.map { .replaced($0) } ?? .filled
    }

    /// Gives the instance what its class doesn't know.
    package func keep(_ unknown: UnknownProperties) {
        guard let offset = plan.unknownProperties else { return }
        let place = unsafe (object + offset).assumingMemoryBound(to: UnknownProperties.self)
        unsafe place.pointee = unknown
    }

    /// Whether a property has no value yet.
    package func isMissing(_ index: Int) -> Bool {
        if plan.hasInitializer { return false }
        if case .empty = states[index] { return true }
        return false
    }

    /// Fills what has no value by its fallback; `later` are properties that will be set yet.
    package func complete(except later: Set<Int>) throws {
        if plan.hasInitializer { return }
        for (index, field) in plan.fields.enumerated() where isMissing(index) && !later.contains(index) {
            let stored = unsafe storeFallback(
                field.fallback, of: field.plan.witnesses, field.ownership, at: object + field.offset)
            guard stored else { throw MissingValue(name: field.name, typeName: plan.name) }
            states[index] = .filled
        }
        while omittedDone < plan.omitted.count {
            let field = plan.omitted[omittedDone]
            let stored = unsafe storeFallback(
                field.fallback, of: field.plan.witnesses, field.plan.ownership, at: object + field.offset)
            guard stored else { throw MissingValue(name: field.sourceName, typeName: plan.name) }
            omittedDone += 1
        }
    }

    /// Drops what was there before.
    package func commit() { states = [] }

    /// Makes the instance what it was.
    package func undo() {
        for (index, state) in states.enumerated() {
            let field = plan.fields[index]
            let address = unsafe object + field.offset
            switch state {
            case .empty: continue
            case .filled: unsafe field.destroy(at: address)
            case .replaced(let old):
                unsafe field.destroy(at: address)
                old.initialized = 0
                unsafe field.move(to: address, from: old.base)
            }
        }
        states = []
        for field in plan.omitted[..<omittedDone] {
            let address = unsafe object + field.offset
            if field.plan.ownership == .strong {
                unsafe field.plan.witnesses.destroy(address)
            } else {
                unsafe destroyReference(at: address, field.plan.ownership)
            }
        }
        omittedDone = 0
    }
}
