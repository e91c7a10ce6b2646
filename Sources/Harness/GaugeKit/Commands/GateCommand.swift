import Foundation
import Platform

/// `gate`: compares the working tree with another revision, and fails after a regression.
struct GateCommand: GaugeCommand {
    static let judges = true

    static let base = CommandOption.text("base", "REV", help: "the commit, branch or tag to compare with")
    static let baseExecutable = CommandOption.text(
        "base-executable", "PATH",
        help: "instead of building, compares this executable with another build of it: counts, or with --times times")
    static let noGrowth = CommandOption.flag(
        "no-growth", help: "leaves out how costs grow; measuring it fills caches with up to 100,000 entries")
    static let counts = CommandOption.flag("counts", help: "judges only counts, which do not depend on time")
    static let times = CommandOption.flag("times", help: "judges only times")
    static let delta = CommandOption.number(
        "delta", "PERCENT", in: 0.01...100, help: "the change of time that matters, in per cent; 1 by default")
    static let seconds = CommandOption.number(
        "seconds", in: 1...86_400,
        help: "seconds for the comparison of times; \(Int(TimeDecision.defaultSeconds)) by default, "
            + "\(Int(SelfTest.defaultSeconds)) for a round of a self-test")
    static let product = CommandOption.text(
        "product", "NAME", help: "the executable product that is built; the name of this executable by default")
    static let buildOptions = CommandOption.text(
        "build-options", "OPTIONS", help: "options for swift build, separated by spaces: '-Xswiftc -Ounchecked'")

    static let specification = CommandSpecification(
        name: "gate", summary: "Compares the working tree with another revision, and fails when something got worse.",
        options: [
            base, baseExecutable, counts, times, noGrowth, RunCommand.filter, RunCommand.suite,
        ] + GateConditions.options + [
            CommonOptions.format, product, buildOptions,
        ] + settingsOptions
            + [delta, seconds] + SelfTestOptions.options,
        notes: [
            """
            Builds the base in a temporary git worktree and the working tree in its current state, both with -c release,
            and runs all benchmarks of both except the peers'. Start it in the directory of the package.
            """,
            """
            Each count is taken once, and three times more where the builds differ, each time in its own process. A count
            that does not repeat to 1 in 10,000 is reported as unstable and not gated, unless the builds differ by 50 times
            as much, and by more than 1 %, or all of it lies within 0.2 %. Without valgrind the gate prints a warning and
            does not count instructions and system calls.
            """,
            """
            "worst" counts are of the most expensive operations of a fixed sequence. Growth is reported for benchmarks whose
            names differ only in the number of entries: selecting one counts the instructions of all its sizes.
            """,
            .table("Counts:", Metric.all.map { ($0.name, $0.help) }),
            .text(TimeReport.note),
            GateConditions.note,
            SelfTestOptions.note,
        ])

    /// Empty for a self-test, which compares a build with itself, and for another executable.
    let revision: String
    let otherExecutable: String?
    let judgesGrowth: Bool
    let selfTest: SelfTestOptions?
    let judgesCounts: Bool
    let judgesTime: Bool
    let suite: String?
    let timeGate: (delta: Double, seconds: Double)
    let selection: BenchmarkSelection
    let conditions: GateDecision.Conditions
    let format: ReportFormat
    let recipe: ProductBuild
    let settings: RunSettings
    let directory: String?

    init(_ arguments: ParsedArguments) throws {
        selfTest = arguments.has(SelfTestOptions.flag) ? try SelfTestOptions(arguments) : nil
        otherExecutable = arguments[Self.baseExecutable]
        judgesGrowth = !arguments.has(Self.noGrowth)
        let ways = [arguments[Self.base] != nil, otherExecutable != nil, selfTest != nil].count { $0 }
        if arguments[Self.base] != nil, otherExecutable != nil {
            throw UsageError("--base and --base-executable both name what to compare with; leave one out")
        }
        guard ways == 1 else {
            throw UsageError("gate needs a revision to compare with, or --self-test; write gate --base REV")
        }
        revision = arguments[Self.base] ?? ""
        if arguments.has(Self.counts), arguments.has(Self.times) {
            throw UsageError("--counts and --times exclude each other; without both the gate judges both")
        }
        judgesCounts = !arguments.has(Self.times)
        judgesTime = !arguments.has(Self.counts) && (otherExecutable == nil || !judgesCounts)
        try Self.refuseIdle(
            arguments, isSelfTest: selfTest != nil, comparesExecutables: otherExecutable != nil,
            judgesTime: judgesTime)
        suite = arguments[RunCommand.suite]
        timeGate = (
            (arguments[Self.delta] ?? TimeDecision.defaultDelta * 100) / 100,
            arguments[Self.seconds] ?? TimeDecision.defaultSeconds
        )
        selection = BenchmarkSelection(
            filter: arguments[RunCommand.filter], suite: arguments[RunCommand.suite] ?? BenchmarkSelection.usual)
        // A mistake in the filter is told before anything is built.
        if let filter = selection.filter { _ = try NameFilter(filter).matches(among: []) }
        conditions = try GateConditions.of(arguments)
        format = arguments[CommonOptions.format] ?? .text
        if !judgesCounts, let metric = conditions.required.first {
            throw UsageError("--require \(metric.name) needs counts, and --times leaves them out; drop one of the two")
        }
        var recipe = try Self.recipe(arguments)
        if judgesTime { recipe.flags += AlignedCode.flags }
        self.recipe = recipe
        settings = Self.settings(arguments)
        directory = arguments[CommonOptions.directory]
    }

    /// Refuses options that would have no effect.
    private static func refuseIdle(
        _ arguments: ParsedArguments, isSelfTest: Bool, comparesExecutables: Bool, judgesTime: Bool
    ) throws {
        if isSelfTest {
            try arguments.refuse(
                GateConditions.options + [counts, times, noGrowth, CommonOptions.format],
                because: "a self-test judges the gate and no change")
            return
        }
        try arguments.refuse(
            [SelfTestOptions.rounds, SelfTestOptions.log], because: "there are rounds only of a --self-test")
        if comparesExecutables {
            try arguments.refuse([product, buildOptions], because: "executables are compared without building")
        }
        if !judgesTime { try arguments.refuse([delta, seconds], because: "times are not judged here, only counts") }
    }

    func run(_ gauge: Gauge, console: Console) throws -> ExitCode {
        if let selfTest { return try selfTest.run(self, gauge, console: console) }
        return try Counting.reportingTrouble(to: console) {
            guard let otherExecutable else { return try compare(gauge, console: console) }
            return try compare(gauge, with: otherExecutable, console: console)
        }
    }

    /// Compares another executable with this one.
    private func compare(_ gauge: Gauge, with other: String, console: Console) throws -> ExitCode {
        let interruption = try Interruption()
        let temporary = try TemporaryDirectory(in: directory)
        defer { temporary.remove() }
        guard let own = ownExecutablePath() else { throw GaugeError("the path of this executable is unknown") }
        guard access(other, X_OK) == 0 else {
            throw GaugeError(
                "\(other) does not exist or cannot be run; name another build of this executable with --base-executable"
            )
        }
        let variants = GateArms(
            base: try GateBuilds.copy(other, named: "base", to: temporary),
            current: try GateBuilds.copy(own, named: "head", to: temporary))
        return try judge(
            gauge, variants, titles: (base: other, head: "this build"), in: temporary, interruption, console: console)
    }

    private func compare(_ gauge: Gauge, console: Console) throws -> ExitCode {
        let interruption = try Interruption()
        let temporary = try TemporaryDirectory(in: directory)
        defer { temporary.remove() }
        let progress = ProgressLine(console: console)
        let repository = try Repository(around: FileManager.default.currentDirectoryPath, interruption: interruption)
        let builds = try progress.repeating {
            try GateBuilds(
                base: revision, in: repository, recipe: recipe,
                scratch: judgesTime ? AlignedCode.scratch(of: FileManager.default.currentDirectoryPath) : nil,
                directory: temporary, interruption: interruption, progress: progress.show)
        }
        defer { builds.remove() }
        progress.clear()
        return try judge(
            gauge, GateArms(base: builds.base.executable, current: builds.head.executable),
            titles: (base: builds.base.title, head: builds.head.title), in: temporary, interruption, console: console,
            kept: builds.keptBase.map { KeptCounts(beside: $0, settings: settings) }
        ) {
            progress.show("linking the base with padding")
            defer { progress.clear() }
            return try builds.rebuildBase(
                named: "padd", flags: try LayoutPadding.linkerFlags(in: temporary),
                variant: "padded by \(LayoutPadding.length) bytes")
        }
    }

    static func recipe(_ arguments: ParsedArguments) throws -> ProductBuild {
        ProductBuild(
            product: try arguments[product] ?? ownName(),
            flags: (arguments[buildOptions] ?? "").split(separator: " ").map(String.init))
    }

    /// Options for how benchmarks run.
    static let settingsOptions: [any AnyOption] = [
        CommonOptions.memory, CommonOptions.disk, CommonOptions.directory, CommonOptions.seed,
    ]

    static func settings(_ arguments: ParsedArguments) -> RunSettings {
        RunSettings(
            seed: arguments[CommonOptions.seed] ?? RunSettings.defaultSeed,
            memory: arguments[CommonOptions.memory] ?? RunSettings.defaultMemory,
            disk: arguments[CommonOptions.disk] ?? RunSettings.defaultDisk)
    }

    /// The name of this executable and of its product.
    static func ownName() throws -> String {
        guard let path = ownExecutablePath() else {
            throw GaugeError("the name of this executable is unknown; pass --product")
        }
        return URL(fileURLWithPath: path).resolvingSymlinksInPath().lastPathComponent
    }
}

/// The options of `gate --self-test`.
struct SelfTestOptions {
    static let options: [any AnyOption] = [flag, rounds, log]

    static let flag = CommandOption.flag(
        "self-test",
        help: "tests the gate itself: how often it detects planted work, and reports a regression without any")
    static let rounds = CommandOption.whole(
        "rounds", in: 1...100_000,
        help: "with --self-test: the number of rounds that the log will have; \(SelfTest.defaultRounds) by default")
    static let log = CommandOption.text(
        "log", "FILE",
        help: "with --self-test: the file of its rounds, which it continues; gate-self-test.log by default")

    static let note: HelpNote = """
        A self-test needs no base: both variants are one build of the package. In each round, one of them does 1, 3, 5
        or 10 % more work in the measured call of one benchmark. The log is continued; the table is written beside it,
        as Markdown.
        """

    let rounds: Int
    let log: String
    let seconds: Double

    init(_ arguments: ParsedArguments) throws {
        rounds = arguments[Self.rounds] ?? SelfTest.defaultRounds
        log = arguments[Self.log] ?? "gate-self-test.log"
        seconds = arguments[GateCommand.seconds] ?? SelfTest.defaultSeconds
        guard seconds <= SelfTest.longestSeconds else {
            throw UsageError(
                "a round of a self-test takes at most \(Int(SelfTest.longestSeconds)) s; pass fewer --seconds")
        }
    }

    func run(_ gate: GateCommand, _ gauge: Gauge, console: Console) throws -> ExitCode {
        let selection = gauge.timeSelection(gate.selection.filter, suite: gate.suite)
        let chosen = try selection.of(gauge.benchmarks.filter { !$0.isPeer })
        let test = SelfTest(
            console: console, selection: chosen.map(\.name.description), settings: gate.settings, rounds: rounds,
            seconds: seconds, delta: gate.timeGate.delta, recipe: gate.recipe,
            package: FileManager.default.currentDirectoryPath)
        return try test.run(log: try SelfTestLog(log), directory: gate.directory)
    }
}
