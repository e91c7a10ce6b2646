import GaugeMeasurement
import GaugeSupport

/// A table of all rows with their figures.
package enum ResultTable {
    package static func html(_ run: ReportedRun) -> String {
        let rows = run.rows
        guard !rows.isEmpty else { return "" }
        let hasInstructions = rows.contains { $0.instructions != nil }
        let titles = ["benchmark", "time", "±95 %", "typical", "p99", "ops/s", "ratio", "allocs"]
        let header = (titles + (hasInstructions ? ["instructions"] : []) + ["wrong"]).map { "<th>\($0)</th>" }
        let lines = rows.map { row in
            let name = "<th scope=\"row\">\(HTMLText.breakable(row.name))</th>"
            if let failure = row.failure, row.median == nil {
                let width = header.count - 1
                return "<tr>\(name)<td class=\"failed\" colspan=\"\(width)\">\(HTMLText.escaped(failure))</td></tr>\n"
            }
            var cells = [
                (row.isTypical ? ResultRow.slowMark : "") + Quantity.time(row.time), Quantity.spread(error(row)),
                Quantity.time(row.median), Quantity.time(row.p99),
                Quantity.rate(row.operationsPerSecond),
                (row.isRatioTypical ? ResultRow.slowMark : "") + Quantity.ratio(row.ratio),
                Quantity.each(row.allocations),
            ]
            if hasInstructions { cells.append(Quantity.many(row.instructions)) }
            cells.append("\(row.wrong)")
            let kind = row.isPeer ? " class=\"peer\"" : ""
            return "<tr\(kind)>\(name)\(cells.map { "<td>\(HTMLText.escaped($0))</td>" }.joined())</tr>\n"
        }
        let note =
            rows.contains { $0.isTypical || $0.isRatioTypical }
            ? " \(ResultRow.slowMark) marks a typical time, which was too rarely undisturbed, or a ratio of such times."
            : ""
        return """
            <section id="\(HTMLText.escaped(run.tableName))">
            <h2>\(run.title("All rows"))</h2>
            <p>The time of an operation and its 95 % interval; then the typical time, the slow phases of the machine included.
            A peer's ratio is its time over that of the cache under test.\(note)</p>
            <div class="scroll" tabindex="0"><table>
            <thead><tr>\(header.joined())</tr></thead>
            <tbody>
            \(lines.joined())</tbody>
            </table></div>
            </section>

            """
    }

    private static func error(_ row: ReportedRow) -> Double? {
        guard let time = row.time, let interval = row.timeInterval, time > 0 else { return nil }
        return max(interval.upperBound - time, time - interval.lowerBound) / time
    }
}
