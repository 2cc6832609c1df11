// Room:   amber-bench / Workloads. What every workload asks of Amber.
// Takes:  a value, its comparison and how to take it apart. Gives: the rows, or the sizes, or work for a profiler.
// Touches: the run.

import Foundation

extension Bench {
    /// Amber as it comes, into a kept buffer if wanted, on several threads if that can pay, and with LZ4.
    func amber<Value>(
        _ value: Value, count: Int, calls: Int = 1, keepsBuffer: Bool = true, isEqual: @escaping (Value, Value) -> Bool,
        takeApart: @escaping (Value) -> Void = { _ in }
    ) throws {
        switch options.mode {
        case .checkBytes, .writeBytes:
            try noteSize { buffer in
                try AmberContender<Value>(isDeterministic: true).encode(value, into: &buffer)
            }
        case .repeatOnly(let times):
            let contender = AmberContender<Value>(CoderName.amberKept)
            var buffer = Data()
            for _ in 0..<times * calls {
                try contender.encode(value, into: &buffer)
                takeApart(try contender.decode(buffer))
            }
        case .measure, .help:
            for name in [
                CoderName.amber, CoderName.amberKept, CoderName.amberThreads, CoderName.amberLZ4,
                CoderName.amberLZ4High,
            ] {
                if name == CoderName.amberKept, !keepsBuffer { continue }
                // Small archives stay on one thread.
                if name == CoderName.amberThreads, count < 10_000 { continue }
                try measure(name) {
                    Trial(
                        contender: AmberContender<Value>(name), value: value, count: count, calls: calls,
                        isEqual: isEqual, takeApart: takeApart)
                }
            }
        }
    }
}

extension Bench {
    /// Amber's Codable path.
    func amberCodable<Value: Codable & Equatable>(_ values: [Value]) throws {
        try measure(CoderName.amberCodable) {
            Trial(
                contender: AmberContender<[CodableOnly<Value>]>(CoderName.amberCodable),
                value: values.map { CodableOnly($0) }, count: values.count, isEqual: areEqual)
        }
    }
}

private func areEqual<Value: Codable & Equatable>(_ left: [CodableOnly<Value>], _ right: [CodableOnly<Value>]) -> Bool {
    left == right
}
