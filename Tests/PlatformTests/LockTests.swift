import Dispatch
import Platform
import Testing

@Suite struct LockTests {
    /// `@unchecked Sendable`: `count` is read and written under the lock alone, which is what the tests hold it to.
    final class Counter: @unchecked Sendable {
        let lock = Lock()
        var count = 0
    }

    @Test("concurrency: what two threads count under a lock is all counted") func nothingIsLost() {
        let counter = Counter()
        DispatchQueue.concurrentPerform(iterations: 2) { _ in
            for _ in 0..<100_000 { counter.lock.withLock { counter.count += 1 } }
        }
        #expect(counter.count == 200_000)
    }

    @Test("concurrency: one thread at a time has a lock that is held for longer than others spin") func spinning() {
        let counter = Counter()
        let inside = Locked(0)
        DispatchQueue.concurrentPerform(iterations: 2) { _ in
            for _ in 0..<10 {
                counter.lock.lockSpinning()
                inside.withLock { $0 += 1 }
                let end = monotonicNanoseconds() + 500_000
                while monotonicNanoseconds() < end {}
                counter.count += inside.withLock { $0 }
                inside.withLock { $0 -= 1 }
                counter.lock.unlock()
            }
        }
        #expect(counter.count == 20)
    }

    @Test("a lock that is held cannot be taken, and one that was given back can") func tryLock() {
        let lock = Lock()
        lock.lock()
        let whileHeld = lock.tryLock()
        lock.unlock()
        let afterwards = lock.tryLock()
        lock.unlock()
        #expect(!whileHeld && afterwards)
    }

    @Test("an error thrown under the lock gives it back") func errorsUnlock() {
        struct Failure: Error {}
        let lock = Lock()
        #expect(throws: Failure.self) { try lock.withLock { () throws(Failure) in throw Failure() } }
        let afterwards = lock.tryLock()
        lock.unlock()
        #expect(afterwards)
    }
}
