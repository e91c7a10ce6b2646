import Testing

@testable import GaugeVerdicts

@Suite("Timing of pairs")
struct PairedTimingTests {
    @Test("a round is begun that ends in time if it is as long as the longest, and any that a verdict needs")
    func rounds() {
        let enough = PairedVerdict.leastSets
        for (sets, spent, longest, goesOn) in [
            (0, 0.0, 0.0, true), (enough - 1, 100, 50, true), (enough, 5, 4.9, true), (enough, 5, 5, false),
            (enough, 9.9, 0.2, false), (enough, 9.9, 0.05, true), (1_000, 1, 1, true), (1_000, 10, 0, false),
        ] {
            #expect(
                PairedTiming.goesOn(sets: sets, spent: spent, longest: longest, of: 10) == goesOn,
                "\(sets) sets, \(spent) s, longest \(longest) s")
        }
    }
}
