import CSupport
import Platform

/// Who waits for whom. The order is always: `writers`, then one stripe's gate.
extension MemoryTier {
    @inline(__always)
    func stripe(_ index: Int) -> UnsafeMutablePointer<HitStripe> {
        (stripeMemory + index * HitStripe.stride).assumingMemoryBound(to: HitStripe.self)
    }

    /// The calling thread's stripe, with the caller inside.
    @inline(__always)
    func enteredStripe() -> UnsafeMutablePointer<HitStripe> {
        let index = Int(truncatingIfNeeded: cs_thread_number()) & (stripeCount &- 1)
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
        // No change is under way while this holds the writers' lock, so none can miss the stripe.
        writers.withLock {
            guard stripe(index).pointee.gate.isNew else { return }
            state.pointee.activeStripes.insert(index)
            stripe(index).pointee.gate.openFirst()
        }
    }

    /// Applies the hits that a full stripe recorded, unless others are changing the tier, who will do it themselves.
    @inline(never)
    func drain(_ stripe: UnsafeMutablePointer<HitStripe>) {
        guard writers.tryLock() else { return }
        stripe.drain(into: state.pointee.table)
        writers.unlock()
    }

    /// Returns when nobody is left inside who came in before, and those who were handed an entry hold it themselves.
    ///
    /// What was taken out of the index before can then be released. A stripe that is not among the active ones, as they
    /// were when it was taken out, cannot have had a reader who found it: whoever activates the stripe takes the writers'
    /// lock first.
    func settleReaders(of stripes: StripeSet) {
        stripes.forEach { index in
            let stripe = stripe(index)
            stripe.pointee.gate.close()
            stripe.inside.pointee.leases.settle()
            stripe.pointee.gate.open()
        }
    }

    /// Whether nobody is inside at the moment, so that `settleReaders` will hardly have to wait.
    func isFreeOfReaders(_ stripes: StripeSet) -> Bool {
        stripes.allSatisfy { stripe($0).pointee.gate.isFree() }
    }

    /// Applies all hits that were recorded. Under the writers' lock.
    @inline(__always)
    func drainStripes() {
        state.pointee.activeStripes.forEach { stripe($0).drain(into: state.pointee.table) }
    }
}

/// Some of at most 64 stripes, by their numbers.
struct StripeSet {
    private var bits: UInt64 = 0

    mutating func insert(_ index: Int) { bits |= 1 << UInt64(index) }

    @inline(__always)
    func forEach(_ body: (Int) -> Void) {
        var rest = bits
        while rest != 0 {
            body(rest.trailingZeroBitCount)
            rest &= rest - 1
        }
    }

    func allSatisfy(_ condition: (Int) -> Bool) -> Bool {
        var areAll = true
        forEach { areAll = areAll && condition($0) }
        return areAll
    }
}
