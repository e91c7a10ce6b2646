import Foundation
import GaugeMeasurement
import GaugeSupport

/// The times of two runs side by side, on a page with several.
package enum RunComparison {
    /// The section of the second run; empty when the two share no benchmark with a time.
    package static func html(_ first: ReportedRun, _ second: ReportedRun) -> String {
        var others: [String: ReportedRow] = [:]
        for row in second.rows { others[row.name] = row }
        let noise = max(first.noise, second.noise)
        let clocks = RunConditions.clocks(first.context, second.context)
        let differences = RunConditions.differences(first.context, second.context)
        let lines = first.rows.compactMap { row -> String? in
            guard let other = others[row.name], let change = row.change(to: other, noise: noise, clocks: clocks) else {
                return nil
            }
            let ends = change.interval.map { "\(percent($0.lowerBound)) to \(percent($0.upperBound))" }
            let isFair = differences.isEmpty && row.isTypical == other.isTypical
            let kind = change.interval.flatMap { interval in
                !isFair ? nil : interval.lowerBound > 0 ? "slower" : interval.upperBound < 0 ? "faster" : nil
            }
            let cells = [
                time(row), time(other), percent(change.value), ends ?? Quantity.missing,
            ]
            let verdict = "<td\(kind.map { " class=\"\($0)\"" } ?? "")>\(kind ?? "inconclusive")</td>"
            let name = "<th scope=\"row\">\(HTMLText.breakable(row.name))</th>"
            return "<tr>\(name)\(cells.map { "<td>\(HTMLText.escaped($0))</td>" }.joined())\(verdict)</tr>\n"
        }
        guard !lines.isEmpty else { return "" }
        let (a, b) = (first.letter, second.letter)
        let note =
            differences.isEmpty
            ? "" : " The runs differ in \(differences.joined(separator: ", ")), so no time gets a verdict."
        let titles = ["benchmark", "\(a), time", "\(b), time", "\(b) against \(a)", "95 %", "verdict"]
        return """
            <section id="comparison-\(b.replacing(" ", with: "-"))">
            <h2>\(b) against \(a)</h2>
            <p>The two runs did not alternate: a change of the machine between them is not in the intervals. The command
            compare measures two builds side by side. Inconclusive: the interval includes no change, or the times do not
            compare.\(note)</p>
            <div class="scroll" tabindex="0"><table>
            <thead><tr>\(titles.map { "<th>\($0)</th>" }.joined())</tr></thead>
            <tbody>
            \(lines.joined())</tbody>
            </table></div>
            </section>

            """
    }

    private static func time(_ row: ReportedRow) -> String {
        (row.isTypical ? ResultRow.slowMark : "") + Quantity.time(row.time)
    }

    private static func percent(_ logarithm: Double) -> String {
        let part = exp(logarithm)
        guard part.isFinite, part < 100 else { return Quantity.ratio(part.isFinite ? part : 0) }
        return (part >= 1 ? "+" : "") + Quantity.decimal((part - 1) * 100, 1) + " %"
    }
}
