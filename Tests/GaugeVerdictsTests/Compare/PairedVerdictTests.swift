import Foundation
import Testing

@testable import GaugeVerdicts

@Suite("Verdict of a comparison")
struct PairedVerdictTests {
    @Test("a change of the machine's speed between pairs cancels, and one inside of a pair is left out")
    func pairs() throws {
        let speeds = (0..<20).map { Double(1 + $0 % 7) }
        let steady = speeds.map { (a: 10 * $0, b: 10.1 * $0) }
        #expect(abs(try #require(PairedSet(steady)).change - log(1.01)) < 1e-12)
        let disturbed = steady + [(a: 100, b: 10.1), (a: 10, b: 300), (a: 900, b: 10), (a: 10, b: 20)]
        #expect(abs(try #require(PairedSet(disturbed)).change - log(1.01)) < 1e-12)
    }

    @Test("slices without a time are no pairs")
    func empty() throws {
        #expect(PairedSet([]) == nil)
        #expect(PairedSet([(a: 0, b: 1), (a: 1, b: .infinity), (a: .nan, b: 1), (a: -1, b: 1)]) == nil)
        #expect(PairedSet([(a: 1, b: 2), (a: 0, b: 1)])?.pairs == 1)
    }

    @Test(
        "each verdict is given where its interval lies",
        arguments: [
            (-0.001...0.001, .equivalent), (0.001...0.004, .equivalent), (-0.004...(-0.001), .equivalent),
            (0.001...0.009, .slower), (0.02...0.03, .slower), (-0.009...(-0.001), .faster), (-3...(-2), .faster),
            (-0.001...0.009, .inconclusive), (0...0.02, .inconclusive), (-0.02...0, .inconclusive),
            (-0.009...0.001, .inconclusive), (-1...1, .inconclusive),
        ] as [(ClosedRange<Double>, PairedVerdict.Kind)])
    func kinds(interval: ClosedRange<Double>, kind: PairedVerdict.Kind) {
        #expect(PairedVerdict.kind(of: interval, delta: 0.005) == kind)
    }

    @Test("delta is a part of the time, and the interval is one of logarithms")
    func delta() {
        #expect(PairedVerdict.kind(of: -0.05...0.095, delta: 0.1) == .equivalent)
        #expect(PairedVerdict.kind(of: -0.05...0.096, delta: 0.1) == .inconclusive)
    }

    @Test("too few sets of processes give no verdict")
    func fewSets() throws {
        let set = try #require(PairedSet([(a: 1, b: 2)]))
        let few = PairedVerdict([set, set, set], delta: 0.005)
        #expect(few.kind == .inconclusive)
        #expect(few.interval == nil)
        #expect(PairedVerdict([set, set, set, set], delta: 0.005).kind == .slower)
    }

    @Test("more comparisons make each interval wider")
    func comparisons() throws {
        var machine = PairedMachine(seed: 1)
        let sets = (0..<12).compactMap { _ in machine.set(pairs: 15) }
        func width(_ comparisons: Int) throws -> Double {
            let interval = try #require(PairedVerdict(sets, delta: 0.005, comparisons: comparisons).interval)
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
        #expect(verdicts.count { $0 == .slower || $0 == .faster } <= 2)
    }

    @Test(
        "2 % are called within a second, and 1 % within ten, in at least 9 of 10 tries",
        arguments: [(0.02, short), (-0.02, short), (0.01, long), (-0.01, long)])
    func planted(effect: Double, size: (sets: Int, pairs: Int)) {
        var machine = PairedMachine(seed: 3)
        machine.effect = effect
        let verdicts = (0..<40).map { _ in machine.verdict(sets: size.sets, pairs: size.pairs) }
        #expect(verdicts.count { $0 == (effect > 0 ? .slower : .faster) } >= 36)
    }

    @Test("a loud machine gives no wrong verdict")
    func loud() {
        var machine = PairedMachine(seed: 4)
        (machine.process, machine.slice, machine.change) = (0.05, 0.2, 0.4)
        let verdicts = (0..<100).map { _ in machine.verdict(sets: 12, pairs: 15) }
        #expect(verdicts.count { $0 != .inconclusive } <= 2)
    }
}
