/// The monotonic clock, in nanoseconds since some fixed moment. About 20 ns a call.
@inlinable
package func monotonicNanoseconds() -> UInt64 { nanoseconds(of: CLOCK_MONOTONIC) }

/// The same in steps of some milliseconds. About 6 ns a call.
package func coarseMonotonicNanoseconds() -> UInt64 {
    #if canImport(Darwin)
    clock_gettime_nsec_np(CLOCK_MONOTONIC_RAW_APPROX)
    #else
    nanoseconds(of: CLOCK_MONOTONIC_COARSE)
    #endif
}

/// Processor time the calling thread has used so far, in nanoseconds. A system call: about 200 ns.
public func threadCPUNanoseconds() -> UInt64 { nanoseconds(of: CLOCK_THREAD_CPUTIME_ID) }

/// The same for all threads of the process.
package func processCPUNanoseconds() -> UInt64 { nanoseconds(of: CLOCK_PROCESS_CPUTIME_ID) }

@inlinable
func nanoseconds(of clock: clockid_t) -> UInt64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return UInt64(truncatingIfNeeded: time.tv_sec) &* 1_000_000_000 &+ UInt64(truncatingIfNeeded: time.tv_nsec)
}

/// The time of day, in microseconds since 1970. It may jump, backwards too. About 20 ns a call.
package func wallClockMicroseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) &* 1_000_000 &+ Int64(time.tv_nsec) / 1_000
}
