#if canImport(Glibc)
import Platform
import Testing

@Suite struct DelayedWorkTests {
    @Test("work for which the system has no thread is refused and never done, and later work is all done")
    func noThread() async {
        await #expect(processExitsWith: .success) {
            let done = Locked<[Int]>([])
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
            let usual = limit
            limit.rlim_cur = 1
            setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
            let isTaken = DelayedWork.run(after: 0) { done.withLock { $0.append(0) } }
            limit = usual
            setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
            #expect(!isTaken)
            // A slow machine may add the one when the other is due already: their order is `DueItemsTests`' concern.
            for (number, nanoseconds) in [(3, 3_000_000), (1, 0), (2, 2_000_000)] as [(Int, UInt64)] {
                #expect(DelayedWork.run(after: nanoseconds) { done.withLock { $0.append(number) } })
            }
            while done.withLock({ $0.count }) < 3 { sched_yield() }
            #expect(done.withLock { $0 }.sorted() == [1, 2, 3])
        }
    }

    @Test("its thread takes no signal of the application's, but those it causes itself, and a profiler's")
    func signals() {
        let blocked = Locked<[Int32: Bool]?>(nil)
        let isRunning = DelayedWork.run(after: 0) {
            var mask = sigset_t()
            pthread_sigmask(SIG_BLOCK, nil, &mask)
            var found: [Int32: Bool] = [:]
            for signal in 1..<32 as Range<Int32> where signal != SIGKILL && signal != SIGSTOP {
                found[signal] = sigismember(&mask, signal) == 1
            }
            blocked.withLock { [found] in $0 = found }
        }
        guard isRunning else { return }
        while blocked.withLock({ $0 == nil }) { sched_yield() }
        let open = blocked.withLock { $0 ?? [:] }.filter { !$0.value }.keys
        #expect(Set(open) == [SIGBUS, SIGSEGV, SIGILL, SIGTRAP, SIGFPE, SIGSYS, SIGPROF])
    }
}
#endif
