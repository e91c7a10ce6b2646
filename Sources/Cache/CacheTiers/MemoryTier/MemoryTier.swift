// Invariant of the pointers: `stripeMemory` has `stripeCount` stripes, and `ownerMemory` as many owners, those in
// `Totals.owners` whole and of the others the face; `totals`, `pool` and `published` point to one value each, all from `init`
// to `deinit`. An entry that the index lends is used inside a stripe, through a lease, or while its bucket or its owner is
// locked.

import CSupport
import Platform
import Synchronization

/// The first tier: stored entries in memory for any number of threads, by default least recently used out first.
///
/// A hit hands out a reference to the entry, never a copy of its bytes; an entry that a caller holds outlives its
/// eviction, and is then no longer counted. Every entry counts `StoredEntry.cost` bytes; their sum never exceeds the
/// capacity by a byte, at any moment, because entries are evicted before the new one is added.
///
/// Used from one thread, or from threads that take turns, the order is exactly that of the policy, but for the last 15 hits
/// of each other thread. Hits are recorded, each thread's in its order, and applied before the next change (`HitBox`).
/// Threads that store at the same time own what they store, each in its own order (`EntryOwner`). They evict what is
/// oldest in all orders, with a tolerance of a thirty-second of its age while several are at work. There a hit counts from
/// the moment in which it is applied: at the next change of the entry's owner, or when a thread looks for the oldest entry.
/// With another policy than the default there is one order. Capacity and the 5 % rule belong to the whole tier.
///
/// - Complexity: lookup, store and remove are O(1) (a store sometimes doubles the table), usage and count too.
///
/// ## Threads
/// Writers hold the lock of one owner each, beside readers, each inside the gate of its stripe (`HitStripe`), which keeps
/// other readers of the stripe out. Readers see the index through atomics (`EntryIndex`), in which no entry moves before it
/// goes. An entry that a writer takes out of the index is released only after a writer has been inside every stripe
/// itself: no reader that found it can still be about to hand it out, and callers that were handed it have a reference
/// by then (`waitForReaders`). That is epoch-based reclamation (Fraser, "Practical lock-freedom", 2004) with an epoch for
/// each stripe.
///
/// `@unchecked Sendable`: the stored properties are constants. Behind them, an owner but for its face is used under its lock
/// alone, an `Inside` and a box's limit by the reader inside the stripe alone. A place of a box's ring is written by that
/// reader before it publishes the hit, and read under the owner's lock after that, until the reader may use it again
/// (`HitBox`). All else is `Atomic` or constant.
public final class MemoryTier: @unchecked Sendable {
    /// The unit of the capacity.
    public enum Unit: Sendable {
        /// `StoredEntry.cost`; an entry above 5 % of the capacity is refused.
        case bytes
        /// One per entry, whatever its size; no entry is too large. For replaying traces without sizes.
        case entries
    }

    /// Figures that are read without a lock; apart from `self`, whose lines every lookup reads.
    struct Totals: ~Copyable {
        let capacity: Atomic<Int>
        /// The numbers of the owners, a bit each.
        let owners = Atomic<UInt64>(1)
    }

    /// Entries of a stripe that may wait for readers before they are released.
    static let batch = 16

    /// An entry that costs more than this part of the capacity is refused: a twentieth, 5 %.
    @inline(__always) package static var admittedShare: Int { 20 }

    let unit: Unit
    /// The rule of eviction.
    public let policy: EvictionPolicy
    let stripeMemory: UnsafeMutableRawPointer
    let ownerMemory: UnsafeMutableRawPointer
    let stripeCount: Int
    let totals: UnsafeMutablePointer<Totals>
    /// Units that are no owner's to use. With one owner always 0.
    let pool: UnsafeMutablePointer<Atomic<Int>>
    /// The `word` of the index in use, for readers: alone on its cache lines, which change only with the table's size.
    let published: UnsafeMutablePointer<Atomic<UInt>>
    /// Releases entries that left the tier together.
    let background: BackgroundRelease
    let tickets: PromotionTickets

    /// An empty tier.
    ///
    /// - Parameters:
    ///   - capacity: the most that the tier holds, in `unit`s; 0 disables it.
    ///   - unit: bytes or entries.
    ///   - stripes: how many threads hit at once without sharing a word; rounded up to a power of two, at most 64.
    ///     `nil` is twice the number of processors.
    ///   - policy: the rule of eviction.
    /// - Throws: `CapacityError` when `capacity` is negative.
    public convenience init(
        capacity: Int, unit: Unit = .bytes, stripes: Int? = nil, policy: EvictionPolicy = .leastRecentlyUsed
    ) throws(CapacityError) {
        guard capacity >= 0 else { throw CapacityError(tier: "memory", capacity: capacity) }
        self.init(clamping: capacity, unit: unit, stripes: stripes, policy: policy)
    }

    /// The same for a caller that cannot report an error: a negative capacity counts as 0.
    public convenience init(
        clamping capacity: Int, unit: Unit = .bytes, stripes: Int? = nil,
        policy: EvictionPolicy = .leastRecentlyUsed
    ) {
        self.init(capacity, unit, stripes, policy, background: BackgroundRelease())
    }

    init(
        _ capacity: Int, _ unit: Unit, _ stripes: Int?, _ policy: EvictionPolicy, background: BackgroundRelease
    ) {
        self.background = background
        let capacity = max(capacity, 0)
        self.unit = unit
        self.policy = policy
        let wanted = min(max(stripes ?? min(2 * processorCount(), 16), 1), 64)
        stripeCount = 1 << (Int.bitWidth - (wanted - 1).leadingZeroBitCount)
        stripeMemory = .allocate(byteCount: stripeCount * HitStripe.stride, alignment: cacheLinePair)
        for index in 0..<stripeCount {
            UnsafeMutablePointer<HitStripe>.make(in: stripeMemory + index * HitStripe.stride)
        }
        let index = EntryIndex(capacity: EntryTable.smallestCapacity)
        tickets = PromotionTickets(mostOwners: stripeCount)
        published = .allocateAlone()
        published.initialize(to: Atomic(index.word))
        totals = .allocateAlone()
        totals.initialize(to: Totals(capacity: Atomic(capacity)))
        pool = .allocateAlone()
        pool.initialize(to: Atomic(0))
        ownerMemory = .allocate(byteCount: stripeCount * EntryOwner.stride, alignment: cacheLinePair)
        for number in 0..<stripeCount { owner(number).face.initialize(to: EntryOwner.Face()) }
        makeOwner(0, index: index, limit: capacity)
        owner(0).pointee.allotted = capacity
        ForkObservers.add(self)
    }

    deinit {
        ForkObservers.remove(self)
        for index in 0..<stripeCount { stripe(index).destroy() }
        stripeMemory.deallocate()
        let index = owner(0).pointee.table.index
        ownerNumbers.forEach { owner($0).deinitialize(count: 1) }
        index.deallocate()
        ownerMemory.deallocate()
        published.deallocateAlone()
        pool.deallocateAlone()
        totals.deinitialize(count: 1)
        totals.deallocateAlone()
    }

    /// The entry stored under `key`, as the most recently used from now on; `nil` when it is absent.
    ///
    /// - Parameters:
    ///   - key: the key's bytes.
    ///   - hash: the hash of `key`, by the hasher of the stored entries' hashes.
    public func lookup(_ key: UnsafeRawBufferPointer, hash: KeyHash) -> StoredEntry? {
        find(key, hash: hash) { found, leases in StoredEntry(storage: found, keeper: leases.lease(found)) }
    }

    /// The entry stored under `key` or its handout, as `lookup(_:hash:)` finds it.
    package func lookupHandout(_ key: UnsafeRawBufferPointer, hash: KeyHash) -> MemoryHit? {
        find(key, hash: hash) { found, leases in
            if let handout = found._withUnsafeGuaranteedRef({ $0.currentHandout }) { return .handout(handout) }
            return .entry(StoredEntry(storage: found, keeper: leases.lease(found)))
        }
    }

    /// - Parameter take: makes the result from the entry; afterwards the tier may release it.
    @inline(__always)
    private func find<Result>(
        _ key: UnsafeRawBufferPointer, hash: KeyHash,
        _ take: (Unmanaged<EntryStorage>, _ leases: inout EntryLeases) -> Result
    ) -> Result? {
        let stripe = enteredStripe()
        guard let found = EntryIndex(word: published.pointee.load(ordering: .acquiring)).find(key, hash: hash) else {
            stripe.inside.pointee.misses &+= 1
            stripe.pointee.gate.leave()
            return nil
        }
        let result = take(found, &stripe.inside.pointee.leases)
        stripe.inside.pointee.hits &+= 1
        if stripe.box(for: found._withUnsafeGuaranteedRef { $0.owner })
            .record(found._withUnsafeGuaranteedRef { $0.node })
        {
            drain(stripe, found)
        }
        stripe.pointee.gate.leave()
        return result
    }

    /// The entry stored under `key`; see `lookup(_:hash:)`.
    public func lookup(_ key: CacheKey) -> StoredEntry? {
        key.withBytes { lookup($0, hash: key.hash) }
    }

    // MARK: Contents

    /// Units in use: bytes by the rule of `StoredEntry.cost`, or entries. Never above `capacity`. O(1), takes no lock.
    public var usage: Int {
        var sum = 0
        ownerNumbers.forEach { sum += owner($0).face.pointee.usage.load(ordering: .acquiring) }
        // An entry that left one owner after this had been read, for another's, is not counted twice.
        return min(sum, capacity)
    }

    /// Entries held. O(1), takes no lock.
    public var count: Int {
        var sum = 0
        ownerNumbers.forEach { sum += owner($0).face.pointee.count.load(ordering: .acquiring) }
        return sum
    }

    /// The most that the tier holds. O(1), takes no lock.
    public var capacity: Int { totals.pointee.capacity.load(ordering: .acquiring) }

    /// Everything held, in the order of eviction. Linear; for tests and tools.
    public func entries() -> [StoredEntry] {
        withAllOwners { owners in
            drainAll(owners)
            var found: [(entry: StoredEntry, stamp: UInt64)] = []
            owners.forEach { number in
                let owner = owner(number)
                var latest: UInt64 = 0
                for (node, stamp) in owner.pointee.table.nodes() {
                    // Processors differ by some ticks; the order of one owner stays.
                    latest = max(latest, stamp)
                    if let entry = owner.pointee.table.entry(node) { found.append((entry, latest)) }
                }
            }
            return owners.count == 1 ? found.map(\.entry) : found.sorted { $0.stamp < $1.stamp }.map(\.entry)
        }
    }

    /// The cost of all removals so far, for whatever reason: entries and buckets of the index visited.
    package var stepsOfRemovals: Int { sum { $0.pointee.table.stepsOfRemovals } }

    private func sum<Number: AdditiveArithmetic>(_ number: (UnsafeMutablePointer<EntryOwner>) -> Number) -> Number {
        withAllOwners { owners in
            var sum = Number.zero
            owners.forEach { sum += number(owner($0)) }
            return sum
        }
    }

    /// Returns when the memory of all entries that left is free, but for those that callers hold and a few that later
    /// changes free.
    package func finishReleases() { background.finish() }

    /// The tier's work so far.
    public var statistics: MemoryStatistics {
        withAllOwners { owners in
            var sum = MemoryStatistics()
            owners.forEach { number in
                sum.stores += owner(number).pointee.stores
                sum.evictions += owner(number).pointee.evictions
                sum.refusals += owner(number).pointee.refusals
            }
            for index in 0..<stripeCount {
                let stripe = stripe(index)
                stripe.pointee.gate.close()
                sum.hits += stripe.inside.pointee.hits
                sum.misses += stripe.inside.pointee.misses
                stripe.pointee.gate.open()
            }
            return sum
        }
    }
}

/// The result of a hit in a memory tier.
package enum MemoryHit {
    /// The entry.
    case entry(StoredEntry)
    /// The object that is kept for it; see `StoredEntry.keepHandout`.
    case handout(AnyObject)
}

/// The work of a memory tier since it was made.
public struct MemoryStatistics: Hashable, Sendable {
    /// Lookups that found an entry.
    public var hits: UInt64 = 0
    /// Lookups that found no entry.
    public var misses: UInt64 = 0
    /// Entries taken, promoted ones included.
    public var stores: UInt64 = 0
    /// Entries removed to make room, or because the capacity was lowered.
    public var evictions: UInt64 = 0
    /// Entries refused: too large or not allowed.
    public var refusals: UInt64 = 0
}
