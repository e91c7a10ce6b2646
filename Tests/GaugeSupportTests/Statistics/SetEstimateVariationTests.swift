import Foundation
import Testing

@testable import GaugeSupport

/// Estimates of few sets, whose interval comes from the usual variation of other rows as well.
@Suite("Estimates over few sets against a second implementation") struct SetEstimateVariationTests {
    private static func variation(_ random: inout Xoshiro256) throws -> SetVariation {
        let rows = (0..<20).map { _ in
            let within = exp(-12 + 4 * random.nextUnit())
            return SetVariation.Row(
                variance: within * exp(3 * random.nextUnit()), degrees: Double(1 + random.next(below: 9)),
                within: within)
        }
        return try #require(SetVariation(rows))
    }

    private static func student(_ degrees: Double) -> Double { StudentT.quantile(exceededBy: 0.025, degrees: degrees) }

    private static func expectReach(_ reach: Double, about center: Double, _ estimate: Estimate?, _ place: Comment)
        throws
    {
        let found = try #require(estimate)
        let interval = try #require(found.interval)
        #expect(abs(log(found.value) - center) < 1e-9, place)
        #expect(abs(log(interval.upperBound) - center - reach) < 1e-9 * (1 + reach), place)
        #expect(abs(center - log(interval.lowerBound) - reach) < 1e-9 * (1 + reach), place)
    }

    @Test(
        "one set has the usual variation of its scatter and that variation's degrees",
        arguments: 1...50 as ClosedRange<UInt64>)
    func single(seed: UInt64) throws {
        var random = Xoshiro256(seed: seed)
        let variation = try Self.variation(&random)
        let (center, within) = (8 * random.nextUnit(), exp(-13 + 6 * random.nextUnit()))
        let reach = Self.student(variation.degrees) * variation.usual(within: within).squareRoot()
        let estimate = SetEstimate.of([exp(center)], within: within, variation: variation)
        try Self.expectReach(reach, about: center, estimate, "seed \(seed)")
        #expect(SetEstimate.of([exp(center)], within: within)?.interval == nil)
    }

    @Test(
        "few sets have both variations, each by its degrees, and the sum of the degrees",
        arguments: 1...50 as ClosedRange<UInt64>)
    func few(seed: UInt64) throws {
        var random = Xoshiro256(seed: seed)
        let variation = try Self.variation(&random)
        let within = exp(-13 + 6 * random.nextUnit())
        // Fewer than five are not trimmed.
        let logarithms = (0..<(2 + Int(random.next(below: 3)))).map { _ in 3 + 0.1 * random.nextUnit() }
        let n = Double(logarithms.count)
        let center = logarithms.reduce(0, +) / n
        let variance = logarithms.map { ($0 - center) * ($0 - center) }.reduce(0, +) / (n - 1)
        let degrees = variation.degrees + n - 1
        let both = (variation.degrees * variation.usual(within: within) + (n - 1) * variance) / degrees
        try Self.expectReach(
            Self.student(degrees) * (both / n).squareRoot(), about: center,
            SetEstimate.of(logarithms.map { exp($0) }, within: within, variation: variation), "seed \(seed)")
    }

    @Test("a row's variance is that of its values, with one degree less than values, and keeps its scatter within")
    func row() throws {
        let row = try #require(
            SetEstimate.row([exp(1.0), -1, exp(2.0), .infinity, exp(4.0)], trimmed: 0, within: 0.25))
        // Of 1, 2 and 4.
        #expect(abs(row.variance - 7.0 / 3) < 1e-12 && row.degrees == 2 && row.within == 0.25)
        #expect(SetEstimate.row([exp(1.0)], within: 0) == nil && SetEstimate.row([], within: 0) == nil)
    }

    @Test("rows without a variance of their own do not count towards those that are needed") func unusable() throws {
        let usual = SetVariation.Row(variance: 1e-4, degrees: 2, within: 1e-5)
        let useless = [
            SetVariation.Row(variance: 0, degrees: 2, within: 1e-5),
            SetVariation.Row(variance: .infinity, degrees: 2, within: 1e-5),
            SetVariation.Row(variance: .nan, degrees: 2, within: 1e-5),
            SetVariation.Row(variance: 1e-4, degrees: 0, within: 1e-5),
            SetVariation.Row(variance: 1e-4, degrees: 2, within: .nan),
            SetVariation.Row(variance: 1e-4, degrees: 2, within: .infinity),
        ]
        for row in useless {
            #expect(SetVariation([SetVariation.Row](repeating: usual, count: 7) + [row]) == nil, "\(row)")
            let (with, without) = (
                SetVariation([SetVariation.Row](repeating: usual, count: 8) + [row]),
                SetVariation([SetVariation.Row](repeating: usual, count: 8))
            )
            #expect(with == without && with != nil, "\(row)")
        }
    }
}
