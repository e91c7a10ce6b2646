import Foundation
import GaugeMeasurement
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

        \(Self.line(["run", "started", "seconds", "steal", "load before", "load after", "at full speed", "GHz", "A/A"]))\
        \(Self.line([String](repeating: "--:", count: 9)))\
        \(result.runs.map(Self.line).joined())
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
        Self.line(["row", "median", "spread", "covered", "runs", "allocates"])
            + Self.line([":--", "--:", "--:", "--:", "--:", ":--"])
            + lines.map { line in
                Self.line([
                    line.name, value(line.median), Quantity.percent(line.spread),
                    "\(line.covered) of \(line.intervals)", "\(line.runs)", line.allocates ? "yes" : "no",
                ])
            }.joined()
    }

    private static func line(_ run: RepeatabilityRecord.Run) -> String {
        let pairs = run.pairs.map(Quantity.percent).joined(separator: ", ")
        return line([
            "\(run.number + 1)", HTTPDateText.at(Int64(run.date)), JSONFields.text(run.seconds.rounded()),
            run.stolen.map(Quantity.percent) ?? Quantity.missing, Quantity.each(run.loadBefore),
            Quantity.each(run.loadAfter), run.fullSpeed.map(Quantity.percent) ?? Quantity.missing,
            run.clock.map { Quantity.decimal($0, 2) } ?? Quantity.missing,
            pairs.isEmpty ? Quantity.missing : pairs,
        ])
    }

    private static func line(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |\n" }
}
