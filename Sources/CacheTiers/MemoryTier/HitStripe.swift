import Platform

/// What one thread needs for a hit, on cache lines of its own: a lock, and the hits not yet applied to the order of use.
///
/// The stripes together are a "big reader" lock: a hit takes one stripe's lock, which no other thread wants unless it
/// shares the stripe; a change takes all of them. So hits on different threads write no common word apart from the
/// reference count of the entry handed out, and the table they read needs no atomics.
/// The order of hits is recorded aside and applied by the next change, as in Caffeine's read buffers.
struct HitStripe: ~Copyable {
    /// Guards all below, and the tier's table against changes.
    let lock = Lock()
    /// Whether changes take this stripe's lock; set, under the writers' lock too, before the stripe is first used.
    var isActive = false
    /// Lookups that found an entry.
    var hits: UInt64 = 0
    /// Lookups that did not.
    var misses: UInt64 = 0
    /// Nodes that were hit since the last change, oldest first.
    private let pending: UnsafeMutablePointer<UInt32>
    private var pendingCount = 0

    /// Hits that can wait.
    static let capacity = 256
    /// Bytes from one stripe to the next: two cache lines, since processors fetch lines in pairs.
    static let stride = 128

    init() { pending = .allocate(capacity: Self.capacity) }

    deinit { pending.deallocate() }

    /// Notes a hit; loses it when there is no room, which happens only while other threads keep the writers' lock.
    ///
    /// - Returns: whether the notes are full now and want to be applied.
    @inline(__always)
    mutating func record(_ node: UInt32) -> Bool {
        guard pendingCount < Self.capacity else { return true }
        pending[pendingCount] = node
        pendingCount += 1
        return pendingCount == Self.capacity
    }

    /// Applies the hits in their order, and forgets them.
    @inline(__always)
    mutating func drain(into recency: RecencyList) {
        for index in 0..<pendingCount { recency.touch(pending[index]) }
        pendingCount = 0
    }
}
