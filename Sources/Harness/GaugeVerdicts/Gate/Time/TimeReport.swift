import Foundation
import GaugeSupport

/// The verdicts on time, for people.
package struct TimeReport {
    package let rows: [TimeRow]
    package let delta: Double

    package init(rows: [TimeRow], delta: Double) {
        self.rows = rows
        self.delta = delta
    }

    /// The note in the help.
    package static let note = """
        Without --counts the gate also judges time, with builds whose functions begin on cache lines (the working tree's
        is kept in .build/time-gate). Workers of both builds run in turns, in slices of some milliseconds, one set of
        processes after another, until each benchmark has regressed or improved by more than delta, is equivalent within
        it, or the seconds are over. Two controls run beside them: the base against itself, and against a copy of it
        with padding before its code. They show the smallest effect that the run can detect; if that is above delta,
        there is no verdict. The mean time is judged, and where operations can be timed one by one and a set of
        processes has 1,000 of them, also the 99th percentile, by more than 10 % or delta, whichever is more.
        """

    /// The columns of the table in text and Markdown.
    private static let titles = ["time", "verdict", "change", "interval", "A/A", "layout", "smallest seen", "sets"]

    private func cells(_ figure: TimeFigure) -> [String] {
        let judgement = figure.judgement
        func part(_ estimate: TimeJudgement.Estimate?) -> String {
            estimate.map { Self.percent(expm1($0.value)) } ?? Quantity.missing
        }
        let interval = judgement.change.map {
            "\(Self.percent(expm1($0.interval.lowerBound))) to \(Self.percent(expm1($0.interval.upperBound)))"
        }
        let resolution = judgement.same == nil ? nil : judgement.resolution
        return [
            figure.name, figure.failure == nil ? judgement.verdict.rawValue : "not measured",
            part(judgement.change), interval ?? Quantity.missing, part(judgement.same), part(judgement.layout),
            resolution.map { Self.percent(expm1($0), isSigned: false) } ?? Quantity.missing, "\(judgement.sets)",
        ]
    }

    /// An aligned table, and the reason for each row without a verdict.
    package var text: String {
        let table = [Self.titles] + figures.map(cells)
        let widths = Self.titles.indices.map { column in table.reduce(0) { max($0, $1[column].count) } }
        var text =
            table.map { line in
                zip(line, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }.joined(separator: "  ")
                    .trimmingCharacters(in: .whitespaces)
            }.joined(separator: "\n") + "\n"
        for reason in reasons + obstacles { text += reason + "\n" }
        return text
    }

    /// For `$GITHUB_STEP_SUMMARY`.
    package var markdown: String {
        func line(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |\n" }
        var text = line(Self.titles) + line(Self.titles.map { _ in "---" })
        for figure in figures { text += line(cells(figure)) }
        let notes = reasons + obstacles
        if !notes.isEmpty { text += "\n" + notes.map { "- \($0)\n" }.joined() }
        return text
    }

    private var figures: [TimeFigure] { rows.flatMap(\.figures) }

    /// The rows whose 99th percentile cannot be judged, a line for each reason.
    package var obstacles: [String] {
        let known = rows.filter { $0.failure == nil && $0.tailObstacle != nil }
        var reasons: [String] = []
        for row in known { if let reason = row.tailObstacle, !reasons.contains(reason) { reasons.append(reason) } }
        return reasons.map { reason in
            let names = known.filter { $0.tailObstacle == reason }.map(\.benchmark)
            return "p99 is not judged for \(names.joined(separator: ", ")): \(reason)"
        }
    }

    /// The reasons for missing verdicts, one line for each figure.
    package var reasons: [String] {
        figures.compactMap { row in
            let judgement = row.judgement
            if let failure = row.failure { return "\(row.name): \(failure)" }
            let limit = Self.percent(row.delta, isSigned: false)
            let resolution = Self.percent(expm1(judgement.resolution), isSigned: false)
            switch judgement.doubt {
            case nil: return nil
            case .fewSets:
                return "\(row.name): inconclusive: \(judgement.sets) sets of processes in the given time, "
                    + "\(LookPlan.least) are needed; give it more with --seconds, or judge fewer benchmarks"
            case .noise:
                return "\(row.name): inconclusive: equal builds may differ by up to \(resolution) "
                    + "in this run, which is above \(limit); try again when the machine is quieter, or with more --seconds"
            case .layout:
                return "\(row.name): inconclusive: moving code and stack alone changes its time by "
                    + "\(Self.percent(expm1(judgement.layout?.value ?? 0))); trust its counts"
            case .straddles:
                return "\(row.name): inconclusive: the change may be more or less than \(limit); "
                    + "give it more --seconds, or a larger delta"
            }
        }
    }

    /// `+3.0 % (+2.1 % to +3.9 %)`.
    package static func change(_ judgement: TimeJudgement) -> String {
        guard let change = judgement.change else { return Quantity.missing }
        return "\(percent(expm1(change.value))) (\(percent(expm1(change.interval.lowerBound))) to "
            + "\(percent(expm1(change.interval.upperBound))))"
    }

    /// `+3.0 %`, `-0.12 %`: two decimals below one per cent.
    package static func percent(_ part: Double, isSigned: Bool = true) -> String {
        guard part.isFinite else { return Quantity.missing }
        let digits = abs(part) < 0.00995 ? 2 : 1
        let sign = isSigned ? "+" : ""
        return String(format: "%\(sign).\(digits)f %%", locale: Locale(identifier: "en_US_POSIX"), part * 100)
    }
}
