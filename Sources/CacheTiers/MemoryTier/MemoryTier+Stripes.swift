import CSupport
import Platform

/// Who holds which lock. The order is always: `writers`, then one stripe's.
extension MemoryTier {
    @inline(__always)
    func stripe(_ index: Int) -> UnsafeMutablePointer<HitStripe> {
        (stripeMemory + index * HitStripe.stride).assumingMemoryBound(to: HitStripe.self)
    }

    private func isActive(_ index: Int) -> Bool { stripe(index).pointee.isActive.load(ordering: .relaxed) }

    /// The calling thread's stripe, locked.
    @inline(__always)
    func lockedStripe() -> UnsafeMutablePointer<HitStripe> {
        let stripe = stripe(Int(truncatingIfNeeded: cs_thread_number()) & (stripeCount - 1))
        stripe.pointee.lock.lock()
        if !stripe.pointee.isActive.load(ordering: .relaxed) { activate(stripe) }
        return stripe
    }

    /// Lets writers look at the stripe from now on. Locked before and after.
    @inline(never)
    private func activate(_ stripe: UnsafeMutablePointer<HitStripe>) {
        stripe.pointee.lock.unlock()
        // No change is under way while this holds the writers' lock, so none can miss the stripe.
        writers.withLock {
            stripe.pointee.lock.lock()
            stripe.pointee.isActive.store(true, ordering: .relaxed)
        }
    }

    /// Applies the hits that a full stripe recorded, unless others are changing the tier, who will do it themselves.
    @inline(never)
    func drain(_ stripe: UnsafeMutablePointer<HitStripe>) {
        guard writers.tryLock() else { return }
        stripe.pointee.drain(into: state.pointee.table)
        writers.unlock()
    }

    /// Returns when nobody is left inside who came in before: each stripe has been seen free once.
    ///
    /// What was taken out of the index before can then be released. A stripe that the writers do not look at yet cannot
    /// have a reader inside who found it: whoever activates the stripe takes the writers' lock first.
    func waitForReaders() {
        for index in 0..<stripeCount where isActive(index) {
            let stripe = stripe(index)
            if stripe.pointee.lock.isFree() { continue }
            stripe.pointee.lock.lock()
            stripe.pointee.lock.unlock()
        }
    }

    // MARK: Under the writers' lock

    /// Applies all hits that were recorded.
    @inline(__always)
    func drainStripes() {
        for index in 0..<stripeCount where isActive(index) {
            stripe(index).pointee.drain(into: state.pointee.table)
        }
    }

}
