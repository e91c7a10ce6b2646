import Platform

/// Why a worker gave no answer.
enum WorkerFailure: Error, Equatable {
    /// It was ended by a signal.
    case crashed(signal: Int32)
    /// It ended by itself, in the middle of its work.
    case exited(code: Int32)
    /// It gave no answer in time, and was ended.
    case timedOut
    /// It did not get ready in the time that there was, and was ended.
    case notReady(seconds: Int)
    /// The run's time was over before it came to this.
    case noTimeLeft
    /// It said that it could not.
    case failed(reason: String)
    /// It said something that is not of the protocol.
    case misunderstood(String)
}

extension WorkerFailure: CustomStringConvertible {
    /// As the table shows it: `crashed (SIGSEGV)`.
    var description: String {
        switch self {
        case .crashed(let signal): "crashed (\(Self.name(ofSignal: signal)))"
        case .exited(let code): "exited (\(code))"
        case .timedOut: "timed out"
        case .notReady(let seconds): "not ready in \(seconds) s"
        case .noTimeLeft: "no time left; run it alone with --filter, or give it more with --seconds"
        case .failed(let reason): "failed: \(reason)"
        case .misunderstood(let what): "failed: its worker said \(what)"
        }
    }

    static func name(ofSignal signal: Int32) -> String {
        let names: [Int32: String] = [
            SIGHUP: "SIGHUP", SIGINT: "SIGINT", SIGQUIT: "SIGQUIT", SIGILL: "SIGILL", SIGTRAP: "SIGTRAP",
            SIGABRT: "SIGABRT", SIGBUS: "SIGBUS", SIGFPE: "SIGFPE", SIGKILL: "SIGKILL", SIGSEGV: "SIGSEGV",
            SIGPIPE: "SIGPIPE", SIGALRM: "SIGALRM", SIGTERM: "SIGTERM", SIGSYS: "SIGSYS", SIGXCPU: "SIGXCPU",
            SIGXFSZ: "SIGXFSZ",
        ]
        return names[signal] ?? "signal \(signal)"
    }
}
