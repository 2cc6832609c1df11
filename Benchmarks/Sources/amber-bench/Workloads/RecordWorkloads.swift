// Room:   amber-bench / Workloads. Arrays of structs, and single small messages.
// Takes:  the records. Gives: trials for every coder. Touches: the run.

import Foundation

extension Bench {
    /// An array of records, of which the keyed archiver and the Codable coders may get a part only.
    func records<Twin: KeyedTwin>(
        _ records: [Twin.Record], twin: Twin.Type, keyed: Part, codable: Part
    ) throws where Twin.Record: Codable {
        try amber(records, count: records.count, isEqual: ==)
        try amberCodable(Array(records.prefix(size(codable))))
        try measure(CoderName.keyedArchiver) {
            let cut = Array(records.prefix(size(keyed)))
            return Trial(
                contender: KeyedArchiverContender(NSArray.self, classes: [Twin.self]),
                value: cut.map { Twin($0) } as NSArray, count: cut.count,
                cut: "the first \(cut.count) of \(records.count): its time grows with the square of the objects",
                isEqual: { left, right in
                    (left as? [Twin])?.map(\.record) == cut && (right as? [Twin])?.map(\.record) == cut
                })
        }
        let part = Array(records.prefix(size(codable)))
        let cut =
            part.count == records.count
            ? nil : "the first \(part.count) of \(records.count): all would take seconds a run"
        try measure(CoderName.propertyList) {
            Trial(contender: PropertyListContender(), value: part, count: part.count, cut: cut, isEqual: ==)
        }
        try measure(CoderName.json) {
            Trial(contender: JSONContender(), value: part, count: part.count, cut: cut, isEqual: ==)
        }
        try measure(CoderName.readable) {
            Trial(contender: ReadableContender(), value: part, count: part.count, cut: cut, isEqual: ==)
        }
        try measure(CoderName.mapped) {
            Trial(contender: MappedContender(), value: part, count: part.count, cut: cut, isEqual: ==)
        }
    }

    /// One message, encoded and decoded a thousand times a sample.
    func message<Twin: KeyedTwin>(_ message: Twin.Record, twin: Twin.Type) throws where Twin.Record: Codable {
        let calls = 1_000
        try amber(message, count: 1, calls: calls, isEqual: ==)
        try measure(CoderName.keyedArchiver) {
            Trial(
                contender: KeyedArchiverContender(Twin.self), value: Twin(message), count: 1,
                calls: size(Part(100, quick: 20)),
                isEqual: { $0.record == $1.record })
        }
        let few = size(Part(calls, quick: 200))
        try measure(CoderName.propertyList) {
            Trial(contender: PropertyListContender(), value: message, count: 1, calls: few, isEqual: ==)
        }
        try measure(CoderName.json) {
            Trial(contender: JSONContender(), value: message, count: 1, calls: few, isEqual: ==)
        }
        try measure(CoderName.readable) {
            Trial(contender: ReadableContender(), value: message, count: 1, calls: few, isEqual: ==)
        }
        try measure(CoderName.mapped) {
            Trial(contender: MappedContender(), value: message, count: 1, calls: few, isEqual: ==)
        }
    }
}
