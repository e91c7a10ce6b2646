import Foundation
import Platform

/// `run`: measures benchmarks and prints the table.
struct RunCommand: GaugeCommand {
    static let judges = true

    static let filter = CommandOption.text(
        "filter", "REGEX", help: "only benchmarks whose name contains a match of the regular expression")
    static let suite = CommandOption.text(
        "suite", "NAME", help: "only benchmarks of a suite: default, unless another is named; full has all but large")
    static let seconds = CommandOption.number(
        "seconds", in: 0.1...86_400,
        help:
            "seconds of measuring; \(Int(RunPlan.defaultSeconds)) by default, unlimited with --sets or --precision alone"
    )

    static let sets = CommandOption.whole(
        "sets", in: 1...100_000, help: "most sets of processes for each case; by default as many as the time allows")

    static let samples = CommandOption.whole(
        "samples", in: 1...100_000,
        help: "slices of 4 ms for each benchmark in a set; \(SetPlan.sliceCounts.lowerBound) to "
            + "\(SetPlan.sliceCounts.upperBound) by default, more where preparing takes longer")

    static let precision = CommandOption<Double>.percent(
        "precision", in: 0.1...100,
        help: "stops measuring a benchmark once its intervals are this narrow: 1%")

    static let timeOut = CommandOption.number(
        "time-out", in: 0.1...3_600,
        help: "time-out for each answer of a benchmark, seconds; 10 by default")

    static let format = CommandOption<RunFormat>.choice(
        "format", "FORMAT", help: "\(RunFormat.allCases.map(\.rawValue).joined(separator: ", ")); table by default")

    static let json = CommandOption.text(
        "json", "FILE", help: "also writes the results as JSON to a file, for the command report")

    static let verbose = CommandOption.flag(
        "verbose", help: "prints every figure, with the throughput, the tails and the noise")

    static let instructions = CommandOption.flag(
        "instructions",
        help: "also counts instructions with valgrind, which takes time beyond --seconds; with --verbose by function")

    static let specification = CommandSpecification(
        name: "run", summary: "Measures benchmarks, and prints a table.",
        options: [
            filter, suite, format, json, verbose, instructions, sets, samples, precision, CommonOptions.memory,
            CommonOptions.disk, CommonOptions.directory, CommonOptions.seed, seconds, timeOut,
            WorkloadLoad.workloadOption, WorkloadLoad.rateOption,
        ] + RepeatabilityOptions.options + WorkloadOptions.changes,
        notes: [
            .text(CommonOptions.sizeNote),
            """
            A run measures each case in sets of fresh processes, whose slices of 4 ms alternate, each after its caches have
            been warmed; the sets of all cases are spread over the seconds of the run. Columns: time of one operation while
            nothing disturbs the machine; the farther end of its 95 % confidence interval over sets; the typical time, with
            every disturbance; p99 where operations are timed one by one and there are enough of them; operations per
            second; how many times as long as the reference subject (tiered unless the benchmark says otherwise; for stores
            by the mean), and the farther end of its interval; allocations of one operation; wrong answers. The mark ~
            stands before a typical time, and before a ratio of such times, where the machine was not at full speed often
            enough.
            """,
            """
            The clock rate differs by some per cent between runs. Undisturbed times are converted to the rate of the
            first run on this machine, which is kept with the last results under .build; the end of the table has both
            rates. Typical times and means are as measured.
            """,
            RepeatabilityOptions.note,
            """
            --format json writes Google Benchmark's schema with a repetition for each set, benchstat the Go benchmark
            format. For github-action-benchmark, googlecpp and github-action write one entry for each row, for its tools
            googlecpp and customSmallerIsBetter.
            """,
            """
            With --workload, or an option that changes a workload, each cache is measured under that workload, with a
            row for each outcome. Without --rate each request is sent when the previous one is answered (closed loop).
            With --rate each is sent when it is due, whether or not earlier ones are answered (open loop); response
            times, which count from then, are shown beside service times. The harness's time to make and check bodies is
            in neither.
            """,
            WorkloadOptions.note,
        ])

    let selection: BenchmarkSelection
    let format: RunFormat
    let file: OutputFile?
    let countsInstructions: Bool
    let isVerbose: Bool
    let settings: RunSettings
    let load: WorkloadLoad?
    let directory: String?
    let plan: RunPlan
    let repeatability: RepeatabilityOptions?

    init(_ arguments: ParsedArguments) throws {
        // First, so that no file is looked at if these options refuse it.
        repeatability = try RepeatabilityOptions(arguments)
        selection = BenchmarkSelection(
            filter: arguments[Self.filter], suite: arguments[Self.suite] ?? BenchmarkSelection.usual)
        format = arguments[Self.format] ?? .table
        file = try arguments[Self.json].map { try OutputFile($0, remedy: "name another file with --json") }
        countsInstructions = arguments.has(Self.instructions)
        isVerbose = arguments.has(Self.verbose)
        load = try WorkloadLoad(arguments)
        var settings = GateCommand.settings(arguments)
        settings.timeOut = arguments[Self.timeOut] ?? settings.timeOut
        settings.load = load?.offered
        self.settings = settings
        directory = arguments[CommonOptions.directory]
        let isBounded = arguments[Self.sets] == nil && arguments[Self.precision] == nil
        plan = RunPlan(
            seconds: arguments[Self.seconds] ?? (isBounded ? RunPlan.defaultSeconds : 86_400),
            sets: arguments[Self.sets], samples: arguments[Self.samples], precision: arguments[Self.precision])
    }

    func run(_ gauge: Gauge, console: Console) throws -> ExitCode {
        let chosen = try selection.of(load?.benchmarks(of: gauge) ?? gauge.benchmarks)
        let temporary = try TemporaryDirectory(in: directory)
        defer { temporary.remove() }
        let interruption = try Interruption()
        var environment = RunEnvironment(settings: settings, directory: temporary.path)
        environment.subjects = Self.details(of: gauge.subjects + gauge.peers, in: chosen)
        for warning in environment.warnings { console.note("warning: \(warning)\n") }

        let cases = BenchmarkCase.grouping(chosen)
        let twice = AACheck(cases: cases).positions.compactMap { AACheck.twice(cases[$0]) }
        let run = SuiteRun(
            cases + twice, settings: settings, plan: plan, directory: temporary, interruption: interruption)
        if let repeatability { return try repeatability.run(run, console: console) }

        let report = RunReport(
            console: console, format: format, environment: environment, file: file,
            countsInstructions: countsInstructions, isVerbose: isVerbose, words: gauge.words)
        let counter = try instructionCounter(in: temporary, interruption, console: console)
        try report.begin()
        var meter = NoiseMeter(reference: LastRun.ofCurrentDirectory.referenceClock(for: environment))
        var results = try run.measure(meter: &meter) { name, set in report.progress.show("\(name), set \(set)") }
        if let counter, !results.isFatal, !results.isInterrupted {
            do {
                try run.count(with: counter, &results) { report.progress.show("instructions of \($0)") }
            } catch is Interrupted {
                results.isInterrupted = true
            }
        }
        let (speed, measured) = (meter.speed, Array(results.measurements.prefix(cases.count)))
        let variation = RunVariation(measured, speed: speed)
        for next in measured { try report.add(next, speed: speed, variation: variation) }
        try report.end(noise: meter.report(pairs: Array(results.measurements.dropFirst(cases.count))))
        try summarise(report.document, of: gauge, isComplete: !results.isInterrupted, console: console)
        return results.exitCode
    }

    /// A line for each measured subject that says how it is configured.
    static func details(of subjects: [any CacheSubject.Type], in chosen: [Benchmark]) -> [String] {
        subjects.filter { type in
            !type.details.isEmpty && chosen.contains { $0.name.subject == type.name }
        }.map { "\($0.name): \($0.details)" }
    }

    /// Prints the summary below the table, and keeps the results for the next run.
    private func summarise(_ document: RunDocument, of gauge: Gauge, isComplete: Bool, console: Console) throws {
        let last = LastRun.ofCurrentDirectory
        if format == .table {
            let titles = Dictionary((gauge.subjects + gauge.peers).map { ($0.name, $0.title) }) { first, _ in first }
            try console.write("\n" + RunSummary(document, changes: last.changes(in: document), titles: titles).text)
            if !gauge.absent.isEmpty, selection.suite == BenchmarkSelection.everything {
                try console.write("not measured, since not installed: \(gauge.absent.joined(separator: ", "))\n")
            }
        }
        if isComplete { last.keep(document) }
    }

    /// The counter; `nil` if not requested, or if it can't work here. The latter prints a warning, and the rows have no
    /// instructions.
    private func instructionCounter(
        in directory: TemporaryDirectory, _ interruption: Interruption, console: Console
    ) throws -> InstructionCounter? {
        guard countsInstructions else { return nil }
        do {
            return try InstructionCounter(directory: directory, interruption: interruption)
        } catch let error as GaugeError {
            console.note("warning: \(error)\n")
            return nil
        }
    }
}

/// The options of `run --self-test`.
struct RepeatabilityOptions {
    static let options: [any AnyOption] = [selfTest, log, busy]

    static let selfTest = CommandOption.whole(
        "self-test", in: 1...10_000,
        help: "repeats the run until the log holds this many runs, and reports how well they agree")
    static let log = CommandOption.text(
        "log", "FILE", help: "with --self-test: the file of its runs, which it continues; run-self-test.log by default")

    static let busy = CommandOption.whole(
        "busy", in: 0...1_024, help: "with --self-test: threads that do other work meanwhile; 0 by default"
    )

    static let note: HelpNote = """
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
        for other in [RunCommand.json, RunCommand.instructions] as [any AnyOption]
        where arguments.isGiven(other) {
            throw UsageError("--self-test writes a log and a table; leave --\(other.name) out")
        }
        self.runs = runs
        log = arguments[Self.log] ?? "run-self-test.log"
        busy = arguments[Self.busy] ?? 0
    }

    func run(_ run: SuiteRun, console: Console) throws -> ExitCode {
        let test = RepeatabilityTest(run, runs: runs, busy: busy, console: console)
        return try test.run(log: try LineLog(log))
    }
}
