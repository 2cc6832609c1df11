// Room:   AmberBinary / Columns. Structs of plain numbers as they lie in memory.
// Takes:  rows of a struct without gaps. Gives: a byte that says which way, and the bytes of all of them.
// Touches: rows, through Rows.
//
// Invariants
// 1. `plainSize` is the size of a struct that is nothing but its numbers, side by side; so many bytes are copied a row.

internal import AmberBytes
internal import AmberModel

/// The choice that a batch of plain structs has: as they lie in memory, or a column for each number.
///
/// | code | what follows |
/// |---|---|
/// | 0 | the columns of the struct's properties |
/// | 1 | the structs side by side, each number in its full width |
enum PlainRows {
    static let columns: UInt8 = 0
    static let rows: UInt8 = 1

    /// Writes the rows as they lie in memory if columns would hardly be smaller; `false` if the columns must follow.
    static func write(
        _ rows: Rows, _ offset: Int, _ structure: StructurePlan, to out: inout ByteWriter
    ) -> Bool {
        guard let size = structure.plainSize, !structure.fields.leavesAreNarrow(rows, offset, size) else {
            out.write(byte: columns)
            return false
        }
        out.write(byte: Self.rows)
        unsafe out.appendUninitialized(rows.count * size) { unsafe rows.gatherBytes(size, offset, into: $0) }
        return true
    }
}

extension [FieldPlan] {
    /// Whether columns save an eighth or more, judged by a sample of the integers.
    fileprivate func leavesAreNarrow(_ rows: Rows, _ offset: Int, _ size: Int) -> Bool {
        let sampled = 64
        let step = Swift.max(rows.count / sampled, 1)
        var sample: [UInt64] = []
        var saved = 0
        func visit(_ fields: [FieldPlan], _ offset: Int) {
            for field in fields {
                switch field.plan.shape {
                case .scalar(let kind) where kind.isInteger:
                    sample.removeAll(keepingCapacity: true)
                    for index in Swift.stride(from: 0, to: rows.count, by: step) {
                        sample.append(rows.integer(kind, index, offset + field.offset))
                    }
                    saved += kind.size * 8 - IntegerFacts(sample, signed: kind.isSigned).width
                case .structure(let structure): visit(structure.fields, offset + field.offset)
                default: break
                }
            }
        }
        visit(self, offset)
        return saved > size
    }
}
