import Platform

/// Waits for a number of nanoseconds: asleep until the last 0.2 ms, then in a busy loop.
///
/// A sleep ends some 50 µs late, which is more than an open loop may lag behind its schedule.
@usableFromInline package func spinWait(nanoseconds: UInt64) {
    let end = monotonicNanoseconds() &+ nanoseconds
    while true {
        let now = monotonicNanoseconds()
        guard now < end else { return }
        if end - now > 200_000 { usleep(UInt32(min((end - now - 100_000) / 1_000, 500_000))) }
    }
}
