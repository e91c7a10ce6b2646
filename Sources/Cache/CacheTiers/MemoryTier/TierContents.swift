import Platform
import Synchronization

/// What a memory tier holds, and the figures of its work. Used under the tier's lock.
struct TierContents: ~Copyable {
    var table: EntryTable
    /// In the tier's unit.
    var capacity: Int
    /// Units in use.
    var usage = 0
    var stores: UInt64 = 0
    var evictions: UInt64 = 0
    var refusals: UInt64 = 0
    /// The node at which `takeHandouts(from:)` stopped.
    var lastSwept: UInt32 = 0
    /// The stripes that a reader has ever entered.
    var activeStripes = StripeSet()

    /// No entries.
    init(table: consuming EntryTable, capacity: Int) {
        self.table = table
        self.capacity = capacity
    }
}

/// The lock, and the figures that are read without it.
struct TierFace: ~Copyable {
    let lock = BriefLockWord()
    /// Units in use.
    let usage = Atomic<Int>(0)
    /// Entries held.
    let count = Atomic<Int>(0)
    let capacity: Atomic<Int>

    init(capacity: Int) { self.capacity = Atomic(capacity) }
}
