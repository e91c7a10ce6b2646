import Foundation

/// A run, from choosing the mutants to writing the table.
struct Run {
    private let options: Options
    private let tree: SourceTree
    private let copy: MutatedCopy
    private let siteCount: Int
    private let mutants: [Mutant]

    init(root: String, options: Options) throws {
        self.options = options
        tree = try SourceTree(root: root)
        copy = MutatedCopy(tree: tree, root: root + "/.build/mutants/tree")
        var siteCount = 0
        var chosen: [Site] = []
        for (index, module) in ResultTable.modules.enumerated() {
            let sites = try tree.sources(in: "Sources/Cache/\(module)").flatMap { [tree] file in
                SiteFinder.sites(in: try tree.text(file), file: file)
            }
            siteCount += sites.count
            chosen += Choice.sites((options.count + 1 - index) / 2, of: sites, seed: options.seed)
        }
        self.siteCount = siteCount
        mutants = chosen.enumerated().map { Mutant(number: $0 + 1, site: $1) }
    }

    /// - Returns: the exit code.
    func perform() throws -> Int32 {
        if options.action == .list {
            for mutant in mutants { print((EquivalentMutants.key(of: mutant.site) + [""]).joined(separator: "\n")) }
            return 0
        }
        try FileManager.default.createDirectory(atPath: copy.root, withIntermediateDirectories: true)
        let logPath = tree.root + "/.build/mutants/log.tsv"
        if options.isFresh { try? FileManager.default.removeItem(atPath: logPath) }
        var log = try RunLog(path: logPath, plan: plan)
        if options.isRetry { try log.forgetSurvivors() }
        if options.action == .run { try tryMutants(&log) }
        return try writeTable(log)
    }

    /// A hash of the chosen mutants and of the files that contain them.
    private var plan: String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325  // FNV-1a
        let files = Set(mutants.map(\.site.file)).sorted()
        let texts = files.compactMap { try? tree.text($0) } + mutants.flatMap { EquivalentMutants.key(of: $0.site) }
        for byte in texts.joined(separator: "\n").utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return String(hash, radix: 16)
    }

    // MARK: - Trying

    private func tryMutants(_ log: inout RunLog) throws {
        let build = Build(copy: copy)
        let left = try build.compiling(mutants.filter { !log.dropped.contains($0.number) })
        if !log.isBuilt { try log.built(dropped: Set(mutants.map(\.number)).subtracting(left.map(\.number))) }
        let runner = TrialRunner(copy: copy, products: build.products)
        let trials = try runner.allTrials()
        for trial in trials where log.baselines[trial] == nil {
            let baseline = try runner.baseline(trial)
            try log.add(baseline, of: trial)
            printError(
                String(
                    format: "mutants: without a mutant, %.1f s, reaches %d: ", baseline.processorSeconds,
                    baseline.reached.count)
                    + trial.name)
        }
        for mutant in left {
            for stage in [Stage.replay, .tests] where log.outcomes[mutant.number]?[stage] == nil {
                let candidates = trials.filter { $0.stage == stage }
                let outcome = try outcome(of: mutant, among: candidates, runner: runner, baselines: log.baselines)
                try log.add(outcome, of: mutant.number, in: stage)
                report(mutant, stage, outcome)
            }
        }
        try fuzzSurvivors(of: left, &log)
    }

    /// Tries `mutant` with every candidate that reaches its place, the quickest first, until one kills it.
    private func outcome(
        of mutant: Mutant, among candidates: [Trial], runner: TrialRunner, baselines: [Trial: Baseline]
    ) throws -> Outcome {
        let reaching = candidates.compactMap { trial in baselines[trial].map { (trial, $0) } }
            .filter { $0.1.reached.contains(mutant.number) }
            .sorted { $0.1.processorSeconds < $1.1.processorSeconds }
        var seconds = 0.0
        for (trial, baseline) in reaching {
            let outcome = try runner.outcome(of: trial, mutant: mutant.number, baseline: baseline)
            seconds += outcome.seconds
            if outcome.kind == .killed { return Outcome(kind: .killed, seconds: seconds, detail: outcome.detail) }
        }
        return Outcome(kind: reaching.isEmpty ? .unreached : .survived, seconds: seconds, detail: "")
    }

    private func fuzzSurvivors(of mutants: [Mutant], _ log: inout RunLog) throws {
        let survivors = mutants.filter { mutant in
            let outcomes = log.outcomes[mutant.number] ?? [:]
            return outcomes[.fuzzing] == nil && !outcomes.values.contains { $0.kind == .killed }
        }
        guard !survivors.isEmpty, options.fuzzSeconds > 0 else { return }
        let fuzzing = Fuzzing(copy: copy, seconds: options.fuzzSeconds, seed: options.seed)
        try fuzzing.build()
        for mutant in survivors {
            let targets = self.targets(reaching: mutant, baselines: log.baselines)
            let outcome = try fuzzing.outcome(mutant: mutant.number, targets: targets)
            try log.add(outcome, of: mutant.number, in: .fuzzing)
            report(mutant, .fuzzing, outcome)
        }
    }

    /// The targets whose corpus reaches the mutant's place, or otherwise those that reach another place in the file.
    private func targets(reaching mutant: Mutant, baselines: [Trial: Baseline]) -> [String] {
        let neighbours = Set(mutants.filter { $0.site.file == mutant.site.file }.map(\.number))
        let replays = baselines.filter { $0.key.stage == .replay }
        let near = replays.filter { $0.value.reached.contains(mutant.number) }
        let chosen = near.isEmpty ? replays.filter { !$0.value.reached.isDisjoint(with: neighbours) } : near
        return chosen.keys.map(\.name).sorted()
    }

    private func report(_ mutant: Mutant, _ stage: Stage, _ outcome: Outcome) {
        let detail = outcome.detail.isEmpty ? "" : " by \(outcome.detail)"
        printError("\(mutant.number)/\(mutants.count) \(stage.rawValue): \(outcome.kind.rawValue)\(detail)")
    }

    // MARK: - Reporting

    private func writeTable(_ log: RunLog) throws -> Int32 {
        let equivalent = try EquivalentMutants(tree.text("Fuzz/mutants/equivalent.txt"))
        let table = ResultTable(
            revision: try tree.revision(of: ResultTable.modules.map { "Sources/Cache/\($0)" }), seed: options.seed,
            siteCount: siteCount, chosenCount: mutants.count,
            fuzzSeconds: options.fuzzSeconds, mutants: mutants.filter { !log.dropped.contains($0.number) },
            outcomes: log.outcomes, equivalent: equivalent)
        try Data(table.text.utf8).write(to: URL(filePath: tree.root + "/results/mutants.md"))
        for mutant in table.contradictions {
            printError("mutants: \(mutant.number) is named in equivalent.txt, and was killed: \(mutant.site.change)")
        }
        return table.contradictions.isEmpty ? 0 : 3
    }
}
