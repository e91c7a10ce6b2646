import Platform

/// Divides the time of a run among its cases. Each subject gets the same part of the remaining time, so that a case
/// that overruns shortens all later ones a little.
package struct RunBudget {
    private let end: UInt64
    private var subjectsLeft: Int

    /// The most time for one subject, nanoseconds. More would hardly improve its figures, and later caches need time to
    /// fill.
    package static let longestShare = 450_000_000.0
    /// The least time for one subject, nanoseconds. With too many benchmarks the run overruns its time.
    package static let shortestShare = 60_000_000.0

    package init(seconds: Double, cases: [BenchmarkCase], now: UInt64 = monotonicNanoseconds()) {
        end = now + UInt64(seconds * 1e9)
        subjectsLeft = cases.reduce(0) { $0 + $1.benchmarks.count }
    }

    /// The time by which the next case must end, monotonic nanoseconds.
    package mutating func deadline(for next: BenchmarkCase, now: UInt64 = monotonicNanoseconds()) -> UInt64 {
        let left = Double(end > now ? end - now : 0)
        let share = min(max(left / Double(max(1, subjectsLeft)), Self.shortestShare), Self.longestShare)
        subjectsLeft -= next.benchmarks.count
        return now + UInt64(share * Double(next.benchmarks.count))
    }

    /// The time-out for preparing the peers of the next case, seconds: half of the remaining time, so that the slowest
    /// to fill cannot use all of it; 0 when no time remains.
    package func peerTimeOut(now: UInt64 = monotonicNanoseconds()) -> Double {
        now < end ? max(Double(end - now) / 2e9, Self.leastTimeOut) : 0
    }

    /// The shortest time-out for a peer, seconds, which applies at the end of a run.
    package static let leastTimeOut = 2.0
}
