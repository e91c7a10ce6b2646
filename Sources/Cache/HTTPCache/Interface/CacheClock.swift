import Platform

/// The clock by which a cache judges ages.
public protocol CacheClock: Sendable {
    /// The current time.
    var now: CacheTime { get }
    /// Seconds on a clock that is never set back, for time-outs. Only differences mean something.
    var uptime: Double { get }
    /// Suspends the task for that many seconds of `uptime`.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    func sleep(seconds: Double) async throws
}

extension CacheClock {
    /// The seconds of the operating system's monotonic clock.
    public var uptime: Double { Double(monotonicNanoseconds()) / 1e9 }

    /// Sleeps on that clock; for 31 years if `seconds` is not a number.
    public func sleep(seconds: Double) async throws {
        try await Task.sleep(for: .seconds(seconds < 1e9 ? max(seconds, 0) : 1e9))
    }
}

/// A moment, in microseconds since 1970.
public struct CacheTime: Hashable, Sendable {
    /// Microseconds since 1970, the unit of `StoredEntry.storedAt`.
    public let microseconds: Int64

    /// The moment that many microseconds after 1970.
    @inlinable public init(microseconds: Int64) { self.microseconds = microseconds }

    /// The moment that many seconds after 1970, clamped to 292,000 years before and after it.
    @inlinable
    public init(seconds: Int64) {
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
        microseconds = overflow ? (seconds < 0 ? .min : .max) : product
    }

    /// Seconds since 1970, the unit of freshness, rounded down.
    @inlinable
    public var seconds: Int64 {
        // For a moment before 1970 the division would round up.
        microseconds / 1_000_000 - (microseconds % 1_000_000 < 0 ? 1 : 0)
    }
}

/// The clock of the operating system.
public struct SystemClock: CacheClock {
    /// The operating system's clock.
    public init() {}

    /// About 20 ns.
    public var now: CacheTime { CacheTime(microseconds: wallClockMicroseconds()) }
}
