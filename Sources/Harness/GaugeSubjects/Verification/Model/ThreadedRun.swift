/// Carries out some steps of a sequence again and again on one subject: the steps are dealt to the threads in turn.
enum ThreadedRun {
    /// - Parameter isQuick: for many attempts of a search, which finds more in many sequences than in a long one.
    /// - Throws: ``PromiseBroken`` with the first fault that a thread found; errors of the subject.
    static func run(_ sequence: ModelSequence, steps: [Int], isQuick: Bool, on trial: Trial) throws {
        let chosen = steps.filter { sequence.steps.indices.contains($0) && sequence.steps[$0].key != nil }
        guard !chosen.isEmpty else { return }
        let shares = (0..<sequence.threads).map { thread in
            chosen.filter { $0 % sequence.threads == thread }.compactMap { operation(sequence.steps[$0]) }
        }.filter { !$0.isEmpty }
        try trial.begin(memory: sequence.memory, disk: sequence.disk)
        defer { trial.clean() }
        // Operations of all threads together.
        let operations = isQuick ? 6_000 : 24_000
        let laps = max(1, operations / chosen.count)
        for (thread, share) in shares.enumerated() {
            let texts = share.map { text($0, sequence.keys) }.joined(separator: "; ")
            trial.tell("thread \(thread + 1), again and again: \(texts)")
        }
        for request in sequence.keys { trial.name(request) }
        try ConcurrentTrial(
            trial.driven(), sequence.keys, threads: shares.count, operations: laps * (shares.map(\.count).max() ?? 1)
        ) { thread, number in shares[thread][number % shares[thread].count] }.run(
            seconds: isQuick ? min(0.2, trial.model.seconds / 4) : min(1, trial.model.seconds / 2))
    }

    private static func operation(_ step: ModelStep) -> ConcurrentTrial.Operation? {
        switch step {
        case .store(let key, let bytes), .kill(let key, let bytes): .store(key: key, bytes: bytes)
        case .lookUp(let key): .lookUp(key: key)
        case .remove(let key): .remove(key: key)
        case .resize, .settle, .reopen: nil
        }
    }

    private static func text(_ operation: ConcurrentTrial.Operation, _ keys: [SubjectRequest]) -> String {
        switch operation {
        case .store(let key, let bytes): "store \(keys[key].text), \(bytes) bytes"
        case .lookUp(let key): "look up \(keys[key].text)"
        case .remove(let key): "remove \(keys[key].text)"
        }
    }
}
