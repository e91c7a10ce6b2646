import Platform
import Synchronization

extension MemoryTier {
    /// Stores an entry as the most recently used, in place of any other of its key.
    ///
    /// An entry that costs more than 5 % of the capacity is refused, and so is one whose policy is `.notAllowed`; both
    /// still remove the entry that they supersede.
    public func store(_ entry: StoredEntry) -> StoreResult {
        change(releasing: .whenMuch) { put(entry, stripe: $0) }
    }

    /// Issues a ticket before an entry is looked for on disk, for `promote(_:ticket:)` afterwards.
    ///
    /// A store or a removal has to change the disk first and the memory tier after it, so that a promotion that read the
    /// old record is refused.
    public func promotionTicket(for hash: KeyHash) -> PromotionTicket { tickets.issue(hash) }

    /// Stores an entry that was read from disk, unless its key was stored, promoted or removed since `ticket` was issued:
    /// an older version never replaces a newer one, and a removed entry does not come back.
    public func promote(_ entry: StoredEntry, ticket: PromotionTicket) -> StoreResult {
        change(releasing: .whenMuch) { stripe in
            tickets.isValid(ticket, entry.hash) ? put(entry, stripe: stripe) : StoreResult(.outdated)
        }
    }

    /// Removes the entry of `key`.
    ///
    /// - Returns: whether there was one.
    @discardableResult
    public func remove(_ key: UnsafeRawBufferPointer, hash: KeyHash) -> Bool {
        change(releasing: .ifNoReaders) { _ in
            tickets.countChange(hash)
            guard let node = state.pointee.table.node(of: key, hash: hash) else { return false }
            take(node)
            state.pointee.table.shrinkIfSparse()
            return true
        }
    }

    /// Removes the entry of `key`; see `remove(_:hash:)`.
    @discardableResult
    public func remove(_ key: CacheKey) -> Bool {
        key.withBytes { remove($0, hash: key.hash) }
    }

    /// Removes everything; nothing is found or counted any more when this returns.
    ///
    /// - Complexity: O(1) for more than 4,096 entries: another thread frees their memory, in some seconds for ten million.
    ///   If as many are removed again before that has ended, this call ends it.
    public func removeAll() {
        change(releasing: .all) { _ in
            tickets.countChangeOfAll()
            takeAll()
        }
    }

    /// Removes the entries whose `storedAt` is after `moment`. Linear in the entries.
    public func removeAll(since moment: Int64) {
        removeEach { $0.storedAt > moment }
    }

    /// Removes the entries whose keys begin with `prefix`. Linear in the entries.
    package func removeAll(withPrefix prefix: UnsafeRawBufferPointer) {
        removeEach { $0.withKey { $0.starts(with: prefix) } }
    }

    /// Changes the capacity. Lowering it evicts, in the order of the policy, until the rest fits; all of that has happened
    /// when this returns; of more than 4,096 entries another thread frees the memory. Linear in the evicted entries unless
    /// all are (0 with the default policy); lookups go on in the meantime.
    ///
    /// - Throws: `CapacityError` when `capacity` is negative.
    public func setCapacity(_ capacity: Int) throws(CapacityError) {
        guard capacity >= 0 else { throw CapacityError(tier: "memory", capacity: capacity) }
        change(releasing: .all) { _ in
            if capacity == 0, policy == .leastRecentlyUsed {
                state.pointee.evictions += UInt64(state.pointee.table.count)
                takeAll()
            } else {
                evict(until: capacity)
            }
            state.pointee.limit = capacity
            state.pointee.table.shrinkIfSparse()
        }
    }

    /// When entries that were taken out are released.
    private enum Release {
        /// All, before the change returns.
        case all
        /// All, before the change returns, if no reader is inside: else a removal would wait, and for long when a reader is
        /// interrupted. Otherwise as `whenMuch`.
        case ifNoReaders
        /// Those of the thread's stripe, once they are many or large, so that the readers are not waited for every time; all,
        /// when they are too many because other threads that stored them are idle.
        case whenMuch
    }

    /// Runs `change` under the writers' lock, with the hits so far applied, and releases what it took out when the lock
    /// is free again: giving memory back takes longer than many a change.
    ///
    /// - Parameter change: gets the thread's stripe.
    @inline(__always)
    private func change<Result>(releasing release: Release, _ change: (_ stripe: Int) -> Result) -> Result {
        let stripe = threadStripe
        writers.lock()
        if release == .all { drainAllStripes() } else { drainStripes(own: stripe) }
        let result = change(stripe)
        publish()
        let share = shareToRelease(release, stripe)
        guard share != .none else {
            writers.unlock()
            return result
        }
        let state = state
        let retired =
            share == .all ? state.pointee.table.retired.takeAll() : state.pointee.table.retired.take(of: stripe)
        let stripes = state.pointee.activeStripes
        writers.unlock()
        waitForReaders(of: stripes, releasing: retired.filter)
        if share == .all { retired.release(by: background) } else { _ = consume retired }
        return result
    }

    // MARK: Under the writers' lock

    private func put(_ entry: StoredEntry, stripe: Int) -> StoreResult {
        tickets.countChange(entry.hash)
        let cost = cost(entry)
        let node = entry.withKey { state.pointee.table.node(of: $0, hash: entry.hash) }
        if let refusal = refusal(entry, cost: cost) {
            if let node { take(node) }
            state.pointee.refusals += 1
            return StoreResult(refusal)
        }
        let before = state.pointee.evictions
        if let node {
            let old = unit == .bytes ? state.pointee.table.cost(of: node) : 1
            state.pointee.table.holdBack(node)
            evict(until: state.pointee.limit - cost + old)
            state.pointee.table.replace(node, by: entry, size: cost, stripe: stripe)
            state.pointee.used += cost - old
        } else {
            evict(until: state.pointee.limit - cost)
            state.pointee.used += cost
            state.pointee.table.insert(entry, size: cost, stripe: stripe)
        }
        state.pointee.stores &+= 1
        return StoreResult(.stored, evictions: Int(state.pointee.evictions - before))
    }

    private func refusal(_ entry: StoredEntry, cost: Int) -> StoreResult.Outcome? {
        if entry.policy == .notAllowed { return .notAllowed }
        switch unit {
        case .bytes: return cost > state.pointee.limit / Self.admittedShare ? .tooLarge : nil
        case .entries: return state.pointee.limit == 0 ? .tooLarge : nil
        }
    }

    private func cost(_ entry: StoredEntry) -> Int { unit == .bytes ? entry.cost : 1 }

    /// Evicts, in the order of the policy, until no more than `goal` units are in use.
    @inline(__always)
    private func evict(until goal: Int) {
        while state.pointee.used > goal {
            let next = state.pointee.table.next
            guard next != 0 else { return }
            state.pointee.table.willEvict(next)
            take(next)
            state.pointee.evictions &+= 1
            state.pointee.table.prefetchSecond()
        }
    }

    /// Takes a node's entry out.
    private func take(_ node: UInt32) {
        state.pointee.used -= unit == .bytes ? state.pointee.table.cost(of: node) : 1
        state.pointee.table.remove(node)
    }

    /// Takes everything out.
    private func takeAll() {
        state.pointee.used = 0
        state.pointee.table.removeAll()
    }

    /// Which retired entries to release now.
    private enum Share {
        case none, ofStripe, all
    }

    @inline(__always)
    private func shareToRelease(_ release: Release, _ stripe: Int) -> Share {
        let state = state
        guard !state.pointee.table.retired.isEmpty else { return .none }
        switch release {
        case .all: return .all
        case .ifNoReaders where isFreeOfReaders(state.pointee.activeStripes): return .all
        case .ifNoReaders, .whenMuch: break
        }
        // Retired entries are not counted any more, but still in memory: for each stripe at most a hundredth of the
        // capacity, and a sixteenth for all whose threads store. The entries of idle threads are freed by others at a
        // twelfth: rarely, because the allocator makes threads wait that free each other's blocks.
        let limit = state.pointee.limit
        if state.pointee.table.retired.count >= Self.batch &* stripeCount
            || state.pointee.table.retired.byteCount &* 12 > limit
        {
            return .all
        }
        let isMuch =
            state.pointee.table.retired.count(of: stripe) >= Self.batch
            || state.pointee.table.retired.byteCount(of: stripe) &* state.pointee.activeStripes.divisor > limit
        return isMuch ? .ofStripe : .none
    }

    private func removeEach(where isToGo: (StoredEntry) -> Bool) {
        change(releasing: .all) { _ in
            tickets.countChangeOfAll()
            var node: UInt32 = 0
            while node < state.pointee.table.lastNode {
                node += 1
                if let entry = state.pointee.table.entry(node), isToGo(entry) { take(node) }
            }
            state.pointee.table.shrinkIfSparse()
        }
    }
}

/// A moment in the history of a key, for `MemoryTier.promote(_:ticket:)`.
public struct PromotionTicket: Sendable {
    fileprivate let changes: UInt64
}

/// Tells a promotion whether its key was changed since it began to read from disk: a counter of changes for each of 256
/// groups of keys. A change to another key of the group refuses the promotion too; that costs one promotion.
///
/// Invariant: `count` initialised counters are at `counters`, from `init` to `deinit`.
struct PromotionTickets: ~Copyable {
    private let counters: UnsafeMutablePointer<Atomic<UInt64>>
    private static let count = 256

    init() {
        counters = .allocate(capacity: Self.count)
        for index in 0..<Self.count { (counters + index).initialize(to: Atomic(0)) }
    }

    deinit {
        counters.deinitialize(count: Self.count)
        counters.deallocate()
    }

    private func counter(_ hash: KeyHash) -> UnsafeMutablePointer<Atomic<UInt64>> {
        counters + Int(truncatingIfNeeded: hash.high) & (Self.count - 1)
    }

    /// A ticket for the key of `hash`.
    func issue(_ hash: KeyHash) -> PromotionTicket {
        PromotionTicket(changes: counter(hash).pointee.load(ordering: .acquiring))
    }

    /// Whether the key was not changed since the ticket was issued.
    func isValid(_ ticket: PromotionTicket, _ hash: KeyHash) -> Bool {
        counter(hash).pointee.load(ordering: .acquiring) == ticket.changes
    }

    /// Counts a change to the key of `hash`. One thread at a time.
    func countChange(_ hash: KeyHash) {
        let counter = counter(hash)
        counter.pointee.store(counter.pointee.load(ordering: .relaxed) &+ 1, ordering: .releasing)
    }

    /// Counts a change to every key. One thread at a time.
    func countChangeOfAll() {
        for index in 0..<Self.count { countChange(KeyHash(low: 0, high: UInt64(index))) }
    }
}
