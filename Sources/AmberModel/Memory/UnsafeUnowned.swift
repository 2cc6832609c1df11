// Room:   AmberModel / Memory. Unowned references: to objects that something else holds, or to none.
// Takes:  objects that such references were read to. Gives: an error if nothing but the reader holds one.
// Touches: reference counts.
//
// Invariants
// 1. A reader holds every object, once, until it is done. An object that only the reader holds would be freed with it, and references to it that don't hold it would lead to freed memory.

/// The objects that unowned references lead to.
@safe
package struct UnownedTargets {
    private var objects: [ObjectAddress] = unsafe []

    package init() {}

    /// Notes an object that a reference was read to.
    @unsafe
    package mutating func note(_ object: ObjectAddress?, _ ownership: Ownership) {
        guard let object = unsafe object, ownership == .unowned || ownership == .unmanaged else { return }
        unsafe objects.append(object)
    }

    /// Whether something holds every object that unowned references lead to.
    package func check() throws(DecodingFailure) {
        for index in unsafe objects.indices
        where unsafe ReferenceCounts(of: objects[index]).strong <= ReferenceCounts.lone {
            throw DecodingFailure(
                .missingValue,
                "An unowned reference leads to a \(codingName(of: unsafe classOfObject(at: objects[index]))) that nothing "
                    + "holds. Make the property weak, or keep what held the object.")
        }
    }
}
