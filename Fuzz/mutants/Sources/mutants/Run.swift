import Foundation

/// A run, from choosing the mutants to writing the table.
struct Run {
    private let options: Options
    private let tree: SourceTree
    private let copy: MutatedCopy
    private let siteCount: Int
    /// More than are tried, since many don't compile.
    private let candidates: [Mutant]

    private static let candidatesForEach = 2

    init(root: String, options: Options) throws {
        self.options = options
        tree = try SourceTree(root: root)
        copy = MutatedCopy(tree: tree, root: root + "/.build/mutants/tree")
        let unlisted = Modules.unlisted(in: tree.files)
        guard unlisted.isEmpty else {
            throw Failure(
                "\(unlisted.sorted().joined(separator: ", ")): add the module to Modules.swift of Fuzz/mutants")
        }
        var siteCount = 0
        var chosen: [Site] = []
        for folder in options.folders {
            let files = tree.sources(in: folder)
            let texts = try files.map(tree.text)
            let neighbours = Neighbours(sources: texts)
            let sites = zip(files, texts).flatMap { SiteFinder.sites(in: $1, file: $0, neighbours: neighbours) }
            siteCount += sites.count
            chosen += Choice.sites(options.count * Self.candidatesForEach, of: sites, seed: options.seed)
        }
        self.siteCount = siteCount
        candidates = chosen.enumerated().map { Mutant(number: $0 + 1, site: $1) }
    }

    /// - Returns: the exit code.
    func perform() throws -> Int32 {
        if options.action == .list {
            for mutant in candidates { print((EquivalentMutants.key(of: mutant.site) + [""]).joined(separator: "\n")) }
            return 0
        }
        try FileManager.default.createDirectory(atPath: copy.root, withIntermediateDirectories: true)
        let logPath = tree.root + "/.build/mutants/log.tsv"
        if options.action == .work {
            try work(RunLog(path: logPath, plan: plan, isRead: true))
            return 0
        }
        if options.isFresh { try? FileManager.default.removeItem(atPath: logPath) }
        var log = try RunLog(path: logPath, plan: plan)
        if options.isRetry { try log.forgetSurvivors() }
        if options.action == .run { try tryMutants(&log) }
        return try writeTable(log)
    }

    /// A hash of the candidates and the files that contain them.
    private var plan: String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325  // FNV-1a
        let files = Set(candidates.map(\.site.file)).sorted()
        let texts = files.compactMap { try? tree.text($0) } + candidates.flatMap { EquivalentMutants.key(of: $0.site) }
        for byte in texts.joined(separator: "\n").utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return String(hash, radix: 16)
    }

    // MARK: - Trying

    private func tryMutants(_ log: inout RunLog) throws {
        let build = Build(copy: copy)
        let compiling = try build.compiling(candidates.filter { !log.dropped.contains($0.number) })
        if log.chosen == nil {
            let dropped = Set(candidates.map(\.number)).subtracting(compiling.map(\.number))
            try log.built(dropped: dropped, chosen: chosen(among: compiling))
        }
        let runner = TrialRunner(copy: copy, products: build.products)
        for trial in try runner.allTrials() where log.baselines[trial] == nil && !log.failing.contains(trial) {
            guard let baseline = try runner.baseline(trial) else {
                try log.addFailing(trial)
                continue
            }
            try log.add(baseline, of: trial)
            printError(
                String(
                    format: "mutants: without a mutant, %.1f s, reaches %d: ", baseline.processorSeconds,
                    baseline.reached.count)
                    + trial.name)
        }
        try workSideBySide(&log)
        try fuzzSurvivors(of: mutants(log), &log)
    }

    /// As many compiling ones as asked for, in each module evenly over the operators.
    private func chosen(among compiling: [Mutant]) -> Set<Int> {
        let numbers = options.folders.flatMap { folder in
            let sites = compiling.filter { $0.site.file.hasPrefix(folder + "/") }
            let chosen = Choice.sites(options.count, of: sites.map(\.site), seed: options.seed)
            return sites.filter { chosen.contains($0.site) }.map(\.number)
        }
        return Set(numbers)
    }

    private func mutants(_ log: RunLog) -> [Mutant] { candidates.filter { log.chosen?.contains($0.number) ?? false } }

    /// Starts processes that try a share of the mutants each, and notes what they print.
    private func workSideBySide(_ log: inout RunLog) throws {
        let lines = try Lines(
            (0..<options.jobs).map { share in
                [CommandLine.arguments[0], tree.root, "work"] + options.workArguments + ["--share", String(share)]
            })
        while let line = try lines.next() {
            try log.addOutcome(line)
            printError("mutants: " + line.replacing("\t", with: " "))
        }
    }

    private func work(_ log: RunLog) throws {
        var runner = TrialRunner(copy: copy, products: Build(copy: copy).products)
        runner.share = options.share
        for (place, mutant) in inTurns(mutants(log)).enumerated() where place % options.jobs == options.share {
            for stage in [Stage.tests, .replay] {
                if let known = log.outcomes[mutant.number]?[stage] {
                    if known.kind == .killed { break }
                    continue
                }
                let outcome = try outcome(
                    of: mutant, among: log.baselines.keys.filter { $0.stage == stage }, runner: runner,
                    baselines: log.baselines)
                print(RunLog.line(outcome, of: mutant.number, in: stage).joined(separator: "\t"))
                fflush(nil)
                if outcome.kind == .killed { break }
            }
        }
    }

    /// One of each module in turn, so that a stopped run has tried all modules alike.
    private func inTurns(_ mutants: [Mutant]) -> [Mutant] {
        let modules = options.folders.map { folder in mutants.filter { $0.site.file.hasPrefix(folder + "/") } }
        return Choice.inTurns(modules, seed: options.seed)
    }

    /// Tries `mutant` with every candidate that reaches its place, quickest first, until one kills it.
    private func outcome(
        of mutant: Mutant, among candidates: [Trial], runner: TrialRunner, baselines: [Trial: Baseline]
    ) throws -> Outcome {
        let reaching = candidates.compactMap { trial in baselines[trial].map { (trial, $0) } }
            .filter { $0.1.reached.contains(mutant.number) }
            .sorted { ($0.1.processorSeconds, $0.0.name) < ($1.1.processorSeconds, $1.0.name) }
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
            let targets = self.targets(reaching: mutant, among: mutants, baselines: log.baselines)
            let outcome = try fuzzing.outcome(mutant: mutant.number, targets: targets)
            try log.add(outcome, of: mutant.number, in: .fuzzing)
            printError("mutants: \(mutant.number) fuzzing: \(outcome.kind.rawValue) \(outcome.detail)")
        }
    }

    /// The targets whose corpus reaches the mutant's place, or else another place in the file.
    private func targets(
        reaching mutant: Mutant, among mutants: [Mutant], baselines: [Trial: Baseline]
    ) -> [String] {
        let neighbours = Set(mutants.filter { $0.site.file == mutant.site.file }.map(\.number))
        let replays = baselines.filter { $0.key.stage == .replay }
        let near = replays.filter { $0.value.reached.contains(mutant.number) }
        let chosen = near.isEmpty ? replays.filter { !$0.value.reached.isDisjoint(with: neighbours) } : near
        return chosen.keys.map(\.name).sorted()
    }

    // MARK: - Reporting

    private func writeTable(_ log: RunLog) throws -> Int32 {
        let equivalent = try EquivalentMutants(tree.text("Fuzz/mutants/equivalent.txt"))
        let chosen = mutants(log)
        let tried = chosen.filter { log.outcomes[$0.number] != nil }
        let table = ResultTable(
            revision: try tree.revision(of: options.folders), modules: options.folders, seed: options.seed,
            siteCount: siteCount, droppedCount: log.dropped.count, untriedCount: chosen.count - tried.count,
            fuzzSeconds: options.fuzzSeconds, mutants: tried, outcomes: log.outcomes,
            failing: log.failing.map(\.name).sorted(), equivalent: equivalent,
            byHand: try tree.text("Fuzz/mutants/by-hand.md"))
        try Data(table.text.utf8).write(to: URL(filePath: tree.root + "/results/mutants.md"))
        for mutant in table.contradictions {
            printError("mutants: \(mutant.number) is named in equivalent.txt, and was killed: \(mutant.site.change)")
        }
        return table.contradictions.isEmpty ? 0 : 3
    }
}
