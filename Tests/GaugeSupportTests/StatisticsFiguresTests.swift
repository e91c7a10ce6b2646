import Testing

@testable import GaugeSupport

/// The levels, parts and limits of the statistics. How well runs repeat was measured with these alone.
@Suite("Figures of the statistics") struct StatisticsFiguresTests {
    static let figures: [(name: String, figure: Double, expected: Double)] = [
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

    @Test("the reported percentiles are 90, 99, 99.9 and 99.99")
    func percentiles() { #expect(Percentile.reported == [0.9, 0.99, 0.999, 0.9999]) }
}
