import GaugeSupport

/// The overall result of a gate.
package struct GateDecision: Equatable, Sendable {
    package let comparisons: [CountComparison]
    package var conditions: Conditions

    package init(comparisons: [CountComparison], conditions: Conditions = Conditions()) {
        self.comparisons = comparisons
        self.conditions = conditions
    }

    /// The caller's conditions, in addition to no regression.
    package struct Conditions: Equatable, Sendable {
        /// Metrics that must be comparable for every benchmark.
        package var required: [Metric] = []
        package var failsOnImprovement = false
        /// Whether a missing verdict fails the gate.
        package var isStrict = false

        package init(required: [Metric] = [], failsOnImprovement: Bool = false, isStrict: Bool = false) {
            self.required = required
            self.failsOnImprovement = failsOnImprovement
            self.isStrict = isStrict
        }
    }

    /// A count, with its benchmark.
    package struct Finding: Equatable, Sendable {
        package let benchmark: String
        package let line: CountComparison.Line
    }

    private func findings(where isMeant: (CountVerdict) -> Bool) -> [Finding] {
        comparisons.flatMap { comparison in
            comparison.lines.filter { isMeant($0.verdict) }.map {
                Finding(benchmark: comparison.benchmark, line: $0)
            }
        }
    }

    package var regressions: [Finding] { findings { $0 == .regressed } }
    package var improvements: [Finding] { findings { $0 == .improved } }
    package var changes: [Finding] { findings { $0 == .changed } }
    package var unstable: [Finding] { findings { $0 == .unstable } }
    package var incomparable: [Finding] {
        findings { if case .notComparable = $0 { true } else { false } }
    }
    package var count: Int { comparisons.reduce(0) { $0 + $1.lines.count } }

    /// The required metrics that cannot be compared, one line each. A metric that was counted but does not repeat is
    /// not missing.
    package var missing: [String] {
        conditions.required.flatMap { metric in
            // A series of sizes has only its growth.
            let meant = comparisons.filter { ($0.lines.first?.metric == .growth) == (metric == .growth) }
            if metric == .growth, meant.isEmpty { return ["growth is required and was not judged"] }
            return meant.compactMap { comparison in
                let verdict = comparison.verdict(on: metric)
                guard verdict?.isJudged != true, verdict != .unstable else { return nil }
                return "\(comparison.benchmark): \(metric.name) is required and "
                    + (verdict?.title ?? "was not counted")
            }
        }
    }

    /// The exit code, by the first that applies: a regression; a missing required metric; a missing verdict, if strict;
    /// an improvement, if it is to fail.
    package var exitCode: ExitCode {
        if !regressions.isEmpty { return .regression }
        if !missing.isEmpty { return .missingBaseline }
        if conditions.isStrict, !(unstable.isEmpty && incomparable.isEmpty) { return .inconclusive }
        if conditions.failsOnImprovement, !improvements.isEmpty { return .improvement }
        return .ok
    }

    /// A summary in one line.
    package var summary: String {
        let parts = [
            "\(regressions.count) regressed", "\(improvements.count) improved",
            changes.isEmpty ? nil : "\(changes.count) changed", "\(unstable.count) unstable",
            "\(incomparable.count) not comparable",
        ]
        return "\(comparisons.count) benchmarks, \(count) counts: " + parts.compactMap(\.self).joined(separator: ", ")
    }
}
