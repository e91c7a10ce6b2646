// Invariant of the pointers: of an owner whose lock is not held, only the lock and the atomics of its face are used.

import Platform
import Synchronization

/// Room for an entry beside other owners. Units that none uses are in `pool`. A thread that sees no other at work evicts
/// the entry that is oldest in all owners; one that does looks at the others at every sixteenth eviction, and evicts there
/// only what is older by a thirty-second than its own oldest entry: so it rarely reads what others write.
extension MemoryTier {
    /// Evictions between two looks at others that are at work.
    private static var evictionsBetweenLooks: Int { 16 }

    /// Has the owner hold as many unused units as an entry needs.
    ///
    /// - Parameters:
    ///   - need: the units that it needs, more than it has.
    ///   - node: is not evicted; 0 for none.
    /// - Returns: false if it has to wait for a thread that has locked another owner.
    @inline(__always)
    func makeRoom(
        for need: Int, in owner: UnsafeMutablePointer<EntryOwner>, stripe: Int, keeping node: UInt32,
        _ evicted: inout Int
    ) -> Bool {
        while true {
            let missing = owner.pointee.used + need - owner.pointee.allotted
            guard missing > 0 else { return true }
            if takeUnits(missing, from: pool, for: owner) { continue }
            let next = owner.pointee.table.next
            let hasOwn = next != 0 && next != node
            if let (other, isMuchOlder) = ownerToEvictFrom(owner, hasOwn: hasOwn, stripe: stripe) {
                let isTaken = takeRoom(from: other, for: owner, hasOwn: hasOwn, stripe: stripe, &evicted)
                if isTaken == true { continue }
                // A thread that was interrupted in a change has to go on before the order is lost.
                if isTaken == nil, isMuchOlder {
                    owner.pointee.busyEvictions &+= 1
                    return false
                }
            }
            guard hasOwn else { return false }
            owner.pointee.used -= evictNextBesideOthers(of: owner)
            owner.pointee.evictions &+= 1
            evicted &+= 1
            owner.pointee.table.prefetchSecond()
        }
    }

    @inline(__always)
    private func takeUnits(
        _ most: Int, from pool: UnsafeMutablePointer<Atomic<Int>>, for owner: UnsafeMutablePointer<EntryOwner>
    ) -> Bool {
        var left = pool.pointee.load(ordering: .relaxed)
        while left > 0 {
            let taken = min(left, most)
            let (exchanged, original) = pool.pointee.compareExchange(
                expected: left, desired: left - taken, ordering: .acquiringAndReleasing)
            if exchanged {
                owner.pointee.allotted += taken
                return true
            }
            left = original
        }
        return false
    }

    /// Gives unused units back for others: all, or while others are at work as much as they will not miss.
    @inline(__always)
    func returnSpare(of owner: UnsafeMutablePointer<EntryOwner>) {
        let spare = owner.pointee.allotted - owner.pointee.used
        guard spare > 0, owner.pointee.busyEvictions == 0 || spare > owner.pointee.limit >> 7 else { return }
        owner.pointee.allotted = owner.pointee.used
        pool.pointee.wrappingAdd(spare, ordering: .acquiringAndReleasing)
    }

    /// Takes the next entry out to which an owner leads.
    ///
    /// - Returns: its cost.
    @inline(__always)
    private func evictNextBesideOthers(of owner: UnsafeMutablePointer<EntryOwner>) -> Int {
        let next = owner.pointee.table.next
        guard let resident = owner.pointee.table.resident(next) else { return 0 }
        let cost = unit == .bytes ? owner.pointee.table.cost(of: next) : 1
        let buckets = owner.pointee.table.index.locked(resident.entry, tag: resident.tag)
        owner.pointee.table.unlink(next, resident, steps: buckets.remove())
        return cost
    }

    // MARK: Other owners

    /// Another owner whose next entry is older than those of all others, or that has units to spare; `nil` if the owner's own
    /// next entry is to go.
    @inline(__always)
    private func ownerToEvictFrom(
        _ owner: UnsafeMutablePointer<EntryOwner>, hasOwn: Bool, stripe: Int
    ) -> (UnsafeMutablePointer<EntryOwner>, isMuchOlder: Bool)? {
        if owner.pointee.busyEvictions > 0 {
            owner.pointee.busyEvictions &-= 1
            if hasOwn, owner.pointee.busyEvictions % Self.evictionsBetweenLooks != 0 { return nil }
        }
        return oldestOwner(owner, hasOwn: hasOwn, stripe: stripe)
    }

    @inline(never)
    private func oldestOwner(
        _ owner: UnsafeMutablePointer<EntryOwner>, hasOwn: Bool, stripe: Int
    ) -> (UnsafeMutablePointer<EntryOwner>, isMuchOlder: Bool)? {
        let own = hasOwn ? owner.pointee.table.oldestStamp : .max
        var (oldest, found) = (own, owner)
        owner.pointee.owners.forEach { number in
            let other = self.owner(number)
            guard other != owner else { return }
            if other.face.pointee.lock.isLocked { owner.noteOthers() }
            let isBusy = owner.pointee.busyEvictions > 0
            drainIfIdle(other, number, at: owner.pointee.table.now, beside: isBusy, stripe: stripe)
            let stamp = other.face.pointee.oldest.load(ordering: .relaxed)
            if stamp < oldest { (oldest, found) = (stamp, other) }
            if owner.pointee.busyEvictions == 0 || !hasOwn, other.face.pointee.spare.load(ordering: .relaxed) > 0 {
                (oldest, found) = (0, other)
            }
        }
        guard found != owner else { return nil }
        let now = owner.pointee.table.now
        let isBusy = owner.pointee.busyEvictions > 0
        let (older, age) = (own &- oldest, max(now, own) &- own)
        if hasOwn, isBusy, older <= age / 32 { return nil }
        return (found, older > age / 16)
    }

    /// Applies the stripe's hits to the order of another owner whose own threads do not, before they are old.
    @inline(__always)
    private func drainIfIdle(
        _ other: UnsafeMutablePointer<EntryOwner>, _ number: Int, at now: UInt64, beside isBusy: Bool, stripe: Int
    ) {
        let own = self.stripe(stripe)
        guard own.hasBox(for: number), own.box(for: number).waitingCount > (isBusy ? 32 : 0),
            other.face.pointee.lock.tryLock()
        else { return }
        other.pointee.table.now = now
        drainBoxes(of: other, number: number, own: stripe)
        other.publish()
        other.face.pointee.lock.unlock()
    }

    /// Has an owner take the spare units of another, or evict the other's next entry if it is older than the own one.
    ///
    /// - Returns: false if nothing was taken; `nil` if another thread has locked it.
    @inline(never)
    private func takeRoom(
        from other: UnsafeMutablePointer<EntryOwner>, for owner: UnsafeMutablePointer<EntryOwner>, hasOwn: Bool,
        stripe: Int, _ evicted: inout Int
    ) -> Bool? {
        guard other.face.pointee.lock.tryLock() else {
            owner.noteOthers()
            return nil
        }
        other.pointee.table.now = owner.pointee.table.now
        drainBoxes(of: other, number: other.pointee.number, own: stripe)
        var taken = other.pointee.allotted - other.pointee.used
        let own = hasOwn ? owner.pointee.table.oldestStamp : .max
        if taken == 0, other.pointee.table.oldestStamp < own {
            taken = evictNextBesideOthers(of: other)
            other.pointee.used -= taken
            // Looks there again at the next eviction, until the two are even.
            if owner.pointee.busyEvictions > 0 { owner.pointee.busyEvictions &+= 1 }
            owner.pointee.evictions &+= 1
            evicted &+= 1
            if hasTooManyRetired(other) {
                owner.pointee.table.retired.append(contentsOf: &other.pointee.table.retired)
            }
        }
        other.pointee.allotted -= taken
        owner.pointee.allotted += taken
        other.publish()
        other.face.pointee.lock.unlock()
        return taken > 0
    }
}

extension UnsafeMutablePointer<EntryOwner> {
    /// Notes that another thread changes the tier at the same time.
    func noteOthers() { if pointee.isShared { pointee.busyEvictions = 256 } }
}
