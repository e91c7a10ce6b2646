import Platform

/// The clock of a trial. Tests pass one that doesn't wait.
package struct TrialClock: Sendable {
    /// Seconds since 1970.
    package let now: @Sendable () -> Double
    /// Waits for longer than the resolution of any clock that dates entries.
    package let pause: @Sendable () -> Void
    /// Waits for some seconds.
    package var wait: @Sendable (Double) -> Void = { _ in }

    package static var system: TrialClock {
        TrialClock(
            now: {
                var time = timespec()
                clock_gettime(CLOCK_REALTIME, &time)
                return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
            },
            pause: { usleep(30_000) }, wait: { usleep(UInt32($0 * 1e6)) })
    }
}
