import Foundation

/// What a look at the sets of one benchmark has found.
struct TimeJudgement: Equatable {
    enum Verdict: String, Codable, Sendable {
        /// Slower by more than delta.
        case regressed
        /// Faster by more than delta.
        case improved
        /// Within delta on either side.
        case equivalent
        /// None of these can be said.
        case inconclusive
    }

    /// Why nothing can be said.
    enum Doubt: String, Sendable {
        /// Too few sets of processes.
        case fewSets = "few-sets"
        /// The smallest effect that could have been seen is above delta, and the change is not above it: the machine is too
        /// loud, or the row too much a matter of layout. Never a pass.
        case noise
        /// Moving the base's code and stack alone changes its time by more than delta, and the change is not above that. More
        /// sets would not help.
        case layout
        /// The interval contains plus or minus delta.
        case straddles
    }

    let verdict: Verdict
    let doubt: Doubt?
    /// Sets of processes.
    let sets: Int
    /// Logarithms of ratios of times, with the intervals on which they are judged; `nil` for too few sets.
    let change: Estimate?
    let same: Estimate?
    let layout: Estimate?

    struct Estimate: Equatable {
        let value: Double
        let interval: ClosedRange<Double>

        init(_ mean: TrimmedMean, tail: Double) {
            value = mean.mean
            interval = mean.interval(tail: tail)
        }

        /// How far the truth may be from nothing.
        var reach: Double { max(abs(interval.lowerBound), abs(interval.upperBound)) }
    }

    /// The smallest effect that this run could have seen: as far as either control, in which there is none, may be from
    /// nothing. A logarithm of a ratio; infinite for too few sets.
    var resolution: Double {
        guard let same, let layout else { return .infinity }
        return max(same.reach, layout.reach)
    }

    /// Whether more sets may lead to a verdict.
    var isOpen: Bool { verdict == .inconclusive && doubt != .layout }

    /// Judges.
    ///
    /// - Parameter delta: 0.01 for one per cent.
    init(_ replicates: [Replicate], delta: Double, plan: LookPlan) {
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

        // A ratio of 1.01 one way is one of 1 / 1.01 the other.
        let bound = log1p(delta)
        // Where the controls differ by more than delta, what does not differ by more than they is nothing that was seen.
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
