import CSupport

/// Waits for another thread, longer each time: 200 pauses of the processor (1 to 15 µs together), then 20 yields, then
/// naps of 100 µs, so that a thread of lower priority gets to run.
package struct SpinBackoff {
    private var rounds = 0

    /// A wait that has not begun.
    package init() {}

    /// Waits a little; longer each time.
    package mutating func wait() {
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
