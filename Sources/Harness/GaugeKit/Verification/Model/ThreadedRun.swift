/// Carries out steps of a sequence again and again on one subject; the threads take turns.
enum ThreadedRun {
    /// - Parameter isQuick: for the many attempts of a search: many sequences find more than a long one.
    /// - Throws: ``PromiseBroken`` with the first fault that a thread found; errors of the subject.
    static func run(_ sequence: ModelSequence, steps: [Int], isQuick: Bool, on trial: Trial) throws {
        let chosen = steps.filter(sequence.steps.indices.contains)
        guard !chosen.isEmpty else { return }
        let shares = sequence.isInStep ? rounds(chosen, of: sequence) : turns(chosen, of: sequence)
        try trial.begin(memory: sequence.memory, disk: sequence.disk)
        defer { trial.clean() }
        // Operations of all threads together.
        let operations = isQuick ? 6_000 : 24_000
        let laps = max(1, operations / chosen.count)
        if sequence.tiers.evicts { trial.note("store all \(sequence.keys.count) keys, 1800 bytes each") }
        for (thread, share) in shares.enumerated() {
            var texts = share.map { $0.map { text($0, sequence.keys, trial) } ?? "wait" }
            if texts.count > longest { texts = texts.prefix(3) + ["and so on, \(texts.count) operations"] }
            trial.note(
                "thread \(thread + 1), again and again\(sequence.isInStep ? ", in step with the others" : ""): "
                    + texts.joined(separator: "; "))
        }
        if sequence.pauses { trial.note(ConcurrentTrial.pausing) }
        for request in sequence.keys { trial.name(request) }
        let concurrent = try ConcurrentTrial(
            trial, sequence.keys, threads: shares.count, operations: laps * (shares.map(\.count).max() ?? 1),
            isInStep: sequence.isInStep, pauses: sequence.pauses ? sequence.seed : nil
        ) { thread, number in shares[thread][number % shares[thread].count] }
        // Otherwise a busy machine has no time left for the laps in which memory evicts.
        if sequence.tiers.evicts { try concurrent.fill(bytes: 1_800) }
        do {
            let seconds = trial.model.seconds
            trial.threadsWaited += try concurrent.run(seconds: isQuick ? min(0.2, seconds / 4) : min(1, seconds / 2))
        } catch {
            for (thread, share) in shares.enumerated() where share.count > longest {
                let own = share.compactMap(\.self).filter { $0.key != nil && $0.key == concurrent.blamed }
                guard !own.isEmpty else { continue }
                let texts = own.map { text($0, sequence.keys, trial) }.joined(separator: "; ")
                trial.note("thread \(thread + 1), of the key that shows it: \(texts)")
            }
            throw error
        }
        try judgeUsage(sequence, trial)
    }

    /// The most operations of a thread that are all told. Of more the first are, and after a fault those of its key.
    private static let longest = 8

    /// Compares the reported usage with the entries found once the threads have ended.
    private static func judgeUsage(_ sequence: ModelSequence, _ trial: Trial) throws {
        let usage = try TierUsage(trial.driven().usage, isOnDisk: sequence.memory == 0)
        trial.note("after the threads have ended: look up all keys, and remove them")
        if sequence.memory > 0, trial.capabilities.contains(.capacity), let bytes = usage.bytes {
            try expect(bytes <= sequence.memory, "\(bytes) bytes in use of \(sequence.memory)")
        }
        let bodies = try sequence.keys.reduce(0) { try $0 + (trial.driven().body(of: $1)?.count ?? 0) }
        // A disk tier below may have answered, too.
        if sequence.memory == 0 || sequence.disk == 0, let bytes = usage.bytes {
            try expect(bytes >= bodies, "\(bytes) bytes in use, although \(bodies) bytes of bodies were found")
        }
        try TierUsage.expectNothing(
            trial, after: sequence.keys, capacity: sequence.memory, isOnDisk: sequence.memory == 0)
    }

    private static func turns(_ chosen: [Int], of sequence: ModelSequence) -> [[ModelStep?]] {
        (0..<sequence.threads).map { thread in
            chosen.filter { $0 % sequence.threads == thread }.map { sequence.steps[$0] }
        }.filter { !$0.isEmpty }
    }

    /// The steps of each thread by rounds, without rounds that have no chosen step.
    private static func rounds(_ chosen: [Int], of sequence: ModelSequence) -> [[ModelStep?]] {
        let remaining = Set(chosen)
        let rounds = Set(chosen.map { $0 / sequence.threads }).sorted()
        return (0..<sequence.threads).map { thread in
            rounds.map { round in
                let number = round * sequence.threads + thread
                return remaining.contains(number) ? sequence.steps[number] : nil
            }
        }
    }

    private static func text(_ step: ModelStep, _ keys: [SubjectRequest], _ trial: Trial) -> String {
        // A thread's versions are numbered as it stores them.
        if case .store(let key, let bytes) = step { return "store \(keys[key].text), \(bytes) bytes" }
        return step.text(keys, version: 0, memory: { trial.text(limit: trial.limit($0)) })
    }
}
