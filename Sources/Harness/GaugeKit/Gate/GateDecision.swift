/// What a gate's judgements come to.
struct GateDecision: Equatable, Sendable {
    let comparisons: [CountComparison]
    var conditions = Conditions()

    /// What the caller asks for besides that nothing gets worse.
    struct Conditions: Equatable, Sendable {
        /// Metrics that have to be there on both sides for every benchmark.
        var required: [Metric] = []
        var failsOnImprovement = false
        /// Whether what is not concluded fails.
        var isStrict = false
    }

    /// A count, and where it belongs.
    struct Finding: Equatable, Sendable {
        let benchmark: String
        let line: CountComparison.Line
    }

    private func findings(where isMeant: (CountVerdict) -> Bool) -> [Finding] {
        comparisons.flatMap { comparison in
            comparison.lines.filter { isMeant($0.verdict) }.map {
                Finding(benchmark: comparison.benchmark, line: $0)
            }
        }
    }

    var regressions: [Finding] { findings { $0 == .regressed } }
    var improvements: [Finding] { findings { $0 == .improved } }
    var changes: [Finding] { findings { $0 == .changed } }
    var unstable: [Finding] { findings { $0 == .unstable } }
    var incomparable: [Finding] {
        findings { if case .notComparable = $0 { true } else { false } }
    }
    var count: Int { comparisons.reduce(0) { $0 + $1.lines.count } }

    /// What is required and is not there to be compared, one line each. What is there and does not repeat is not missing.
    var missing: [String] {
        conditions.required.flatMap { metric in
            comparisons.compactMap { comparison in
                let verdict = comparison.verdict(on: metric)
                guard verdict?.isJudged != true, verdict != .unstable else { return nil }
                return "\(comparison.benchmark): \(metric.name) is required and "
                    + (verdict?.title ?? "was not counted")
            }
        }
    }

    /// The first of these that applies: something is worse; what is required is missing; nothing was concluded of
    /// something, where that counts; something is better, where that counts.
    var exitCode: ExitCode {
        if !regressions.isEmpty { return .regression }
        if !missing.isEmpty { return .missingBaseline }
        if conditions.isStrict, !(unstable.isEmpty && incomparable.isEmpty) { return .inconclusive }
        if conditions.failsOnImprovement, !improvements.isEmpty { return .improvement }
        return .ok
    }

    /// One line.
    var summary: String {
        let parts = [
            "\(regressions.count) regressed", "\(improvements.count) improved",
            changes.isEmpty ? nil : "\(changes.count) changed", "\(unstable.count) unstable",
            "\(incomparable.count) not comparable",
        ]
        return "\(comparisons.count) benchmarks, \(count) counts: " + parts.compactMap(\.self).joined(separator: ", ")
    }
}
