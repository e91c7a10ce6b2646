import Foundation
import GaugeStatistics

/// The verdict of one look at the sets of a benchmark.
package struct TimeJudgement: Equatable {
    package enum Verdict: String, Codable, Sendable {
        /// Slower by more than delta.
        case regressed
        /// Faster by more than delta.
        case improved
        /// Within delta on either side.
        case equivalent
        /// There is no verdict.
        case inconclusive
    }

    /// The reason why there is no verdict.
    package enum Doubt: String, Sendable {
        /// Too few sets of processes.
        case fewSets = "few-sets"
        /// The smallest detectable effect is above delta, and the change is not above it: the machine is too noisy, or
        /// the row depends too much on layout. Never counts as a pass.
        case noise
        /// Moving only the base's code and stack changes its time by more than delta, and the change is not above that.
        /// More sets would not help.
        case layout
        /// The interval contains plus or minus delta.
        case straddles
    }

    package let verdict: Verdict
    package let doubt: Doubt?
    /// The number of sets of processes.
    package let sets: Int
    /// Logarithms of ratios of times, with the intervals by which they are judged; `nil` for too few sets.
    package let change: Estimate?
    package let same: Estimate?
    package let layout: Estimate?

    package struct Estimate: Equatable {
        package let value: Double
        package let interval: ClosedRange<Double>

        package init(_ mean: TrimmedMean, tail: Double) {
            value = mean.mean
            interval = mean.interval(tail: tail)
        }

        /// The largest distance of the interval from zero.
        package var reach: Double { max(abs(interval.lowerBound), abs(interval.upperBound)) }
    }

    /// The smallest effect that this run can detect: the largest distance from zero of either control, in which there
    /// is no effect. A logarithm of a ratio; infinite for too few sets.
    package var resolution: Double {
        guard let same, let layout else { return .infinity }
        return max(same.reach, layout.reach)
    }

    /// Whether more sets may lead to a verdict.
    package var isOpen: Bool { verdict == .inconclusive && doubt != .layout }

    /// Judges the sets.
    ///
    /// - Parameter delta: the largest relative difference that counts as equivalent; 0.01 for one per cent.
    package init(_ replicates: [Replicate], delta: Double, plan: LookPlan) {
        sets = replicates.count
        guard sets >= LookPlan.least, let changes = TrimmedMean(replicates.map(\.change)),
            let sames = TrimmedMean(replicates.map(\.same)), let layouts = TrimmedMean(replicates.map(\.layout))
        else {
            (verdict, doubt, change, same, layout) = (.inconclusive, .fewSets, nil, nil, nil)
            return
        }
        let change = Estimate(changes, tail: plan.accusationTail)
        let same = Estimate(sames, tail: LookPlan.controlTail)
        let layout = Estimate(layouts, tail: LookPlan.controlTail)
        (self.change, self.same, self.layout) = (change, same, layout)

        // The inverse of a ratio of 1.01 is 1 / 1.01, so the bound is symmetric in logarithms.
        let bound = log1p(delta)
        // When the controls differ by more than delta, a smaller difference is not detectable.
        let visible = max(bound, same.reach, layout.reach)
        let moved = layouts.interval(tail: plan.accusationTail)
        if change.interval.lowerBound > visible {
            (verdict, doubt) = (.regressed, nil)
        } else if change.interval.upperBound < -visible {
            (verdict, doubt) = (.improved, nil)
        } else if moved.lowerBound > bound || moved.upperBound < -bound {
            (verdict, doubt) = (.inconclusive, .layout)
        } else if visible > bound {
            (verdict, doubt) = (.inconclusive, .noise)
        } else {
            let within = changes.interval(tail: plan.equivalenceTail)
            let isWithin = within.lowerBound >= -bound && within.upperBound <= bound
            (verdict, doubt) = isWithin ? (.equivalent, nil) : (.inconclusive, .straddles)
        }
    }
}
