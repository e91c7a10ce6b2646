import Platform

/// A fixed number of locks that keys share by hash: two operations on one key exclude each other, two on different keys
/// rarely do.
///
/// `@unchecked Sendable`: the only stored property is the address of locks, which are made to be shared; only `init` and
/// `deinit` write it. Invariant: `count` initialised locks are at that address.
final class KeyLocks: @unchecked Sendable {
    private let locks: UnsafeMutablePointer<Lock>
    // With two threads, two different keys meet on one of 64 locks once in 64 times.
    private static let count = 64

    init() {
        locks = .allocate(capacity: Self.count)
        for index in 0..<Self.count { (locks + index).initialize(to: Lock()) }
    }

    deinit {
        locks.deinitialize(count: Self.count)
        locks.deallocate()
    }

    /// Runs `body` while no other operation on a key of this hash runs.
    @inline(__always)
    func withLock<Result>(_ hash: KeyHash, _ body: () throws -> Result) rethrows -> Result {
        // The high half: the low one chooses buckets.
        try locks[Int(truncatingIfNeeded: hash.high % UInt64(Self.count))].withLock(body)
    }
}
