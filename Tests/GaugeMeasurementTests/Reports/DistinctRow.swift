@testable import GaugeMeasurement
@testable import GaugeSupport

/// A row in which no two figures are equal, so that a figure in a wrong place is found.
enum DistinctRow {
    static var row: ResultRow {
        var row = ResultRow(name: BenchmarkName("disk", "hit/1k", "files"), isPeer: true)
        (row.threads, row.operations) = (3, 4_000)
        (row.minimum, row.median, row.mean, row.maximum) = (11, 370, 41, 9_700)
        row.undisturbed = Estimate(20, in: 18...21)
        row.overSets = Estimate(26, in: 24...28)
        row.interval = 350...400
        row.percentiles = Percentile.reported.compactMap { Percentile($0, of: times) }
        row.singles = SingleTimes(operations: 40_000, median: 139.5, clock: 33)
        row.quantiles = ResultRow.curve.indices.map { 1_000 + Double($0) }
        (row.spread, row.operationsPerSecond, row.cpu, row.otherCPU) = (0.125, 24_500_000, 29, 15)
        (row.outliers.high, row.outliers.far, row.outliers.total) = (88, 40, 800)
        (row.ratio, row.ratioInterval) = (3.5, 3.43...3.78)
        // The third set was not measured.
        row.sets = [
            SetTimes(operations: 1_500, undisturbed: 21, mean: 43, cpu: 31, slices: [45, 47, 53]),
            SetTimes(operations: 1_600, undisturbed: 25, mean: 61, cpu: 33, slices: [67]), SetTimes(),
            SetTimes(operations: 900, mean: 71, cpu: 35, slices: [73, 79]),
        ]
        row.modes = Modes(fast: 46, slow: 76, slowPart: 0.4)
        (row.isSteady, row.wrong, row.peakResidentBytes) = (false, 7, 1_234_567)
        var change = Counters()
        (change.allocations, change.allocatedBytes) = (12_000, 52_000)
        (change.readCalls, change.writeCalls, change.writtenBytes) = (20_000, 24_000, 68_000)
        (change.storageBytes, change.pageFaults, change.involuntarySwitches) = (76_000, 92_000, 17)
        change.wakeUps = 28_000
        row.counters = change
        row.instructions = InstructionCount(
            perOperation: 321.5, operations: 1_000, functions: [.init(name: "find", perOperation: 300)])
        row.figures = [Figure("hit ratio", 0.625, .ratio)]
        return row
    }

    /// The same, compared by its mean as stores are.
    static var store: ResultRow {
        var row = row
        row.name = BenchmarkName("disk", "store/1k", "files")
        row.comparison = .mean
        return row
    }

    /// 40,000 times, whose percentiles and the ends of their intervals all differ: p90 is 150 (140 to 170), p99 is 200
    /// (190 to 210), p99.9 is 220 (214 to 228), p99.99 is 250 (240 to 254).
    private static var times: Histogram {
        var histogram = Histogram()
        var rank = 0
        for (last, time) in [
            (35_900, 140), (36_050, 150), (38_000, 170), (39_580, 190), (39_620, 200), (39_800, 210), (39_955, 214),
            (39_965, 220), (39_985, 228), (39_994, 240), (39_998, 250), (40_000, 254),
        ] {
            for _ in rank..<last { histogram.add(nanoseconds: UInt64(time)) }
            rank = last
        }
        return histogram
    }
}
