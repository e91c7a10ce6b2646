import Platform

/// The command line of an executable that measures caches: `Gauge.main(benchmarks: [...])` is all of its `main`.
public struct Gauge: Sendable {
    /// The name of the executable, for help and error messages.
    public var executable: String
    /// What `--version` says.
    public var version: String
    /// What can be measured, in the order of the table.
    public var benchmarks: [Benchmark]
    /// The caches under test, of which the first is the one that a command is about unless another is named.
    public var subjects: [any CacheSubject.Type]
    /// Other people's caches, for comparison: a wrong answer of theirs is counted and not fatal.
    public var peers: [any CacheSubject.Type]
    /// Says what HTTP makes of the exchanges of a trace; without it a GET that was answered with 200 is stored for ever.
    public var cachingRules: (any CachingRules)?
    /// Whole HTTP caches that can be simulated, the first of which is the one unless another is named.
    public var simulated: [any SimulatedCache.Type] = []
    /// What RFC 9111 allows, as somebody other than these caches reads it; without it a simulation judges no header.
    public var reuseRules: (any ReuseRules)?
    /// How many allocations the process has made, where the executable counts them.
    public var allocationTotals: (@Sendable () -> AllocationTotals)?

    /// Describes an executable.
    ///
    /// - Parameters:
    ///   - benchmarks: what can be measured, in the order of the table. Names are unique.
    ///   - subjects: the caches under test.
    ///   - peers: other people's caches, for comparison.
    ///   - executable: the name of the executable.
    ///   - version: what `--version` says.
    ///   - allocationTotals: reads the allocation counter, if one is linked in.
    public init(
        benchmarks: [Benchmark], subjects: [any CacheSubject.Type] = [], peers: [any CacheSubject.Type] = [],
        executable: String = "cachegauge",
        version: String = Gauge.kitVersion,
        allocationTotals: (@Sendable () -> AllocationTotals)? = nil
    ) {
        self.benchmarks = benchmarks
        self.subjects = subjects
        self.peers = peers
        self.executable = executable
        self.version = version
        self.allocationTotals = allocationTotals
    }

    /// The version of GaugeKit.
    public static let kitVersion = "0.1.0"

    /// Runs the command that the process was started with, and ends the process with the command's exit code.
    public func main() -> Never {
        StandardStreams.repair()
        let arguments = CommandLine.arguments.dropFirst()
        exit(run(Array(arguments), console: .standard).rawValue)
    }

    /// Runs one command line, without the name of the executable. Errors are written to the console.
    public func run(_ arguments: [String], console: Console) -> ExitCode {
        do {
            return try dispatch(arguments, console: console)
        } catch let error as UsageError {
            console.note("\(executable): \(error)\n")
            return .usage
        } catch is OutputClosed {
            // Whoever read the results has seen enough; that is no error of ours.
            return .ok
        } catch {
            console.note("\(executable): \(error)\n")
            return .failure
        }
    }

    private func dispatch(_ arguments: [String], console: Console) throws -> ExitCode {
        if let name = twice { throw GaugeError("two benchmarks are called \(name); names are unique") }
        let first = arguments.first ?? "run"
        if first == "--help" || first == "-h" || first == "help" {
            try console.write(help)
            return .ok
        }
        if first == "--version" {
            try console.write("\(executable) \(version)\n")
            return .ok
        }
        guard let command = Self.commands.first(where: { $0.specification.name == first }) else {
            let names = Self.commands.filter { !$0.specification.isHidden }.map { $0.specification.name }
            throw UsageError(
                "there is no command '\(first)'\(NearNames.question(first, among: names)); see \(executable) --help")
        }
        let parsed = try ParsedArguments(Array(arguments.dropFirst()), of: command.specification)
        if parsed.wantsHelp {
            try console.write(command.specification.help(executable: executable))
            return .ok
        }
        return try command.init(parsed).run(self, console: console)
    }

    /// A name that two benchmarks have.
    private var twice: BenchmarkName? {
        var seen: Set<BenchmarkName> = []
        return benchmarks.map(\.name).first { !seen.insert($0).inserted }
    }

    private var help: String {
        let rows = Self.commands.map { $0.specification }.filter { !$0.isHidden }.map { ($0.name, $0.summary) }
        return """
            Measures the hot path of an HTTP URL cache, beside its peers.

            usage: \(executable) [command] [options]

            \(HelpText.table(rows))

            Without a command: run --suite default. Options of a command: \(executable) run --help.
            Exit codes: 0 ok, 1 error, 2 regression, 3 wrong answer or broken promise, 4 improvement (--fail-on-improvement),
            5 baseline missing, 7 inconclusive (--strict), 64 wrong usage, 130 interrupted.

            """
    }
}
