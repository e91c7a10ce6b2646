import Foundation
import Platform
import Testing

@Suite struct BriefLockTests {
    /// `@unchecked Sendable`: `count` is read and written under the lock alone, which is what the test holds it to.
    private final class Counter: @unchecked Sendable {
        let lock = BriefLock()
        var count = 0
    }

    @Test("concurrency: what three threads count under a brief lock is all counted") func nothingIsLost() {
        let counter = Counter()
        DispatchQueue.concurrentPerform(iterations: 3) { _ in
            for _ in 0..<50_000 { counter.lock.withLock { counter.count += 1 } }
        }
        #expect(counter.count == 150_000)
    }

    @Test("a brief lock that is held cannot be taken, one that was given back can, and a waiter gets it only then")
    func holding() {
        final class Shared: Sendable {
            let lock = BriefLock()
            let order = Locked<[String]>([])
            func note(_ step: String) { order.withLock { $0.append(step) } }
        }
        let shared = Shared()
        let (isTaken, isTakenTwice) = (shared.lock.tryLock(), shared.lock.tryLock())
        #expect(isTaken && !isTakenTwice)
        let ended = DispatchSemaphore(value: 0)
        let begun = DispatchSemaphore(value: 0)
        Thread {
            begun.signal()
            shared.lock.lock()
            shared.note("taken")
            shared.lock.unlock()
            ended.signal()
        }.start()
        begun.wait()
        // Long enough that the waiter looks at the lock more than once.
        for _ in 0..<1_000 { sched_yield() }
        shared.note("given back")
        shared.lock.unlock()
        ended.wait()
        #expect(shared.order.withLock { $0 } == ["given back", "taken"])
        let isFree = shared.lock.tryLock()
        #expect(isFree)
    }
}
