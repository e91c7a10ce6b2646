import GaugeSupport

/// The distribution of each row's slices, so that two modes are seen: a histogram from the fastest slice to the slowest,
/// without the slowest fiftieth.
package enum SliceChart {
    private static let bins = 40
    private static let leastSlices = 12

    package static func html(_ runs: [ReportedRun], _ colours: SubjectColours) -> String {
        var lines = ""
        for run in runs {
            var group = ""
            for row in run.rows where row.slices.count >= leastSlices {
                if row.group != group {
                    lines += group.isEmpty ? "" : "</div>\n"
                    lines += "<div class=\"case\"><h3>\(HTMLText.escaped(run.title(row.group)))</h3>\n"
                    group = row.group
                }
                lines += histogram(row, colours)
            }
            if !group.isEmpty { lines += "</div>\n" }
        }
        guard !lines.isEmpty else { return "" }
        return """
            <section id="slices">
            <h2>Slices</h2>
            <p>The time of an operation in each slice of a few milliseconds: the height is the number of slices, the width goes
            from the fastest to the slowest, whose times stand beside it. Two hills are two speeds of the machine or of the
            code.</p>
            <div class="ratios">
            \(lines)</div>
            </section>

            """
    }

    private static func histogram(_ row: ReportedRow, _ colours: SubjectColours) -> String {
        let sorted = row.slices.sorted()
        let kept = sorted.prefix(sorted.count - sorted.count / 50)
        guard let low = kept.first, let high = kept.last else { return "" }
        let width = max(high - low, low * 1e-3, .leastNormalMagnitude)
        var counts = [Int](repeating: 0, count: bins)
        for time in kept { counts[min(bins - 1, Int(((time - low) / width * Double(bins)).rounded(.down)))] += 1 }
        let most = Double(counts.max() ?? 1)
        let number = HTMLText.number
        let step = 100 / Double(bins)
        let bars = counts.enumerated().filter { $0.element > 0 }.map { index, count in
            let height = max(Double(count) / most * 24, 1)
            return "<rect x=\"\(number(Double(index) * step))\" y=\"\(number(24 - height))\" "
                + "width=\"\(number(step * 0.9))\" height=\"\(number(height))\"/>"
        }
        let name = HTMLText.escaped(row.subject)
        let range = HTMLText.escaped("\(Quantity.time(low)) to \(Quantity.time(high)), \(row.slices.count) slices")
        return """
            <div class="bar slices"><span>\(name)</span><b>\(range)</b>\
            <svg class="\(colours.style(of: row.subject))" viewBox="0 0 100 24" preserveAspectRatio="none" role="img" \
            aria-label="\(name), slices from \(range)">\(bars.joined())</svg></div>

            """
    }
}
