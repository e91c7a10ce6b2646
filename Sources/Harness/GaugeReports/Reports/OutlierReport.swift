import GaugeMeasurement
import GaugeStatistics
import GaugeSupport

/// Notes below the table about outliers and about benchmarks that were not warm.
package enum OutlierReport {
    package static func text(_ rows: [ResultRow]) -> String {
        var text = ""
        let (high, far, total) = rows.reduce((0, 0, 0)) {
            ($0.0 + $1.outliers.high, $0.1 + $1.outliers.far, $0.2 + $1.outliers.total)
        }
        if total > 0 {
            let part = Quantity.percent(Double(high) / Double(total))
            text += "outliers: \(part) of \(total) samples beyond Tukey's fence, \(far) of them far; all are kept\n"
        }
        var seen: Set<String> = []
        let cold = rows.filter { $0.isSteady == false }.map(\.name.description).filter { seen.insert($0).inserted }
        if !cold.isEmpty {
            text +=
                "not steady after \(WarmUp.most) warm-up slices: \(cold.count) rows, \(cold.prefix(3).joined(separator: ", "))"
            text += cold.count > 3 ? ", …\n" : "\n"
        }
        return text
    }
}
