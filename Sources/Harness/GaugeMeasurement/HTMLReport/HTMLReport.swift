import GaugeSupport

/// One self-contained HTML file, without network access. It follows the reader's light or dark mode, and equal results
/// give equal bytes. A script filters rows and shows values under the pointer; everything else works without it.
package struct HTMLReport {
    private let runs: [ReportedRun]
    private let curves: [ReportedCurve]
    private let replays: [ReportedReplay]
    private let colours: SubjectColours
    private let words: BenchmarkWords
    /// Whether all curves are drawn, or only the most telling ones.
    private let drawsAllCurves: Bool

    /// The most curves in a plot, unless all are asked for.
    package static let mostCurves = 6

    /// - Parameters:
    ///   - names: the documents' file names, in order.
    ///   - words: the lines on stages, cases and subjects.
    package init(
        _ documents: [ResultDocument], names: [String] = [], words: BenchmarkWords = BenchmarkWords(),
        drawsAllCurves: Bool = false
    ) {
        var measured: [(name: String, context: JSONValue, rows: [ReportedRow])] = []
        var (curves, replays): ([ReportedCurve], [ReportedReplay]) = ([], [])
        for (place, document) in documents.enumerated() {
            switch document {
            case .run(let context, let rows):
                measured.append((place < names.count ? names[place] : "", context, rows))
            case .curve(let curve): curves.append(curve)
            case .replay(let replay): replays.append(replay)
            }
        }
        runs = measured.enumerated().map { index, run in
            ReportedRun(
                letter: ReportedRun.letter(index, of: measured.count), name: run.name, context: run.context,
                rows: run.rows)
        }
        (self.curves, self.replays, self.words, self.drawsAllCurves) = (curves, replays, words, drawsAllCurves)
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
        \(runs.last.map { PageSummary($0, words: words).html } ?? "")\
        \(runs.indices.map { MachineBox.html(runs[$0], isLatest: runs.count < 3 || $0 == runs.count - 1) }.joined())\
        \(contents)\
        \(runs.isEmpty ? "" : Self.findField)\
        \(sections.map(\.html).joined())\
        <div id="tip" hidden></div>
        <script>
        \(Self.script)
        </script>
        </body>
        </html>

        """
    }

    private static let findField = """
        <div class="find" hidden><input id="find" type="search" placeholder="filter rows: memory hit files" \
        aria-label="filter rows"><p id="none" hidden>No row has all of these words.</p></div>

        """

    private var sections: [(id: String, title: String, html: String)] {
        let all =
            [("trend", "Trend", RunComparison.html(runs))]
            + PageStages(runs, colours: colours, words: words).sections
            + [
                ("throughput", throughputText, "Throughput by threads", throughputs),
                ("curves", curveText, "Miss-ratio curves", missRatios),
            ].map { id, text, title, drawn in (id, title, plots(title, text, id: id, drawn)) }
        return all.filter { !$0.2.isEmpty }
    }

    /// Links to the sections, since a page of many benchmarks is long.
    private var contents: String {
        let links = sections.map {
            "<a href=\"#\(HTMLText.escaped($0.id))\">\(HTMLText.escaped($0.title))</a>"
        }
        return links.count < 2 ? "" : "<nav>\(links.joined(separator: " "))</nav>\n"
    }

    // MARK: Plots

    private func plots(_ title: String, _ text: String, id: String, _ plots: [LinePlot]) -> String {
        guard !plots.isEmpty else { return "" }
        let drawn = "<div class=\"plots\">\n\(plots.map(\.html).joined())</div>\n"
        // Many small plots fold.
        let isFolded = plots.count > 3 && !plots[0].isWide
        let content = isFolded ? "<details><summary>\(plots.count) plots</summary>\(drawn)</details>\n" : drawn
        return """
            <section id="\(id)">
            <h2>\(title)</h2>
            <p>\(text)</p>
            \(content)\
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

    private let throughputText = "Operations per second of all threads together, by the number of threads."

    private var throughputs: [LinePlot] {
        grouped { row in BenchmarkName.withoutThreads(row.case).map { "\(row.stage)/\($0)" } }.compactMap { group in
            let threads = group.rows.map { Double($0.threads) }
            guard Set(threads).count > 1 else { return nil }
            let lines = group.rows.grouped(by: \.subject).map { subject, rows in
                let points = rows.compactMap { row in
                    row.operationsPerSecond.map { (x: Double(row.threads), y: $0) }
                }
                return line(subject, points.sorted { $0.x < $1.x })
            }.filter { !$0.points.isEmpty }
            return LinePlot(
                title: group.name, lines: lines, x: .steps(threads),
                y: .linear(lines.flatMap { $0.points.map(\.y) }) { Quantity.round($0, Quantity.counts) },
                xTitle: "number of threads",
                yTitle: "operations per second", tip: { "\(Quantity.plain($0)): \(Quantity.rate($1)) a second" })
        }
    }

    private let curveText =
        "The miss ratio of simulated caches by capacity, of requests and of bytes. Marks show the miss ratio of a replay, "
        + "and the bounds for any cache of its capacity."

    private var missRatios: [LinePlot] {
        let keys = curves.map { $0.trace + "\n" + $0.unit } + replays.map { $0.trace + "\n" + $0.unit }
        return keys.once.flatMap { key -> [LinePlot] in
            let all = curves.filter { $0.trace + "\n" + $0.unit == key }.flatMap(\.lines)
            let shown = drawsAllCurves ? all : Self.telling(all)
            let few = ", \(shown.count) of \(all.count) policies (--all-curves draws all)"
            let note = shown.count < all.count ? few : ""
            let title = String(key.prefix { $0 != "\n" }) + note
            let here = replays.filter { $0.trace + "\n" + $0.unit == key }
            let marks = here.flatMap { replay in
                [line(replay.subject, [(replay.capacity, replay.missRatio)], isMarks: true)]
                    + replay.bounds.map { line($0.name, [(replay.capacity, $0.missRatio)], isMarks: true) }
            }
            func lines(_ ratio: (ReportedCurve.Point) -> Double?) -> [LinePlot.Line] {
                shown.map { policy, points in
                    let drawn = points.compactMap { point in ratio(point).map { (x: point.capacity, y: $0) } }
                    return line(policy, drawn.sorted { $0.x < $1.x })
                }.filter { !$0.points.isEmpty }
            }
            let isBytes = key.hasSuffix("\nbytes")
            let (requests, bytes) = (lines(\.missRatio) + marks, lines(\.byteMissRatio))
            return [curvePlot(title, requests, isBytes: isBytes, "miss ratio, %")]
                + (bytes.isEmpty ? [] : [curvePlot("\(title), bytes", bytes, isBytes: isBytes, "byte miss ratio, %")])
        }
    }

    private func curvePlot(_ title: String, _ lines: [LinePlot.Line], isBytes: Bool, _ yTitle: String) -> LinePlot {
        func capacity(_ value: Double) -> String {
            isBytes ? Quantity.binary(value) : Quantity.round(value, Quantity.counts)
        }
        func ratio(_ value: Double) -> String { Quantity.plain((value * 1000).rounded() / 10) }
        return LinePlot(
            title: title, lines: lines,
            x: .fittedLogarithmic(lines.flatMap { $0.points.map(\.x) }, base: isBytes ? 2 : 10, label: capacity),
            y: .fitted(lines.flatMap { $0.points.map(\.y) }, within: 0...1, label: ratio),
            xTitle: isBytes ? "capacity, bytes of bodies" : "capacity, entries", yTitle: yTitle,
            tip: { "\(capacity($0)): \(ratio($1)) %" }, isWide: true)
    }

    /// LRU, and as many others as fit a plot, those that miss least, in the order of the file.
    private static func telling(
        _ lines: [(policy: String, points: [ReportedCurve.Point])]
    ) -> [(policy: String, points: [ReportedCurve.Point])] {
        guard lines.count > mostCurves else { return lines }
        func mean(_ place: Int) -> Double {
            let points = lines[place].points
            return points.reduce(0) { $0 + $1.missRatio } / Double(max(1, points.count))
        }
        let usual = lines.indices.filter { lines[$0].policy == "lru" }
        let best = lines.indices.filter { !usual.contains($0) }.sorted { (mean($0), $0) < (mean($1), $1) }
        return (usual + best).prefix(mostCurves).sorted().map { lines[$0] }
    }
}
