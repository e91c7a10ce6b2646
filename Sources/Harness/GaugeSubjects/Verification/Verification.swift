import GaugeMeasurement
import GaugeSupport
import Platform

/// Checks all promises on a subject, each in a child process with a time limit, since a subject may crash or hang.
package struct Verification {
    /// One promise and its verdict.
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
    package let model: ModelSettings
    package let policy: SubjectEvictionPolicy

    package init(
        executable: String?, subject: any CacheSubject.Type, directory: TemporaryDirectory, seconds: Double,
        interruption: Interruption?, model: ModelSettings = ModelSettings(), policy: SubjectEvictionPolicy = .lru
    ) {
        self.executable = executable
        self.subject = subject
        self.directory = directory
        self.seconds = seconds
        self.interruption = interruption
        self.model = model
        self.policy = policy
    }

    /// Checks one promise.
    ///
    /// - Throws: ``Interrupted``.
    package func findOut(_ promise: Promise) throws -> Finding {
        let lacking = promise.lacking(subject)
        guard lacking.isEmpty else {
            let reason = "it does not say that it has \(lacking.joined(separator: ", "))"
            return Finding(
                promise: promise, verdict: .notApplicable(reason: reason), steps: [], lacking: lacking)
        }
        let attempt = try PromiseAttempt.make(promise, self, model, seconds: seconds)
        guard promise.sequences != nil, model.steps == nil, attempt.hasCrashed, let seed = attempt.seed else {
            return attempt.finding
        }
        return try shrunk(promise, attempt.finding, seed: seed)
    }

    /// Tries parts of the sequence that crashed the subject, each in its own process, and returns the smallest part that
    /// does it as well.
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
