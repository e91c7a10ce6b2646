import Platform

/// The reason why a worker gave no answer.
package enum WorkerFailure: Error, Equatable {
    /// A signal ended it.
    case crashed(signal: Int32)
    /// It exited in the middle of its work.
    case exited(code: Int32)
    /// It did not answer before the time-out, and was killed.
    case timedOut
    /// It was not prepared before the time-out, and was killed.
    case notReady(seconds: Int)
    /// The run's time was over before its turn.
    case noTimeLeft
    /// The cache is too slow to be filled for this benchmark, for this reason.
    case tooSlow(reason: String)
    /// It reported an error.
    case failed(reason: String)
    /// It sent a message that is not part of the protocol.
    case misunderstood(String)
}

extension WorkerFailure: CustomStringConvertible {
    /// The text for the table: `crashed (SIGSEGV)`.
    package var description: String {
        switch self {
        case .crashed(let signal): "crashed (\(Self.name(ofSignal: signal)))"
        case .exited(let code): "exited (\(code))"
        case .timedOut: "timed out"
        case .notReady(let seconds): "not ready in \(seconds) s"
        case .noTimeLeft: "no time left; run it alone with --filter, or give it more with --seconds"
        case .tooSlow(let reason): "too slow: \(reason)"
        case .failed(let reason): "failed: \(reason)"
        case .misunderstood(let what): "failed: its worker said \(what)"
        }
    }

    package static func name(ofSignal signal: Int32) -> String {
        let names: [Int32: String] = [
            SIGHUP: "SIGHUP", SIGINT: "SIGINT", SIGQUIT: "SIGQUIT", SIGILL: "SIGILL", SIGTRAP: "SIGTRAP",
            SIGABRT: "SIGABRT", SIGBUS: "SIGBUS", SIGFPE: "SIGFPE", SIGKILL: "SIGKILL", SIGSEGV: "SIGSEGV",
            SIGPIPE: "SIGPIPE", SIGALRM: "SIGALRM", SIGTERM: "SIGTERM", SIGSYS: "SIGSYS", SIGXCPU: "SIGXCPU",
            SIGXFSZ: "SIGXFSZ",
        ]
        return names[signal] ?? "signal \(signal)"
    }
}

/// A cache takes too long to be filled for a benchmark.
package struct TooSlow: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
