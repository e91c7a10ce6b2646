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
    /// Whether the writer looks at this stripe. Set once, under the writers' lock.
    let isActive = Atomic<Bool>(false)

    /// Nodes that were hit, in a ring: from `drained` up to `recorded` they wait. A reader writes a place before it
    /// counts `recorded` up, and only places that `drained` has passed.
    fileprivate let ring: UnsafeMutablePointer<UInt32>
    fileprivate let recorded = Atomic<UInt64>(0)
    fileprivate let drained = Atomic<UInt64>(0)

    /// What only the reader inside touches. It follows the stripe in memory and is no part of it, since changing a part
    /// of a value is an access to all of it, and the writer may be looking at other parts.
    struct Inside {
        /// Lookups that found an entry.
        var hits: UInt64 = 0
        /// Lookups that did not.
        var misses: UInt64 = 0
        fileprivate var recorded: UInt64 = 0
        fileprivate var drainedAtLeast: UInt64 = 0
    }

    /// Hits that can wait; a power of two.
    static let capacity = 256
    /// Bytes from one stripe to the next.
    static let stride = cacheLinePair
    /// Bytes from a stripe to its `Inside`.
    fileprivate static let insideOffset = stride / 2

    init() {
        ring = .allocateAlone(count: Self.capacity)
        ring.initialize(repeating: 0, count: Self.capacity)
    }

    deinit { ring.deallocateAlone() }

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

extension UnsafeMutablePointer<HitStripe> {
    /// Makes an unlocked stripe in `stride` bytes of memory.
    static func make(in memory: UnsafeMutableRawPointer) {
        memory.bindMemory(to: HitStripe.self, capacity: 1).initialize(to: HitStripe())
        (memory + HitStripe.insideOffset).bindMemory(to: HitStripe.Inside.self, capacity: 1)
            .initialize(to: HitStripe.Inside())
    }

    /// Under the stripe's lock.
    @inline(__always)
    var inside: UnsafeMutablePointer<HitStripe.Inside> {
        (UnsafeMutableRawPointer(self) + HitStripe.insideOffset).assumingMemoryBound(to: HitStripe.Inside.self)
    }

    /// Notes a hit; loses it when there is no room, which happens only while other threads keep the writers' lock.
    /// Under the stripe's lock.
    ///
    /// - Returns: whether the ring is full now and wants to be drained.
    @inline(__always)
    func record(_ node: UInt32) -> Bool {
        let capacity = UInt64(HitStripe.capacity)
        let next = inside.pointee.recorded
        if next &- inside.pointee.drainedAtLeast >= capacity {
            inside.pointee.drainedAtLeast = pointee.drained.load(ordering: .acquiring)
            guard next &- inside.pointee.drainedAtLeast < capacity else { return true }
        }
        pointee.ring[Int(truncatingIfNeeded: next) & (HitStripe.capacity - 1)] = node
        inside.pointee.recorded = next &+ 1
        pointee.recorded.store(next &+ 1, ordering: .releasing)
        guard next &+ 1 &- inside.pointee.drainedAtLeast >= capacity else { return false }
        inside.pointee.drainedAtLeast = pointee.drained.load(ordering: .acquiring)
        return next &+ 1 &- inside.pointee.drainedAtLeast >= capacity
    }
}
