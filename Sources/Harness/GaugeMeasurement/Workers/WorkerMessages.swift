import Platform

/// The protocol between a run and its workers: one JSON object per line, requests on the worker's standard input and
/// replies on its standard output. A worker sends a greeting, then answers each request with one reply, in order.
package enum WorkerProtocol {
    /// Raised with every change that an older counterpart would misread; a run may drive workers of another build.
    package static let version = 1
    /// The longest line, bytes. A longer one is a defect of the worker.
    package static let longestLine = 16 << 20
}

package enum WorkerRequest: Codable, Sendable {
    /// Build the subject and its data. Answered by `prepared`.
    case prepare
    /// Calibrate the operations per batch, for at most this long. Answered by `calibrated`.
    case calibrate(milliseconds: Double)
    /// Run operations until the caches are warm, for at most this long. Answered by `warm`.
    case warmCaches(milliseconds: Double)
    /// Run operations for this long. Answered by `slice`.
    case slice(milliseconds: Double)
    /// Run single operations for this long, each timed alone. Answered by `slice`.
    case sliceEach(milliseconds: Double)
    /// Run exactly this many operations inside the measured region. Answered by `counted`.
    case count(operations: Int)
    /// Run this many operations, each in its own measured region. Answered by `countedEach`.
    case countEach(operations: Int)
    /// Read the figures, clean up and exit. Answered by `finished`.
    case finish
    /// Open the subject of a random sequence. Answered by `answered`, like the next three.
    case open(memory: Int, disk: Int)
    /// End the process if a file would become longer than this.
    case limitFiles(bytes: Int)
    /// Carry out the sequence's step with this number.
    case perform(step: Int)
    /// Settle and close the subject.
    case close

    /// The words of the protocol, which workers of older builds know too.
    private enum CodingKeys: String, CodingKey {
        case prepare, warmCaches, slice, sliceEach, count, countEach, finish, open, limitFiles, perform, close
        case calibrate = "settle"
    }
}

package enum WorkerReply: Codable, Sendable {
    /// The greeting, sent once without a request.
    case hello(protocol: Int, benchmark: String)
    case prepared(PreparedReply)
    case calibrated
    case warm
    case slice(SliceReply)
    case counted(WorkReply)
    case countedEach(SequenceReply)
    case finished(FinishReply)
    /// The request threw an error.
    case failed(reason: String)
    /// The cache couldn't be filled in time.
    case tooSlow(reason: String)
    /// For a promise: a new trial begins, and earlier steps don't matter anymore.
    case trial
    /// For a promise: the next step.
    case step(String)
    /// For a promise: the random sequence with this seed begins.
    case sequence(seed: UInt64)
    /// For a promise: the options that repeat the fault.
    case repetition(String)
    /// For a promise: the verdict.
    case verdict(PromiseVerdict)
    /// The result of a step of a random sequence.
    case answered(ModelAnswer)

    /// The words of the protocol, which workers of older builds use too.
    private enum CodingKeys: String, CodingKey {
        case hello, prepared, warm, slice, counted, countedEach, finished, failed, tooSlow, trial, step, verdict
        case sequence, repetition, answered
        case calibrated = "settled"
    }
}

/// The properties of a prepared benchmark. Unless it has several threads, its worker answers `countEach` and
/// `sliceEach`.
package struct PreparedReply: Codable, Sendable {
    package enum Kind: String, Codable, Sendable { case batched, timed, threaded }

    package let kind: Kind
    package let threads: Int
    package let outcome: Outcome
    /// How long preparing took, nanoseconds.
    package var nanoseconds: UInt64?
}

/// What a worker sends after all slices.
package struct FinishReply: Codable, Sendable {
    package let figures: [Figure]
    package let wrong: Int
    package let wrongAnswers: [WrongAnswer]
}

/// The result of checking a promise.
package enum PromiseVerdict: Codable, Equatable, Sendable {
    case kept
    case broken(reason: String)
    case notApplicable(reason: String)
    /// No verdict within so many seconds: the subject is slow, or hangs.
    case timedOut(seconds: Double)
}

/// The result of a step that another process carried out.
package enum ModelAnswer: Codable, Equatable, Sendable {
    /// The step wasn't a lookup.
    case done
    case missed
    /// An intact body, and the outcome that the subject reported.
    case found(key: UInt64, version: UInt64, count: Int, Outcome)
    /// A body that isn't what its header says, with its length in bytes.
    case damaged(count: Int)
    /// An intact body with metadata other than it was stored with.
    case mismatched(version: UInt64, metadata: String?)
}

/// Why a worker gave no answer.
package enum WorkerFailure: Error, Equatable {
    case crashed(signal: Int32)
    case exited(code: Int32)
    /// It didn't answer before the time-out, and was killed.
    case timedOut
    /// It wasn't ready before the time-out, and was killed.
    case notReady(seconds: Int)
    /// The run's time was over before its turn.
    case noTimeLeft
    /// The cache is too slow to be filled for this benchmark.
    case tooSlow(reason: String)
    /// It reported an error.
    case failed(reason: String)
    /// It sent a message outside the protocol.
    case misunderstood(String)
}

extension WorkerFailure {
    /// Whether the subject under test crashed or hung, so that its results can't be trusted.
    package var isFatal: Bool {
        switch self {
        case .crashed, .exited, .timedOut, .notReady: true
        case .tooSlow, .failed, .misunderstood, .noTimeLeft: false
        }
    }
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

/// A cache takes too long to be filled.
package struct TooSlow: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
