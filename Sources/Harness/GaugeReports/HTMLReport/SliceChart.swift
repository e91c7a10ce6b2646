import GaugeSupport

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
