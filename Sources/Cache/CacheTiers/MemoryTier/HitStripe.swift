// Invariants of the pointers: a stripe is `stride` bytes from `make(in:)` to `destroy()`: its words, on the next cache line
// `Inside`, and on the next pair `mostOwners` places, each with the address of a box. The box of a place stays until
// `destroy()`, but for the box that stands for a missing one.

import Platform
import Synchronization

/// A thread's part in hits, on separate cache lines: a gate that says that a reader is inside, and a box of recorded hits
/// for each owner of entries (`HitBox`).
///
/// Each thread has a stripe, which it shares with others only when there are more threads than stripes. So hits on
/// different threads write no common word: not even the reference count of the entry that they hand out, since each
/// stripe hands it out by its leases (`EntryLeases`). A writer keeps readers out only for a moment, before it releases
/// entries that readers may have found.
struct HitStripe: ~Copyable {
    /// The reader inside.
    let gate = ReaderGate()
    /// The number of the owner of the entries that the stripe's threads store.
    let owner = Atomic<Int>(0)
    /// How often they had to wait for the lock of that owner.
    let waits = Atomic<Int>(0)
    /// Stands for the boxes that the stripe does not have.
    fileprivate let missing = HitBox.makeFull()

    /// State that only the reader inside touches. It follows the stripe in memory and is not a part of it: changing a
    /// part of a value is an access to all of it, and a writer may be looking at other parts.
    struct Inside: ~Copyable {
        /// Lookups that found an entry.
        var hits: UInt64 = 0
        /// Lookups that did not.
        var misses: UInt64 = 0
        /// References that are handed out.
        var leases = EntryLeases()
    }

    /// A tier has at most as many owners, one for each stripe.
    static let mostOwners = 64
    /// Bytes from one stripe to the next.
    static let stride = cacheLinePair + mostOwners * MemoryLayout<UInt>.stride
}

extension UnsafeMutablePointer<HitStripe> {
    /// Makes a stripe in `stride` bytes of memory, with an empty box for the first owner.
    static func make(in memory: UnsafeMutableRawPointer) {
        let stripe = memory.bindMemory(to: HitStripe.self, capacity: 1)
        stripe.initialize(to: HitStripe())
        stripe.inside.initialize(to: HitStripe.Inside())
        let missing = stripe.pointee.missing.address
        for owner in 0..<HitStripe.mostOwners { stripe.place(owner).initialize(to: Atomic(missing)) }
        stripe.makeBox(for: 0)
    }

    /// Gives the parts up that `make(in:)` made. Only callers that hold leases still use the stripe.
    func destroy() {
        for owner in 0..<HitStripe.mostOwners where hasBox(for: owner) { box(for: owner).destroy() }
        pointee.missing.destroy()
        inside.pointee.leases.makeOwners(of: .everything)
        inside.deinitialize(count: 1)
        deinitialize(count: 1)
    }

    /// For the reader inside.
    @inline(__always)
    var inside: UnsafeMutablePointer<HitStripe.Inside> {
        (UnsafeMutableRawPointer(self) + cacheLinePair / 2).assumingMemoryBound(to: HitStripe.Inside.self)
    }

    @inline(__always)
    private func place(_ owner: Int) -> UnsafeMutablePointer<Atomic<UInt>> {
        (UnsafeMutableRawPointer(self) + cacheLinePair).assumingMemoryBound(to: Atomic<UInt>.self) + owner
    }

    /// The box of the hits on an owner's entries, or before the first of them the one that stands for it.
    @inline(__always)
    func box(for owner: Int) -> HitBox { HitBox(address: place(owner).pointee.load(ordering: .acquiring)) }

    func hasBox(for owner: Int) -> Bool { box(for: owner).address != pointee.missing.address }

    /// Makes the box for an owner. Under the owner's lock; the stripe has no such box yet.
    func makeBox(for owner: Int) { place(owner).pointee.store(HitBox.make().address, ordering: .releasing) }
}
