import Foundation
import GaugeMeasurement
import GaugeSupport
import GaugeVerdicts

/// The options of `run --self-test`.
struct RepeatabilityOptions {
    static let options = [selfTest.specification, log.specification, busy.specification]

    static let selfTest = CommandOption.whole(
        "self-test", in: 1...10_000,
        help: "repeats the run until the log holds this many runs, and reports how well they agree")
    static let log = CommandOption.text(
        "log", "FILE", help: "with --self-test: the file of its runs, which it continues; run-self-test.log by default")

    static let busy = CommandOption.whole(
        "busy", in: 0...1_024, help: "with --self-test: threads that do other work meanwhile; 0 by default"
    )

    static let note = """
        A self-test repeats a whole run and tells how often the 95 % intervals contain the median of all runs, and how far
        each ratio spreads. Every run counts. The log is continued by a call with the
        same options, whatever its number of runs; the table is written beside it, as Markdown.
        """

    let runs: Int
    let log: String
    let busy: Int

    /// - Returns: `nil` without `--self-test`.
    init?(_ arguments: ParsedArguments) throws {
        guard let runs = arguments[Self.selfTest] else {
            guard arguments[Self.log] == nil else { throw UsageError("--log is for --self-test; add --self-test 20") }
            guard arguments[Self.busy] == nil else { throw UsageError("--busy is for --self-test; add --self-test 20") }
            return nil
        }
        for other in [RunCommand.json.specification, RunCommand.instructions.specification]
        where arguments.isGiven(other) {
            throw UsageError("--self-test writes a log and a table; leave --\(other.name) out")
        }
        self.runs = runs
        log = arguments[Self.log] ?? "run-self-test.log"
        busy = arguments[Self.busy] ?? 0
    }

    func run(_ run: SuiteRun, plan: RunPlan, console: Console) throws -> ExitCode {
        let test = RepeatabilityTest(run, plan: plan, runs: runs, busy: busy, console: console)
        return try test.run(log: try LineLog(log))
    }
}
