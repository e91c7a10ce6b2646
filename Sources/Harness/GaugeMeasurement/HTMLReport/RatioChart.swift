import GaugeSupport

/// A bar for each peer of a case, with the ratio of its time and the interval, on a logarithmic scale shared by all
/// cases of a page. The text stays readable on a phone.
package struct RatioChart {
    private let scale: PlotScale
    private let colours: SubjectColours
    private let axis: String

    package init(_ runs: [ReportedRun], _ colours: SubjectColours) {
        let all = runs.flatMap(\.rows).filter(Self.isCompared)
        let ends = all.compactMap(\.ratioInterval).flatMap { [$0.lowerBound, $0.upperBound] }
        scale = .logarithmic([1] + all.compactMap(\.ratio) + ends) {
            Quantity.plain(($0 * 1000).rounded() / 1000) + "×"
        }
        axis = scale.ticks.map {
            "<span style=\"left:\(HTMLText.number($0.position * 100))%\">\(HTMLText.escaped($0.label))</span>"
        }.joined()
        self.colours = colours
    }

    package static func isCompared(_ row: ReportedRow) -> Bool { row.isPeer && (row.ratio ?? 0) > 0 }

    /// The bars of a case above their axis; empty if no peer has a ratio.
    package func html(_ parts: [(run: ReportedRun, rows: [ReportedRow])]) -> String {
        let compared = ReportedRun.bySubject(parts).flatMap(\.rows).filter { Self.isCompared($0.row) }
        guard !compared.isEmpty else { return "" }
        let bars = compared.map { Self.bar($0.row, $0.run.title($0.row.subject), scale, colours) }
        let note =
            compared.contains { $0.row.isRatioMarked } ? "; \(ResultRow.slowMark) marks one from slowed slices" : ""
        return "<h4>Time over ours\(note)</h4>\n\(bars.joined())<div class=\"axis\">\(axis)</div>\n"
    }

    private static func bar(
        _ row: ReportedRow, _ name: String, _ scale: PlotScale, _ colours: SubjectColours
    ) -> String {
        let ratio = row.ratio ?? 1
        let (one, end) = (scale.position(1) * 100, scale.position(ratio) * 100)
        let (from, width) = (min(one, end), max(abs(end - one), 0.4))
        let number = HTMLText.number
        var text = (row.isRatioMarked ? ResultRow.slowMark : "") + Quantity.ratio(ratio)
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

/// The distribution of each row's slices, which shows two modes: a histogram from the fastest slice to the slowest,
/// without the slowest fiftieth. The runs of a page share a row's scale.
package enum SliceChart {
    private static let leastSlices = 12

    /// The histograms of a case; empty if no row has enough slices.
    package static func html(_ parts: [(run: ReportedRun, rows: [ReportedRow])], _ colours: SubjectColours) -> String {
        let enough = parts.map { (run: $0.run, rows: $0.rows.filter { $0.slices.count >= leastSlices }) }
        let histograms = ReportedRun.bySubject(enough).flatMap { _, rows in
            let times = rows.map { kept($0.row) }
            let low = times.compactMap(\.first).reduce(.infinity, min)
            let high = times.compactMap(\.last).reduce(0, max)
            return zip(rows, times).map { histogram($0.row, $0.run, $1, low, high, colours) }
        }
        guard !histograms.isEmpty else { return "" }
        return "<h4>Slices from the fastest to the slowest: two hills are two speeds</h4>\n\(histograms.joined())"
    }

    /// The slices in order, without the slowest fiftieth.
    private static func kept(_ row: ReportedRow) -> [Double] {
        Array(row.slices.sorted().prefix(row.slices.count - row.slices.count / 50))
    }

    private static func histogram(
        _ row: ReportedRow, _ run: ReportedRun, _ slices: [Double], _ low: Double, _ high: Double,
        _ colours: SubjectColours
    ) -> String {
        let width = max(high - low, low * 1e-3, .leastNormalMagnitude)
        // In too many bins, few slices are single bars and show no hill.
        let bins = min(40, max(16, Int((2 * Double(slices.count).squareRoot()).rounded(.up))))
        var counts = [Int](repeating: 0, count: bins)
        for time in slices { counts[min(bins - 1, Int(((time - low) / width * Double(bins)).rounded(.down)))] += 1 }
        let most = Double(counts.reduce(1, max))
        let number = HTMLText.number
        let step = 100 / Double(bins)
        var bars = ""
        for (index, count) in counts.enumerated() where count > 0 {
            let height = max(Double(count) / most * 24, 1)
            bars += "M\(number(Double(index) * step)) 24v-\(number(height))h\(number(step * 0.9))v\(number(height))z"
        }
        let time = row.time.flatMap { (low...(low + width)).contains($0) ? ($0 - low) / width * 100 : nil }
        let line = time.map {
            "<rect class=\"one\" x=\"\(number(min($0, 99.7)))\" width=\"0.3\" height=\"24\"/>"
        }
        // Longer than any coordinate.
        func nanoseconds(_ time: Double) -> String { Quantity.plain((time * 100).rounded() / 100) }
        let name = HTMLText.escaped(run.title(row.subject))
        let range = HTMLText.escaped("\(Quantity.time(low)) to \(Quantity.time(high)), \(row.slices.count) slices")
        return """
            <div class="bar slices"><span>\(name)</span><b>\(range)</b>\
            <svg class="\(colours.style(of: row.subject))" viewBox="0 0 100 24" preserveAspectRatio="none" role="img" \
            aria-label="\(name), slices from \(range)" data-low="\(nanoseconds(low))" data-high="\(nanoseconds(low + width))" \
            data-counts="\(counts.map(String.init).joined(separator: " "))"><path d="\(bars)"/>\(line ?? "")</svg></div>

            """
    }
}
