import Dispatch
import ForkedChildren
import Platform
import Testing

@Suite struct ForkingTests {
    /// Runs `body` in a forked child. Returns 0 if it returned `true` there.
    private static func inChild(_ body: () -> Bool) -> Int32 { ForkedChild.run { body() ? 0 : 1 } }

    @Test("A lock that another thread holds nearly always is free in a child, and its value whole")
    func valueIsWholeInChild() async {
        await #expect(processExitsWith: .success) {
            let pair = ForkSafe((0, 0))
            let isDone = ForkSafe(false)
            let finished = ForkSafe(false)
            Thread.start {
                while !isDone.withLock({ $0 }) {
                    pair.withLock {
                        $0.0 += 1
                        for _ in 0..<200 { sched_yield() }
                        $0.1 += 1
                    }
                }
                finished.withLock { $0 = true }
            }
            while pair.withLock({ $0.0 }) < 3 {}
            for _ in 0..<8 { #expect(ForkingTests.inChild { pair.withLock { $0.0 == $0.1 } } == 0) }
            isDone.withLock { $0 = true }
            while !finished.withLock({ $0 }) { sched_yield() }
        }
    }

    @Test("A lock that may be held for long keeps no fork waiting, and is free in the child") func heldForLong() async {
        await #expect(processExitsWith: .success) {
            let lock = LockFreeInChild()
            let (isHeld, mayEnd, hasEnded) = (ForkSafe(false), ForkSafe(false), ForkSafe(false))
            Thread.start {
                lock.withLock {
                    isHeld.withLock { $0 = true }
                    while !mayEnd.withLock({ $0 }) { sched_yield() }
                }
                hasEnded.withLock { $0 = true }
            }
            while !isHeld.withLock({ $0 }) { sched_yield() }
            #expect(ForkingTests.inChild { lock.withLock { true } } == 0)
            mayEnd.withLock { $0 = true }
            while !hasEnded.withLock({ $0 }) { sched_yield() }
            #expect(lock.withLock { true })
        }
    }

    @Test("A fork does not reach values that are gone") func goneValues() async {
        await #expect(processExitsWith: .success) {
            for number in 0..<64 { ForkSafe(number).withLock { $0 += 1 } }
            // Their memory is given to others, which fill it.
            let others = (0..<4_096).compactMap { _ in malloc(32).map { memset($0, 0xFF, 32) } }
            #expect(ForkingTests.inChild { true } == 0)
            for other in others { free(other) }
        }
    }

    @Test("The generation is another in a child, and a child's child") func generation() async {
        await #expect(processExitsWith: .success) {
            let own = currentForkGeneration()
            let status = ForkingTests.inChild {
                let child = currentForkGeneration()
                return child != own && ForkingTests.inChild { currentForkGeneration() != child } == 0
            }
            #expect(status == 0)
            #expect(currentForkGeneration() == own)
        }
    }

    @Test("Delayed work runs in the order in which it is due, in a child too, and the parent's does not run there")
    func delayedWork() async {
        await #expect(processExitsWith: .success) {
            let order = ForkSafe<[Int]>([])
            func wait(for expected: [Int]) -> Bool {
                while order.withLock({ $0.count < expected.count }) { sched_yield() }
                return order.withLock { $0 == expected }
            }
            // On a busy machine the second call may come so late that its work is not the first one to be due.
            var isEarlier = false
            while !isEarlier {
                order.withLock { $0 = [] }
                let due = monotonicNanoseconds() + 30_000_000
                #expect(DelayedWork.run(after: 30_000_000) { order.withLock { $0.append(2) } })
                #expect(DelayedWork.run(after: 1_000_000) { order.withLock { $0.append(1) } })
                isEarlier = monotonicNanoseconds() + 1_000_000 < due
                let isInOrder = wait(for: [1, 2])
                #expect(isInOrder || !isEarlier)
            }
            #expect(DelayedWork.run(after: 1_000_000_000_000) { order.withLock { $0.append(3) } })
            let status = ForkingTests.inChild {
                order.withLock { $0 = [] }
                return DelayedWork.run(after: 0) { order.withLock { $0.append(4) } } && wait(for: [4])
            }
            #expect(status == 0)
        }
    }

    @Test("The thread of delayed work gets no signals, and the one that starts it gets the same as before")
    func signalsOfWork() async {
        await #expect(processExitsWith: .success) {
            @Sendable func blocks() -> [Bool] {
                var mask = sigset_t()
                pthread_sigmask(SIG_BLOCK, nil, &mask)
                return [SIGTERM, SIGUSR1, SIGXFSZ].map { sigismember(&mask, $0) == 1 }
            }
            var one = sigset_t()
            sigemptyset(&one)
            sigaddset(&one, SIGUSR1)
            pthread_sigmask(SIG_SETMASK, &one, nil)
            let seen = ForkSafe<[Bool]?>(nil)
            Thread.start { seen.withLock { $0 = blocks() } }
            #expect(blocks() == [false, true, false])
            while seen.withLock({ $0 == nil }) { sched_yield() }
            #expect(seen.withLock { $0 } == [true, true, true])
        }
    }

    @Test("A child does not run work of its parent that was due before the fork, and the parent does")
    func workOfParent() async {
        await #expect(processExitsWith: .success) {
            let order = ForkSafe<[Int]>([])
            let isBusy = ForkSafe(false)
            let mayGoOn = ForkSafe(false)
            Thread.start {
                isBusy.withLock { $0 = true }
                while !mayGoOn.withLock({ $0 }) { sched_yield() }
            }
            while !isBusy.withLock({ $0 }) { sched_yield() }
            // It has to wait for the work above, and is still waiting at the fork.
            Thread.start { order.withLock { $0.append(1) } }
            let status = ForkingTests.inChild {
                Thread.start { order.withLock { $0.append(2) } }
                while !order.withLock({ $0.contains(2) }) { sched_yield() }
                return order.withLock { $0 == [2] }
            }
            #expect(status == 0)
            mayGoOn.withLock { $0 = true }
            while order.withLock({ $0.isEmpty }) { sched_yield() }
            #expect(order.withLock { $0 } == [1])
        }
    }

    @Test("The thread of delayed work waits without using the processor") func idleWait() async {
        await #expect(processExitsWith: .success) {
            let before = processCPUNanoseconds()
            let ended = DispatchSemaphore(value: 0)
            let isTaken = DelayedWork.run(after: 150_000_000) { ended.signal() }
            #expect(isTaken)
            ended.wait()
            #expect(processCPUNanoseconds() - before < 75_000_000)
        }
    }

    @Test("Work that is due at once does not wait for work that is due later") func earlierWork() async {
        await #expect(processExitsWith: .success) {
            alarm(120)
            let count = ForkSafe(0)
            // Outside of #expect, where the compiler would give this closure the name of the one below.
            let isTaken = DelayedWork.run(after: 1_000_000_000_000) {}
            #expect(isTaken)
            for done in 1...50 {
                Thread.start { count.withLock { $0 += 1 } }
                while count.withLock({ $0 < done }) { sched_yield() }
            }
        }
    }
}

private enum Thread {
    static func start(_ body: @escaping @Sendable () -> Void) { #expect(DelayedWork.run(after: 0, body)) }
}
