import Foundation
import GaugeSupport
import Testing

@testable import GaugeSupport

@Suite("Variation between sets, over the rows of a run") struct SetVariationTests {
    private static func normal(_ random: inout Xoshiro256) -> Double {
        (-2 * log(1 - random.nextUnit())).squareRoot() * cos(2 * .pi * random.nextUnit())
    }

    /// Rows of some sets whose deviations vary by `scatter` around `usual`, and whose slices tell a part of that.
    private static func rows(
        _ random: inout Xoshiro256, sets: Int, usual: Double, scatter: Double
    ) -> [(values: [Double], within: Double)] {
        (0..<60).map { _ in
            let within = usual * exp(0.7 * normal(&random)) / 3
            let deviation = 3 * within * exp(scatter * normal(&random))
            return ((0..<sets).map { _ in 100 * exp(deviation * normal(&random)) }, within * within)
        }
    }

    @Test("digamma and trigamma have the tables' values, and the inverse inverts") func polygamma() {
        #expect(abs(Polygamma.digamma(1) + 0.577_215_664_901_53) < 1e-11)
        #expect(abs(Polygamma.digamma(0.5) + 1.963_510_026_021_42) < 1e-11)
        #expect(abs(Polygamma.trigamma(1) - .pi * .pi / 6) < 1e-11)
        #expect(abs(Polygamma.trigamma(0.5) - .pi * .pi / 2) < 1e-11)
        for x in [0.01, 0.3, 1, 7, 400] {
            #expect(abs(Polygamma.trigammaInverse(Polygamma.trigamma(x)) / x - 1) < 1e-6)
        }
    }

    @Test(
        "intervals of one, two and three sets contain the truth in about 95 of 100 rows",
        arguments: [1, 2, 3], [0.1, 0.5, 1.0])
    func coverage(sets: Int, scatter: Double) throws {
        var random = Xoshiro256(seed: UInt64(sets))
        var (covering, all) = (0, 0)
        for _ in 0..<20 {
            let rows = Self.rows(&random, sets: sets, usual: 0.01, scatter: scatter)
            // One set tells nothing of the variation; other rows of the run have two.
            let others = Self.rows(&random, sets: max(2, sets), usual: 0.01, scatter: scatter)
            let variation = try #require(
                SetVariation(others.compactMap { SetEstimate.row($0.values, within: $0.within) }))
            for row in rows {
                let estimate = SetEstimate.of(row.values, within: row.within, variation: variation)
                if try #require(estimate?.interval).contains(100) { covering += 1 }
                all += 1
            }
        }
        #expect(Double(covering) > 0.92 * Double(all), "\(covering) of \(all)")
    }

    @Test("the intervals of two sets are far narrower than those of each row alone") func usefulness() throws {
        var random = Xoshiro256(seed: 7)
        let rows = Self.rows(&random, sets: 2, usual: 0.01, scatter: 0.3)
        let variation = try #require(SetVariation(rows.compactMap { SetEstimate.row($0.values, within: $0.within) }))
        func middle(_ variation: SetVariation?) throws -> Double {
            let errors = rows.compactMap { SetEstimate.of($0.values, within: $0.within, variation: variation)?.error }
            return try #require(Samples(errors).median)
        }
        #expect(try 2 * middle(variation) < middle(nil))
    }

    @Test("a row with many sets keeps its own interval") func manySets() throws {
        var random = Xoshiro256(seed: 8)
        let variation = try #require(
            SetVariation(
                Self.rows(&random, sets: 2, usual: 0.01, scatter: 0.5)
                    .compactMap { SetEstimate.row($0.values, within: $0.within) }))
        let odd = (0..<60).map { _ in 100 * exp(0.1 * Self.normal(&random)) }
        let alone = try #require(SetEstimate.of(odd)?.error)
        let together = try #require(SetEstimate.of(odd, within: 1e-5, variation: variation)?.error)
        #expect((0.75...1.1).contains(together / alone))
    }

    @Test("fewer than eight rows, and rows without variance, tell nothing") func few() {
        let row = SetVariation.Row(variance: 1e-4, degrees: 1, within: 1e-5)
        #expect(SetVariation([SetVariation.Row](repeating: row, count: 7)) == nil)
        #expect(SetVariation([SetVariation.Row](repeating: row, count: 8)) != nil)
        let still = SetVariation.Row(variance: 0, degrees: 1, within: 0)
        #expect(SetVariation([SetVariation.Row](repeating: still, count: 20)) == nil)
    }
}
