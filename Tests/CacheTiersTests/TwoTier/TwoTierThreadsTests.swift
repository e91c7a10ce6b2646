import DiskSimulation
import Platform
import Testing

/// The order of the two tiers under threads, and the checker that judges it.
@Suite struct TwoTierThreadsTests {
    @Test("Whatever the schedule, one order of the calls explains every answer") func linearizable() {
        let rounds = getenv("TWO_TIER_ROUNDS").flatMap { Int(String(cString: $0)) } ?? 3_000
        for seed in 0..<rounds {
            let input = DiskTrialTests.program(seed, count: 72)
            let broken = input.withUnsafeBytes { TwoTierThreads.run($0) }
            #expect(broken == nil, "seed \(seed): \(input)")
            if broken != nil { return }
        }
    }

    @Test("A schedule replays: the same input gives the same answers") func replay() {
        let input = DiskTrialTests.program(7, count: 72)
        let histories = (0..<20).map { _ in input.withUnsafeBytes { TwoTierThreads.history($0) } }
        #expect(Set(histories.map { "\($0)" }).count == 1)
    }

    @Test("The checker accepts what some order explains") func accepted() {
        // Two stores at once: a lookup beside them may see the old version or either.
        for found in [nil, 1, 2] {
            let history = CacheHistory(
                start: [nil],
                calls: [
                    .init(.store(key: 0, version: 1), called: 0, returned: 9),
                    .init(.store(key: 0, version: 2), called: 1, returned: 8),
                    .init(.lookup(key: 0, found: found), called: 2, returned: 3),
                ])
            #expect(history.isLinearizable)
        }
    }

    @Test("The checker rejects an older version after a store, a removed one, and going back while a store runs")
    func rejected() {
        let store = CacheHistory.Call(.store(key: 0, version: 1), called: 0, returned: 1)
        let histories: [[CacheHistory.Call]] = [
            [store, .init(.lookup(key: 0, found: 0), called: 2, returned: 3)],
            [store, .init(.lookup(key: 0, found: nil), called: 2, returned: 3)],
            [.init(.remove(key: 0), called: 0, returned: 1), .init(.lookup(key: 0, found: 0), called: 2, returned: 3)],
            [
                .init(.store(key: 0, version: 1), called: 0, returned: 9),
                .init(.lookup(key: 0, found: 1), called: 1, returned: 2),
                .init(.lookup(key: 0, found: 0), called: 3, returned: 4),
            ],
            [
                store, .init(.removeAbove(version: 0), called: 2, returned: 3),
                .init(.lookup(key: 0, found: 1), called: 4, returned: 5),
            ],
        ]
        for calls in histories { #expect(!CacheHistory(start: [0], calls: calls).isLinearizable) }
    }
}
