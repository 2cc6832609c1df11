// Room:   amber-bench / Workloads. The list of what is measured.
// Takes:  a name. Gives: that workload's trials to the run. Touches: nothing.

/// The workloads by name.
enum Workloads {
    /// In running order.
    static let names = [
        "packages", "people", "list", "tree", "log", "mesh", "savegame", "ships", "numbers", "onelog", "settings",
        "dictionaries", "strings", "objects",
    ]

    static func run(_ name: String, on bench: Bench) throws {
        switch name {
        case "log":
            try bench.records(
                Log.make(count: 10_000), twin: LogTwin.self, keyed: Part(500, quick: 40),
                codable: Part(10_000, quick: 1_000))
        case "mesh":
            try bench.records(
                Triangle.make(count: 125_000), twin: TriangleTwin.self, keyed: Part(500, quick: 40),
                codable: Part(12_500, quick: 1_250))
        case "savegame":
            try bench.records(
                Player.make(count: 500), twin: PlayerTwin.self, keyed: Part(100, quick: 20),
                codable: Part(500, quick: 50))
        case "ships":
            try bench.records(
                Update.make(count: 1_000), twin: UpdateTwin.self, keyed: Part(30, quick: 10),
                codable: Part(200, quick: 20))
        case "numbers": try bench.message(Numbers.sample, twin: NumbersTwin.self)
        case "onelog": try bench.message(Log.make(count: 1)[0], twin: LogTwin.self)
        case "settings": try bench.message(Settings.makeSample(), twin: SettingsTwin.self)
        case "people": try bench.people()
        case "list": try bench.list()
        case "tree": try bench.tree()
        case "packages": try bench.packages()
        case "dictionaries": try bench.keyedDictionaries()
        case "strings": try bench.keyedStrings()
        case "objects": try bench.keyedObjects()
        default: break
        }
    }
}

/// How much of a workload a slow coder gets.
struct Part {
    let full: Int
    let quick: Int

    init(_ full: Int, quick: Int) {
        self.full = full
        self.quick = quick
    }
}
