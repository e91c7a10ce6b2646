import GaugeMeasurement
import GaugeSupport
import Platform

/// One attempt to break a promise, in a child process.
struct PromiseAttempt {
    let finding: Verification.Finding
    /// Whether the process ended without a verdict.
    let hasCrashed: Bool
    /// The seed of the random sequence that was tried last.
    let seed: UInt64?

    /// Starts the process, and waits for its verdict.
    ///
    /// - Throws: ``Interrupted``.
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
        let made = { (verdict: PromiseVerdict, hasCrashed: Bool) in
            PromiseAttempt(
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
                case .verdict(let verdict): return made(verdict, false)
                default: throw WorkerFailure.misunderstood("something else while a promise was tried")
                }
            }
        } catch WorkerFailure.timedOut {
            // A slow subject and one that hangs look alike from outside.
            return made(.timedOut(seconds: seconds), false)
        } catch let failure as WorkerFailure {
            let words = worker.lastWords.split(separator: "\n").first.map { ": \($0.prefix(160))" } ?? ""
            return made(.broken(reason: "\(failure)\(words)"), true)
        }
    }
}
