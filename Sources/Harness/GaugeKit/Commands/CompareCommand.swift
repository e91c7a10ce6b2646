import Foundation
import Platform

/// `compare`: says which of two subjects, builds or results is faster.
struct CompareCommand: GaugeCommand {
    static let judges = true

    static let delta = CommandOption.number(
        "delta", "PERCENT", in: 0.01...100,
        help: "the largest difference that does not matter, in per cent; "
            + "\(Quantity.plain(JudgingRule.comparisonDelta * 100)) by default")
    static let seconds = CommandOption.number("seconds", in: 0.2...3_600, help: "seconds for each row; 10 by default")
    static let suite = CommandOption.text(
        "suite", "NAME",
        help: "only benchmarks of a suite; of builds by default \(Gauge.timeGateSuite), where there is one, otherwise "
            + "default; full has all but large")

    static let specification = CommandSpecification(
        name: "compare", summary: "Says which of two subjects, builds or results is faster.",
        operands: ["[A]", "[B]"],
        options: [
            RunCommand.filter, suite, seconds, delta, CommonOptions.format, GateCommand.product,
            GateCommand.buildOptions,
        ] + GateCommand.settingsOptions + CompareSelfTestOptions.options,
        notes: [
            .table(
                nil,
                [
                    ("compare tiered foundation", "two subjects, in each case that both have"),
                    ("compare date/imf/tiered date/imf/strptime", "two subjects of one case"),
                    ("compare main .", "a revision and the working tree, which are built with -c release"),
                    ("compare old/cachegauge new/cachegauge", "two executables"),
                    ("compare a.json b.json", "two files of run --json, without measuring"),
                ]),
            """
            Two processes take turns in slices of some milliseconds, one set of processes after another, so that a
            change of the machine's speed meets both sides. B is worse (slower) or better when the interval of its time over
            A's excludes 1, equivalent when all of the interval lies within delta and odd sets move the mean by no more
            than half of that, and otherwise inconclusive. Equal sides are called different in at most 1 of 100
            comparisons, whatever the number of rows. Of two files, each row's interval is one of 95 %.
            """,
            """
            The undisturbed time of an operation is judged where the mean of processor time moves with it. A cache may
            defer the work of many stores to one; a row where the two differ says "in bursts" and is judged by the mean.
            Percentiles and the longest pause have verdicts of their own, and lines where they got worse or better.
            """,
            """
            The command first tells how many rows it measures, and how long that takes. Of two subjects, these are the
            cases of the suite default that have both, with --filter those of any suite; of two whole names, that one
            case.
            """,
            """
            Two builds also differ in the addresses of their code, which alone may change a time by some per cent. The
            command gate measures by how much.
            """,
            CompareSelfTestOptions.note,
        ])

    let operands: ComparisonOperands?
    let selfTest: CompareSelfTestOptions?
    let filter: String?
    let suite: String?
    let seconds: Double
    let delta: Double
    let format: ReportFormat
    let recipe: ProductBuild
    let settings: RunSettings
    let directory: String?
    private let arguments: ParsedArguments

    init(_ arguments: ParsedArguments) throws {
        selfTest = arguments.has(CompareSelfTestOptions.flag) ? CompareSelfTestOptions(arguments) : nil
        if selfTest == nil {
            for option in [CompareSelfTestOptions.tries, CompareSelfTestOptions.log] as [any AnyOption]
            where arguments.isGiven(option) {
                throw UsageError("--\(option.name) is for --self-test; add --self-test")
            }
        }
        guard arguments.operands.count == (selfTest == nil ? 2 : 0) else {
            throw UsageError(
                selfTest == nil
                    ? "compare needs two sides; write compare A B; compare --help lists the kinds of sides"
                    : "--self-test compares this executable with itself; write it without \(arguments.operands[0])"
            )
        }
        operands = selfTest == nil ? try ComparisonOperands(arguments.operands[0], arguments.operands[1]) : nil
        filter = arguments[RunCommand.filter]
        suite = arguments[Self.suite]
        seconds = arguments[Self.seconds] ?? 10
        delta = (arguments[Self.delta] ?? JudgingRule.comparisonDelta * 100) / 100
        format = arguments[CommonOptions.format] ?? .text
        var recipe = try GateCommand.recipe(arguments)
        recipe.flags += AlignedCode.flags
        self.recipe = recipe
        settings = GateCommand.settings(arguments)
        directory = arguments[CommonOptions.directory]
        self.arguments = arguments
    }

    private static let buildingOptions: [any AnyOption] = [GateCommand.product, GateCommand.buildOptions]

    func run(_ gauge: Gauge, console: Console) throws -> ExitCode {
        if let selfTest {
            let selection = gauge.timeSelection(filter, suite: suite)
            return try selfTest.run(
                try selection.of(gauge.benchmarks.filter { !$0.isPeer }), delta: delta, settings: settings,
                directory: directory, console: console)
        }
        guard let operands else { return .usage }
        switch try operands.resolved(in: gauge) {
        case .files(let a, let b):
            try arguments.refuse(
                [Self.suite, Self.seconds] + Self.buildingOptions
                    + GateCommand.settingsOptions, because: "two files are compared without measuring")
            let comparison = try compare(files: a, b)
            try tell(comparison.report, console)
            return comparison.hasWrongAnswers ? .wrongAnswer : comparison.hasFailures ? .failure : .ok
        case .subjects(let a, let b):
            try arguments.refuse(Self.buildingOptions, because: "two subjects are compared without building")
            return try measure(subjects: a, b, gauge, console)
        case .builds(let a, let b): return try measure(builds: a, b, gauge, console)
        }
    }

    /// `12 rows of 10 s each: 2 minutes; fewer with --filter, shorter with --seconds`.
    private static func length(of count: Int, seconds: Double) -> String {
        let total = Double(count) * seconds
        let time = total < 90 ? "\(Quantity.plain(total)) s" : "\(Quantity.plain((total / 60).rounded(.up))) minutes"
        guard count > 1 else { return "1 row: \(time)\n" }
        return "\(count) rows of \(Quantity.plain(seconds)) s each: \(time); "
            + "fewer with --filter, shorter with --seconds\n"
    }

    private func compare(files a: String, _ b: String) throws -> FileComparison {
        let sides = (try ReportedRun(path: a), try ReportedRun(path: b))
        guard !Set(sides.0.rows.map(\.name)).isDisjoint(with: sides.1.rows.map(\.name)) else {
            throw UsageError("\(a) and \(b) have no row in common; name two runs of the same rows")
        }
        guard let filter else { return FileComparison(sides.0, sides.1, delta: delta) }
        let kept = try NameFilter(filter).matches(among: (sides.0.rows + sides.1.rows).map(\.name))
        guard !kept.isEmpty else { throw UsageError("filter '\(filter)' matches no benchmark of \(a) or \(b)") }
        return FileComparison(sides.0.keeping(kept), sides.1.keeping(kept), delta: delta)
    }

    private func tell(_ report: ComparisonReport, _ console: Console) throws {
        try console.write(format == .json ? try report.json() : report.text(width: console.width))
    }

    private func measure(subjects a: String, _ b: String, _ gauge: Gauge, _ console: Console) throws -> ExitCode {
        let isChosen = filter != nil || a.contains("/") && b.contains("/")
        let suite = suite ?? (isChosen ? BenchmarkSelection.everything : BenchmarkSelection.usual)
        let chosen = try BenchmarkSelection(filter: nil, suite: suite).of(gauge.benchmarks)
        var pairs = BenchmarkCase.grouping(chosen).compactMap { next -> (Benchmark, Benchmark)? in
            guard let one = next.benchmarks.first(where: { ComparisonOperands.names(a, $0.name) }),
                let other = next.benchmarks.first(where: { ComparisonOperands.names(b, $0.name) })
            else { return nil }
            return (one, other)
        }
        if let filter {
            let kept = try NameFilter(filter).matches(among: pairs.map { $0.0.name.description })
            pairs = pairs.filter { kept.contains($0.0.name.description) }
        }
        guard !pairs.isEmpty else {
            let isAnywhere = suite == BenchmarkSelection.everything && filter == nil
            throw UsageError(
                "no case \(isAnywhere ? "" : "of suite \(suite) ")has both \(a) and \(b); "
                    + (isAnywhere ? "the command list names all benchmarks" : "see --filter, and add --suite full"))
        }
        let rows = pairs.map { one, other in
            (
                name: a.contains("/") ? one.name.description : "\(one.name.stage)/\(one.name.case)",
                a: Arm(one, title: a), b: Arm(other, title: b)
            )
        }
        let temporary = try TemporaryDirectory(in: directory)
        defer { temporary.remove() }
        return try measure(rows, titles: (a, b), in: temporary, try Interruption(), console)
    }

    private func measure(
        builds a: ComparedBuild.Source, _ b: ComparedBuild.Source, _ gauge: Gauge, _ console: Console
    ) throws -> ExitCode {
        let interruption = try Interruption()
        let temporary = try TemporaryDirectory(in: directory)
        defer { temporary.remove() }
        let progress = ProgressLine(console: console)
        let package = FileManager.default.currentDirectoryPath
        let builds = try [("arma", a), ("armb", b)].map { name, source in
            progress.show("preparing \(name == "arma" ? "A" : "B")")
            return try ComparedBuild(
                source, named: name, recipe: recipe, package: package, directory: temporary,
                interruption: interruption)
        }
        progress.clear()
        let selection = gauge.timeSelection(filter, suite: suite)
        let everything = BenchmarkSelection(filter: filter, suite: BenchmarkSelection.everything)
        func names(_ build: ComparedBuild, _ selection: BenchmarkSelection) throws -> [String] {
            try RevisionBenchmarks.names(
                of: build.executable, selection, title: build.title, interruption: interruption)
        }
        let (first, second) = (try names(builds[0], selection), try names(builds[1], selection))
        let known = Set(try names(builds[0], everything) + first)
        let others = Set(try names(builds[1], everything) + second)
        let missing = first.count { !others.contains($0) } + second.count { !known.contains($0) }
        let rows = first.filter(others.contains).map { (name: $0, a: builds[0].arm($0), b: builds[1].arm($0)) }
        guard !rows.isEmpty else {
            throw UsageError("the builds have no selected benchmark in common; see --filter and --suite")
        }
        return try measure(
            rows, titles: (builds[0].title, builds[1].title),
            limits: ComparisonReport.limits(missing: missing, of: "builds"), in: temporary, interruption, console)
    }

    private func measure(
        _ rows: [(name: String, a: Arm, b: Arm)], titles: (a: String, b: String),
        limits: [String] = [], in temporary: TemporaryDirectory, _ interruption: Interruption, _ console: Console
    ) throws -> ExitCode {
        let experiment = Experiment(settings: settings, directory: temporary, interruption: interruption)
        let rule = JudgingRule.comparison(delta: delta, comparisons: rows.count)
        console.note(Self.length(of: rows.count, seconds: seconds))
        let progress = ProgressLine(console: console)
        var compared: [ComparedRow] = []
        var exitCode = ExitCode.ok
        for row in rows {
            progress.show("\(compared.count + 1)/\(rows.count) \(row.name)")
            do {
                let result = try experiment.run([row.a, row.b], seconds: seconds)
                compared.append(ComparedRow(name: row.name, result.sets, rule))
                if result.isInterrupted {
                    exitCode = .interrupted
                    break
                }
            } catch let error as GaugeError {
                compared.append(ComparedRow(name: row.name, failure: error.description))
                exitCode = exitCode == .wrongAnswer ? exitCode : .failure
            } catch let lie as WrongAnswers {
                compared.append(ComparedRow(name: row.name, failure: lie.description))
                exitCode = .wrongAnswer
            }
        }
        progress.clear()
        try tell(ComparisonReport(titles: titles, rows: compared, delta: delta, limits: limits), console)
        return exitCode
    }
}
