import GaugeTraces
import Platform

/// The command line of an executable that measures caches. Its `main` only calls `Gauge(benchmarks: [...]).main()`.
public struct Gauge: Sendable {
    /// The name of the executable, for help and error messages.
    public var executable: String
    /// The version that `--version` prints.
    public var version: String
    /// The benchmarks, in the order of the table.
    public var benchmarks: [Benchmark]
    /// The caches under test. The first is the default of commands for one cache.
    public var subjects: [any CacheSubject.Type]
    /// Other people's caches, for comparison. Their wrong answers are counted, but not fatal.
    public var peers: [any CacheSubject.Type]
    /// A line on each stage, case and subject, for `list`, the table and the report. Those that the harness knows are
    /// included from the start.
    public var words = SubjectBenchmarks.words
    /// Peers of the suite `full` that this machine lacks, with what would install each; the run says so.
    public var absent: [String] = []
    /// How HTTP treats the exchanges of a trace. By default every GET answered with 200 is stored for ever.
    package var cachingRules: (any CachingRules)?
    /// How the first subject's memory tier counts and admits entries. By default any body that fits is admitted at the
    /// cost of its length.
    public var admission: AdmissionRule?
    /// Whole HTTP caches that can be simulated; the first is the default.
    public var simulated: [any SimulatedCache.Type] = []
    /// An independent reading of RFC 9111 to judge the answers of a simulation; without it no header is judged.
    package var reuseRules: (any ReuseRules)?
    /// Reads the process's allocations, if the executable counts them: by default, if it links the product
    /// AllocationCounter.
    public var allocationTotals: (@Sendable () -> AllocationTotals)?

    /// Creates the command line.
    ///
    /// - Parameters:
    ///   - benchmarks: the benchmarks, in the order of the table. Names are unique.
    ///   - subjects: the caches under test.
    ///   - asyncSubjects: caches under test with asynchronous operations; they come after the others.
    ///   - peers: other people's caches, for comparison.
    ///   - executable: the name of the executable.
    ///   - version: the version that `--version` prints.
    ///   - allocationTotals: reads an allocation counter other than the product AllocationCounter's.
    public init(
        benchmarks: [Benchmark], subjects: [any CacheSubject.Type] = [],
        asyncSubjects: [any AsyncCacheSubject.Type] = [], peers: [any CacheSubject.Type] = [],
        executable: String = "cachegauge",
        version: String = Gauge.kitVersion,
        allocationTotals: (@Sendable () -> AllocationTotals)? = nil
    ) {
        self.benchmarks = benchmarks
        self.subjects = subjects + asyncSubjects.map { $0.bridged }
        (self.peers, self.executable, self.version) = (peers, executable, version)
        self.allocationTotals = allocationTotals ?? ExecutableCounters.allocations
    }

    /// The version of GaugeKit.
    public static let kitVersion = "0.2.0"

    /// Runs the command in the process's arguments, and exits with its exit code.
    public func main() -> Never {
        StandardStreams.repair()
        let arguments = CommandLine.arguments.dropFirst()
        exit(run(Array(arguments), console: .standard).rawValue)
    }

    /// Runs one command; the arguments don't include the executable's name. Errors go to the console.
    package func run(_ arguments: [String], console: Console) -> ExitCode {
        do {
            let code = try dispatch(arguments, console: console)
            return code.isInterruption ? .interrupted(by: Interruption.signal) : code
        } catch let error as UsageError {
            console.note("\(executable): \(error)\n")
            return .usage
        } catch is OutputClosed {
            // The reader has closed the output, as `head` does, which is no error.
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
            try console.write(help(width: console.width))
            return .ok
        }
        if first == "--version" {
            try console.write("\(executable) \(version)\n")
            return .ok
        }
        guard let command = Self.commands.first(where: { $0.specification.name == first }) else {
            let names = Self.commands.filter { !$0.specification.isHidden }.map { $0.specification.name }
            if first.hasPrefix("-") {
                throw UsageError(
                    "\(first) comes after a command: \(executable) run \(first) …; see \(executable) --help")
            }
            throw UsageError(
                "there is no command '\(first)'\(NearNames.question(first, among: names)); see \(executable) --help")
        }
        let parsed = try ParsedArguments(Array(arguments.dropFirst()), of: command.specification)
        if parsed.wantsHelp {
            try console.write(command.specification.help(executable: executable, width: console.width))
            return .ok
        }
        return try command.init(parsed).run(self, console: command.judges ? console.outlivingReader : console)
    }

    /// A name that two benchmarks share.
    private var twice: BenchmarkName? {
        var seen: Set<BenchmarkName> = []
        return benchmarks.map(\.name).first { !seen.insert($0).inserted }
    }

    private func help(width: Int) -> String {
        let rows = Self.commands.map { $0.specification }.filter { !$0.isHidden }.map { ($0.name, $0.summary) }
        let paragraphs: [HelpNote] = [
            "Measures the hot path of an HTTP URL cache, beside its peers.",
            "usage: \(executable) [command] [options]",
            .table(nil, rows),
            """
            Without a command: run --suite default. Options of a command: \(executable) run --help.
            """,
            """
            Exit codes: 0 ok, 1 error, 2 regression, 3 wrong answer or broken promise, 4 improvement (--fail-on-improvement),
            5 baseline missing, 6 verify's time-out, 7 inconclusive (--strict), 64 wrong usage, 130 interrupted (129 by
            SIGHUP, 143 by SIGTERM).
            """,
        ]
        return paragraphs.map { $0.text(width: min(width, HelpText.widest)) }.joined(separator: "\n\n") + "\n"
    }
}

extension Gauge {
    /// Runs `run`, `replay`, `verify` and the other commands on an executable's own caches and the caches for
    /// comparison. That's all an executable's `main` needs.
    ///
    /// For each cache, `run` measures the rows of its declared tiers and the web-like workload, and with `--suite full`
    /// all workloads. This package's cache has the same memory and disk rows.
    ///
    /// - Parameters:
    ///   - subjects: the caches under test.
    ///   - asyncSubjects: caches under test with asynchronous operations.
    ///   - peers: other people's caches, for comparison.
    ///   - simulated: whole HTTP caches, for `simulate`.
    public static func main(
        subjects: [any CacheSubject.Type] = [], asyncSubjects: [any AsyncCacheSubject.Type] = [],
        peers: [any CacheSubject.Type] = [], simulated: [any SimulatedCache.Type] = []
    ) -> Never {
        var gauge = Gauge(
            benchmarks: benchmarks(of: subjects, asyncSubjects: asyncSubjects, peers: peers), subjects: subjects,
            asyncSubjects: asyncSubjects, peers: peers,
            executable: CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? "gauge")
        gauge.simulated = simulated
        gauge.main()
    }

    /// The benchmarks that any cache can run. Ratios are to `reference`, by default the first subject.
    package static func benchmarks(
        of subjects: [any CacheSubject.Type], asyncSubjects: [any AsyncCacheSubject.Type] = [],
        peers: [any CacheSubject.Type], reference: String? = nil
    ) -> [Benchmark] {
        let reference = reference ?? subjects.first.map { $0.name } ?? asyncSubjects.first.map { $0.name } ?? ""
        func rows<Subject: CacheSubject>(_ type: Subject.Type, isPeer: Bool) -> [Benchmark] {
            SubjectBenchmarks.memory(type, isPeer: isPeer, reference: reference)
                + SubjectBenchmarks.disk(type, isPeer: isPeer, reference: reference)
                + SubjectBenchmarks.workloads(type, isPeer: isPeer, reference: reference)
        }
        return subjects.flatMap { type in rows(type, isPeer: false).map { $0.checkingAnswers(of: type) } }
            + asyncSubjects.flatMap { benchmarks(of: $0, reference: reference) }
            + peers.flatMap { rows($0, isPeer: true) }
    }

    private static func benchmarks<Subject: AsyncCacheSubject>(
        of type: Subject.Type, reference: String
    ) -> [Benchmark] {
        SubjectBenchmarks.rows(asynchronous: type, isPeer: false, reference: reference)
            .map { $0.checkingAnswers(of: type.bridged) }
    }
}

extension Gauge {
    /// The suite of benchmarks whose time `gate` judges; without it, the default suite.
    package static let timeGateSuite = "time-gate"

    /// The benchmarks whose time is judged: those of a suite, or of the default one.
    func timeSelection(_ filter: String?, suite: String?) -> BenchmarkSelection {
        let hasOwn = benchmarks.contains { $0.suites.contains(Self.timeGateSuite) }
        return BenchmarkSelection(
            filter: filter, suite: suite ?? (hasOwn ? Self.timeGateSuite : BenchmarkSelection.usual))
    }
}
