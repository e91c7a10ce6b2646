/// The verdicts on the counts of one benchmark in two builds.
package struct CountComparison: Equatable, Sendable {
    /// `stage/case/subject`.
    package let benchmark: String
    package let lines: [Line]
    /// Functions where instructions were added or saved, largest change first; empty unless their number changed.
    package let causes: [FunctionChange]
    /// Which operations' functions `causes` names: all, or the most expensive.
    package var causesTitle = Self.functionsTitle
    /// A further line for people.
    package var note: String?

    package struct Line: Equatable, Sendable {
        package let metric: Metric
        package let base: RepeatedCount?
        package let head: RepeatedCount?
        package let verdict: CountVerdict

        /// The change relative to the base; `nil` if that has no meaning.
        package var change: Double? {
            guard metric != .growth, let base, let head, base.mean != 0, verdict.isJudged || verdict == .unstable else {
                return nil
            }
            return head.mean / base.mean - 1
        }
    }
}

extension CountComparison {
    /// Judges every metric that either build has counted.
    ///
    /// - Parameters:
    ///   - base: `nil` if the base doesn't have the benchmark.
    ///   - head: `nil` if the current build doesn't have it anymore.
    package init(_ benchmark: String, base: BenchmarkCounts?, head: BenchmarkCounts?) {
        let lines = Metric.all.compactMap { metric in Self.line(metric, base, head) }
        func isAny(_ metrics: [Metric], _ verdicts: [CountVerdict]) -> Bool {
            lines.contains { metrics.contains($0.metric) && verdicts.contains($0.verdict) }
        }
        let (mean, worst) = ([Metric.instructions], [Metric.worstPercentInstructions, .worstInstructions])
        // Explain first what got worse.
        let isWorstAlone = isAny(worst, [.worse]) && !isAny(mean, [.worse])
        let (causes, title) = Self.causes(
            base, head, isMeanMoved: isAny(mean, [.worse, .better]) && !isWorstAlone,
            isWorstMoved: isAny(worst, [.worse, .better]))
        self.init(benchmark: benchmark, lines: lines, causes: causes, causesTitle: title)
    }

    private static func causes(
        _ base: BenchmarkCounts?, _ head: BenchmarkCounts?, isMeanMoved: Bool, isWorstMoved: Bool
    ) -> (changes: [FunctionChange], title: String) {
        guard isMeanMoved || isWorstMoved, let base, let head else { return ([], functionsTitle) }
        if base.functions.isEmpty, base.worstFunctions.isEmpty {
            let title = "instructions by function of this build (a baseline has none)"
            // What only the most expensive operations do is often what was added.
            return isWorstMoved
                ? (
                    FunctionChange.changes(from: head.functions, to: head.worstFunctions),
                    title + ", mean → most expensive hundredth"
                )
                : (FunctionChange.changes(from: [], to: head.functions), title)
        }
        if isMeanMoved { return (FunctionChange.changes(from: base.functions, to: head.functions), functionsTitle) }
        return (
            FunctionChange.changes(from: base.worstFunctions, to: head.worstFunctions),
            "instructions by function in the most expensive hundredth, those that changed most"
        )
    }

    private static let functionsTitle = "instructions by function, those that changed most"

    private static func line(_ metric: Metric, _ base: BenchmarkCounts?, _ head: BenchmarkCounts?) -> Line? {
        let (before, after) = (base?.values[metric.name], head?.values[metric.name])
        if let before, let after {
            return Line(metric: metric, base: before, head: after, verdict: .judging(metric, base: before, head: after))
        }
        // A base or baseline from before the most expensive operations were counted.
        if metric.isTail, before == nil, base != nil, base?.failure == nil { return nil }
        // Omit a metric that neither build counts, if neither says why.
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

/// The instructions of one function in two builds.
package struct FunctionChange: Equatable, Sendable {
    /// The name in the source, if it can be demangled.
    package let name: String
    /// Instructions of one operation in the function itself, without its callees'.
    package let base: Double
    package let head: Double

    package var change: Double { head - base }

    /// The most functions that are named.
    package static let most = 5
    /// Changes below this part of the largest are omitted.
    private static let least = 0.02

    /// The functions whose instructions changed most, largest change first.
    package static func changes(
        from base: [InstructionCount.Function], to head: [InstructionCount.Function]
    ) -> [FunctionChange] {
        var table: [String: (base: Double, head: Double)] = [:]
        for function in base { table[function.name, default: (0, 0)].base += function.perOperation }
        for function in head { table[function.name, default: (0, 0)].head += function.perOperation }
        let changes = table.map { FunctionChange(name: $0.key, base: $0.value.base, head: $0.value.head) }
            .sorted { (abs($1.change), $0.name) < (abs($0.change), $1.name) }
        guard let largest = changes.first, largest.change != 0 else { return [] }
        return changes.prefix(most).filter { abs($0.change) >= least * abs(largest.change) }
            .map { FunctionChange(name: Demangling.name($0.name), base: $0.base, head: $0.head) }
    }
}
