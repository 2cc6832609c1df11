// Room:   AmberBinary / Decoding. Properties that an archive doesn't have.
// Takes:  rows whose other properties are filled. Gives: defaults in the rest, or an error that names the property.
// Touches: fields at the offsets that plans give.
//
// Invariants
// 1. The fields filled here are uninitialised before. A function that throws has left none of them initialised.
// 2. A value made by `init()` is taken apart: fields that are wanted are moved out, all others destroyed, once each.

internal import AmberBytes
internal import AmberModel

extension GraphReader {
    /// Fills the properties that the archive doesn't have: from the type's own `init()`, or by their fallbacks.
    func complete(_ rows: Rows, _ offset: Int, _ fields: FieldsPlan, _ structure: ValuePlan?) throws(DecodingFailure) {
        if fields.unfilled.isEmpty { return }
        if let structure, let model = fields.model, fillByInitializer(rows, offset, fields, structure, model) { return }
        for (index, property) in fields.unfilled.enumerated() {
            if case .none = property.fallback {
                fields.destroyUnfilled(rows, offset, count: index)
                throw DecodingFailure(
                    .missingValue, at: CodingPath([.property(property.name)]), offset: input.position,
                    "The archive has no value for it, and \(fields.typeName) has no init() that gives one. "
                        + "Make it an Optional, or give the type an `init()`.")
            }
            unsafe rows.forEach(offset + property.offset) { address, _ in
                unsafe _ = storeFallback(property.fallback, of: property.witnesses, property.ownership, at: address)
            }
        }
    }

    private func fillByInitializer(
        _ rows: Rows, _ offset: Int, _ fields: FieldsPlan, _ structure: ValuePlan, _ model: ModelAccess
    ) -> Bool {
        unsafe withScratch(for: structure.witnesses) { scratch in
            for index in 0..<rows.count {
                // A type has an init() for all rows or for none.
                guard unsafe model.makeValue(at: scratch) else { return false }
                let base = unsafe rows.address(index, offset)
                for property in fields.unfilled {
                    let (from, to) = unsafe (scratch + property.offset, base + property.offset)
                    if property.ownership.isStrong {
                        unsafe property.witnesses.move(to: to, from: from)
                    } else {
                        let object = unsafe loadReference(at: from, property.ownership)
                        unsafe storeReference(object.map { unsafe objectAddress($0) }, at: to, property.ownership)
                        unsafe destroyReference(at: from, property.ownership)
                    }
                }
                for step in fields.steps {
                    guard let destination = step.destination else { continue }
                    unsafe destination.destroy(scratch + destination.offset)
                }
            }
            return true
        }
    }
}
