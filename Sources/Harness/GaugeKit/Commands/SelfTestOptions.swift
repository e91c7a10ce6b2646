import Foundation
import GaugeMeasurement
import GaugeSupport
import GaugeVerdicts
import Platform

/// The options of `gate --self-test`.
struct SelfTestOptions {
    static let options = [flag.specification, rounds.specification, log.specification]

    static let flag = CommandOption.flag(
        "self-test",
        help: "tests the gate itself: how often it detects planted work, and reports a regression without any")
    static let rounds = CommandOption.whole(
        "rounds", in: 1...100_000,
        help: "with --self-test: the number of rounds that the log will have; \(SelfTest.defaultRounds) by default")
    static let log = CommandOption.text(
        "log", "FILE",
        help: "with --self-test: the file of its rounds, which it continues; gate-self-test.log by default")

    static let note = """
        A self-test needs no base: both variants are one build of the package. In each round, one of them does 1, 3, 5
        or 10 % more work in the measured call of one benchmark. The log is continued; the table is written beside it,
        as Markdown.
        """

    let filter: String?
    let suite: String?
    let rounds: Int
    let log: String
    let recipe: ProductBuild
    let seconds: Double
    let delta: Double
    let settings: RunSettings
    let directory: String?

    init(_ arguments: ParsedArguments) throws {
        filter = arguments[RunCommand.filter]
        suite = arguments[RunCommand.suite]
        rounds = arguments[Self.rounds] ?? SelfTest.defaultRounds
        log = arguments[Self.log] ?? "gate-self-test.log"
        recipe = try GateCommand.recipe(arguments)
        seconds = arguments[GateCommand.seconds] ?? SelfTest.defaultSeconds
        guard seconds <= SelfTest.longestSeconds else {
            throw UsageError(
                "a round of a self-test takes at most \(Int(SelfTest.longestSeconds)) s; pass fewer --seconds")
        }
        delta = (arguments[GateCommand.delta] ?? TimeDecision.defaultDelta * 100) / 100
        settings = GateCommand.settings(arguments)
        directory = arguments[CommonOptions.directory]
    }

    func run(_ gauge: Gauge, console: Console) throws -> ExitCode {
        let selection = gauge.timeSelection(filter, suite: suite)
        let chosen = try selection.of(gauge.benchmarks.filter { !$0.isPeer })
        let test = SelfTest(
            console: console, selection: chosen.map(\.name.description), settings: settings, rounds: rounds,
            seconds: seconds, delta: delta, recipe: recipe, package: FileManager.default.currentDirectoryPath)
        return try test.run(log: try SelfTestLog(log), directory: directory)
    }
}
