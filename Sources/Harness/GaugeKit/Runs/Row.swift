/// One line of the table. Times are nanoseconds for one operation; what was not measured is `nil`.
struct Row {
    var name: BenchmarkName
    var isPeer: Bool
    var threads = 1
    /// Operations that the row stands for.
    var operations = 0
    var minimum: Double?
    var median: Double?
    /// The 95 % confidence interval of the median (see `MedianInterval`).
    var interval: ClosedRange<Double>?
    /// Of all operations, or batches.
    var mean: Double?
    /// The longest; of operations timed one by one, else of the means of batches.
    var maximum: Double?
    /// Only where operations are timed one by one, and those alone that there are enough of.
    var percentiles: [Percentile] = []
    /// Times at `Row.curve`'s parts, for drawing; only where operations are timed one by one.
    var quantiles: [Double] = []
    /// Half the distance between the quartiles of the slices, as a part of their median.
    var spread: Double?
    /// Batches, or operations where they are timed one by one.
    var outliers = Outliers()
    /// All threads together.
    var operationsPerSecond: Double?
    /// The median, over the median of the reference subject of the same case; of stores the mean over the mean, since a
    /// cache may leave to one store in many what the others owe (a batch, a checkpoint, a compaction), which no median
    /// sees.
    var ratio: Double?
    /// Processor time of one operation.
    var cpu: Double?
    /// What each slice has shown, in the order in which they ran.
    var slices: [Slice] = []
    /// Whether it was warm before the first slice (see `WarmUp`).
    var isSteady: Bool?
    /// What was counted over all operations.
    var counters: CounterChange?
    var instructions: InstructionCount?
    var peakResidentBytes: UInt64?
    var wrong = 0
    var failure: WorkerFailure?
    var figures: [Figure] = []

    /// Whether the row is about stores alone.
    var isStores = false

    /// One repetition.
    struct Slice: Equatable {
        let operations: Int
        /// The median of its batches or operations.
        let time: Double
        /// Processor time of one operation.
        let cpu: Double
    }

    /// The parts of `quantiles`, from the shortest to the longest.
    static let curve = [
        0, 0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.925, 0.95, 0.975, 0.99, 0.995, 0.9975,
        0.999, 0.9995, 0.9999, 0.99999, 1,
    ]

    func percentile(_ part: Double) -> Percentile? { percentiles.first { $0.part == part } }

    /// The farther end of the median's interval, as a part of the median.
    var error: Double? {
        guard let median, let interval, median > 0 else { return nil }
        return max(interval.upperBound - median, median - interval.lowerBound) / median
    }

    func perOperation(_ counter: (CounterChange) -> UInt64?) -> Double? {
        guard operations > 0, let value = counters.flatMap(counter) else { return nil }
        return Double(value) / Double(operations)
    }

    var allocations: Double? { perOperation(\.allocations) }
}
