// Room:   AmberBinary / Columns. Integers as their differences: numbers that climb.
// Takes:  numbers. Gives: the first, and what each next one is more; back with every number checked.
// Touches: ByteWriter, ByteReader, BitPacking.

internal import AmberBytes

extension IntegerColumn {
    /// Writes a column of differences.
    static func writeDeltas<T: Bits>(_ values: [T], signed: Bool, to out: inout ByteWriter) {
        out.write(byte: deltas)
        var previous = values[0].extended(signed: signed)
        out.write(zigzag: Int64(bitPattern: previous))
        var differences: [UInt64] = []
        differences.reserveCapacity(values.count - 1)
        for value in values.dropFirst() {
            let next = value.extended(signed: signed)
            differences.append(next &- previous)
            previous = next
        }
        let facts = IntegerFacts(differences, signed: true)
        writePacked(differences, signed: true, base: facts.base, width: facts.width, to: &out)
    }

    /// Fills `target` from a column of differences, after its code; the bits of numbers that didn't fit.
    static func readDeltas<T: Bits>(
        into target: inout [T], signed: Bool, from input: inout ByteReader
    ) throws(ByteError) -> UInt64 {
        guard target.count > 0 else { throw ByteError(.inconsistent, at: input.position - 1) }
        var value = UInt64(bitPattern: try input.readZigzag())
        let base = UInt64(bitPattern: try input.readZigzag())
        let width = try readWidth(from: &input)
        var faults = put(value, at: 0, in: &target, signed: signed)
        try readSlices(target.count - 1, base: base, width: width, from: &input) { index, difference in
            value &+= difference
            faults |= put(value, at: index &+ 1, in: &target, signed: signed)
        }
        return faults
    }
}
