/// An error outside the command line: in a file, a directory, a child process. Exit code 1.
package struct GaugeError: Error, Equatable, CustomStringConvertible {
    /// The thing, the reason and the remedy.
    package let description: String

    package init(_ description: String) { self.description = description }
}

/// An error in the command line. Exit code 64.
package struct UsageError: Error, Equatable, CustomStringConvertible {
    /// The thing, the reason and the remedy.
    package let description: String

    package init(_ description: String) { self.description = description }
}

/// The exit code of the process.
package enum ExitCode: Int32, Sendable {
    case ok = 0
    /// Something failed: a file, or a benchmark that couldn't be prepared.
    case failure = 1
    /// A measurement got worse than allowed.
    case regression = 2
    /// The subject under test gave a wrong answer, crashed or hung, or broke a promise.
    case wrongAnswer = 3
    /// A measurement got better, and that should fail: update the baseline.
    case improvement = 4
    case missingBaseline = 5
    /// A promise had no verdict in time, and none was broken.
    case timedOut = 6
    /// The result is inconclusive, and that should fail.
    case inconclusive = 7
    /// The command line is wrong: `EX_USAGE` of sysexits.h.
    case usage = 64
    /// The terminal was closed: 128 plus SIGHUP.
    case hungUp = 129
    /// Interrupted from outside: 128 plus SIGINT.
    case interrupted = 130
    /// Ended from outside: 128 plus SIGTERM.
    case terminated = 143

    /// Whether a signal ended the command.
    package var isInterruption: Bool { [.hungUp, .interrupted, .terminated].contains(self) }

    /// The code for a signal; `interrupted` without one.
    package static func interrupted(by signal: Int32?) -> ExitCode {
        signal.flatMap { ExitCode(rawValue: 128 + $0) } ?? .interrupted
    }
}
