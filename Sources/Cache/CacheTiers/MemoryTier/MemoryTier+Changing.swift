// Invariant of the pointers: `contents` is used under the lock.

import Platform
import Synchronization

extension MemoryTier {
    /// Stores an entry as the most recently used, in place of any other of its key.
    ///
    /// An entry that costs more than 5 % of the capacity is refused, and so is one whose policy is `.notAllowed`; both
    /// still remove the entry that they supersede.
    public func store(_ entry: StoredEntry) -> StoreResult { store(entry, .now) }

    @inline(__always)
    func store(_ entry: StoredEntry, _ timing: ReleaseTiming) -> StoreResult {
        let stripe = threadStripe
        return change(releasing: .whenMuch, timing, stripe: stripe) { put(entry, stripe: stripe) }
    }

    /// Take a ticket before you look for an entry on disk, and pass it to `promote(_:ticket:)` afterwards.
    ///
    /// Stores and removals have to change the disk before the memory tier; then a promotion that read the old record is
    /// refused.
    public func promotionTicket(for hash: KeyHash) -> PromotionTicket {
        keyVersions.issue(hash)
    }

    /// Stores an entry that was read from disk, unless its key was stored, promoted or removed since `ticket` was
    /// taken: an older version never replaces a newer one, and a removed entry doesn't come back.
    public func promote(_ entry: StoredEntry, ticket: PromotionTicket) -> StoreResult {
        promote(entry, ticket: ticket, .now)
    }

    @inline(__always)
    func promote(_ entry: StoredEntry, ticket: PromotionTicket, _ timing: ReleaseTiming) -> StoreResult {
        let stripe = threadStripe
        return change(releasing: .whenMuch, timing, stripe: stripe) {
            keyVersions.isValid(ticket, entry.hash) ? put(entry, stripe: stripe) : StoreResult(.outdated)
        }
    }

    /// Removes the entry of `key`.
    ///
    /// - Returns: whether there was one.
    @discardableResult
    public func remove(_ key: UnsafeRawBufferPointer, hash: KeyHash) -> Bool { remove(key, hash: hash, .now) }

    @inline(__always)
    func remove(_ key: UnsafeRawBufferPointer, hash: KeyHash, _ timing: ReleaseTiming) -> Bool {
        change(releasing: .ifNoReaders, timing, stripe: threadStripe) {
            keyVersions.countChange(hash)
            guard let node = contents.pointee.table.node(of: key, hash: hash) else { return false }
            take(node)
            if contents.pointee.table.isSparse { shrink() }
            return true
        }
    }

    /// Removes the entry of `key`; see `remove(_:hash:)`.
    @discardableResult
    public func remove(_ key: CacheKey) -> Bool {
        key.withBytes { remove($0, hash: key.hash) }
    }

    /// Removes everything: when this returns, nothing is found or counted.
    ///
    /// - Complexity: O(1) for more than 4,096 entries, whose memory another thread frees (some seconds for ten
    ///   million). If two such batches wait already, this call frees the rest of the first.
    public func removeAll() { removeAll(.now) }

    func removeAll(_ timing: ReleaseTiming) {
        changeMany(timing) {
            keyVersions.countChangeOfAll()
            takeAll()
        }
    }

    /// Removes the entries whose `storedAt` is after `moment`. Linear in the entries.
    public func removeAll(since moment: Int64) { removeAll(since: moment, .now) }

    func removeAll(since moment: Int64, _ timing: ReleaseTiming) {
        removeEach(timing) { $0.storedAt > moment }
    }

    /// Removes the entries whose keys begin with `prefix`. Linear in the entries.
    package func removeAll(withPrefix prefix: UnsafeRawBufferPointer) { removeAll(withPrefix: prefix, .now) }

    func removeAll(withPrefix prefix: UnsafeRawBufferPointer, _ timing: ReleaseTiming) {
        removeEach(timing) { $0.withKey { $0.starts(with: prefix) } }
    }

    /// Changes the capacity. A lower one evicts, in the policy's order, until the rest fits, before this returns; the
    /// memory of more than 4,096 entries is freed by another thread. Linear in the evicted entries, except for capacity
    /// 0 with the default policy. Lookups go on meanwhile.
    ///
    /// - Throws: `CapacityError` when `capacity` is negative.
    public func setCapacity(_ capacity: Int) throws(CapacityError) {
        guard capacity >= 0 else { throw CapacityError(tier: "memory", capacity: capacity) }
        changeMany {
            if capacity == 0, policy == .leastRecentlyUsed {
                contents.pointee.evictions += UInt64(contents.pointee.table.count)
                takeAll()
            } else {
                evict(until: capacity)
            }
            contents.pointee.capacity = capacity
            // Before the capacity, so that nobody sees a usage above it.
            publishFigures()
            shared.pointee.capacity.store(capacity, ordering: .releasing)
            if contents.pointee.table.isSparse { shrink() }
        }
    }

    private func removeEach(_ timing: ReleaseTiming, where isToGo: (StoredEntry) -> Bool) {
        changeMany(timing) {
            keyVersions.countChangeOfAll()
            var node: UInt32 = 0
            while node < contents.pointee.table.lastNode {
                node += 1
                if let entry = contents.pointee.table.entry(node), isToGo(entry) { take(node) }
            }
            if contents.pointee.table.isSparse { shrink() }
        }
    }
}

/// The lock, and what follows a change.
extension MemoryTier {
    /// Which retired entries a change releases.
    enum ReleaseExtent {
        /// All of them, before the change returns, if no reader is inside; a removal should not wait for a reader that
        /// is interrupted. Otherwise as `whenMuch`.
        case ifNoReaders
        /// Those of the thread's stripe once they are many or large, so that not every change waits for readers. All of
        /// them, if they pile up because the threads that stored them are idle.
        case whenMuch
    }

    /// Releases what changes with `ReleaseTiming.later` took out. Call it without a lock.
    @inline(__always)
    func releaseHeld() { background.releaseHeld() }

    /// Runs `body` under the lock.
    func withLock<Result>(_ body: () -> Result) -> Result {
        shared.pointee.lock.lock()
        defer { shared.pointee.lock.unlock() }
        return body()
    }

    /// Applies the recorded hits and runs `change` under the lock, then unlocks and releases what it took out: freeing
    /// memory often takes longer than the change.
    @inline(__always)
    private func change<Result>(
        releasing extent: ReleaseExtent, _ timing: ReleaseTiming, stripe: Int, _ change: () -> Result
    ) -> Result {
        shared.pointee.lock.lock()
        drainReadBuffers(own: stripe)
        let result = change()
        publishFigures()
        let share = shareToRelease(extent, stripe)
        guard share != .none else {
            shared.pointee.lock.unlock()
            return result
        }
        let retired =
            share == .all ? contents.pointee.table.retired.takeAll() : contents.pointee.table.retired.take(of: stripe)
        let stripes = contents.pointee.activeStripes
        shared.pointee.lock.unlock()
        waitForReaders(of: stripes, releasing: retired.filter)
        if timing == .later {
            background.hold(retired)
        } else if share == .all {
            retired.release(by: background)
        } else {
            _ = consume retired
        }
        return result
    }

    /// The same for a change of many entries; releases all that it took out.
    private func changeMany(_ timing: ReleaseTiming = .now, _ change: () -> Void) {
        shared.pointee.lock.lock()
        drainAll()
        change()
        publishFigures()
        let retired = contents.pointee.table.retired.takeAll()
        let stripes = contents.pointee.activeStripes
        shared.pointee.lock.unlock()
        guard !retired.isEmpty else { return }
        waitForReaders(of: stripes, releasing: retired.filter)
        switch timing {
        case .now: retired.release(by: background)
        case .later: background.hold(retired)
        }
    }

    /// Publishes usage and count for threads without the lock.
    @inline(__always)
    private func publishFigures() {
        shared.pointee.usage.store(contents.pointee.usage, ordering: .releasing)
        shared.pointee.count.store(contents.pointee.table.count, ordering: .releasing)
    }

    /// Which retired entries to release now.
    private enum Share {
        case none, ofStripe, all
    }

    /// Retired entries no longer count, but still take memory: for each stripe at most a hundredth of the capacity, and
    /// a sixteenth for all stripes whose threads store. At a twelfth, the entries of idle threads are freed by others;
    /// rarely, because allocators make threads wait that free each other's blocks.
    @inline(__always)
    private func shareToRelease(_ extent: ReleaseExtent, _ stripe: Int) -> Share {
        guard !contents.pointee.table.retired.isEmpty else { return .none }
        let isTooMuch =
            contents.pointee.table.retired.count >= Self.batch &* stripeCount
            || contents.pointee.table.retired.byteCount &* 12 > contents.pointee.capacity
        if isTooMuch || extent == .ifNoReaders && isFreeOfReaders(contents.pointee.activeStripes) { return .all }
        let isMuch =
            contents.pointee.table.retired.count(of: stripe) >= Self.batch
            || contents.pointee.table.retired.byteCount(of: stripe) &* contents.pointee.activeStripes.divisor
                > contents.pointee.capacity
        return isMuch ? .ofStripe : .none
    }
}

/// Changes, under the lock.
extension MemoryTier {
    private func put(_ entry: StoredEntry, stripe: Int) -> StoreResult {
        keyVersions.countChange(entry.hash)
        let cost = unit == .bytes ? entry.cost : 1
        let node = entry.withKey { contents.pointee.table.node(of: $0, hash: entry.hash) }
        if let refusal = refusal(entry, cost: cost) {
            if let node { take(node) }
            contents.pointee.refusals += 1
            return StoreResult(refusal)
        }
        let before = contents.pointee.evictions
        if let node {
            let old = self.cost(of: node)
            contents.pointee.table.holdBack(node)
            evict(until: contents.pointee.capacity - max(cost - old, 0))
            contents.pointee.table.replace(node, by: entry, size: cost, stripe: stripe)
            contents.pointee.usage += cost - old
        } else {
            evict(until: contents.pointee.capacity - cost)
            contents.pointee.usage += cost
            if contents.pointee.table.isFull { grow() }
            contents.pointee.table.insert(entry, size: cost, stripe: stripe)
        }
        contents.pointee.stores &+= 1
        let evictions = Int(contents.pointee.evictions - before)
        if evictions > 1, contents.pointee.table.isSparse { shrink() }
        return StoreResult(.stored, evictions: evictions)
    }

    @inline(__always)
    private func refusal(_ entry: StoredEntry, cost: Int) -> StoreResult.Outcome? {
        if entry.policy == .notAllowed { return .notAllowed }
        let capacity = contents.pointee.capacity
        switch unit {
        case .bytes: return cost > capacity / Self.admittedShare ? .tooLarge : nil
        case .entries: return capacity == 0 ? .tooLarge : nil
        }
    }

    @inline(__always)
    private func cost(of node: UInt32) -> Int { unit == .bytes ? contents.pointee.table.cost(of: node) : 1 }

    /// Evicts, in the order of the policy, until no more than `goal` units are in use.
    @inline(__always)
    private func evict(until goal: Int) {
        while contents.pointee.usage > goal {
            let next = contents.pointee.table.next
            guard next != 0 else { return }
            contents.pointee.table.willEvict(next)
            take(next)
            contents.pointee.evictions &+= 1
            contents.pointee.table.prefetchSecond()
        }
    }

    /// Takes a node's entry out.
    @inline(__always)
    private func take(_ node: UInt32) {
        contents.pointee.usage -= cost(of: node)
        contents.pointee.table.remove(node)
    }

    private func takeAll() {
        contents.pointee.usage = 0
        contents.pointee.table.removeAll()
        publishIndex()
    }

    @inline(never)
    private func grow() {
        contents.pointee.table.grow()
        publishIndex()
    }

    /// Nodes get new numbers, so the recorded hits, which have the old ones, are applied first.
    @inline(never)
    private func shrink() {
        drainAll()
        contents.pointee.table.shrink()
        publishIndex()
    }

    private func publishIndex() { published.pointee.store(contents.pointee.table.index.word, ordering: .releasing) }
}

/// A key's version, for `MemoryTier.promote(_:ticket:)`.
public struct PromotionTicket: Sendable {
    fileprivate let changes: UInt64
}

/// Tells a promotion whether its key changed while it read the disk: a counter of changes for each of 256 groups of
/// keys. A change to another key of the group refuses the promotion, too, which does no harm.
///
/// Invariant: `counters` has `count` counters from `init` to `deinit`.
struct KeyVersions: ~Copyable {
    private let counters: UnsafeMutablePointer<Atomic<UInt64>>
    private static let count = 256

    init() {
        counters = .allocateAlone(count: Self.count)
        for index in 0..<Self.count { (counters + index).initialize(to: Atomic(0)) }
    }

    deinit { counters.deallocateAlone() }

    @inline(__always)
    private func counter(_ hash: KeyHash) -> UnsafeMutablePointer<Atomic<UInt64>> {
        counters + (Int(truncatingIfNeeded: hash.high) & (Self.count &- 1))
    }

    /// A ticket for the key of `hash`.
    func issue(_ hash: KeyHash) -> PromotionTicket {
        PromotionTicket(changes: counter(hash).pointee.load(ordering: .acquiring))
    }

    /// Whether the key was not changed since the ticket was issued.
    func isValid(_ ticket: PromotionTicket, _ hash: KeyHash) -> Bool { issue(hash).changes == ticket.changes }

    /// Counts a change to the key of `hash`. Under the tier's lock.
    @inline(__always)
    func countChange(_ hash: KeyHash) {
        let counter = counter(hash)
        counter.pointee.store(counter.pointee.load(ordering: .relaxed) &+ 1, ordering: .releasing)
    }

    /// Counts a change to every key. Under the tier's lock.
    func countChangeOfAll() {
        for index in 0..<Self.count { countChange(KeyHash(low: 0, high: UInt64(index))) }
    }
}
