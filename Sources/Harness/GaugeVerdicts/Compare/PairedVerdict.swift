import Foundation
import GaugeStatistics

/// The verdict on the sets of one comparison.
package struct PairedVerdict: Codable, Equatable, Sendable {
    package enum Kind: String, Codable, Sendable, CaseIterable {
        /// B takes less time than A.
        case faster
        /// B takes more time than A.
        case slower
        /// The difference is smaller than delta.
        case equivalent
        /// The interval contains both no difference and one of delta, or there are too few sets.
        case inconclusive
    }

    package let kind: Kind
    /// The logarithm of B's time over A's; `nil` for too few sets.
    package let change: Double?
    /// The interval of `change`, at `level`.
    package let interval: ClosedRange<Double>?

    /// The probability that any interval of a comparison misses the truth. Equal builds are called different at most
    /// that often, and a difference of delta or more is called equivalent at most that often.
    package static let error = 0.01
    /// The largest relative difference that counts as equivalent, by default.
    package static let defaultDelta = 0.005
    /// The fewest sets, so that three are left when the extremes are trimmed.
    package static let leastSets = 4

    /// Judges the sets.
    ///
    /// - Parameters:
    ///   - delta: the largest relative difference that counts as equivalent; 0.01 for one per cent.
    ///   - comparisons: the number of comparisons among which `error` is divided (Bonferroni).
    package init(_ sets: [PairedSet], delta: Double, comparisons: Int = 1) {
        guard sets.count >= Self.leastSets, let mean = TrimmedMean(sets.map(\.change)) else {
            (kind, change, interval) = (.inconclusive, nil, nil)
            return
        }
        let interval = mean.interval(tail: Self.error / Double(2 * max(1, comparisons)))
        (kind, change, self.interval) = (Self.kind(of: interval, delta: delta), mean.mean, interval)
    }

    /// The verdict of an interval of logarithms of ratios.
    ///
    /// A difference that is certain but smaller than delta is equivalent.
    package static func kind(of interval: ClosedRange<Double>, delta: Double) -> Kind {
        // The inverse of a ratio of 1.01 is 1 / 1.01, so the bound is symmetric in logarithms.
        let bound = log1p(delta)
        if interval.lowerBound >= -bound, interval.upperBound <= bound { return .equivalent }
        if interval.lowerBound > 0 { return .slower }
        if interval.upperBound < 0 { return .faster }
        return .inconclusive
    }
}
