import Platform

/// Checks all promises on a subject, each in a child process with a time limit, since a subject may crash or hang.
package struct Verification {
    package struct Finding {
        package let promise: Promise
        package let verdict: PromiseVerdict
        /// The steps that reproduce the fault, if the promise is broken.
        package let steps: [String]
        /// The options of `verify` that repeat the fault, if a random model found it.
        package var repetition: String?
        /// What the subject would have to declare for the promise to be tried.
        package var lacking: [String] = []
    }

    package let executable: String?
    package let subject: any CacheSubject.Type
    package let directory: TemporaryDirectory
    package let seconds: Double
    package let interruption: Interruption?
    package var model: ModelSettings = ModelSettings()
    package var policy: SubjectEvictionPolicy = .lru
    package var freeBytes: @Sendable (String) -> Int? = GaugeSupport.freeBytes(at:)

    /// Twice what the largest cache of a promise takes: two are checked at a time.
    private static let room = 32 << 20

    /// Refuses a disk that is too full for the caches, which would be found to break what they keep.
    ///
    /// - Throws: `GaugeError`.
    package func requireRoom() throws {
        guard let free = freeBytes(directory.path), free < Self.room else { return }
        throw GaugeError(
            "\(directory.path) has \(ByteSize(bytes: free)) left for caches of \(ByteSize(bytes: Self.room)); "
                + "free some, or name another place with --directory")
    }

    /// Accuses no cache whose disk became full meanwhile.
    fileprivate func requireRoom(for promise: Promise, because reason: String) throws {
        guard let free = freeBytes(directory.path), free < Self.room / 2 else { return }
        throw GaugeError(
            "\(promise.name) had \(ByteSize(bytes: free)) left in \(directory.path), so it accuses no cache: \(reason); "
                + "free some, or name another place with --directory")
    }

    /// - Throws: ``Interrupted``; `GaugeError` if the promise isn't kept and the disk is full.
    package func findOut(_ promise: Promise) throws -> Finding {
        let lacking = promise.lacking(subject)
        guard lacking.isEmpty else {
            let reason = "it does not say that it has \(lacking.joined(separator: ", "))"
            return Finding(promise: promise, verdict: .notApplicable(reason: reason), steps: [], lacking: lacking)
        }
        let attempt = try PromiseAttempt.make(promise, self, model, seconds: seconds)
        guard promise.sequences != nil, model.steps == nil, attempt.hasCrashed, let seed = attempt.seed else {
            return attempt.finding
        }
        return try shrunk(promise, attempt.finding, seed: seed)
    }

    /// Tries parts of the crashing sequence, each in its own process, and returns the smallest that crashes too.
    private func shrunk(_ promise: Promise, _ finding: Finding, seed: UInt64) throws -> Finding {
        let deadline = monotonicNanoseconds() + UInt64(min(12, seconds) * 1e9)
        let all = Array(
            promise.sequence(seed: seed, capabilities: promise.driven(subject).capabilities)?.steps.indices ?? 0..<0)
        var (smallest, settings) = (finding, model)
        settings.seed = seed
        let steps = try Shrinking.fewest(of: all, while: { monotonicNanoseconds() < deadline }) { part in
            settings.steps = part
            let attempt = try PromiseAttempt.make(promise, self, settings, seconds: min(3, seconds))
            if attempt.hasCrashed { smallest = attempt.finding }
            return attempt.hasCrashed
        }
        smallest.repetition = ModelSearch.repetition(seed: seed, steps: steps)
        return smallest
    }
}

/// One attempt to break a promise, in a child process.
struct PromiseAttempt {
    let finding: Verification.Finding
    /// Whether the process ended without a verdict.
    let hasCrashed: Bool
    /// The seed of the random sequence tried last.
    let seed: UInt64?

    /// Starts the process and waits for its verdict.
    ///
    /// - Throws: ``Interrupted``; `GaugeError` if the promise isn't kept and the disk is full.
    static func make(_ promise: Promise, _ verification: Verification, _ model: ModelSettings, seconds: Double) throws
        -> PromiseAttempt
    {
        let inner = try TemporaryDirectory(in: verification.directory.path)
        defer { inner.remove() }
        let worker = try WorkerProcess(
            executable: verification.executable,
            arguments: [
                "verify-worker", "--subject=\(verification.subject.name)", "--promise=\(promise.name)",
                "--directory=\(inner.path)", "--policy=\(verification.policy.rawValue)", "--seed=\(model.seed)",
                "--search=\(JSONFields.text(model.seconds))",
            ] + (model.steps.map { ["--steps=\(StepRanges.text($0))"] } ?? []),
            interruption: verification.interruption)
        var (steps, seed, repetition): ([String], UInt64?, String?) = ([], nil, nil)
        let made = { (verdict: PromiseVerdict, hasCrashed: Bool) throws -> PromiseAttempt in
            if case .broken(let reason) = verdict { try verification.requireRoom(for: promise, because: reason) }
            return PromiseAttempt(
                finding: Verification.Finding(promise: promise, verdict: verdict, steps: steps, repetition: repetition),
                hasCrashed: hasCrashed, seed: seed)
        }
        do {
            let deadline = monotonicNanoseconds() + UInt64(seconds * 1e9)
            try worker.greet(within: seconds)
            while true {
                let now = monotonicNanoseconds()
                switch try worker.receive(within: now < deadline ? Double(deadline - now) / 1e9 : 0) {
                case .trial: steps = []
                case .step(let step): steps.append(step)
                case .sequence(let next): seed = next
                case .repetition(let options): repetition = options
                case .verdict(let verdict): return try made(verdict, false)
                default: throw WorkerFailure.misunderstood("something else while a promise was tried")
                }
            }
        } catch WorkerFailure.timedOut {
            if promise.sequences != nil, model.steps == nil { repetition = seed.map { "--seed \($0)" } }
            // From outside, a slow subject and a hanging one look alike.
            return try made(.timedOut(seconds: seconds), false)
        } catch let failure as WorkerFailure {
            let words = worker.lastWords.split(separator: "\n").first.map { ": \($0.prefix(160))" } ?? ""
            return try made(.broken(reason: "\(failure)\(words)"), true)
        }
    }
}
