import GaugeSupport

/// One line of the table. Times are nanoseconds per operation; what wasn't measured is `nil`.
package struct ResultRow {
    package var name: BenchmarkName
    package var isPeer: Bool
    /// See `Benchmark.isUsual`.
    package var isUsual = false
    package var threads = 1
    package var operations = 0
    package var minimum: Double?
    /// The time while nothing disturbs the machine (see `UndisturbedTime`), combined over sets of processes (see
    /// `SetEstimate`). `nil` if the machine was too rarely at full speed, and for a mixture of outcomes.
    package var undisturbed: Estimate?
    /// For a row compared by means, the mean over sets; without an undisturbed time, the typical time over sets, of a
    /// machine that shared its processors.
    package var overSets: Estimate?
    /// The typical time: the median of all batches or operations, with every disturbance.
    package var median: Double?
    /// The 95 % confidence interval of the median (see `MedianInterval`).
    package var interval: ClosedRange<Double>?
    /// The mean of all operations, or batches.
    package var mean: Double?
    /// The longest operation if operations are timed one by one; otherwise the largest mean of a batch.
    package var maximum: Double?
    /// Percentiles with enough samples, only where operations are timed one by one. For hits timed in batches they come
    /// from their own slices (`singles`).
    package var percentiles: [Percentile] = []
    /// For hits timed in batches: where the percentiles come from.
    package var singles: SingleTimes?
    /// Times at the quantiles of `ResultRow.curve`, for plots; only if operations are timed one by one.
    package var quantiles: [Double] = []
    /// Half the interquartile range of the slices, relative to their median.
    package var spread: Double?
    /// Outliers among the batches, or among operations timed one by one.
    package var outliers = Outliers()
    /// Throughput of all threads together.
    package var operationsPerSecond: Double?
    /// The time divided by that of the case's reference subject. Times are divided within each set of processes, in
    /// which both ran in turns, and the sets' ratios combined (see `SetEstimate`).
    package var ratio: Double?
    /// The 95 % confidence interval of the ratio; `nil` for the reference itself, and for a single set.
    package var ratioInterval: ClosedRange<Double>?
    /// Whether the machine was too rarely at full speed, so that the ratio comes from slices in which both rows were
    /// slowed alike (see `PairedRatios`).
    package var isRatioPaired = false
    /// The relative error of the undisturbed time because the clock rate wasn't the reference.
    var clockError = 0.0
    /// The relative error of the undisturbed time because a mood of the machine may outlast a run.
    ///
    /// Other guests share caches and memory and slow a row a little, which no probe shows. Such moods last for
    /// milliseconds or minutes; the short ones scatter a set's batches. On one machine a run's time lay within half the
    /// interquartile range of other runs' times (results/run-self-test.md).
    var moodError: Double { Samples(measuredSets.filter { $0.undisturbed != nil }.map(\.spread)).median ?? 0 }
    package var comparison = Comparison.undisturbed
    /// Processor time of one operation, of the measured threads.
    package var cpu: Double?
    /// Processor time of all other threads of the process, for each operation; `nil` if unknown.
    package var otherCPU: Double?
    /// The times in each set of processes, in order; a set without slices didn't measure this row.
    package var sets: [SetTimes] = []
    /// The two modes of the slices; `nil` if there is one.
    package var modes: Modes?
    /// Whether the subject was warm before the first slice (see `WarmUp`).
    package var isSteady: Bool?
    /// Changes of the counters over all operations.
    package var counters: Counters?
    package var instructions: InstructionCount?
    package var peakResidentBytes: UInt64?
    package var wrong = 0
    package var failure: WorkerFailure?
    package var figures: [Figure] = []

    /// The time by which a row is compared.
    package enum Comparison: String, Sendable {
        case undisturbed
        /// For stores, mixtures of outcomes and cold hits. A cache may defer the work of many stores to one (a batch, a
        /// checkpoint, a compaction), and one cold read may read ahead for others, which no median includes.
        case mean
    }

    /// The quantiles of `quantiles`, ascending.
    package static let curve = [
        0, 0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.925, 0.95, 0.975, 0.99, 0.995, 0.9975,
        0.999, 0.9995, 0.9999, 0.99999, 1,
    ]

    package func percentile(_ part: Double) -> Percentile? { percentiles.first { $0.part == part } }

    /// The larger distance from the undisturbed time to an end of its interval, relative to that time.
    package var error: Double? { undisturbed?.error }

    /// The larger distance from the ratio to an end of its interval, relative to the ratio.
    package var ratioError: Double? { ratio.flatMap { Estimate($0, in: ratioInterval).error } }

    package var measuredSets: [SetTimes] { sets.filter { !$0.slices.isEmpty } }

    /// The time by which the row is compared, nanoseconds: undisturbed; the mean, for stores and mixtures; or typical,
    /// if the machine was too rarely at full speed.
    package var comparedTime: Double? {
        comparison == .mean ? overSets?.value ?? mean : (undisturbed ?? overSets)?.value
    }

    /// The larger distance from `comparedTime` to an end of its interval, relative to it.
    package var comparedError: Double? {
        guard comparedTime != nil else { return nil }
        return comparison == .mean ? overSets?.error : (undisturbed ?? overSets)?.error
    }

    /// Whether the machine was too rarely at full speed for an undisturbed time.
    package var lacksFullSpeed: Bool { comparison == .undisturbed && median != nil && undisturbed == nil }

    /// The mark of typical times, and of ratios from slowed slices, on a machine that was too rarely at full speed.
    package static let slowMark = "~"
    package var timeMark: String { lacksFullSpeed && overSets != nil ? Self.slowMark : "" }
    package var ratioMark: String { isRatioPaired && ratio != nil ? Self.slowMark : "" }

    package func perOperation(_ counter: (Counters) -> UInt64?) -> Double? {
        guard operations > 0, let value = counters.flatMap(counter) else { return nil }
        return Double(value) / Double(operations)
    }

    package var allocations: Double? { perOperation(\.allocations) }
    /// How often a thread of the process waited and was woken, for each operation.
    package var wakeUps: Double? { perOperation(\.wakeUps) }

    /// Processor time of the whole process for each operation.
    package var processCPU: Double? { cpu.flatMap { own in otherCPU.map { own + $0 } } }

    /// The share of the process's processor time that other threads took; `nil` if it doesn't stand out.
    package var otherPart: Double? {
        guard let otherCPU, let processCPU, processCPU > 0 else { return nil }
        let part = otherCPU / processCPU
        return part >= Self.muchOther ? part : nil
    }

    /// A smaller share of other threads may be a runtime's own.
    package static let muchOther = 0.05
}

/// Single hits of a row timed in batches. A batch says nothing about its slowest operations.
package struct SingleTimes: Equatable {
    package let operations: Int
    /// Their median, nanoseconds, without `clock`.
    package let median: Double
    /// What reading the clock adds to each of these times, nanoseconds; subtracted from the row's percentiles.
    package let clock: Double
}
