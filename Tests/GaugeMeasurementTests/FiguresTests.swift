import Testing

@testable import GaugeKit
@testable import GaugeMeasurement
@testable import GaugeSupport

/// The levels, limits and lengths of statistics, runs, gates and comparisons. The self-tests and the repeatability in
/// `results` hold for these alone: who changes one measures them again.
@Suite("Figures that results were measured with") struct FiguresTests {
    static let figures: [(name: String, figure: Double, expected: Double)] = [
        // Gates and comparisons
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
        // A run
        ("most operations of a batch", Double(BatchSize.most), 1_099_511_627_776),
        ("nanoseconds of a batch", Double(SliceRunner.batchTarget), 500_000),
        ("nanoseconds of a call", Double(SliceRunner.callTarget), 2_000_000),
        ("most batches of a slice", Double(SliceRunner.mostBatches), 4_096),
        ("seed", Double(RunSettings.defaultSeed), 1),
        ("bytes of memory", Double(RunSettings.defaultMemory.bytes), 4_194_304),
        ("bytes of disk", Double(RunSettings.defaultDisk.bytes), 20_971_520),
        ("least extra work", ExtraWork.parts.lowerBound, 0), ("most extra work", ExtraWork.parts.upperBound, 10),
        ("version of the workers' messages", Double(WorkerProtocol.version), 1),
        ("bytes of the workers' longest line", Double(WorkerProtocol.longestLine), 16_777_216),
        ("kept wrong answers", Double(Answers.kept), 8),
        ("operations of a sequence", Double(SequenceCount.operations), 2_048),
        ("counted operations", Double(InstructionCounter.operations), 1_000),
        ("counted operations of 51 µs", Double(InstructionCounter.operations(taking: 51_000)?.whole ?? 0), 100),
        ("milliseconds of a slice", SetPlan.usualSlice, 4), ("milliseconds of a long slice", SetPlan.longSlice, 100),
        ("milliseconds of warming", SetPlan.warming, 24),
        ("fewest slices of a set", Double(SetPlan.sliceCounts.lowerBound), 6),
        ("most slices of a set", Double(SetPlan.sliceCounts.upperBound), 48),
        ("seconds of the shortest time-out", RunSchedule.leastTimeOut, 2),
        ("seconds of a run", RunPlan.defaultSeconds, 50),
        ("fewest sets of a precise row", Double(RunPlan.leastSets), 5),
        ("moods that count as the same", PairedRatios.sameMood, 1.06),
        ("usual slope of a ratio", PairedRatios.usualSlope, 0.4), ("cases of the A/A check", Double(AACheck.most), 3),
        // Statistics
        ("relative error of a histogram", HistogramBuckets.relativeError, 1.0 / 128),
        ("least distance of modes", Modes.least, 0.05), ("separation of modes", Modes.separation, 5),
        ("smallest part of a mode", Modes.smallestPart, 0.05), ("trimmed part of a mean", TrimmedMean.trimmed, 0.2),
        ("level of a median's interval", MedianInterval.level, 0.95),
        ("resamples of a median", Double(MedianInterval.resamples), 1_000),
        ("fewest slices of a median", Double(MedianInterval.leastSlices), 6),
        ("slices that warm up together", Double(WarmUp.window), 3), ("steadiness of slices", WarmUp.tolerance, 0.05),
        ("most slices to warm up", Double(WarmUp.most), 8),
        ("part of the undisturbed batches", UndisturbedTime.part, 0.25),
        ("fewest undisturbed batches", Double(UndisturbedTime.least), 6),
        ("sets that are enough", Double(UndisturbedTime.enoughSets), 4),
        ("level of an interval over sets", SetEstimate.level, 0.95),
        ("fewest blocks of a set", Double(SetEstimate.leastBlocks), 10),
        ("distance from full speed", FullSpeed.tolerance, 1.06),
        ("part of the quickest probes", FullSpeed.quickest, 0.02),
        ("widest range of a clock", FullSpeed.widestClockRange, 1.5),
        ("part of a rate's change that is not followed", FullSpeed.unfollowed, 1.0 / 3),
        ("fewest rows of a variation", Double(SetVariation.leastRows), 8),
        ("most degrees of a variation", SetVariation.mostDegrees, 12),
        ("factor of a constant cost", GrowthOrder.constantFactor, 1.25),
        ("fewest sizes of a growth", Double(GrowthOrder.leastSizes), 3),
    ]

    @Test("a figure is the one that results were measured with", arguments: figures)
    func figure(name: String, figure: Double, expected: Double) { #expect(figure == expected, "\(name)") }

    @Test("planted work, looks and percentiles are those that results were measured with") func lists() {
        #expect(SelfTestPlan.sizes == [0.01, 0.03, 0.05, 0.1])
        #expect(LookPlan.looks == [8, 12, 18, 27, 40, 60, 90])
        #expect(Percentile.reported == [0.9, 0.99, 0.999, 0.9999])
    }
}
