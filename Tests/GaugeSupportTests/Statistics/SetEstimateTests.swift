import Foundation
import GaugeSupport
import Testing

@testable import GaugeSupport

@Suite("Estimate over sets") struct SetEstimateTests {
    /// Uniform sums, close enough to normal.
    private struct Noise {
        var random: Xoshiro256
        mutating func next() -> Double { (0..<4).reduce(-2) { sum, _ in sum + random.nextUnit() } * 3.0.squareRoot() }
    }

    @Test("no set has no estimate, one has no interval, two have a wide one") func few() throws {
        #expect(SetEstimate.of([]) == nil)
        #expect(SetEstimate.of([0, -1, .nan, .infinity]) == nil)
        #expect(SetEstimate.of([12]) == Estimate(12))
        let two = try #require(SetEstimate.of([100, 102])?.interval)
        // Student's quantile for one degree is 12.7, the standard error one per cent.
        #expect((85...92).contains(two.lowerBound) && (111...118).contains(two.upperBound))
    }

    @Test("the interval contains the truth in about 95 of 100 runs", arguments: [3, 5, 8, 12, 30])
    func coverage(sets: Int) throws {
        var noise = Noise(random: Xoshiro256(seed: UInt64(sets)))
        var covering = 0
        for _ in 0..<400 {
            let values = (0..<sets).map { _ in 100 * exp(0.05 * noise.next()) }
            if try #require(SetEstimate.of(values)?.interval).contains(100) { covering += 1 }
        }
        #expect((366...398).contains(covering), "\(covering) of 400")
    }

    @Test("sets that resemble their neighbours make the interval wider") func drift() throws {
        var noise = Noise(random: Xoshiro256(seed: 4))
        var covering = 0
        for _ in 0..<400 {
            var mood = 0.0
            let values = (0..<40).map { _ in
                mood = 0.6 * mood + 0.8 * noise.next()
                return 100 * exp(0.05 * mood)
            }
            if try #require(SetEstimate.of(values)?.interval).contains(100) { covering += 1 }
        }
        // Without blocks, 276.
        #expect(covering > 330, "\(covering) of 400")
    }

    @Test("an error common to all sets adds to the interval as an independent one") func widened() throws {
        let wide = try #require(Estimate(100, in: 97...104).widened(by: 0.03).interval)
        let ends = [97.0, 104].map { end in exp(hypot(log(end / 100), log(1.03))) }
        #expect(abs(wide.lowerBound - 100 / ends[0]) < 1e-9 && abs(wide.upperBound - 100 * ends[1]) < 1e-9)
        #expect(Estimate(100).widened(by: 0.03) == Estimate(100))
    }

    @Test("a ratio of thousands is not one of 1, however large its error") func neverNearZero() throws {
        let ours = Estimate(1_180, in: 1_148...1_212)
        let theirs = Estimate(5_900_000, in: 3_000_000...11_000_000).widened(by: 0.7)
        let interval = try #require(theirs.over(ours).interval)
        #expect(interval.lowerBound > 1_500 && interval.lowerBound < 2_500, "\(interval)")
        let one = try #require(Estimate(2.08, in: 2.08...2.08).widened(by: 0.631).interval)
        #expect(abs(one.lowerBound - 2.08 / 1.631) < 1e-9 && abs(one.upperBound - 2.08 * 1.631) < 1e-9)
    }

    @Test("the ratio of two estimates has the errors of both") func over() throws {
        let ratio = Estimate(200, in: 194...206).over(Estimate(50, in: 48...51))
        #expect(ratio.value == 4)
        #expect(try abs(#require(ratio.error) - (exp(hypot(log(1.03), log(1.04))) - 1)) < 1e-9)
        #expect(Estimate(200).over(Estimate(50, in: 48...51)) == Estimate(4))
    }

    @Test("one odd process in ten moves the estimate by less than half a per cent, and its interval little")
    func outlier() throws {
        var noise = Noise(random: Xoshiro256(seed: 9))
        let values = (0..<20).map { $0.isMultiple(of: 10) ? 150 : 100 * exp(0.01 * noise.next()) }
        let estimate = try #require(SetEstimate.of(values))
        #expect(abs(estimate.value - 100) < 0.5)
        #expect(try #require(estimate.error) < 0.02)
        // A mean over deferred work keeps it.
        #expect(try #require(SetEstimate.of(values, trimmed: 0)).value > 103)
    }
}
