import Synchronization
import Testing

@testable import GaugeKit
@testable import GaugeMeasurement
@testable import GaugeSupport

/// The whole output of commands that measure nothing.
@Suite("Output of commands") struct CommandOutputTests {
    private final class Transcript: Sendable {
        let output = Mutex("")
        let notes = Mutex("")
    }

    private static let benchmarks = [
        Benchmark(
            BenchmarkName("memory", "hit/1k", "tiered"), suites: ["slow", "default", "a"], entries: 1_000
        ) { _ in PreparedBenchmark(.batched { _ in }) },
        Benchmark(BenchmarkName("date", "imf", "httpdate"), isPeer: true, suites: ["default"]) { _ in
            PreparedBenchmark(.batched { _ in })
        },
    ]

    private func run(_ arguments: String...) -> (code: ExitCode, output: String, notes: String) {
        let transcript = Transcript()
        let console = Console(
            write: { text in transcript.output.withLock { $0 += text } },
            note: { text in transcript.notes.withLock { $0 += text } })
        let code = Gauge(benchmarks: Self.benchmarks, executable: "my-gauge", version: "2.1").run(
            arguments, console: console)
        return (code, transcript.output.withLock { $0 }, transcript.notes.withLock { $0 })
    }

    @Test("a command that judges ends its judgement when its reader leaves, and another ends without an error")
    func closed() {
        let notes = Mutex("")
        let console = Console(write: { _ in throw OutputClosed() }, note: { text in notes.withLock { $0 += text } })
        let gauge = Gauge(benchmarks: Self.benchmarks, executable: "my-gauge", version: "2.1")
        #expect(gauge.run(["list"], console: console) == .ok)
        #expect(
            gauge.run(["baseline", "check", "none", "--baselines", "/nowhere"], console: console) == .missingBaseline)
        let outliving = console.outlivingReader
        #expect(throws: Never.self) { for _ in 0..<3 { try outliving.write("text") } }
        let judging = Gauge.commands.filter { $0.judges }.map { $0.specification.name }
        #expect(judging == ["run", "compare", "simulate", "replay", "verify", "gate", "baseline"])
    }

    @Test("list as JSON has each member of each benchmark, suites in the order of the alphabet") func list() {
        let run = run("list", "--format", "json")
        #expect(
            run.output == """
                [
                  {
                    "description" : "a lookup that finds its entry (1,000 entries)",
                    "entries" : 1000,
                    "name" : "memory/hit/1k/tiered",
                    "peer" : false,
                    "suites" : [
                      "a",
                      "default",
                      "slow"
                    ]
                  },
                  {
                    "name" : "date/imf/httpdate",
                    "peer" : true,
                    "suites" : [
                      "default"
                    ]
                  }
                ]

                """, "\(run.output)")
    }

    @Test("list as text begins each line with a name or with #, and tells what the names mean that are known")
    func words() {
        #expect(
            run("list").output == """
                # memory: the memory tier alone
                memory/hit/1k/tiered  a lookup that finds its entry (1,000 entries)
                date/imf/httpdate

                """)
        let page = run("list", "--format=markdown").output
        #expect(page.hasPrefix("# Words\n"))
        #expect(page.contains("| `hit/…` | a lookup that finds its entry |\n"), "\(page)")
        #expect(page.contains("\n## memory\n\nThe memory tier alone.\n") && page.contains("| A/A | "), "\(page)")
    }

    @Test("the help is the same by each of its names, and has the usage, the commands and the exit codes") func help() {
        let help = run("--help").output
        #expect(run("-h").output == help && run("help").output == help)
        #expect(
            help.hasPrefix(
                "Measures the hot path of an HTTP URL cache, beside its peers.\n\nusage: my-gauge [command] "))
        for line in [
            "  run        Measures benchmarks, and prints a table.",
            "  compare    Says which of two subjects, builds or results is faster.",
            "Without a command: run --suite default. Options of a command: my-gauge run --help.",
        ] {
            #expect(help.contains("\n\(line)\n"), "\(line) in \(help)")
        }
        let own = run("list", "--help").output
        #expect(own == run("list", "-h").output && own.contains("\n\nusage: my-gauge list [options]\n\n"), "\(own)")
        #expect(run("replay", "--help").output.contains("\nusage: my-gauge replay [options] FILE…\n"))
        #expect(run("--version").output == "my-gauge 2.1\n")
    }

    @Test("operands are as many as the command names, and any number where the last one ends with dots")
    func operands() throws {
        let two = CommandSpecification(name: "move", summary: "", operands: ["FROM", "[TO]"])
        #expect(try ParsedArguments(["a"], of: two).operands == ["a"])
        #expect(try ParsedArguments(["a", "b"], of: two).operands == ["a", "b"])
        #expect(throws: UsageError("move does not take 'c'; options begin with --")) {
            try ParsedArguments(["a", "b", "c", "d"], of: two)
        }
        let many = CommandSpecification(name: "join", summary: "", operands: ["INTO", "FILE…"])
        #expect(try ParsedArguments(["a", "b", "c"], of: many).operands == ["a", "b", "c"])
        #expect(throws: UsageError("join needs FILE…; write join FILE…")) { try ParsedArguments(["a"], of: many) }
        let flagged = CommandSpecification(
            name: "x", summary: "", options: [CommandOption.flag("bold", help: "")])
        #expect(throws: UsageError("--bold takes no value; write --bold alone")) {
            try ParsedArguments(["--bold="], of: flagged)
        }
        #expect(try ParsedArguments(["--bold", "-h", "--nonsense"], of: flagged).wantsHelp)
        #expect(throws: UsageError("x has no option --blod; did you mean --bold?")) {
            try ParsedArguments(["--blod"], of: flagged)
        }
    }

    @Test("a value may be empty or have an equals sign, and the next word is one unless it begins with two dashes")
    func values() throws {
        let filter = CommandOption.text("filter", "REGEX", help: "")
        let command = CommandSpecification(name: "x", summary: "", options: [filter])
        for (arguments, value) in [
            (["--filter="], ""), (["--filter=a=b"], "a=b"), (["--filter", "-a"], "-a"), (["--filter=--a"], "--a"),
        ] {
            #expect(try ParsedArguments(arguments, of: command)[filter] == value)
        }
        #expect(try ParsedArguments([], of: command)[filter] == nil)
        #expect(try !ParsedArguments([], of: command).isGiven(filter))
        #expect(try ParsedArguments(["--filter="], of: command).isGiven(filter))
    }

    @Test("lines that begin with a blank and empty lines stay as they are, others are filled") func wrapped() {
        let lines = HelpText.wrapped("one two\nthree\n\n  kept  as it is\nfour five six", width: 11)
        #expect(lines == ["one two", "three", "", "  kept  as it is", "four five", "six"])
    }
}
