// Room:   amber-bench / Harness. Runs one trial: out, back, equal, released.
// Takes:  a trial. Gives: its row; a coder that throws gives a row that says so.
// Touches: the clock, the memory watch.

import Foundation

extension Trial {
    /// Measures the trial; the first encode and decode are not timed, their memory is watched instead.
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
        row.encodePeakBytes = try watchingMemory { try contender.encode(value, into: &buffer) }
        var samples = Samples()
        repeat {
            if !contender.keepsBuffer { buffer = Data() }
            let start = clock.now
            for _ in 0..<calls { try contender.encode(value, into: &buffer) }
            samples.add((clock.now - start) / calls)
        } while policy.wantsMore(after: samples.scaled(by: calls))
        row.encodeSeconds = samples.best
        row.encodeMedian = samples.median
        row.encodeRuns = samples.seconds.count
        return buffer
    }

    private func measureDecoding(_ archive: Data, _ row: inout Row, _ policy: RunPolicy) throws {
        let clock = ContinuousClock()
        var decoded: C.Value?
        row.decodePeakBytes = try watchingMemory { decoded = try contender.decode(archive) }
        row.peakBytes = [row.encodePeakBytes, row.decodePeakBytes].compactMap { $0 }.max()
        if let decoded {
            row.equal = isEqual(value, decoded)
            takeApart(decoded)
        }
        decoded = nil
        var samples = Samples()
        var destruction = Samples()
        repeat {
            let start = clock.now
            for _ in 1..<calls { blackHole(try contender.decode(archive)) }
            decoded = try contender.decode(archive)
            samples.add((clock.now - start) / calls)
            let end = clock.now
            if let value = decoded { takeApart(value) }
            decoded = nil
            destruction.add(clock.now - end)
        } while policy.wantsMore(after: samples.scaled(by: calls))
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
