/// Tells when the processor ran at full speed, by probes: a fixed loop of many instructions a cycle, timed beside every
/// batch.
///
/// A virtual processor often shares its core with another, and the instructions of both then share the core's units. A
/// loop of many instructions a cycle takes up to twice as long, one that waits for memory or for its own results hardly
/// longer, and both without stolen time. So the same machine has two speeds, for milliseconds or seconds at a time, and
/// ratios differ between them. The probe is the same for every subject. A batch is chosen by the probes on both sides
/// of it, not by its own time, and so the choice favours no subject.
package struct FullSpeed: Equatable, Sendable {
    /// A probe at full speed takes at most this many times as long as the quickest.
    package static let tolerance = 1.06
    /// The part of all probes that is quicker than the quickest that counts.
    package static let quickest = 0.02

    /// The longest time of a probe at full speed, nanoseconds.
    package let longest: Double
    /// The part of all probes that were at full speed.
    package let part: Double
    /// Half the range of nine in ten of the probes at full speed, as a part of their median: the clock rate varies so
    /// much within full speed, and a whole run may be at one end of it.
    package let variation: Double

    /// - Parameter probes: times of all probes of a run, nanoseconds.
    /// - Returns: `nil` without probes.
    package init?(_ probes: Tally) {
        guard let quickest = probes.quantile(Self.quickest), quickest > 0 else { return nil }
        longest = quickest * Self.tolerance
        let fast = Tally(Array(probes.entries.prefix { [longest] in $0.value <= longest }))
        part = Double(fast.count) / Double(probes.count)
        guard let low = fast.quantile(0.05), let middle = fast.quantile(0.5), let high = fast.quantile(0.95) else {
            return nil
        }
        variation = (high - low) / 2 / middle
    }

    /// Whether a probe was at full speed.
    package func holds(_ probe: Double) -> Bool { probe <= longest }
}
