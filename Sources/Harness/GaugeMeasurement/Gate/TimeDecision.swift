import Foundation
import GaugeSupport

package struct TimeDecision {
    package let rows: [ExperimentRow]
    package let delta: Double
    /// Whether the time limit wasn't reached.
    package var isInterrupted = false

    /// The default time limit, seconds. A gate of eight benchmarks ends within ten minutes, with or without all
    /// verdicts.
    package static let defaultSeconds = 510.0
    /// At 3 %, a true change of 3 % would be detected only half of the time.
    package static let defaultDelta = 0.01

    package init(rows: [ExperimentRow], delta: Double, isInterrupted: Bool = false) {
        (self.rows, self.delta, self.isInterrupted) = (rows, delta, isInterrupted)
    }

    package var report: TimeReport { TimeReport(rows: rows) }

    private var figures: [(name: String, figure: JudgedFigure, judgement: Judgement)] {
        rows.flatMap { row in row.figures.map { ($0.figure.name(of: row.benchmark), $0.figure, $0.judgement) } }
    }

    private func names(_ verdict: Verdict) -> [String] {
        figures.filter { $0.judgement.verdict == verdict }.map(\.name)
    }

    package var regressions: [String] { names(.worse) }
    package var improvements: [String] { names(.better) }
    /// The figures without a verdict, doubtful or not measurable.
    package var open: [String] { names(.inconclusive) }

    private var buildFailures: [BuildFailure] { rows.compactMap(\.buildFailure) }

    /// The exit code of both judgements, by the first that applies: an interruption; wrong answers of the current
    /// build; another failure of it; a regression; a missing required metric; a missing verdict, if strict; an
    /// improvement, if that should fail.
    package func exitCode(beside counts: GateDecision) -> ExitCode {
        if isInterrupted { return .interrupted(by: Interruption.signal) }
        let failures = buildFailures.map(\.hasWrongAnswers) + counts.failures.map(\.hasWrongAnswers)
        if !failures.isEmpty { return failures.contains(true) ? .wrongAnswer : .failure }
        if !regressions.isEmpty { return .regression }
        if [.regression, .missingBaseline, .inconclusive].contains(counts.exitCode) { return counts.exitCode }
        if counts.conditions.isStrict, !open.isEmpty { return .inconclusive }
        if counts.conditions.failsOnImprovement, !improvements.isEmpty { return .improvement }
        return counts.exitCode
    }

    /// A line for each kind of figure that any row has.
    package var summary: String {
        let lines = JudgedFigure.allCases.compactMap { figure -> String? in
            let judged = figures.filter { $0.figure == figure }.map(\.judgement.verdict)
            guard !judged.isEmpty else { return nil }
            func count(_ verdict: Verdict) -> Int { judged.count { $0 == verdict } }
            let delta = Quantity.smallPercent(max(delta, figure.delta))
            return
                "\(figure.rawValue) of \(Quantity.counted(judged.count, "benchmark")): \(count(.worse)) worse by more than \(delta), "
                + "\(count(.better)) better, \(count(.equivalent)) equivalent, \(count(.inconclusive)) inconclusive"
        }
        return (lines + (isInterrupted ? ["interrupted; these are the verdicts so far"] : [])).joined(separator: "\n")
    }

    /// An error for each benchmark that the current build fails or that got worse, and a warning for all missing
    /// verdicts.
    package var annotations: [String] {
        let failures = rows.filter { $0.buildFailure != nil }.prefix(GitHubActions.mostAnnotations).map { row in
            GitHubActions.command("error", title: "\(row.benchmark) fails", row.failure ?? "")
        }
        let worse = figures.filter { $0.judgement.verdict == .worse }.prefix(GitHubActions.mostAnnotations)
        let errors =
            failures
            + worse.map { figure in
                GitHubActions.command(
                    "error", title: "\(figure.name) takes longer", "time \(TimeReport.change(figure.judgement))")
            }
        let doubts = report.reasons
        guard !doubts.isEmpty else { return errors }
        let title = open.count == 1 ? "1 time is not judged" : "\(open.count) times are not judged"
        return errors + [GitHubActions.command("warning", title: title, doubts.joined(separator: "\n"))]
    }

    /// An error for each time that got better, if that decides.
    package func improved(beside counts: GateDecision) -> [String] {
        guard exitCode(beside: counts) == .improvement else { return [] }
        return figures.filter { $0.judgement.verdict == .better }.prefix(GitHubActions.mostAnnotations).map { figure in
            let change = "time \(TimeReport.change(figure.judgement))"
            return GitHubActions.command(
                "error", title: "\(figure.name) got better", "\(change)\n\(GateDecision.improved)")
        }
    }

    /// Prints the decision behind the exit code, with details if people see the output.
    package func tell(title: String, beside counts: GateDecision, console: Console) throws {
        let improved = improved(beside: counts)
        if !improved.isEmpty {
            console.note("\(Quantity.counted(improvements.count, "time")) got better; \(GateDecision.improved)\n")
        }
        for row in rows where row.buildFailure != nil { console.note("\(row.benchmark): \(row.failure ?? "")\n") }
        if !open.isEmpty {
            console.note("warning: \(open.count) of \(figures.count) times are not judged; see their verdicts\n")
        }
        try GitHubActions(console: console)?.tell(
            annotations: annotations + improved, markdown: "\n## \(title)\n\n\(summary)\n\n\(report.markdown)")
    }
}

package struct TimeReport {
    package let rows: [ExperimentRow]

    package static let note = """
        Without --counts the gate also judges time, with builds whose functions begin on cache lines (the working tree's
        is kept in .build/time-gate). Workers of both builds run in turns, in slices of some milliseconds, one set of
        processes after another, until each benchmark is worse or better by more than delta, is equivalent within it, or
        the seconds are over. Two controls run beside them: the base against itself, and against a copy of it with padding
        before its code. They show the smallest effect that the run can detect; if that is above delta, there is no
        verdict. The undisturbed time of an operation is judged where the mean of processor time moves with it, to
        within half of delta, and otherwise that mean: a row whose work comes "in bursts" is judged by the mean, by more
        than 2 % or delta. Also judged are, where operations can be timed one by one and a set has enough of them, the
        99th percentile (10 %) and the 99.9th (20 %), and the longest pause from a millisecond (50 %).
        """

    private static let columns = [
        Table.Column("time", .left), .init("verdict", .left), .init("change"), .init("interval"),
        .init("A/A", rank: 3), .init("layout", rank: 3), .init("smallest seen", rank: 2), .init("sets", rank: 1),
    ]

    private func cells(_ row: ExperimentRow, _ figure: JudgedFigure, _ judgement: Judgement) -> [String] {
        func part(_ estimate: Judgement.Effect?) -> String { estimate.map { Self.part($0.value) } ?? Quantity.missing }
        let resolution = judgement.same == nil ? nil : judgement.resolution
        return [
            figure.name(of: row.benchmark), row.failure == nil ? judgement.verdict.rawValue : "not measured",
            part(judgement.change), Quantity.ends(judgement.change?.interval, Self.part), part(judgement.same),
            part(judgement.layout),
            resolution.map { Quantity.smallPercent(expm1($0)) } ?? Quantity.missing, "\(judgement.sets)",
        ]
    }

    private var table: Table {
        Table(
            columns: Self.columns,
            rows: rows.flatMap { row in row.figures.map { cells(row, $0.figure, $0.judgement) } })
    }

    /// An aligned table, and the reason for each row without a verdict.
    package func text(width: Int = Table.usualWidth) -> String {
        table.text(width: width) + notes.map { Table.wrapped($0, to: width) + "\n" }.joined()
    }

    /// For `$GITHUB_STEP_SUMMARY`.
    package var markdown: String {
        table.markdown + (notes.isEmpty ? "" : "\n" + notes.map { "- \(Table.escaped($0))\n" }.joined())
    }

    private var notes: [String] { faces + reasons + obstacles }

    /// The rows judged by the mean.
    private var faces: [String] {
        rows.compactMap { row in
            row.failure == nil ? row.judgement.face.note.map { "\(row.benchmark): \($0)" } : nil
        }
    }

    /// The rows whose percentiles can't be judged, a line for each reason.
    package var obstacles: [String] {
        rows.filter { $0.failure == nil }.grouped(by: \.tailObstacle).compactMap { reason, rows in
            reason.map { "p99 is not judged for \(rows.map(\.benchmark).joined(separator: ", ")): \($0)" }
        }
    }

    /// Why verdicts are missing, one line per figure.
    package var reasons: [String] {
        rows.flatMap { row in
            row.figures.compactMap { figure, judgement, delta -> String? in
                let name = figure.name(of: row.benchmark)
                if let failure = row.failure { return "\(name): \(failure)" }
                return Self.reason(judgement, delta: delta).map { "\(name): inconclusive: \($0)" }
            }
        }
    }

    private static func reason(_ judgement: Judgement, delta: Double) -> String? {
        let limit = Quantity.smallPercent(delta)
        switch judgement.doubt {
        case nil: return nil
        case .fewSets:
            return
                "\(judgement.sets) sets of processes in the given time, \(LookPlan.least) are needed; give it more with "
                + "--seconds, or judge fewer benchmarks"
        case .noise:
            return
                "equal builds may differ by up to \(Quantity.smallPercent(expm1(judgement.resolution))) in this run, "
                + "which is above \(limit); try again when the machine is quieter, or with more --seconds"
        case .layout:
            return "moving code and stack alone changes its time by "
                + "\(part(judgement.layout?.value ?? 0)); trust its counts"
        case .straddles:
            return "the change may be more or less than \(limit); give it more --seconds, or a larger delta"
        case .someProcesses:
            return "most processes are alike, and the mean of all, with those far from it, differs by "
                + part(judgement.overall ?? 0)
        }
    }

    /// `+3.0 % (+2.1 % to +3.9 %)`.
    package static func change(_ judgement: Judgement) -> String {
        guard let change = judgement.change else { return Quantity.missing }
        return "\(part(change.value)) (\(Quantity.ends(change.interval, part)))"
    }

    private static func part(_ logarithm: Double) -> String { Quantity.change(expm1(logarithm)) }
}
