// Invariant of the pointers: `stripeMemory` has `stripeCount` stripes; `shared`, `contents`, `published` point to one
// value each. All live from `init` to `deinit`. An entry from the index is used inside a stripe, through a lease, or
// under the lock.

import CSupport
import Platform
import Synchronization

/// The first tier: stored entries in memory, for any number of threads. By default the least recently used are evicted
/// first. DESIGN.md explains how it works, and names the papers.
///
/// A hit returns a reference to the entry and copies no bytes. You may hold an entry after its eviction; it no longer
/// counts then. The sum of `StoredEntry.cost` never exceeds the capacity, since entries are evicted before the new one
/// goes in.
///
/// Used from one thread, or from threads that take turns, the order is exactly the policy's, but for the last 15 hits
/// of each other thread. Hits are recorded in a `ReadBuffer`, each thread's in its order, and applied before the next
/// change.
///
/// - Complexity: lookup, store and remove are O(1) (a store sometimes doubles the table), usage and count too.
///
/// ## Threads
/// Writers take turns by one lock, and don't stop readers. A reader enters its `ReaderStripe`, whose gate keeps other
/// readers out, and reads the index through atomics (`EntryIndex`). An entry that a writer takes
/// out is released only after a writer has been inside every stripe: no reader can still be about to hand it out, and
/// callers that got it have a reference by then (`waitForReaders`). That is epoch-based reclamation (Fraser, "Practical
/// lock-freedom", 2004) with an epoch for each stripe.
///
/// `@unchecked Sendable`: the stored properties are constants. `contents` is used only under the lock in `shared`; an
/// `Inside` and a buffer's limit only by the reader inside the stripe. That reader writes a place of the ring before it
/// publishes the hit; the place is then read under the lock, until the reader may use it again (`ReadBuffer`). All else
/// is `Atomic` or constant.
public final class MemoryTier: @unchecked Sendable {
    /// The unit of the capacity.
    public enum Unit: Sendable {
        /// `StoredEntry.cost`; an entry above 5 % of the capacity is refused.
        case bytes
        /// One per entry, whatever its size; no entry is too large. For replaying traces without sizes.
        case entries
    }

    /// Once a stripe has this many retired entries, they are released.
    static let batch = 16

    /// An entry above a twentieth of the capacity, 5 %, is refused.
    @inline(__always) package static var admittedShare: Int { 20 }

    let unit: Unit
    /// The rule of eviction.
    public let policy: EvictionPolicy
    let stripeMemory: UnsafeMutableRawPointer
    let stripeCount: Int
    /// Not in `self`, whose cache lines every lookup reads.
    let shared: UnsafeMutablePointer<SharedState>
    let contents: UnsafeMutablePointer<LockedState>
    /// The `word` of the index in use, for readers; alone on its cache lines, which change only when the table is
    /// resized.
    let published: UnsafeMutablePointer<Atomic<UInt>>
    /// Releases entries that left the tier together.
    let background: BackgroundRelease
    let keyVersions = KeyVersions()

    /// An empty tier.
    ///
    /// - Parameters:
    ///   - capacity: the most that the tier holds, in `unit`s; 0 disables it.
    ///   - unit: bytes or entries.
    ///   - stripes: how many threads hit at once without sharing a cache line; rounded up to a power of two, at most
    ///     64. `nil` is twice the number of processors, at most 16.
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

    init(_ capacity: Int, _ unit: Unit, _ stripes: Int?, _ policy: EvictionPolicy, background: BackgroundRelease) {
        self.background = background
        let capacity = max(capacity, 0)
        self.unit = unit
        self.policy = policy
        let wanted = min(max(stripes ?? min(2 * processorCount(), 16), 1), 64)
        stripeCount = 1 << (Int.bitWidth - (wanted - 1).leadingZeroBitCount)
        stripeMemory = .allocate(byteCount: stripeCount * ReaderStripe.stride, alignment: cacheLinePair)
        for index in 0..<stripeCount {
            UnsafeMutablePointer<ReaderStripe>.make(in: stripeMemory + index * ReaderStripe.stride)
        }
        let table = EntryTable(policy: policy, stripeCount: stripeCount)
        published = .allocateAlone()
        published.initialize(to: Atomic(table.index.word))
        shared = .allocateAlone()
        shared.initialize(to: SharedState(capacity: capacity))
        contents = .allocateAlone()
        contents.initialize(to: LockedState(table: table, capacity: capacity))
        ForkObservers.add(self)
    }

    deinit {
        ForkObservers.remove(self)
        for index in 0..<stripeCount { stripe(index).destroy() }
        stripeMemory.deallocate()
        contents.deinitialize(count: 1)
        contents.deallocateAlone()
        shared.deinitialize(count: 1)
        shared.deallocateAlone()
        published.deallocateAlone()
    }

    /// The entry stored under `key`, which becomes the most recently used; `nil` if there is none.
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

    /// - Parameter take: makes the result from the entry, which the tier may release afterwards.
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
        if stripe.buffer.record(found._withUnsafeGuaranteedRef { $0.node }) { drain(stripe.buffer) }
        stripe.pointee.gate.leave()
        return result
    }

    /// The entry stored under `key`; see `lookup(_:hash:)`.
    public func lookup(_ key: CacheKey) -> StoredEntry? {
        key.withBytes { lookup($0, hash: key.hash) }
    }

    // MARK: Contents

    /// Units in use: bytes by the rule of `StoredEntry.cost`, or entries. Never above `capacity`. O(1), takes no lock.
    public var usage: Int { shared.pointee.usage.load(ordering: .acquiring) }

    /// Entries held. O(1), takes no lock.
    public var count: Int { shared.pointee.count.load(ordering: .acquiring) }

    /// The most that the tier holds. O(1), takes no lock.
    public var capacity: Int { shared.pointee.capacity.load(ordering: .acquiring) }

    /// Everything held, in the order of eviction. Linear; for tests and tools.
    public func entries() -> [StoredEntry] {
        withLock {
            drainAll()
            return contents.pointee.table.nodes().compactMap { contents.pointee.table.entry($0) }
        }
    }

    /// Steps of all removals and evictions so far: entries and buckets of the index visited.
    package var stepsOfRemovals: Int { withLock { contents.pointee.table.stepsOfRemovals } }

    /// Waits until the memory of all entries that left is free, except those that callers hold and a few that later
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

/// Counts of a memory tier's work since it was made.
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

/// The tier's entries and counters. Used under the tier's lock.
struct LockedState: ~Copyable {
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
}

/// The lock, and the figures that are read without it.
struct SharedState: ~Copyable {
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
    /// Taken back: the entry no longer has a handout.
    package let handout: AnyObject?
    /// Stays attached: its owner may empty it.
    package let attachment: AnyObject?
}

extension MemoryTier {
    /// Takes back the handouts of some entries: the next ones at each call, and from the first again after the last.
    /// That's how the layer that keeps them bounds their memory. The entries stay, in their order.
    ///
    /// Waits for readers as a store does that evicts. The caller holds no lock of an attachment.
    ///
    /// - Parameter count: how many nodes to look at.
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

/// A negative capacity.
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
