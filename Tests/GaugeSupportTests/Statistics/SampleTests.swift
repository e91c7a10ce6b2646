import Testing

@testable import GaugeSupport

@Suite("Sample statistics") struct SampleTests {
    @Test("mean and standard deviation are those of a sample") func moments() throws {
        let samples = Samples([2, 4, 4, 4, 5, 5, 7, 9])
        #expect(samples.mean == 5)
        // The squares add up to 32, divided by seven.
        #expect(abs(try #require(samples.standardDeviation) - 2.138_089_935) < 1e-9)
        #expect(Samples([1]).standardDeviation == nil)
        #expect(Samples([]).mean == nil)
    }

    /// The quartiles are 2 and 4, so the inner fence is at 4 + 1.5 * 2 = 7 and the outer one at 10.
    @Test("outliers are counted beyond Tukey's fences, and the far ones apart") func outliers() {
        let values = [1.0, 2, 2, 2, 3, 3, 4, 4, 4, 7, 7.5, 11]
        let outliers = Outliers(Tally(values))
        #expect((outliers.high, outliers.far, outliers.total) == (2, 1, 12))
        #expect(Outliers(Tally([Double]())) == Outliers())
    }

    @Test("the spread is half the distance of the quartiles over the median, of three values or more")
    func spread() throws {
        let spread = try #require(Samples([1, 3, 4, 7]).spread)
        let expected: Double = (4.75 - 2.5) / 2 / 3.5
        #expect(abs(spread - expected) < 1e-12)
        #expect(Samples([10, 20, 40]).spread == 0.375)
        #expect(Samples([1, 2]).spread == nil && Samples([-1, 0, 1]).spread == nil)
    }

    @Test("outliers are those of a second count, on random values") func randomOutliers() {
        var random = Xoshiro256(seed: 43)
        for _ in 0..<500 {
            let values = (0..<(4 + random.next(below: 60))).map { _ in
                Double(random.next(below: 40)) * (random.next(below: 6) == 0 ? Double(1 + random.next(below: 5)) : 1)
            }.sorted()
            func quartile(_ number: Int) -> Double { values[(values.count * number + 3) / 4 - 1] }
            let (lower, upper) = (quartile(1), quartile(3))
            let outliers = Outliers(Tally(values.shuffled(using: &random)))
            #expect(outliers.high == values.count { 2 * ($0 - upper) > 3 * (upper - lower) })
            #expect(outliers.far == values.count { $0 - upper > 3 * (upper - lower) })
            #expect(outliers.total == values.count)
        }
    }

    @Test("outliers of a histogram count as often as they were seen") func weightedOutliers() {
        var histogram = Histogram()
        for _ in 0..<90 { histogram.add(nanoseconds: 100) }
        for _ in 0..<10 { histogram.add(nanoseconds: 120) }
        #expect(Outliers(Tally(histogram)).high == 10)
    }

    @Test("three slices within 5 % are steady, and eight are enough whatever they show") func warmUp() {
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
