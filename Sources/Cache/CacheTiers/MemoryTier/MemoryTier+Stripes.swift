// Invariant of the pointers: a stripe's index is below `stripeCount`; the stripes are initialised from the tier's
// `init` to its `deinit`.

import CSupport
import Platform

/// The locks. Their order is always: `writers`, then one stripe's gate.
extension MemoryTier {
    @inline(__always)
    func stripe(_ index: Int) -> UnsafeMutablePointer<HitStripe> {
        (stripeMemory + index * HitStripe.stride).assumingMemoryBound(to: HitStripe.self)
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
        // No change is under way while this holds the writers' lock, so none can miss the stripe.
        writers.withLock {
            guard stripe(index).pointee.gate.isNew else { return }
            state.pointee.activeStripes.insert(index)
            stripe(index).pointee.gate.openFirst()
        }
    }

    /// Applies the hits that a full stripe recorded, unless another thread is changing the tier and applies them.
    @inline(never)
    func drain(_ stripe: UnsafeMutablePointer<HitStripe>) {
        guard writers.tryLock() else { return }
        stripe.drainAll(into: state.pointee.table)
        writers.unlock()
    }

    /// Returns when every reader that was inside has left, and callers that hold one of some entries have a reference to
    /// it: entries that were taken out of the index before can then be released.
    ///
    /// A stripe that was not active when they were taken out cannot have had a reader that found them: a thread that
    /// activates a stripe takes the writers' lock first.
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

    /// Applies the hits that the stripe `own` recorded, and those that others published. Under the writers' lock.
    @inline(__always)
    func drainStripes(own: Int) {
        state.pointee.activeStripes.forEach {
            if $0 == own {
                stripe($0).drainAll(into: state.pointee.table)
            } else {
                stripe($0).drainPublished(into: state.pointee.table)
            }
        }
    }

    /// Applies all hits that were recorded. Under the writers' lock.
    func drainAllStripes() {
        state.pointee.activeStripes.forEach { stripe($0).drainAll(into: state.pointee.table) }
    }
}

/// Some of at most 64 stripes, by their numbers.
struct StripeSet {
    private var bits: UInt64 = 0
    /// The retired entries of each take at most the capacity divided by this: a hundredth, or a sixteenth for all.
    private(set) var divisor = 100

    mutating func insert(_ index: Int) {
        bits |= 1 << UInt64(index)
        divisor = max(100, 16 * bits.nonzeroBitCount)
    }

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

// A fork waits until no thread changes the tier and no reader is inside, so a forked child finds it whole, and free.
extension MemoryTier: ForkObserver {
    package func prepareToFork() {
        writers.lock()
        for index in 0..<stripeCount { stripe(index).pointee.gate.close() }
        background.prepareToFork()
    }

    package func resumeInParent() {
        background.resumeInParent()
        for index in 0..<stripeCount { stripe(index).pointee.gate.open() }
        writers.unlock()
    }

    package func resumeInChild() {
        background.resumeInChild()
        for index in 0..<stripeCount { stripe(index).pointee.gate.resetInChild() }
        writers.unlock()
    }
}
