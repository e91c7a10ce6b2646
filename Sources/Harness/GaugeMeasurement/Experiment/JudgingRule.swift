import Foundation
import GaugeSupport

/// How sets of processes become a verdict on one figure.
package struct JudgingRule: Equatable, Sendable {
    /// The largest relative difference that counts as equivalent: 0.01 for one per cent.
    package var delta: Double
    /// Whether worse and better require a difference certainly larger than delta and than what the controls show.
    /// Otherwise any certain difference is enough, unless it is certainly within delta.
    package var claimsBeyondDelta: Bool
    /// The tail probability beyond each bound of a change's interval, and of the one for equivalence.
    package var changeTail: Double
    package var equivalenceTail: Double
    package var leastSets: Int
    /// The share of sets left out on either side; 0 for means, where a set with a burst is no outlier.
    package var trimmed = TrimmedMean.trimmed

    /// For each control and side, the probability that it lies outside its interval.
    package static let controlTail = 0.025

    /// Delta as a logarithm: the inverse of a ratio of 1.01 is 1 / 1.01, so bounds are symmetric in logarithms.
    package var bound: Double { log1p(delta) }
}

extension JudgingRule {
    /// The rule for another figure of the same row.
    package init(_ figure: JudgedFigure, times: JudgingRule) {
        self = times
        changeTail = times.changeTail * figure.share / JudgedFigure.time.share
        guard figure != .time else { return }
        delta = max(times.delta, figure.delta)
        claimsBeyondDelta = true
    }

    /// The difference of means that counts as none if work comes in bursts: chance decides how many a set contains.
    package static let burstDelta = 0.02

    package func ofMeans(inBursts: Bool) -> JudgingRule {
        var rule = self
        rule.trimmed = 0
        guard inBursts else { return rule }
        rule.delta = max(delta, Self.burstDelta)
        rule.claimsBeyondDelta = true
        return rule
    }
}

extension JudgingRule {
    /// The probability that a comparison's interval misses the truth. At most so often are equal sides called
    /// different, or differences of delta or more called equivalent.
    package static let comparisonError = 0.01
    /// The largest relative difference that a comparison calls equivalent by default.
    package static let comparisonDelta = 0.005

    /// The rule of `compare` for times.
    ///
    /// - Parameter comparisons: the number of rows judged together, which share the error (Bonferroni).
    package static func comparison(delta: Double, comparisons: Int = 1) -> JudgingRule {
        let tail = comparisonError * JudgedFigure.time.share / Double(2 * max(1, comparisons))
        // Enough sets that three are left when the extremes are trimmed.
        return JudgingRule(
            delta: delta, claimsBeyondDelta: false, changeTail: tail, equivalenceTail: tail, leastSets: 4)
    }

    package static func gate(delta: Double, plan: LookPlan) -> JudgingRule {
        JudgingRule(
            delta: delta, claimsBeyondDelta: true, changeTail: plan.accusationTail * JudgedFigure.time.share,
            equivalenceTail: plan.equivalenceTail, leastSets: LookPlan.least)
    }

    /// The verdict from an interval of logarithms if any certain difference counts, unless it is within delta.
    package static func verdict(of interval: ClosedRange<Double>, delta: Double) -> Verdict {
        let bound = log1p(delta)
        if interval.lowerBound >= -bound, interval.upperBound <= bound { return .equivalent }
        if interval.lowerBound > 0 { return .worse }
        if interval.upperBound < 0 { return .better }
        return .inconclusive
    }
}
