// Room:   AmberBinary / Parallel. The columns of a struct or class, written on several threads.
// Takes:  rows and their fields. Gives: the same bytes as one thread writes.
// Touches: GraphWriter, one for each column; the crew.
//
// Invariants
// 1. Rows are only read, and live until all jobs are over: `run` returns no earlier.
// 2. Each job touches its own output alone; outputs are put together by the thread that handed out the jobs.
// 3. Writers of jobs share the objects' numbers with the writer that made them, which changes none meanwhile.

internal import AmberBytes
internal import AmberModel

/// What a job gives.
private final class ColumnOutput: @unchecked Sendable {
    var bytes = ByteWriter(capacity: 16)
    var charge = 0
    var failure: EncodingFailure?
    /// Whether the column depends on strings that were written before: it is written again, in its turn.
    var isInvalid = false
}

/// What jobs look at together.
@safe
private struct SharedRows: @unchecked Sendable {
    let rows: Rows
    let offset: Int
    let fields: [FieldPlan]
}

extension GraphWriter {
    /// Whether it pays to write the fields on several threads.
    @inline(__always)
    func isShared(_ rows: Rows, _ fields: [FieldPlan]) -> Bool {
        rows.count >= crew?.smallestBatch ?? Int.max && fields.count > 1 && crew?.isIdle ?? false
    }

    /// Writes properties, each column on any thread.
    mutating func shareColumns(_ rows: Rows, _ offset: Int, _ fields: [FieldPlan]) throws(EncodingFailure) {
        guard let crew else { return }
        let outputs = fields.map { _ in ColumnOutput() }
        let shared = SharedRows(rows: rows, offset: offset, fields: fields)
        let parent = WriterSeed(self)
        let isShareable = fields.map(\.isShareable)
        crew.run(fields.count) { index in
            guard isShareable[index] else { return }
            let output = outputs[index]
            var writer = parent.makeWriter()
            do throws(EncodingFailure) {
                try writer.writeColumn(shared.rows, shared.offset, shared.fields[index])
            } catch {
                output.failure = error
            }
            output.charge = writer.charge
            output.isInvalid = writer.strings.isUsed
            swap(&output.bytes, &writer.out)
        }
        for (index, output) in outputs.enumerated() {
            if output.isInvalid || !isShareable[index] {
                try writeColumn(rows, offset, fields[index])
            } else {
                if let failure = output.failure { throw failure }
                out.write(contentsOf: output.bytes)
                charge += output.charge
            }
            // The memory is not needed until the end.
            output.bytes = ByteWriter(capacity: 16)
        }
    }
}

/// What the writers of jobs start with.
@safe
private final class WriterSeed: @unchecked Sendable {
    private let collector: ObjectCollector
    private let types: TypeTable
    private let options: BinaryEncodingOptions
    private let depth: Int
    private let isConditional: Bool
    private let crew: Crew?

    init(_ writer: borrowing GraphWriter) {
        collector = writer.collector.shared()
        types = writer.types
        options = writer.options
        depth = writer.depth
        isConditional = writer.isConditional
        crew = writer.crew
    }

    func makeWriter() -> GraphWriter {
        var writer = GraphWriter(options: options, capacity: 4096)
        writer.collector = collector.shared()
        writer.types = types
        writer.depth = depth
        writer.isConditional = isConditional
        writer.crew = crew
        return writer
    }
}

extension FieldPlan {
    /// Whether a column can be written without regard to what was written before.
    fileprivate var isShareable: Bool {
        var seen: Set<ObjectIdentifier> = []
        func look(_ plan: ValuePlan) -> Bool {
            guard seen.insert(ObjectIdentifier(plan)).inserted else { return true }
            switch plan.shape {
            case .scalar, .string, .data, .reference: return true
            case .optional(let optional): return look(optional.payload)
            case .structure(let structure): return structure.fields.allSatisfy { look($0.plan) }
            case .array(let array): return look(array.element)
            case .collection(let collection): return look(collection.key) && (collection.value.map(look) ?? true)
            case .enumeration(let enumeration):
                return enumeration.cases.allSatisfy { $0.payload.map(look) ?? true }
            case .bridged(let bridged):
                // The code of a rule may not know of other threads.
                return bridged.reason == .type && look(bridged.surrogate)
            // Codable values name their keys in rows; existentials name types.
            case .codable, .dynamic, .pending: return false
            }
        }
        return look(plan)
    }
}
