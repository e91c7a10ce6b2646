import Foundation
import Testing

@testable import GaugeMeasurement

@Suite("Verdict of a comparison") struct SimulatedComparisonTests {
    @Test(
        "each verdict is given where its interval lies",
        arguments: [
            (-0.001...0.001, .equivalent), (0.001...0.004, .equivalent), (-0.004...(-0.001), .equivalent),
            (0.001...0.009, .worse), (0.02...0.03, .worse), (-0.009...(-0.001), .better), (-3...(-2), .better),
            (-0.001...0.009, .inconclusive), (0...0.02, .inconclusive), (-0.02...0, .inconclusive),
            (-0.009...0.001, .inconclusive), (-1...1, .inconclusive),
        ] as [(ClosedRange<Double>, Verdict)])
    func kinds(interval: ClosedRange<Double>, kind: Verdict) {
        #expect(JudgingRule.verdict(of: interval, delta: 0.005) == kind)
    }

    @Test("delta is a part of the time, and the interval is one of logarithms") func delta() {
        #expect(JudgingRule.verdict(of: -0.05...0.095, delta: 0.1) == .equivalent)
        #expect(JudgingRule.verdict(of: -0.05...0.096, delta: 0.1) == .inconclusive)
    }

    @Test("too few sets of processes give no verdict") func fewSets() {
        let rule = JudgingRule.comparison(delta: 0.005)
        let few = Judgement(Array(repeating: Contrast(change: 0.7), count: 3), rule)
        #expect(few.verdict == .inconclusive && few.change == nil && few.doubt == .fewSets)
        #expect(Judgement(Array(repeating: Contrast(change: 0.7), count: 4), rule).verdict == .worse)
    }

    @Test("more comparisons make each interval wider") func comparisons() throws {
        var machine = PairedMachine(seed: 1)
        let sets = (0..<12).compactMap { _ in machine.set(pairs: 15) }
        func width(_ comparisons: Int) throws -> Double {
            let judgement = Judgement(sets, .comparison(delta: 0.005, comparisons: comparisons))
            let interval = try #require(judgement.change?.interval)
            return interval.upperBound - interval.lowerBound
        }
        #expect(try width(20) > width(1) * 1.2)
    }

    /// Sets and pairs as one and ten seconds allow.
    private static let short = (sets: 12, pairs: 15)
    private static let long = (sets: 36, pairs: 60)

    @Test(
        "on a machine with two speeds, equal sides are called different in at most 2 of 100 tries",
        arguments: [short, long])
    func equal(size: (sets: Int, pairs: Int)) {
        var machine = PairedMachine(seed: 2)
        let verdicts = (0..<100).map { _ in machine.verdict(sets: size.sets, pairs: size.pairs) }
        #expect(verdicts.count { $0 == .worse || $0 == .better } <= 2)
    }

    @Test(
        "2 % are called within a second, and 1 % within ten, in at least 9 of 10 tries",
        arguments: [(0.02, short), (-0.02, short), (0.01, long), (-0.01, long)])
    func planted(effect: Double, size: (sets: Int, pairs: Int)) {
        var machine = PairedMachine(seed: 3)
        machine.effect = effect
        let verdicts = (0..<40).map { _ in machine.verdict(sets: size.sets, pairs: size.pairs) }
        #expect(verdicts.count { $0 == (effect > 0 ? .worse : .better) } >= 36)
    }

    @Test("a loud machine gives no wrong verdict") func loud() {
        var machine = PairedMachine(seed: 4)
        (machine.process, machine.slice, machine.change) = (0.05, 0.2, 0.4)
        let verdicts = (0..<100).map { _ in machine.verdict(sets: 12, pairs: 15) }
        #expect(verdicts.count { $0 != .inconclusive } <= 2)
    }
}
