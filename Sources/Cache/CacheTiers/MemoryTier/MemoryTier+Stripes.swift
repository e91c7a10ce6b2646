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
        // No change is under way, so none can miss the stripe.
        withLock {
            guard stripe(index).pointee.gate.isNew else { return }
            contents.pointee.activeStripes.insert(index)
            stripe(index).pointee.gate.openFirst()
        }
    }

    // MARK: Hits

    /// Applies the hits that filled a box, unless another thread is changing the tier and applies them. For the reader inside.
    @inline(never)
    func drain(_ box: HitBox) {
        guard face.pointee.lock.tryLock() else { return }
        box.drainAll(into: contents.pointee.table)
        face.pointee.lock.unlock()
    }

    /// Applies the hits that the stripe `own` recorded, and those that others published. Under the lock.
    @inline(__always)
    func drainBoxes(own: Int) {
        contents.pointee.activeStripes.forEach {
            if $0 == own {
                stripe($0).box.drainAll(into: contents.pointee.table)
            } else {
                stripe($0).box.drainPublished(into: contents.pointee.table)
            }
        }
    }

    /// Applies all hits that were recorded. Under the lock.
    func drainAll() {
        contents.pointee.activeStripes.forEach { stripe($0).box.drainAll(into: contents.pointee.table) }
    }

    // MARK: Waiting for readers

    /// Returns when every reader that was inside has left, and callers that hold one of some entries have a reference to
    /// it: entries that were taken out of the index before can then be released.
    ///
    /// A stripe that was not active when they were taken out cannot have had a reader that found them: a thread that
    /// activates a stripe takes the lock first.
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
        face.pointee.lock.lock()
        for index in 0..<stripeCount { stripe(index).pointee.gate.close() }
        background.prepareToFork()
    }

    package func resumeInParent() {
        background.resumeInParent()
        for index in 0..<stripeCount { stripe(index).pointee.gate.open() }
        face.pointee.lock.unlock()
    }

    package func resumeInChild() {
        background.resumeInChild()
        for index in 0..<stripeCount { stripe(index).pointee.gate.resetInChild() }
        face.pointee.lock.unlock()
    }
}
