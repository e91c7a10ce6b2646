import Platform

/// When records may wait in memory to be written with those after them, and for how long.
///
/// An application that stores now and then gains nothing by waiting and would lose what waits when it is killed: so a
/// record waits only if another was stored shortly before, and only for a moment.
package struct StageTiming: Sendable {
    /// A clock that goes forward, nanoseconds; steps of some milliseconds will do.
    let now: @Sendable () -> UInt64
    /// Has something done on another thread after a number of nanoseconds.
    let later: @Sendable (_ nanoseconds: UInt64, _ body: @escaping @Sendable () -> Void) -> Void

    /// Stores are a burst when they are not further apart than this.
    static let burst: UInt64 = 10_000_000
    /// What waits is written after this time, whatever happens.
    static let patience: UInt64 = 20_000_000

    package init(
        now: @escaping @Sendable () -> UInt64,
        later: @escaping @Sendable (_ nanoseconds: UInt64, _ body: @escaping @Sendable () -> Void) -> Void
    ) {
        self.now = now
        self.later = later
    }

    /// The system's clock and threads.
    package static let system = StageTiming(now: coarseMonotonicNanoseconds, later: runLater)
}
