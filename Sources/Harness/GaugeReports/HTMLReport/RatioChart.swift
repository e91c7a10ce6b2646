import GaugeMeasurement
import GaugeSupport

/// A bar for each peer with the ratio of its time and its interval, on a logarithmic scale. The text stays readable on a
/// phone.
package enum RatioChart {
    package static func html(_ runs: [ReportedRun], _ colours: SubjectColours) -> String {
        let all = runs.flatMap(\.rows).filter(isCompared)
        guard !all.isEmpty else { return "" }
        let ends = all.compactMap(\.ratioInterval).flatMap { [$0.lowerBound, $0.upperBound] }
        let scale = PlotScale.logarithmic([1] + all.compactMap(\.ratio) + ends) {
            Quantity.plain(($0 * 1000).rounded() / 1000) + "×"
        }
        let cases = Self.cases(runs, scale, colours)
        let note = all.contains(where: \.isRatioTypical) ? " \(ResultRow.slowMark) marks a ratio of typical times." : ""
        return """
            <section id="ratios">
            <h2>Ratio to peers</h2>
            <p>The time of each peer divided by that of the cache under test, measured in alternation in one run: 10× is ten
            times as long. The scale is logarithmic; left of the line at 1× the peer is faster. The line at the end of a bar is
            the 95 % confidence interval; a ratio without one was measured too rarely for it.\(note)</p>
            <div class="ratios">
            \(cases)</div>
            </section>

            """
    }

    private static func isCompared(_ row: ReportedRow) -> Bool { row.isPeer && (row.ratio ?? 0) > 0 }

    private static func cases(_ runs: [ReportedRun], _ scale: PlotScale, _ colours: SubjectColours) -> String {
        let axis = scale.ticks.map {
            "<span style=\"left:\(HTMLText.number($0.position * 100))%\">\(HTMLText.escaped($0.label))</span>"
        }
        return ReportedRun.grouped(runs) { isCompared($0) ? $0.group : nil }.map { group, parts in
            let bars = ReportedRun.bySubject(parts).flatMap(\.rows).map { run, row in
                bar(row, run.title(row.subject), scale, colours)
            }
            return "<div class=\"case\"><h3>\(HTMLText.escaped(group))</h3>\n\(bars.joined())"
                + "<div class=\"axis\">\(axis.joined())</div></div>\n"
        }.joined()
    }

    private static func bar(
        _ row: ReportedRow, _ name: String, _ scale: PlotScale, _ colours: SubjectColours
    ) -> String {
        let ratio = row.ratio ?? 1
        let (one, end) = (scale.position(1) * 100, scale.position(ratio) * 100)
        let (from, width) = (min(one, end), max(abs(end - one), 0.4))
        let number = HTMLText.number
        var text = (row.isRatioTypical ? ResultRow.slowMark : "") + Quantity.ratio(ratio)
        var whisker = ""
        if let interval = row.ratioInterval {
            let ends = [interval.lowerBound, interval.upperBound]
            text += " (\(ends.map { String(Quantity.ratio($0).dropLast()) }.joined(separator: " to ")))"
            let places = ends.map { scale.position($0) * 100 }
            let line = max(places[1] - places[0], 0.3)
            whisker =
                "<rect class=\"whisker\" x=\"\(number(places[0]))\" y=\"4\" width=\"\(number(line))\" height=\"2\"/>"
                + places.map {
                    "<rect class=\"whisker\" x=\"\(number(min(max($0 - 0.1, 0), 99.8)))\" y=\"1\" width=\"0.2\" height=\"8\"/>"
                }.joined()
        }
        let (subject, value) = (HTMLText.escaped(name), HTMLText.escaped(text))
        return """
            <div class="bar"><span>\(subject)</span>\
            <b>\(value)</b>\
            <svg class="\(colours.style(of: row.subject))" viewBox="0 0 100 10" preserveAspectRatio="none" role="img" \
            aria-label="\(subject) \(value)">\
            <rect class="track" width="100" height="10"/>\
            <rect x="\(number(from))" width="\(number(width))" height="10"/>\
            <rect class="one" x="\(number(max(0, one - 0.15)))" width="0.3" height="10"/>\(whisker)</svg></div>

            """
    }
}

/// The distribution of each row's slices, so that two modes are seen: a histogram from the fastest slice to the slowest,
/// without the slowest fiftieth. The runs of a page share the scale of a row.
package enum SliceChart {
    private static let leastSlices = 12

    package static func html(_ runs: [ReportedRun], _ colours: SubjectColours) -> String {
        let cases = ReportedRun.grouped(runs) { $0.slices.count >= leastSlices ? $0.group : nil }
        guard !cases.isEmpty else { return "" }
        let drawn = cases.map { group, parts in
            let histograms = ReportedRun.bySubject(parts).flatMap { _, rows in
                let times = rows.map { kept($0.row) }
                let low = times.compactMap(\.first).reduce(.infinity, min)
                let high = times.compactMap(\.last).reduce(0, max)
                return zip(rows, times).map { histogram($0.row, $0.run, $1, low, high, colours) }
            }
            return "<div class=\"case\"><h3>\(HTMLText.escaped(group))</h3>\n\(histograms.joined())</div>\n"
        }
        return """
            <section id="slices">
            <h2>Slices</h2>
            <p>The time of an operation in each slice of a few milliseconds: the height is the number of slices, the width goes
            from the fastest to the slowest, whose times stand beside it. Two hills are two speeds of the machine or of the
            code. The thin line is the time of the row.</p>
            <div class="ratios">
            \(drawn.joined())</div>
            </section>

            """
    }

    /// The slices in order, without the slowest fiftieth.
    private static func kept(_ row: ReportedRow) -> [Double] {
        Array(row.slices.sorted().prefix(row.slices.count - row.slices.count / 50))
    }

    /// - Parameters:
    ///   - slices: the row's, in order.
    ///   - low: the left end of the scale.
    ///   - high: its right end.
    private static func histogram(
        _ row: ReportedRow, _ run: ReportedRun, _ slices: [Double], _ low: Double, _ high: Double,
        _ colours: SubjectColours
    ) -> String {
        let width = max(high - low, low * 1e-3, .leastNormalMagnitude)
        // Few slices in many bins are single bars, in which no hill is seen.
        let bins = min(40, max(16, Int((2 * Double(slices.count).squareRoot()).rounded(.up))))
        var counts = [Int](repeating: 0, count: bins)
        for time in slices { counts[min(bins - 1, Int(((time - low) / width * Double(bins)).rounded(.down)))] += 1 }
        let most = Double(counts.reduce(1, max))
        let number = HTMLText.number
        let step = 100 / Double(bins)
        let bars = counts.enumerated().filter { $0.element > 0 }.map { index, count in
            let height = max(Double(count) / most * 24, 1)
            return "<rect x=\"\(number(Double(index) * step))\" y=\"\(number(24 - height))\" "
                + "width=\"\(number(step * 0.9))\" height=\"\(number(height))\"/>"
        }
        let time = row.time.flatMap { (low...(low + width)).contains($0) ? ($0 - low) / width * 100 : nil }
        let line = time.map {
            "<rect class=\"one\" x=\"\(number(min($0, 99.7)))\" width=\"0.3\" height=\"24\"/>"
        }
        let name = HTMLText.escaped(run.title(row.subject))
        let range = HTMLText.escaped("\(Quantity.time(low)) to \(Quantity.time(high)), \(row.slices.count) slices")
        return """
            <div class="bar slices"><span>\(name)</span><b>\(range)</b>\
            <svg class="\(colours.style(of: row.subject))" viewBox="0 0 100 24" preserveAspectRatio="none" role="img" \
            aria-label="\(name), slices from \(range)">\(bars.joined())\(line ?? "")</svg></div>

            """
    }
}
