import CSupport
import Platform

/// Who holds which lock. The order is always: `writers`, then the stripes by their number.
extension MemoryTier {
    @inline(__always)
    func stripe(_ index: Int) -> UnsafeMutablePointer<HitStripe> {
        (stripeMemory + index * HitStripe.stride).assumingMemoryBound(to: HitStripe.self)
    }

    /// The calling thread's stripe, locked.
    @inline(__always)
    func lockedStripe() -> UnsafeMutablePointer<HitStripe> {
        let stripe = stripe(Int(truncatingIfNeeded: cs_thread_number()) & (stripeCount - 1))
        stripe.pointee.lock.lockSoon()
        if !stripe.pointee.isActive { activate(stripe) }
        return stripe
    }

    /// Lets changes take the stripe's lock from now on. Locked before and after.
    @inline(never)
    private func activate(_ stripe: UnsafeMutablePointer<HitStripe>) {
        stripe.pointee.lock.unlock()
        // No change is under way while this holds the writers' lock, so none can miss the stripe.
        writers.withLock {
            stripe.pointee.lock.lock()
            stripe.pointee.isActive = true
        }
    }

    /// Applies the hits that a full stripe recorded, unless others are changing the tier, who will do it themselves.
    @inline(never)
    func drain(_ stripe: UnsafeMutablePointer<HitStripe>) {
        guard writers.tryLock() else { return }
        stripe.pointee.lock.lockSoon()
        stripe.pointee.drain(into: state.pointee.table.recency)
        stripe.pointee.lock.unlock()
        writers.unlock()
    }

    /// Runs `change` while no reader looks at the table and all recorded hits are applied; afterwards releases what was
    /// retired. The writers' lock is held.
    @inline(__always)
    func exclusively<Result>(_ change: (inout State) -> Result) -> Result {
        for index in 0..<stripeCount where stripe(index).pointee.isActive { stripe(index).pointee.lock.lockSoon() }
        for index in 0..<stripeCount where stripe(index).pointee.isActive {
            stripe(index).pointee.drain(into: state.pointee.table.recency)
        }
        let result = change(&state.pointee)
        publish()
        for index in 0..<stripeCount where stripe(index).pointee.isActive { stripe(index).pointee.lock.unlock() }
        for index in 0..<state.pointee.retiredCount { state.pointee.retired[index].release() }
        state.pointee.retiredCount = 0
        return result
    }
}
