import GaugeMeasurement
import GaugeSupport

/// The table of results that are not times, below the table of times: one line for each benchmark that has any.
package enum FigureTable {
    package static func text(_ rows: [ResultRow]) -> String {
        let rows = rows.filter { !$0.figures.isEmpty }
        let width = rows.map { $0.name.description.count }.max() ?? 0
        return rows.map { row in
            let name = row.name.description
            let figures = row.figures.map { "\($0.name) \(value($0))" }.joined(separator: ", ")
            return name + String(repeating: " ", count: width - name.count + 2) + figures + "\n"
        }.joined()
    }

    package static func value(_ figure: Figure) -> String {
        switch figure.unit {
        case .ratio: Quantity.percent(figure.value)
        case .bytes: ByteSize(bytes: Int(clamping: Int64(max(0, min(figure.value, 9e18))))).description
        case .nanoseconds: Quantity.time(figure.value)
        case .count: Quantity.each(figure.value)
        }
    }
}
