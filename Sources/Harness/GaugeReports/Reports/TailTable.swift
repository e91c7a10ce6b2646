import GaugeMeasurement
import GaugeStatistics
import GaugeSupport

/// The tail of operations that were timed one by one, below the table of times: each percentile with the farther end of
/// its 95 % confidence interval, if there are enough operations for it.
package enum TailTable {
    package static func text(_ rows: [ResultRow], isColoured: Bool) -> String {
        let rows = rows.filter { !$0.quantiles.isEmpty }
        guard !rows.isEmpty else { return "" }
        let width = rows.map { $0.name.description.count }.reduce(20, max)
        let titles = ["operations"] + Percentile.reported.map { "p\(Quantity.plain($0 * 100))" } + ["maximum"]
        let header = left("slow operations", width) + zip(titles, widths).map(right).joined()
        let lines = rows.map { row in
            let percentiles = Percentile.reported.map { part in
                row.percentile(part).map { "\(Quantity.time($0.value)) \(error($0.error))" } ?? Quantity.missing
            }
            let cells = ["\(row.operations)"] + percentiles + [Quantity.time(row.maximum)]
            return left(row.name.description, width) + zip(cells, widths).map(right).joined()
        }
        let painted = isColoured ? "\u{1B}[1m\(header)\u{1B}[0m" : header
        return ([painted] + lines).map { $0 + "\n" }.joined()
    }

    private static let widths = [11, 15, 15, 15, 15, 9]

    private static func error(_ part: Double) -> String {
        let percent = part * 100
        return percent < 9.5
            ? "±\(Int(percent.rounded())) % " : percent < 99.5 ? "±\(Int(percent.rounded())) %" : "±>99 %"
    }

    private static func left(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    private static func right(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(1, width - text.count)) + text
    }
}
