import Foundation
import GaugeSupport

/// The times of two runs side by side, on a page with several.
package enum RunComparison {
    package static func html(_ runs: [ReportedRun]) -> String {
        guard runs.count >= 2 else { return "" }
        return runs.dropFirst().map { section(runs[0], $0) }.joined()
    }

    private static func section(_ first: ReportedRun, _ second: ReportedRun) -> String {
        var others: [String: ReportedRow] = [:]
        for row in second.rows { others[row.name] = row }
        let noise = max(first.noise, second.noise)
        let lines = first.rows.compactMap { row -> String? in
            guard let other = others[row.name], let change = row.change(to: other, noise: noise) else { return nil }
            let ends = change.interval.map { "\(percent($0.lowerBound)) to \(percent($0.upperBound))" }
            let kind =
                change.interval.map { $0.lowerBound > 0 ? "slower" : $0.upperBound < 0 ? "faster" : "no difference" }
            let cells = [
                Quantity.time(row.time), Quantity.time(other.time), percent(change.value), ends ?? Quantity.missing,
                kind ?? "not known",
            ]
            let name = "<th scope=\"row\">\(HTMLText.escaped(row.name))</th>"
            return "<tr>\(name)\(cells.map { "<td>\(HTMLText.escaped($0))</td>" }.joined())</tr>\n"
        }
        guard !lines.isEmpty else { return "" }
        let (a, b) = (first.letter, second.letter)
        let titles = ["benchmark", "\(a), time", "\(b), time", "\(b) against \(a)", "95 %", "verdict"]
        return """
            <section id="comparison-\(b)">
            <h2>\(b) against \(a)</h2>
            <p>The two runs did not alternate: a change of the machine between them is not in the intervals. The command
            compare measures two builds side by side.</p>
            <div class="scroll"><table>
            <thead><tr>\(titles.map { "<th>\($0)</th>" }.joined())</tr></thead>
            <tbody>
            \(lines.joined())</tbody>
            </table></div>
            </section>

            """
    }

    private static func percent(_ logarithm: Double) -> String {
        let part = exp(logarithm)
        guard part.isFinite, part < 100 else { return Quantity.ratio(part.isFinite ? part : 0) }
        return (part >= 1 ? "+" : "") + Quantity.decimal((part - 1) * 100, 1) + " %"
    }
}
