import Foundation
import Testing

@testable import GaugeTraces

@Suite("Key streams") struct KeyStreamTests {
    @Test(
        "the same seed gives the same stream, within its objects",
        arguments: [KeyPattern.zipf(exponent: 0.8), .zipf(exponent: 1), .zipf(exponent: 1.4), .uniform, .scan, .loop]
    )
    func oneSeedGivesOneStreamWithinItsObjects(pattern: KeyPattern) {
        var first = pattern.stream(objects: 5000, seed: 42)
        var second = pattern.stream(objects: 5000, seed: 42)
        let keys = first.draw(5000)
        #expect(keys == second.draw(5000))
        #expect(keys.allSatisfy { $0 < 5000 })
    }

    @Test("another seed gives another stream", arguments: [KeyPattern.zipf(exponent: 0.8), .uniform])
    func anotherSeedGivesAnotherStream(pattern: KeyPattern) {
        var first = pattern.stream(objects: 5000, seed: 42)
        var second = pattern.stream(objects: 5000, seed: 43)
        #expect(first.draw(100) != second.draw(100))
    }

    /// Compares the whole distribution with the exact probabilities by Pearson's test. Ranks expected less than 10
    /// times are grouped.
    @Test("Zipf's law is drawn exactly", arguments: [0, 0.5, 0.8, 0.99, 1, 1.000_000_1, 1.2, 2.5], [2, 100, 10_000])
    func zipfIsExact(exponent: Double, objects: Int) {
        let draws = 100_000
        var counts = [Int](repeating: 0, count: objects)
        var stream = ZipfKeys(objects: objects, exponent: exponent, seed: 11)
        for _ in 0..<draws { counts[Int(stream.next())] += 1 }

        let weights = (1...objects).map { pow(Double($0), -exponent) }
        let total = weights.reduce(0, +)
        var chiSquare = 0.0
        var freedom = -1.0
        var (pooledCount, pooledExpectation) = (0.0, 0.0)
        for (count, weight) in zip(counts, weights) {
            pooledCount += Double(count)
            pooledExpectation += weight / total * Double(draws)
            guard pooledExpectation >= 10 else { continue }
            chiSquare += (pooledCount - pooledExpectation) * (pooledCount - pooledExpectation) / pooledExpectation
            freedom += 1
            (pooledCount, pooledExpectation) = (0, 0)
        }
        // Four standard deviations of the chi square distribution.
        #expect(chiSquare < freedom + 4 * (2 * freedom).squareRoot() + 4)
    }

    /// The likeliest exponent of 200,000 drawn keys, by ternary search. Its standard error is about 0.0015.
    @Test("the exponent that fits drawn keys best is the stated one", arguments: [0.64, 0.8, 1, 1.2])
    func theExponentThatFitsDrawnKeysBestIsTheStatedOne(exponent: Double) {
        let (objects, draws) = (1_000, 200_000)
        var stream = ZipfKeys(objects: objects, exponent: exponent, seed: 12)
        let logarithms = (0..<objects).map { log(Double($0 + 1)) }
        let sum = (0..<draws).reduce(0.0) { sum, _ in sum + logarithms[Int(stream.next())] }
        func likelihood(_ exponent: Double) -> Double {
            let weights = logarithms.reduce(0.0) { $0 + exp(-exponent * $1) }
            return -exponent * sum - Double(draws) * log(weights)
        }
        var (low, high) = (0.1, 2.0)
        for _ in 0..<40 {
            let third = (high - low) / 3
            if likelihood(low + third) < likelihood(high - third) { low += third } else { high -= third }
        }
        #expect(abs((low + high) / 2 - exponent) < 0.006, "\((low + high) / 2)")
    }

    @Test("Zipf's law gives keys in range even for parameters that make no sense")
    func zipfTakesParametersThatMakeNoSense() {
        for (objects, exponent) in [
            (0, 0.8), (-5, 1.0), (1, 0.8), (10, Double.nan), (10, -1), (10, .infinity), (10, 1e300),
        ] {
            var stream = ZipfKeys(objects: objects, exponent: exponent, seed: 1)
            for _ in 0..<100 { #expect(stream.next() < UInt64(max(1, objects))) }
        }
    }

    @Test("a scan never repeats a key, and a loop repeats its keys in order")
    func scanNeverRepeatsAndLoopDoesInOrder() {
        var scan = ScanKeys(first: 3)
        #expect(scan.draw(4) == [3, 4, 5, 6])
        var loop = LoopKeys(objects: 3)
        #expect(loop.draw(7) == [0, 1, 2, 0, 1, 2, 0])
        var single = LoopKeys(objects: 0)
        #expect(single.draw(3) == [0, 0, 0])
    }

    @Test("a uniform stream visits every key") func uniformVisitsEveryKey() {
        var uniform = UniformKeys(objects: 100, seed: 9)
        #expect(Set(uniform.draw(2000)).count == 100)
    }
}
