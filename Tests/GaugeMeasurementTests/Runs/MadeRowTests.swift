import GaugeSupport
import Testing

@testable import GaugeMeasurement

@Suite("Row of results, as it is made") struct MadeRowTests {
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

    @Test("the means of slices say nothing of scatter and spread") func means() {
        var slice = SliceReply()
        (slice.operations, slice.nanoseconds) = (10, 1_000)
        let times = SetTimes(meanOf: [MeasuredSlice(slice)])
        #expect(times.operations == 10 && times.slices == [100] && times.mean == 100)
        #expect(times.scatter == 0 && times.spread == 0 && times.undisturbed == nil)
    }
}
