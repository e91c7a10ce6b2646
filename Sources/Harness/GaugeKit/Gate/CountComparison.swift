/// The counts of one benchmark in both builds, judged.
struct CountComparison: Equatable, Sendable {
    /// `stage/case/subject`.
    let benchmark: String
    let lines: [Line]
    /// Where instructions were added or saved, the most first; none unless their number changed.
    let causes: [FunctionChange]

    /// One metric.
    struct Line: Equatable, Sendable {
        let metric: Metric
        let base: RepeatedCount?
        let head: RepeatedCount?
        let verdict: CountVerdict

        /// The change as a part of the base; `nil` where that says nothing.
        var change: Double? {
            guard let base, let head, base.mean != 0, verdict.isJudged || verdict == .unstable else { return nil }
            return head.mean / base.mean - 1
        }
    }

    /// Judges everything that either build has counted.
    ///
    /// - Parameters:
    ///   - base: `nil` where the base does not have the benchmark.
    ///   - head: `nil` where the other does not have it any more.
    init(_ benchmark: String, base: BenchmarkCounts?, head: BenchmarkCounts?) {
        self.benchmark = benchmark
        lines = Metric.all.compactMap { metric in Self.line(metric, base, head) }
        let isMoved = lines.contains {
            $0.metric == .instructions && [.regressed, .improved].contains($0.verdict)
        }
        causes = isMoved ? FunctionChange.changes(from: base?.functions ?? [], to: head?.functions ?? []) : []
    }

    private static func line(_ metric: Metric, _ base: BenchmarkCounts?, _ head: BenchmarkCounts?) -> Line? {
        let (before, after) = (base?.values[metric.name], head?.values[metric.name])
        if let before, let after {
            return Line(
                metric: metric, base: before, head: after,
                verdict: .judging(metric, base: before, head: after))
        }
        // Where neither counts it and neither says why, there is nothing to say.
        let reason = head?.reasons[metric.name] ?? base?.reasons[metric.name]
        guard before != nil || after != nil || reason != nil else { return nil }
        let missing =
            reason ?? head?.failure ?? base?.failure
            ?? (base == nil
                ? "the base has no such benchmark"
                : head == nil
                    ? "the benchmark is gone" : after == nil ? "no longer counted" : "the base does not count it")
        return Line(metric: metric, base: before, head: after, verdict: .notComparable(missing))
    }

    func verdict(on metric: Metric) -> CountVerdict? { lines.first { $0.metric == metric }?.verdict }
}
