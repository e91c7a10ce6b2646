/// One line of the table. Times are nanoseconds for one operation; what was not measured is `nil`.
struct Row {
    var name: BenchmarkName
    var isPeer: Bool
    var threads = 1
    /// Operations that the row stands for.
    var operations = 0
    var minimum: Double?
    var median: Double?
    /// Of all operations; only where they are timed one by one, like the percentiles.
    var mean: Double?
    var p99: Double?
    var p999: Double?
    /// Half the distance between the quartiles of the slices, as a part of their median.
    var spread: Double?
    /// All threads together.
    var operationsPerSecond: Double?
    /// The median, over the median of the reference subject of the same case; of stores the mean over the mean, since a
    /// cache may leave to one store in many what the others owe (a batch, a checkpoint, a compaction), which no median
    /// sees.
    var ratio: Double?
    /// Processor time of one operation.
    var cpu: Double?
    /// What was counted over all operations.
    var counters: CounterChange?
    var peakResidentBytes: UInt64?
    var wrong = 0
    var failure: WorkerFailure?
    var figures: [Figure] = []

    /// Whether the row is about stores alone.
    var isStores = false

    func perOperation(_ counter: (CounterChange) -> UInt64?) -> Double? {
        guard operations > 0, let value = counters.flatMap(counter) else { return nil }
        return Double(value) / Double(operations)
    }

    var allocations: Double? { perOperation(\.allocations) }
}
