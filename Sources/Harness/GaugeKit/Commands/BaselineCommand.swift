import Foundation
import Platform

/// `baseline`: keeps counts, and compares new counts with them.
struct BaselineCommand: GaugeCommand {
    static let judges = true

    static let reason = CommandOption.text(
        "reason", "TEXT", help: "why these counts are the new ones to compare with; update requires it")
    static let folder = CommandOption.text(
        "baselines", "DIR", help: "the folder of the files; \(BaselineFolder.usual) by default")

    static let specification = CommandSpecification(
        name: "baseline", summary: "Keeps counts, and compares new counts with them.",
        operands: ["update|read|list|compare|check|delete [NAME]…"],
        options: [
            reason, folder, RunCommand.filter, RunCommand.suite,
        ] + GateConditions.options + [CommonOptions.format] + GateCommand.settingsOptions,
        notes: [
            .table(
                nil,
                [
                    ("update NAME", "counts four times, and keeps the counts under the key of this machine"),
                    ("read NAME", "prints the counts that are kept"),
                    ("list", "prints the names, keys and reasons"),
                    ("compare NAME", "counts, and prints a comparison; compare NAME OTHER compares without counting"),
                    ("check NAME", "as compare, and the exit code tells the result"),
                    ("delete NAME", "removes the file"),
                ]),
            """
            Counts are of this executable in its current state. They are kept by Swift version, architecture, C library
            and the processor's features; those with another key are not comparable. gate --help lists the counts. Times
            are not kept, since they do not repeat on another day.
            """,
            GateConditions.note,
        ])

    private enum Action: String, CaseIterable { case update, read, list, compare, check, delete }

    private let action: Action
    private let names: [String]
    private let reason: String?
    private let folder: BaselineFolder
    private let selection: BenchmarkSelection
    private let conditions: GateDecision.Conditions
    private let format: ReportFormat
    private let settings: RunSettings
    private let directory: String?

    init(_ arguments: ParsedArguments) throws {
        let words = Action.allCases.map(\.rawValue)
        let first = arguments.operands.first ?? ""
        guard let action = Action(rawValue: first) else {
            throw UsageError(
                "baseline cannot '\(first)'\(NearNames.question(first, among: words)); "
                    + "it can \(words.joined(separator: ", "))")
        }
        self.action = action
        names = try arguments.operands.dropFirst().map(BaselineFolder.checked)
        reason = arguments[Self.reason]?.trimmingCharacters(in: .whitespacesAndNewlines)
        folder = BaselineFolder(path: arguments[Self.folder] ?? BaselineFolder.usual)
        selection = BenchmarkSelection(
            filter: arguments[RunCommand.filter], suite: arguments[RunCommand.suite] ?? BenchmarkSelection.usual)
        conditions = try GateConditions.of(arguments)
        format = arguments[CommonOptions.format] ?? .text
        guard format == .text || action == .compare || action == .check else {
            throw UsageError("--format json is for baseline compare and check; leave it out")
        }
        settings = GateCommand.settings(arguments)
        directory = arguments[CommonOptions.directory]
        let expected = action == .list ? 0...0 : action == .compare ? 1...2 : 1...1
        guard expected.contains(names.count) else {
            throw UsageError(
                action == .list
                    ? "baseline list takes no name"
                    : "baseline \(first) takes \(expected.upperBound == 2 ? "one name or two" : "one name"); "
                        + "write baseline \(first) NAME")
        }
        if names.count == 2 {
            try arguments.refuse(GateCommand.settingsOptions, because: "two baselines are compared without counting")
        }
        guard action != .update || reason?.isEmpty == false else {
            throw UsageError("baseline update needs --reason TEXT: why the counts may change")
        }
    }

    func run(_ gauge: Gauge, console: Console) throws -> ExitCode {
        switch action {
        case .list:
            let (text, faults) = BaselineReport.list(folder, width: console.width)
            try console.write(text)
            for fault in faults { console.note("\(fault)\n") }
            return faults.isEmpty ? .ok : .failure
        case .read:
            guard let baseline = try folder.load(names[0]) else { return missing(names[0], console) }
            try console.write(BaselineReport.text(baseline, width: console.width))
            return .ok
        case .delete:
            guard try folder.delete(names[0]) else { return missing(names[0], console) }
            return .ok
        case .update, .compare, .check:
            return try Counting.reportingTrouble(to: console) {
                action == .update ? try update(gauge, console) : try compare(gauge, console)
            }
        }
    }

    private func missing(_ name: String, _ console: Console) -> ExitCode {
        let question = NearNames.question(name, among: folder.names().filter { $0 != name })
        console.note("there is no baseline '\(name)' in \(folder.path)\(question); baseline update makes it\n")
        return .missingBaseline
    }

    private func update(_ gauge: Gauge, _ console: Console) throws -> ExitCode {
        // Before counting, which takes minutes.
        try folder.prepare(for: names[0])
        var baseline = try folder.load(names[0]) ?? Baseline()
        let others = try rowsBesideSelection(of: baseline[.current], gauge)
        let (table, _) = try count(gauge, console) { try $0.countsToKeep(of: $1) }
        try Counting.rejectFailures(of: table)
        let figures = Baseline.Entry.figures(of: table)
        let before = baseline[.current]?.count ?? 0
        baseline.put(
            Baseline.Entry(
                key: .current, reason: reason ?? "", revision: SourceRevision.own.description,
                date: ISO8601DateFormatter().string(from: Date()), settings: Baseline.Settings(settings),
                figures: figures.merging(others) { counted, _ in counted }))
        try folder.save(baseline, as: names[0])
        func number(_ rows: [String: [String: RepeatedCount]]) -> Int { rows.values.reduce(0) { $0 + $1.count } }
        let unstable = figures.values.reduce(0) { sum, row in
            sum + row.count { !$1.isStable(within: Metric.named($0)?.repeatability ?? RepeatedCount.repeatability) }
        }
        let stay = others.isEmpty ? "" : "; \(number(others)) of other rows stay as they were"
        try console.write(
            "\(folder.file(names[0])): \(number(figures)) figures in place of \(before - number(others)), "
                + "\(unstable) of them as a range since they do not repeat\(stay)\n\(BaselineKey.current)\n")
        return .ok
    }

    /// The baseline's rows outside the selection, which an update keeps.
    ///
    /// - Throws: `GaugeError` if they were counted with other settings, since an entry has only one.
    private func rowsBesideSelection(
        of entry: Baseline.Entry?, _ gauge: Gauge
    ) throws -> [String: [String: RepeatedCount]] {
        guard let entry else { return [:] }
        let known = Set(gauge.benchmarks.map(\.name.description))
        let filtered = try selection.filter.map { try NameFilter($0).matches(among: Array(entry.figures.keys)) }
        let others = entry.rows(beside: try selected(gauge)) {
            !known.contains($0) && filtered?.contains($0) != false
        }
        guard others.isEmpty || entry.settings == Baseline.Settings(settings) else {
            throw GaugeError(
                "baseline \(names[0]) was counted with other capacities, seed or operations, and has rows that are not "
                    + "selected, such as \(others.keys.sorted()[0]); select all of its rows, or delete it first")
        }
        return others
    }

    private func compare(_ gauge: Gauge, _ console: Console) throws -> ExitCode {
        guard let baseline = try folder.load(names[0]) else { return missing(names[0], console) }
        if names.count == 2 { return try compareFiles(baseline, console) }
        let known = Set(gauge.benchmarks.map(\.name.description))
        let comparison = BaselineComparison(
            name: names[0], baseline: baseline, key: .current, settings: Baseline.Settings(settings))
        let counted = try count(gauge, console) { try $0.confirmedCounts(of: $1, beside: comparison.kept) }
        return try judge(comparison, counted, head: "this build", console) { !known.contains($0) }
    }

    /// Compares two files by each key that both have.
    private func compareFiles(_ baseline: Baseline, _ console: Console) throws -> ExitCode {
        guard let other = try folder.load(names[1]) else { return missing(names[1], console) }
        let keys = baseline.keys(sharedWith: other)
        guard !keys.isEmpty else {
            throw GaugeError(
                "baselines \(names[0]) and \(names[1]) have no key in common, so their counts are not comparable; "
                    + "baseline list prints the keys")
        }
        for (index, key) in keys.enumerated() {
            guard let entry = other[key] else { continue }
            if format == .json, index > 0 {
                console.note("not in the document: \(key)\n")
                continue
            }
            if format == .text, keys != [.current] { try console.write("\(index > 0 ? "\n" : "")\(key)\n\n") }
            let comparison = BaselineComparison(name: names[0], baseline: baseline, key: key, settings: entry.settings)
            _ = try judge(
                comparison, (entry.counts, entry.counts.keys.sorted()), head: "baseline \(names[1])", console
            ) { _ in true }
        }
        return .ok
    }

    /// Compares counts with the baseline's, and prints the decision.
    ///
    /// - Parameter isMeant: whether a benchmark that was not counted is told to be gone, given its name.
    private func judge(
        _ comparison: BaselineComparison, _ counted: (table: [String: BenchmarkCounts], order: [String]), head: String,
        _ console: Console, isMeant: (String) -> Bool
    ) throws -> ExitCode {
        let kept = Array(comparison.baseline[comparison.key]?.figures.keys ?? [:].keys)
        let filtered = try selection.filter.map { try NameFilter($0).matches(among: kept + counted.order) }
        func isChosen(_ benchmark: String) -> Bool { filtered?.contains(benchmark) != false }
        let decision = GateDecision(
            comparisons: comparison.comparisons(
                with: Counting.judged(counted.table), order: counted.order.filter(isChosen)
            ) { isChosen($0) && isMeant($0) },
            failures: Counting.failures(of: counted.table), conditions: conditions)
        let titles = (base: "baseline \(names[0])", head: head)
        let exitCode: ExitCode = action == .check || !decision.failures.isEmpty ? decision.exitCode : .ok
        switch format {
        case .text:
            try console.write(GateTable().text(decision.comparisons, width: console.width) + "\n\(decision.summary)\n")
        case .json:
            try console.write(try GateDocument(titles: titles, counts: decision, times: nil, exitCode: exitCode).json())
        }
        if let obstacle = comparison.obstacle { console.note("not comparable: \(obstacle)\n") }
        try GateConditions.tell(
            decision, title: "Baseline \(names[0])", titles: titles,
            console: format == .json ? console.besideDocument : console)
        return exitCode
    }

    /// The names of the selected benchmarks, without peers.
    private func selected(_ gauge: Gauge) throws -> [String] {
        let names = try selection.of(gauge.benchmarks).filter { !$0.isPeer }.map(\.name.description)
        guard !names.isEmpty else {
            throw UsageError("only peers are selected, and their counts are not kept; see --filter and --suite")
        }
        return names
    }

    /// Counts the benchmarks of this executable.
    private func count(
        _ gauge: Gauge, _ console: Console,
        _ counts: (_ run: CountRun, _ names: [String]) throws -> [String: BenchmarkCounts]
    ) throws -> (table: [String: BenchmarkCounts], order: [String]) {
        let order = try selected(gauge)
        guard let own = ownExecutablePath() else { throw GaugeError("the path of this executable is unknown") }
        let temporary = try TemporaryDirectory(in: directory)
        defer { temporary.remove() }
        let copy = try GateBuilds.copy(own, named: "head", to: temporary)
        let run = CountRun(
            executables: [copy], settings: settings, directory: temporary, interruption: try Interruption(),
            progress: ProgressLine(console: console))
        return (try counts(run, order), order)
    }
}
