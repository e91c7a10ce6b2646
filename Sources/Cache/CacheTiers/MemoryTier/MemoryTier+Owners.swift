// Invariant of the pointers: an owner's number is below `stripeCount`, and in `ownerNumbers` where more than its face is
// used.

import CSupport
import Platform
import Synchronization

/// The locks. A thread waits for the lock of one owner only while it holds none, or for all in the order of their numbers;
/// holding one it may try for another. After them come the locks of buckets, and a stripe's gate.
extension MemoryTier {
    @inline(__always)
    func owner(_ number: Int) -> UnsafeMutablePointer<EntryOwner> {
        (ownerMemory + (number &* EntryOwner.stride &+ cacheLinePair)).assumingMemoryBound(to: EntryOwner.self)
    }

    /// The owners, for a thread that holds no lock; those of before, if one is being added.
    var ownerNumbers: StripeSet { StripeSet(bits: totals.pointee.owners.load(ordering: .acquiring)) }

    /// Waits so many times for the lock of an owner that it shares, and a stripe gets its own owner.
    private static let waitsBeforeSplit = 16

    /// The owner of the entries that a stripe's threads store, locked.
    @inline(__always)
    func lockedOwner(of stripe: Int, _ giving: Giving) -> UnsafeMutablePointer<EntryOwner> {
        let owner = owner(self.stripe(stripe).pointee.owner.load(ordering: .relaxed))
        return owner.face.pointee.lock.tryLock() ? owner : waitForOwner(of: stripe, giving)
    }

    @inline(never)
    private func waitForOwner(of stripe: Int, _ giving: Giving) -> UnsafeMutablePointer<EntryOwner> {
        let waits = self.stripe(stripe).pointee.waits.wrappingAdd(1, ordering: .relaxed).newValue
        let isOwn = self.stripe(stripe).pointee.owner.load(ordering: .relaxed) == stripe
        if !isOwn, waits % Self.waitsBeforeSplit == 0 { split(stripe, giving) }
        let owner = owner(self.stripe(stripe).pointee.owner.load(ordering: .relaxed))
        owner.face.pointee.lock.lock()
        owner.noteOthers()
        return owner
    }

    // MARK: All owners

    /// Locks all owners; no owner is added until they are unlocked.
    func lockAll() -> StripeSet {
        owner(0).face.pointee.lock.lock()
        let owners = owner(0).pointee.owners
        owners.forEach { if $0 != 0 { owner($0).face.pointee.lock.lock() } }
        return owners
    }

    /// - Parameter owners: those that `lockAll` locked.
    func unlockAll(_ owners: StripeSet) { owners.forEach { owner($0).face.pointee.lock.unlock() } }

    /// Runs `body` while all owners are locked.
    func withAllOwners<Result>(_ body: (StripeSet) -> Result) -> Result {
        let owners = lockAll()
        defer { unlockAll(owners) }
        return body(owners)
    }

    /// Runs `change` while all owners are locked and all hits are applied, and releases what was taken out afterwards.
    func changeAll(_ giving: Giving = .back, _ change: (StripeSet) -> Void) {
        let owners = lockAll()
        drainAll(owners)
        change(owners)
        var retired = RetiredEntries()
        owner(0).pointee.owners.forEach {
            owner($0).publish()
            if !owner($0).pointee.table.retired.isEmpty {
                retired.append(contentsOf: owner($0).pointee.table.retired.takeAll())
            }
        }
        let stripes = owner(0).pointee.activeStripes
        // One may have been added.
        unlockAll(owner(0).pointee.owners)
        guard !retired.isEmpty else { return }
        waitForReaders(of: stripes, releasing: retired.filter)
        switch giving {
        case .back: retired.release(by: background)
        case .toHold: background.hold(retired)
        }
    }

    // MARK: Several owners

    /// Makes an owner without entries, which no other thread sees yet.
    func makeOwner(_ number: Int, index: EntryIndex, limit: Int) {
        let table = EntryTable(
            index: index, owner: number, policy: policy, stripeCount: stripeCount, isStamped: number != 0)
        tickets.add(number)
        owner(number).initialize(to: EntryOwner(number: number, table: table, limit: limit))
    }

    /// Gives a stripe its own owner, unless it has one, or the policy has only one order.
    func split(_ stripe: Int, _ giving: Giving = .back) {
        guard policy == .leastRecentlyUsed else { return }
        changeAll(giving) { owners in
            guard !owners.contains(stripe) else { return }
            let first = owner(0)
            let added = owner(stripe)
            makeOwner(stripe, index: first.pointee.table.index, limit: first.pointee.limit)
            added.face.pointee.lock.lock()
            added.pointee.activeStripes = first.pointee.activeStripes
            added.pointee.readers.insert(stripe)
            self.stripe(stripe).makeBox(for: stripe)
            first.pointee.table.beginToStamp()
            var numbers = owners
            numbers.insert(stripe)
            numbers.forEach {
                owner($0).pointee.isShared = true
                owner($0).pointee.owners = numbers
                owner($0).pointee.retiredDivisor = 12 * numbers.count
            }
            resizeIndex()
            divideUnits()
            added.publish()
            totals.pointee.owners.store(numbers.bits, ordering: .releasing)
            self.stripe(stripe).pointee.owner.store(stripe, ordering: .relaxed)
        }
    }

    /// Gives the calling thread its own owner, as if it had waited for others. For tests.
    package func separateThread() { split(threadStripe == 0 ? stripeCount - 1 : threadStripe) }

    /// Has the pool hold what no owner uses. All owners are locked.
    func divideUnits() {
        let first = owner(0)
        guard first.pointee.isShared else {
            first.pointee.allotted = first.pointee.limit
            return
        }
        var rest = first.pointee.limit
        first.pointee.owners.forEach {
            owner($0).pointee.allotted = owner($0).pointee.used
            rest -= owner($0).pointee.used
        }
        pool.pointee.store(rest, ordering: .relaxed)
    }
}
