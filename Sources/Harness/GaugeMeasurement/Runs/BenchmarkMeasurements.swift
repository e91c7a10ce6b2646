import GaugeSupport

package struct BenchmarkMeasurements {
    package let benchmark: Benchmark
    package var prepared: PreparedReply?
    /// The slices of each set of processes, in order. A set without this benchmark is empty, so that sets with the same
    /// number ran at the same time for all benchmarks of a case.
    package private(set) var sets: [[MeasuredSlice]] = []
    /// Times of all operations timed one by one, by outcome.
    package private(set) var histograms: [Outcome: Histogram] = [:]
    /// Times of single operations of a body that runs them in batches, from their own slices, by outcome.
    package private(set) var singles: [Outcome: Histogram] = [:]
    /// What reading the clock adds to these times, in each of these slices, nanoseconds.
    package private(set) var clockCosts: [Double] = []
    /// Changes of the counters over all slices; `nil` before the first.
    package private(set) var counters: Counters?
    /// The largest resident memory of a worker, bytes.
    package private(set) var peakResidentBytes: UInt64?
    private var figuresOfSets: [[Figure]] = []
    /// Whether each worker was warm before its first slice; `nil` if a single operation takes too long to tell.
    package private(set) var isSteady: Bool?
    /// How long its workers prepared and measured, seconds, whatever others of its case did meanwhile.
    package private(set) var seconds = 0.0
    package var instructions: InstructionCount?
    /// Why a requested instruction count is missing.
    package var uncounted: String?
    package var wrong: Int { wrongBefore + wrongNow }
    package private(set) var wrongAnswers: [WrongAnswer] = []
    /// Why the measurement ended early.
    package var failure: WorkerFailure?
    /// The end of the worker's standard error, after a failure.
    package var lastWords = ""

    private var wrongBefore = 0
    private var wrongNow = 0

    package init(_ benchmark: Benchmark) { self.benchmark = benchmark }

    /// Whether the subject under test answered wrongly, crashed or hung, so that its results can't be trusted.
    package var isFatal: Bool { !benchmark.isPeer && (wrong > 0 || failure?.isFatal == true) }

    /// Whether an error left the subject under test without a result. A cache that is too slow for the number of
    /// entries is no error; the row says so.
    package var isError: Bool {
        if benchmark.isPeer { return false }
        return switch failure {
        case .tooSlow, nil: false
        default: true
        }
    }

    /// - Parameter worker: the benchmark's; `nil` if it sat the set out.
    package mutating func add(_ worker: ArmWorker?) {
        beginSet()
        guard let worker else { return }
        prepared = worker.prepared ?? prepared
        for slice in worker.slices { add(slice) }
        for slice in worker.singles { addSingles(slice) }
        take(wrong: worker.wrong, worker.wrongAnswers)
        if let isSteady = worker.isSteady { note(isSteady: isSteady) }
        if let figures = worker.figures { add(figures) }
        spend(worker.seconds)
        guard let failure = worker.failure else { return }
        (self.failure, lastWords) = (failure, worker.lastWords)
    }

    package mutating func beginSet() {
        sets.append([])
        wrongBefore += wrongNow
        wrongNow = 0
    }

    package mutating func add(_ report: SliceReply) {
        if sets.isEmpty { beginSet() }
        sets[sets.count - 1].append(MeasuredSlice(report))
        Self.merge(report.histograms, into: &histograms)
        counters = counters.map { $0 + report.counters } ?? report.counters
        peakResidentBytes = max(peakResidentBytes ?? 0, report.peakResidentBytes)
        take(wrong: report.wrong, report.wrongAnswers)
    }

    /// Adds a slice of single operations of a body that runs them in batches.
    package mutating func addSingles(_ report: SliceReply) {
        Self.merge(report.histograms, into: &singles)
        clockCosts += (report.clockNanoseconds.map { [Double($0)] } ?? [])
        take(wrong: report.wrong, report.wrongAnswers)
    }

    private static func merge(_ more: [Outcome: Histogram], into all: inout [Outcome: Histogram]) {
        all.merge(more) { all, more in
            var sum = all
            sum.merge(more)
            return sum
        }
    }

    /// The spread of its slices' means, relative to their median; `nil` for fewer than three.
    package var scatter: Double? { Samples(slices.compactMap(\.timedMean)).spread }

    package mutating func spend(_ more: Double) { seconds += more }

    package mutating func take(wrong: Int, _ answers: [WrongAnswer]) {
        wrongNow = wrong
        if wrongAnswers.isEmpty { wrongAnswers = answers }
    }

    /// Notes whether the next worker was warm; the benchmark is steady if all were.
    package mutating func note(isSteady steady: Bool) { isSteady = steady && isSteady != false }

    package mutating func add(_ figures: [Figure]) { figuresOfSets.append(figures) }

    /// The median of each figure over the workers, in the order of the first.
    package var figures: [Figure] {
        guard figuresOfSets.count > 1 else { return figuresOfSets.first ?? [] }
        return figuresOfSets[0].map { figure in
            let values = figuresOfSets.compactMap { $0.first { $0.name == figure.name }?.value }
            return Figure(figure.name, Samples(values).median ?? figure.value, figure.unit)
        }
    }

    package var slices: [MeasuredSlice] { sets.flatMap(\.self).filter { $0.operations > 0 } }
}
