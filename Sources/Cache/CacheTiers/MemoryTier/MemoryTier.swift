// Invariant of the pointers: `stripeMemory` has `stripeCount` stripes, and `face`, `contents` and `published` point to one value
// each, all from `init` to `deinit`. An entry that the index lends is used inside a stripe, through a lease, or under the
// lock.

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
///
/// - Complexity: lookup, store and remove are O(1) (a store sometimes doubles the table), usage and count too.
///
/// ## Threads
/// Writers take turns by one lock, beside readers, each inside the gate of its stripe (`HitStripe`), which keeps other
/// readers of the stripe out. Readers see the index through atomics (`EntryIndex`), in which no entry moves before it
/// goes. An entry that a writer takes out of the index is released only after a writer has been inside every stripe
/// itself: no reader that found it can still be about to hand it out, and callers that were handed it have a reference
/// by then (`waitForReaders`). That is epoch-based reclamation (Fraser, "Practical lock-freedom", 2004) with an epoch for
/// each stripe.
///
/// `@unchecked Sendable`: the stored properties are constants. Behind them, `contents` is used under the lock in `face`
/// alone, an `Inside` and a box's limit by the reader inside the stripe alone. A place of a box's ring is written by that
/// reader before it publishes the hit, and read under the lock after that, until the reader may use it again (`HitBox`).
/// All else is `Atomic` or constant.
public final class MemoryTier: @unchecked Sendable {
    /// The unit of the capacity.
    public enum Unit: Sendable {
        /// `StoredEntry.cost`; an entry above 5 % of the capacity is refused.
        case bytes
        /// One per entry, whatever its size; no entry is too large. For replaying traces without sizes.
        case entries
    }

    /// Entries of a stripe that may wait for readers before they are released.
    static let batch = 16

    /// An entry that costs more than this part of the capacity is refused: a twentieth, 5 %.
    @inline(__always) package static var admittedShare: Int { 20 }

    let unit: Unit
    /// The rule of eviction.
    public let policy: EvictionPolicy
    let stripeMemory: UnsafeMutableRawPointer
    let stripeCount: Int
    /// Apart from `self`, whose lines every lookup reads.
    let face: UnsafeMutablePointer<TierFace>
    let contents: UnsafeMutablePointer<TierContents>
    /// The `word` of the index in use, for readers: alone on its cache lines, which change only with the table's size.
    let published: UnsafeMutablePointer<Atomic<UInt>>
    /// Releases entries that left the tier together.
    let background: BackgroundRelease
    let tickets = PromotionTickets()

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
        let table = EntryTable(policy: policy, stripeCount: stripeCount)
        published = .allocateAlone()
        published.initialize(to: Atomic(table.index.word))
        face = .allocateAlone()
        face.initialize(to: TierFace(capacity: capacity))
        contents = .allocateAlone()
        contents.initialize(to: TierContents(table: table, capacity: capacity))
        ForkObservers.add(self)
    }

    deinit {
        ForkObservers.remove(self)
        for index in 0..<stripeCount { stripe(index).destroy() }
        stripeMemory.deallocate()
        contents.deinitialize(count: 1)
        contents.deallocateAlone()
        face.deinitialize(count: 1)
        face.deallocateAlone()
        published.deallocateAlone()
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
        if stripe.box.record(found._withUnsafeGuaranteedRef { $0.node }) { drain(stripe.box) }
        stripe.pointee.gate.leave()
        return result
    }

    /// The entry stored under `key`; see `lookup(_:hash:)`.
    public func lookup(_ key: CacheKey) -> StoredEntry? {
        key.withBytes { lookup($0, hash: key.hash) }
    }

    // MARK: Contents

    /// Units in use: bytes by the rule of `StoredEntry.cost`, or entries. Never above `capacity`. O(1), takes no lock.
    public var usage: Int { face.pointee.usage.load(ordering: .acquiring) }

    /// Entries held. O(1), takes no lock.
    public var count: Int { face.pointee.count.load(ordering: .acquiring) }

    /// The most that the tier holds. O(1), takes no lock.
    public var capacity: Int { face.pointee.capacity.load(ordering: .acquiring) }

    /// Everything held, in the order of eviction. Linear; for tests and tools.
    public func entries() -> [StoredEntry] {
        withLock {
            drainAll()
            return contents.pointee.table.nodes().compactMap { contents.pointee.table.entry($0) }
        }
    }

    /// The cost of all removals so far, for whatever reason: entries and buckets of the index visited.
    package var stepsOfRemovals: Int { withLock { contents.pointee.table.stepsOfRemovals } }

    /// Returns when the memory of all entries that left is free, but for those that callers hold and a few that later
    /// changes free.
    package func finishReleases() { background.finish() }

    /// The tier's work so far.
    public var statistics: MemoryStatistics {
        withLock {
            var sum = MemoryStatistics()
            sum.stores = contents.pointee.stores
            sum.evictions = contents.pointee.evictions
            sum.refusals = contents.pointee.refusals
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

/// What a layer above keeps with an entry in memory.
package struct KeptObjects {
    /// Is no longer kept: the entry has no handout any more.
    package let handout: AnyObject?
    /// Stays attached: its owner may empty it.
    package let attachment: AnyObject?
}

extension MemoryTier {
    /// Takes the handouts of some entries back, the next ones at each call, until all have had their turn: so the layer that
    /// keeps them bounds their memory. The entries stay, in their order.
    ///
    /// Waits for readers as a store does that evicts. The caller holds no lock of an attachment.
    ///
    /// - Parameter count: how many places of entries are looked at.
    /// - Returns: what was kept with those entries, for the caller to release.
    package func takeHandouts(from count: Int) -> [KeptObjects] {
        var kept: [KeptObjects] = []
        var handouts: [Unmanaged<AnyObject>?] = []
        let stripes = withLock { () -> StripeSet in
            for _ in 0..<min(count, Int(contents.pointee.table.lastNode)) {
                let next = contents.pointee.lastSwept &+ 1
                contents.pointee.lastSwept = next > contents.pointee.table.lastNode ? 1 : next
                guard let entry = contents.pointee.table.entry(contents.pointee.lastSwept) else { continue }
                let (handout, attachment) = (entry.withStorage { $0.takeHandout() }, entry.attachment)
                guard handout != nil || attachment != nil else { continue }
                handouts.append(handout)
                kept.append(KeptObjects(handout: handout?.takeUnretainedValue(), attachment: attachment))
            }
            return contents.pointee.activeStripes
        }
        guard !kept.isEmpty else { return [] }
        waitForReaders(of: stripes, releasing: .nothing)
        for handout in handouts { handout?.release() }
        return kept
    }
}

/// A capacity that no tier can have.
public struct CapacityError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The tier: `memory` or `disk`.
    public let tier: String
    /// The requested capacity.
    public let capacity: Int

    /// Names the tier and the capacity.
    public init(tier: String, capacity: Int) {
        self.tier = tier
        self.capacity = capacity
    }

    /// The thing, the reason and the remedy.
    public var description: String { "\(tier) capacity \(capacity) is negative; pass 0 to disable the \(tier) tier" }
}
