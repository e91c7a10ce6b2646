// Invariant of the pointers: a stripe is `stride` bytes from `make(in:)` to `destroy()`: its gate, on the next cache line
// `Inside`, and from the next pair on the box.

import Platform
import Synchronization

/// A thread's part in hits, on separate cache lines: a gate that says that a reader is inside, and a box of recorded hits
/// (`HitBox`).
///
/// Each thread has a stripe, which it shares with others only when there are more threads than stripes. So hits on
/// different threads write no common word: not even the reference count of the entry that they hand out, since each
/// stripe hands it out by its leases (`EntryLeases`). A writer keeps readers out only for a moment, before it releases
/// entries that readers may have found.
struct HitStripe: ~Copyable {
    /// The reader inside.
    let gate = ReaderGate()

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

    /// Bytes from one stripe to the next.
    static let stride = cacheLinePair + HitBox.byteCount
}

extension UnsafeMutablePointer<HitStripe> {
    /// Makes a stripe in `stride` bytes of memory.
    static func make(in memory: UnsafeMutableRawPointer) {
        let stripe = memory.bindMemory(to: HitStripe.self, capacity: 1)
        stripe.initialize(to: HitStripe())
        stripe.inside.initialize(to: HitStripe.Inside())
        stripe.box.initialize()
    }

    /// Gives the parts up that `make(in:)` made. Only callers that hold leases still use the stripe.
    func destroy() {
        inside.pointee.leases.makeOwners(of: .everything)
        inside.deinitialize(count: 1)
        deinitialize(count: 1)
    }

    /// For the reader inside.
    @inline(__always)
    var inside: UnsafeMutablePointer<HitStripe.Inside> {
        (UnsafeMutableRawPointer(self) + cacheLinePair / 2).assumingMemoryBound(to: HitStripe.Inside.self)
    }

    /// The hits of the stripe's readers that wait.
    @inline(__always)
    var box: HitBox { HitBox(memory: UnsafeMutableRawPointer(self) + cacheLinePair) }
}
