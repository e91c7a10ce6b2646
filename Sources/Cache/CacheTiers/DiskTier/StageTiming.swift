import Platform

/// When records may wait in memory to be written with those after them, and for how long.
///
/// An application that stores rarely gains nothing by waiting, and would lose the waiting record if it is killed. So a
/// record waits only if another was stored shortly before, and only for a moment.
package struct StageTiming: Sendable {
    /// A clock that goes forward, nanoseconds; steps of some milliseconds will do.
    let now: @Sendable () -> UInt64
    /// Runs a closure on another thread after a number of nanoseconds; `false` if no thread can be had for it.
    let later: @Sendable (_ nanoseconds: UInt64, _ body: @escaping @Sendable () -> Void) -> Bool

    /// Stores are a burst when they are not further apart than this.
    static let burst: UInt64 = 10_000_000
    /// Waiting records are written after this time at the latest.
    static let writeDelay: UInt64 = 20_000_000

    /// Between two parts of a search that holds the lock: one that waits for the lock is given it.
    static let sweepPause: UInt64 = 1_000_000

    package init(
        now: @escaping @Sendable () -> UInt64,
        later: @escaping @Sendable (_ nanoseconds: UInt64, _ body: @escaping @Sendable () -> Void) -> Bool
    ) {
        self.now = now
        self.later = later
    }

    /// The system's clock and threads.
    package static let system = StageTiming(now: coarseMonotonicNanoseconds, later: DelayedWork.run)
}
