import GaugeStatistics

/// The times of one row in one set of processes, nanoseconds for one operation.
package struct SetTimes: Equatable {
    package var operations = 0
    /// The undisturbed time (see `UndisturbedTime`); `nil` when the machine was not at full speed often enough.
    package var undisturbed: Double?
    /// The mean of all operations.
    package var mean: Double?
    /// Processor time.
    package var cpu: Double?
    /// The medians of the slices, in order; of a mixture of outcomes, the means.
    package var slices: [Double] = []

    package init(
        operations: Int = 0, undisturbed: Double? = nil, mean: Double? = nil, cpu: Double? = nil, slices: [Double] = []
    ) {
        self.operations = operations
        self.undisturbed = undisturbed
        self.mean = mean
        self.cpu = cpu
        self.slices = slices
    }

    /// The median of the slices.
    package var typical: Double? { Samples(slices).median }

    /// The undisturbed time, or the typical one.
    package var time: Double { undisturbed ?? typical ?? 0 }

    /// The times of batches, or of the operations with one outcome.
    init(_ measured: [MeasuredSlice], _ outcome: Outcome?, _ speed: FullSpeed?) {
        self.init(meanOf: measured)
        let tallies = measured.map { $0.tally(of: outcome) }
        if outcome != nil {
            operations = tallies.reduce(0) { $0 + Int(clamping: $1.count) }
            let sum = tallies.reduce(0) { $0 + $1.entries.reduce(0) { $0 + $1.value * Double($1.count) } }
            mean = operations > 0 ? sum / Double(operations) : nil
        }
        slices = tallies.compactMap { $0.quantile(0.5) }
        undisturbed = UndisturbedTime.of(measured.flatMap { $0.times(of: outcome, speed) })
    }

    /// Only the means, for a mixture of outcomes.
    init(meanOf measured: [MeasuredSlice]) {
        operations = measured.reduce(0) { $0 + $1.operations }
        slices = measured.compactMap(\.timedMean)
        guard operations > 0 else { return }
        mean = measured.reduce(0) { $0 + ($1.timedMean ?? 0) * Double($1.operations) } / Double(operations)
        cpu = measured.reduce(0) { $0 + Double($1.cpuNanoseconds) } / Double(operations)
    }
}
