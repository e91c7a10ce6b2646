/// Tells when the processor ran at full speed, and at which clock rate, by probes beside every batch.
///
/// A virtual processor often shares its core with another, and the instructions of both then share the core's units. A
/// loop of many instructions a cycle takes up to twice as long, one that waits for memory or for its own results hardly
/// longer, and both without stolen time. So the same machine has two speeds, for milliseconds or seconds at a time, and
/// ratios differ between them. The probe is the same for every subject. A batch is chosen by the probes on both sides
/// of it, not by its own time, and so the choice favours no subject.
///
/// The clock rate also varies, by some per cent between runs, with the load and the temperature of the whole host. All
/// work inside the core follows it alike, and so a time is told for one rate, the reference.
package struct FullSpeed: Equatable, Sendable {
    /// A probe at full speed takes at most this many times as long as the quickest.
    package static let tolerance = 1.06
    /// The part of all probes that is quicker than the quickest that counts.
    package static let quickest = 0.02
    /// Clock rates of one processor are at most this many times apart. A chain of additions that takes longer was
    /// interrupted, and a reference that is farther away was measured on another machine, or by such chains.
    package static let widestClockRange = 1.5
    /// The part of a change of the clock rate that a time may fail to follow: memory and devices have clocks of their
    /// own.
    package static let unfollowed = 1.0 / 3

    /// The longest duration of a probe at full speed (see `SpeedReading`).
    package let longest: Double
    /// The part of all probes that were at full speed.
    package let part: Double
    /// The mean time of a cycle at full speed, nanoseconds; `nil` where no probe measured it.
    package let cycle: Double?
    /// The time of a cycle for which times are told, nanoseconds: by default that of this run.
    package let reference: Double?
    /// The longest time of a cycle in a probe that was not interrupted, nanoseconds.
    private let longestCycle: Double

    /// - Parameters:
    ///   - readings: all probes of a run, with their numbers.
    ///   - reference: the time of a cycle for which times are told, nanoseconds; this run's own is taken instead of one
    ///     beyond `widestClockRange`.
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

    /// By how many times a time changes from this clock rate to the reference; 1 for an unknown rate.
    ///
    /// - Parameter cycles: the times of a cycle during the measurement, nanoseconds.
    package func correction(_ cycles: [Double]) -> Double {
        guard let reference, let cycle = Samples(cycles).median, cycle > 0 else { return 1 }
        return reference / cycle
    }

    /// The error that a time may have because the run's clock rate was not the reference, as a part of it.
    ///
    /// - Parameter isCorrected: whether the time was told for the reference rate.
    package func error(isCorrected: Bool) -> Double {
        guard let reference, let cycle, reference > 0 else { return 0 }
        return abs(cycle / reference - 1) * (isCorrected ? Self.unfollowed : 1)
    }
}
