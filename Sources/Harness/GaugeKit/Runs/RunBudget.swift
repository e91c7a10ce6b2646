import Platform

/// Shares the time of a run among its cases: each subject gets the same part of what is left, so that a case that takes
/// longer than its part shortens all that follow a little.
struct RunBudget {
    private let end: UInt64
    private var subjectsLeft: Int

    /// More time for one subject would not make its figures much better, and is missing where a cache has to be filled.
    static let longestShare = 450_000_000.0
    /// Below that there would be nothing to measure: too many benchmarks for the time run over it.
    static let shortestShare = 60_000_000.0

    init(seconds: Double, cases: [BenchmarkCase], now: UInt64 = monotonicNanoseconds()) {
        end = now + UInt64(seconds * 1e9)
        subjectsLeft = cases.reduce(0) { $0 + $1.benchmarks.count }
    }

    /// When the next case has to have ended.
    mutating func deadline(for next: BenchmarkCase, now: UInt64 = monotonicNanoseconds()) -> UInt64 {
        let left = Double(end > now ? end - now : 0)
        let share = min(max(left / Double(max(1, subjectsLeft)), Self.shortestShare), Self.longestShare)
        subjectsLeft -= next.benchmarks.count
        return now + UInt64(share * Double(next.benchmarks.count))
    }

    /// Seconds in which the peers of the next case have to get ready: half of what is left, so that the slowest to
    /// fill cannot take it all; 0 when the time is over.
    func peerPatience(now: UInt64 = monotonicNanoseconds()) -> Double {
        now < end ? max(Double(end - now) / 2e9, Self.leastPatience) : 0
    }

    /// As long as a peer may be waited for at the very end.
    static let leastPatience = 2.0
}
