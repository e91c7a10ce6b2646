import Foundation

/// Runs trials on the build of the copy.
struct TrialRunner {
    let copy: MutatedCopy
    let products: String
    /// Which of the runners that work side by side; each has its own files.
    var share = 0

    private var log: String { copy.root + "/trial-\(share).log" }
    private var reachedFile: String { copy.root + "/reached-\(share).txt" }
    private var temporary: String { copy.root + "/.build/tmp-\(share)" }
    private var bundle: String { products + "/CacheGaugePackageTests.xctest" }

    /// What swift-testing prints, without colours, when an expectation fails.
    private static let issue = "recorded an issue"
    private static let leftOut = ["KillTests", "CorpusReplayTests", "FuzzScriptTests", "PackageTests"]
    /// A test of the sources' imports; the copy imports one module more.
    private static let readsSources = "nothingInTheModuleKnows"

    /// Every suite of the unit tests, and the replay of every target.
    func allTrials() throws -> [Trial] {
        let listing = try Command.run(
            [bundle, "--testing-library", "swift-testing", "--list-tests"], log: log, limits: Limits())
        let names = Set(
            try listing.output().split(separator: "\n").compactMap { line -> String? in
                // The corpora are replayed target by target, and the scripts need the repository. KillTests kill a
                // process at a given clock time: on a busy machine they fail without a mutant.
                guard line.contains("/"), !Self.leftOut.contains(where: { line.contains(".\($0)/") }) else {
                    return nil
                }
                return line.split(separator: "/").first.map(String.init)
            })
        let targets = try Command.output(["\(products)/cachefuzz", "list"]).split(separator: "\n").map(String.init)
        // The canary is a planted crash, which its corpus doesn't reach.
        return targets.filter { $0 != "canary" }.map { Trial.replay($0) }
            + names.sorted().map { Trial.suite($0) }
    }

    /// Runs `trial` on the unchanged program.
    ///
    /// - Returns: `nil` if it fails, e.g. a test that reads the sources or expects another build.
    func baseline(_ trial: Trial) throws -> Baseline? {
        try? FileManager.default.removeItem(atPath: reachedFile)
        let result = try run(
            trial, mutant: 0, environment: ["CACHEGAUGE_MUTANTS_REACHED": reachedFile],
            limits: Limits(seconds: 3600, memory: Self.memory))
        guard result.status == 0, !result.wasStopped else {
            printError("mutants: without a mutant, \(trial.name) fails: \(try reason(result, limits: Limits()))")
            return nil
        }
        let reached = (try? String(contentsOfFile: reachedFile, encoding: .utf8)) ?? ""
        return Baseline(
            processorSeconds: result.processorSeconds,
            reached: Set(reached.split(separator: "\n").compactMap { Int($0) }))
    }

    /// Runs `trial` on a mutant.
    func outcome(of trial: Trial, mutant: Int, baseline: Baseline) throws -> Outcome {
        // A mutant that takes four times the processor time counts as killed. The limit of elapsed time is for mutants
        // that hang, and leaves room for a busy machine.
        let processorSeconds = Int(4 * baseline.processorSeconds) + 4
        let limits = Limits(
            processorSeconds: processorSeconds, seconds: 6 * processorSeconds + 60, memory: Self.memory)
        var result = try run(trial, mutant: mutant, environment: [:], limits: limits)
        // A paused machine looks like a hanging mutant, so the trial is repeated once.
        if result.isLate { result = try run(trial, mutant: mutant, environment: [:], limits: limits) }
        guard result.wasStopped || result.status != 0 else {
            return Outcome(kind: .survived, seconds: result.processorSeconds, detail: "")
        }
        let reason = try reason(result, limits: limits)
        return Outcome(kind: .killed, seconds: result.processorSeconds, detail: "\(trial.name): \(reason)")
    }

    private static let memory = 8 << 30

    private func run(
        _ trial: Trial, mutant: Int, environment: [String: String], limits: Limits
    ) throws -> Command.Result {
        // Files left by a killed test would disturb the next run.
        try? FileManager.default.removeItem(atPath: temporary)
        try FileManager.default.createDirectory(atPath: temporary, withIntermediateDirectories: true)
        let variables = environment.merging([
            "CACHEGAUGE_MUTANT": String(mutant), "SWIFT_BACKTRACE": "enable=no", "TMPDIR": temporary, "NO_COLOR": "1",
        ]) { $1 }
        switch trial {
        case .replay(let target):
            let command = ["\(products)/cachefuzz", "replay", target]
            return try Command.run(command, log: log, in: copy.root, environment: variables, limits: limits)
        case .suite(let name):
            let command = [
                bundle, "--testing-library", "swift-testing", "--no-parallel", "--filter", "^\(name)/",
                "--skip", Self.readsSources,
            ]
            return try Command.run(
                command, log: log, in: copy.root, environment: variables, limits: limits, stopAt: Self.issue)
        }
    }

    /// Why the trial failed: the test, the promise, or the signal.
    private func reason(_ result: Command.Result, limits: Limits) throws -> String {
        let lines = try result.output().split(separator: "\n")
        if result.wasStopped, let issue = lines.first(where: { $0.contains(Self.issue) }) {
            let test = issue.prefix(upTo: issue.range(of: " " + Self.issue)?.lowerBound ?? issue.endIndex)
            return String(test.split(separator: " ", maxSplits: 1).last ?? test).withoutTest
        }
        let isOverTime =
            result.isLate || result.status == SIGXCPU || result.status == 128 + SIGXCPU
            || result.processorSeconds >= Double(limits.processorSeconds ?? .max)
        if isOverTime { return "time-out" }
        if let promise = lines.last(where: { $0.contains("Fatal error: fuzz oracle: ") }),
            let start = promise.range(of: "fuzz oracle: ")
        {
            return String(promise[start.upperBound...].prefix(80))
        }
        if let trap = lines.last(where: { $0.contains("Fatal error: ") }), let start = trap.range(of: "Fatal error: ") {
            return "trap: " + trap[start.upperBound...].prefix(60)
        }
        return "crash"
    }
}

extension String {
    fileprivate var withoutTest: String { hasPrefix("Test ") ? String(dropFirst("Test ".count)) : self }
}
