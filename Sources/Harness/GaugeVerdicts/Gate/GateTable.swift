import GaugeStatistics
import GaugeSupport

/// The verdicts for people: a line for each benchmark and metric, and below a benchmark the functions that explain it.
package struct GateTable {
    /// The titles of the two columns of counts.
    package var titles = (base: "base", head: "current")

    package init(titles: (base: String, head: String) = (base: "base", head: "current")) {
        self.titles = titles
    }

    package func text(_ comparisons: [CountComparison]) -> String {
        let rows = comparisons.flatMap { comparison in
            Self.shown(comparison).enumerated().map { index, line in
                [index == 0 ? comparison.benchmark : ""] + Self.cells(line)
            }
        }
        let header = ["benchmark", "metric", titles.base, titles.head, "change", "verdict"]
        let widths = header.indices.map { column in ([header] + rows).reduce(0) { max($0, $1[column].count) } }
        func line(_ cells: [String]) -> String {
            let padded = cells.enumerated().map { column, cell in
                let space = String(repeating: " ", count: widths[column] - cell.count)
                return (2...4).contains(column) ? space + cell : cell + space
            }
            var text = padded.joined(separator: "  ")
            while text.hasSuffix(" ") { text.removeLast() }
            return text + "\n"
        }
        var text = line(header)
        var next = 0
        for comparison in comparisons {
            for _ in Self.shown(comparison) {
                text += line(rows[next])
                next += 1
            }
            if let note = comparison.note { text += "    \(note)\n" }
            text += Self.causes(comparison)
        }
        return text
    }

    /// The lines without those of expensive operations that did not change, except for instructions.
    private static func shown(_ comparison: CountComparison) -> [CountComparison.Line] {
        let always: [Metric] = [.worstPercentInstructions, .worstInstructions]
        return comparison.lines.filter {
            !$0.metric.isTail || $0.verdict != .unchanged || always.contains($0.metric)
        }
    }

    /// The cells: metric, both counts, change, verdict.
    package static func cells(_ line: CountComparison.Line) -> [String] {
        let counts = counts(line)
        return [line.metric.name, counts.base, counts.head, line.change.map(percent) ?? "", line.verdict.title]
    }

    /// Both counts, in so many digits that two never read alike when the verdict is that they differ.
    package static func counts(_ line: CountComparison.Line) -> (base: String, head: String) {
        let short = (base: count(line.base, line.metric), head: count(line.head, line.metric))
        guard short.base == short.head, line.metric != .growth, let base = line.base?.mean, let head = line.head?.mean,
            [.changed, .improved, .regressed].contains(line.verdict)
        else { return short }
        // Doubles near 1 have 16 decimal places.
        for places in 1...16 {
            let texts = (base: Quantity.decimal(base, places), head: Quantity.decimal(head, places))
            if texts.base != texts.head { return texts }
        }
        return short
    }

    private static func causes(_ comparison: CountComparison) -> String {
        guard !comparison.causes.isEmpty else { return "" }
        let rows = comparison.causes.map { [signed($0.change), "\(number($0.base)) → \(number($0.head))", $0.name] }
        let widths = (0..<2).map { column in rows.reduce(0) { max($0, $1[column].count) } }
        return "    \(comparison.causesTitle):\n"
            + rows.map { row in
                let cells = (0..<2).map { String(repeating: " ", count: widths[$0] - row[$0].count) + row[$0] }
                return "    \(cells[0])  \(cells[1])  \(row[2])\n"
            }.joined()
    }

    private static func count(_ count: RepeatedCount?, _ metric: Metric) -> String {
        guard let count else { return Quantity.missing }
        if metric == .growth, let order = GrowthOrder(rawValue: Int(count.mean)) { return order.title }
        guard !count.isStable(within: metric.repeatability) else { return number(count.mean) }
        return "\(number(count.lowest))–\(number(count.highest))"
    }

    /// About six significant digits, the precision of a verdict, without trailing zeros.
    package static func number(_ value: Double) -> String {
        var digits = abs(value) >= 100_000 ? 0 : abs(value) >= 1_000 ? 1 : abs(value) >= 10 ? 2 : 4
        // Twelve places at most: what is left of a difference may be a rounding error.
        var leading = abs(value)
        while leading > 0, leading < 1, digits < 12 { (leading, digits) = (leading * 10, digits + 1) }
        var text = Quantity.decimal(value, digits)
        while text.contains("."), text.hasSuffix("0") || text.hasSuffix(".") {
            if text.removeLast() == "." { break }
        }
        return text == "-0" ? "0" : text
    }

    package static func signed(_ value: Double) -> String { (value < 0 ? "−" : "+") + number(abs(value)) }

    /// `+1.02 %`, `=`.
    package static func percent(_ change: Double) -> String {
        let part = abs(change) * 100
        if part < 0.000_5 { return "=" }
        return (change < 0 ? "−" : "+") + Quantity.decimal(part, part < 0.1 ? 3 : part < 100 ? 2 : 0) + " %"
    }
}
