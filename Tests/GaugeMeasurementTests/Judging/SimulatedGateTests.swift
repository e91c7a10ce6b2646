import TestSupport
import Testing

@testable import GaugeSupport
@testable import GaugeMeasurement

/// The gate on simulated machines with known effects: how often it is wrong, and how often it detects an effect.
@Suite("Gate on times, simulated") struct SimulatedGateTests {
    private static let gates = nightly(300, else: 150)

    @Test("a build that is no slower is hardly ever accused", arguments: nightly([1, 2, 3], else: [1]) as [UInt64])
    func clean(seed: UInt64) {
        var machine = SimulatedMachine(seed: seed)
        let verdicts = machine.verdicts(Self.gates)
        let accused = verdicts[.worse] ?? 0
        #expect(
            BinomialInterval.upperBound(accused, of: Self.gates) < nightly(0.01, else: 0.02),
            "seed \(seed): \(verdicts)")
        #expect(verdicts[.equivalent] ?? 0 > Self.gates * 3 / 4, "seed \(seed): \(verdicts)")
    }

    @Test(
        "a machine that others use makes for doubt, and not for accusations",
        arguments: nightly([4, 5], else: [4]) as [UInt64])
    func loud(seed: UInt64) {
        var machine = SimulatedMachine.loud(seed: seed)
        let verdicts = machine.verdicts(Self.gates, most: 18)
        #expect(
            BinomialInterval.upperBound(verdicts[.worse] ?? 0, of: Self.gates) < nightly(0.01, else: 0.02),
            "seed \(seed)")
        #expect(verdicts[.inconclusive] ?? 0 > Self.gates * 9 / 10, "seed \(seed): \(verdicts)")
    }

    @Test("three per cent more are caught four times in five, and five per cent nineteen times in twenty")
    func power() {
        for (effect, least) in [(0.03, 0.8), (0.05, 0.95), (0.1, 0.95)] {
            var machine = SimulatedMachine(seed: 6)
            machine.effect = effect
            let verdicts = machine.verdicts(Self.gates)
            #expect(Double(verdicts[.worse] ?? 0) >= least * Double(Self.gates), "\(effect), seed 6: \(verdicts)")
        }
    }

    @Test(
        "a change of exactly delta is accused no more often than the allowed error",
        arguments: nightly([7, 8], else: [7]) as [UInt64])
    func level(seed: UInt64) {
        var machine = SimulatedMachine(seed: seed)
        machine.effect = TimeDecision.defaultDelta
        // Without odd processes, which could be accused rightly or wrongly.
        machine.odd = .infinity
        let gates = nightly(1_000, else: 400)
        let verdicts = machine.verdicts(gates)
        // 0.05 / 8 of 1,000 are 6; the probability of more than 14 is 1 in 400, and of more than 8 of 400 less.
        #expect(verdicts[.worse] ?? 0 <= nightly(14, else: 8), "seed \(seed): \(verdicts)")
        // 0.05 of 1,000 are 50; the probability of more than 70 is 1 in 500, and of more than 35 of 400 less.
        #expect(verdicts[.equivalent] ?? 0 <= nightly(70, else: 35), "seed \(seed): \(verdicts)")
    }

    @Test("a row that padding alone moves is not accused of less than that") func layout() {
        var machine = SimulatedMachine(seed: 9)
        (machine.layout, machine.effect) = (0.04, 0.03)
        for _ in 0..<50 {
            let judgement = machine.judge()
            #expect(judgement.verdict == .inconclusive, "seed 9")
            #expect(judgement.doubt == .layout || judgement.doubt == .noise, "seed 9")
        }
    }

    @Test("a build that is faster by more than delta has improved") func improved() {
        var machine = SimulatedMachine(seed: 10)
        machine.effect = -0.05
        let verdicts = machine.verdicts(100)
        #expect(verdicts[.better] ?? 0 >= 90, "seed 10: \(verdicts)")
    }
}
