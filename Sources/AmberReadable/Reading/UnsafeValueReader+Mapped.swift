// Room:   AmberReadable / Reading. Types with a mapping of their own.
// Takes:  nodes of an outside JSON. Gives: fields.
// Touches: memory of the fields.
//
// Invariants: those of UnsafeValueReader.

internal import AmberModel

extension ValueReader {
    mutating func readMapped(
        _ node: Int, _ fields: TextFields, _ mapping: CompiledMapping, at base: UnsafeMutableRawPointer,
        isInitialized: Bool, _ instance: Int?, _ set: inout FieldSet
    ) throws(DecodingFailure) {}

    /// The class that an object's content asks for.
    mutating func chosenClass(_ node: Int, _ base: AnyClass?) throws(DecodingFailure) -> AnyClass? { nil }
}
