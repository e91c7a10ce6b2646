/// The verdicts on the counts of one benchmark in two builds.
package struct CountComparison: Equatable, Sendable {
    /// `stage/case/subject`.
    package let benchmark: String
    package let lines: [Line]
    /// The functions where instructions were added or saved, largest change first; empty unless their number changed.
    package let causes: [FunctionChange]

    /// One metric.
    package struct Line: Equatable, Sendable {
        package let metric: Metric
        package let base: RepeatedCount?
        package let head: RepeatedCount?
        package let verdict: CountVerdict

        /// The change as a part of the base; `nil` where that has no meaning.
        package var change: Double? {
            guard let base, let head, base.mean != 0, verdict.isJudged || verdict == .unstable else { return nil }
            return head.mean / base.mean - 1
        }
    }

    /// Judges every metric that either build has counted.
    ///
    /// - Parameters:
    ///   - base: `nil` when the base does not have the benchmark.
    ///   - head: `nil` when the current build no longer has it.
    package init(_ benchmark: String, base: BenchmarkCounts?, head: BenchmarkCounts?) {
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
        // Omit a metric that neither build counts and for which neither gives a reason.
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

    package func verdict(on metric: Metric) -> CountVerdict? { lines.first { $0.metric == metric }?.verdict }
}
