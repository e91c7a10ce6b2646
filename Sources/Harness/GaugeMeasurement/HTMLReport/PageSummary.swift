import Foundation
import GaugeSupport

/// The beginning of a page, in numbers: what an application's calls take, and how far away each stage's nearest peers
/// are.
package struct PageSummary {
    private let run: ReportedRun
    private let words: BenchmarkWords

    package init(_ run: ReportedRun, words: BenchmarkWords) {
        self.run = run
        self.words = words
    }

    package var html: String {
        guard !run.rows.isEmpty else { return "" }
        let cards = applications + troubles
        let numbers = cards.isEmpty ? "" : "<div class=\"numbers\">\n\(cards.joined())</div>\n"
        return """
            <section id="summary">
            <h2>Summary\(run.heading.isEmpty ? "" : " of \(HTMLText.escaped(run.heading))")</h2>
            <p>All times are of one operation. A ratio is a peer's time over ours, measured in turns in one run.</p>
            \(numbers)\(stages)\
            </section>

            """
    }

    /// A card for each call of an application: its time, and how many times as long the peer takes.
    private var applications: [String] {
        let rows = run.rows.filter { $0.stage == RunSummary.applicationStage }
        return rows.filter { !$0.isPeer && $0.time != nil }.map { own in
            let peer = rows.first { $0.isPeer && $0.case == own.case && $0.ratio != nil }
            let beside = peer.map { "\($0.subject) takes \(Quantity.ratio($0.ratio)) as long" }
            return Self.card(
                Quantity.time(own.time), [words.line(onCase: own.case, of: own.stage) ?? own.case, beside])
        }
    }

    private var troubles: [String] {
        let wrong = run.rows.reduce(0) { $0.addingClamped($1.wrong) }
        let failed = run.rows.filter { $0.failure != nil }
        let names = failed.prefix(1).map { "failed: \($0.name)" } + (failed.count > 1 ? ["…"] : [])
        return (wrong > 0 ? [Self.card("\(wrong)", ["wrong answers"])] : [])
            + (failed.isEmpty ? [] : [Self.card("\(failed.count)", names)])
    }

    private static func card(_ number: String, _ lines: [String?]) -> String {
        let text = lines.compactMap(\.self).map(HTMLText.escaped).joined(separator: "<br>")
        return "<div class=\"number\"><b>\(HTMLText.escaped(number))</b><span>\(text)</span></div>\n"
    }

    /// For each stage the range of our times, and the nearest peers: their geometric mean over its cases, and the
    /// smallest. An application's calls have cards in place of a mean; cases that only have what programs usually have
    /// don't count.
    private var stages: String {
        let lines = run.rows.map(\.stage).once.compactMap { stage -> [String]? in
            let rows = run.rows.filter { $0.stage == stage }
            let times = rows.filter { !$0.isPeer }.compactMap(\.time)
            guard let low = times.min(), let high = times.max() else { return nil }
            let range = low == high ? Quantity.time(low) : "\(Quantity.time(low)) to \(Quantity.time(high))"
            let compared = stage == RunSummary.applicationStage ? [] : rows.filter(RatioChart.isCompared)
            let nearest = Dictionary(grouping: compared, by: \.case).values.compactMap { peers in
                peers.allSatisfy(\.isUsual)
                    ? nil : peers.min { ($0.ratio ?? 0, $0.subject) < ($1.ratio ?? 0, $1.subject) }
            }.sorted { ($0.ratio ?? 0, $0.case) < ($1.ratio ?? 0, $1.case) }
            let logarithms = nearest.compactMap { $0.ratio.map { log($0) } }
            let mean = logarithms.isEmpty ? nil : exp(logarithms.reduce(0, +) / Double(logarithms.count))
            let least = nearest.first.map { "\(Quantity.ratio($0.ratio)) \($0.case)/\($0.subject)" }
            return [stage, range, mean.map { Quantity.ratio($0) } ?? Quantity.missing, least ?? Quantity.missing]
        }
        guard !lines.isEmpty else { return "" }
        let titles = ["stage", "our times", "nearest peer, mean of cases", "least"]
        return Table(columns: titles.map { Table.Column($0) }, rows: lines).html()
    }
}
