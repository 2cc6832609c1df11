// Room:   amber-bench / Harness. What the command line asks for.
// Takes:  the arguments. Gives: options, or the fault in one sentence. Touches: nothing.

/// What one run of the benchmark does.
struct Options {
    /// What the program is asked to do.
    enum Mode {
        case measure
        case help
        /// Compare the exact sizes of the archives with a file.
        case checkBytes(path: String)
        /// Write the exact sizes of the archives to a file.
        case writeBytes(path: String)
        /// Encode and decode each chosen workload this often and print nothing: for profilers.
        case repeatOnly(times: Int)
    }

    var mode = Mode.measure
    /// Shorter samples and smaller parts for the slow coders: the whole run ends within a minute.
    var isQuick = false
    /// Chosen workloads in running order.
    var workloads = Workloads.names
    /// Chosen coders; all of them when `nil`.
    var coders: Set<String>?
    /// Timed runs of a row; the time budget decides when `nil`.
    var runs: Int?
    var jsonPath: String?
    var svgPath: String?
    var comparePath: String?

    /// Whether rows of this coder are wanted.
    func wants(coder: String) -> Bool {
        coders?.contains(coder.lowercased()) ?? true
    }

    static let usage = """
        usage: amber-bench [options]

          --quick            every workload, smaller samples, within a minute
          --workload A,B     only these: \(Workloads.names.joined(separator: ", "))
          --coder A,B        only these: \(CoderName.all.joined(separator: ", "))
          --runs N           timed runs of each row (otherwise as many as a time budget allows)
          --json PATH        write the rows as JSON, after every row
          --svg PATH         write bar charts on a logarithmic scale
          --compare PATH     set the run beside one saved with --json
          --check-bytes PATH compare the exact archive sizes with PATH, measure nothing
          --write-bytes PATH write the exact archive sizes to PATH, measure nothing
          --repeat N         encode and decode N times with Amber and print nothing, for profilers
          --help             this text

        """
}

/// A fault in the command line.
struct UsageError: Error, CustomStringConvertible {
    let description: String
}

extension Options {
    /// Reads the arguments, without the program's name.
    ///
    /// - Throws: ``UsageError`` for an unknown option, workload or coder and for a missing or bad value.
    init(arguments: [String]) throws(UsageError) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            var name = argument
            var inlineValue: String?
            if argument.hasPrefix("--"), let sign = argument.firstIndex(of: "=") {
                name = String(argument[..<sign])
                inlineValue = String(argument[argument.index(after: sign)...])
            }
            func value() throws(UsageError) -> String {
                guard let text = inlineValue ?? rest.popFirst(), !text.isEmpty else {
                    throw UsageError(description: "\(name) needs a value")
                }
                inlineValue = nil
                return text
            }
            switch name {
            case "--quick": isQuick = true
            case "--help", "-h": mode = .help
            case "--workload", "--workloads": workloads = try Self.workloads(named: value())
            case "--coder", "--coders": coders = try Self.coders(named: value())
            case "--runs": runs = try Self.positive(value(), for: name)
            case "--json": jsonPath = try value()
            case "--svg": svgPath = try value()
            case "--compare": comparePath = try value()
            case "--check-bytes": mode = .checkBytes(path: try value())
            case "--write-bytes": mode = .writeBytes(path: try value())
            case "--repeat": mode = .repeatOnly(times: try Self.positive(value(), for: name))
            default: throw UsageError(description: "unknown option \(argument)")
            }
            if inlineValue != nil { throw UsageError(description: "\(name) takes no value") }
        }
    }

    private static func positive(_ text: String, for name: String) throws(UsageError) -> Int {
        guard let number = Int(text), number > 0 else {
            throw UsageError(description: "\(name) needs a number above zero, not \(text)")
        }
        return number
    }

    private static func workloads(named list: String) throws(UsageError) -> [String] {
        var wanted: Set<String> = []
        for name in list.split(separator: ",").map({ $0.lowercased() }) {
            guard Workloads.names.contains(name) else {
                throw UsageError(
                    description: "no workload \(name); there are \(Workloads.names.joined(separator: ", "))")
            }
            wanted.insert(name)
        }
        return Workloads.names.filter { wanted.contains($0) }
    }

    private static func coders(named list: String) throws(UsageError) -> Set<String> {
        let known = Set(CoderName.all.map { $0.lowercased() })
        var wanted: Set<String> = []
        for name in list.split(separator: ",").map({ $0.lowercased() }) {
            guard known.contains(name) else {
                throw UsageError(description: "no coder \(name); there are \(CoderName.all.joined(separator: ", "))")
            }
            wanted.insert(name)
        }
        return wanted
    }
}
