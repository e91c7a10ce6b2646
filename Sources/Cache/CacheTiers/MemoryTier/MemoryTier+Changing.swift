import Platform

extension MemoryTier {
    /// Stores an entry as the most recently used, in place of any other of its key.
    ///
    /// An entry that costs more than 5 % of the capacity is refused, and so is one whose policy is `.notAllowed`; both
    /// still remove what they supersede.
    public func store(_ entry: StoredEntry) -> StoreResult {
        change(releasing: .whenMuch) { put(entry) }
    }

    /// What has to be taken before an entry is looked for on disk, for `promote(_:ticket:)` afterwards.
    ///
    /// Whoever stores or removes has to change the disk first and the memory tier after it, so that a promotion that read
    /// the old record is refused.
    public func promotionTicket(for hash: KeyHash) -> PromotionTicket {
        PromotionTicket(changes: changes.current(hash))
    }

    /// Stores an entry that was read from disk, unless its key was stored, promoted or removed since `ticket` was taken:
    /// an older version never replaces a newer one, and what was removed does not come back.
    public func promote(_ entry: StoredEntry, ticket: PromotionTicket) -> StoreResult {
        change(releasing: .whenMuch) {
            changes.current(entry.hash) == ticket.changes ? put(entry) : StoreResult(.outdated)
        }
    }

    /// Removes the entry of `key`.
    ///
    /// - Returns: whether there was one.
    @discardableResult
    public func remove(_ key: UnsafeRawBufferPointer, hash: KeyHash) -> Bool {
        change(releasing: .ifNobodyReads) {
            changes.bump(hash)
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

    /// Removes everything. Linear in the entries.
    public func removeAll() {
        removeEach { _ in true }
    }

    /// Removes the entries whose `storedAt` is after `moment`. Linear in the entries.
    public func removeAll(since moment: Int64) {
        removeEach { $0.storedAt > moment }
    }

    /// Removes the entries whose keys begin with `prefix`. Linear in the entries.
    package func removeAll(withPrefix prefix: UnsafeRawBufferPointer) {
        removeEach { $0.withKey { $0.starts(with: prefix) } }
    }

    /// Changes the capacity. Lowering it evicts, least recently used first, until the rest fits; all of that has happened
    /// when this returns. Linear in what is evicted; lookups go on in the meantime.
    ///
    /// - Throws: `CapacityError` when `capacity` is negative.
    public func setCapacity(_ capacity: Int) throws(CapacityError) {
        guard capacity >= 0 else { throw CapacityError(tier: "memory", capacity: capacity) }
        change(releasing: .all) {
            evict(until: capacity)
            state.pointee.limit = capacity
            state.pointee.table.shrinkIfSparse()
        }
    }

    /// Which of the entries that were taken out are released at the end of a change.
    private enum Release {
        /// All, before the change returns.
        case all
        /// All, before the change returns, if that takes no waiting: it would for every entry that is removed while others
        /// read, and for long when a reader is interrupted. Else once they are many or large.
        case ifNobodyReads
        /// All, once they are many or large, so that the readers are not waited for every time.
        case whenMuch
    }

    /// Runs `change` under the writers' lock, with every hit so far applied, and releases what it took out when the lock
    /// is free again: giving memory back takes longer than many a change.
    @inline(__always)
    private func change<Result>(releasing release: Release, _ change: () -> Result) -> Result {
        writers.lock()
        drainStripes()
        let result = change()
        publish()
        guard isToBeReleased(release) else {
            writers.unlock()
            return result
        }
        let retired = state.pointee.table.takeRetired()
        let stripes = state.pointee.activeStripes
        writers.unlock()
        settleReaders(of: stripes)
        _ = consume retired
        return result
    }

    // MARK: Under the writers' lock

    private func put(_ entry: StoredEntry) -> StoreResult {
        changes.bump(entry.hash)
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
            // As the most recently used it is not among those who have to go for its successor.
            state.pointee.table.touch(node)
            evict(until: state.pointee.limit - cost + old)
            state.pointee.table.replace(node, by: entry)
            state.pointee.used += cost - old
        } else {
            evict(until: state.pointee.limit - cost)
            state.pointee.used += cost
            state.pointee.table.insert(entry)
        }
        state.pointee.stores += 1
        return StoreResult(.stored, evictions: Int(state.pointee.evictions - before))
    }

    private func refusal(_ entry: StoredEntry, cost: Int) -> StoreResult.Outcome? {
        if entry.policy == .notAllowed { return .notAllowed }
        switch unit {
        case .bytes: return cost > state.pointee.limit / 20 ? .tooLarge : nil
        case .entries: return state.pointee.limit == 0 ? .tooLarge : nil
        }
    }

    private func cost(_ entry: StoredEntry) -> Int { unit == .bytes ? entry.cost : 1 }

    /// Evicts, least recently used first, until no more than `goal` units are in use.
    @inline(__always)
    private func evict(until goal: Int) {
        while state.pointee.used > goal, state.pointee.table.recency.oldest != 0 {
            take(state.pointee.table.recency.oldest)
            state.pointee.evictions += 1
        }
    }

    /// Takes a node's entry out.
    private func take(_ node: UInt32) {
        state.pointee.used -= unit == .bytes ? state.pointee.table.cost(of: node) : 1
        state.pointee.table.remove(node)
    }

    private func isToBeReleased(_ release: Release) -> Bool {
        guard !state.pointee.table.retired.isEmpty else { return false }
        return switch release {
        case .all: true
        case .ifNobodyReads: isMuchRetired || isFreeOfReaders(state.pointee.activeStripes)
        case .whenMuch: isMuchRetired
        }
    }

    /// Whether it is time to release: what is retired is not counted any more, but still there.
    private var isMuchRetired: Bool {
        state.pointee.table.retired.count >= Self.batch
            || state.pointee.table.retired.byteCount > state.pointee.limit / 100
    }

    private func removeEach(where isToGo: (StoredEntry) -> Bool) {
        change(releasing: .all) {
            changes.bumpAll()
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
    let changes: UInt64
}
