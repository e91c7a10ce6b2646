/// The decisions of `gate` on two executables.
extension GateCommand {
    /// Judges counts, then times, and prints both decisions.
    ///
    /// - Parameters:
    ///   - kept: counts of the base that needn't be taken again.
    ///   - padding: makes a copy of the base with padding, for times only (see `GateArms`).
    func judge(
        _ gauge: Gauge, _ variants: GateArms, titles: (base: String, head: String),
        in temporary: TemporaryDirectory, _ interruption: Interruption, console: Console, kept: KeptCounts? = nil,
        padding: () throws -> String? = { nil }
    ) throws -> ExitCode {
        var decision = GateDecision(comparisons: [], conditions: conditions)
        if judgesCounts {
            // What was counted before an interruption is kept, too.
            defer { kept?.save() }
            decision = try countsDecision(
                base: variants.base, current: variants.current, in: temporary, interruption, console: console,
                kept: kept)
            try tell(decision, gauge, titles: titles, console: console)
        }
        var time: TimeDecision?
        if judgesTime {
            var variants = variants
            variants.padded = try padding()
            let judged = try timeDecision(gauge, variants, in: temporary, interruption, console: console)
            if format == .text {
                try console.write("\n\(judged.report.text(width: console.width))\n\(judged.summary)\n")
            }
            try judged.tell(
                title: "Time of \(gauge.executable)", beside: decision,
                console: format == .json ? console.besideDocument : console)
            time = judged
        }
        let exitCode = time?.exitCode(beside: decision) ?? decision.exitCode
        if format == .json {
            let document = GateDocument(
                titles: titles, counts: judgesCounts ? decision : nil, times: time, exitCode: exitCode)
            try console.write(try document.json())
        }
        return exitCode
    }

    private func tell(
        _ decision: GateDecision, _ gauge: Gauge, titles: (base: String, head: String), console: Console
    ) throws {
        if format == .text { try write(decision, titles: titles, console: console) }
        try GateConditions.tell(
            decision, title: "Counts of \(gauge.executable)", titles: titles,
            console: format == .json ? console.besideDocument : console)
    }

    private func write(_ decision: GateDecision, titles: (base: String, head: String), console: Console) throws {
        try console.write("base \(titles.base), current \(titles.head)\n\n")
        try console.write(GateTable().text(decision.comparisons, width: console.width))
        try console.write("\n\(decision.summary)\n")
    }

    private func timeDecision(
        _ gauge: Gauge, _ variants: GateArms, in temporary: TemporaryDirectory,
        _ interruption: Interruption, console: Console
    ) throws -> TimeDecision {
        let selection = gauge.timeSelection(selection.filter, suite: suite)
        let everything = BenchmarkSelection(filter: selection.filter, suite: BenchmarkSelection.everything)
        func names(_ executable: String, _ selection: BenchmarkSelection, _ title: String) throws -> [String] {
            try RevisionBenchmarks.names(of: executable, selection, title: title, interruption: interruption)
        }
        let head = try names(variants.current, selection, "the working tree")
        let base = try names(variants.base, selection, "the base")
        if head.isEmpty, base.isEmpty {
            let reason = "neither build has a selected benchmark whose time is judged"
            guard judgesCounts else { throw UsageError("\(reason); see --filter and --suite") }
            console.note("warning: \(reason)\n")
        }
        // A benchmark that changes its suite is neither new nor gone.
        let known = Set(try names(variants.base, everything, "the base") + base)
        let kept = Set(try names(variants.current, everything, "the working tree") + head)
        let progress = ProgressLine(console: console)
        defer { progress.clear() }
        let experiment = Experiment(settings: settings, directory: temporary, interruption: interruption)
        let both = head.filter(known.contains)
        let plan = LookPlan(benchmarks: both.count)
        var rows = both.map { ExperimentRow($0, plan: plan, delta: timeGate.delta) }
        var isInterrupted = false
        do {
            try experiment.run(
                &rows, arms: { variants.arms(of: $0) }, seconds: timeGate.seconds, progress: progress.show)
        } catch is Interrupted {
            isInterrupted = true
        }
        let new = head.filter { !known.contains($0) }.map {
            ExperimentRow(oneSided: $0, isNew: true, delta: timeGate.delta)
        }
        let gone = base.filter { !kept.contains($0) }.map {
            ExperimentRow(oneSided: $0, isNew: false, delta: timeGate.delta)
        }
        return TimeDecision(rows: rows + new + gone, delta: timeGate.delta, isInterrupted: isInterrupted)
    }

    private func countsDecision(
        base: String, current: String, in temporary: TemporaryDirectory, _ interruption: Interruption,
        console: Console, kept: KeptCounts?
    ) throws -> GateDecision {
        func list(_ executable: String, _ selection: BenchmarkSelection, _ title: String) throws -> [ListedBenchmark] {
            try RevisionBenchmarks.list(of: executable, selection, title: title, interruption: interruption)
        }
        let baseNames = try list(base, selection, "the base").map(\.name)
        let headNames = try list(current, selection, "the working tree").map(\.name)
        guard !headNames.isEmpty || !baseNames.isEmpty else {
            let chosen = selection.suite.map { " of suite '\($0)'" } ?? ""
            let matching = selection.filter.map { " that matches '\($0)'" } ?? ""
            throw UsageError("neither build has a benchmark\(chosen)\(matching); the command list names all of them")
        }
        let run = CountRun(
            executables: [base, current], settings: settings, directory: temporary, interruption: interruption,
            progress: ProgressLine(console: console), kept: kept)
        let tables = try run.confirmedCounts(of: [baseNames, headNames])
        let judged = Counting.judged(tables[1])
        let gone = baseNames.filter { !headNames.contains($0) }
        let everything = BenchmarkSelection(suite: BenchmarkSelection.everything)
        let growth = try run.growth(
            of: judgesGrowth ? headNames + gone : [],
            listed: (try list(base, everything, "the base"), try list(current, everything, "the working tree")))
        return GateDecision(
            comparisons: (headNames + gone).map {
                CountComparison($0, base: tables[0][$0], head: judged[$0])
            } + growth, failures: Counting.failures(of: tables[1]), conditions: conditions)
    }
}

/// Options and output shared by all commands that judge.
enum GateConditions {
    static let require = CommandOption.text(
        "require", "METRICS",
        help: "metrics, separated by commas; exits with 5 unless they are comparable for every benchmark")
    static let failOnImprovement = CommandOption.flag(
        "fail-on-improvement", help: "exits with 4 when something got better and nothing worse")
    static let strict = CommandOption.flag(
        "strict", help: "exits with 7, instead of printing a warning, when something could not be judged")

    static let options: [any AnyOption] = [require, failOnImprovement, strict]

    static let note: HelpNote = """
        Exit codes: 0 nothing got worse, 1 error, 2 regression, 3 wrong answers of the working tree, 4 improvement
        (--fail-on-improvement), 5 a required count is missing, 7 something could not be judged (--strict), 64 wrong
        usage. On GitHub Actions there are annotations, and a summary of the job.
        """

    static func of(_ arguments: ParsedArguments) throws -> GateDecision.Conditions {
        let names = (arguments[require] ?? "").split(separator: ",").map { String($0.drop { $0 == " " }) }
        if arguments[require] != nil, names.isEmpty {
            throw UsageError("--require names no metric; name some, as in --require instructions, or leave it out")
        }
        return GateDecision.Conditions(
            required: try names.map(metric), failsOnImprovement: arguments.has(failOnImprovement),
            isStrict: arguments.has(strict))
    }

    private static func metric(_ name: String) throws -> Metric {
        guard let metric = Metric.named(name) else {
            let all = Metric.all.map(\.name)
            throw UsageError(
                "there is no metric '\(name)'\(NearNames.question(name, among: all)); "
                    + "the metrics are \(all.joined(separator: ", "))")
        }
        return metric
    }

    /// Prints the decision behind the exit code, with details if people see the output.
    static func tell(
        _ decision: GateDecision, title: String, titles: (base: String, head: String), console: Console
    ) throws {
        for line in decision.failures.map(\.line) + decision.missing { console.note("\(line)\n") }
        if decision.exitCode == .improvement {
            console.note(
                "\(Quantity.counted(decision.improvements.count, "count")) got better; \(GateDecision.improved)\n")
        }
        let open = decision.unstable.count + decision.incomparable.count
        if open > 0 { console.note("warning: \(GateDecision.notGated(open)); see their verdicts\n") }
        try GitHubActions(console: console)?.tell(
            decision, markdown: GateMarkdown.text(decision, title: title, titles: titles))
    }
}
