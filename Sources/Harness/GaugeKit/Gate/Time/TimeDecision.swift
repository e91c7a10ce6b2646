/// What the verdicts on time come to.
struct TimeDecision {
    let rows: [TimeRow]
    let delta: Double

    var report: TimeReport { TimeReport(rows: rows, delta: delta) }

    private func names(_ verdict: TimeJudgement.Verdict) -> [String] {
        rows.filter { $0.judgement.verdict == verdict }.map(\.benchmark)
    }

    var regressions: [String] { names(.regressed) }
    var improvements: [String] { names(.improved) }
    /// Without a verdict, whether for doubt or because they could not be measured.
    var open: [String] { names(.inconclusive) }

    /// That of both judgements: the first that applies of something being worse, something required missing, nothing being
    /// said of something where that counts, and something being better where that counts.
    func exitCode(beside counts: GateDecision) -> ExitCode {
        if !regressions.isEmpty { return .regression }
        if [.regression, .missingBaseline, .inconclusive].contains(counts.exitCode) { return counts.exitCode }
        if counts.conditions.isStrict, !open.isEmpty { return .inconclusive }
        if counts.conditions.failsOnImprovement, !improvements.isEmpty { return .improvement }
        return counts.exitCode
    }

    /// One line.
    var summary: String {
        "time of \(rows.count) benchmarks: \(regressions.count) regressed by more than "
            + "\(TimeReport.percent(delta, isSigned: false)), \(improvements.count) improved, "
            + "\(names(.equivalent).count) equivalent, \(open.count) inconclusive"
    }

    /// Says what the exit code will say, and more where somebody reads it.
    func tell(title: String, console: Console) throws {
        if !open.isEmpty {
            console.note("warning: of \(open.count) benchmarks the time is not judged; see their verdicts\n")
        }
        let worse = rows.filter { $0.judgement.verdict == .regressed }.prefix(GitHubActions.mostAnnotations).map {
            row in
            GitHubActions.command(
                "error", title: "\(row.benchmark) takes longer", "time \(TimeReport.change(row.judgement))")
        }
        let doubts = report.reasons
        let warnings =
            doubts.isEmpty
            ? []
            : [
                GitHubActions.command(
                    "warning", title: "\(open.count) times are not judged", doubts.joined(separator: "\n"))
            ]
        try GitHubActions(console: console)?.tell(
            annotations: worse + warnings, markdown: "\n## \(title)\n\n\(summary)\n\n\(report.markdown)")
    }
}
