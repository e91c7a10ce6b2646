import Foundation
import GaugeSupport

/// The table of `run --self-test`, in Markdown.
package struct RepeatabilityReport {
    private let settings: RepeatabilityRecord.Settings
    private let result: Repeatability

    package init(settings: RepeatabilityRecord.Settings, runs: [RepeatabilityRecord.Run]) {
        self.settings = settings
        result = Repeatability(runs)
    }

    package var markdown: String {
        """
        # How well runs repeat

        \(result.runs.count) runs of \(JSONFields.text(settings.seconds)) s, all of them counted. A ratio or time is
        covered when its 95 % interval contains the median of all runs; the spread is the 95th percentile of the runs over
        the 5th, minus 1.\(conditions)

        \(summary.map { "- \($0)\n" }.joined())
        ## Ratios

        \(table(result.ratios) { Quantity.ratio($0) })
        ## Undisturbed times

        \(table(result.times) { Quantity.time($0) })
        ## Runs

        \(Table(
            ["run", "started", "seconds", "steal", "load before", "load after", "at full speed", "GHz", "A/A"],
            result.runs.map(Self.cells)).markdown)
        """
    }

    private var conditions: String {
        let busy = settings.busy.map { " Other work kept \($0) processors busy." } ?? ""
        let clock = result.runs.first?.clock.map { " Times are told for \(Quantity.decimal($0, 2)) GHz." } ?? ""
        return clock + busy
    }

    /// The answer, one sentence for each part of it.
    package var summary: [String] {
        var lines: [String] = []
        for (name, figures) in [("ratios", result.ratios), ("times", result.times)] {
            guard let coverage = Repeatability.coverage(figures) else { continue }
            let (covered, all) = figures.reduce((0, 0)) { ($0.0 + $1.covered, $0.1 + $1.intervals) }
            lines.append("intervals of \(name) that cover: \(covered) of \(all), \(Quantity.percent(coverage))")
        }
        for (name, group) in [
            ("without allocation", result.ratios.filter { !$0.allocates }),
            ("with allocation", result.ratios.filter(\.allocates)),
        ] {
            guard let worst = group.max(by: { $0.spread < $1.spread }) else { continue }
            lines.append("largest spread of a ratio \(name): \(Quantity.percent(worst.spread)), of \(worst.name)")
        }
        if let worst = result.runs.flatMap(\.pairs).max() {
            lines.append("largest difference of a benchmark from itself in a run: \(Quantity.percent(worst))")
        }
        return lines
    }

    private func table(_ lines: [Repeatability.Line], _ value: (Double) -> String) -> String {
        Table(
            ["row", "median", "spread", "covered", "runs", "allocates"],
            lines.map { line in
                [
                    line.name, value(line.median), Quantity.percent(line.spread),
                    "\(line.covered) of \(line.intervals)", "\(line.runs)", line.allocates ? "yes" : "no",
                ]
            }
        ).markdown
    }

    private static func cells(_ run: RepeatabilityRecord.Run) -> [String] {
        let pairs = run.pairs.map(Quantity.percent).joined(separator: ", ")
        return [
            "\(run.number + 1)", HTTPDateText.at(Int64(run.date)), JSONFields.text(run.seconds.rounded()),
            run.stolen.map(Quantity.percent) ?? Quantity.missing, Quantity.each(run.loadBefore),
            Quantity.each(run.loadAfter), run.fullSpeed.map(Quantity.percent) ?? Quantity.missing,
            run.clock.map { Quantity.decimal($0, 2) } ?? Quantity.missing,
            pairs.isEmpty ? Quantity.missing : pairs,
        ]
    }
}

/// How well the runs of a log agree. Every run counts.
package struct Repeatability {
    /// One figure of one row over all runs.
    package struct Line: Equatable {
        package let name: String
        package let median: Double
        /// The 95th percentile of the runs over the 5th, minus 1.
        package let spread: Double
        /// How many intervals contain the median of all runs, and how many there are.
        package let covered: Int
        package let intervals: Int
        package let runs: Int
        /// Whether the row or its reference allocates in each operation.
        package let allocates: Bool

        /// - Returns: `nil` without figures.
        init?(_ name: String, _ figures: [RepeatabilityRecord.Figure], allocates: Bool) {
            let values = Samples(figures.map(\.value))
            guard let median = values.median, let low = values.quantile(0.05), let high = values.quantile(0.95), low > 0
            else { return nil }
            let verdicts = figures.compactMap { $0.covers(median) }
            self.name = name
            self.median = median
            spread = high / low - 1
            covered = verdicts.count(where: \.self)
            intervals = verdicts.count
            runs = figures.count
            self.allocates = allocates
        }
    }

    package let runs: [RepeatabilityRecord.Run]
    /// The ratios of all rows that aren't references, in listed order, and the undisturbed times of all rows.
    package let ratios: [Line]
    package let times: [Line]

    package init(_ runs: [RepeatabilityRecord.Run]) {
        self.runs = runs
        let named = runs.flatMap(\.rows).grouped(by: \.name).map { (name: $0, rows: $1) }
        func allocates(_ rows: [RepeatabilityRecord.Row]) -> Bool {
            rows.compactMap(\.allocations).contains { $0 >= 0.5 }
        }
        /// The rows of one case share everything before the last slash.
        func caseName(_ name: String) -> Substring { name[..<(name.lastIndex(of: "/") ?? name.endIndex)] }
        times = named.compactMap { Line($0.name, $0.rows.compactMap(\.time), allocates: allocates($0.rows)) }
        ratios = named.compactMap { name, rows in
            let references = named.filter { other in
                caseName(other.name) == caseName(name) && other.rows.allSatisfy { $0.ratio == nil }
            }
            return Line(
                name, rows.compactMap(\.ratio),
                allocates: allocates(rows) || references.contains { allocates($0.rows) })
        }
    }

    /// The share of intervals that cover; `nil` without intervals.
    package static func coverage(_ lines: [Line]) -> Double? {
        let intervals = lines.reduce(0) { $0 + $1.intervals }
        return intervals > 0 ? Double(lines.reduce(0) { $0 + $1.covered }) / Double(intervals) : nil
    }
}
