import GaugeSupport

/// The overall result of the verdicts on time.
package struct TimeDecision {
    package let rows: [TimeRow]
    package let delta: Double

    package init(rows: [TimeRow], delta: Double) {
        self.rows = rows
        self.delta = delta
    }

    package var report: TimeReport { TimeReport(rows: rows, delta: delta) }

    /// The means of all benchmarks, and the 99th percentiles of those that have one.
    private var figures: [TimeFigure] { rows.flatMap(\.figures) }

    private func names(_ verdict: TimeJudgement.Verdict) -> [String] {
        figures.filter { $0.judgement.verdict == verdict }.map(\.name)
    }

    package var regressions: [String] { names(.regressed) }
    package var improvements: [String] { names(.improved) }
    /// The benchmarks without a verdict, because of doubt or because they could not be measured.
    package var open: [String] { names(.inconclusive) }

    /// The failures of the current build.
    private var buildFailures: [BuildFailure] { rows.compactMap(\.buildFailure) }

    /// The exit code of both judgements, by the first that applies: wrong answers of the current build; another failure
    /// of it; a regression; a missing required metric; a missing verdict, if strict; an improvement, if it is to fail.
    package func exitCode(beside counts: GateDecision) -> ExitCode {
        if buildFailures.contains(where: \.hasWrongAnswers) { return .wrongAnswer }
        if !buildFailures.isEmpty { return .failure }
        if !regressions.isEmpty { return .regression }
        if [.regression, .missingBaseline, .inconclusive].contains(counts.exitCode) { return counts.exitCode }
        if counts.conditions.isStrict, !open.isEmpty { return .inconclusive }
        if counts.conditions.failsOnImprovement, !improvements.isEmpty { return .improvement }
        return counts.exitCode
    }

    /// A line on all means, and a line on the 99th percentiles, if there are any.
    package var summary: String {
        let tails = rows.compactMap(\.tail)
        let means = rows.map { $0.figures[0].judgement }
        let first = Self.summary("time of \(rows.count) benchmarks", means, delta: delta)
        guard let tailDelta = tails.first?.delta else { return first }
        return first + "\n" + Self.summary("p99 of \(tails.count) benchmarks", tails.map(\.judgement), delta: tailDelta)
    }

    private static func summary(_ title: String, _ judgements: [TimeJudgement], delta: Double) -> String {
        func count(_ verdict: TimeJudgement.Verdict) -> Int { judgements.count { $0.verdict == verdict } }
        return "\(title): \(count(.regressed)) regressed by more than \(TimeReport.percent(delta, isSigned: false)), "
            + "\(count(.improved)) improved, \(count(.equivalent)) equivalent, \(count(.inconclusive)) inconclusive"
    }

    /// An error for each benchmark that the current build fails or that regressed, and a warning for all missing
    /// verdicts.
    package var annotations: [String] {
        let failures = rows.filter { $0.buildFailure != nil }.prefix(GitHubActions.mostAnnotations).map { row in
            GitHubActions.command("error", title: "\(row.benchmark) fails", row.failure ?? "")
        }
        let regressed = figures.filter { $0.judgement.verdict == .regressed }.prefix(GitHubActions.mostAnnotations)
        let errors =
            failures
            + regressed.map { figure in
                GitHubActions.command(
                    "error", title: "\(figure.name) takes longer", "time \(TimeReport.change(figure.judgement))")
            }
        let doubts = report.reasons
        guard !doubts.isEmpty else { return errors }
        let title = "\(open.count) times are not judged"
        return errors + [GitHubActions.command("warning", title: title, doubts.joined(separator: "\n"))]
    }

    /// Prints the decision behind the exit code, with details where the output is shown to people.
    package func tell(title: String, console: Console) throws {
        for row in rows where row.buildFailure != nil { console.note("\(row.benchmark): \(row.failure ?? "")\n") }
        if !open.isEmpty {
            console.note("warning: \(open.count) of \(figures.count) times are not judged; see their verdicts\n")
        }
        try GitHubActions(console: console)?.tell(
            annotations: annotations, markdown: "\n## \(title)\n\n\(summary)\n\n\(report.markdown)")
    }
}
