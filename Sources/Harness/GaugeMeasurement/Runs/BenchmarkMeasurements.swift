/// The results of one benchmark.
package struct BenchmarkMeasurements {
    package let benchmark: Benchmark
    package var prepared: PreparedReport?
    /// The slices in order. Slices with the same index ran next to each other across the subjects of a case.
    package var slices: [SliceReport] = []
    package var figures: [Figure] = []
    /// Whether it was warm before the first slice; `nil` when a single operation takes too long to tell.
    package var isSteady: Bool?
    /// The instruction count, if requested.
    package var instructions: InstructionCount?
    /// The reason why a requested instruction count is missing.
    package var uncounted: String?
    package var wrong = 0
    package var wrongAnswers: [WrongAnswer] = []
    /// The reason why the measurement ended early.
    package var failure: WorkerFailure?
    /// The end of the worker's standard error, after a failure.
    package var lastWords = ""

    package init(_ benchmark: Benchmark) { self.benchmark = benchmark }

    /// Whether the subject under test answered wrongly, crashed or hung, so that its results cannot be trusted.
    package var isFatal: Bool {
        guard !benchmark.isPeer else { return false }
        if wrong > 0 { return true }
        return switch failure {
        case .crashed, .exited, .timedOut, .notReady: true
        case .failed, .misunderstood, .noTimeLeft, nil: false
        }
    }

    package mutating func add(_ slice: SliceReport) {
        slices.append(slice)
        take(wrong: slice.wrong, slice.wrongAnswers)
    }

    package mutating func take(wrong: Int, _ answers: [WrongAnswer]) {
        self.wrong = wrong
        wrongAnswers = answers
    }

    /// The total time of its slices, nanoseconds.
    package var nanoseconds: UInt64 { slices.reduce(0) { $0 + $1.nanoseconds } }
}
