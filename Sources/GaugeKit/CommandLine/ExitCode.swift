/// What the process tells its caller.
public enum ExitCode: Int32, Sendable {
    /// All went well.
    case ok = 0
    /// Something failed: a file, a benchmark that could not get ready.
    case failure = 1
    /// The subject under test gave a wrong answer, crashed or hung, or broke a promise.
    case wrongAnswer = 3
    /// The command line asks for what there is not. `EX_USAGE` of sysexits.h.
    case usage = 64
    /// Interrupted from outside: 128 and the number of SIGINT.
    case interrupted = 130
}
