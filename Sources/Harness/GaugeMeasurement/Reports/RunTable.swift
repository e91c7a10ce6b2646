import GaugeSupport

/// The table of a run, with the same columns on a terminal, in Markdown and on a page.
package enum RunTable {
    package enum Extent: Sendable {
        /// A heading per stage, and one for what programs usually have.
        case short
        case whole
        /// Also the 99.9th percentile.
        case document
    }

    package static let slowNote =
        "\(ResultRow.slowMark) slow host: a typical time, or a ratio from slices that were slowed alike, told for full speed"

    private static let usualHeading = "what programs usually have"

    package static let caption =
        "time of one operation (undisturbed; of stores and mixtures the mean) ±95 %; ratio to ours"

    private struct Column {
        let column: Table.Column
        let value: (ResultRow) -> String

        init(_ title: String, rank: Int = 0, _ value: @escaping (ResultRow) -> String) {
            column = Table.Column(title, rank: rank)
            self.value = value
        }
    }

    private static func columns(_ extent: Extent, countsInstructions: Bool) -> [Column] {
        var columns = [
            Column("time") { $0.timeMark + Quantity.time($0.comparedTime) },
            Column("±95 %", rank: 2) { Quantity.spread($0.comparedError) },
            Column("typical", rank: 5) { Quantity.time($0.median) },
            Column("p99", rank: 3) { Quantity.time($0.percentile(0.99)?.value) },
        ]
        if extent == .document {
            columns.append(Column("p99.9", rank: 6) { Quantity.time($0.percentile(0.999)?.value) })
        }
        columns.append(Column("ops/s") { Quantity.rate($0.operationsPerSecond) })
        columns.append(Column("ratio") { $0.ratioMark + Quantity.ratio($0.ratio) })
        columns.append(Column("±95 %", rank: 1) { Quantity.spread($0.ratioError) })
        columns.append(Column("allocs", rank: 3) { Quantity.each($0.allocations) })
        if countsInstructions {
            columns.append(Column("instrs", rank: 3) { Quantity.many($0.instructions?.perOperation) })
        }
        columns.append(Column("wrong", rank: 1) { "\($0.wrong)" })
        return columns
    }

    /// - Parameters:
    ///   - countsInstructions: whether there is a column for them.
    ///   - words: the lines on stages, shown beside their headings.
    package static func table(
        _ rows: [ResultRow], _ extent: Extent, countsInstructions: Bool = false,
        words: BenchmarkWords = BenchmarkWords()
    ) -> Table {
        let columns = columns(extent, countsInstructions: countsInstructions)
        var table = Table(
            caption: extent == .document ? nil : caption,
            columns: [.init("benchmark", .left)] + columns.map(\.column), rows: [Table.Row]())
        var heading = ""
        for row in rows {
            let own = row.isUsual ? usualHeading : row.name.stage
            if extent == .short, own != heading {
                heading = own
                var title = Table.Row([heading], style: .heading)
                if !row.isUsual { title.span = words.stages[heading] }
                table.rows.append(title)
            }
            let name =
                extent != .short
                ? row.name.description
                : row.isUsual ? "  \(row.name)" : "  \(row.name.case)/\(row.name.subject)"
            var line = Table.Row([name] + columns.map { $0.value(row) }, style: row.isPeer ? .quiet : .plain)
            if row.wrong > 0 { line.alarm = columns.count }
            if let failure = row.failure {
                if row.median == nil, row.operationsPerSecond == nil {
                    line.span = failure.description
                } else if extent != .short {
                    line.notes = [failure.description]
                }
            }
            if let part = row.otherPart {
                line.notes.append("other threads took \(Quantity.percent(part)) of the processor time")
            }
            table.rows.append(line)
        }
        return table
    }

    package static func text(
        _ rows: [ResultRow], _ extent: Extent, countsInstructions: Bool = false, width: Int = Table.usualWidth,
        isColoured: Bool = false, words: BenchmarkWords = BenchmarkWords()
    ) -> String {
        guard !rows.isEmpty else { return "" }
        let isSlow = rows.contains { !($0.timeMark + $0.ratioMark).isEmpty }
        return table(grouped(rows, extent), extent, countsInstructions: countsInstructions, words: words)
            .text(width: width, isColoured: isColoured) + (isSlow ? "\n\(Table.wrapped(slowNote, to: width))\n" : "")
    }

    /// The rows of a stage together, if it has one heading, and what programs usually have at the end.
    private static func grouped(_ rows: [ResultRow], _ extent: Extent) -> [ResultRow] {
        guard extent == .short else { return rows }
        let sorted = rows.grouped(by: \.name.stage).flatMap(\.elements)
        return sorted.filter { !$0.isUsual } + sorted.filter(\.isUsual)
    }

    /// The distribution of operations timed one by one, below the table of times: each percentile with the farther end
    /// of its 95 % confidence interval, if there are enough operations.
    package static func tails(_ rows: [ResultRow], width: Int = Table.usualWidth, isColoured: Bool = false) -> String {
        let rows = rows.filter { !$0.quantiles.isEmpty || $0.singles != nil }
        guard !rows.isEmpty else { return "" }
        func part(_ row: ResultRow, _ part: Double) -> String {
            row.percentile(part).map { found in
                let error = found.error < 0.995 ? "±\(Int((found.error * 100).rounded())) %" : "±>99 %"
                return "\(Quantity.time(found.value)) \(error)"
            } ?? Quantity.missing
        }
        return Table(
            caption: clockNote(rows),
            columns: [.init("single operations", .left), .init("operations", rank: 2), .init("p50")]
                + Percentile.reported.map { .init("p\(Quantity.plain($0 * 100))", rank: $0 == 0.9 ? 1 : 0) }
                + [.init("maximum")],
            rows: rows.map { row in
                [
                    row.name.description, "\(row.singles?.operations ?? row.operations)",
                    Quantity.time(row.singles?.median ?? row.median),
                ] + Percentile.reported.map { part(row, $0) }
                    + [row.singles == nil ? Quantity.time(row.maximum) : Quantity.missing]
            }
        ).text(width: width, isColoured: isColoured)
    }

    /// What was subtracted from the times of hits.
    private static func clockNote(_ rows: [ResultRow]) -> String? {
        let clocks = rows.compactMap { $0.singles?.clock }
        guard let least = clocks.min(), let most = clocks.max() else { return nil }
        let range = least == most ? Quantity.time(least) : "\(Quantity.time(least)) to \(Quantity.time(most))"
        return "hits that the table times in batches: in slices of their own, less the cost of the clock, \(range)"
    }

    /// What the whole process of each row used for an operation, below the table of times.
    package static func processes(
        _ rows: [ResultRow], width: Int = Table.usualWidth, isColoured: Bool = false
    ) -> String {
        let rows = rows.filter { $0.processCPU != nil || $0.wakeUps != nil }
        guard !rows.isEmpty else { return "" }
        return Table(
            columns: [
                .init("all threads, for each operation", .left), .init("processor time"),
                .init("of other threads", rank: 1), .init("wake-ups"),
            ],
            rows: rows.map { row in
                [
                    row.name.description, Quantity.time(row.processCPU), Quantity.time(row.otherCPU),
                    row.wakeUps.map(Self.rate) ?? Quantity.missing,
                ]
            }
        ).text(width: width, isColoured: isColoured)
    }

    /// `0`, `12`, or `1 in 125 k`.
    private static func rate(_ value: Double) -> String {
        if value == 0 || value >= 0.095 { return Quantity.each(value) }
        return "1 in " + (value > 0.001 ? Quantity.decimal(1 / value, 0) : Quantity.many(1 / value))
    }

    /// The results that aren't times, one line per benchmark.
    package static func figures(_ rows: [ResultRow], width: Int = .max) -> String {
        let rows = rows.filter { !$0.figures.isEmpty }
        let longest = rows.map { $0.name.description.count }.max() ?? 0
        return rows.map { row in
            let figures = row.figures.map { "\($0.name) \(value($0))" }.joined(separator: ", ")
            return Table.labelled(row.name.description, figures, column: longest + 2, to: width)
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

/// What a table's columns and a summary's lines mean.
package enum TableWords {
    package static let all: [(word: String, line: String)] = [
        ("time", "the undisturbed time of one operation; of stores, cold hits and mixtures of outcomes the mean"),
        ("undisturbed", "while the processor runs at full speed, without interruption; probes tell when that is"),
        ("typical", "the median with every disturbance"),
        ("±95 %", "the farther end of the 95 % confidence interval, over sets of processes"),
        ("p99, p99.9", "the time that one operation in 100, or in 1,000, exceeds"),
        ("ratio", "how many times as long as ours, both measured in turns"),
        (
            "~",
            "the machine was at full speed too rarely: a typical time; a ratio from slices in which both were slowed alike"
        ),
        ("allocs", "allocations of memory in one operation"),
        (
            "other threads",
            "those of the process that the harness doesn't time: a cache's own, a library's; --verbose has their time"
        ),
        ("wake-ups", "how often a thread of the process waited and was woken, for each operation"),
        ("wrong", "answers that were not what was stored"),
        ("ours, peer", "ours is the cache under test, whose ratio is 1; a peer is another's, for comparison"),
        (
            "nearest peer",
            "the peer of a case with the smallest ratio; a stage's ratio is the geometric mean over its cases"
        ),
        (
            "what programs usually have",
            "peers that are in wide use and not written for speed; in the table below the others"
        ),
        ("set", "one process for each benchmark of a case, from start to exit, whose slices take turns"),
        ("slice", "some milliseconds of measuring one benchmark"),
        ("too close to call", "a ratio that this run cannot tell from 1"),
        ("faster than ours", "peers whose ratio is below 1, certainly"),
        (
            "two modes",
            "rows with two speeds: slices gather around two times, of the machine or of the code; --verbose shows both"
        ),
        (
            "A/A",
            "a benchmark measured against itself in the same run: what remains as difference is the run's own error"
        ),
        ("steal", "the part of the processor that the host took for others"),
        ("load", "how many threads wanted a processor on average, of so many processors"),
        ("in bursts", "the work of many stores is done at once, so that the mean is judged, not the quartile"),
        ("hits, hit ratio", "the part of the requests that the cache answers; byte hit ratio: the part of their bytes"),
    ]
}
