// Invariants of the pointer: from `initialize()` on, a buffer is three pairs of cache lines, each with its own writer,
// and the ring of `capacity` numbers. The reader inside the stripe writes the first pair, and others rarely look at it.
// It writes the second once in 16 hits, and every change reads it. Changes write the third, and the reader rarely reads
// it. `limit` is the reader's alone.

import Platform
import Synchronization

/// A stripe's read buffer: hits that aren't yet applied to the order of eviction, as in Caffeine (after Ding, Jiang and
/// Zhang, "BP-Wrapper", ICDE 2009).
///
/// A change applies all hits of its own thread's stripe, and those of other stripes by the cache line: a reader
/// publishes 16 hits at once, so that it and the writers exchange two lines for 16 hits, not for each.
struct ReadBuffer {
    private let memory: UnsafeMutableRawPointer

    /// Hits that can wait; a power of two.
    static let capacity = 256
    /// Hits in a cache line of the ring, which are published at once; a power of two.
    private static let hitsPerLine: UInt64 = 16
    /// Bytes before the ring.
    private static var headCount: Int { 3 * cacheLinePair }
    /// Bytes of a buffer.
    static let byteCount = headCount + capacity * MemoryLayout<UInt32>.stride

    /// The buffer at an address, which is aligned to a pair of cache lines.
    @inline(__always)
    init(memory: UnsafeMutableRawPointer) { self.memory = memory }

    /// Makes it an empty buffer.
    func initialize() {
        recorded.initialize(to: Atomic(0))
        limit.initialize(to: UInt64(Self.capacity))
        published.initialize(to: Atomic(0))
        drained.initialize(to: Atomic(0))
        (memory + Self.headCount).bindMemory(to: UInt32.self, capacity: Self.capacity)
            .initialize(repeating: 0, count: Self.capacity)
    }

    @inline(__always)
    private func part<Part: ~Copyable>(_ offset: Int) -> UnsafeMutablePointer<Part> {
        (memory + offset).assumingMemoryBound(to: Part.self)
    }

    /// The nodes that were hit: those from `drained` up to `recorded` wait. A reader writes a place before it counts
    /// `recorded` up, and only places that `drained` has passed.
    @inline(__always)
    private var ring: UnsafeMutablePointer<UInt32> { part(Self.headCount) }

    @inline(__always)
    private var recorded: UnsafeMutablePointer<Atomic<UInt64>> { part(0) }

    /// The reader records up to this number before it looks at `drained` again. The reader's alone.
    @inline(__always)
    private var limit: UnsafeMutablePointer<UInt64> { part(8) }

    /// `recorded` at the last full line.
    @inline(__always)
    private var published: UnsafeMutablePointer<Atomic<UInt64>> { part(cacheLinePair) }

    @inline(__always)
    private var drained: UnsafeMutablePointer<Atomic<UInt64>> { part(2 * cacheLinePair) }

    /// Records a hit, or loses it if the ring is full, which happens only while other threads keep the tier's lock. For
    /// the reader inside.
    ///
    /// - Returns: whether the ring is full and has to be drained.
    @inline(__always)
    func record(_ node: UInt32) -> Bool {
        let next = recorded.pointee.load(ordering: .relaxed)
        if next >= limit.pointee {
            let later = drained.pointee.load(ordering: .acquiring) &+ UInt64(Self.capacity)
            guard next < later else { return true }
            limit.pointee = later
        }
        ring[Int(truncatingIfNeeded: next) & (Self.capacity - 1)] = node
        recorded.pointee.store(next &+ 1, ordering: .releasing)
        if (next &+ 1) & (Self.hitsPerLine - 1) == 0 {
            published.pointee.store(next &+ 1, ordering: .releasing)
        }
        // Also between full lines: if a change has applied a part of a line, the ring fills up within one.
        guard next &+ 1 >= limit.pointee else { return false }
        limit.pointee = drained.pointee.load(ordering: .acquiring) &+ UInt64(Self.capacity)
        return next &+ 1 >= limit.pointee
    }

    /// Applies the waiting hits in their order. Under the tier's lock.
    @inline(__always)
    func drainAll(into table: borrowing EntryTable) {
        drain(to: recorded.pointee.load(ordering: .acquiring), into: table)
    }

    /// Applies the waiting hits that were published, in their order. Under the tier's lock.
    @inline(__always)
    func drainPublished(into table: borrowing EntryTable) {
        drain(to: published.pointee.load(ordering: .acquiring), into: table)
    }

    @inline(__always)
    private func drain(to end: UInt64, into table: borrowing EntryTable) {
        var next = drained.pointee.load(ordering: .relaxed)
        guard next < end else { return }
        if table.hasRecencyOnly {
            while next != end {
                table.touchRecency(ring[Int(truncatingIfNeeded: next) & (Self.capacity - 1)])
                next &+= 1
            }
        } else {
            while next != end {
                table.touch(ring[Int(truncatingIfNeeded: next) & (Self.capacity - 1)])
                next &+= 1
            }
        }
        drained.pointee.store(end, ordering: .releasing)
    }
}
