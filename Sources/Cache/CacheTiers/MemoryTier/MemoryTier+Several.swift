// Invariant of the pointers: of an owner whose lock is not held, only the lock and the atomics of its face are used.

import CSupport
import Platform

/// The state of a change by one of several owners.
enum Step<Result> {
    case done(Result)
    /// It is done, and the index is to be resized.
    case doneSparse(Result)
    /// It concerns an entry of another owner, and goes on with that one.
    case ofOwner(Int)
    /// The owner's part in the index is used up.
    case full
    /// It has to wait for another thread.
    case blocked
}

/// Changes by one of several owners. They lock the buckets of a key from the moment in which they know what becomes of it
/// until that is done, and count the change of its ticket in the meantime, so that a promotion comes before or after it.
extension MemoryTier {
    /// Runs `change` under the lock of the thread's owner, which is taken, then under that of another as long as it asks for
    /// one, with the hits so far applied.
    @inline(__always)
    private func changeBesideOthers<Result>(
        _ first: UnsafeMutablePointer<EntryOwner>, releasing release: Release, _ giving: Giving, stripe: Int,
        _ change: (UnsafeMutablePointer<EntryOwner>) -> Step<Result>
    ) -> Result {
        var owner = first
        var backoff = SpinBackoff()
        while true {
            owner.pointee.table.now = cs_ticks()
            drainBoxes(of: owner, number: owner.pointee.number, own: stripe)
            let step = change(owner)
            returnSpare(of: owner)
            owner.publish()
            switch step {
            case .done(let result):
                unlockAndRelease(owner, release, giving, stripe: stripe)
                return result
            case .doneSparse(let result):
                unlockAndRelease(owner, release, giving, stripe: stripe)
                changeAll(giving) { _ in resizeIndex() }
                return result
            case .ofOwner(let number):
                owner.face.pointee.lock.unlock()
                owner = self.owner(number)
            case .full:
                owner.face.pointee.lock.unlock()
                changeAll(giving) { _ in resizeIndex() }
            case .blocked:
                owner.face.pointee.lock.unlock()
                backoff.wait()
            }
            if !owner.face.pointee.lock.tryLock() {
                owner.face.pointee.lock.lock()
                owner.noteOthers()
            }
        }
    }

    /// Stores or promotes an entry, by the thread's owner, which is locked.
    @inline(never)
    func putBesideOthers(
        _ entry: StoredEntry, ticket: PromotionTicket?, _ owner: UnsafeMutablePointer<EntryOwner>, _ giving: Giving,
        stripe: Int
    ) -> StoreResult {
        var evicted = 0
        owner.pointee.table.index.prefetchToChange(EntryIndex.tag(entry.hash))
        return changeBesideOthers(owner, releasing: .whenMuch, giving, stripe: stripe) {
            put(entry, ticket: ticket, $0, stripe: stripe, &evicted)
        }
    }

    /// Removes the entry of a key, by the thread's owner, which is locked.
    @inline(never)
    func removeBesideOthers(
        _ key: UnsafeRawBufferPointer, hash: KeyHash, _ owner: UnsafeMutablePointer<EntryOwner>, _ giving: Giving,
        stripe: Int
    ) -> Bool {
        changeBesideOthers(owner, releasing: .ifNoReaders, giving, stripe: stripe) {
            remove(key, hash: hash, ticket: nil, $0).map { $0 ?? false }
        }
    }

    private func isValid(
        _ ticket: PromotionTicket, _ hash: KeyHash, _ owner: UnsafeMutablePointer<EntryOwner>
    ) -> Bool {
        tickets.isValid(ticket, hash, owner.pointee.owners)
    }

    /// - Parameter evicted: counts the entries that were evicted for it, in all steps.
    private func put(
        _ entry: StoredEntry, ticket: PromotionTicket?, _ owner: UnsafeMutablePointer<EntryOwner>, stripe: Int,
        _ evicted: inout Int
    ) -> Step<StoreResult> {
        if let ticket, !isValid(ticket, entry.hash, owner) { return .done(StoreResult(.outdated)) }
        let (hash, cost) = (entry.hash, cost(entry))
        let (index, tag) = (owner.pointee.table.index, EntryIndex.tag(hash))
        if let refusal = refusal(entry, cost: cost, limit: owner.pointee.limit) {
            let step = entry.withKey { remove($0, hash: hash, ticket: ticket, owner) }
            return step.map { isInTime in
                guard isInTime != nil else { return StoreResult(.outdated) }
                owner.pointee.refusals += 1
                return StoreResult(refusal)
            }
        }
        if index.mayContain(tag) {
            let buckets = entry.withKey { index.locked($0, tag: tag) }
            let found = buckets.found?.entry._withUnsafeGuaranteedRef { ($0.owner, $0.node) }
            buckets.unlock()
            if let (number, node) = found {
                guard number == owner.pointee.number else { return .ofOwner(number) }
                return replace(node, by: entry, cost: cost, ticket: ticket, owner, stripe: stripe, &evicted)
            }
        }
        guard owner.pointee.table.count < owner.pointee.table.ceiling || owner.pointee.table.makeRoom() else {
            return .full
        }
        guard makeRoom(for: cost, in: owner, stripe: stripe, keeping: 0, &evicted) else { return .blocked }
        let entered = owner.pointee.table.enter(entry, stripe: stripe)
        var buckets = entry.withKey { index.locked($0, tag: tag) }
        guard buckets.found == nil, ticket.map({ isValid($0, hash, owner) }) ?? true else {
            buckets.unlock()
            owner.pointee.table.takeBack(entered)
            return .ofOwner(owner.pointee.number)
        }
        tickets.countChange(hash, by: owner.pointee.number)
        // A promotion that has to begin again is refused by its own count: that costs one promotion.
        guard buckets.insert(entered.resident.entry) else {
            owner.pointee.table.takeBack(entered)
            return .blocked
        }
        owner.pointee.table.link(entered, size: cost)
        owner.pointee.used += cost
        owner.pointee.stores &+= 1
        let result = StoreResult(.stored, evictions: evicted)
        return evicted > 1 && owner.pointee.table.count < owner.pointee.table.least
            ? .doneSparse(result) : .done(result)
    }

    /// Puts an entry in the place of another of its key, which the owner has.
    private func replace(
        _ node: UInt32, by entry: StoredEntry, cost: Int, ticket: PromotionTicket?,
        _ owner: UnsafeMutablePointer<EntryOwner>, stripe: Int, _ evicted: inout Int
    ) -> Step<StoreResult> {
        let old = unit == .bytes ? owner.pointee.table.cost(of: node) : 1
        owner.pointee.table.touchStamped(node)
        guard makeRoom(for: cost - old, in: owner, stripe: stripe, keeping: node, &evicted) else { return .blocked }
        let index = owner.pointee.table.index
        let isReplaced = owner.pointee.table.replace(node, by: entry, size: cost, stripe: stripe) { old, new in
            let buckets = index.locked(old.entry, tag: old.tag)
            guard ticket.map({ isValid($0, entry.hash, owner) }) ?? true else {
                buckets.unlock()
                return false
            }
            tickets.countChange(entry.hash, by: owner.pointee.number)
            buckets.replace(by: new.entry)
            return true
        }
        guard isReplaced else { return .done(StoreResult(.outdated)) }
        owner.pointee.used += cost - old
        owner.pointee.stores &+= 1
        return .done(StoreResult(.stored, evictions: evicted))
    }

    /// Removes the entry of a key, unless the ticket has become invalid.
    ///
    /// - Returns: whether there was one; `nil` for an invalid ticket.
    private func remove(
        _ key: UnsafeRawBufferPointer, hash: KeyHash, ticket: PromotionTicket?,
        _ owner: UnsafeMutablePointer<EntryOwner>
    ) -> Step<Bool?> {
        let buckets = owner.pointee.table.index.locked(key, tag: EntryIndex.tag(hash))
        guard ticket.map({ isValid($0, hash, owner) }) ?? true else {
            buckets.unlock()
            return .done(nil)
        }
        guard let found = buckets.found else {
            tickets.countChange(hash, by: owner.pointee.number)
            buckets.unlock()
            return .done(false)
        }
        let (number, node) = found.entry._withUnsafeGuaranteedRef { ($0.owner, $0.node) }
        guard number == owner.pointee.number, let resident = owner.pointee.table.resident(node) else {
            buckets.unlock()
            return .ofOwner(number)
        }
        tickets.countChange(hash, by: owner.pointee.number)
        owner.pointee.used -= unit == .bytes ? owner.pointee.table.cost(of: node) : 1
        owner.pointee.table.unlink(node, resident, steps: buckets.remove())
        return owner.pointee.table.count < owner.pointee.table.least ? .doneSparse(true) : .done(true)
    }
}

extension Step {
    @inline(__always)
    fileprivate func map<Other>(_ change: (Result) -> Other) -> Step<Other> {
        switch self {
        case .done(let result): .done(change(result))
        case .doneSparse(let result): .doneSparse(change(result))
        case .ofOwner(let number): .ofOwner(number)
        case .full: .full
        case .blocked: .blocked
        }
    }
}
