import Platform
import Testing

@Suite struct ClocksTests {
    @Test("the wall clock is in microseconds between two readings of the system's") func wallClock() {
        func microseconds() -> Int64 {
            var time = timeval()
            gettimeofday(&time, nil)
            return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_usec)
        }
        for _ in 0..<1_000 {
            let before = microseconds()
            let now = wallClockMicroseconds()
            #expect((before...microseconds()).contains(now))
        }
    }

    @Test("the monotonic clocks are in nanoseconds, and the coarse one is never ahead") func monotonic() {
        for _ in 0..<1_000 {
            var time = timespec()
            clock_gettime(CLOCK_MONOTONIC, &time)
            let before = UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
            let coarse = coarseMonotonicNanoseconds()
            let now = monotonicNanoseconds()
            #expect(before <= now && coarse <= now)
        }
    }

    @Test("a process's processor time has that of its other threads, and a thread's only its own")
    func processorTime() {
        let busy = 20_000_000 as UInt64
        let (process, thread) = (processCPUNanoseconds(), threadCPUNanoseconds())
        var other: pthread_t = .init()
        let code = pthread_create(
            &other, nil,
            { _ in
                while threadCPUNanoseconds() < 20_000_000 {}
                return nil
            }, nil)
        #expect(code == 0)
        pthread_join(other, nil)
        #expect(processCPUNanoseconds() - process >= busy)
        #expect(threadCPUNanoseconds() - thread < busy)
    }
}
