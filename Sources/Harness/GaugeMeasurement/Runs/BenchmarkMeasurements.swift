import GaugeStatistics

/// The measurements of one benchmark in one run.
package struct BenchmarkMeasurements {
    package let benchmark: Benchmark
    package var prepared: PreparedReport?
    /// The slices of each set of processes, in order. A set in which the benchmark was not measured is empty, so that
    /// sets with the same number ran at the same time across the benchmarks of a case.
    package private(set) var sets: [[MeasuredSlice]] = []
    /// The times of all operations that were timed one by one, by outcome.
    package private(set) var histograms: [Outcome: Histogram] = [:]
    /// Changes of the counters over all slices; `nil` before the first.
    package private(set) var counters: CounterChange?
    /// The largest resident memory of a worker, bytes.
    package private(set) var peakResidentBytes: UInt64?
    /// The figures of each worker that has finished, in order.
    private var figuresOfSets: [[Figure]] = []
    /// Whether each worker was warm before its first slice; `nil` when a single operation takes too long to tell.
    package private(set) var isSteady: Bool?
    /// The instruction count, if requested.
    package var instructions: InstructionCount?
    /// The reason why a requested instruction count is missing.
    package var uncounted: String?
    /// Wrong answers of all workers.
    package var wrong: Int { wrongBefore + wrongNow }
    package private(set) var wrongAnswers: [WrongAnswer] = []
    /// The reason why the measurement ended early.
    package var failure: WorkerFailure?
    /// The end of the worker's standard error, after a failure.
    package var lastWords = ""

    private var wrongBefore = 0
    private var wrongNow = 0

    package init(_ benchmark: Benchmark) { self.benchmark = benchmark }

    /// Whether the subject under test answered wrongly, crashed or hung, so that its results cannot be trusted.
    package var isFatal: Bool {
        guard !benchmark.isPeer else { return false }
        if wrong > 0 { return true }
        return switch failure {
        case .crashed, .exited, .timedOut, .notReady: true
        case .tooSlow, .failed, .misunderstood, .noTimeLeft, nil: false
        }
    }

    /// Whether an error left the subject under test without a result. That a cache is too slow for the number of entries is
    /// no error; the row says so.
    package var isError: Bool {
        if benchmark.isPeer { return false }
        return switch failure {
        case .tooSlow, nil: false
        default: true
        }
    }

    /// Begins a set with a new worker.
    package mutating func beginSet() {
        sets.append([])
        wrongBefore += wrongNow
        wrongNow = 0
    }

    package mutating func add(_ report: SliceReport) {
        if sets.isEmpty { beginSet() }
        sets[sets.count - 1].append(MeasuredSlice(report))
        histograms.merge(report.histograms) { all, more in
            var sum = all
            sum.merge(more)
            return sum
        }
        counters = counters.map { $0 + report.counters } ?? report.counters
        peakResidentBytes = max(peakResidentBytes ?? 0, report.peakResidentBytes)
        take(wrong: report.wrong, report.wrongAnswers)
    }

    /// Takes the wrong answers of the worker so far.
    package mutating func take(wrong: Int, _ answers: [WrongAnswer]) {
        wrongNow = wrong
        if wrongAnswers.isEmpty { wrongAnswers = answers }
    }

    /// Takes whether the next worker was warm; the benchmark is steady when all of them were.
    package mutating func note(isSteady steady: Bool) { isSteady = steady && isSteady != false }

    /// Adds the figures of a worker that has finished.
    package mutating func add(_ figures: [Figure]) { figuresOfSets.append(figures) }

    /// The median of each figure over the workers, in the order of the first.
    package var figures: [Figure] {
        guard figuresOfSets.count > 1 else { return figuresOfSets.first ?? [] }
        return figuresOfSets[0].map { figure in
            let values = figuresOfSets.compactMap { $0.first { $0.name == figure.name }?.value }
            return Figure(figure.name, Samples(values).median ?? figure.value, figure.unit)
        }
    }

    /// All slices with operations, in order.
    package var slices: [MeasuredSlice] { sets.flatMap(\.self).filter { $0.operations > 0 } }
}
