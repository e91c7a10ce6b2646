import CSupport
import Platform
import Synchronization

/// The first tier: stored entries in memory, least recently used out first, for any number of threads.
///
/// A hit hands out a reference to the entry, never a copy of its bytes; an entry that somebody holds outlives its
/// eviction, and is then no longer counted. Every entry counts `StoredEntry.cost` bytes; what the tier counts never
/// exceeds the capacity by a byte, at any moment, because entries go before the new one comes.
///
/// Used from one thread the order is exactly LRU. Hits of several threads are recorded apart, each thread's in its
/// order, and applied before the next change (see `HitStripe`); capacity, the 5 % rule and the choice of who has to go
/// belong to the whole tier whatever the number of stripes.
///
/// - Complexity: lookup, store and remove are O(1) (a store sometimes doubles the table), usage and count too.
///
/// `@unchecked Sendable`: `stripes` and `state` are addresses that never change. Fields of a stripe are touched only
/// under its lock. Of `state`, the table is changed under `writers` and the locks of all active stripes together, and read
/// under any of them; the rest is used under `writers`. All else is `Atomic`.
public final class MemoryTier: @unchecked Sendable {
    /// What the capacity counts.
    public enum Unit: Sendable {
        /// `StoredEntry.cost`; an entry above 5 % of the capacity is refused.
        case bytes
        /// One per entry, whatever its size; nothing is too large. For replaying traces that know no sizes.
        case entries
    }

    struct State: ~Copyable {
        var table = EntryTable()
        var limit: Int
        var used = 0
        var stores: UInt64 = 0
        var evictions: UInt64 = 0
        var refusals: UInt64 = 0

        /// What the outside sees without a lock.
        let publishedUsage = Atomic<Int>(0)
        let publishedCount = Atomic<Int>(0)
        let publishedCapacity: Atomic<Int>

        init(limit: Int) {
            self.limit = limit
            publishedCapacity = Atomic(limit)
        }
    }

    /// Entries that may wait for readers before they are released.
    static let batch = 16

    let unit: Unit
    /// Taken by whoever changes anything, before the locks of the stripes.
    let writers = Lock()
    let stripeMemory: UnsafeMutableRawPointer
    let stripeCount: Int
    let state: UnsafeMutablePointer<State>
    /// `state`'s, found without reading what writers write.
    let published: UnsafeMutablePointer<PublishedIndex>
    let changes = ChangeCounters()

    /// An empty tier.
    ///
    /// - Parameters:
    ///   - capacity: the most that the tier holds, in `unit`s; 0 disables it.
    ///   - unit: what is counted.
    ///   - stripes: how many threads hit at once without sharing a word; rounded up to a power of two, at most 64.
    ///     `nil` is twice the number of processors.
    /// - Throws: `CapacityError` when `capacity` is negative.
    public convenience init(capacity: Int, unit: Unit = .bytes, stripes: Int? = nil) throws(CapacityError) {
        guard capacity >= 0 else { throw CapacityError(tier: "memory", capacity: capacity) }
        self.init(clamping: capacity, unit: unit, stripes: stripes)
    }

    /// The same for a caller who has no way to report an error: a negative capacity counts as 0.
    public init(clamping capacity: Int, unit: Unit = .bytes, stripes: Int? = nil) {
        let capacity = max(capacity, 0)
        self.unit = unit
        let wanted = min(max(stripes ?? min(2 * processorCount(), 16), 1), 64)
        stripeCount = 1 << (Int.bitWidth - (wanted - 1).leadingZeroBitCount)
        stripeMemory = .allocate(byteCount: stripeCount * HitStripe.stride, alignment: HitStripe.stride)
        for index in 0..<stripeCount {
            (stripeMemory + index * HitStripe.stride).bindMemory(to: HitStripe.self, capacity: 1)
                .initialize(to: HitStripe())
        }
        state = .allocateAlone()
        state.initialize(to: State(limit: capacity))
        published = state.pointee.table.published
    }

    deinit {
        state.deinitialize(count: 1)
        state.deallocateAlone()
        for index in 0..<stripeCount { stripe(index).deinitialize(count: 1) }
        stripeMemory.deallocate()
    }

    /// The entry stored under `key`, as the most recently used from now on; `nil` when there is none.
    ///
    /// - Parameter hash: the hash of `key`, by the hasher that the stored entries' hashes come from.
    public func lookup(_ key: UnsafeRawBufferPointer, hash: KeyHash) -> StoredEntry? {
        let stripe = lockedStripe()
        guard let (node, found) = published.pointee.find(key, hash: hash) else {
            stripe.pointee.misses &+= 1
            stripe.pointee.lock.unlock()
            return nil
        }
        let entry = StoredEntry(storage: found.takeUnretainedValue())
        stripe.pointee.hits &+= 1
        let isFull = stripe.pointee.record(node)
        stripe.pointee.lock.unlock()
        if isFull { drain(stripe) }
        return entry
    }

    /// The entry stored under `key`; see `lookup(_:hash:)`.
    public func lookup(_ key: CacheKey) -> StoredEntry? {
        key.withBytes { lookup($0, hash: key.hash) }
    }

    // MARK: What it holds

    /// Units in use: bytes by the rule of `StoredEntry.cost`, or entries. Never above `capacity`. O(1), takes no lock.
    public var usage: Int { state.pointee.publishedUsage.load(ordering: .acquiring) }

    /// Entries held. O(1), takes no lock.
    public var count: Int { state.pointee.publishedCount.load(ordering: .acquiring) }

    /// The most that the tier holds. O(1), takes no lock.
    public var capacity: Int { state.pointee.publishedCapacity.load(ordering: .acquiring) }

    /// Everything held, the least recently used first. Linear; for tests and tools.
    public func entries() -> [StoredEntry] {
        writers.withLock {
            drainStripes()
            var entries: [StoredEntry] = []
            var node = state.pointee.table.recency.oldest
            while node != 0 {
                if let entry = state.pointee.table.entry(node) { entries.append(entry) }
                node = state.pointee.table.recency.newer(than: node)
            }
            return entries
        }
    }

    /// What the tier did so far.
    public var statistics: MemoryStatistics {
        writers.withLock {
            var sum = MemoryStatistics(
                stores: state.pointee.stores, evictions: state.pointee.evictions, refusals: state.pointee.refusals)
            for index in 0..<stripeCount {
                let stripe = stripe(index)
                stripe.pointee.lock.lock()
                sum.hits += stripe.pointee.hits
                sum.misses += stripe.pointee.misses
                stripe.pointee.lock.unlock()
            }
            return sum
        }
    }

    /// Makes what `state` says visible to those who take no lock. The writers' lock is held.
    func publish(capacity: Int? = nil) {
        state.pointee.publishedUsage.store(state.pointee.used, ordering: .releasing)
        state.pointee.publishedCount.store(state.pointee.table.count, ordering: .releasing)
        if let capacity { state.pointee.publishedCapacity.store(capacity, ordering: .releasing) }
    }
}
