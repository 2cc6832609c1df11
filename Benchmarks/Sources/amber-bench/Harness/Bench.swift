// Room:   amber-bench / Harness. The run: asks for trials, collects their rows, saves after each.
// Takes:  options. Gives: rows. Touches: the JSON file, standard error.

import Foundation

/// One run of the benchmark.
final class Bench {
    let options: Options
    private(set) var rows: [Row] = []
    /// Exact sizes by workload, when only they were asked for.
    private(set) var sizes: [String: Int] = [:]
    private var workload = ""

    init(options: Options) {
        self.options = options
    }

    /// Runs the chosen workloads and prints the table of each.
    func run(then report: ([Row]) -> Void) throws {
        for name in options.workloads {
            workload = name
            let start = ContinuousClock.now
            Console.note("\(name): making the data")
            let first = rows.count
            try Workloads.run(name, on: self)
            Console.note("\(name): done in \(Format.time((ContinuousClock.now - start) / .seconds(1)))")
            if rows.count > first { report(Array(rows[first...])) }
        }
    }

    /// How many items a part has in this run.
    func size(_ part: Part) -> Int {
        options.isQuick ? part.quick : part.full
    }

    /// Measures one coder, unless it wasn't asked for; the trial is made only then.
    func measure<C: Contender>(_ name: String, _ trial: () throws -> Trial<C>) throws {
        guard case .measure = options.mode, options.wants(coder: name) else { return }
        Console.note("\(workload): \(name)")
        let row = try trial().row(for: workload, policy: RunPolicy(options: options))
        if let error = row.error {
            Console.note("\(workload): \(name) failed: \(error)")
        } else if !row.equal {
            Console.note("\(workload): \(name): what came back is not equal to what went out")
        }
        rows.append(row)
        if let path = options.jsonPath { try SavedRun.write(rows, to: path) }
    }

    /// Prints a line between the tables.
    func tell(_ text: String) {
        if case .measure = options.mode { Console.print(text) }
    }

    /// Keeps the size of an archive.
    func noteSize(of encode: (inout Data) throws -> Void) throws {
        var buffer = Data()
        try encode(&buffer)
        sizes[workload] = buffer.count
    }
}
