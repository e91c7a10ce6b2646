import Foundation
import Testing

@testable import GaugeSupport

/// Estimates over sets against their definition and a printed table of Student's quantiles, so that any other level
/// than 95 % is found.
@Suite("Estimates over sets against a second implementation") struct SetEstimateReferenceTests {
    /// Student's t that is exceeded in 2.5 % of cases, for 1 to 30 degrees of freedom (NIST/SEMATECH e-Handbook of
    /// Statistical Methods, 1.3.6.7.2).
    private static let student = [
        12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120,
        2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
    ]

    private static func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }

    /// The sum of the squares of the distances from the mean.
    private static func squares(_ values: [Double]) -> Double {
        let center = mean(values)
        return values.map { pow($0 - center, 2) }.reduce(0, +)
    }

    /// Half the interval of the mean of the kept logarithms, by the definition.
    private static func reach(_ logarithms: [Double], cut: Int) -> Double {
        let sorted = logarithms.sorted()
        let kept = sorted[cut..<(sorted.count - cut)]
        let moved = logarithms.map { min(max($0, kept[cut]), kept[sorted.count - cut - 1]) }
        let h = Double(kept.count)
        var reach = student[kept.count - 2] * (squares(moved) / (h * (h - 1))).squareRoot()
        let stretch = Double(sorted.count) / h
        var width = 2
        while sorted.count / width >= 10 {
            let means = (0..<(sorted.count / width)).map { mean(Array(moved[($0 * width)..<(($0 + 1) * width)])) }
            let n = Double(means.count)
            reach = max(reach, student[means.count - 2] * (squares(means) / (n * (n - 1))).squareRoot() * stretch)
            width *= 2
        }
        return reach
    }

    @Test("the interval is Student's at 95 %, of the kept sets and of blocks of them", arguments: [0.2, 0])
    func interval(trimmed: Double) throws {
        var random = Xoshiro256(seed: 41)
        for _ in 0..<2_000 {
            let count = 4 + Int(random.next(below: 27))
            // Neighbours resemble each other, so that blocks decide in some rounds.
            var mood = 0.0
            let logarithms = (0..<count).map { _ -> Double in
                mood = 0.7 * mood + random.nextUnit() - 0.5
                return 3 + 0.1 * mood
            }
            let cut = trimmed == 0 ? 0 : count / 5
            let center = Self.mean(Array(logarithms.sorted()[cut..<(count - cut)]))
            let reach = Self.reach(logarithms, cut: cut)
            let estimate = try #require(SetEstimate.of(logarithms.map { exp($0) }, trimmed: trimmed))
            let interval = try #require(estimate.interval)
            #expect(abs(log(estimate.value) - center) < 1e-9)
            // The table has four digits.
            #expect(abs(log(interval.upperBound) - center - reach) < 0.001 * reach, "\(count) sets")
            #expect(abs(center - log(interval.lowerBound) - reach) < 0.001 * reach, "\(count) sets")
        }
    }

    @Test("the interval of a mean is Student's with one degree less than values") func means() throws {
        var random = Xoshiro256(seed: 44)
        for count in 2...31 {
            let values = (0..<count).map { _ in random.nextUnit() }
            let interval = try #require(TrimmedMean(values, trimmed: 0)).interval(tail: 0.025)
            let n = Double(count)
            let reach = Self.student[count - 2] * (Self.squares(values) / (n * (n - 1))).squareRoot()
            #expect(abs(interval.upperBound - Self.mean(values) - reach) < 0.001 * reach, "\(count)")
            #expect(abs(Self.mean(values) - interval.lowerBound - reach) < 0.001 * reach, "\(count)")
        }
    }

    @Test("the logarithms of independent errors add as squares, each end of an interval by itself")
    func widened() throws {
        var random = Xoshiro256(seed: 42)
        for _ in 0..<500 {
            let (value, part) = (1 + 9 * random.nextUnit(), 1.2 * random.nextUnit())
            let (below, above) = (0.5 * random.nextUnit(), 2 * random.nextUnit())
            let estimate = Estimate(value, in: value * (1 - below)...value * (1 + above))
            let widened = try #require(estimate.widened(by: part).interval)
            func more(_ end: Double) -> Double { pow(pow(log(end), 2) + pow(log(1 + part), 2), 0.5) }
            #expect(abs(log(widened.upperBound / value) - more(1 + above)) < 1e-12)
            #expect(abs(log(value / widened.lowerBound) - more(1 - below)) < 1e-12)

            let other = Estimate(2, in: 2 - 2 * part / 2...2.1)
            let ratio = estimate.over(other)
            let farther = (max(below, above), max(part / 2, 0.05))
            let reach = exp(pow(pow(log(1 + farther.0), 2) + pow(log(1 + farther.1), 2), 0.5)) - 1
            #expect(abs(ratio.value - value / 2) < 1e-12)
            #expect(abs(try #require(ratio.interval).upperBound / ratio.value - 1 - reach) < 1e-12)
        }
        #expect(Estimate(3).widened(by: 0.1) == Estimate(3) && Estimate(3).over(Estimate(2)).interval == nil)
    }

    @Test("the error is the farther end of the interval, on either side") func error() {
        #expect(Estimate(100, in: 90...105).error == 0.1)
        #expect(Estimate(100, in: 95...120).error == 0.2)
        #expect(Estimate(100).error == nil && Estimate(0, in: 0...1).error == nil)
    }
}
