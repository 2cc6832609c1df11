// Room:   AmberBinary / Messages. Archives of one struct of numbers and strings: the bytes of the general way, without its
//         state.
// Takes:  a value, or an archive that starts as such archives of this program do. Gives: the other.
// Touches: the value's memory, at the offsets of its flat plans; ByteWriter, ByteReader.
//
// Invariants
// 1. Steps are leaves at offsets inside the value; `write` reads an initialised value, `read` initialises all leaves or, if
//    it throws, none.
// 2. Padding and fields without size are all that the leaves leave out of a value.

internal import AmberBytes
internal import AmberModel

/// The way of a struct whose properties, and those of the structs in it, are all numbers and strings.
final class FlatMessage: Sendable {
    private let writing: FlatPlan
    private let reading: FlatReadPlan
    /// The header and the schema.
    private let prefix: [UInt8]
    private let stringCount: Int

    /// - Returns: `nil` if the type has properties of other kinds.
    init?(_ plan: ValuePlan, _ reading: ReadPlan, schema: [UInt8]) {
        guard let writing = plan.flat, let flat = reading.flat, writing.steps.allSatisfy(\.code.isLeaf),
            flat.steps.allSatisfy(\.code.isLeaf)
        else { return nil }
        self.writing = writing
        self.reading = flat
        var out = ByteWriter()
        Header.write([], to: &out)
        out.write(bytes: schema)
        prefix = out.contents
        stringCount = flat.steps.count { $0.code == .string }
    }

    /// Writes the archive of the value at an address; `false` if the general way must be gone.
    func write(_ rows: Rows, to out: inout ByteWriter, _ options: BinaryEncodingOptions) -> Bool {
        guard writing.isReady, options.schema == .embedded else { return false }
        out.write(bytes: prefix)
        var strings = StringInterner()
        let steps = unsafe UnsafeSteps(writing)
        let base = unsafe rows.address(0, 0)
        var index = 0
        while let step = steps[index] {
            unsafe LeafRows.write(base + Int(step.offset), step.code, to: &out, &strings)
            index &+= 1
        }
        // No ballast.
        out.write(byte: 0)
        return true
    }

    /// Reads an archive into the row; `false` if it starts otherwise, and the general way must be gone.
    func read(
        into rows: Rows, from input: inout ByteReader, _ limits: DecodingLimits
    ) throws(DecodingFailure) -> Bool {
        guard reading.isReady, limits.depth > 0, input.skip(ifEqual: prefix) else { return false }
        let steps = unsafe UnsafeSteps(reading.steps)
        let base = unsafe rows.address(0, 0)
        var strings: [String] = []
        if stringCount > 0 { strings.reserveCapacity(stringCount) }
        var index = 0
        do throws(ByteError) {
            while let step = steps[index] {
                unsafe try LeafRows.read(into: base + Int(step.offset), step.code, from: &input, &strings)
                index &+= 1
            }
        } catch {
            unsafe destroy(base, steps: index)
            throw reading.fields[index].path.reversed().reduce(DecodingFailure(error)) { $0.within(.property($1)) }
        }
        do throws(DecodingFailure) { try readEnd(of: &input) } catch {
            unsafe destroy(base, steps: index)
            throw error
        }
        return true
    }

    private func destroy(_ base: UnsafeMutableRawPointer, steps count: Int) {
        for step in reading.steps[..<count] where step.code == .string {
            unsafe reading.fields[Int(step.field)].destination.destroy(base + Int(step.offset))
        }
    }
}

extension FlatCode {
    /// Whether the step is of a number or a string.
    fileprivate var isLeaf: Bool { self != .reference && self != .other }
}
