import Foundation
import GaugeSupport

/// The verdict on one figure after some sets of processes.
package struct Judgement: Equatable, Sendable {
    /// Why there is no verdict.
    package enum Doubt: String, Codable, Sendable {
        case fewSets = "few-sets"
        /// The smallest detectable effect exceeds delta, and the change doesn't: the machine is too noisy, or the row
        /// depends too much on layout. Never counts as a pass.
        case noise
        /// Just moving the base's code and stack changes its time by more than delta, and the change isn't larger. More
        /// sets wouldn't help.
        case layout
        /// The interval contains both a difference that matters and one that doesn't.
        case straddles
        /// Most processes say that any difference doesn't matter, and the mean of all of them says otherwise.
        case someProcesses = "some-processes"
    }

    package let verdict: Verdict
    package let doubt: Doubt?
    package let sets: Int
    /// Logarithms of ratios, with the intervals that decide; `nil` with too few sets.
    package let change: Effect?
    /// The mean of all sets, of which `change` leaves out the farthest on either side.
    package let overall: Double?
    package let same: Effect?
    package let layout: Effect?

    package struct Effect: Equatable, Sendable {
        package let value: Double
        package let interval: ClosedRange<Double>

        package init(_ mean: TrimmedMean, tail: Double) {
            value = mean.mean
            interval = mean.interval(tail: tail)
        }

        /// The largest distance of the interval from zero.
        package var reach: Double { max(abs(interval.lowerBound), abs(interval.upperBound)) }
    }

    /// The smallest effect that this run can detect: how far from zero either control's interval reaches, although it
    /// has no effect. A logarithm of a ratio; infinite with too few sets or without controls.
    package var resolution: Double {
        guard let same, let layout else { return .infinity }
        return max(same.reach, layout.reach)
    }

    package var isOpen: Bool { verdict == .inconclusive && doubt != .layout }

    package init(_ contrasts: [Contrast], _ rule: JudgingRule) {
        sets = contrasts.count
        guard sets >= rule.leastSets, let changes = TrimmedMean(contrasts.map(\.change), trimmed: rule.trimmed) else {
            (verdict, doubt, change, overall, same, layout) = (.inconclusive, .fewSets, nil, nil, nil, nil)
            return
        }
        let change = Effect(changes, tail: rule.changeTail)
        let sames = TrimmedMean(contrasts.compactMap(\.same), trimmed: rule.trimmed)
        let layouts = TrimmedMean(contrasts.compactMap(\.layout), trimmed: rule.trimmed)
        let same = sames.map { Effect($0, tail: JudgingRule.controlTail) }
        let layout = layouts.map { Effect($0, tail: JudgingRule.controlTail) }
        (self.change, self.same, self.layout) = (change, same, layout)

        let bound = rule.bound
        let within = changes.interval(tail: rule.equivalenceTail)
        let isWithin = within.lowerBound >= -bound && within.upperBound <= bound
        // A build that is slower in one process of ten is not as fast.
        let overall = contrasts.reduce(0) { $0 + $1.change } / Double(sets)
        self.overall = overall
        let calm: (Verdict, Doubt?) =
            abs(overall - change.value) <= bound / 2 ? (.equivalent, nil) : (.inconclusive, .someProcesses)
        // If the controls differ by more than delta, a smaller difference isn't detectable.
        let visible = rule.claimsBeyondDelta ? max(bound, same?.reach ?? 0, layout?.reach ?? 0) : 0
        let moved = layouts?.interval(tail: rule.changeTail) ?? 0...0
        if !rule.claimsBeyondDelta, isWithin {
            (verdict, doubt) = calm
        } else if change.interval.lowerBound > visible {
            (verdict, doubt) = (.worse, nil)
        } else if change.interval.upperBound < -visible {
            (verdict, doubt) = (.better, nil)
        } else if moved.lowerBound > bound || moved.upperBound < -bound {
            (verdict, doubt) = (.inconclusive, .layout)
        } else if visible > bound {
            (verdict, doubt) = (.inconclusive, .noise)
        } else {
            (verdict, doubt) = isWithin ? calm : (.inconclusive, .straddles)
        }
    }
}

/// What a comparison says about one figure of a row: a time, tail, pause or count.
package enum Verdict: String, Codable, Sendable, CaseIterable {
    /// It costs more.
    case worse
    /// It costs less.
    case better
    /// Any difference doesn't matter.
    case equivalent
    /// No verdict; the report says why.
    case inconclusive
}

/// The figures of a row that get a verdict each.
package enum JudgedFigure: String, Codable, Sendable, CaseIterable {
    /// The time of an operation (see `TimeFace`).
    case time
    case p99
    case p999 = "p99.9"
    /// The longest pause: how much longer than usual the longest batch took, in processor time.
    case pause

    /// Those that need operations timed one by one, with their part and the fewest operations, so that ten lie beyond
    /// it.
    package static let percentiles: [(figure: JudgedFigure, part: Double, leastOperations: UInt64)] = [
        (.p99, 0.99, 1_000), (.p999, 0.999, 10_000),
    ]

    /// The share of all error that a verdict on it may use. The time gets most, since it is what most changes move.
    package var share: Double { self == .time ? 0.7 : 0.1 }

    /// The difference that counts as none, unless that of times is larger.
    package var delta: Double {
        switch self {
        case .time: 0
        case .p99: 0.1
        case .p999: 0.2
        // A pause is one batch in thousands.
        case .pause: 0.5
        }
    }

    /// `memory/hit/mine p99`; the time has the name of the row.
    package func name(of row: String) -> String { self == .time ? row : "\(row) \(rawValue)" }
}

/// Which time of an operation stands for a row.
///
/// The undisturbed time is more precise, but a cache that does much work at once, every so many operations, hides it
/// there. So both are measured, and the undisturbed time counts only if it moves as the mean does.
package enum TimeFace: String, Codable, Sendable {
    /// The undisturbed time: the mean moves with it, to within half of the difference that matters.
    case undisturbed
    /// The mean processor time: it certainly moves differently, because work comes in bursts.
    case bursts
    /// The mean processor time, which may or may not move differently.
    case mean

    package var note: String? {
        switch self {
        case .undisturbed: nil
        case .bursts: "in bursts: judged by the mean"
        case .mean: "judged by the mean"
        }
    }
}
