import Testing

@testable import GaugeKit

@Suite("Time of a search") struct SearchTimeTests {
    /// Whether a search of 2 s is over after these seconds, in some of which it waited for a processor.
    private func isOver(after seconds: Double, waiting: Double) -> Bool {
        var times = (now: UInt64(5_000_000_000), waited: UInt64(700_000_000))
        let time = SearchTime(seconds: 2, now: { times.now }, waited: { times.waited })
        times.now += UInt64(seconds * 1e9)
        times.waited += UInt64(waiting * 1e9)
        return time.isOver
    }

    @Test(
        "waiting for a processor does not count, but four times the seconds are the most",
        arguments: [
            (1.999, 0, false), (2, 0, true), (3, 1.5, false), (3.5, 1.5, true), (7.999, 7, false), (8, 7, true),
            (1, 1, false),
        ] as [(Double, Double, Bool)])
    func over(seconds: Double, waiting: Double, expected: Bool) {
        #expect(isOver(after: seconds, waiting: waiting) == expected)
    }

    @Test(
        "the wait is the second number of schedstat, and 0 where there is no such file",
        arguments: [("12 3179871 1\n", 3_179_871), ("", 0), ("12 34\n", 0), ("12 x 1", 0), ("1 2 3 4", 0)]
            as [(String, UInt64)])
    func schedstat(text: String, expected: UInt64) {
        #expect(SearchTime.waited(schedstat: text) == expected)
    }

    @Test("a thread is as slow as by itself, or slower") func slowness() { #expect(SearchTime.slowness() >= 1) }

    @Test("the wait of a thread never falls") func waited() {
        let first = SearchTime.waited()
        #expect(SearchTime.waited() >= first)
    }
}
