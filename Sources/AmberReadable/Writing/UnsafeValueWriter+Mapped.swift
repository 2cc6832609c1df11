// Room:   AmberReadable / Writing. Types with a mapping of their own.
// Takes:  fields and where they go. Gives: events to a sink.
// Touches: fields at the offsets that plans give.
//
// Invariants: those of UnsafeValueWriter.

internal import AmberModel

extension ValueWriter where Sink: ~Copyable {
    mutating func write(
        mapped base: UnsafeRawPointer, _ fields: TextFields, _ mapping: CompiledMapping
    ) throws(EncodingFailure) {}
}
