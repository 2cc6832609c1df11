// Room:   amber-bench / Harness. Runs one trial: out, back, equal, released.
// Takes:  a trial. Gives: its row; a coder that throws gives a row that says so.
// Touches: the clock, the memory watch.

import Foundation

extension Trial {
    /// Measures the trial; in the first encode and decode memory is watched; they are timed only if they are long.
    func row(for workload: String, policy: RunPolicy) -> Row {
        var row = Row(workload: workload, coder: contender.name, count: count)
        row.cut = cut
        do {
            let archive = try measureEncoding(&row, policy)
            row.bytes = archive.count
            try measureDecoding(archive, &row, policy)
        } catch {
            row.error = "\(error)"
            row.equal = false
        }
        return row
    }

    private func measureEncoding(_ row: inout Row, _ policy: RunPolicy) throws -> Data {
        let clock = ContinuousClock()
        var buffer = Data()
        var samples = Samples()
        row.encodePeakBytes = try watchingMemory {
            let start = clock.now
            try contender.encode(value, into: &buffer)
            if policy.countsFirstRun(of: clock.now - start) { samples.add(clock.now - start) }
        }
        while policy.wantsMore(after: samples.scaled(by: calls)) {
            if !contender.keepsBuffer { buffer = Data() }
            let start = clock.now
            for _ in 0..<calls { try contender.encode(value, into: &buffer) }
            samples.add((clock.now - start) / calls)
        }
        row.encodeSeconds = samples.best
        row.encodeMedian = samples.median
        row.encodeRuns = samples.seconds.count
        return buffer
    }

    private func measureDecoding(_ archive: Data, _ row: inout Row, _ policy: RunPolicy) throws {
        let clock = ContinuousClock()
        var decoded: C.Value?
        var samples = Samples()
        row.decodePeakBytes = try watchingMemory {
            let start = clock.now
            decoded = try contender.decode(archive)
            if policy.countsFirstRun(of: clock.now - start) { samples.add(clock.now - start) }
        }
        row.peakBytes = [row.encodePeakBytes, row.decodePeakBytes].compactMap { $0 }.max()
        if let decoded {
            row.equal = isEqual(value, decoded)
            takeApart(decoded)
        }
        decoded = nil
        var destruction = Samples()
        while policy.wantsMore(after: samples.scaled(by: calls)) {
            let start = clock.now
            for _ in 1..<calls { blackHole(try contender.decode(archive)) }
            decoded = try contender.decode(archive)
            samples.add((clock.now - start) / calls)
            let end = clock.now
            if let value = decoded { takeApart(value) }
            decoded = nil
            destruction.add(clock.now - end)
        }
        row.decodeSeconds = samples.best
        row.decodeMedian = samples.median
        row.decodeRuns = samples.seconds.count
        row.destroySeconds = destruction.best
    }

    private func watchingMemory(_ work: () throws -> Void) rethrows -> Int? {
        let start = ProcessMemory.startWatching()
        try work()
        guard let start, let peak = ProcessMemory.peak() else { return nil }
        return max(0, peak - start)
    }
}

extension Samples {
    /// The same samples as if each call had been counted.
    fileprivate func scaled(by calls: Int) -> Samples {
        calls == 1 ? self : Samples(seconds: seconds.map { $0 * Double(calls) })
    }
}
