// Room:   amber-bench / Harness. The table that a person reads.
// Takes:  the rows of one workload. Gives: text. Touches: nothing.

import Foundation

/// The rows of one workload as a table.
enum Table {
    static func text(for rows: [Row]) -> String {
        guard let first = rows.first else { return "" }
        // Where the binary format has no part, the keyed one is what the others are measured by.
        let base = rows.first { [CoderName.amber, CoderName.amberKeyed].contains($0.coder) && $0.error == nil }
        let full = rows.map(\.count).max() ?? 0
        var cells = [
            [
                "coder", "count", "bytes", "out best", "median", "back best", "median", "release", "peak", "equal",
            ]
        ]
        if base != nil { cells[0] += ["size x", "out x", "back x"] }
        for row in rows { cells.append(self.cells(for: row, base: base)) }
        var lines = ["## \(first.workload): \(Format.number(full))"]
        lines += aligned(cells)
        for row in rows { if let cut = row.cut { lines.append("  \(row.coder): \(cut)") } }
        for row in rows { if let error = row.error { lines.append("  \(row.coder) failed: \(error)") } }
        return lines.joined(separator: "\n") + "\n"
    }

    static let legend = """
        out and back: seconds to encode and to decode the whole count (a small message: one call). release: to let go
        of what was decoded. peak: growth of memory in the first run. x: how many times Amber's figure, for each item.

        """

    private static func cells(for row: Row, base: Row?) -> [String] {
        if row.error != nil { return [row.coder, Format.number(row.count), "failed"] }
        var cells = [
            row.coder, Format.number(row.count), Format.number(row.bytes), Format.time(row.encodeSeconds),
            Format.time(row.encodeMedian), Format.time(row.decodeSeconds), Format.time(row.decodeMedian),
            Format.time(row.destroySeconds), row.peakBytes.map(Format.memory) ?? "-", row.equal ? "yes" : "NO",
        ]
        if let base {
            cells += [
                Format.ratio(row.each(Double(row.bytes)), base.each(Double(base.bytes))),
                Format.ratio(row.each(row.encodeSeconds), base.each(base.encodeSeconds)),
                Format.ratio(row.each(row.decodeSeconds), base.each(base.decodeSeconds)),
            ]
        }
        return cells
    }

    /// Left-aligned first column, right-aligned others.
    static func aligned(_ rows: [[String]]) -> [String] {
        let columns = rows.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0 }
        return rows.map { row in
            row.enumerated().map { column, cell in
                let space = String(repeating: " ", count: widths[column] - cell.count)
                return column == 0 ? cell + space : space + cell
            }.joined(separator: "  ")
        }
    }
}

extension Row {
    /// A figure for one item.
    func each(_ figure: Double) -> Double {
        count == 0 ? 0 : figure / Double(count)
    }
}

/// Figures as text.
enum Format {
    static func number(_ value: Int) -> String {
        var digits = Array(String(value.magnitude))
        var place = digits.count - 3
        while place > 0 {
            digits.insert(",", at: place)
            place -= 3
        }
        return (value < 0 ? "-" : "") + String(digits)
    }

    static func time(_ seconds: Double) -> String {
        switch seconds {
        case 1...: "\(digits(seconds)) s"
        case 1e-3..<1: "\(digits(seconds * 1e3)) ms"
        case 1e-6..<1e-3: "\(digits(seconds * 1e6)) us"
        default: "\(digits(seconds * 1e9)) ns"
        }
    }

    static func memory(_ bytes: Int) -> String {
        bytes < 1 << 20 ? "\(bytes >> 10) kB" : "\(digits(Double(bytes) / 1_048_576)) MB"
    }

    static func ratio(_ value: Double, _ base: Double) -> String {
        base > 0 ? digits(value / base) : "-"
    }

    /// Three significant digits, no exponent, no zeros at the end.
    static func digits(_ value: Double) -> String {
        guard value.isFinite, value < 1e15 else { return "\(value)" }
        if value >= 1_000 || value.rounded() == value { return number(Int(value.rounded())) }
        let places = value >= 100 ? 0 : value >= 10 ? 1 : value >= 0.1 ? 2 : 4
        return String(format: "%.\(places)f", value)
    }
}
