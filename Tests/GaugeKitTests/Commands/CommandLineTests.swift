import Synchronization
import Testing

@testable import GaugeKit
@testable import GaugeMeasurement
@testable import GaugeSupport

@Suite("Command line")
struct CommandLineTests {
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

    @Test(arguments: [
        (["lsit"], "there is no command 'lsit'; did you mean list?; see cachegauge --help"),
        (["list", "--fliter", "x"], "list has no option --fliter; did you mean --filter?"),
        (["list", "-x"], "list has no option -x"),
        (["list", "--filter"], "--filter needs a value; write --filter REGEX"),
        (["list", "--filter", "--suite", "a"], "--filter needs a value, and --suite is an option"),
        (["list", "--filter", "a", "--filter", "b"], "--filter is given twice; give it once"),
        (["list", "--format", "jsno"], "--format: 'jsno' is unknown; did you mean json?; the choice is text, json"),
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
    func `wrong usage ends with 64 and says what to do`(arguments: [String], told: String) {
        let transcript = Transcript()
        let code = Self.gauge.run(arguments, console: transcript.console)
        #expect(code == .usage)
        #expect(transcript.notes.withLock { $0 }.contains(told), "\(transcript.notes.withLock { $0 })")
        #expect(transcript.output.withLock { $0 } == "")
    }

    @Test func `every command explains each of its options`() {
        for command in Gauge.commands {
            let help = run(command.specification.name, "--help")
            #expect(help.code == .ok)
            for option in command.specification.options { #expect(help.output.contains("\n  \(option.usage) ")) }
            #expect(help.output.split(separator: "\n").allSatisfy { $0.count <= 120 }, "\(help.output)")
        }
    }

    @Test func `the help names every command but the worker`() {
        let help = run("--help").output
        for command in Gauge.commands {
            #expect(help.contains("\n  \(command.specification.name) ") != command.specification.isHidden)
        }
    }

    @Test func `the version is said`() { #expect(run("--version").output == "cachegauge 9.9\n") }

    @Test func `list names what a filter and a suite leave`() {
        #expect(run("list", "--filter", "^memory").output == "memory/hit/1k/tiered\nmemory/hit/1k/foundation\n")
        #expect(run("list", "--suite=slow").output == "disk/store/4k/tiered\n")
        #expect(run("list", "--filter", "date|disk").output == "date/imf/tiered\ndisk/store/4k/tiered\n")
    }

    @Test func `two benchmarks of one name are an error`() {
        let transcript = Transcript()
        let gauge = Gauge(benchmarks: [Self.named("a", "b", "c"), Self.named("a", "b", "c")])
        #expect(gauge.run(["list"], console: transcript.console) == .failure)
        #expect(transcript.notes.withLock { $0 }.contains("two benchmarks are called a/b/c"))
    }

    @Test(arguments: [
        ("0", 0), ("17", 17), ("17B", 17), ("4KB", 4_096), ("4KiB", 4_096), ("4k", 4_096), ("3 MB", 3 << 20),
        ("3MiB", 3 << 20), ("2gib", 2 << 30), ("1TiB", 1 << 40), ("8388607TiB", 8_388_607 << 40),
    ])
    func `a size is a whole number and a unit of powers of 1024`(text: String, bytes: Int) throws {
        #expect(try ByteSize(text).bytes == bytes)
    }

    @Test(arguments: [
        "", "MiB", "-1", "-4MiB", "4.5MiB", "4XB", "0x10", "٤KB", "8388608TiB", "99999999999999999999", "+4", "4 M B",
        "1e3",
    ])
    func `what is not a size is refused`(text: String) {
        #expect(throws: UsageError.self) { try ByteSize(text) }
    }

    @Test(arguments: [
        (0, "0 B"), (1_000, "1000 B"), (4_096, "4 KiB"), (4 << 20, "4 MiB"), ((4 << 20) + 1, "4194305 B"),
    ])
    func `a size is written so that it can be read back`(bytes: Int, text: String) throws {
        #expect(ByteSize(bytes: bytes).description == text)
        #expect(try ByteSize(text).bytes == bytes)
    }

    @Test(arguments: [
        ("list", "list", 0), ("lsit", "list", 1), ("lst", "list", 1), ("", "list", 4), ("kitten", "sitting", 3),
    ])
    func `the distance of two names counts typing errors`(first: String, second: String, distance: Int) {
        #expect(NearNames.distance(Array(first), Array(second)) == distance)
    }

    @Test func `near names of a very long name are found in no time`() {
        #expect(NearNames.of(String(repeating: "a", count: 1_000_000), among: ["list", "run"]) == [])
    }

    @Test func `arguments after two dashes and a single dash are operands`() throws {
        let command = CommandSpecification(name: "replay", summary: "", operands: ["FILE"])
        #expect(try ParsedArguments(["--", "--odd"], of: command).operands == ["--odd"])
        #expect(try ParsedArguments(["-"], of: command).operands == ["-"])
        #expect(throws: UsageError("replay needs FILE; write replay FILE")) { try ParsedArguments([], of: command) }
    }

    @Test func `an option is still accepted by its former name, which the help does not show`() {
        #expect(run("run", "--patience", "0").notes.contains("--time-out: '0' is not a number"))
        #expect(run("run", "--patience", "1", "--time-out", "1").notes.contains("--time-out is given twice"))
        #expect(!run("run", "--help").output.contains("patience"))
    }
}
