import Platform

/// Why a worker gave no answer.
enum WorkerFailure: Error, Equatable {
    /// It was ended by a signal.
    case crashed(signal: Int32)
    /// It ended by itself, in the middle of its work.
    case exited(code: Int32)
    /// It gave no answer in time, and was ended.
    case timedOut
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
