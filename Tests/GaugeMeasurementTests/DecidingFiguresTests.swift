import Testing

@testable import GaugeKit
@testable import GaugeMeasurement

/// The levels, limits and lengths by which gates and comparisons decide. The self-tests in `results` hold for these
/// alone: who changes one measures its self-test again.
@Suite("Figures by which gates and comparisons decide") struct DecidingFiguresTests {
    static let figures: [(name: String, figure: Double, expected: Double)] = [
        ("milliseconds of a slice of the gate", SetPlan.gate.slice, 4),
        ("slices to warm up", Double(SetPlan.warmUps), 2),
        ("most stretch of a set of the gate", SetPlan.gate.mostStretch, 8),
        ("bursts of a set", SetPlan.burstsOfSet, 8),
        ("seconds of the time gate", TimeDecision.defaultSeconds, 510),
        ("difference of times that counts as none", TimeDecision.defaultDelta, 0.01),
        ("difference of means in bursts that counts as none", JudgingRule.burstDelta, 0.02),
        ("difference of 99th percentiles that counts as none", JudgedFigure.p99.delta, 0.1),
        ("difference of 99.9th percentiles that counts as none", JudgedFigure.p999.delta, 0.2),
        ("difference of pauses that counts as none", JudgedFigure.pause.delta, 0.5),
        ("part of the error for times", JudgedFigure.time.share, 0.7),
        ("nanoseconds of the shortest pause", ArmCourse.leastPause, 1e6),
        ("part of batches at full speed", ArmCourse.leastFast, 0.25),
        ("bursts that a run must see", Double(ArmCourse.enoughBursts), 20),
        ("fewest operations of a 99th percentile", Double(JudgedFigure.percentiles[0].leastOperations), 1_000),
        ("fewest operations of a 99.9th percentile", Double(JudgedFigure.percentiles[1].leastOperations), 10_000),
        ("milliseconds of a slice of single operations", SetPlan.tailSlice, 2),
        ("slices of single operations", Double(SetPlan.tailSlices), 12),
        ("false accusations of a gate", LookPlan.falseAccusations, 0.05),
        ("false equivalence of a gate", LookPlan.falseEquivalence, 0.05),
        ("tail of a control", JudgingRule.controlTail, 0.025),
        ("bytes of padding on the stack", Double(GateArms.stackPadding), 1_040),
        ("bytes of padding in the code", Double(LayoutPadding.length), 5_184),
        ("rounds of the self-test", Double(SelfTest.defaultRounds), 80),
        ("seconds of a round of the self-test", SelfTest.defaultSeconds, 40),
        ("most seconds of a round of the self-test", SelfTest.longestSeconds, 60),
        ("benchmarks of a round of the self-test", Double(SelfTestPlan.most), 5),
        ("repeatability of counts", RepeatedCount.repeatability, 1e-4),
        ("operations of a count", Double(WorkCounts.operations), 2_000),
        ("least change of growth", Growth.leastChange, 1.2),
        ("functions told of a change", Double(FunctionChange.most), 5),
        ("annotations of a gate", Double(GitHubActions.mostAnnotations), 10),
        ("characters of a function's name", Double(Demangling.longest), 120),
        ("bytes of a baseline", Double(Baseline.longestFile), 8_388_608),
        ("milliseconds of a slice of compare", SetPlan.comparison(seconds: 10).slice, 2),
        ("milliseconds of a timed slice of compare", SetPlan.comparison(seconds: 10).timedSlice, 4),
        ("sets that are prepared together", Double(Experiment.mostTogether), 4),
        ("errors of a comparison", JudgingRule.comparisonError, 0.01),
        ("difference of a comparison that counts as none", JudgingRule.comparisonDelta, 0.005),
        ("fewest sets of a comparison", Double(JudgingRule.comparison(delta: 0.005).leastSets), 4),
        ("tries of a comparison's self-test", Double(CompareSelfTest.usual), 10),
    ]

    @Test("a figure is the one that the self-tests were measured with", arguments: figures)
    func figure(name: String, figure: Double, expected: Double) { #expect(figure == expected, "\(name)") }

    @Test("the sizes of planted work and the looks of a gate are those that the self-tests were measured with")
    func lists() {
        #expect(SelfTestPlan.sizes == [0.01, 0.03, 0.05, 0.1])
        #expect(LookPlan.looks == [8, 12, 18, 27, 40, 60, 90])
    }
}
