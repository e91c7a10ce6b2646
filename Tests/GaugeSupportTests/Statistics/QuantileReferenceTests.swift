import Testing

@testable import GaugeSupport

/// Quantiles, trimmed means and modes against slow second implementations, on random inputs.
@Suite("Quantiles against a second implementation") struct QuantileReferenceTests {
    /// Parts as fractions, so that ranks are computed in whole numbers.
    private static let parts: [(over: Int, under: Int)] = [
        (1, 50), (1, 4), (1, 2), (3, 4), (9, 10), (99, 100), (999, 1_000), (9_999, 10_000),
    ]

    /// Numbers with many ties, and of up to six digits.
    private static func values(_ random: inout Xoshiro256, atMost most: UInt64 = 200) -> [UInt64] {
        let range = [3, 40, 1_000_000][Int(random.next(below: 3))] as UInt64
        return (0..<(1 + random.next(below: most))).map { _ in 1 + random.next(below: range) }
    }

    @Test("the quantile of a tally is the value at the rank in the sorted list") func tally() {
        var random = Xoshiro256(seed: 21)
        for _ in 0..<1_000 {
            let values = Self.values(&random).sorted()
            let tally = Tally(values.map { Double($0) })
            for (over, under) in Self.parts {
                let rank = max(1, (values.count * over + under - 1) / under)
                let found = tally.quantile(Double(over) / Double(under))
                #expect(found == Double(values[rank - 1]), "\(over)/\(under) of \(values.count)")
            }
        }
    }

    @Test("the quantile of samples lies between its neighbours, in proportion (R's type 7)") func samples() throws {
        var random = Xoshiro256(seed: 22)
        for _ in 0..<1_000 {
            let values = Self.values(&random).sorted()
            let samples = Samples(values.map { Double($0) })
            for (over, under) in Self.parts {
                let (below, rest) = ((values.count - 1) * over).quotientAndRemainder(dividingBy: under)
                let above = min(below + 1, values.count - 1)
                let expected =
                    (Double(values[below]) * Double(under - rest) + Double(values[above]) * Double(rest))
                    / Double(under)
                let found = try #require(samples.quantile(Double(over) / Double(under)))
                #expect(abs(found - expected) <= expected * 1e-9)
            }
        }
    }

    @Test("every rank of a histogram is the value of the sorted list, within the width of a bucket")
    func histogramRanks() throws {
        var random = Xoshiro256(seed: 23)
        for _ in 0..<40 {
            let values = Self.values(&random, atMost: 60).sorted()
            var histogram = Histogram()
            for value in values { histogram.add(nanoseconds: value) }
            for (index, value) in values.enumerated() {
                let found = try #require(histogram.value(atRank: UInt64(index + 1)))
                // Exact below 256, then half a bucket of 1/128.
                let tolerance = value < 256 ? 0 : Double(value) / 256
                #expect(abs(found - Double(value)) <= tolerance, "rank \(index + 1) of \(values)")
            }
            #expect(histogram.mean == Double(values.reduce(0, +)) / Double(values.count))
        }
    }

    @Test("a trimmed mean and its error are those of the definition") func trimmedMean() throws {
        var random = Xoshiro256(seed: 24)
        for _ in 0..<2_000 {
            let values = (0..<(2 + random.next(below: 30))).map { _ in random.nextUnit() }
            // Whole numbers: a fifth of them, rounded down.
            let cut = values.count / 5
            let sorted = values.sorted()
            let kept = Array(sorted[cut..<(sorted.count - cut)])
            let moved =
                Array(repeating: kept[0], count: cut) + kept
                + Array(repeating: kept[kept.count - 1], count: cut)
            let center = moved.reduce(0, +) / Double(moved.count)
            let squares = moved.map { ($0 - center) * ($0 - center) }.reduce(0, +)
            let (n, h) = (Double(values.count), Double(kept.count))
            // Yuen 1974: the winsorised sum of squares over h (h - 1).
            let error = (squares / (n - 1) * (n - 1) / (h * (h - 1))).squareRoot()

            let mean = try #require(TrimmedMean(values.shuffled(using: &random)))
            #expect(abs(mean.mean - kept.reduce(0, +) / h) < 1e-12)
            #expect(abs(mean.standardError - error) < 1e-12)
            #expect(mean.degrees == h - 1 && mean.kept == kept[0]...kept[kept.count - 1])
        }
    }
}
