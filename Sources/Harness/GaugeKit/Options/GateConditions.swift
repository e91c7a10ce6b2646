import GaugeSupport
import GaugeVerdicts

/// Options of every command that judges, and the output of its decision.
enum GateConditions {
    static let require = CommandOption.text(
        "require", "METRICS",
        help: "metrics, separated by commas; exits with 5 unless they are comparable for every benchmark")
    static let failOnImprovement = CommandOption.flag(
        "fail-on-improvement", help: "exits with 4 when something got better and nothing worse")
    static let strict = CommandOption.flag(
        "strict", help: "exits with 7, instead of printing a warning, when something could not be judged")

    static let options = [require.specification, failOnImprovement.specification, strict.specification]

    static let note = """
        Exit codes: 0 nothing got worse, 1 error, 2 regression, 4 improvement (--fail-on-improvement), 5 a required
        count is missing, 7 something could not be judged (--strict), 64 wrong usage. On GitHub Actions there are
        annotations, and a summary of the job.
        """

    static func of(_ arguments: ParsedArguments) throws -> GateDecision.Conditions {
        let names = (arguments[require] ?? "").split(separator: ",").map { String($0.drop { $0 == " " }) }
        return GateDecision.Conditions(
            required: try names.map(metric), failsOnImprovement: arguments.has(failOnImprovement),
            isStrict: arguments.has(strict))
    }

    private static func metric(_ name: String) throws -> Metric {
        guard let metric = Metric.named(name) else {
            let all = Metric.all.map(\.name)
            throw UsageError(
                "there is no metric '\(name)'\(NearNames.question(name, among: all)); "
                    + "the metrics are \(all.joined(separator: ", "))")
        }
        return metric
    }

    /// Prints the decision behind the exit code, with details where the output is shown to people.
    static func tell(
        _ decision: GateDecision, title: String, titles: (base: String, head: String), console: Console
    ) throws {
        for line in decision.missing { console.note("\(line)\n") }
        let open = decision.unstable.count + decision.incomparable.count
        if open > 0 { console.note("warning: \(open) counts are not gated; see their verdicts\n") }
        try GitHubActions(console: console)?.tell(
            decision, markdown: GateMarkdown.text(decision, title: title, titles: titles))
    }
}
