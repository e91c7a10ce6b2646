import Platform
import Synchronization

/// What a thread needs for a hit, on cache lines of its own: a lock that says that a reader is inside, and the hits that
/// are not yet applied to the order of use.
///
/// Each thread has a stripe, which it shares with others only when there are more threads than stripes. So hits on
/// different threads write no common word but the reference count of the entry that they hand out. A writer does not
/// keep readers out: it only has to see each stripe unlocked once before it releases what readers may have found.
/// The order of hits is recorded aside and applied by the next change, as in Caffeine's read buffers.
struct HitStripe: ~Copyable {
    /// Held by the reader inside.
    let lock = BriefLock()
    /// Whether the writer looks at this stripe. Set under the writers' lock and the stripe's.
    var isActive = false
    /// Lookups that found an entry, and that did not. Under the stripe's lock.
    var hits: UInt64 = 0
    var misses: UInt64 = 0

    /// Nodes that were hit, in a ring: from `drained` up to `recorded` they wait. A reader writes a place before it
    /// counts `recorded` up, and only places that `drained` has passed.
    private let ring: UnsafeMutablePointer<UInt32>
    private var recordedByReaders: UInt64 = 0
    private var drainedAsReadersKnow: UInt64 = 0
    private let recorded = Atomic<UInt64>(0)
    private let drained = Atomic<UInt64>(0)

    /// Hits that can wait; a power of two.
    static let capacity = 256
    /// Bytes from one stripe to the next.
    static let stride = cacheLinePair

    init() {
        ring = .allocateAlone(count: Self.capacity)
        ring.initialize(repeating: 0, count: Self.capacity)
    }

    deinit { ring.deallocateAlone() }

    /// Notes a hit; loses it when there is no room, which happens only while other threads keep the writers' lock.
    /// Under the stripe's lock.
    ///
    /// - Returns: whether the ring is full now and wants to be drained.
    @inline(__always)
    mutating func record(_ node: UInt32) -> Bool {
        if recordedByReaders &- drainedAsReadersKnow >= UInt64(Self.capacity) {
            drainedAsReadersKnow = drained.load(ordering: .acquiring)
            guard recordedByReaders &- drainedAsReadersKnow < UInt64(Self.capacity) else { return true }
        }
        ring[Int(truncatingIfNeeded: recordedByReaders) & (Self.capacity - 1)] = node
        recordedByReaders &+= 1
        recorded.store(recordedByReaders, ordering: .releasing)
        guard recordedByReaders &- drainedAsReadersKnow >= UInt64(Self.capacity) else { return false }
        drainedAsReadersKnow = drained.load(ordering: .acquiring)
        return recordedByReaders &- drainedAsReadersKnow >= UInt64(Self.capacity)
    }

    /// Applies the waiting hits in their order. Under the writers' lock.
    @inline(__always)
    borrowing func drain(into table: borrowing EntryTable) {
        let end = recorded.load(ordering: .acquiring)
        var next = drained.load(ordering: .relaxed)
        guard next != end else { return }
        while next != end {
            table.touch(ring[Int(truncatingIfNeeded: next) & (Self.capacity - 1)])
            next &+= 1
        }
        drained.store(end, ordering: .releasing)
    }
}
