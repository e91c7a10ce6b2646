import Platform

/// The time of day, as far as a cache needs it.
public protocol CacheClock: Sendable {
    /// Now.
    var now: CacheTime { get }
}

/// A moment, in microseconds since 1970.
public struct CacheTime: Hashable, Sendable {
    /// The unit of `StoredEntry.storedAt`.
    public let microseconds: Int64

    /// A moment.
    @inlinable public init(microseconds: Int64) { self.microseconds = microseconds }

    /// A moment on the full second; stops at what 64 bits of microseconds hold, 292,000 years from 1970.
    @inlinable
    public init(seconds: Int64) {
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
        microseconds = overflow ? (seconds < 0 ? .min : .max) : product
    }

    /// The unit that freshness is computed in, rounded down.
    @inlinable
    public var seconds: Int64 {
        // Of a moment before 1970 the division would round up.
        microseconds / 1_000_000 - (microseconds % 1_000_000 < 0 ? 1 : 0)
    }
}

/// The clock of the operating system.
public struct SystemClock: CacheClock {
    /// The one clock there is.
    public init() {}

    /// About 20 ns.
    public var now: CacheTime { CacheTime(microseconds: wallClockMicroseconds()) }
}
