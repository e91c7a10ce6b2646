import GaugeSupport

/// A section per stage, with a line for each case that unfolds to its figures and distributions.
package struct PageStages {
    private let runs: [ReportedRun]
    private let colours: SubjectColours
    private let words: BenchmarkWords
    private let ratios: RatioChart

    package init(_ runs: [ReportedRun], colours: SubjectColours, words: BenchmarkWords) {
        (self.runs, self.colours, self.words) = (runs, colours, words)
        ratios = RatioChart(runs, colours)
    }

    package var sections: [(id: String, title: String, html: String)] {
        let cases = ReportedRun.grouped(runs) { $0.group }
        return runs.flatMap(\.rows).map(\.stage).once.map { stage in
            let here = cases.filter { $0.parts.first?.rows.first?.stage == stage }
            // An outside name is no identifier: spaces would end it.
            let id = "stage-" + stage.map { $0.isLetter || $0.isNumber ? String($0) : "-" }.joined()
            let about = words.stages[stage].map { "<p>\(HTMLText.escaped($0))</p>\n" } ?? ""
            let html = """
                <section class="stage" id="\(HTMLText.escaped(id))">
                <h2>\(HTMLText.escaped(stage))</h2>
                \(about)<div class="cases">
                \(here.map { folded($0.parts) }.joined())</div>
                </section>

                """
            return (id, stage, html)
        }
    }

    /// A case's line: its name, our time, and the nearest peer. It unfolds to what the case is, all figures, the
    /// ratios, the distributions, and with several runs the course of each subject's time.
    private func folded(_ parts: [(run: ReportedRun, rows: [ReportedRow])]) -> String {
        guard let last = parts.last, let first = last.rows.first else { return "" }
        let own = last.rows.first { !$0.isPeer } ?? first
        let near = last.rows.filter(RatioChart.isCompared).min { ($0.ratio ?? 0) < ($1.ratio ?? 0) }
        let beside = near.map { "\(Quantity.ratio($0.ratio)) \($0.subject)" } ?? (own.failure ?? "")
        let find = parts.flatMap(\.rows).map(\.name).once.joined(separator: " ").lowercased()
        let line = words.line(onCase: own.case, of: own.stage)
        let subjects = parts.flatMap(\.rows).map(\.subject).once.compactMap { name in
            words.subjects[name].map { "\(name): \($0)" }
        }
        let about = ([line].compactMap(\.self) + subjects).map { "\(HTMLText.escaped($0))." }.joined(separator: " ")
        let plots = [latency(parts), trend(parts)].compactMap(\.self).map(\.html)
        let bars = [ratios.html(parts), SliceChart.html(parts, colours)].filter { !$0.isEmpty }
        return """
            <details class="case" data-find="\(HTMLText.escaped(find))"><summary>\
            <span class="name">\(HTMLText.breakable(own.case.isEmpty ? own.stage : own.case))</span>\
            <span class="time">\(own.isTypical ? ResultRow.slowMark : "")\(Quantity.time(own.time))</span>\
            <span class="near">\(HTMLText.escaped(beside))</span></summary>
            \(about.isEmpty ? "" : "<p>\(about)</p>\n")\(ResultTable.html(parts))\
            \(bars.isEmpty ? "" : "<div class=\"bars\">\n\(bars.joined())</div>\n")\
            \(plots.isEmpty ? "" : "<div class=\"plots\">\n\(plots.joined())</div>\n")\
            </details>

            """
    }

    private func line(_ name: String, _ points: [(x: Double, y: Double)], of subject: String) -> LinePlot.Line {
        LinePlot.Line(name: name, points: points, isMarks: false, colour: colours.number(of: subject))
    }

    /// The quantiles of a case's operations timed one by one, in the last run that has any.
    private func latency(_ parts: [(run: ReportedRun, rows: [ReportedRow])]) -> LinePlot? {
        guard let part = parts.last(where: { part in part.rows.contains { !$0.quantiles.isEmpty } }) else { return nil }
        let rows = part.rows.filter { !$0.quantiles.isEmpty }
        let lines = rows.map { line($0.subject, $0.curve, of: $0.subject) }
        return LinePlot(
            title: part.run.title("\(rows[0].group), quantiles"), lines: lines,
            x: .nines(lines.flatMap { $0.points.map(\.x) }),
            y: .logarithmic(rows.flatMap(\.quantiles)) { Quantity.round($0) },
            xTitle: "part of the operations, %", yTitle: "time of an operation",
            tip: { "\(Quantity.plain(($0 * 1e6).rounded() / 1e4)) %: \(Quantity.time($1))" })
    }

    /// Each subject's time over the runs of the page, by file name. The axis goes just beyond the times, so that a few
    /// per cent are seen.
    private func trend(_ parts: [(run: ReportedRun, rows: [ReportedRow])]) -> LinePlot? {
        guard runs.count > 1 else { return nil }
        let names = runs.map { $0.name.isEmpty ? $0.letter : $0.name }
        let lines = ReportedRun.bySubject(parts).map { subject, rows in
            let points = rows.compactMap { run, row in
                runs.firstIndex { $0.letter == run.letter }.flatMap { place in
                    row.time.map { (x: Double(place), y: $0) }
                }
            }
            return line(subject, points, of: subject)
        }.filter { $0.points.count > 1 }
        guard !lines.isEmpty, let group = parts.first?.rows.first?.group else { return nil }
        return LinePlot(
            title: "\(group), by run", lines: lines, x: .names(names),
            y: .fittedLogarithmic(lines.flatMap { $0.points.flatMap { [$0.y * 0.95, $0.y * 1.05] } }, base: 10) {
                Quantity.time($0)
            }, xTitle: "run", yTitle: "time of an operation",
            tip: { "\(names[min(max(Int($0), 0), names.count - 1)]): \(Quantity.time($1))" })
    }
}
