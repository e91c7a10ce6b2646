/// The verdict on one count in two builds.
package enum CountVerdict: Equatable, Sendable {
    case unchanged
    /// The count differs, and the metric has no better direction.
    case changed
    case improved
    case regressed
    /// One of the builds does not repeat its count, so there is no verdict.
    case unstable
    /// There is nothing to compare with, for this reason.
    case notComparable(String)

    /// Judges two counts, exactly where the metric is exact: the ranges of the repetitions must not overlap, and the
    /// distance between them must exceed the tolerance.
    package static func judging(_ metric: Metric, base: RepeatedCount, head: RepeatedCount) -> CountVerdict {
        guard base.isStable(within: metric.repeatability), head.isStable(within: metric.repeatability) else {
            return .unstable
        }
        // Judge inexact counts no more finely than they are known to repeat.
        let isExact = base.first == base.second && head.first == head.second
        // Ratios of counts have rounding errors in the last digits.
        let allowed = max(metric.tolerance, isExact ? 1e-12 : metric.repeatability) * abs(base.mean)
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
