import Platform

/// The time of a trial. Tests bring their own, on which nobody waits.
struct TrialClock: Sendable {
    /// Seconds since 1970.
    let now: @Sendable () -> Double
    /// Lets time go by: longer than the step of any clock by which entries are dated.
    let pause: @Sendable () -> Void

    static var system: TrialClock {
        TrialClock(
            now: {
                var time = timespec()
                clock_gettime(CLOCK_REALTIME, &time)
                return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
            },
            pause: { usleep(30_000) })
    }
}
