import Testing

@testable import GaugeMeasurement

/// The lengths and limits of a run. How well runs repeat was measured with these alone.
@Suite("Figures of a run") struct RunFiguresTests {
    static let figures: [(name: String, figure: Double, expected: Double)] = [
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
        ("seconds of a run", RunPlan.defaultSeconds, 45),
        ("fewest sets of a precise row", Double(RunPlan.leastSets), 5),
        ("moods that count as the same", PairedRatios.sameMood, 1.06),
        ("usual slope of a ratio", PairedRatios.usualSlope, 0.4), ("cases of the A/A check", Double(AACheck.most), 3),
    ]

    @Test("a figure is the one that results were measured with", arguments: figures)
    func figure(name: String, figure: Double, expected: Double) { #expect(figure == expected, "\(name)") }
}
