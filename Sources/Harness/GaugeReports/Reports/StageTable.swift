import GaugeMeasurement
import GaugeSupport

/// The table of a run for people: 100 columns, a heading for each stage. `TextTable` has every figure.
package struct StageTable {
    package static let width = 100

    private let isColoured: Bool
    private let columns: [Column]

    private struct Column: Sendable {
        let title: String
        let width: Int
        let value: @Sendable (ResultRow) -> String

        init(_ title: String, _ width: Int, _ value: @escaping @Sendable (ResultRow) -> String) {
            (self.title, self.width, self.value) = (title, width, value)
        }
    }

    package init(isColoured: Bool, countsInstructions: Bool = false) {
        self.isColoured = isColoured
        var columns = [
            Column("time", 8) { $0.timeMark + Quantity.time($0.comparedTime) },
            Column("±95 %", 7) { Quantity.spread($0.comparedError) },
            Column("typical", 8) { Quantity.time($0.median) },
            Column("p99", 8) { Quantity.time($0.percentile(0.99)?.value) },
            Column("ratio", 7) { $0.ratioMark + Quantity.ratio($0.ratio) },
            Column("±95 %", 7) { Quantity.spread($0.ratioError) },
            Column("allocs", 6) { Quantity.each($0.allocations) },
        ]
        if countsInstructions { columns.append(Column("instrs", 7) { Quantity.many($0.instructions?.perOperation) }) }
        columns.append(Column("wrong", 5) { "\($0.wrong)" })
        self.columns = columns
    }

    /// The meaning of the mark.
    package static let slowNote =
        "\(ResultRow.slowMark) slow host: a typical time, for lack of undisturbed ones, or a ratio of such times"

    /// The table, without a line for a stage that has no row.
    package func text(_ rows: [ResultRow]) -> String {
        var stages: [String] = []
        for row in rows where !stages.contains(row.name.stage) { stages.append(row.name.stage) }
        let nameWidth = Self.width - columns.reduce(0) { $0 + $1.width + 1 }
        let titles = columns.map { " " + $0.title.leftPadded(to: $0.width) }.joined()
        var text = ""
        for stage in stages {
            let heading = String(stage.prefix(nameWidth))
            text += text.isEmpty ? paint("1", heading.padded(to: nameWidth) + titles) : "\n" + paint("1", heading)
            text += "\n"
            text += rows.filter { $0.name.stage == stage }.map { line($0, nameWidth) }.joined()
        }
        if rows.contains(where: { !($0.timeMark + $0.ratioMark).isEmpty }) { text += "\n\(Self.slowNote)\n" }
        return text
    }

    private func line(_ row: ResultRow, _ nameWidth: Int) -> String {
        var name = "  \(row.name.case)/\(row.name.subject)"
        // A long name has its own line.
        let isLong = name.count > nameWidth
        if isLong { name = String(name.prefix(Self.width)) + "\n" }
        let painted = row.isPeer ? paint("2", name) : name
        let margin = String(repeating: " ", count: isLong ? nameWidth : nameWidth - name.count)
        if let failure = row.failure, row.median == nil, row.operationsPerSecond == nil {
            let room = Self.width - nameWidth - 1
            return painted + margin + " " + paint("31", Self.clipped(failure.description, to: room)) + "\n"
        }
        let cells = columns.map { column in
            let cell = " " + column.value(row).leftPadded(to: column.width)
            return column.title == "wrong" && row.wrong > 0 ? paint("31", cell) : cell
        }
        return painted + margin + cells.joined() + "\n"
    }

    /// The text in so many columns, with an ellipsis where it is cut.
    package static func clipped(_ text: String, to width: Int) -> String {
        text.count <= width ? text : text.prefix(max(0, width - 1)) + "…"
    }

    private func paint(_ colour: String, _ text: String) -> String {
        isColoured ? "\u{1B}[\(colour)m\(text)\u{1B}[0m" : text
    }
}
