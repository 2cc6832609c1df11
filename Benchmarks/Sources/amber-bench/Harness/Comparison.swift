// Room:   amber-bench / Harness. A run beside a saved one.
// Takes:  the rows of both. Gives: text. Touches: nothing.

/// New figures as multiples of saved ones.
enum Comparison {
    static func text(of rows: [Row], with saved: [Row]) -> String {
        var cells = [["workload", "coder", "bytes new/old", "out new/old", "back new/old", ""]]
        for row in rows where row.error == nil {
            guard let old = saved.first(where: { $0.workload == row.workload && $0.coder == row.coder }),
                old.error == nil
            else { continue }
            let out = row.each(row.encodeSeconds) / old.each(old.encodeSeconds)
            let back = row.each(row.decodeSeconds) / old.each(old.decodeSeconds)
            cells.append([
                row.workload, row.coder, Format.ratio(row.each(Double(row.bytes)), old.each(Double(old.bytes))),
                Format.digits(out), Format.digits(back), remark(out, back),
            ])
        }
        guard cells.count > 1 else { return "The saved run has no row of this run.\n" }
        return (["## beside the saved run"] + Table.aligned(cells)).joined(separator: "\n") + "\n"
    }

    /// Gaps below 1.5 within minutes of each other are the machine's, not the code's.
    private static func remark(_ out: Double, _ back: Double) -> String {
        if max(out, back) >= 1.5 { return "slower" }
        if min(out, back) <= 1 / 1.5 { return "faster" }
        return "as before"
    }
}
