import Foundation
import Testing

@testable import GaugeSupport
@testable import GaugeMeasurement

/// Intervals of verdicts against their definitions and a table of Student's quantiles from elsewhere.
@Suite("Intervals of verdicts against a second implementation") struct IntervalReferenceTests {
    /// Student's t for 1 to 14 degrees of freedom (SciPy 1.17.1, `t.isf`), by the probability with which an
    /// interval may miss the truth on one side. That probability is divided by 2, and 0.025 by 1.3, since the errors of
    /// trimmed means are larger than Student's distribution says.
    private static let student: [Double: [Double]] = [
        0.005: [127.321, 14.089, 7.453, 5.598, 4.773, 4.317, 4.029, 3.833, 3.690, 3.581, 3.497, 3.428, 3.372, 3.326],
        0.001: [636.619, 31.599, 12.924, 8.610, 6.869, 5.959, 5.408, 5.041, 4.781, 4.587, 4.437, 4.318, 4.221, 4.140],
        0.025: [16.532, 4.951, 3.536, 3.038, 2.790, 2.642, 2.544, 2.474, 2.422, 2.382, 2.350, 2.324, 2.303, 2.285],
    ]
    /// The same for four values, which are all kept, so that the probability is the one asked for.
    private static let studentOfFour = [0.005: 5.841, 0.001: 10.215]

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
        let student = try #require(values.count < 5 ? Self.studentOfFour[tail] : Self.student[tail]?[degrees - 1])
        let reach = student * error
        // The table has four digits.
        #expect(abs(interval.upperBound - mean - reach) < 0.001 * reach, "\(values.count) sets")
        #expect(abs(mean - interval.lowerBound - reach) < 0.001 * reach, "\(values.count) sets")
    }

    @Test("an interval leaves its tail on either side") func intervals() throws {
        var random = Xoshiro256(seed: 91)
        for tail in [0.005, 0.001] {
            let rule = JudgingRule(
                delta: 0.005, claimsBeyondDelta: false, changeTail: tail, equivalenceTail: tail, leastSets: 4)
            for _ in 0..<250 {
                let changes = (0..<(4 + Int(random.next(below: 15)))).map { _ in 0.1 * (random.nextUnit() - 0.5) }
                let judgement = Judgement(changes.map { Contrast(change: $0) }, rule)
                #expect(abs(try #require(judgement.change).value - Self.trimmed(changes).mean) < 1e-12)
                try expectInterval(judgement.change?.interval, of: changes, tail: tail)
            }
        }
        // 1 % in all for both sides, of which times have 0.7.
        #expect(abs(JudgingRule.comparison(delta: 0.005, comparisons: 5).changeTail - 0.01 * 0.7 / 2 / 5) < 1e-15)
    }

    @Test("the controls of the gate have intervals of 95 %, and a change the gate's own") func judged() throws {
        var random = Xoshiro256(seed: 92)
        for _ in 0..<300 {
            let count = 8 + Int(random.next(below: 11))
            func values() -> [Double] { (0..<count).map { _ in 0.1 * (random.nextUnit() - 0.5) } }
            let (changes, sames, layouts) = (values(), values(), values())
            let contrasts = (0..<count).map { Contrast(change: changes[$0], same: sames[$0], layout: layouts[$0]) }
            let benchmarks = 1 + Int(random.next(below: 30))
            let judgement = Judgement(contrasts, .gate(delta: 0.01, plan: LookPlan(benchmarks: benchmarks)))
            try expectInterval(judgement.same?.interval, of: sames, tail: 0.025)
            try expectInterval(judgement.layout?.interval, of: layouts, tail: 0.025)
            // 5 % in all, for seven looks at each benchmark, of which times have 0.7; half of it, since the mean is
            // trimmed.
            let (mean, error, degrees) = Self.trimmed(changes)
            let tail = 0.7 * 0.05 / 7 / Double(benchmarks) / 2
            let reach = StudentT.quantile(exceededBy: tail, degrees: Double(degrees)) * error
            let interval = try #require(judgement.change?.interval)
            #expect(abs(interval.upperBound - mean - reach) < 1e-9 && abs(mean - interval.lowerBound - reach) < 1e-9)
            let ends = [judgement.same, judgement.layout].compactMap(\.self).flatMap {
                [abs($0.interval.lowerBound), abs($0.interval.upperBound)]
            }
            #expect(judgement.resolution == ends.max())
        }
    }

    @Test("a set's change is the mean of the middle half of its pairs") func set() throws {
        var random = Xoshiro256(seed: 93)
        for _ in 0..<500 {
            let pairs = (0..<(1 + random.next(below: 20))).map { _ in
                [10 + random.nextUnit(), 20 + 5 * random.nextUnit()]
            }
            let logs = pairs.map { log($0[1] / $0[0]) }.sorted()
            let middle = logs[(logs.count / 4)..<(logs.count - logs.count / 4)]
            let contrast = try #require(Contrast(pairs))
            #expect(abs(contrast.change - middle.reduce(0, +) / Double(middle.count)) < 1e-12)
        }
    }
}
