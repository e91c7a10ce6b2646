import Testing

@testable import GaugeStatistics

@Suite("Sample statistics")
struct SampleTests {
    @Test("mean and standard deviation are those of a sample")
    func moments() throws {
        let samples = Samples([2, 4, 4, 4, 5, 5, 7, 9])
        #expect(samples.mean == 5)
        // The squares add up to 32, divided by seven.
        #expect(abs(try #require(samples.standardDeviation) - 2.138_089_935) < 1e-9)
        #expect(Samples([1]).standardDeviation == nil)
        #expect(Samples([]).mean == nil)
    }

    /// The quartiles are 2 and 4, so the inner fence is at 4 + 1.5 * 2 = 7 and the outer one at 10.
    @Test("outliers are counted beyond Tukey's fences, and the far ones apart")
    func outliers() {
        let values = [1.0, 2, 2, 2, 3, 3, 4, 4, 4, 7, 7.5, 11]
        let outliers = Outliers(Tally(values))
        #expect((outliers.high, outliers.far, outliers.total) == (2, 1, 12))
        #expect(Outliers(Tally([Double]())) == Outliers())
    }

    @Test("outliers of a histogram count as often as they were seen")
    func weightedOutliers() {
        var histogram = Histogram()
        for _ in 0..<90 { histogram.add(nanoseconds: 100) }
        for _ in 0..<10 { histogram.add(nanoseconds: 120) }
        #expect(Outliers(Tally(histogram)).high == 10)
    }

    @Test("three slices within 5 % are steady, and eight are enough whatever they show")
    func warmUp() {
        var warmUp = WarmUp()
        for (median, isSteady) in [(200, false), (110, false), (104.9, false), (100, false), (103, true)] {
            #expect(!warmUp.isOver)
            warmUp.add(median)
            #expect(warmUp.isSteady == isSteady, "\(median)")
        }
        #expect(warmUp.isOver)

        var restless = WarmUp()
        for number in 1...8 {
            #expect(!restless.isOver)
            restless.add(number.isMultiple(of: 2) ? 100 : 200)
        }
        #expect(restless.isOver && !restless.isSteady)
        var silent = WarmUp()
        for _ in 0..<3 { silent.add(nil) }
        #expect(!silent.isSteady)
    }
}
