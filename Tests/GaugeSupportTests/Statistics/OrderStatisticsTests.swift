import Testing

@testable import GaugeSupport

@Suite("Order statistics") struct OrderStatisticsTests {
    /// Expected values computed with the distribution function of scipy.stats.binom.
    @Test(
        "the ranks that enclose a quantile are those of the binomial distribution",
        arguments: [
            (0.5, 6, 1, 6), (0.5, 12, 3, 10), (0.5, 1_000, 469, 532), (0.9, 36, 29, 36), (0.99, 368, 360, 368),
            (0.99, 1_000, 983, 997), (0.99, 50_000, 49_456, 49_544), (0.999, 3_688, 3_680, 3_688),
            (0.9999, 36_887, 36_879, 36_887), (0.9999, 200_000, 199_971, 199_989), (0.5, 1_000_000, 499_020, 500_981),
        ] as [(Double, UInt64, UInt64, UInt64)])
    func ranks(part: Double, count: UInt64, lower: UInt64, upper: UInt64) throws {
        let ranks = try #require(OrderStatistics.ranks(of: part, count: count))
        #expect((ranks.lower, ranks.upper) == (lower, upper))
    }

    @Test(
        "one value too few and there is no interval",
        arguments: [(0.5, 5), (0.9, 35), (0.99, 367), (0.999, 3_687), (0.9999, 36_886), (0.5, 0), (1, 100), (0, 100)]
            as [(Double, UInt64)])
    func tooFew(part: Double, count: UInt64) {
        #expect(OrderStatistics.ranks(of: part, count: count) == nil)
    }

    @Test("ten thousand million values have ranks about the quantile, as the normal distribution says")
    func many() throws {
        let ranks = try #require(OrderStatistics.ranks(of: 0.999, count: 10_000_000_000))
        // 1.96 standard deviations of sqrt(n p q) = 3160.7.
        #expect(abs(Double(ranks.lower) - (9_990_000_000 - 6_194)) < 30)
        #expect(abs(Double(ranks.upper) - (9_990_000_000 + 6_194)) < 30)
    }

    @Test("a percentile is the value at its rank, with the values at the ranks about it") func percentile() throws {
        var histogram = Histogram()
        for value in 1...200 { for _ in 0..<5 { histogram.add(nanoseconds: UInt64(value)) } }
        let percentile = try #require(Percentile(0.99, of: histogram))
        // Ranks 983 and 997 of 1000, with five ranks to a value.
        #expect((percentile.value, percentile.interval) == (198, 197...200))
        #expect(percentile.error == 2.0 / 198)
        #expect(Percentile(0.999, of: histogram) == nil)
    }
}
