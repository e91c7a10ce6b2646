import Foundation
import Testing

@testable import GaugeStatistics
@testable import GaugeSupport
@testable import GaugeVerdicts

/// Intervals of verdicts against their definitions and a printed table of Student's quantiles.
@Suite("Intervals of verdicts against a second implementation")
struct PairedReferenceTests {
    /// Student's t for 1 to 14 degrees of freedom (NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.2), by the
    /// probability that exceeds it.
    private static let student: [Double: [Double]] = [
        0.005: [
            63.657, 9.925, 5.841, 4.604, 4.032, 3.707, 3.499, 3.355, 3.250, 3.169, 3.106, 3.055, 3.012, 2.977,
        ],
        0.001: [
            318.313, 22.327, 10.215, 7.173, 5.893, 5.208, 4.782, 4.499, 4.296, 4.143, 4.024, 3.929, 3.852, 3.787,
        ],
        0.025: [
            12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145,
        ],
    ]

    /// The mean of the values but for a fifth on either side, and the error of that mean (Yuen 1974).
    private static func trimmed(_ values: [Double]) -> (mean: Double, error: Double, degrees: Int) {
        let sorted = values.sorted()
        let cut = values.count / 5
        let kept = Array(sorted[cut..<(sorted.count - cut)])
        let moved = sorted.map { min(max($0, kept[0]), kept[kept.count - 1]) }
        let center = moved.reduce(0, +) / Double(moved.count)
        let squares = moved.map { ($0 - center) * ($0 - center) }.reduce(0, +)
        let h = Double(kept.count)
        return (kept.reduce(0, +) / h, (squares / (h * (h - 1))).squareRoot(), kept.count - 1)
    }

    private func expectInterval(_ interval: ClosedRange<Double>?, of values: [Double], tail: Double) throws {
        let interval = try #require(interval)
        let (mean, error, degrees) = Self.trimmed(values)
        let reach = try #require(Self.student[tail])[degrees - 1] * error
        // The table has four digits.
        #expect(abs(interval.upperBound - mean - reach) < 0.001 * reach, "\(values.count) sets")
        #expect(abs(mean - interval.lowerBound - reach) < 0.001 * reach, "\(values.count) sets")
    }

    @Test(
        "a comparison's interval leaves half a per cent on either side, divided among the comparisons",
        arguments: [1, 5])
    func compared(comparisons: Int) throws {
        var random = Xoshiro256(seed: 91)
        for _ in 0..<500 {
            let changes = (0..<(4 + Int(random.next(below: 15)))).map { _ in 0.1 * (random.nextUnit() - 0.5) }
            let sets = try changes.map { try #require(PairedSet([(a: 1, b: exp($0))])) }
            let verdict = PairedVerdict(sets, delta: 0.005, comparisons: comparisons)
            #expect(abs(try #require(verdict.change) - Self.trimmed(changes).mean) < 1e-12)
            try expectInterval(verdict.interval, of: changes, tail: comparisons == 1 ? 0.005 : 0.001)
        }
    }

    @Test("the controls of the gate have intervals of 95 %, and a change the gate's own") func judged() throws {
        var random = Xoshiro256(seed: 92)
        for _ in 0..<300 {
            let count = 8 + Int(random.next(below: 11))
            func values() -> [Double] { (0..<count).map { _ in 0.1 * (random.nextUnit() - 0.5) } }
            let (changes, sames, layouts) = (values(), values(), values())
            let replicates = (0..<count).map { Replicate(change: changes[$0], same: sames[$0], layout: layouts[$0]) }
            let benchmarks = 1 + Int(random.next(below: 30))
            let judgement = TimeJudgement(replicates, delta: 0.01, plan: LookPlan(benchmarks: benchmarks))
            try expectInterval(judgement.same?.interval, of: sames, tail: 0.025)
            try expectInterval(judgement.layout?.interval, of: layouts, tail: 0.025)
            // 5 % in all, for seven looks at each benchmark.
            let (mean, error, degrees) = Self.trimmed(changes)
            let tail = 0.05 / 7 / Double(benchmarks)
            let reach = StudentT.quantile(exceededBy: tail, degrees: Double(degrees)) * error
            let interval = try #require(judgement.change?.interval)
            #expect(abs(interval.upperBound - mean - reach) < 1e-9 && abs(mean - interval.lowerBound - reach) < 1e-9)
            let ends = [judgement.same, judgement.layout].compactMap(\.self).flatMap {
                [abs($0.interval.lowerBound), abs($0.interval.upperBound)]
            }
            #expect(judgement.resolution == ends.max())
        }
    }

    @Test("a set's change is the mean of the middle half of its pairs, and its times are the medians of either side")
    func set() throws {
        var random = Xoshiro256(seed: 93)
        for _ in 0..<500 {
            let pairs = (0..<(1 + random.next(below: 20))).map { _ in
                (a: 10 + random.nextUnit(), b: 20 + 5 * random.nextUnit())
            }
            let set = try #require(PairedSet(pairs))
            let logs = pairs.map { log($0.b / $0.a) }.sorted()
            let middle = logs[(logs.count / 4)..<(logs.count - logs.count / 4)]
            #expect(abs(set.change - middle.reduce(0, +) / Double(middle.count)) < 1e-12)
            #expect(set.times.a == pairs.map(\.a).sorted()[pairs.count / 2])
            #expect(set.times.b == pairs.map(\.b).sorted()[pairs.count / 2])
            #expect(set.pairs == pairs.count)
        }
    }
}
