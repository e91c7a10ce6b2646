import Platform

extension MemoryTier {
    /// Stores an entry as the most recently used, in place of any other of its key.
    ///
    /// An entry that costs more than 5 % of the capacity is refused, and so is one whose policy is `.notAllowed`; both
    /// still remove what they supersede.
    public func store(_ entry: StoredEntry) -> StoreResult {
        writers.lockSoon()
        defer { writers.unlock() }
        return put(entry)
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
        writers.lockSoon()
        defer { writers.unlock() }
        guard changes.current(entry.hash) == ticket.changes else { return StoreResult(.outdated) }
        return put(entry)
    }

    /// Removes the entry of `key`.
    ///
    /// - Returns: whether there was one.
    @discardableResult
    public func remove(_ key: UnsafeRawBufferPointer, hash: KeyHash) -> Bool {
        writers.lockSoon()
        defer { writers.unlock() }
        changes.bump(hash)
        return exclusively { state in
            let removed = Self.remove(key, hash, from: &state, unit: unit)
            state.table.shrinkIfSparse()
            return removed
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
        removeEach { $0 > moment }
    }

    /// Changes the capacity. Lowering it evicts, least recently used first, until the rest fits; all of that has happened
    /// when this returns. Linear in what is evicted; lookups go on in the meantime.
    ///
    /// - Throws: `CapacityError` when `capacity` is negative.
    public func setCapacity(_ capacity: Int) throws(CapacityError) {
        guard capacity >= 0 else { throw CapacityError(tier: "memory", capacity: capacity) }
        writers.lockSoon()
        defer { writers.unlock() }
        var isDone = false
        while !isDone {
            isDone = exclusively { state in
                let fits = Self.evict(from: &state, until: capacity, unit: unit)
                if fits { state.limit = capacity }
                state.table.shrinkIfSparse()
                return fits
            }
        }
        publish(capacity: capacity)
    }

    // MARK: Under the writers' lock

    private func put(_ entry: StoredEntry) -> StoreResult {
        changes.bump(entry.hash)
        let cost = Self.cost(entry, unit)
        let refusal: StoreResult.Outcome? =
            switch unit {
            case _ where entry.policy == .notAllowed: .notAllowed
            case .bytes where cost > state.pointee.limit / 20: .tooLarge
            case .entries where state.pointee.limit == 0: .tooLarge
            default: nil
            }
        var evictions = 0
        var isDone = false
        while !isDone {
            isDone = exclusively { state in
                _ = entry.withKey { Self.remove($0, entry.hash, from: &state, unit: unit) }
                guard refusal == nil else { return true }
                let before = state.evictions
                let fits = Self.evict(from: &state, until: state.limit - cost, unit: unit)
                evictions += Int(state.evictions - before)
                guard fits else { return false }
                state.used += cost
                state.table.insert(entry)
                state.stores += 1
                return true
            }
        }
        if let refusal {
            state.pointee.refusals += 1
            return StoreResult(refusal)
        }
        return StoreResult(.stored, evictions: evictions)
    }

    private static func cost(_ entry: StoredEntry, _ unit: Unit) -> Int { unit == .bytes ? entry.cost : 1 }

    private static func remove(
        _ key: UnsafeRawBufferPointer, _ hash: KeyHash, from state: inout State, unit: Unit
    ) -> Bool {
        let node = state.table.node(of: key, hash: hash)
        guard node != 0 else { return false }
        retire(node, from: &state, unit: unit)
        return true
    }

    /// Evicts, least recently used first, until no more than `goal` units are in use, or the batch is full.
    ///
    /// - Returns: whether the goal is reached.
    private static func evict(from state: inout State, until goal: Int, unit: Unit) -> Bool {
        while state.used > goal {
            guard state.retiredCount < batch else { return false }
            retire(state.table.recency.oldest, from: &state, unit: unit)
            state.evictions += 1
        }
        return true
    }

    private static func retire(_ node: UInt32, from state: inout State, unit: Unit) {
        guard let entry = state.table.remove(node) else { return }
        state.used -= entry._withUnsafeGuaranteedRef { cost(StoredEntry(storage: $0), unit) }
        state.retired[state.retiredCount] = entry
        state.retiredCount += 1
    }

    private func removeEach(where isToGo: (_ storedAt: Int64) -> Bool) {
        writers.lockSoon()
        defer { writers.unlock() }
        changes.bumpAll()
        // By number and not by recency, which hits go on changing between the batches.
        var node: UInt32 = 1
        var isDone = false
        while !isDone {
            isDone = exclusively { state in
                while node <= state.table.lastNode, state.retiredCount < Self.batch {
                    if let entry = state.table.entry(node), isToGo(entry.storedAt) {
                        Self.retire(node, from: &state, unit: unit)
                    }
                    node += 1
                }
                guard node > state.table.lastNode else { return false }
                state.table.shrinkIfSparse()
                return true
            }
        }
    }
}

/// A moment in the history of a key, for `MemoryTier.promote(_:ticket:)`.
public struct PromotionTicket: Sendable {
    let changes: UInt64
}
