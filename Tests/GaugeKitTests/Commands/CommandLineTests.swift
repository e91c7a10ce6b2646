import Synchronization
import Testing

@testable import GaugeKit
@testable import GaugeMeasurement
@testable import GaugeSupport

@Suite("Command line") struct CommandLineTests {
    /// The lines written to a console.
    private final class Transcript: Sendable {
        let output = Mutex("")
        let notes = Mutex("")
        var console: Console {
            Console(
                write: { text in self.output.withLock { $0 += text } },
                note: { text in self.notes.withLock { $0 += text } })
        }
    }

    private static let gauge = Gauge(
        benchmarks: [
            named("memory", "hit/1k", "tiered"), named("memory", "hit/1k", "foundation"),
            named("date", "imf", "tiered"), named("disk", "store/4k", "tiered", suites: ["slow"]),
        ], version: "9.9")

    private static func named(
        _ stage: String, _ name: String, _ subject: String, suites: Set<String> = ["default"]
    ) -> Benchmark {
        Benchmark(BenchmarkName(stage, name, subject), suites: suites) { _ in PreparedBenchmark(.batched { _ in }) }
    }

    private func run(_ arguments: String...) -> (code: ExitCode, output: String, notes: String) {
        let transcript = Transcript()
        let code = Self.gauge.run(arguments, console: transcript.console)
        return (code, transcript.output.withLock { $0 }, transcript.notes.withLock { $0 })
    }

    @Test(
        "wrong usage ends with 64 and names the remedy",
        arguments: [
            (["lsit"], "there is no command 'lsit'; did you mean list?; see cachegauge --help"),
            (["--filter", "x"], "--filter comes after a command: cachegauge run --filter …; see cachegauge --help"),
            (["list", "--fliter", "x"], "list has no option --fliter; did you mean --filter?"),
            (["list", "-x"], "list has no option -x; list --help lists them"),
            (["list", "--filter"], "--filter needs a value; write --filter REGEX"),
            (["list", "--filter", "--suite", "a"], "--filter needs a value, and --suite is an option"),
            (["list", "--filter", "a", "--filter", "b"], "--filter is given twice; give it once"),
            (
                ["list", "--format", "jsno"],
                "--format: 'jsno' is unknown; did you mean json?; the choice is text, json"
            ),
            (["list", "surplus"], "list does not take 'surplus'"),
            (["list", "--help=yes"], "list has no option --help"),
            (["list", "--filter", "("], "filter '(' is not a regular expression"),
            (["list", "--filter", String(repeating: "(", count: 1_001)], "the filter is longer than 1000 bytes"),
            (["list", "--filter", String(repeating: "(", count: 1_000)], "is not a regular expression"),
            (["list", "--filter", "memroy/hit/1k/tiered"], "did you mean memory/hit/1k/tiered"),
            (["list", "--filter", "memroy/hit"], "did you mean memory/hit"),
            (
                ["list", "--suite", "slwo"],
                "there is no suite 'slwo'; did you mean slow?; the suites are default, full, slow"
            ),
            (["run", "--filter", "store"], "matches nothing in suite default, but in others; add --suite full"),
            (["run", "--seed", "-1"], "--seed: '-1' is not a whole number"),
            (["run", "--seed", "18446744073709551616"], "--seed: '18446744073709551616' is not a whole number"),
            (["run", "--disk", "-5"], "--disk: size -5 is negative; pass 0 to disable the tier"),
            (["run", "--memory", "4 parsecs"], "--memory: size '4 parsecs' has an unknown unit"),
            (["run", "--seconds", "nan"], "--seconds: 'nan' is not a number"),
            (["worker"], "worker needs --benchmark and --directory"),
        ])
    func wrongUsageEndsWith64AndNamesTheRemedy(arguments: [String], told: String) {
        let transcript = Transcript()
        let code = Self.gauge.run(arguments, console: transcript.console)
        #expect(code == .usage)
        #expect(transcript.notes.withLock { $0 }.contains(told), "\(transcript.notes.withLock { $0 })")
        #expect(transcript.output.withLock { $0 } == "")
    }

    @Test("every command explains each of its options") func everyCommandExplainsEachOfItsOptions() {
        for command in Gauge.commands {
            let help = run(command.specification.name, "--help")
            #expect(help.code == .ok)
            let lines = help.output.split(separator: "\n")
            for option in command.specification.options {
                #expect(lines.contains { "\($0) ".hasPrefix("  \(option.usage) ") }, "\(option.name)")
            }
            #expect(lines.allSatisfy { $0.count <= 120 }, "\(help.output)")
        }
    }

    @Test("the help names every command but the worker") func theHelpNamesEveryCommandButTheWorker() {
        let help = run("--help").output
        for command in Gauge.commands {
            #expect(help.contains("\n  \(command.specification.name) ") != command.specification.isHidden)
        }
    }

    @Test("--version prints the version")
    func versionPrintsTheVersion() { #expect(run("--version").output == "cachegauge 9.9\n") }

    @Test("list names the benchmarks that a filter and a suite select")
    func listNamesTheBenchmarksThatAFilterAndASuiteSelect() {
        func names(_ list: (code: ExitCode, output: String, notes: String)) -> [String] {
            list.output.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { String($0.prefix { $0 != " " }) }
        }
        #expect(names(run("list", "--filter", "^memory")) == ["memory/hit/1k/tiered", "memory/hit/1k/foundation"])
        #expect(names(run("list", "--suite=slow")) == ["disk/store/4k/tiered"])
        #expect(names(run("list", "--filter", "date|disk")) == ["date/imf/tiered", "disk/store/4k/tiered"])
    }

    @Test("two benchmarks of one name are an error") func twoBenchmarksOfOneNameAreAnError() {
        let transcript = Transcript()
        let gauge = Gauge(benchmarks: [Self.named("a", "b", "c"), Self.named("a", "b", "c")])
        #expect(gauge.run(["list"], console: transcript.console) == .failure)
        #expect(transcript.notes.withLock { $0 }.contains("two benchmarks are called a/b/c"))
    }

    @Test("arguments after two dashes and a single dash are operands")
    func argumentsAfterTwoDashesAndASingleDashAreOperands() throws {
        let command = CommandSpecification(name: "replay", summary: "", operands: ["FILE"])
        #expect(try ParsedArguments(["--", "--odd"], of: command).operands == ["--odd"])
        #expect(try ParsedArguments(["-"], of: command).operands == ["-"])
        #expect(throws: UsageError("replay needs FILE; write replay FILE")) { try ParsedArguments([], of: command) }
    }
}
