/// The verdict on one count in two builds.
package enum CountVerdict: Equatable, Sendable {
    case unchanged
    /// The count differs, and the metric has no better direction.
    case changed
    case improved
    case regressed
    /// One of the builds does not repeat its count, and the builds do not differ by far more, so there is no verdict.
    case unstable
    /// There is nothing to compare with, for this reason.
    case notComparable(String)

    /// How many times as far as its repetitions two builds must be apart for a verdict on a count that does not repeat.
    private static let clearlyApart = 50.0
    /// The least change of such a count that is judged.
    private static let leastChange = 0.01

    /// Judges two counts, exactly where the metric is exact: the ranges of the repetitions must not overlap, and the
    /// distance between them must exceed the tolerance. Where a count does not repeat, it must be 50 times the largest
    /// range, and 1 % of the count.
    package static func judging(_ metric: Metric, base: RepeatedCount, head: RepeatedCount) -> CountVerdict {
        // Judge inexact counts no more finely than they are known to repeat.
        let isExact = base.first == base.second && head.first == head.second
        // Ratios of counts have rounding errors in the last digits.
        var allowed = max(metric.tolerance, isExact ? 1e-12 : metric.repeatability) * abs(base.mean)
        if !base.isStable(within: metric.repeatability) || !head.isStable(within: metric.repeatability) {
            let spread = max(base.highest - base.lowest, head.highest - head.lowest)
            allowed = max(allowed, leastChange * abs(base.mean), clearlyApart * spread)
            guard allowed.isFinite, max(head.lowest - base.highest, base.lowest - head.highest) > allowed else {
                return .unstable
            }
        }
        let isMore = head.lowest - base.highest > allowed
        let isLess = base.lowest - head.highest > allowed
        guard isMore || isLess else { return .unchanged }
        return switch metric.better {
        case .less: isMore ? .regressed : .improved
        case .more: isLess ? .regressed : .improved
        case .neither: .changed
        }
    }

    /// Whether there is a verdict.
    package var isJudged: Bool {
        switch self {
        case .unchanged, .changed, .improved, .regressed: true
        case .unstable, .notComparable: false
        }
    }

    /// The text for the tables.
    package var title: String {
        switch self {
        case .unchanged: "unchanged"
        case .changed: "changed"
        case .improved: "improved"
        case .regressed: "REGRESSED"
        case .unstable: "unstable, not gated"
        case .notComparable(let reason): "not comparable: \(reason)"
        }
    }
}
