import GaugeSupport

/// One line of the table. Times are nanoseconds for one operation; values that were not measured are `nil`.
package struct ResultRow {
    package var name: BenchmarkName
    package var isPeer: Bool
    /// See `Benchmark.isUsual`.
    package var isUsual = false
    package var threads = 1
    /// The number of operations.
    package var operations = 0
    package var minimum: Double?
    /// The time while nothing disturbs the machine (see `UndisturbedTime`), combined over sets of processes (see
    /// `SetEstimate`). `nil` when the machine was not at full speed often enough, and for a mixture of outcomes.
    package var undisturbed: Estimate?
    /// The mean over sets of a row that is compared by means; or the typical time over sets where there is no undisturbed
    /// one, of a machine that shared its processors.
    package var overSets: Estimate?
    /// The typical time: the median of all batches or operations, with every disturbance.
    package var median: Double?
    /// The 95 % confidence interval of the median (see `MedianInterval`).
    package var interval: ClosedRange<Double>?
    /// The mean of all operations, or batches.
    package var mean: Double?
    /// The longest operation where operations are timed one by one; otherwise the largest mean of a batch.
    package var maximum: Double?
    /// Percentiles, only where operations are timed one by one, and only those with enough samples. Of hits that are timed in
    /// batches they come from slices of their own (`singles`).
    package var percentiles: [Percentile] = []
    /// What the percentiles of hits rest on that are timed in batches.
    package var singles: SingleTimes?
    /// Times at the quantiles of `ResultRow.curve`, for plots; only where operations are timed one by one.
    package var quantiles: [Double] = []
    /// Half the distance between the quartiles of the slices, as a part of their median.
    package var spread: Double?
    /// Outliers among the batches, or among operations timed one by one.
    package var outliers = Outliers()
    /// Throughput of all threads together.
    package var operationsPerSecond: Double?
    /// The time divided by that of the reference subject of the same case, with its interval. Times are divided within
    /// each set of processes, in which both ran in turns, and the ratios of the sets combined (see `SetEstimate`).
    package var ratio: Double?
    /// The 95 % confidence interval of the ratio; `nil` for the reference itself, and for a single set.
    package var ratioInterval: ClosedRange<Double>?
    /// Whether the ratio is of typical times in the same mood of the machine, which was not at full speed often
    /// enough.
    package var isRatioTypical = false
    /// The error of the undisturbed time because the clock rate was not the reference, as a part of it.
    var clockError = 0.0
    /// The error of the undisturbed time because a mood of the machine may outlast a run, as a part of it.
    ///
    /// Caches and memory that other guests share slow a row by little, which no probe tells. Such moods last for
    /// milliseconds and for minutes; the short ones scatter the batches of a set. On one machine a run's time lay
    /// within half the distance of their quartiles of other runs' (results/run-self-test.md).
    var moodError: Double { Samples(measuredSets.filter { $0.undisturbed != nil }.map(\.spread)).median ?? 0 }
    /// The time by which the ratio compares.
    package var comparison = Comparison.undisturbed
    /// Processor time of one operation.
    package var cpu: Double?
    /// The times in each set of processes, in order; a set without slices did not measure this row.
    package var sets: [SetTimes] = []
    /// The two modes of the slices; `nil` for one.
    package var modes: Modes?
    /// Whether the subject was warm before the first slice (see `WarmUp`).
    package var isSteady: Bool?
    /// Changes of the counters over all operations.
    package var counters: CounterChange?
    package var instructions: InstructionCount?
    package var peakResidentBytes: UInt64?
    package var wrong = 0
    package var failure: WorkerFailure?
    package var figures: [Figure] = []

    /// Whether the row contains only stores.
    package var isStores = false

    package init(
        name: BenchmarkName, isPeer: Bool, threads: Int = 1, operations: Int = 0, minimum: Double? = nil,
        median: Double? = nil, interval: ClosedRange<Double>? = nil, mean: Double? = nil, maximum: Double? = nil,
        percentiles: [Percentile] = [], quantiles: [Double] = [], spread: Double? = nil,
        outliers: Outliers = Outliers(), operationsPerSecond: Double? = nil, ratio: Double? = nil, cpu: Double? = nil,
        sets: [SetTimes] = [], isSteady: Bool? = nil, counters: CounterChange? = nil,
        instructions: InstructionCount? = nil, peakResidentBytes: UInt64? = nil, wrong: Int = 0,
        failure: WorkerFailure? = nil, figures: [Figure] = [], isStores: Bool = false
    ) {
        self.name = name
        self.isPeer = isPeer
        self.threads = threads
        self.operations = operations
        self.minimum = minimum
        self.median = median
        self.interval = interval
        self.mean = mean
        self.maximum = maximum
        self.percentiles = percentiles
        self.quantiles = quantiles
        self.spread = spread
        self.outliers = outliers
        self.operationsPerSecond = operationsPerSecond
        self.ratio = ratio
        self.cpu = cpu
        self.sets = sets
        self.isSteady = isSteady
        self.counters = counters
        self.instructions = instructions
        self.peakResidentBytes = peakResidentBytes
        self.wrong = wrong
        self.failure = failure
        self.figures = figures
        self.isStores = isStores
    }

    /// The time by which a row is compared.
    package enum Comparison: String, Sendable {
        case undisturbed
        /// For stores and mixtures of outcomes. A cache may defer the work of many stores to one (a batch, a checkpoint,
        /// a compaction), which no median includes.
        case mean
    }

    /// The quantiles of `quantiles`, ascending.
    package static let curve = [
        0, 0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.925, 0.95, 0.975, 0.99, 0.995, 0.9975,
        0.999, 0.9995, 0.9999, 0.99999, 1,
    ]

    package func percentile(_ part: Double) -> Percentile? { percentiles.first { $0.part == part } }

    /// The larger distance from the undisturbed time to an end of its interval, as a part of that time.
    package var error: Double? { undisturbed?.error }

    /// The larger distance from the ratio to an end of its interval, as a part of the ratio.
    package var ratioError: Double? { ratio.flatMap { Estimate($0, in: ratioInterval).error } }

    /// The sets in which the row was measured.
    package var measuredSets: [SetTimes] { sets.filter { !$0.slices.isEmpty } }

    /// The time by which the row is compared, nanoseconds: the undisturbed one, the mean of stores and mixtures, or the
    /// typical one where the machine was not at full speed often enough.
    package var comparedTime: Double? {
        comparison == .mean ? mean ?? overSets?.value : (undisturbed ?? overSets)?.value
    }

    /// The larger distance from `comparedTime` to an end of its interval, as a part of it.
    package var comparedError: Double? {
        guard comparedTime != nil else { return nil }
        return comparison == .mean ? overSets?.error : (undisturbed ?? overSets)?.error
    }

    /// Whether the machine was not at full speed often enough for an undisturbed time.
    package var lacksFullSpeed: Bool { comparison == .undisturbed && median != nil && undisturbed == nil }

    /// The mark of a typical time, or a ratio of such times, of a machine that was not at full speed often enough.
    package static let slowMark = "~"
    package var timeMark: String { lacksFullSpeed && overSets != nil ? Self.slowMark : "" }
    package var ratioMark: String { isRatioTypical && ratio != nil ? Self.slowMark : "" }

    package func perOperation(_ counter: (CounterChange) -> UInt64?) -> Double? {
        guard operations > 0, let value = counters.flatMap(counter) else { return nil }
        return Double(value) / Double(operations)
    }

    package var allocations: Double? { perOperation(\.allocations) }
}

/// Single hits of a row whose operations are timed in batches. A batch says nothing of the slowest of its operations.
package struct SingleTimes: Equatable {
    /// How many were timed.
    package let operations: Int
    /// Their median, nanoseconds, without `clock`.
    package let median: Double
    /// What reading the clock takes of each of these times, nanoseconds. It is taken off the percentiles of the row.
    package let clock: Double

    package init(operations: Int, median: Double, clock: Double) {
        self.operations = operations
        self.median = median
        self.clock = clock
    }
}
