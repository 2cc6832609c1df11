// Room:   amber-bench / Harness. What one measurement found.
// Takes:  nothing. Gives: the shape of a row, in memory and in the JSON of a saved run.
// Touches: nothing.

/// One coder on one workload.
struct Row: Codable {
    let workload: String
    let coder: String
    /// How many records, objects or calls the figures are for; less than the workload's own number when cut.
    let count: Int
    /// Size of the archive.
    var bytes = 0
    /// Best of the runs; seconds for the whole count, or for one call of a small message.
    var encodeSeconds = 0.0
    var decodeSeconds = 0.0
    var encodeMedian = 0.0
    var decodeMedian = 0.0
    /// Whether the decoded value, identity structure included, equals the one that went out.
    var equal = false
    /// Timed runs behind the encode and the decode figures.
    var encodeRuns = 0
    var decodeRuns = 0
    /// Best time to release the decoded value.
    var destroySeconds = 0.0
    /// Growth of the resident memory over its start, at its highest, in the first run.
    var encodePeakBytes: Int?
    var decodePeakBytes: Int?
    var peakBytes: Int?
    /// What was taken away from the workload for this coder, and why.
    var cut: String?
    /// Why there are no figures.
    var error: String?

    init(workload: String, coder: String, count: Int) {
        self.workload = workload
        self.coder = coder
        self.count = count
    }
}

/// The names of the coders as they stand in tables and saved runs.
enum CoderName {
    static let amber = "Amber"
    static let amberKept = "Amber (kept buffer)"
    /// On all processors of the machine.
    static let amberThreads = "Amber (threads)"
    static let amberLZ4 = "Amber+LZ4"
    static let amberKeyed = "Amber keyed"
    /// LZ4 at its level 9, which searches longer.
    static let amberLZ4High = "Amber+LZ4-9"
    /// By the types' Codable conformance instead of the model layer.
    static let amberCodable = "Amber (Codable)"
    static let keyedArchiver = "NSKeyedArchiver"
    static let propertyList = "PropertyListEncoder"
    static let json = "JSONEncoder"
    static let readable = "Amber readable"
    static let mapped = "Amber mapped JSON"

    static let all = [
        amber, amberKept, amberThreads, amberLZ4, amberLZ4High, amberCodable, amberKeyed, readable, mapped,
        keyedArchiver, propertyList, json,
    ]
    static let foundation = [keyedArchiver, propertyList, json]
}
