import CSupport

/// How a thread waits for another one: it spins for 200 of the processor's pauses, which take one to fifteen
/// microseconds, then yields the processor, then sleeps for 100 µs at a time, so that a thread of lower priority gets to
/// run.
public struct SpinBackoff {
    private var rounds = 0

    /// The thread has not waited yet.
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
