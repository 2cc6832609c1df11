// Room:   amber-bench. The way from the command line to the exit status.
// Takes:  arguments. Gives: tables on standard output; status 0, 1 (a row is not equal, a size is wrong) or 2 (bad usage).
// Touches: the files named in the options.

import Foundation

@main
enum Main {
    static func main() {
        do throws(UsageError) {
            let options = try Options(arguments: Array(CommandLine.arguments.dropFirst()))
            if case .help = options.mode { return Console.print(Options.usage) }
            let saved = try options.comparePath.map { path throws(UsageError) in try SavedRun.read(path) }
            if let path = options.jsonPath { try SavedRun.start(path) }
            exit(run(options, besides: saved))
        } catch {
            Console.note("amber-bench: \(error)")
            Console.note("Try --help.")
            exit(2)
        }
    }

    private static func run(_ options: Options, besides saved: [Row]?) -> Int32 {
        do {
            let bench = Bench(options: options)
            switch options.mode {
            case .help: return 0
            case .repeatOnly:
                try bench.run { _ in }
                return 0
            case .writeBytes(let path):
                try bench.run { _ in }
                try ByteThresholds.write(bench.sizes, to: path)
                return 0
            case .checkBytes(let path):
                try bench.run { _ in }
                return report(try ByteThresholds.differences(of: bench.sizes, from: path), among: bench.sizes.count)
            case .measure:
                Console.print(Table.legend)
                try bench.run { Console.print(Table.text(for: $0)) }
                if let saved { Console.print(Comparison.text(of: bench.rows, with: saved)) }
                if let path = options.svgPath { try Chart.write(bench.rows, to: path) }
                return bench.rows.allSatisfy(\.equal) ? 0 : 1
            }
        } catch {
            Console.note("amber-bench: \(error)")
            return 1
        }
    }

    private static func report(_ differences: [String], among count: Int) -> Int32 {
        for difference in differences { Console.note("amber-bench: \(difference)") }
        guard differences.isEmpty else { return 1 }
        Console.print("\(count) sizes are as they should be.")
        return 0
    }
}
