import GaugeSupport

/// A table of all rows with their figures.
package enum ResultTable {
    package static func html(_ rows: [ReportedRow]) -> String {
        guard !rows.isEmpty else { return "" }
        let hasInstructions = rows.contains { $0.instructions != nil }
        let titles = ["benchmark", "median", "±95 %", "p99", "ops/s", "ratio", "allocs"]
        let header = (titles + (hasInstructions ? ["instructions"] : []) + ["wrong"]).map { "<th>\($0)</th>" }
        let lines = rows.map { row in
            let name = "<th scope=\"row\">\(HTMLText.escaped("\(row.group)/\(row.subject)"))</th>"
            if let failure = row.failure, row.median == nil {
                let width = header.count - 1
                return "<tr>\(name)<td class=\"failed\" colspan=\"\(width)\">\(HTMLText.escaped(failure))</td></tr>\n"
            }
            var cells = [
                Quantity.time(row.median), Quantity.spread(error(row)), Quantity.time(row.p99),
                Quantity.rate(row.operationsPerSecond), Quantity.ratio(row.ratio), Quantity.each(row.allocations),
            ]
            if hasInstructions { cells.append(Quantity.many(row.instructions)) }
            cells.append("\(row.wrong)")
            let kind = row.isPeer ? " class=\"peer\"" : ""
            return "<tr\(kind)>\(name)\(cells.map { "<td>\(HTMLText.escaped($0))</td>" }.joined())</tr>\n"
        }
        return """
            <section id="table">
            <h2>All rows</h2>
            <div class="scroll"><table>
            <thead><tr>\(header.joined())</tr></thead>
            <tbody>
            \(lines.joined())</tbody>
            </table></div>
            </section>

            """
    }

    private static func error(_ row: ReportedRow) -> Double? {
        guard let median = row.median, let interval = row.interval, median > 0 else { return nil }
        return max(interval.upperBound - median, median - interval.lowerBound) / median
    }
}
