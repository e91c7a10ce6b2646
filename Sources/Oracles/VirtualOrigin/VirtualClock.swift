import HTTPCache
import Platform

/// A clock that stands still until it is told to go on.
///
/// `@unchecked Sendable`: the time is touched under the lock alone.
public final class VirtualClock: CacheClock, @unchecked Sendable {
    private let lock = Lock()
    private var seconds: Int64

    /// A clock at that many seconds after 1970.
    public init(seconds: Int64) { self.seconds = seconds }

    /// Seconds since 1970.
    public var now: CacheTime { CacheTime(seconds: lock.withLock { seconds }) }

    /// Lets that many seconds go by; a negative number sets the clock back.
    public func advance(by step: Int64) {
        lock.withLock { seconds = seconds.addingReportingOverflow(step).partialValue }
    }
}
