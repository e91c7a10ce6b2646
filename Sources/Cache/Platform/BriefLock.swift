// Invariant of the pointers: `word` points to one initialised `BriefLockWord` from `init` to `deinit`.

import CSupport
import Synchronization

/// A lock of one word beside the data it guards, for critical sections that nearly always take less than a microsecond.
///
/// Locking is one compare-and-exchange, unlocking a plain store: 3 ns together, where `Lock` needs 10. Waiting threads
/// use `SpinBackoff`, so an interrupted holder of lower priority gets to run. Not fair, not recursive.
@frozen
public struct BriefLockWord: ~Copyable {
    @usableFromInline let isHeld = Atomic<Bool>(false)

    @inlinable
    package init() {}

    /// Waits until the lock is free, and takes it.
    @inlinable
    @inline(__always)
    public borrowing func lock() {
        if !tryLock() { wait() }
    }

    /// Takes the lock if it is free.
    ///
    /// - Returns: whether the caller now holds it.
    @inlinable
    @inline(__always)
    public borrowing func tryLock() -> Bool {
        isHeld.compareExchange(
            expected: false, desired: true, successOrdering: .acquiring, failureOrdering: .relaxed
        ).exchanged
    }

    /// Gives the lock back.
    @inlinable
    @inline(__always)
    public borrowing func unlock() { isHeld.store(false, ordering: .releasing) }

    /// Whether some thread holds the lock right now.
    @inlinable
    @inline(__always)
    public var isLocked: Bool { isHeld.load(ordering: .relaxed) }

    @usableFromInline
    @inline(never)
    borrowing func wait() {
        var backoff = SpinBackoff()
        // Only reads until the lock looks free: a failed exchange would take the cache line away from the holder.
        while isLocked || !tryLock() { backoff.wait() }
    }
}

/// A `BriefLockWord` alone on its cache lines.
///
/// `@unchecked Sendable`: the only stored property is the address of a lock, which is made to be shared. It is written
/// only in `init` and `deinit`, when no other thread can hold the value.
public struct BriefLock: ~Copyable, @unchecked Sendable {
    @usableFromInline let word: UnsafeMutablePointer<BriefLockWord>

    /// Makes an unlocked lock.
    public init() {
        word = .allocateAlone()
        word.initialize(to: BriefLockWord())
    }

    deinit {
        word.deinitialize(count: 1)
        word.deallocateAlone()
    }

    /// Waits until the lock is free, and takes it.
    @inlinable
    @inline(__always)
    public borrowing func lock() { word.pointee.lock() }

    /// Takes the lock if it is free.
    ///
    /// - Returns: whether the caller now holds it.
    @inlinable
    @inline(__always)
    public borrowing func tryLock() -> Bool { word.pointee.tryLock() }

    /// Gives the lock back.
    @inlinable
    @inline(__always)
    public borrowing func unlock() { word.pointee.unlock() }

    /// Runs `body` while holding the lock.
    @inlinable
    public borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        lock()
        defer { unlock() }
        return try body()
    }
}

/// Waits for another thread, longer each time: 200 pauses of the processor (1 to 15 µs together), then 20 yields, then
/// naps of 100 µs. The naps let a thread of lower priority run.
package struct SpinBackoff {
    enum Step {
        case pause, yield, nap
    }

    private var rounds = 0

    package init() {}

    package mutating func wait() {
        switch next() {
        case .pause: cs_spin_pause(1)
        case .yield: sched_yield()
        case .nap:
            var nap = timespec(tv_sec: 0, tv_nsec: 100_000)
            nanosleep(&nap, nil)
        }
    }

    mutating func next() -> Step {
        rounds += 1
        return rounds <= 200 ? .pause : rounds <= 220 ? .yield : .nap
    }
}
