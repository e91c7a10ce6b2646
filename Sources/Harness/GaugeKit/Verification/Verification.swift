import Platform

/// Puts a subject to the battery of promises, each in a child process with a limit of time, since a subject may crash
/// or hang.
struct Verification {
    /// One promise, and what became of it.
    struct Finding {
        let promise: Promise
        let verdict: PromiseVerdict
        /// The steps that lead there, where it is broken.
        let steps: [String]
    }

    let executable: String?
    let subject: any CacheSubject.Type
    let directory: TemporaryDirectory
    let seconds: Double
    let interruption: Interruption?

    /// Tries one promise.
    ///
    /// - Throws: ``Interrupted``.
    func findOut(_ promise: Promise) throws -> Finding {
        let lacking = promise.lacking(subject)
        guard lacking.isEmpty else {
            let reason = "it does not say that it has \(lacking.joined(separator: ", "))"
            return Finding(promise: promise, verdict: .notApplicable(reason: reason), steps: [])
        }
        let inner = try directory.subdirectory(promise.name)
        let worker = try WorkerProcess(
            executable: executable,
            arguments: [
                "verify-worker", "--subject=\(subject.name)", "--promise=\(promise.name)", "--directory=\(inner)",
            ],
            interruption: interruption)
        var steps: [String] = []
        do {
            let deadline = monotonicNanoseconds() + UInt64(seconds * 1e9)
            try worker.greet(within: seconds)
            while true {
                let now = monotonicNanoseconds()
                switch try worker.receive(within: now < deadline ? Double(deadline - now) / 1e9 : 0) {
                case .trial: steps = []
                case .step(let step): steps.append(step)
                case .verdict(let verdict): return Finding(promise: promise, verdict: verdict, steps: steps)
                default: throw WorkerFailure.misunderstood("something else while a promise was tried")
                }
            }
        } catch WorkerFailure.timedOut {
            // Slowness or a hang: from outside they look alike.
            let reason = "no verdict in \(JSONFields.text(seconds)) s; if it is slow, give it more with --patience"
            return Finding(promise: promise, verdict: .broken(reason: reason), steps: steps)
        } catch let failure as WorkerFailure {
            let words = worker.lastWords.split(separator: "\n").first.map { ": \($0.prefix(160))" } ?? ""
            return Finding(promise: promise, verdict: .broken(reason: "\(failure)\(words)"), steps: steps)
        }
    }
}
