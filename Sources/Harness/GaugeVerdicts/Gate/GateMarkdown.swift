import GaugeReports

/// The verdicts in Markdown, for the summary of a GitHub job: findings first, with all details folded below.
package enum GateMarkdown {
    package static func text(_ decision: GateDecision, title: String, titles: (base: String, head: String)) -> String {
        let found = decision.comparisons.compactMap { comparison in
            let lines = comparison.lines.filter { $0.verdict != .unchanged }
            return lines.isEmpty ? nil : (comparison, lines)
        }
        var text = "### \(MarkdownReport.escaped(title))\n\n"
        text += "\(MarkdownReport.escaped(decision.summary)).  \n"
        text += "Base: \(MarkdownReport.escaped(titles.base)). Current: \(MarkdownReport.escaped(titles.head)).\n\n"
        for line in decision.missing { text += "- \(MarkdownReport.escaped(line))\n" }
        if !found.isEmpty {
            text += (decision.missing.isEmpty ? "" : "\n") + header
            text += found.map { comparison, lines in lines.map { row(comparison.benchmark, $0) }.joined() }.joined()
        }
        for comparison in decision.comparisons where !comparison.causes.isEmpty { text += causes(comparison) }
        text += "\n<details><summary>All \(decision.count) counts</summary>\n\n" + header
        for comparison in decision.comparisons {
            text += comparison.lines.map { row(comparison.benchmark, $0) }.joined()
        }
        return text + "\n</details>\n"
    }

    private static let header = """
        | benchmark | metric | base | current | change | verdict |
        | :-- | :-- | --: | --: | --: | :-- |

        """

    private static func row(_ benchmark: String, _ line: CountComparison.Line) -> String {
        "| \(([benchmark] + GateTable.cells(line)).map(MarkdownReport.escaped).joined(separator: " | ")) |\n"
    }

    private static func causes(_ comparison: CountComparison) -> String {
        let rows = comparison.causes.map { cause in
            let cells = [
                GateTable.signed(cause.change), GateTable.number(cause.base), GateTable.number(cause.head), cause.name,
            ]
            return "| \(cells.map(MarkdownReport.escaped).joined(separator: " | ")) |\n"
        }
        return
            "\n\(MarkdownReport.escaped(comparison.benchmark)), \(comparison.causesTitle):\n\n"
            + "| change | base | current | function |\n| --: | --: | --: | :-- |\n" + rows.joined()
    }
}
