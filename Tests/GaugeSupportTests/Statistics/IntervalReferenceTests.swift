import Foundation
import Testing

@testable import GaugeSupport

/// Confidence intervals against their definitions, by direct sums, integrals and simulation. Each bound is tight enough
/// to tell 95 % from 90 %.
@Suite("Intervals against a second implementation") struct IntervalReferenceTests {
    /// The probabilities of 0 to n events, by Pascal's rule: no logarithm, no gamma function.
    private static func binomial(_ n: Int, _ p: Double) -> [Double] {
        var probabilities = [1.0]
        for _ in 0..<n {
            var next = [Double](repeating: 0, count: probabilities.count + 1)
            for (k, probability) in probabilities.enumerated() {
                next[k] += probability * (1 - p)
                next[k + 1] += probability * p
            }
            probabilities = next
        }
        return probabilities
    }

    /// The integral from 0 to `end` by Simpson's rule.
    private static func integral(to end: Double, steps: Int = 2_000, _ function: (Double) -> Double) -> Double {
        let width = end / Double(steps)
        let inner = (1..<steps).reduce(0.0) { $0 + function(Double($1) * width) * ($1.isMultiple(of: 2) ? 2 : 4) }
        return (function(0) + inner + function(end)) * width / 3
    }

    @Test("a binomial bound leaves just the stated probability beyond") func binomialBounds() {
        var random = Xoshiro256(seed: 31)
        for _ in 0..<150 {
            let trials = 1 + Int(random.next(below: 80))
            let seen = Int(random.next(below: UInt64(trials + 1)))
            let level = [0.9, 0.95, 0.99][Int(random.next(below: 3))]
            let interval = BinomialInterval.interval(seen, of: trials, level: level)
            let tail = (1 - level) / 2
            if seen < trials {
                let atMost = Self.binomial(trials, interval.upperBound)[...seen].reduce(0, +)
                #expect(abs(atMost - tail) < 1e-9, "\(seen) of \(trials) at \(level)")
            }
            if seen > 0 {
                let atLeast = Self.binomial(trials, interval.lowerBound)[seen...].reduce(0, +)
                #expect(abs(atLeast - tail) < 1e-9, "\(seen) of \(trials) at \(level)")
            }
        }
        // One-sided by default, at 95 %.
        let bound = BinomialInterval.upperBound(3, of: 40)
        #expect(abs(Self.binomial(40, bound)[...3].reduce(0, +) - 0.05) < 1e-9)
        #expect(abs(Self.binomial(40, BinomialInterval.lowerBound(3, of: 40))[3...].reduce(0, +) - 0.05) < 1e-9)
    }

    @Test("the ranks about a quantile are the narrowest that leave the stated probability outside")
    func orderStatistics() {
        for part in [0.25, 0.5, 0.9] {
            for level in [0.9, 0.95] {
                for count in [1, 5, 6, 7, 20, 36, 37, 60, 90, 150] {
                    let probabilities = Self.binomial(count, part)
                    let tail = (1 - level) / 2
                    // At least `lower` values have to lie below the quantile, and fewer than `upper`.
                    let lower = (0...count).last { probabilities[..<$0].reduce(0, +) <= tail } ?? 0
                    let upper = (0...count).first { probabilities[$0...].reduce(0, +) <= tail }
                    let ranks = OrderStatistics.ranks(of: part, count: UInt64(count), level: level)
                    if lower >= 1, let upper {
                        #expect(ranks?.lower == UInt64(lower) && ranks?.upper == UInt64(upper), "\(part) of \(count)")
                    } else {
                        #expect(ranks == nil, "\(part) of \(count)")
                    }
                }
            }
        }
    }

    @Test("Student's quantile leaves just the stated probability beyond") func student() {
        var random = Xoshiro256(seed: 32)
        for _ in 0..<150 {
            let degrees = Double(1 + random.next(below: 60))
            let tail = [0.05, 0.025, 0.005, 0.2][Int(random.next(below: 4))]
            let quantile = StudentT.quantile(exceededBy: tail, degrees: degrees)
            let scale =
                exp(lgamma((degrees + 1) / 2) - lgamma(degrees / 2)) / (degrees * Double.pi).squareRoot()
            let inside = Self.integral(to: quantile) { scale * pow(1 + $0 * $0 / degrees, -(degrees + 1) / 2) }
            #expect(abs(0.5 - inside - tail) < 1e-7, "\(tail) of \(degrees)")
        }
    }

    @Test("the incomplete beta function is its integral") func beta() {
        var random = Xoshiro256(seed: 33)
        for _ in 0..<150 {
            let (a, b) = (2 + 20 * random.nextUnit(), 2 + 20 * random.nextUnit())
            let x = random.nextUnit()
            let front = exp(lgamma(a + b) - lgamma(a) - lgamma(b))
            let expected = front * Self.integral(to: x) { pow($0, a - 1) * pow(1 - $0, b - 1) }
            #expect(abs(IncompleteBeta.value(x, a, b) - expected) < 1e-6, "\(x), \(a), \(b)")
        }
    }

    /// A second bootstrap, from another generator, drawing copies of whole lists: of its medians 2.5 % lie below the
    /// interval and 2.5 % above, or up to a fifth of a per cent fewer where medians repeat.
    @Test("the interval of a median has 2.5 % of another bootstrap's medians on either side") func bootstrap() throws {
        var random = Xoshiro256(seed: 34)
        var (below, above, all) = (0, 0, 0)
        for round in 0..<20 {
            let slices = (0..<12).map { _ -> [Double] in
                let shift = random.nextUnit()
                return (0..<5).map { _ in shift + random.nextUnit() }
            }
            let interval = try #require(MedianInterval.of(slices.map { Tally($0) }, seed: UInt64(round)))
            var other = SplitMix64(seed: UInt64(round))
            for _ in 0..<400 {
                let drawn = slices.indices.flatMap { _ in slices[Int(other.next() % 12)] }.sorted()
                let median = (drawn[29] + drawn[30]) / 2
                all += 1
                if median < interval.lowerBound { below += 1 } else if median > interval.upperBound { above += 1 }
            }
        }
        let parts = [below, above].map { Double($0) / Double(all) }
        #expect(parts.allSatisfy { (0.018...0.033).contains($0) }, "\(parts)")
    }

    /// Normal logarithms, by the sum of twelve uniform numbers.
    private static func logNormal(_ random: inout Xoshiro256, _ count: Int) -> [Double] {
        (0..<count).map { _ in exp(0.1 * ((0..<12).reduce(0) { sum, _ in sum + random.nextUnit() } - 6)) }
    }

    @Test("an estimate over sets is their geometric mean, and its interval holds the truth in 95 of 100 runs")
    func setEstimate() throws {
        var random = Xoshiro256(seed: 35)
        var held = 0
        let runs = 2_000
        for _ in 0..<runs {
            let values = Self.logNormal(&random, 10)
            let estimate = try #require(SetEstimate.of(values, trimmed: 0))
            let product = values.reduce(1, *)
            #expect(abs(estimate.value - pow(product, 0.1)) < 1e-12)
            if try #require(estimate.interval).contains(1) { held += 1 }
        }
        // A standard deviation is 0.5 %.
        #expect((0.935...0.965).contains(Double(held) / Double(runs)), "\(held) of \(runs)")
    }
}
