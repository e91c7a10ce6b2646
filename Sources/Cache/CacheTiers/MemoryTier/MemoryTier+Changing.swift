// Invariant of the pointers: an owner is used while its lock is held, or those of all owners.

import Platform
import Synchronization

extension MemoryTier {
    /// Stores an entry as the most recently used, in place of any other of its key.
    ///
    /// An entry that costs more than 5 % of the capacity is refused, and so is one whose policy is `.notAllowed`; both
    /// still remove the entry that they supersede.
    public func store(_ entry: StoredEntry) -> StoreResult { store(entry, .back) }

    @inline(__always)
    func store(_ entry: StoredEntry, _ giving: Giving) -> StoreResult {
        let stripe = threadStripe
        let owner = lockedOwner(of: stripe, giving)
        if owner.pointee.isShared { return putBesideOthers(entry, ticket: nil, owner, giving, stripe: stripe) }
        return change(owner, releasing: .whenMuch, giving, stripe: stripe) { put(entry, owner, stripe: stripe) }
    }

    /// Issues a ticket before an entry is looked for on disk, for `promote(_:ticket:)` afterwards.
    ///
    /// A store or a removal has to change the disk first and the memory tier after it, so that a promotion that read the
    /// old record is refused.
    public func promotionTicket(for hash: KeyHash) -> PromotionTicket {
        tickets.issue(hash, ownerNumbers)
    }

    /// Stores an entry that was read from disk, unless its key was stored, promoted or removed since `ticket` was issued:
    /// an older version never replaces a newer one, and a removed entry does not come back.
    public func promote(_ entry: StoredEntry, ticket: PromotionTicket) -> StoreResult {
        promote(entry, ticket: ticket, .back)
    }

    @inline(__always)
    func promote(_ entry: StoredEntry, ticket: PromotionTicket, _ giving: Giving) -> StoreResult {
        let stripe = threadStripe
        let owner = lockedOwner(of: stripe, giving)
        if owner.pointee.isShared { return putBesideOthers(entry, ticket: ticket, owner, giving, stripe: stripe) }
        return change(owner, releasing: .whenMuch, giving, stripe: stripe) {
            tickets.isValid(ticket, entry.hash, owner.pointee.owners)
                ? put(entry, owner, stripe: stripe) : StoreResult(.outdated)
        }
    }

    /// Removes the entry of `key`.
    ///
    /// - Returns: whether there was one.
    @discardableResult
    public func remove(_ key: UnsafeRawBufferPointer, hash: KeyHash) -> Bool { remove(key, hash: hash, .back) }

    @inline(__always)
    func remove(_ key: UnsafeRawBufferPointer, hash: KeyHash, _ giving: Giving) -> Bool {
        let stripe = threadStripe
        let owner = lockedOwner(of: stripe, giving)
        if owner.pointee.isShared { return removeBesideOthers(key, hash: hash, owner, giving, stripe: stripe) }
        return change(owner, releasing: .ifNoReaders, giving, stripe: stripe) {
            tickets.countChange(hash, by: 0)
            guard let node = owner.pointee.table.node(of: key, hash: hash) else { return false }
            take(node, of: owner)
            if owner.pointee.table.count < owner.pointee.table.least { shrink(owner) }
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
    public func removeAll() { removeAll(.back) }

    func removeAll(_ giving: Giving) {
        changeAll(giving) { _ in
            tickets.countChangeOfAll()
            takeAll()
        }
    }

    /// Removes the entries whose `storedAt` is after `moment`. Linear in the entries.
    public func removeAll(since moment: Int64) { removeAll(since: moment, .back) }

    func removeAll(since moment: Int64, _ giving: Giving) {
        removeEach(giving) { $0.storedAt > moment }
    }

    /// Removes the entries whose keys begin with `prefix`. Linear in the entries.
    package func removeAll(withPrefix prefix: UnsafeRawBufferPointer) { removeAll(withPrefix: prefix, .back) }

    func removeAll(withPrefix prefix: UnsafeRawBufferPointer, _ giving: Giving) {
        removeEach(giving) { $0.withKey { $0.starts(with: prefix) } }
    }

    /// Changes the capacity. Lowering it evicts, in the order of the policy, until the rest fits; all of that has happened
    /// when this returns; of more than 4,096 entries another thread frees the memory. Linear in the evicted entries unless
    /// all are (0 with the default policy); lookups go on in the meantime.
    ///
    /// - Throws: `CapacityError` when `capacity` is negative.
    public func setCapacity(_ capacity: Int) throws(CapacityError) {
        guard capacity >= 0 else { throw CapacityError(tier: "memory", capacity: capacity) }
        changeAll { owners in
            if capacity == 0, policy == .leastRecentlyUsed {
                owners.forEach { owner($0).pointee.evictions += UInt64(owner($0).pointee.table.count) }
                takeAll()
            } else {
                evict(from: owners, until: capacity)
            }
            owners.forEach { owner($0).pointee.limit = capacity }
            totals.pointee.capacity.store(capacity, ordering: .releasing)
            divideUnits()
            resizeIndex()
        }
    }

    private func evict(from owners: StripeSet, until goal: Int) {
        var used = 0
        owners.forEach { used += owner($0).pointee.used }
        while used > goal {
            var oldest = owner(0)
            owners.forEach {
                if owner($0).pointee.table.oldestStamp < oldest.pointee.table.oldestStamp { oldest = owner($0) }
            }
            let before = oldest.pointee.used
            guard evictNext(of: oldest) else { return }
            used -= before - oldest.pointee.used
        }
    }

    private func removeEach(_ giving: Giving, where isToGo: (StoredEntry) -> Bool) {
        changeAll(giving) { owners in
            tickets.countChangeOfAll()
            owners.forEach { number in
                let owner = owner(number)
                var node: UInt32 = 0
                while node < owner.pointee.table.lastNode {
                    node += 1
                    if let entry = owner.pointee.table.entry(node), isToGo(entry) { take(node, of: owner) }
                }
            }
            divideUnits()
            resizeIndex()
        }
    }
}

/// Changes by one owner.
extension MemoryTier {
    /// When entries that were taken out are released.
    enum Release {
        /// All of the owner, before the change returns, if no reader is inside: else a removal would wait, and for long when
        /// a reader is interrupted. Otherwise as `whenMuch`.
        case ifNoReaders
        /// Those of the thread's stripe, once they are many or large, so that the readers are not waited for every time; all
        /// of the owner, when they are too many because other threads that stored them are idle.
        case whenMuch
    }

    /// Where they go: an object that is attached to one may do anything when it is released.
    enum Giving {
        /// Back to the allocator.
        case back
        /// To `releaseHeld`, since the caller holds a lock.
        case toHold
    }

    /// Releases what changes with `Giving.toHold` took out. The caller holds no lock.
    @inline(__always)
    func releaseHeld() { background.releaseHeld() }

    /// Runs `change` with the hits so far applied to the only owner, which is locked, and releases what it took out when the
    /// lock is free again: giving memory back takes longer than many a change.
    @inline(__always)
    private func change<Result>(
        _ owner: UnsafeMutablePointer<EntryOwner>, releasing release: Release, _ giving: Giving, stripe: Int,
        _ change: () -> Result
    ) -> Result {
        drainBoxes(of: owner, number: 0, own: stripe)
        let result = change()
        owner.publishFigures()
        unlockAndRelease(owner, release, giving, stripe: stripe)
        return result
    }

    /// Unlocks an owner, and releases what is due.
    @inline(__always)
    func unlockAndRelease(
        _ owner: UnsafeMutablePointer<EntryOwner>, _ release: Release, _ giving: Giving, stripe: Int
    ) {
        let share = shareToRelease(owner, release, stripe)
        guard share != .none else { return owner.face.pointee.lock.unlock() }
        let retired =
            share == .all ? owner.pointee.table.retired.takeAll() : owner.pointee.table.retired.take(of: stripe)
        let stripes = owner.pointee.activeStripes
        owner.face.pointee.lock.unlock()
        waitForReaders(of: stripes, releasing: retired.filter)
        if giving == .toHold {
            background.hold(retired)
        } else if share == .all {
            retired.release(by: background)
        } else {
            _ = consume retired
        }
    }

    /// Which retired entries to release now.
    private enum Share {
        case none, ofStripe, all
    }

    @inline(__always)
    private func shareToRelease(_ owner: UnsafeMutablePointer<EntryOwner>, _ release: Release, _ stripe: Int) -> Share {
        guard !owner.pointee.table.retired.isEmpty else { return .none }
        if hasTooManyRetired(owner) { return .all }
        if release == .ifNoReaders, isFreeOfReaders(owner.pointee.activeStripes) { return .all }
        let isMuch =
            owner.pointee.table.retired.count(of: stripe) >= Self.batch
            || owner.pointee.table.retired.byteCount(of: stripe) &* owner.pointee.activeStripes.divisor
                > owner.pointee.limit
        return isMuch ? .ofStripe : .none
    }

    /// Whether entries of other threads have to be released, too.
    ///
    /// Retired entries are not counted any more, but still in memory: for each stripe at most a hundredth of the
    /// capacity, and a sixteenth for all whose threads store. The entries of idle threads are freed by others at a
    /// twelfth: rarely, because the allocator makes threads wait that free each other's blocks.
    @inline(__always)
    func hasTooManyRetired(_ owner: UnsafeMutablePointer<EntryOwner>) -> Bool {
        owner.pointee.table.retired.count >= Self.batch &* stripeCount
            || owner.pointee.table.retired.byteCount &* owner.pointee.retiredDivisor > owner.pointee.limit
    }
}

/// Changes by the only owner, which is locked.
extension MemoryTier {
    private func put(_ entry: StoredEntry, _ owner: UnsafeMutablePointer<EntryOwner>, stripe: Int) -> StoreResult {
        tickets.countChange(entry.hash, by: 0)
        let cost = cost(entry)
        let node = entry.withKey { owner.pointee.table.node(of: $0, hash: entry.hash) }
        if let refusal = refusal(entry, cost: cost, limit: owner.pointee.limit) {
            if let node { take(node, of: owner) }
            owner.pointee.refusals += 1
            return StoreResult(refusal)
        }
        let before = owner.pointee.evictions
        if let node {
            let old = unit == .bytes ? owner.pointee.table.cost(of: node) : 1
            owner.pointee.table.holdBack(node)
            evict(from: owner, until: owner.pointee.allotted - cost + old)
            let index = owner.pointee.table.index
            _ = owner.pointee.table.replace(node, by: entry, size: cost, stripe: stripe) {
                index.replace($0.entry, by: $1.entry, tag: $0.tag)
                return true
            }
            owner.pointee.used += cost - old
        } else {
            evict(from: owner, until: owner.pointee.allotted - cost)
            owner.pointee.used += cost
            if owner.pointee.table.count == owner.pointee.table.ceiling { makeRoom(owner) }
            owner.pointee.table.insert(entry, size: cost, stripe: stripe)
        }
        owner.pointee.stores &+= 1
        let evictions = Int(owner.pointee.evictions - before)
        if evictions > 1, owner.pointee.table.count < owner.pointee.table.least { shrink(owner) }
        return StoreResult(.stored, evictions: evictions)
    }

    /// Makes index and table smaller. Nodes get other numbers, so all hits that wait with the old ones are applied before.
    @inline(never)
    private func shrink(_ owner: UnsafeMutablePointer<EntryOwner>) {
        drainAll(owner.pointee.owners)
        resizeIndex()
    }

    @inline(never)
    private func makeRoom(_ owner: UnsafeMutablePointer<EntryOwner>) {
        if owner.pointee.table.makeRoom() { return }
        resizeIndex()
        _ = owner.pointee.table.makeRoom()
    }

    @inline(__always)
    func refusal(_ entry: StoredEntry, cost: Int, limit: Int) -> StoreResult.Outcome? {
        if entry.policy == .notAllowed { return .notAllowed }
        switch unit {
        case .bytes: return cost > limit / Self.admittedShare ? .tooLarge : nil
        case .entries: return limit == 0 ? .tooLarge : nil
        }
    }

    @inline(__always)
    func cost(_ entry: StoredEntry) -> Int { unit == .bytes ? entry.cost : 1 }

    /// Evicts, in the order of the policy, until no more than `goal` units are in use.
    @inline(__always)
    private func evict(from owner: UnsafeMutablePointer<EntryOwner>, until goal: Int) {
        while owner.pointee.used > goal {
            guard evictNext(of: owner) else { return }
            owner.pointee.table.prefetchSecond()
        }
    }

    /// Evicts the next entry, of the only owner, or while all are locked.
    @inline(__always)
    private func evictNext(of owner: UnsafeMutablePointer<EntryOwner>) -> Bool {
        let next = owner.pointee.table.next
        guard next != 0 else { return false }
        owner.pointee.table.willEvict(next)
        take(next, of: owner)
        owner.pointee.evictions &+= 1
        return true
    }

    /// Takes a node's entry out, of the only owner, or while all are locked.
    @inline(__always)
    private func take(_ node: UInt32, of owner: UnsafeMutablePointer<EntryOwner>) {
        owner.pointee.used -= unit == .bytes ? owner.pointee.table.cost(of: node) : 1
        owner.pointee.table.remove(node)
    }
}
