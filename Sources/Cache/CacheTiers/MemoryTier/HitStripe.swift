import Platform
import Synchronization

/// A thread's part in hits, on separate cache lines: a gate that says that a reader is inside, and the hits that are not
/// yet applied to the order of use.
///
/// Each thread has a stripe, which it shares with others only when there are more threads than stripes. So hits on
/// different threads write no common word: not even the reference count of the entry that they hand out, since each
/// stripe hands it out by its leases (`EntryLeases`). A writer keeps readers out only for a moment, before it releases
/// entries that readers may have found. Hits are recorded, and applied by the next change, as in Caffeine's read buffers.
///
/// A change applies all hits of the stripe of its thread, and those of other stripes by the cache line: a reader publishes
/// 16 hits at once, so that it and the writers exchange two lines for 16 hits, not for each.
///
/// Invariants: a stripe has three pairs of cache lines, each with other writers and readers. The reader writes the first,
/// and other threads rarely look at it. The reader writes the second, once for 16 hits, and every change reads it.
/// Changes write the third, and the reader rarely reads it. `ring` holds `capacity` initialised numbers.
struct HitStripe: ~Copyable {
    /// The reader inside.
    let gate = ReaderGate()

    /// Nodes that were hit, in a ring: from `drained` up to `recorded` they wait. A reader writes a place before it
    /// counts `recorded` up, and only places that `drained` has passed.
    fileprivate let ring: UnsafeMutablePointer<UInt32>

    fileprivate let recorded = Atomic<UInt64>(0)

    /// State that only the reader inside touches. It follows the stripe in memory and is not a part of it: changing a
    /// part of a value is an access to all of it, and the writer may be looking at other parts.
    struct Inside: ~Copyable {
        /// Lookups that found an entry.
        var hits: UInt64 = 0
        /// Lookups that did not.
        var misses: UInt64 = 0
        /// References that are handed out.
        var leases = EntryLeases()
        fileprivate var drainedAtLeast: UInt64 = 0
    }

    /// Hits that can wait; a power of two.
    static let capacity = 256
    /// Hits in a cache line of the ring, which are published at once; a power of two.
    fileprivate static let hitsPerLine: UInt64 = 16
    /// Bytes from one stripe to the next.
    static let stride = 3 * cacheLinePair

    init() {
        ring = .allocateAlone(count: Self.capacity)
        ring.initialize(repeating: 0, count: Self.capacity)
    }

    deinit { ring.deallocateAlone() }
}

extension UnsafeMutablePointer<HitStripe> {
    /// Makes an empty stripe in `stride` bytes of memory.
    static func make(in memory: UnsafeMutableRawPointer) {
        let stripe = memory.bindMemory(to: HitStripe.self, capacity: 1)
        stripe.initialize(to: HitStripe())
        stripe.inside.initialize(to: HitStripe.Inside())
        stripe.published.initialize(to: Atomic(0))
        stripe.drained.initialize(to: Atomic(0))
    }

    /// Gives the parts up that `make(in:)` made. Only callers that hold leases still use the stripe.
    func destroy() {
        inside.pointee.leases.makeOwners(of: .everything)
        inside.deinitialize(count: 1)
        deinitialize(count: 1)
    }

    private func part<Part: ~Copyable>(_ offset: Int) -> UnsafeMutablePointer<Part> {
        (UnsafeMutableRawPointer(self) + offset).assumingMemoryBound(to: Part.self)
    }

    /// For the reader inside.
    @inline(__always)
    var inside: UnsafeMutablePointer<HitStripe.Inside> { part(cacheLinePair / 2) }

    /// `recorded` at the last full line.
    @inline(__always)
    private var published: UnsafeMutablePointer<Atomic<UInt64>> { part(cacheLinePair) }

    @inline(__always)
    private var drained: UnsafeMutablePointer<Atomic<UInt64>> { part(2 * cacheLinePair) }

    /// Notes a hit; loses it when there is no room, which happens only while other threads keep the writers' lock.
    /// For the reader inside.
    ///
    /// - Returns: whether the ring is full now and wants to be drained.
    @inline(__always)
    func record(_ node: UInt32) -> Bool {
        let capacity = UInt64(HitStripe.capacity)
        let next = pointee.recorded.load(ordering: .relaxed)
        if next &- inside.pointee.drainedAtLeast >= capacity {
            inside.pointee.drainedAtLeast = drained.pointee.load(ordering: .acquiring)
            guard next &- inside.pointee.drainedAtLeast < capacity else { return true }
        }
        pointee.ring[Int(truncatingIfNeeded: next) & (HitStripe.capacity - 1)] = node
        pointee.recorded.store(next &+ 1, ordering: .releasing)
        if (next &+ 1) & (HitStripe.hitsPerLine - 1) == 0 {
            published.pointee.store(next &+ 1, ordering: .releasing)
        }
        // Also between full lines: where a change has applied a part of a line, the ring is full within one.
        guard next &+ 1 &- inside.pointee.drainedAtLeast >= capacity else { return false }
        inside.pointee.drainedAtLeast = drained.pointee.load(ordering: .acquiring)
        return next &+ 1 &- inside.pointee.drainedAtLeast >= capacity
    }

    /// Applies the waiting hits in their order. Under the writers' lock.
    @inline(__always)
    func drainAll(into table: borrowing EntryTable) {
        drain(to: pointee.recorded.load(ordering: .acquiring), into: table)
    }

    /// Applies the published ones of the waiting hits in their order. Under the writers' lock.
    @inline(__always)
    func drainPublished(into table: borrowing EntryTable) {
        drain(to: published.pointee.load(ordering: .acquiring), into: table)
    }

    @inline(__always)
    private func drain(to end: UInt64, into table: borrowing EntryTable) {
        var next = drained.pointee.load(ordering: .relaxed)
        guard next < end else { return }
        while next != end {
            table.touch(pointee.ring[Int(truncatingIfNeeded: next) & (HitStripe.capacity - 1)])
            next &+= 1
        }
        drained.pointee.store(end, ordering: .releasing)
    }
}

/// Lets one reader in at a time, and closes for a writer that has to go in.
///
/// One word says whether a thread is inside, and alone ensures that there is at most one. Another counts the writers that
/// want in, and keeps readers out meanwhile: without it a writer would have no chance against readers that come back within
/// nanoseconds.
struct ReaderGate: ~Copyable {
    private let isOccupied = Atomic<Bool>(false)
    private let closings = Atomic<UInt32>(Self.neverOpened)

    private static let neverOpened: UInt32 = 1 << 31

    /// Goes in, unless another thread is inside or the gate is closed.
    @inline(__always)
    borrowing func tryEnter() -> Bool {
        guard isEntered() else { return false }
        if closings.load(ordering: .relaxed) == 0 { return true }
        leave()
        return false
    }

    /// Waits until no thread is inside and the gate is open, and goes in.
    borrowing func waitToEnter() {
        var backoff = SpinBackoff()
        while closings.load(ordering: .relaxed) != 0 || !tryEnter() { backoff.wait() }
    }

    /// Leaves. Called by the thread inside; its writes are visible to the next thread that goes in.
    @inline(__always)
    borrowing func leave() { isOccupied.store(false, ordering: .releasing) }

    @inline(__always)
    private borrowing func isEntered() -> Bool {
        isOccupied.compareExchange(
            expected: false, desired: true, successOrdering: .acquiring, failureOrdering: .relaxed
        ).exchanged
    }

    // MARK: For the writer

    /// Whether the gate has been closed since it was made.
    var isNew: Bool { closings.load(ordering: .relaxed) & Self.neverOpened != 0 }

    /// Opens a new gate.
    borrowing func openFirst() { closings.wrappingSubtract(Self.neverOpened, ordering: .relaxed) }

    /// Whether no thread is inside at this moment.
    borrowing func isFree() -> Bool { !isOccupied.load(ordering: .relaxed) }

    /// Closes the gate, waits until the reader has left, and goes in.
    borrowing func close() {
        closings.wrappingAdd(1, ordering: .relaxed)
        var backoff = SpinBackoff()
        while !isEntered() { backoff.wait() }
    }

    /// Leaves, and opens the gate, unless other writers want it closed.
    borrowing func open() {
        leave()
        closings.wrappingSubtract(1, ordering: .relaxed)
    }

    /// Opens the gate and forgets the threads that waited for it; they do not exist in a forked child.
    borrowing func resetInChild() {
        closings.store(closings.load(ordering: .relaxed) & Self.neverOpened, ordering: .relaxed)
        leave()
    }
}
