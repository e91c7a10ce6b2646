import Platform

/// Lock striping: a fixed number of locks that keys share by hash. Two operations on one key exclude each other, two on
/// different keys rarely do.
///
/// A fork does not wait for them, since they are held while the disk is written. In the child all are free: they
/// protect the order of the tiers, of which the child has only the memory tier.
///
/// Invariant of the pointer: `locks` has `count` initialised locks from `init` to `deinit`.
///
/// `@unchecked Sendable`: both stored properties are constants, a `@Sendable` closure and the address of locks, which are
/// made to be shared; what is at the address is initialised in `init` and freed in `deinit`, which no other thread can
/// be in.
package final class StripedLocks: ForkObserver, @unchecked Sendable {
    private let locks: UnsafeMutablePointer<Lock>
    private let pause: (@Sendable () -> Void)?
    // With two threads, two different keys meet on one of 64 locks once in 64 times.
    private static let count = 64

    /// Free locks.
    ///
    /// - Parameter pause: for tests, what to do between two looks at a lock that is held; `nil` waits.
    package init(pause: (@Sendable () -> Void)? = nil) {
        self.pause = pause
        locks = .allocate(capacity: Self.count)
        for index in 0..<Self.count { (locks + index).initialize(to: Lock()) }
        ForkObservers.add(self)
    }

    deinit {
        ForkObservers.remove(self)
        locks.deinitialize(count: Self.count)
        locks.deallocate()
    }

    /// Runs `body` while no other operation on a key of this hash runs.
    @inline(__always)
    package func withLock<Result>(_ hash: KeyHash, _ body: () throws -> Result) rethrows -> Result {
        let number = number(hash)
        lock(number)
        defer { locks[number].unlock() }
        return try body()
    }

    /// Runs `body`, or returns `nil` if an operation on a key of this hash runs.
    @inline(__always)
    func withLockIfFree<Result>(_ hash: KeyHash, _ body: () -> Result) -> Result? {
        let number = number(hash)
        guard locks[number].tryLock() else { return nil }
        defer { locks[number].unlock() }
        return body()
    }

    /// Runs `body` while no operation on any key runs.
    package func withAllLocks<Failure: Error>(_ body: () throws(Failure) -> Void) throws(Failure) {
        // In one order; no other operation holds more than one.
        for number in 0..<Self.count { lock(number) }
        defer { for number in 0..<Self.count { locks[number].unlock() } }
        try body()
    }

    @inline(__always)
    private func number(_ hash: KeyHash) -> Int {
        // The high half: the low one chooses buckets.
        Int(truncatingIfNeeded: hash.high % UInt64(Self.count))
    }

    @inline(__always)
    private func lock(_ number: Int) {
        guard let pause else { return locks[number].lock() }
        while !locks[number].tryLock() { pause() }
    }

    package func prepareToFork() {}

    package func resumeInParent() {}

    package func resumeInChild() {
        for index in 0..<Self.count { locks[index].resetInChild() }
    }
}
