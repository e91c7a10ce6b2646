import GaugeMeasurement
import GaugeSupport

/// A table in Markdown, as GitHub reads it (GitHub Flavored Markdown, section 4.10).
package struct MarkdownReport {
    private let document: RunDocument

    package init(_ document: RunDocument) { self.document = document }

    package var text: String {
        let titles = ["benchmark", "time", "±95 %", "typical", "p99", "p99.9", "ops/s", "ratio", "±95 %", "allocs"]
        let counted = document.rows.contains { $0.instructions != nil }
        let header = titles + (counted ? ["instructions"] : []) + ["wrong"]
        let rule = header.indices.map { $0 == 0 ? ":--" : "--:" }
        let lines = [Self.line(header), Self.line(rule)] + document.rows.map { Self.line(Self.cells($0, counted)) }
        let summary = document.environment.summary.split(separator: "\n").map { Self.escaped(String($0)) }
        let noise = document.noise.text.split(separator: "\n").map { Self.escaped(String($0)) }
        return (summary.map { "\($0)  \n" } + ["\n"] + lines + ["\n"] + noise.map { "\($0)  \n" }).joined()
    }

    private static func cells(_ row: ResultRow, _ counted: Bool) -> [String] {
        if let failure = row.failure, row.median == nil, row.operationsPerSecond == nil {
            let empty = [String](repeating: "", count: counted ? 9 : 8)
            return [escaped(row.name.description), escaped(failure.description)] + empty + ["\(row.wrong)"]
        }
        let cells = [
            escaped(row.name.description), escaped(row.timeMark) + Quantity.time(row.comparedTime),
            Quantity.spread(row.comparedError),
            Quantity.time(row.median), Quantity.time(row.percentile(0.99)?.value),
            Quantity.time(row.percentile(0.999)?.value), Quantity.rate(row.operationsPerSecond),
            escaped(row.ratioMark) + Quantity.ratio(row.ratio), Quantity.spread(row.ratioError),
            Quantity.each(row.allocations),
        ]
        return cells + (counted ? [Quantity.each(row.instructions?.perOperation)] : []) + ["\(row.wrong)"]
    }

    private static func line(_ cells: [String]) -> String { "| \(cells.joined(separator: " | ")) |\n" }

    /// The text with every character escaped that would end a cell or a line or start mark-up.
    package static func escaped(_ text: String) -> String {
        text.map { character in
            switch character {
            case "|", "\\", "`", "*", "_", "[", "]", "~", "#": "\\\(character)"
            case "<": "&lt;"
            case ">": "&gt;"
            case "&": "&amp;"
            default: character.isNewline ? " " : String(character)
            }
        }.joined()
    }
}
