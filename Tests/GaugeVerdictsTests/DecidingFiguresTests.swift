import Testing

@testable import GaugeMeasurement
@testable import GaugeVerdicts

/// The levels, limits and lengths by which gates and comparisons decide. The self-tests in `results` hold for these alone:
/// who changes one measures its self-test again.
@Suite("Figures by which gates and comparisons decide") struct DecidingFiguresTests {
    static let figures: [(name: String, figure: Double, expected: Double)] = [
        ("milliseconds of a slice of the time gate", TimeGate.slice, 4),
        ("slices of a set", Double(TimeGate.slices), 16),
        ("slices of a set of timed operations", Double(TimeGate.timedSlices), 32),
        ("fewest slices of a set", Double(TimeGate.leastSlices), 6),
        ("slices to warm up", Double(TimeGate.warmUps), 2),
        ("seconds after which a set uses the fewest slices", TimeGate.longestSet, 1.5),
        ("seconds of the time gate", TimeGate.defaultSeconds, 510),
        ("difference of means that counts as none", TimeGate.defaultDelta, 0.01),
        ("difference of 99th percentiles that counts as none", TimeGate.defaultTailDelta, 0.1),
        ("part of the operations below the tail", TailTimes.part, 0.99),
        ("fewest operations of a tail", Double(TailTimes.leastOperations), 1_000),
        ("milliseconds of a slice of single operations", TailTimes.slice, 2),
        ("slices of single operations", Double(TailTimes.slices), 12),
        ("false accusations of a gate", LookPlan.falseAccusations, 0.05),
        ("false equivalence of a gate", LookPlan.falseEquivalence, 0.05),
        ("tail of a control", LookPlan.controlTail, 0.025),
        ("bytes of padding on the stack", Double(VariantWorker.stackPadding), 1_040),
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
        ("milliseconds of a slice of compare", PairedTiming.slice, 2),
        ("milliseconds of a timed slice of compare", PairedTiming.timedSlice, 4),
        ("slices of compare to warm up", Double(PairedTiming.warmUps), 2),
        ("fewest pairs of a set", Double(PairedTiming.leastPairs), 8),
        ("share of the time for a set", PairedTiming.share, 0.03125),
        ("least seconds of a set", PairedTiming.setSeconds.lowerBound, 0.04),
        ("most seconds of a set", PairedTiming.setSeconds.upperBound, 0.25),
        ("benchmarks that take turns", Double(PairedTiming.mostTogether), 4),
        ("errors of a comparison", PairedVerdict.error, 0.01),
        ("difference of a comparison that counts as none", PairedVerdict.defaultDelta, 0.005),
        ("fewest sets of a comparison", Double(PairedVerdict.leastSets), 4),
        ("tries of a comparison's self-test", Double(CompareTrials.usual), 10),
    ]

    @Test("a figure is the one that the self-tests were measured with", arguments: figures)
    func figure(name: String, figure: Double, expected: Double) { #expect(figure == expected, "\(name)") }

    @Test("the sizes of planted work and the looks of a gate are those that the self-tests were measured with")
    func lists() {
        #expect(SelfTestPlan.sizes == [0.01, 0.03, 0.05, 0.1])
        #expect(LookPlan.looks == [8, 12, 18, 27, 40, 60, 90])
    }
}
