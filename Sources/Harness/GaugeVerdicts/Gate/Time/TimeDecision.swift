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

    private func names(_ verdict: TimeJudgement.Verdict) -> [String] {
        rows.filter { $0.judgement.verdict == verdict }.map(\.benchmark)
    }

    package var regressions: [String] { names(.regressed) }
    package var improvements: [String] { names(.improved) }
    /// The benchmarks without a verdict, because of doubt or because they could not be measured.
    package var open: [String] { names(.inconclusive) }

    /// The exit code of both judgements, by the first that applies: a regression; a missing required metric; a missing
    /// verdict, if strict; an improvement, if it is to fail.
    package func exitCode(beside counts: GateDecision) -> ExitCode {
        if !regressions.isEmpty { return .regression }
        if [.regression, .missingBaseline, .inconclusive].contains(counts.exitCode) { return counts.exitCode }
        if counts.conditions.isStrict, !open.isEmpty { return .inconclusive }
        if counts.conditions.failsOnImprovement, !improvements.isEmpty { return .improvement }
        return counts.exitCode
    }

    /// A summary in one line.
    package var summary: String {
        "time of \(rows.count) benchmarks: \(regressions.count) regressed by more than "
            + "\(TimeReport.percent(delta, isSigned: false)), \(improvements.count) improved, "
            + "\(names(.equivalent).count) equivalent, \(open.count) inconclusive"
    }

    /// An error for each benchmark that regressed, and a warning for all missing verdicts.
    package var annotations: [String] {
        let regressed = rows.filter { $0.judgement.verdict == .regressed }.prefix(GitHubActions.mostAnnotations)
        let errors = regressed.map { row in
            GitHubActions.command(
                "error", title: "\(row.benchmark) takes longer", "time \(TimeReport.change(row.judgement))")
        }
        let doubts = report.reasons
        guard !doubts.isEmpty else { return errors }
        let title = "\(open.count) times are not judged"
        return errors + [GitHubActions.command("warning", title: title, doubts.joined(separator: "\n"))]
    }

    /// Prints the decision behind the exit code, with details where the output is shown to people.
    package func tell(title: String, console: Console) throws {
        if !open.isEmpty {
            console.note("warning: of \(open.count) benchmarks the time is not judged; see their verdicts\n")
        }
        try GitHubActions(console: console)?.tell(
            annotations: annotations, markdown: "\n## \(title)\n\n\(summary)\n\n\(report.markdown)")
    }
}
