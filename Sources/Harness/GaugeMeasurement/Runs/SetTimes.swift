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
    /// The median duration of the speed probes in each slice (see `SpeedReading`); 0 where none ran.
    package var moods: [Double] = []
    /// The variance of the undisturbed time that the scatter of its batches explains, as a square of its logarithm.
    package var scatter = 0.0
    /// Half the distance between the quartiles of the undisturbed batches, as a part of their median.
    package var spread = 0.0

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

    /// The variance of the typical time, or the mean, that the scatter of the slices explains.
    package var sliceScatter: Double { Self.scatter(slices) }

    /// Two slices were in the same mood if their probes differ by at most this factor.
    package static let sameMood = 1.1

    /// The median ratio of slices that ran in turns with those of `other` while the machine was in the same mood.
    ///
    /// - Returns: `nil` without pairs, or when fewer than a quarter of them ran in the same mood.
    package func pairedRatio(to other: SetTimes) -> Double? {
        let pairs = zip(slices.indices, other.slices.indices).filter { ours, theirs in
            guard ours < moods.count, theirs < other.moods.count else { return true }
            let (first, second) = (moods[ours], other.moods[theirs])
            return max(first, second) <= min(first, second) * Self.sameMood
        }
        guard pairs.count * 4 >= min(slices.count, other.slices.count) else { return nil }
        return Samples(pairs.map { slices[$0.0] / other.slices[$0.1] }.filter { $0 > 0 && $0.isFinite }).median
    }

    /// The times of batches, or of the operations with one outcome.
    init(_ measured: [MeasuredSlice], _ outcome: Outcome?, _ speed: FullSpeed?) {
        self.init(meanOf: measured)
        let tallies = measured.map { $0.tally(of: outcome) }
        if outcome != nil {
            operations = tallies.reduce(0) { $0 + Int(clamping: $1.count) }
            let sum = tallies.reduce(0) { $0 + $1.entries.reduce(0) { $0 + $1.value * Double($1.count) } }
            mean = operations > 0 ? sum / Double(operations) : nil
        }
        let medians = zip(measured, tallies).compactMap { slice, tally in tally.quantile(0.5).map { (slice, $0) } }
        slices = medians.map(\.1)
        moods = medians.map { Samples($0.0.probes.map(\.duration)).median ?? 0 }
        let times = measured.flatMap { $0.times(of: outcome, speed) }
        undisturbed = UndisturbedTime.of(times)
        let fast = times.filter(\.isUndisturbed).map(\.time)
        scatter = Self.scatter(fast)
        spread = Samples(fast).spread ?? 0
    }

    /// Only the means, for a mixture of outcomes.
    init(meanOf measured: [MeasuredSlice]) {
        operations = measured.reduce(0) { $0 + $1.operations }
        slices = measured.compactMap(\.timedMean)
        guard operations > 0 else { return }
        mean = measured.reduce(0) { $0 + ($1.timedMean ?? 0) * Double($1.operations) } / Double(operations)
        cpu = measured.reduce(0) { $0 + Double($1.cpuNanoseconds) } / Double(operations)
    }

    /// The variance of the median of some times, from the distance of their quartiles: that of a normal distribution
    /// is 1.35 standard deviations.
    private static func scatter(_ times: [Double]) -> Double {
        guard let spread = Samples(times).spread else { return 0 }
        let deviation = 2 * spread / 1.35
        return deviation * deviation / Double(times.count)
    }
}
