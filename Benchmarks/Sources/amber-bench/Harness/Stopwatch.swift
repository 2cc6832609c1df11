// Room:   amber-bench / Harness. Repeats a piece of work until its time is known.
// Takes:  a budget and a number of runs. Gives: the best and the median. Touches: the clock.

/// Samples of one repeated piece of work, in seconds.
struct Samples {
    var seconds: [Double] = []

    mutating func add(_ duration: Duration) {
        seconds.append(duration / .seconds(1))
    }

    var best: Double { seconds.min() ?? 0 }

    var median: Double {
        guard !seconds.isEmpty else { return 0 }
        let sorted = seconds.sorted()
        let middle = sorted.count / 2
        return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
    }

    var total: Double { seconds.reduce(0, +) }
}

/// How long to go on repeating.
struct RunPolicy {
    let minimum: Int
    let maximum: Int
    /// Seconds of measured work after which no further run starts, once the minimum is reached.
    let budget: Double

    init(options: Options) {
        if let runs = options.runs {
            minimum = runs
            maximum = runs
            budget = .infinity
        } else if options.isQuick {
            minimum = 2
            maximum = 15
            budget = 0.3
        } else {
            minimum = 3
            maximum = 60
            budget = 2
        }
    }

    /// Warming up is lost in a run that takes longer than the budget, and another such run is worth more than it costs.
    func countsFirstRun(of duration: Duration) -> Bool {
        duration / .seconds(1) > budget
    }

    func wantsMore(after samples: Samples) -> Bool {
        let runs = samples.seconds.count
        return runs < minimum || (runs < maximum && samples.total < budget)
    }
}

/// Keeps the optimiser from dropping work whose result nobody reads.
@inline(never)
func blackHole<Value>(_ value: borrowing Value) {}
