/// Tells when the processor ran at full speed, and at which clock rate, by probes beside every batch.
///
/// A virtual processor often shares its core with another, and their instructions share the core's units. A loop of
/// many instructions per cycle then takes up to twice as long, one that waits for memory or its own results hardly
/// longer, and both without stolen time. So the same machine has two speeds, for milliseconds or seconds at a time,
/// with different ratios. The probe is the same for every subject. Batches are chosen by the probes on both sides, not
/// by their own time, so the choice favours no subject.
///
/// The clock rate also varies by some per cent between runs, with the load and temperature of the whole host. All work
/// inside the core follows it, so times are converted to one rate, the reference.
package struct FullSpeed: Equatable, Sendable {
    /// A probe at full speed takes at most this many times as long as the quickest.
    package static let tolerance = 1.06
    /// The share of probes that are quicker than the one that counts as the quickest.
    package static let quickest = 0.02
    /// Clock rates of one processor differ at most by this factor. A slower chain of additions was interrupted; a
    /// reference farther away comes from another machine, or from such chains.
    package static let widestClockRange = 1.5
    /// The share of a clock rate's change that a time may fail to follow: memory and devices have their own clocks.
    package static let unfollowed = 1.0 / 3

    /// The longest duration of a probe at full speed (see `SpeedReading`).
    package let longest: Double
    /// The median duration of the probes at full speed.
    package let duration: Double
    /// The share of all probes at full speed.
    package let part: Double
    /// The mean time of a cycle at full speed, nanoseconds; `nil` if no probe measured it.
    package let cycle: Double?
    /// The cycle time to which times are converted, nanoseconds: by default this run's.
    package let reference: Double?
    /// The longest cycle time in an uninterrupted probe, nanoseconds.
    private let longestCycle: Double

    /// - Parameters:
    ///   - readings: all probes of a run, with their numbers.
    ///   - reference: the cycle time to convert to, nanoseconds; one beyond `widestClockRange` is replaced by this
    ///     run's own.
    /// - Returns: `nil` without probes.
    package init?(_ readings: [SpeedReading: UInt64], reference: Double? = nil) {
        let shortestCycle = Self.cycles(readings).quantile(Self.quickest)
        let longestCycle = shortestCycle.map { $0 * Self.widestClockRange } ?? .infinity
        let whole = readings.filter { $0.key.cycle ?? 0 <= longestCycle }
        let durations = Tally(whole.map { Tally.Entry(value: $0.key.duration, count: $0.value) })
        guard let quickest = durations.quantile(Self.quickest), quickest > 0 else { return nil }
        let longest = quickest * Self.tolerance
        let fast = whole.filter { $0.key.duration <= longest }
        let cycle = Self.cycles(fast).midMean
        self.longest = longest
        duration = Tally(fast.map { Tally.Entry(value: $0.key.duration, count: $0.value) }).quantile(0.5) ?? quickest
        self.longestCycle = longestCycle
        part = Double(fast.values.reduce(0, +)) / Double(readings.values.reduce(0, +))
        self.cycle = cycle
        self.reference = cycle.map { own in
            let range = own / Self.widestClockRange...own * Self.widestClockRange
            return reference.flatMap { range.contains($0) ? $0 : nil } ?? own
        }
    }

    private static func cycles(_ readings: [SpeedReading: UInt64]) -> Tally {
        Tally(readings.compactMap { reading, count in reading.cycle.map { Tally.Entry(value: $0, count: count) } })
    }

    /// Whether a probe was at full speed.
    package func holds(_ reading: SpeedReading) -> Bool {
        reading.duration <= longest && reading.cycle ?? 0 <= longestCycle
    }

    /// The factor that converts a time from this clock rate to the reference; 1 for an unknown rate.
    ///
    /// - Parameter cycles: the times of a cycle during the measurement, nanoseconds.
    package func correction(_ cycles: [Double]) -> Double {
        guard let reference, let cycle = Samples(cycles).median, cycle > 0 else { return 1 }
        return reference / cycle
    }

    /// The relative error that a time may have because the run's clock rate wasn't the reference.
    ///
    /// - Parameter isCorrected: whether the time was converted to the reference rate.
    package func error(isCorrected: Bool) -> Double {
        guard let reference, let cycle, reference > 0 else { return 0 }
        return abs(cycle / reference - 1) * (isCorrected ? Self.unfollowed : 1)
    }
}

/// What one probe says about the processor's speed.
package struct SpeedReading: Hashable, Sendable {
    /// The time of the loop of independent instructions, nanoseconds.
    package let parallel: Double
    /// The time of one cycle, nanoseconds; `nil` from a worker that didn't measure it.
    package let cycle: Double?

    package init(parallel: Double, cycle: Double? = nil) {
        self.parallel = parallel
        self.cycle = cycle.flatMap { $0 > 0 ? $0 : nil }
    }

    /// Rounded to 0.4 % and 0.02 %, so that a long run has few different readings.
    package var rounded: SpeedReading {
        func rounded(_ value: Double, bits: UInt64) -> Double {
            let unit: UInt64 = 1 << (52 - bits)
            return Double(bitPattern: (value.bitPattern &+ unit / 2) & ~(unit - 1))
        }
        return SpeedReading(parallel: rounded(parallel, bits: 8), cycle: cycle.map { rounded($0, bits: 12) })
    }

    /// The loop's time in cycles, which doesn't depend on the clock rate; in nanoseconds if that is unknown.
    package var duration: Double { cycle.map { parallel / $0 } ?? parallel }
}

/// The time of an operation in one process while nothing disturbs it: the lower quartile of the measured times.
///
/// Disturbances only lengthen a time, so the lower part of the distribution is the one that repeats (Chen and Revels,
/// "Robust benchmarking in noisy environments", 2016, who take the minimum). A minimum depends on the number of
/// measurements and a single lucky one; the lower quartile doesn't, and it stays in the fast mode as long as a quarter
/// of the measurements are. Only those count that ran without interruption and, by the probes beside them, at full
/// speed (see `FullSpeed`).
package enum UndisturbedTime {
    package static let part = 0.25
    /// The fewest undisturbed times for a set, unless a quarter of its times are fewer.
    package static let least = 6

    /// - Parameter times: all times of a set, and whether each was measured at full speed without interruption.
    /// - Returns: `nil` if too few were undisturbed.
    package static func of(_ times: [(time: Double, isUndisturbed: Bool)]) -> Double? {
        let undisturbed = times.filter(\.isUndisturbed).map(\.time)
        guard undisturbed.count >= max(1, min(least, times.count / 4)) else { return nil }
        return Samples(undisturbed).quantile(part)
    }

    /// So many sets with an undisturbed time are enough, however many sets have only a typical one.
    package static let enoughSets = 4

    /// Whether so many sets with an undisturbed time are enough for a figure: four, or at least two that are a quarter
    /// of all, or one of at most two.
    ///
    /// One set has no interval, and so its figure says little about other processes.
    package static func isEnough(_ undisturbed: Int, of sets: Int) -> Bool {
        guard undisturbed < enoughSets else { return true }
        return undisturbed > 0 && undisturbed * 4 >= sets && (undisturbed > 1 || sets <= 2)
    }
}
