import GaugeMeasurement
import GaugeSupport

/// The table for people. It is written line by line, so its widths are fixed before the first row.
package struct TextTable {
    private let nameWidth: Int
    private let isColoured: Bool

    private let columns: [(title: String, width: Int)]

    private static let always: [(title: String, width: Int)] = [
        ("time", 8), ("±95 %", 8), ("typical", 8), ("p99", 8), ("ops/s", 7), ("ratio", 7), ("±95 %", 8), ("allocs", 6),
    ]

    /// Creates a table whose first column is as wide as the names need, as long as the table fits into 120 columns.
    package init(names: [String], isColoured: Bool, countsInstructions: Bool = false) {
        columns = Self.always + (countsInstructions ? [("instrs", 8)] : []) + [("wrong", 5)]
        let longest = 120 - columns.reduce(0) { $0 + $1.width + 1 }
        // An outcome lengthens the name of its case.
        nameWidth = min(max(names.map(\.count).max() ?? 0, 30) + 12, longest)
        self.isColoured = isColoured
    }

    package var header: String {
        let titles = columns.map { Self.right($0.title, $0.width) }.joined(separator: " ")
        return paint("1", Self.left("benchmark", nameWidth) + " " + titles) + "\n"
    }

    package func line(_ row: ResultRow) -> String {
        let name = Self.left(row.name.description, nameWidth)
        var line = row.isPeer ? paint("2", name) : name
        if let failure = row.failure, row.median == nil, row.operationsPerSecond == nil {
            return line + " " + paint("31", failure.description) + "\n"
        }
        var values = [
            row.timeMark + Quantity.time(row.comparedTime), Quantity.spread(row.comparedError),
            Quantity.time(row.median),
            Quantity.time(row.percentile(0.99)?.value), Quantity.rate(row.operationsPerSecond),
            row.ratioMark + Quantity.ratio(row.ratio), Quantity.spread(row.ratioError),
            Quantity.each(row.allocations),
        ]
        if columns.count > Self.always.count + 1 { values.append(Quantity.many(row.instructions?.perOperation)) }
        for (value, column) in zip(values, columns) { line += " " + Self.right(value, column.width) }
        let wrong = Self.right(String(row.wrong), columns[columns.count - 1].width)
        line += " " + (row.wrong > 0 ? paint("31", wrong) : wrong)
        if let failure = row.failure { line += "  " + paint("31", failure.description) }
        return line + "\n"
    }

    private func paint(_ colour: String, _ text: String) -> String {
        isColoured ? "\u{1B}[\(colour)m\(text)\u{1B}[0m" : text
    }

    private static func left(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    private static func right(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }
}
