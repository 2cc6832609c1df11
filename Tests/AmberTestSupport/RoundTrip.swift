// Room:   AmberTestSupport. Out and back, in every form that an archive can have.
// Takes:  a value. Gives: what comes back.
// Touches: the binary coder.

package import AmberBinary

/// The options under which a value must come back the same.
package let everyForm: [BinaryEncodingOptions] = [
    .init(), .init(compression: .lz4()), .init(schema: .fingerprint), .init(isDeterministic: true),
    .init(
        compression: .lz4(LZ4Options(level: 9, blockSize: .kilobytes64)), schema: .fingerprint, isDeterministic: true),
]

/// A value after it went out and came back.
package func roundTrip<Root>(
    _ value: Root, _ options: BinaryEncodingOptions = BinaryEncodingOptions()
) throws -> Root {
    try BinaryDecoder().decode(Root.self, from: try BinaryEncoder(options: options).encode(value))
}

/// What `New` makes of the archive of a value of another type.
package func read<Old, New>(_ value: Old, as type: New.Type) throws -> New {
    try BinaryDecoder().decode(New.self, from: try BinaryEncoder().encode(value))
}
