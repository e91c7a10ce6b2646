import CSupport

/// Waits for another thread, longer each time: 200 pauses of the processor (1 to 15 µs together), then 20 yields, then
/// naps of 100 µs, so that a thread of lower priority gets to run.
package struct SpinBackoff {
    /// One way of waiting.
    enum Step {
        case pause, yield, nap
    }

    private var rounds = 0

    /// A wait that has not begun.
    package init() {}

    /// Waits a little; longer each time.
    package mutating func wait() {
        switch next() {
        case .pause: cs_spin_pause(1)
        case .yield: sched_yield()
        case .nap:
            var nap = timespec(tv_sec: 0, tv_nsec: 100_000)
            nanosleep(&nap, nil)
        }
    }

    /// How to wait this time.
    mutating func next() -> Step {
        rounds += 1
        return rounds <= 200 ? .pause : rounds <= 220 ? .yield : .nap
    }
}
