// Room:   amber-bench / Workloads. What every workload asks of Amber.
// Takes:  a value, its comparison and how to take it apart. Gives: the rows, or the sizes, or work for a profiler.
// Touches: the run.

import Foundation

extension Bench {
    /// Amber as it comes, into a kept buffer if wanted, and with LZ4.
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
            for name in [CoderName.amber, CoderName.amberKept, CoderName.amberLZ4] {
                if name == CoderName.amberKept, !keepsBuffer { continue }
                try measure(name) {
                    Trial(
                        contender: AmberContender<Value>(name), value: value, count: count, calls: calls,
                        isEqual: isEqual, takeApart: takeApart)
                }
            }
        }
    }
}
