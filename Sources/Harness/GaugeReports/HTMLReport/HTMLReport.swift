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

extension HTMLReport {
    /// Colours that people with red-green colour blindness can distinguish (Okabe and Ito), lighter on a dark page.
    package static let style = """
        :root { color-scheme: light dark; --page: #fff; --text: #1c1f23; --quiet: #5d6670; --line: #d9dee3; --card: #f6f8fa;
          --bad: #a83f00; --good: #00694c;
          --c0: #0072b2; --c1: #d55e00; --c2: #009e73; --c3: #b3569a; --c4: #9a7000; --c5: #2b88bd; --c6: #6b6b6b; --c7: #7a4fb5;
          --c8: #004d40; --c9: #8c2d04; --c10: #c2185b; --c11: #558b2f; }
        @media (prefers-color-scheme: dark) { :root { --page: #14171a; --text: #e6e9ec; --quiet: #9aa4ae; --line: #333a41;
          --card: #1c2024; --bad: #ff9248; --good: #2fd0a0; --c0: #56b4e9; --c1: #ff9248; --c2: #2fd0a0; --c3: #e59bcf; --c4: #f0c14b; --c5: #8fd3ff;
          --c6: #b5b5b5; --c7: #b79cf0; --c8: #80cbc4; --c9: #ffab91; --c10: #ff80ab; --c11: #c5e1a5; } }
        * { box-sizing: border-box; }
        body { margin: 0 auto; max-width: 76rem; padding: 1rem; background: var(--page); color: var(--text);
          font: 16px/1.45 system-ui, sans-serif; }
        h1 { font-size: 1.6rem; margin: .5rem 0 1rem; } h2 { font-size: 1.25rem; margin: 2.2rem 0 .3rem; }
        h3 { font-size: .95rem; margin: 0 0 .2rem; overflow-wrap: anywhere; }
        section > p { color: var(--quiet); margin: .2rem 0 1rem; max-width: 46rem; }
        dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(9.5rem, 1fr)); gap: .6rem 1rem; margin: 0;
          padding: .8rem 1rem; background: var(--card); border: 1px solid var(--line); border-radius: .5rem; }
        dt { color: var(--quiet); font-size: .8rem; } dd { margin: 0; overflow-wrap: anywhere; }
        .warning { border-left: .25rem solid var(--c1); padding: .2rem .7rem; margin: .6rem 0; overflow-wrap: anywhere; }
        .plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 21rem), 1fr)); gap: 1rem; }
        .plots > :only-child { max-width: 38rem; }
        figure { margin: 0; padding: .7rem; background: var(--card); border: 1px solid var(--line); border-radius: .5rem; }
        figcaption { font-weight: 600; overflow-wrap: anywhere; }
        figure svg { display: block; width: 100%; height: auto; }
        svg text { fill: var(--quiet); font: 11px system-ui, sans-serif; } svg text.y { text-anchor: end; }
        svg text.x { text-anchor: middle; } .grid { stroke: var(--line); }
        path { fill: none; stroke-width: 2; stroke-linejoin: round; }
        .legend { list-style: none; display: flex; flex-wrap: wrap; gap: .1rem .9rem; margin: .3rem 0 0; padding: 0;
          font-size: .85rem; }
        .legend li { overflow-wrap: anywhere; min-width: 0; }
        .legend svg { display: inline-block; width: 28px; height: 10px; margin-right: .35em; }
        nav { display: flex; flex-wrap: wrap; gap: .3rem 1rem; margin: 1rem 0; } a { color: inherit; }
        .c0 { --c: var(--c0); } .c1 { --c: var(--c1); } .c2 { --c: var(--c2); } .c3 { --c: var(--c3); }
        .c4 { --c: var(--c4); } .c5 { --c: var(--c5); } .c6 { --c: var(--c6); } .c7 { --c: var(--c7); }
        .c8 { --c: var(--c8); } .c9 { --c: var(--c9); } .c10 { --c: var(--c10); } .c11 { --c: var(--c11); }
        path { stroke: var(--c); } circle { fill: var(--c); } circle.ring { fill: none; stroke: var(--c); stroke-width: 1.8; }
        .ratios { columns: 2 26rem; column-gap: 2rem; } .case { break-inside: avoid; padding: .35rem 0 .6rem; }
        .bar { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0 .6rem; font-size: .88rem; }
        .bar b { font-variant-numeric: tabular-nums; } .bar span { min-width: 0; overflow-wrap: anywhere; }
        .bar svg { grid-column: 1 / -1; width: 100%; height: .6rem; }
        .bar rect { fill: var(--c); } .bar rect.track { fill: var(--line); } .bar rect.one { fill: var(--text); }
        .bar rect.whisker, .slices rect.one { fill: var(--text); stroke: var(--page);
          stroke-width: 1px; paint-order: stroke; vector-effect: non-scaling-stroke; }
        .bar b { text-align: right; } .bar.slices svg { height: 1.6rem;
          border-bottom: 1px solid var(--line); margin-bottom: .5rem; }
        .axis { position: relative; height: 1.1em; color: var(--quiet); font-size: .72rem; }
        .axis span { position: absolute; white-space: nowrap; transform: translateX(-50%); } .axis span:first-child { transform: none; }
        .axis span:last-child { transform: translateX(-100%); }
        @media (max-width: 30rem) { .axis span:nth-last-child(2) { display: none; } }
        details { margin: .6rem 0; } summary { cursor: pointer; overflow-wrap: anywhere; } details dl { margin-top: .4rem; }
        .scroll { overflow-x: auto; } table { border-collapse: collapse; font-size: .85rem; width: 100%;
          font-variant-numeric: tabular-nums; }
        th, td { padding: .25rem .5rem; text-align: right; white-space: nowrap; border-bottom: 1px solid var(--line); }
        th:first-child { text-align: left; font-weight: 500; } thead th { color: var(--quiet); font-weight: 500; }
        .peer { color: var(--quiet); } .failed { text-align: left; color: var(--bad); white-space: normal; }
        .worse { color: var(--bad); font-weight: 600; } .better { color: var(--good); font-weight: 600; }
        details.warning p { margin: .4rem 0 0; }
        @media (max-width: 40rem) { th:first-child { position: sticky; left: 0; background: var(--page);
          min-width: 9.5rem; max-width: 9.5rem;
          white-space: normal; overflow-wrap: anywhere; } }
        """
}
