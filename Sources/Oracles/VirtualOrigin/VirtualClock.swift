import HTTPCache
import Platform

/// A clock that stands still until it is advanced.
package final class VirtualClock: CacheClock {
    private let seconds: Locked<Int64>

    /// A clock at that many seconds after 1970.
    package init(seconds: Int64) { self.seconds = Locked(seconds) }

    /// The present moment.
    package var now: CacheTime { CacheTime(seconds: seconds.withLock { $0 }) }

    /// Advances the clock by that many seconds; a negative number sets it back.
    package func advance(by step: Int64) {
        seconds.withLock { $0 = $0.addingReportingOverflow(step).partialValue }
    }
}
