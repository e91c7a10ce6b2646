import GaugeSupport
import Testing

@testable import GaugeMeasurement

@Suite("Row of results, as it is made") struct MadeRowTests {
    @Test("what a row is made with stands in its own property, each") func made() {
        var change = CounterChange()
        change.allocations = 21
        let histogram = { () -> Histogram in
            var histogram = Histogram()
            for value in 1...2_000 as ClosedRange<UInt64> { histogram.add(nanoseconds: value) }
            return histogram
        }()
        let percentiles = Percentile.reported.compactMap { Percentile($0, of: histogram) }
        var outliers = Outliers()
        outliers.total = 15
        let instructions = InstructionCount(perOperation: 22, operations: 23, functions: [])
        let row = ResultRow(
            name: BenchmarkName("a", "b", "c"), isPeer: true, threads: 2, operations: 3, minimum: 4, median: 5,
            interval: 6...7, mean: 8, maximum: 9, percentiles: percentiles, quantiles: [12, 13], spread: 14,
            outliers: outliers, operationsPerSecond: 16, ratio: 17, cpu: 18, sets: [SetTimes(operations: 19)],
            isSteady: true, counters: change, instructions: instructions, peakResidentBytes: 24, wrong: 25,
            failure: .exited(code: 26), figures: [Figure("f", 27, .ratio)], isStores: true)
        #expect(row.name == BenchmarkName("a", "b", "c") && row.isPeer && row.threads == 2 && row.operations == 3)
        #expect(row.minimum == 4 && row.median == 5 && row.interval == 6...7 && row.mean == 8 && row.maximum == 9)
        #expect(
            !percentiles.isEmpty && row.percentiles == percentiles && row.quantiles == [12, 13] && row.spread == 14)
        #expect(row.outliers.total == 15 && row.operationsPerSecond == 16 && row.ratio == 17 && row.cpu == 18)
        #expect(row.sets == [SetTimes(operations: 19)] && row.isSteady == true && row.allocations == 7)
        #expect(row.instructions == instructions && row.peakResidentBytes == 24 && row.wrong == 25)
        #expect(row.failure?.description == WorkerFailure.exited(code: 26).description)
        #expect(row.figures.map(\.value) == [27] && row.isStores)
    }

    @Test("the quantiles of a plot ascend from the least time to the longest") func curve() {
        #expect(
            ResultRow.curve == [
                0, 0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.925, 0.95, 0.975, 0.99, 0.995,
                0.9975, 0.999, 0.9995, 0.9999, 0.99999, 1,
            ])
    }

    @Test("a row is 1 of itself if it did anything, and a failed one has no ratio to itself or to another")
    func ratioToItself() {
        var row = ResultRow(name: BenchmarkName("a", "b", "c"), isPeer: false, operations: 1)
        row.compare(with: row, nil)
        #expect(row.ratio == 1 && row.ratioInterval == nil)
        row = ResultRow(name: BenchmarkName("a", "b", "c"), isPeer: false)
        row.compare(with: row, nil)
        #expect(row.ratio == nil)
        row.compare(with: nil, nil)
        #expect(row.ratio == nil)
    }

    @Test("the means of slices say nothing of scatter and spread")
    func means() {
        var slice = SliceReply()
        (slice.operations, slice.nanoseconds) = (10, 1_000)
        let times = SetTimes(meanOf: [MeasuredSlice(slice)])
        #expect(times.operations == 10 && times.slices == [100] && times.mean == 100)
        #expect(times.scatter == 0 && times.spread == 0 && times.undisturbed == nil)
    }
}
