import Platform

/// Tries random operations on a second subject after a row was measured. A run then also notices wrong answers that its
/// own operations don't provoke: after a removal, after a body of another length, for a key with the same hash.
struct AnswerCheck {
    private let type: any CacheSubject.Type
    private let context: RunContext
    /// In this thread's processor time, so that a busy machine doesn't end it early, and in elapsed time.
    private let end: (processor: UInt64, elapsed: UInt64)
    private let pairsEnd: UInt64

    /// Checks a subject, and reports wrong answers with the row's. Other errors are left to `verify`, which has more
    /// time and shows the steps.
    static func run(_ type: any CacheSubject.Type, _ context: RunContext, nanoseconds: UInt64) {
        // Counts must cover the same work every time, which this doesn't.
        guard !FixedSurroundings.isUnhurried else { return }
        AnswerCheck(type, context, nanoseconds).run()
    }

    private init(_ type: any CacheSubject.Type, _ context: RunContext, _ nanoseconds: UInt64) {
        (self.type, self.context) = (type, context)
        let start = threadCPUNanoseconds()
        pairsEnd = start + nanoseconds / 3
        end = (start + nanoseconds, monotonicNanoseconds() + 8 * nanoseconds)
    }

    private var isOver: Bool { threadCPUNanoseconds() > end.processor || monotonicNanoseconds() > end.elapsed }

    private func run() {
        guard let directory = try? TemporaryDirectory(in: context.directory) else { return }
        defer { directory.remove() }
        let trial = Trial(type, parent: directory.path) { _ in }
        // Different in each process that measures the row; the report names the failing sequence.
        var seed = SplitMix64.mix(context.seed ^ UInt64(getpid())) % 1_000_000
        if check("model-keys", seed: 1, { try tryPairs(trial, isBackwards: seed % 2 == 1) }) { return }
        if check("damaged-name", { try Promise.checkNames(trial) }) { return }
        while !isOver {
            for kind in [ModelSequence.Kind.kept, .answers] where !isOver {
                let sequence = ModelSequence(kind, seed: seed, capabilities: type.capabilities)
                let isWrong = check("model-\(kind.rawValue)", seed: seed) {
                    try ModelRun.run(sequence, steps: Array(sequence.steps.indices), on: trial) { isOver }
                }
                if isWrong { return }
            }
            seed &+= 1
        }
    }

    /// Tries pairs of keys for at most a third of the time.
    ///
    /// - Parameter isBackwards: whether to start with the last, so that each gets its turn in one of several processes.
    private func tryPairs(_ trial: Trial, isBackwards: Bool) throws {
        let tiers = [SubjectCapabilities.memory, .disk].filter(type.capabilities.contains)
        let pairs = ModelKeys.pairs + WeakHash.knownPairs
        for tier in isBackwards ? tiers.reversed() : tiers {
            try trial.begin(memory: tier == .memory ? 1 << 20 : 0, disk: tier == .disk ? 1 << 20 : 0)
            for pair in isBackwards ? pairs.reversed() : pairs where threadCPUNanoseconds() < pairsEnd {
                try ManyKeys.tryPair(pair, trial)
            }
            trial.clean()
        }
    }

    /// Whether an answer was wrong; reports it.
    private func check(_ promise: String, seed: UInt64? = nil, _ part: () throws -> Void) -> Bool {
        do {
            try part()
            return false
        } catch let broken as PromiseBroken {
            context.answers.wrong(
                key: type.name, expected: "what the promise \(promise) of verify says", got: broken.description,
                history: [
                    "the steps: verify --subject \(type.name) --promise \(promise)"
                        + (seed.map { " --seed \($0)" } ?? "")
                ])
            return true
        } catch {
            return false
        }
    }
}

extension Benchmark {
    /// The same benchmark, which also checks the subject's answers after its last slice, if its operations store
    /// something.
    package func checkingAnswers(of type: any CacheSubject.Type, nanoseconds: UInt64 = 25_000_000) -> Benchmark {
        let isStoring = name.stage == "cache" || ["store", "grow", "zipf"].contains { name.case.hasPrefix($0) }
        guard isStoring else { return self }
        let prepare = prepare
        return Benchmark(name, isPeer: isPeer, reference: reference, suites: suites, entries: entries) { context in
            var prepared = try prepare(context)
            let finish = prepared.finish
            prepared.finish = {
                try finish()
                AnswerCheck.run(type, context, nanoseconds: nanoseconds)
            }
            return prepared
        }
    }
}
