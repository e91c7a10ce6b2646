// Invariants of the pointers: an owner is `stride` bytes. Its face is initialised from the tier's `init` to its `deinit`, the
// rest from `make` on.

import Platform
import Synchronization

/// The entries that one thread stored, or several threads that hardly wait for each other, and the figures of their
/// order of eviction. Used under the lock in `face`.
///
/// A tier begins with one owner. A stripe whose threads had to wait for the lock a few times gets its own owner, so one
/// thread, or threads that take turns, never see more than one.
struct EntryOwner: ~Copyable {
    /// What other threads look at without the lock, alone on its cache lines.
    struct Face: ~Copyable {
        let lock = BriefLockWord()
        /// Units in use.
        let usage = Atomic<Int>(0)
        /// Entries held.
        let count = Atomic<Int>(0)
        /// Units that the owner may use and does not.
        let spare = Atomic<Int>(0)
        /// The moment of use of the next entry to evict; never later than the true one. `max` without entries.
        let oldest = Atomic<UInt64>(.max)
    }

    /// That of the stripe for which it was made.
    let number: Int
    var table: EntryTable
    /// The tier's capacity.
    var limit: Int
    /// The units that are the owner's to use. Those of all owners and the tier's `pool` are its capacity.
    var allotted: Int
    /// Units in use, at most `allotted`.
    var used = 0
    var stores: UInt64 = 0
    var evictions: UInt64 = 0
    var refusals: UInt64 = 0
    /// Whether there are several owners.
    var isShared = false
    /// All of them.
    var owners = StripeSet()
    /// The stripes that a reader has ever entered.
    var activeStripes = StripeSet()
    /// The stripes that have a box of hits for this owner.
    var readers = StripeSet()
    /// For so many evictions others are taken to change the tier at the same time.
    var busyEvictions = 0

    /// Retired entries that the owner keeps take at most the capacity divided by this.
    var retiredDivisor = 12

    /// An owner without entries.
    init(number: Int, table: consuming EntryTable, limit: Int) {
        self.number = number
        self.table = table
        self.limit = limit
        allotted = 0
        owners.insert(number)
    }

    /// Bytes from one owner to the next.
    static let stride =
        cacheLinePair + (MemoryLayout<EntryOwner>.stride + cacheLinePair - 1) & ~(cacheLinePair - 1)
}

extension UnsafeMutablePointer<EntryOwner> {
    /// The part that any thread may use.
    @inline(__always)
    var face: UnsafeMutablePointer<EntryOwner.Face> {
        (UnsafeMutableRawPointer(self) - cacheLinePair).assumingMemoryBound(to: EntryOwner.Face.self)
    }

    // MARK: Under the lock

    /// Shows the figures to threads without the lock.
    @inline(__always)
    func publishFigures() {
        face.pointee.usage.store(pointee.used, ordering: .releasing)
        face.pointee.count.store(pointee.table.count, ordering: .releasing)
    }

    /// Shows all that other owners look at, too.
    @inline(__always)
    func publish() {
        publishFigures()
        face.pointee.spare.store(pointee.allotted &- pointee.used, ordering: .relaxed)
        face.pointee.oldest.store(pointee.table.oldestStamp, ordering: .relaxed)
    }
}
