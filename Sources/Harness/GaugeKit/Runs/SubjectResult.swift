/// What was measured of one benchmark.
struct SubjectResult {
    let benchmark: Benchmark
    var prepared: PreparedReport?
    /// In the order in which they ran; the slices of one index, over the subjects of a case, ran next to each other.
    var slices: [SliceReport] = []
    var figures: [Figure] = []
    /// Whether it was warm before the first slice; `nil` when a single operation takes too long to find out.
    var isSteady: Bool?
    /// What valgrind counted, when it was asked for.
    var instructions: InstructionCount?
    /// Why it did not, though it was asked for.
    var uncounted: String?
    var wrong = 0
    var wrongAnswers: [WrongAnswer] = []
    /// Why it ended before its time.
    var failure: WorkerFailure?
    /// The end of the worker's standard error, for a failure.
    var lastWords = ""

    init(_ benchmark: Benchmark) { self.benchmark = benchmark }

    /// The subject under test has answered wrongly, crashed or hung: nothing else that it shows can be trusted.
    var isFatal: Bool {
        guard !benchmark.isPeer else { return false }
        if wrong > 0 { return true }
        return switch failure {
        case .crashed, .exited, .timedOut, .notReady: true
        case .failed, .misunderstood, .noTimeLeft, nil: false
        }
    }

    mutating func add(_ slice: SliceReport) {
        slices.append(slice)
        take(wrong: slice.wrong, slice.wrongAnswers)
    }

    mutating func take(wrong: Int, _ answers: [WrongAnswer]) {
        self.wrong = wrong
        wrongAnswers = answers
    }

    /// Time that its slices have taken, nanoseconds.
    var nanoseconds: UInt64 { slices.reduce(0) { $0 + $1.nanoseconds } }
}
