// Room:   AmberBinary / Parallel. The columns of a struct or class, read on several threads.
// Takes:  rows of uninitialised memory and the way to their fields. Gives: what one thread gives.
// Touches: GraphReader, one for each column; the crew.
//
// Invariants
// 1. Each job initialises the field of its column alone, in all rows or, if it fails, in none; no two jobs share a field.
// 2. Jobs read the archive's bytes, which are lent for the whole decoding; `run` returns when all jobs are over.
// 3. What a job may allocate is a part of what is left to the archive; the parts of all jobs add up to no more.

internal import AmberBytes
internal import AmberModel

/// A column's place in the archive, and what became of it.
private final class ColumnJob: @unchecked Sendable {
    var start = 0
    var end = 0
    /// The strings that rows had numbered before the column.
    var strings: [String] = []
    var budget = 0
    var isDone = false
    var spent = 0
    var waiting: [() throws -> Void] = []
    var failure: DecodingFailure?
}

/// What the readers of jobs start with.
@safe
private struct ReaderSeed: @unchecked Sendable {
    let reader: GraphReader
    let rows: Rows
    let offset: Int
    let fields: FieldsPlan
}

extension GraphReader {
    /// Whether it pays to read the fields on several threads.
    @inline(__always)
    func isShared(_ rows: Rows, _ fields: FieldsPlan) -> Bool {
        rows.count >= crew?.smallestBatch ?? Int.max && fields.steps.count > 1 && crew?.isIdle ?? false
    }

    /// Reads properties, each column on any thread.
    mutating func shareColumns(_ rows: Rows, _ offset: Int, _ fields: FieldsPlan) throws(DecodingFailure) {
        guard let crew else { return }
        let jobs = fields.steps.map { _ in ColumnJob() }
        let seed = ReaderSeed(reader: self, rows: rows, offset: offset, fields: fields)
        let isShareable = fields.steps.map { $0.destination?.plan.isShareable ?? true }
        let (budget, checks, room) = (input.budget, checksSkipped, Double(max(input.remaining, 1)))
        checksSkipped = false
        var scanFailure: DecodingFailure?
        do throws(DecodingFailure) {
            try crew.run(jobs.count) { index throws(DecodingFailure) in
                try findColumn(jobs[index], fields.steps[index], rows.count, Double(budget.remaining) / room)
            } _: { index in
                if isShareable[index] { seed.run(jobs[index], fields.steps[index]) }
            }
        } catch {
            scanFailure = error
        }
        (input.budget, checksSkipped) = (budget, checks)
        defer {
            // What waits keeps its order, whichever thread came to it first.
            for job in jobs { waiting += job.waiting }
        }
        let end = input.position
        let strings = strings
        for job in jobs where job.isDone { _ = input.budget.spend(job.spent) }
        do throws(DecodingFailure) {
            if let scanFailure { throw scanFailure }
            for (job, step) in zip(jobs, fields.steps) where !job.isDone {
                // A column that needs more than its part of the budget may have what the others left.
                if let failure = job.failure, failure.code != .limitExceeded { throw failure }
                try readAlone(job, step, rows, offset)
            }
        } catch {
            for (index, job) in jobs.enumerated() where job.isDone {
                fields.destroyFilled(rows, offset, step: index)
                job.waiting = []
            }
            throw error
        }
        input.position = end
        self.strings = strings
    }

    /// Finds out where a column stands, and goes to its end. Of the budget it gets its part: so much for each byte.
    private mutating func findColumn(
        _ job: ColumnJob, _ step: FieldsPlan.Step, _ count: Int, _ budget: Double
    ) throws(DecodingFailure) {
        (job.start, job.strings) = (input.position, strings)
        do throws(DecodingFailure) {
            try skipColumns(step.wire, count: count)
        } catch {
            throw error.within(.property(step.name))
        }
        job.end = input.position
        job.budget = Int(budget * 0.99 * Double(job.end - job.start))
    }

    /// Reads one column on this thread.
    private mutating func readAlone(
        _ job: ColumnJob, _ step: FieldsPlan.Step, _ rows: Rows, _ offset: Int
    ) throws(DecodingFailure) {
        let outer = waiting
        (input.position, strings, waiting) = (job.start, job.strings, [])
        defer { waiting = outer }
        do throws(DecodingFailure) {
            try readColumn(into: rows, offset, step)
        } catch {
            throw error.within(.property(step.name))
        }
        (job.isDone, job.waiting) = (true, waiting)
    }
}

extension ReaderSeed {
    func run(_ job: ColumnJob, _ step: FieldsPlan.Step) {
        var reader = reader
        reader.input.position = job.start
        reader.input.budget = ByteBudget(bytes: job.budget)
        reader.strings = job.strings
        reader.waiting = []
        reader.scratch = ColumnScratch()
        do throws(DecodingFailure) {
            try reader.readColumn(into: rows, offset, step)
            guard reader.input.position == job.end else {
                if let destination = step.destination { destination.destroy(rows, offset) }
                throw DecodingFailure(ByteError(.inconsistent, at: job.start))
            }
            job.isDone = true
            job.spent = job.budget - reader.input.budget.remaining
            job.waiting = reader.waiting
        } catch {
            job.failure = error.within(.property(step.name))
        }
    }
}

extension ReadPlan {
    /// Whether a column can be read without regard to what else the archive holds.
    fileprivate var isShareable: Bool {
        var seen: Set<ObjectIdentifier> = []
        func look(_ plan: ReadPlan) -> Bool {
            guard seen.insert(ObjectIdentifier(plan)).inserted else { return true }
            switch plan.action {
            case .scalar, .string, .data, .reference: return true
            case .optional(let payload, _), .wrapped(let payload, _), .unwrapped(let payload):
                return look(payload)
            // The code of a rule may not know of other threads.
            case .bridged(let payload, let bridged): return bridged.reason == .type && look(payload)
            case .structure(let fields, _), .extract(let fields):
                return fields.steps.allSatisfy { $0.destination.map { look($0.plan) } ?? true }
            case .enumeration(let cases): return cases.cases.allSatisfy { $0.payload.map(look) ?? true }
            case .array(let element, _): return look(element)
            case .collection(let key, let value, _): return look(key) && (value.map(look) ?? true)
            // These share what they find out about the archive's types.
            case .dynamic, .codable, .made, .pending: return false
            }
        }
        return look(self)
    }
}
