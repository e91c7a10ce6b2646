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
    package private(set) var counters: CounterChange?
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
    /// Wrong answers of all workers.
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
    package var isFatal: Bool {
        guard !benchmark.isPeer else { return false }
        if wrong > 0 { return true }
        return switch failure {
        case .crashed, .exited, .timedOut, .notReady: true
        case .tooSlow, .failed, .misunderstood, .noTimeLeft, nil: false
        }
    }

    /// Whether an error left the subject under test without a result. A cache that is too slow for the number of
    /// entries is no error; the row says so.
    package var isError: Bool {
        if benchmark.isPeer { return false }
        return switch failure {
        case .tooSlow, nil: false
        default: true
        }
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

    package mutating func spend(_ more: Double) { seconds += more }

    package mutating func take(wrong: Int, _ answers: [WrongAnswer]) {
        wrongNow = wrong
        if wrongAnswers.isEmpty { wrongAnswers = answers }
    }

    /// Notes whether the next worker was warm; the benchmark is steady if all were.
    package mutating func note(isSteady steady: Bool) { isSteady = steady && isSteady != false }

    /// Adds the figures of a finished worker.
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

/// One slice of one benchmark, reduced to what results need.
package struct MeasuredSlice {
    package let operations: Int
    /// Elapsed and processor time inside the body, nanoseconds.
    package let nanoseconds: UInt64
    package let cpuNanoseconds: UInt64
    /// Time per operation in each batch, nanoseconds.
    package let batches: [Double]
    /// Times of operations timed one by one, by outcome.
    package let outcomes: [Outcome: Tally]
    /// The speed probes before each batch and after the last; empty if there are none.
    package let probes: [SpeedReading]
    /// The batches during which other work took the processor.
    package let interruptions: [Int]
    package let involuntarySwitches: UInt64

    package init(_ report: SliceReply) {
        operations = report.operations
        nanoseconds = report.nanoseconds
        cpuNanoseconds = report.cpuNanoseconds
        batches = report.batches.map { Double($0) / Double(max(1, report.batchOperations)) }
        outcomes = report.histograms.mapValues(Tally.init)
        probes = report.readings
        interruptions = report.interruptions ?? []
        involuntarySwitches = report.counters.involuntarySwitches
    }

    /// The times of batches, or of operations with one outcome.
    package func tally(of outcome: Outcome?) -> Tally {
        outcome.map { outcomes[$0] ?? Tally([Tally.Entry]()) } ?? Tally(batches)
    }

    /// Whether the whole slice was at full speed and uninterrupted. If no probe ran, only interruptions count.
    package func isUndisturbed(_ speed: FullSpeed?) -> Bool {
        guard interruptions.isEmpty else { return false }
        guard let speed else { return true }
        return probes.allSatisfy(speed.holds)
    }

    /// The times that `UndisturbedTime` chooses from, converted to the reference clock rate: those of all batches, each
    /// with whether it was uninterrupted and the probes on both sides at full speed; or the median of the operations
    /// with one outcome.
    package func times(of outcome: Outcome?, _ speed: FullSpeed?) -> [(time: Double, isUndisturbed: Bool)] {
        let correction = speed.map { $0.correction(probes.filter($0.holds).compactMap(\.cycle)) } ?? 1
        if let outcome {
            return outcomes[outcome]?.quantile(0.5).map { [($0 * correction, isUndisturbed(speed))] } ?? []
        }
        return batches.enumerated().map { index, time in
            guard !interruptions.contains(index) else { return (time, false) }
            guard let speed, probes.count == batches.count + 1 else { return (time, true) }
            return (time * correction, speed.holds(probes[index]) && speed.holds(probes[index + 1]))
        }
    }

    /// Whether its times can be converted to the reference clock rate.
    package var hasClockRate: Bool { probes.contains { $0.cycle != nil } }

    /// An operation's median time; `nil` for several outcomes, whose median means nothing.
    package var typical: Double? {
        guard outcomes.isEmpty else { return outcomes.count == 1 ? outcomes.first?.value.quantile(0.5) : nil }
        return Samples(batches).median
    }

    /// An operation's median time, or its mean for a mixture of outcomes.
    package var typicalOrMean: Double? { typical ?? mean }

    /// The mean time of all operations, with the body's work between them.
    package var mean: Double? { operations > 0 ? Double(nanoseconds) / Double(operations) : nil }

    /// The mean time of all operations, without the body's work between those timed one by one.
    package var timedMean: Double? {
        guard !outcomes.isEmpty, operations > 0 else { return mean }
        let sum = outcomes.values.reduce(0) { $0 + $1.entries.reduce(0) { $0 + $1.value * Double($1.count) } }
        return sum / Double(operations)
    }
}
