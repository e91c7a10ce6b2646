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
