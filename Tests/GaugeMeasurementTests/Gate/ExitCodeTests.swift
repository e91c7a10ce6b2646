import Testing

@testable import GaugeMeasurement
@testable import GaugeSupport

/// The exit code of the gate, for every combination of findings and conditions.
@Suite("Exit code of the gate") struct ExitCodeTests {
    /// A finding in the counts of a benchmark.
    private enum Count: CaseIterable {
        case regressed, improved, unstable, gone

        var comparison: CountComparison {
            func one(_ value: Double) -> BenchmarkCounts { .exact([.allocations: value]) }
            switch self {
            case .regressed: return CountComparison("a/regressed/c", base: one(1), head: one(2))
            case .improved: return CountComparison("a/improved/c", base: one(2), head: one(1))
            case .gone: return CountComparison("a/gone/c", base: one(2), head: nil)
            case .unstable:
                var unstable = one(1)
                unstable.values["allocations"] = RepeatedCount(1, 2)
                return CountComparison("a/unstable/c", base: one(1), head: unstable)
            }
        }
    }

    private static func subsets<Element>(_ all: [Element]) -> [[Element]] {
        (0..<(1 << all.count)).map { number in all.indices.filter { number >> $0 & 1 == 1 }.map { all[$0] } }
    }

    private static let conditions = [false, true].flatMap { isStrict in
        [false, true].flatMap { fails in
            [[], [Metric.allocations]].map {
                GateDecision.Conditions(required: $0, failsOnImprovement: fails, isStrict: isStrict)
            }
        }
    }

    /// The first that applies.
    private func expected(
        regressed: Bool, missing: Bool, open: Bool, improved: Bool, _ conditions: GateDecision.Conditions
    ) -> ExitCode {
        let rules: [(Bool, ExitCode)] = [
            (regressed, .regression), (missing, .missingBaseline), (open && conditions.isStrict, .inconclusive),
            (improved && conditions.failsOnImprovement, .improvement),
        ]
        return rules.first { $0.0 }?.1 ?? .ok
    }

    @Test("counts alone, and counts beside times") func all() throws {
        let verdicts: [Verdict] = [.worse, .better, .inconclusive, .equivalent]
        let rows = try verdicts.map { try ExperimentRow(verdict: $0) }
        for counts in Self.subsets(Count.allCases) {
            for conditions in Self.conditions {
                let decision = GateDecision(comparisons: counts.map(\.comparison), conditions: conditions)
                let isMissing = counts.contains(.gone) && !conditions.required.isEmpty
                let isOpen = counts.contains(.unstable) || counts.contains(.gone)
                let code = expected(
                    regressed: counts.contains(.regressed), missing: isMissing, open: isOpen,
                    improved: counts.contains(.improved), conditions)
                #expect(decision.exitCode == code, "\(counts), \(conditions)")
                for chosen in Self.subsets(Array(rows.indices)) {
                    let time = TimeDecision(rows: chosen.map { rows[$0] }, delta: 0.01)
                    let both = expected(
                        regressed: counts.contains(.regressed) || chosen.contains(0), missing: isMissing,
                        open: isOpen || chosen.contains(2), improved: counts.contains(.improved) || chosen.contains(1),
                        conditions)
                    #expect(time.exitCode(beside: decision) == both, "\(counts), \(chosen), \(conditions)")
                }
            }
        }
    }

    @Test("wrong answers and failures of the current build come before any other finding") func failures() throws {
        let lie = try ExperimentRow(
            failing: BuildFailure("it lied", cause: .failed(reason: "1 wrong answer"), wrong: 1))
        let crash = try ExperimentRow(failing: BuildFailure("it crashed", cause: .crashed(signal: 11), wrong: 0))
        let base = try ExperimentRow(verdict: .inconclusive)
        let others = try [ExperimentRow(verdict: .worse), ExperimentRow(verdict: .better), base]
        let worse = GateDecision(comparisons: [Count.regressed.comparison])
        for counts in [worse, GateDecision(comparisons: [])] {
            func code(_ rows: [ExperimentRow]) -> ExitCode {
                TimeDecision(rows: rows, delta: 0.01).exitCode(beside: counts)
            }
            #expect(code(others + [crash, lie]) == .wrongAnswer)
            #expect(code(others + [crash]) == .failure)
            #expect(code([base]) == counts.exitCode)
        }
        // Those that were seen while counting, too.
        let (failed, lied) = (GateDecision.Failure("a", "x"), GateDecision.Failure("b", "y", hasWrongAnswers: true))
        for (failures, code) in [([failed], ExitCode.failure), ([failed, lied], .wrongAnswer)] {
            let counts = GateDecision(
                comparisons: worse.comparisons, failures: failures, conditions: .init(required: [.misses]))
            #expect(counts.exitCode == code)
            #expect(TimeDecision(rows: others, delta: 0.01).exitCode(beside: counts) == code)
        }
        let failing = GateDecision(comparisons: [], failures: [failed])
        #expect(TimeDecision(rows: [lie], delta: 0.01).exitCode(beside: failing) == .wrongAnswer)
        #expect(lie.failure == "it lied" && lie.judgement.time.verdict == .inconclusive && !lie.isOpen)
        #expect(TimeDecision(rows: [crash], delta: 0.01).annotations.first == "::error title=a/b/c fails::it crashed")
    }

    @Test("an interruption comes first, and the sets so far are told") func interrupted() throws {
        var row = ExperimentRow("a/b/c", plan: LookPlan(benchmarks: 1), delta: 0.01)
        #expect(throws: Interrupted.self) {
            try row.extend(until: .max) { before in
                guard before.count < 3 else { throw Interrupted() }
                return SetRecord(change: 0.02, same: 0, layout: 0, p99: nil, obstacle: "too few")
            }
        }
        #expect(row.judgement.time.sets == 3)
        let worse = try ExperimentRow(verdict: .worse)
        let time = TimeDecision(rows: [worse, row], delta: 0.01, isInterrupted: true)
        #expect(time.exitCode(beside: GateDecision(comparisons: [])) == .interrupted)
        #expect(time.summary.hasSuffix(" 1 inconclusive\ninterrupted; these are the verdicts so far"))
    }

    @Test("a benchmark that is too slow to be measured is no failure of the current build") func tooSlow() {
        let causes: [WorkerFailure] = [.tooSlow(reason: "x"), .notReady(seconds: 30), .noTimeLeft]
        for cause in causes { #expect(BuildFailure("x", cause: cause, wrong: 0) == nil) }
        let others: [WorkerFailure] = [
            .crashed(signal: 11), .exited(code: 7), .timedOut, .failed(reason: "x"), .misunderstood("x"),
        ]
        for cause in others { #expect(BuildFailure("x", cause: cause, wrong: 0)?.hasWrongAnswers == false) }
    }

    @Test("the summary counts each verdict") func summary() throws {
        let rows = try [.worse, .better, .better, .equivalent, .equivalent, .equivalent].map {
            try ExperimentRow(verdict: $0)
        }
        let summary = TimeDecision(rows: rows, delta: 0.015).summary
        #expect(
            summary
                == "time of 6 benchmarks: 1 worse by more than 1.5 %, 2 better, 3 equivalent, 0 inconclusive")
    }
}
