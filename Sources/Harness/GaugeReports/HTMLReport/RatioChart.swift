import GaugeSupport

/// A bar for each peer with the ratio of its time, on a logarithmic scale. The text stays readable on a phone.
package enum RatioChart {
    package static func html(_ rows: [ReportedRow]) -> String {
        let compared = rows.filter { row in row.isPeer && (row.ratio ?? 0) > 0 }
        guard !compared.isEmpty else { return "" }
        let scale = PlotScale.logarithmic([1] + compared.compactMap(\.ratio)) { Quantity.ratio($0) }
        var order: [String] = []
        var groups: [String: [ReportedRow]] = [:]
        for row in compared {
            if groups[row.group] == nil { order.append(row.group) }
            groups[row.group, default: []].append(row)
        }
        let cases = order.map { group in
            let bars = (groups[group] ?? []).map { bar($0, scale) }.joined()
            return "<div class=\"case\"><h3>\(HTMLText.escaped(group))</h3>\n\(bars)</div>\n"
        }
        return """
            <section id="ratios">
            <h2>Ratio to peers</h2>
            <p>The time of each peer divided by that of the cache under test, measured in alternation in one run. The scale is
            logarithmic; left of the line at 1 the peer is faster.</p>
            <div class="ratios">
            \(cases.joined())</div>
            </section>

            """
    }

    private static func bar(_ row: ReportedRow, _ scale: PlotScale) -> String {
        let ratio = row.ratio ?? 1
        let (one, end) = (scale.position(1) * 100, scale.position(ratio) * 100)
        let (from, width) = (min(one, end), max(abs(end - one), 0.4))
        let number = HTMLText.number
        let kind = ratio >= 1 ? "slower" : "faster"
        let label = "\(HTMLText.escaped(row.subject)) \(HTMLText.escaped(Quantity.ratio(ratio)))"
        return """
            <div class="bar"><span>\(HTMLText.escaped(row.subject))</span>\
            <b>\(HTMLText.escaped(Quantity.ratio(ratio)))</b>\
            <svg viewBox="0 0 100 10" preserveAspectRatio="none" role="img" aria-label="\(label)">\
            <rect class="track" width="100" height="10"/>\
            <rect class="\(kind)" x="\(number(from))" width="\(number(width))" height="10"/>\
            <rect class="one" x="\(number(max(0, one - 0.15)))" width="0.3" height="10"/></svg></div>

            """
    }
}
