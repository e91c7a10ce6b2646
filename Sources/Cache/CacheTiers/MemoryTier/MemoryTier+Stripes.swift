// Invariant of the pointers: a stripe's index is below `stripeCount`; the stripes are initialised from the tier's
// `init` to its `deinit`.

import CSupport
import Platform

extension MemoryTier {
    @inline(__always)
    func stripe(_ index: Int) -> UnsafeMutablePointer<HitStripe> {
        (stripeMemory + index &* HitStripe.stride).assumingMemoryBound(to: HitStripe.self)
    }

    /// The number of the calling thread's stripe.
    @inline(__always)
    var threadStripe: Int { Int(truncatingIfNeeded: cs_thread_number()) & (stripeCount &- 1) }

    /// The calling thread's stripe, with the caller inside.
    @inline(__always)
    func enteredStripe() -> UnsafeMutablePointer<HitStripe> {
        let index = threadStripe
        let stripe = stripe(index)
        if !stripe.pointee.gate.tryEnter() { waitToEnter(index) }
        return stripe
    }

    @inline(never)
    private func waitToEnter(_ index: Int) {
        let stripe = stripe(index)
        if stripe.pointee.gate.isNew { activate(index) }
        stripe.pointee.gate.waitToEnter()
    }

    /// Lets writers look at the stripe from now on, and readers in.
    private func activate(_ index: Int) {
        // No change is under way while all owners are locked, so none can miss the stripe.
        withAllOwners { owners in
            guard stripe(index).pointee.gate.isNew else { return }
            owners.forEach { owner($0).pointee.activeStripes.insert(index) }
            owner(0).pointee.readers.insert(index)
            stripe(index).pointee.gate.openFirst()
        }
    }

    // MARK: Hits

    /// Applies the hits on an owner's entries that filled a box, unless another thread is changing the owner and applies
    /// them. Makes the box, and notes the hit, if there is none. For the reader inside.
    @inline(never)
    func drain(_ stripe: UnsafeMutablePointer<HitStripe>, _ found: Unmanaged<EntryStorage>) {
        let (number, node) = found._withUnsafeGuaranteedRef { ($0.owner, $0.node) }
        let owner = owner(number)
        guard owner.face.pointee.lock.tryLock() else { return }
        if owner.pointee.isShared { owner.pointee.table.now = cs_ticks() }
        if stripe.hasBox(for: number) {
            stripe.box(for: number).drainAll(into: owner.pointee.table)
        } else {
            stripe.makeBox(for: number)
            owner.pointee.readers.insert(threadStripe)
            owner.pointee.table.touchStamped(node)
        }
        if owner.pointee.isShared { owner.publish() }
        owner.face.pointee.lock.unlock()
    }

    /// Applies the hits on an owner's entries that the stripe `own` recorded, and those that others published. Under the
    /// owner's lock.
    @inline(__always)
    func drainBoxes(of owner: UnsafeMutablePointer<EntryOwner>, number: Int, own: Int) {
        owner.pointee.readers.forEach {
            let box = stripe($0).box(for: number)
            if $0 == own {
                box.drainAll(into: owner.pointee.table)
            } else {
                box.drainPublished(into: owner.pointee.table)
            }
        }
    }

    /// Applies all hits that were recorded. All owners are locked.
    func drainAll(_ owners: StripeSet) {
        let now = cs_ticks()
        owners.forEach { number in
            let owner = owner(number)
            owner.pointee.table.now = now
            owner.pointee.readers.forEach { stripe($0).box(for: number).drainAll(into: owner.pointee.table) }
        }
    }

    // MARK: Waiting for readers

    /// Returns when every reader that was inside has left, and callers that hold one of some entries have a reference to
    /// it: entries that were taken out of the index before can then be released.
    ///
    /// A stripe that was not active when they were taken out cannot have had a reader that found them: a thread that
    /// activates a stripe takes the locks of all owners first.
    func waitForReaders(of stripes: StripeSet, releasing filter: AddressFilter) {
        stripes.forEach { index in
            let stripe = stripe(index)
            stripe.pointee.gate.close()
            stripe.inside.pointee.leases.makeOwners(of: filter)
            stripe.pointee.gate.open()
        }
    }

    /// Whether no reader is inside at the moment, so that `waitForReaders` will hardly have to wait.
    func isFreeOfReaders(_ stripes: StripeSet) -> Bool {
        stripes.allSatisfy { stripe($0).pointee.gate.isFree() }
    }
}

// A fork waits until no thread changes the tier and no reader is inside, so a forked child finds it whole, and free.
extension MemoryTier: ForkObserver {
    package func prepareToFork() {
        _ = lockAll()
        for index in 0..<stripeCount { stripe(index).pointee.gate.close() }
        background.prepareToFork()
    }

    package func resumeInParent() {
        background.resumeInParent()
        for index in 0..<stripeCount { stripe(index).pointee.gate.open() }
        unlockAll(owner(0).pointee.owners)
    }

    package func resumeInChild() {
        background.resumeInChild()
        for index in 0..<stripeCount { stripe(index).pointee.gate.resetInChild() }
        unlockAll(owner(0).pointee.owners)
    }
}
