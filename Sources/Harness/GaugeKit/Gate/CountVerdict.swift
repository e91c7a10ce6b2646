/// What became of one count between two builds.
enum CountVerdict: Equatable, Sendable {
    case unchanged
    /// Different, and neither better nor worse.
    case changed
    case improved
    case regressed
    /// One of the builds does not count the same twice; nothing is concluded.
    case unstable
    /// There is nothing to compare with, for this reason.
    case notComparable(String)

    /// Judges two counts. Exact where the metric is: the ranges of the repetitions may not overlap, and the distance
    /// between them has to exceed the tolerance.
    static func judging(_ metric: Metric, base: RepeatedCount, head: RepeatedCount) -> CountVerdict {
        guard base.isStable, head.isStable else { return .unstable }
        // What does not repeat exactly is judged no finer than it is known to repeat.
        let isExact = base.first == base.second && head.first == head.second
        let allowed = max(metric.tolerance, isExact ? 0 : RepeatedCount.repeatability) * abs(base.mean)
        let (more, less) = (head.lowest - base.highest, base.lowest - head.highest)
        // Ratios of counts are rounded in their last digits.
        let rounding = 1e-12 * max(abs(base.mean), abs(head.mean))
        let isMore = more > max(allowed, rounding)
        let isLess = less > max(allowed, rounding)
        guard isMore || isLess else { return .unchanged }
        return switch metric.better {
        case .less: isMore ? .regressed : .improved
        case .more: isLess ? .regressed : .improved
        case .neither: .changed
        }
    }

    /// Whether something was concluded.
    var isJudged: Bool {
        switch self {
        case .unchanged, .changed, .improved, .regressed: true
        case .unstable, .notComparable: false
        }
    }

    /// As the tables show it.
    var title: String {
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
