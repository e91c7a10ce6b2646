import Foundation
import TestSupport
import Testing

@testable import GaugeSupport

@Suite("Distributions") struct DistributionTests {
    @Test(
        "Student's quantiles are those of the tables",
        arguments: [
            (0.025, 1.0, 12.7062), (0.025, 10, 2.2281), (0.05, 5, 2.0150), (0.0005, 7, 5.4079), (0.001, 30, 3.3852),
            (0.5, 4, 0),
        ])
    func student(tail: Double, degrees: Double, quantile: Double) {
        #expect(abs(StudentT.quantile(exceededBy: tail, degrees: degrees) - quantile) < 1e-4)
    }

    @Test("the incomplete beta function is a polynomial where its parameters are whole") func beta() {
        // I_x(2, 3) = 6x² - 8x³ + 3x⁴
        for x in [0.0, 0.1, 0.4, 0.5, 0.9, 1] {
            #expect(abs(IncompleteBeta.value(x, 2, 3) - (6 * x * x - 8 * x * x * x + 3 * x * x * x * x)) < 1e-13)
        }
        #expect(abs(IncompleteBeta.inverse(0.6875, 2, 3) - 0.5) < 1e-12)
        // Values outside are taken as the nearer end.
        #expect(IncompleteBeta.value(1.5, 2, 3) == 1 && IncompleteBeta.value(-0.5, 2, 3) == 0)
    }

    @Test("rates have the bounds of Clopper and Pearson") func binomial() {
        // With 0 of n: 1 - 0.05^(1/n).
        #expect(abs(BinomialInterval.upperBound(0, of: 300) - 0.009936) < 1e-6)
        let interval = BinomialInterval.interval(19, of: 20)
        #expect(abs(interval.lowerBound - 0.75127) < 1e-5)
        #expect(abs(interval.upperBound - 0.99873) < 1e-5)
        #expect(BinomialInterval.interval(0, of: 5).lowerBound == 0)
        #expect(BinomialInterval.interval(5, of: 5).upperBound == 1)
    }

    @Test("a trimmed mean leaves a fifth out on either side, and its error counts them as the nearest kept")
    func trimmedMean() throws {
        let mean = try #require(TrimmedMean((1...10).map(Double.init)))
        #expect(mean.mean == 5.5)
        #expect(mean.degrees == 5)
        // Winsorised to 3 3 3 4 5 6 7 8 8 8: the squared distances from 5.5 add up to 42.5, and the square root is of
        // 42.5 / (6 · 5).
        #expect(abs(mean.standardError - (42.5 / 30).squareRoot()) < 1e-12)
        let torn = try #require(TrimmedMean((1...9).map(Double.init) + [1e6]))
        #expect(torn.mean == mean.mean && torn.standardError == mean.standardError)
        #expect(TrimmedMean([1]) == nil)
    }

    @Test("the interval of a trimmed mean misses the truth no more often than asked", arguments: [0.005, 0.025])
    func missing(tail: Double) throws {
        var random = Xoshiro256(seed: 9)
        func normal() -> Double {
            (-2 * log(1 - random.nextUnit())).squareRoot() * cos(2 * Double.pi * random.nextUnit())
        }
        let tries = nightly(20_000, else: 8_000)
        let missed = try (0..<tries).count { _ in
            let mean = try #require(TrimmedMean((0..<10).map { _ in normal() }))
            return !mean.interval(tail: tail).contains(0)
        }
        #expect(Double(missed) <= 2 * tail * Double(tries), "\(missed)")
        // All of four values are kept, and Student's distribution is exact.
        let four = try #require(TrimmedMean([1, 2, 3, 4]))
        let reach = StudentT.quantile(exceededBy: tail, degrees: 3) * four.standardError
        #expect(four.interval(tail: tail) == 2.5 - reach...2.5 + reach)
    }
}
