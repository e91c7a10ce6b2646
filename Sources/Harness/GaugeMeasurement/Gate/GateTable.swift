import GaugeSupport

/// The verdicts for people: a line for each benchmark and metric, followed by the functions that explain it.
package struct GateTable {
    package var titles = (base: "base", head: "current")

    package init(titles: (base: String, head: String) = (base: "base", head: "current")) { self.titles = titles }

    /// - Parameter width: the columns of the terminal.
    package func text(_ comparisons: [CountComparison], width: Int = Table.usualWidth) -> String {
        let rows = comparisons.flatMap { comparison -> [Table.Row] in
            var rows = Self.shown(comparison).enumerated().map { index, line -> Table.Row in
                // A reason may be long, so it goes below.
                guard case .notComparable(let reason) = line.verdict else {
                    return Table.Row([index == 0 ? comparison.benchmark : ""] + Self.cells(line))
                }
                let cells = Self.cells(line).dropLast() + ["not comparable"]
                return Table.Row([index == 0 ? comparison.benchmark : ""] + cells, notes: [reason])
            }
            // A shared reason goes below the last of its lines.
            for index in rows.indices.dropLast() where rows[index].notes == rows[index + 1].notes {
                rows[index].notes = []
            }
            let notes = (comparison.note.map { [$0] } ?? []) + Self.causes(comparison)
            if rows.isEmpty { rows = notes.isEmpty ? [] : [Table.Row([comparison.benchmark, "", "", "", "", ""])] }
            if !rows.isEmpty { rows[rows.count - 1].notes += notes }
            return rows
        }
        return table(rows).text(width: width)
    }

    func table(_ rows: [Table.Row]) -> Table {
        Table(
            columns: [
                .init("benchmark", .left), .init("metric", .left), .init(titles.base, rank: 1),
                .init(titles.head, rank: 1), .init("change"), .init("verdict", .left),
            ], rows: rows)
    }

    /// The lines, without unchanged ones of expensive operations, except for instructions.
    private static func shown(_ comparison: CountComparison) -> [CountComparison.Line] {
        let always: [Metric] = [.worstPercentInstructions, .worstInstructions]
        return comparison.lines.filter {
            !$0.metric.isTail || $0.verdict != .equivalent || always.contains($0.metric)
        }
    }

    /// The cells: metric, both counts, change, verdict.
    package static func cells(_ line: CountComparison.Line) -> [String] {
        let counts = counts(line)
        return [line.metric.name, counts.base, counts.head, change(line), line.verdict.title]
    }

    /// The change in per cent, or the difference of a verdict that it would round to none.
    private static func change(_ line: CountComparison.Line) -> String {
        guard let change = line.change else { return "" }
        guard percent(change) == "=", let base = line.base?.mean, let head = line.head?.mean,
            [.changed, .better, .worse].contains(line.verdict)
        else { return percent(change) }
        return signed(head - base)
    }

    /// Both counts, with enough digits that they never read alike if the verdict is that they differ.
    package static func counts(_ line: CountComparison.Line) -> (base: String, head: String) {
        let short = (base: count(line.base, line.metric), head: count(line.head, line.metric))
        guard short.base == short.head, line.metric != .growth, let base = line.base?.mean, let head = line.head?.mean,
            [.changed, .better, .worse].contains(line.verdict)
        else { return short }
        // Doubles near 1 have 16 decimal places.
        for places in 1...16 {
            let texts = (base: Quantity.decimal(base, places), head: Quantity.decimal(head, places))
            if texts.base != texts.head { return texts }
        }
        return short
    }

    private static func causes(_ comparison: CountComparison) -> [String] {
        guard !comparison.causes.isEmpty else { return [] }
        let rows = comparison.causes.map { [signed($0.change), "\(number($0.base)) → \(number($0.head))", $0.name] }
        let widths = (0..<2).map { column in rows.reduce(0) { max($0, $1[column].count) } }
        return ["\(comparison.causesTitle):"]
            + rows.map { "\($0[0].leftPadded(to: widths[0]))  \($0[1].leftPadded(to: widths[1]))  \($0[2])" }
    }

    /// A count, or its range if it doesn't repeat.
    package static func count(_ count: RepeatedCount?, _ metric: Metric) -> String {
        guard let count else { return Quantity.missing }
        if metric == .growth, let order = GrowthOrder(rawValue: Int(count.mean)) { return order.title }
        guard !count.isStable(within: metric.repeatability) else { return number(count.mean) }
        return "\(number(count.lowest))–\(number(count.highest))"
    }

    /// About six significant digits, the precision of a verdict, without trailing zeros.
    package static func number(_ value: Double) -> String {
        var digits = abs(value) >= 100_000 ? 0 : abs(value) >= 1_000 ? 1 : abs(value) >= 10 ? 2 : 4
        // At most twelve places: what's left of a difference may be a rounding error.
        var leading = abs(value)
        while leading > 0, leading < 1, digits < 12 { (leading, digits) = (leading * 10, digits + 1) }
        let text = Quantity.withoutZeros(Quantity.decimal(value, digits))
        return text == "-0" ? "0" : text
    }

    package static func signed(_ value: Double) -> String { (value < 0 ? "−" : "+") + number(abs(value)) }

    /// `+1.0 %`, `=`.
    package static func percent(_ change: Double) -> String {
        abs(change) < 0.000_005 ? "=" : Quantity.change(change, isExact: true)
    }
}

/// The verdicts in Markdown, for the summary of a GitHub job: findings first, all details folded below.
package enum GateMarkdown {
    package static func text(_ decision: GateDecision, title: String, titles: (base: String, head: String)) -> String {
        let found = decision.comparisons.compactMap { comparison in
            let lines = comparison.lines.filter { $0.verdict != .equivalent }
            return lines.isEmpty ? nil : (comparison, lines)
        }
        var text = "### \(Table.escaped(title))\n\n"
        text += "\(Table.escaped(decision.summary)).  \n"
        text += "Base: \(Table.escaped(titles.base)). Current: \(Table.escaped(titles.head)).\n\n"
        let items = decision.failures.map(\.line) + decision.missing
        for line in items { text += "- \(Table.escaped(line))\n" }
        if !found.isEmpty { text += (items.isEmpty ? "" : "\n") + table(found) }
        for comparison in decision.comparisons where !comparison.causes.isEmpty { text += causes(comparison) }
        text += "\n<details><summary>All \(decision.count) counts</summary>\n\n"
        return text + table(decision.comparisons.map { ($0, $0.lines) }) + "\n</details>\n"
    }

    private static func table(_ rows: [(comparison: CountComparison, lines: [CountComparison.Line])]) -> String {
        GateTable().table(
            rows.flatMap { row in row.lines.map { Table.Row([row.comparison.benchmark] + GateTable.cells($0)) } }
        ).markdown
    }

    private static func causes(_ comparison: CountComparison) -> String {
        let rows = comparison.causes.map { cause in
            [GateTable.signed(cause.change), GateTable.number(cause.base), GateTable.number(cause.head), cause.name]
        }
        let table = Table(
            columns: [.init("change"), .init("base"), .init("current"), .init("function", .left)], rows: rows)
        return "\n\(Table.escaped(comparison.benchmark)), \(comparison.causesTitle):\n\n" + table.markdown
    }
}
