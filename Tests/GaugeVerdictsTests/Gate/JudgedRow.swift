import Testing

@testable import GaugeSupport
@testable import GaugeVerdicts

extension TimeRow {
    /// The row of a benchmark that was measured until this verdict; an inconclusive one could not be measured.
    init(verdict: TimeJudgement.Verdict) throws {
        let changes: [TimeJudgement.Verdict: Double] = [.regressed: 0.05, .improved: -0.05, .equivalent: 0]
        self.init("a/\(verdict.rawValue)/c", plan: LookPlan(benchmarks: 1), delta: 0.01)
        try extend(until: .max) { _, _ in
            guard let change = changes[verdict] else { throw GaugeError("it is not measured") }
            return TimedSet(mean: Replicate(change: change, same: 0, layout: 0), tail: .unknown(reason: "too few"))
        }
        #expect(judgement.verdict == verdict)
    }

    /// The row of a benchmark that the current build fails.
    init(failing failure: BuildFailure?) throws {
        let failure = try #require(failure)
        self.init("a/b/c", plan: LookPlan(benchmarks: 1), delta: 0.01)
        try extend(until: .max) { _, _ in throw failure }
    }
}
