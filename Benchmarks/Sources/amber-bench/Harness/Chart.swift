// Room:   amber-bench / Harness. Bar charts on a logarithmic scale, as one SVG.
// Takes:  rows. Gives: the picture: size, time out and time back of every workload, for each item. Touches: the file.

import Foundation

/// Draws the rows of a run.
struct Chart {
    private struct Panel {
        let title: String
        let subject: String
        let format: (Double) -> String
        let figure: (Row) -> Double
    }

    private let panels = [
        Panel(title: "Archive size", subject: "an item", format: bytes) { $0.each(Double($0.bytes)) },
        Panel(title: "Time out", subject: "an item", format: Format.time) { $0.each($0.encodeSeconds) },
        Panel(title: "Time back", subject: "an item", format: Format.time) { $0.each($0.decodeSeconds) },
    ]
    private static let colors = [
        CoderName.amber: "#d98c00", CoderName.amberLZ4: "#8a5a00", CoderName.amberKeyed: "#c4622d",
        CoderName.keyedArchiver: "#b0b7c3",
        CoderName.propertyList: "#7d8799", CoderName.json: "#4c5567",
    ]
    private static let order = [
        CoderName.amber, CoderName.amberLZ4, CoderName.amberKeyed, CoderName.json, CoderName.propertyList,
        CoderName.keyedArchiver,
    ]

    private let rows: [Row]
    private let workloads: [String]
    private let coders: [String]
    private var lines: [String] = []

    private let barWidth = 11.0
    private let groupGap = 16.0
    private let left = 64.0
    private let top = 78.0
    private let plotHeight = 190.0
    private let panelHeight = 270.0

    /// Writes the picture of the rows that have figures.
    static func write(_ rows: [Row], to path: String) throws {
        var chart = Chart(rows)
        try Data(chart.draw().utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    }

    private init(_ rows: [Row]) {
        let kept = rows.filter { $0.error == nil && Self.colors[$0.coder] != nil }
        self.rows = kept
        var seen: Set<String> = []
        workloads = kept.map(\.workload).filter { seen.insert($0).inserted }
        coders = Self.order.filter { name in kept.contains { $0.coder == name } }
    }

    private var groupWidth: Double { max(Double(coders.count) * barWidth + groupGap, 64) }
    private var width: Double { max(left + Double(workloads.count) * groupWidth + 24, 620) }
    private var height: Double { top + Double(panels.count) * panelHeight }

    private mutating func draw() -> String {
        lines = [
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(text(width)) \(text(height))\" "
                + "font-family=\"system-ui, sans-serif\" font-size=\"11\">",
            "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>",
            "<text x=\"16\" y=\"26\" font-size=\"16\" font-weight=\"600\" fill=\"#1d2330\">"
                + "Amber beside Foundation's coders</text>",
        ]
        drawLegend()
        for (index, panel) in panels.enumerated() {
            draw(panel, top: top + Double(index) * panelHeight)
        }
        lines.append("</svg>")
        return lines.joined(separator: "\n") + "\n"
    }

    private mutating func drawLegend() {
        var x = 16.0
        for coder in coders {
            lines.append(
                "<rect x=\"\(text(x))\" y=\"42\" width=\"11\" height=\"11\" fill=\"\(Self.colors[coder] ?? "#000")\"/>")
            lines.append("<text x=\"\(text(x + 16))\" y=\"52\" fill=\"#1d2330\">\(coder)</text>")
            x += 40 + Double(coder.count) * 6.4
        }
    }

    private mutating func draw(_ panel: Panel, top: Double) {
        let values = rows.map(panel.figure).filter { $0 > 0 && $0.isFinite }
        guard let least = values.min(), let most = values.max() else { return }
        let low = log10(least).rounded(.down)
        let high = max(log10(most).rounded(.up), low + 1)
        let base = top + 24 + plotHeight
        func y(_ value: Double) -> Double { base - (log10(value) - low) / (high - low) * plotHeight }

        lines.append(
            "<text x=\"16\" y=\"\(text(top + 8))\" font-size=\"13\" font-weight=\"600\" fill=\"#1d2330\">\(panel.title)"
                + "<tspan dx=\"8\" font-weight=\"400\" fill=\"#5a6272\">\(panel.subject), logarithmic, less is better</tspan></text>"
        )
        for power in Int(low)...Int(high) {
            let line = y(pow(10, Double(power)))
            lines.append(
                "<line x1=\"\(text(left))\" x2=\"\(text(width - 16))\" y1=\"\(text(line))\" y2=\"\(text(line))\" "
                    + "stroke=\"#e3e6ec\"/>")
            lines.append(
                "<text x=\"\(text(left - 6))\" y=\"\(text(line + 4))\" text-anchor=\"end\" fill=\"#5a6272\">"
                    + "\(panel.format(pow(10, Double(power))))</text>")
        }
        for (group, workload) in workloads.enumerated() {
            let start = left + Double(group) * groupWidth + (groupWidth - Double(coders.count) * barWidth) / 2
            for (place, coder) in coders.enumerated() {
                guard let row = rows.first(where: { $0.workload == workload && $0.coder == coder }) else { continue }
                let value = panel.figure(row)
                guard value > 0, value.isFinite else { continue }
                let peak = min(y(value), base - 1)
                lines.append(
                    "<rect x=\"\(text(start + Double(place) * barWidth))\" y=\"\(text(peak))\" "
                        + "width=\"\(text(barWidth - 1))\" height=\"\(text(base - peak))\" "
                        + "fill=\"\(Self.colors[coder] ?? "#000")\"><title>\(workload), \(coder): "
                        + "\(panel.format(value))</title></rect>")
            }
            lines.append(
                "<text x=\"\(text(start + Double(coders.count) * barWidth / 2))\" y=\"\(text(base + 15))\" "
                    + "text-anchor=\"middle\" fill=\"#1d2330\">\(workload)</text>")
        }
    }

    private static func bytes(_ count: Double) -> String {
        switch count {
        case 1e6...: "\(Format.digits(count / 1e6)) MB"
        case 1e3..<1e6: "\(Format.digits(count / 1e3)) kB"
        default: "\(Format.digits(count)) B"
        }
    }

    private func text(_ value: Double) -> String {
        String(format: "%.1f", value)
    }
}
