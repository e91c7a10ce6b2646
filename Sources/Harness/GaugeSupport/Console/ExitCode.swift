/// What the process tells its caller.
package enum ExitCode: Int32, Sendable {
    /// All went well.
    case ok = 0
    /// Something failed: a file, a benchmark that could not get ready.
    case failure = 1
    /// Something got worse.
    case regression = 2
    /// The subject under test gave a wrong answer, crashed or hung, or broke a promise.
    case wrongAnswer = 3
    /// Something got better, where that was to fail: the baseline is to be moved.
    case improvement = 4
    /// What is required was not there to compare with.
    case missingBaseline = 5
    /// Nothing was concluded, where that was to fail.
    case inconclusive = 7
    /// The command line asks for what there is not. `EX_USAGE` of sysexits.h.
    case usage = 64
    /// Interrupted from outside: 128 and the number of SIGINT.
    case interrupted = 130
}
