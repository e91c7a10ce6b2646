import CSupport

/// How long somebody has waited for another thread, and so how to go on waiting: spins for 200 of the processor's pauses,
/// which are one to fifteen microseconds, then gives the processor away, then sleeps for 100 µs at a time, so that a
/// thread of lower priority gets to run.
public struct Patience {
    private var rounds = 0

    /// Nobody has waited yet.
    public init() {}

    /// Waits a little; longer each time.
    public mutating func wait() {
        rounds += 1
        if rounds < 200 {
            cs_spin_pause()
        } else if rounds < 220 {
            sched_yield()
        } else {
            var nap = timespec(tv_sec: 0, tv_nsec: 100_000)
            nanosleep(&nap, nil)
        }
    }
}
