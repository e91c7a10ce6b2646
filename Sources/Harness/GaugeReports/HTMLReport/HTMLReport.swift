import GaugeSupport

/// One self-contained HTML file, without network access or scripts. It follows the reader's light or dark mode, and
/// equal results give equal bytes.
package struct HTMLReport {
    private let runs: [ReportedRun]
    private let curves: [ReportedCurve]
    private let replays: [ReportedReplay]
    private let colours: SubjectColours

    package init(_ documents: [ResultDocument]) {
        var measured: [(context: JSONValue, rows: [ReportedRow])] = []
        var (curves, replays): ([ReportedCurve], [ReportedReplay]) = ([], [])
        for document in documents {
            switch document {
            case .run(let context, let rows): measured.append((context, rows))
            case .curve(let curve): curves.append(curve)
            case .replay(let replay): replays.append(replay)
            }
        }
        runs = measured.enumerated().map { index, run in
            ReportedRun(
                letter: ReportedRun.letter(index, of: measured.count), context: run.context, rows: run.rows)
        }
        (self.curves, self.replays) = (curves, replays)
        let rows = measured.flatMap(\.rows)
        colours = SubjectColours(
            (rows.filter { !$0.isPeer } + rows).map(\.subject)
                + replays.flatMap { [$0.subject] + $0.bounds.map(\.name) } + curves.flatMap { $0.lines.map(\.policy) })
    }

    package var text: String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>CacheGauge report</title>
        <style>
        \(Self.style)
        </style>
        </head>
        <body>
        <h1>CacheGauge report</h1>
        \(runs.map(MachineBox.html).joined())\
        \(contents)\
        \(sections.map(\.html).joined())\
        </body>
        </html>

        """
    }

    private var sections: [(id: String, title: String, html: String)] {
        let comparisons = runs.dropFirst().map {
            (
                "comparison-\($0.letter.replacing(" ", with: "-"))", "\($0.letter) against \(runs[0].letter)",
                RunComparison.html(runs[0], $0)
            )
        }
        let tables = runs.map { ($0.tableName, $0.title("All rows"), ResultTable.html($0)) }
        let all =
            comparisons + [("ratios", "Ratio to peers", RatioChart.html(runs, colours))]
            + [
                ("latency", latencyText, "Latency by outcome", latencies),
                ("throughput", throughputText, "Throughput by threads", throughputs),
                ("curves", curveText, "Miss-ratio curves", missRatios),
            ].map { id, text, title, drawn in (id, title, plots(title, text, id: id, drawn)) }
            + [("slices", "Slices", SliceChart.html(runs, colours))] + tables
        return all.filter { !$0.2.isEmpty }
    }

    /// Links to the sections; a page of many benchmarks is long.
    private var contents: String {
        let links = sections.map {
            "<a href=\"#\(HTMLText.escaped($0.id))\">\(HTMLText.escaped($0.title))</a>"
        }
        return links.count < 2 ? "" : "<nav>\(links.joined(separator: " "))</nav>\n"
    }

    // MARK: Plots

    private func plots(_ title: String, _ text: String, id: String, _ plots: [LinePlot]) -> String {
        guard !plots.isEmpty else { return "" }
        return """
            <section id="\(id)">
            <h2>\(title)</h2>
            <p>\(text)</p>
            <div class="plots">
            \(plots.map(\.html).joined())</div>
            </section>

            """
    }

    /// The rows of a case in each run that has any.
    private func grouped(_ key: (ReportedRow) -> String?) -> [(name: String, rows: [ReportedRow])] {
        ReportedRun.grouped(runs, by: key).flatMap { name, parts in parts.map { ($0.run.title(name), $0.rows) } }
    }

    private func line(_ name: String, _ points: [(x: Double, y: Double)], isMarks: Bool = false) -> LinePlot.Line {
        LinePlot.Line(name: name, points: points, isMarks: isMarks, colour: colours.number(of: name))
    }

    private let latencyText =
        "Quantiles of the time of an operation, for each subject: the flatter the line, the more even the times. "
        + "Quantiles are spaced by their nines, times are logarithmic; a line ends at the slowest operation."

    private var latencies: [LinePlot] {
        grouped { $0.quantiles.isEmpty ? nil : $0.group }.map { group in
            let lines = group.rows.map { line($0.subject, $0.curve) }
            return LinePlot(
                title: group.name, lines: lines, x: .nines(lines.flatMap { $0.points.map(\.x) }),
                y: .logarithmic(group.rows.flatMap(\.quantiles)) { Quantity.round($0) },
                xTitle: "part of the operations, %", yTitle: "time of an operation")
        }
    }

    private let throughputText = "Operations per second of all threads together, by the number of threads."

    private var throughputs: [LinePlot] {
        grouped { row in Self.withoutThreads(row.case).map { "\(row.stage)/\($0)" } }.compactMap { group in
            let threads = group.rows.map { Double($0.threads) }
            guard Set(threads).count > 1 else { return nil }
            let subjects = group.rows.map(\.subject).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
            let lines = subjects.map { subject in
                let points = group.rows.filter { $0.subject == subject }.compactMap { row in
                    row.operationsPerSecond.map { (x: Double(row.threads), y: $0) }
                }
                return line(subject, points.sorted { $0.x < $1.x })
            }.filter { !$0.points.isEmpty }
            return LinePlot(
                title: group.name, lines: lines, x: .steps(threads),
                y: .linear(lines.flatMap { $0.points.map(\.y) }) { Quantity.round($0, "") },
                xTitle: "number of threads",
                yTitle: "operations per second")
        }
    }

    /// The group `zipf/1k` of the case `zipf/1k/2-threads`; `nil` for a case without a number of threads.
    private static func withoutThreads(_ name: String) -> String? {
        let parts = name.split(separator: "/")
        guard let last = parts.last, last.hasSuffix("-thread") || last.hasSuffix("-threads"),
            last.first?.isNumber == true
        else { return nil }
        return parts.dropLast().joined(separator: "/")
    }

    private let curveText =
        "The miss ratio of simulated caches by capacity. Marks show the miss ratio of a replay, and the bounds for "
        + "any cache of its capacity."

    private var missRatios: [LinePlot] {
        var order: [String] = []
        for trace in curves.map({ $0.trace + "\n" + $0.unit }) + replays.map({ $0.trace + "\n" + $0.unit })
        where !order.contains(trace) { order.append(trace) }
        return order.map { key in
            let lines = curves.filter { $0.trace + "\n" + $0.unit == key }.flatMap(\.lines).map { policy, points in
                line(policy, points.map { (x: $0.capacity, y: $0.missRatio) }.sorted { $0.x < $1.x })
            }
            let here = replays.filter { $0.trace + "\n" + $0.unit == key }
            let marks = here.flatMap { replay in
                [line(replay.subject, [(replay.capacity, replay.missRatio)], isMarks: true)]
                    + replay.bounds.map { line($0.name, [(replay.capacity, $0.missRatio)], isMarks: true) }
            }
            let all = lines + marks
            let isBytes = key.hasSuffix("\nbytes")
            return LinePlot(
                title: String(key.prefix { $0 != "\n" }), lines: all,
                x: .fittedLogarithmic(all.flatMap { $0.points.map(\.x) }, base: isBytes ? 2 : 10) {
                    isBytes ? Quantity.binary($0) : Quantity.round($0, "")
                },
                y: .fitted(all.flatMap { $0.points.map(\.y) }, within: 0...1) {
                    Quantity.plain(($0 * 1000).rounded() / 10)
                },
                xTitle: isBytes ? "capacity, bytes of bodies" : "capacity, entries", yTitle: "miss ratio, %")
        }
    }
}
