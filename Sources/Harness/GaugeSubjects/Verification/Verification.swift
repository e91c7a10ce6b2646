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
    }

    package let executable: String?
    package let subject: any CacheSubject.Type
    package let directory: TemporaryDirectory
    package let seconds: Double
    package let interruption: Interruption?

    package init(
        executable: String?, subject: any CacheSubject.Type, directory: TemporaryDirectory, seconds: Double,
        interruption: Interruption?
    ) {
        self.executable = executable
        self.subject = subject
        self.directory = directory
        self.seconds = seconds
        self.interruption = interruption
    }

    /// Checks one promise.
    ///
    /// - Throws: ``Interrupted``.
    package func findOut(_ promise: Promise) throws -> Finding {
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
            // A slow subject and one that hangs look alike from outside.
            let reason = "no verdict in \(JSONFields.text(seconds)) s; if it is slow, give it more with --time-out"
            return Finding(promise: promise, verdict: .broken(reason: reason), steps: steps)
        } catch let failure as WorkerFailure {
            let words = worker.lastWords.split(separator: "\n").first.map { ": \($0.prefix(160))" } ?? ""
            return Finding(promise: promise, verdict: .broken(reason: "\(failure)\(words)"), steps: steps)
        }
    }
}
