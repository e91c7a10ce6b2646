// Invariant of the pointers: `word` points to one initialised `Atomic` from `init` to `deinit`.

import CSupport
import Synchronization

/// A lock for critical sections that are nearly always shorter than a microsecond: one word, alone on its cache lines.
///
/// Locking is one compare-and-exchange, unlocking a plain store; together 3 ns where `Lock` needs 10. A thread waits by
/// `SpinBackoff`, so that an interrupted holder of lower priority gets to run. Not fair, not recursive.
///
/// `@unchecked Sendable`: the only stored property is the address of an `Atomic`; it is written in `init` and `deinit`
/// alone, when no other thread can hold the value.
public struct BriefLock: ~Copyable, @unchecked Sendable {
    @usableFromInline let word: UnsafeMutablePointer<Atomic<Bool>>

    /// Makes an unlocked lock.
    public init() {
        word = .allocateAlone()
        word.initialize(to: Atomic(false))
    }

    deinit {
        word.deinitialize(count: 1)
        word.deallocateAlone()
    }

    /// Waits until the lock is free, and takes it.
    @inlinable
    @inline(__always)
    public borrowing func lock() {
        if !tryLock() { wait() }
    }

    /// Takes the lock if it is free.
    ///
    /// - Returns: `true` when the caller now holds the lock.
    @inlinable
    @inline(__always)
    public borrowing func tryLock() -> Bool {
        word.pointee.compareExchange(
            expected: false, desired: true, successOrdering: .acquiring, failureOrdering: .relaxed
        ).exchanged
    }

    /// Gives the lock back.
    @inlinable
    @inline(__always)
    public borrowing func unlock() { word.pointee.store(false, ordering: .releasing) }

    /// Runs `body` while holding the lock.
    @inlinable
    public borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        lock()
        defer { unlock() }
        return try body()
    }

    @usableFromInline
    @inline(never)
    borrowing func wait() {
        var backoff = SpinBackoff()
        // Only reads, until the lock looks free: a failed exchange would take the line from its holder.
        while word.pointee.load(ordering: .relaxed) || !tryLock() { backoff.wait() }
    }
}
